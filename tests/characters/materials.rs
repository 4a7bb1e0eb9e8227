//! What a file says of its surfaces, and that nothing about it keeps a character from loading.

use crate::support::textured::{Square, plain_png, png};
use glam::Vec2;
use image::{Rgba, RgbaImage};
use jounce::rig::{Alpha, ImageData, Material, Wrap, load};
use jounce::session::{Appearance, has_materials};
use serde_json::{Value, json};

fn textured() -> Square {
    Square::new(
        json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }),
        &[plain_png([200, 30, 20, 255])],
    )
}

fn notes(square: &Square) -> Vec<String> {
    let character = square.load();
    let mut notes = character.notes.clone();
    notes.extend(Appearance::of(&character).notes);
    for note in &notes {
        assert!(note.contains(' ') && !note.contains('\n') && note.len() < 400, "{note:?}");
    }
    notes
}

#[test]
fn all_of_a_material_is_read() {
    let mut square = Square::new(
        json!({
            "name": "brass",
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.5, 0.25, 1.0, 0.5],
                "baseColorTexture": { "index": 0 },
                "metallicFactor": 0.75,
                "roughnessFactor": 0.5,
                "metallicRoughnessTexture": { "index": 1, "texCoord": 1 },
            },
            "normalTexture": { "index": 1, "scale": 0.5 },
            "occlusionTexture": { "index": 1, "strength": 0.25 },
            "emissiveTexture": { "index": 0 },
            "emissiveFactor": [0.0, 0.5, 1.0],
            "alphaMode": "MASK",
            "alphaCutoff": 0.3,
            "doubleSided": true,
            "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 4.0 } },
        }),
        &[plain_png([9; 4]), plain_png([8; 4])],
    );
    square.json["samplers"] = json!([{ "wrapS": 33071, "wrapT": 33648, "magFilter": 9728 }]);
    square.json["textures"][1]["sampler"] = json!(0);
    let character = square.load();
    assert!(character.notes.is_empty(), "{:?}", character.notes);
    let mesh = &character.mesh;
    assert_eq!(mesh.parts[0].material, Some(0));
    assert_eq!(mesh.colors[0], [0.5, 0.25, 1.0, 0.5]);
    assert_eq!((mesh.uvs[0].len(), mesh.uvs[1].len()), (4, 4));
    assert_eq!((mesh.uvs[0][2], mesh.uvs[1][1]), (Vec2::X, Vec2::new(0.5, 0.5)));
    let material = &mesh.materials.list[0];
    assert_eq!(
        (material.name.as_str(), material.metallic, material.roughness),
        ("brass", 0.75, 0.5)
    );
    assert_eq!((material.normal_scale, material.occlusion_strength), (0.5, 0.25));
    assert_eq!(material.emissive, [0.0, 2.0, 4.0]);
    assert_eq!(material.alpha, Alpha::Mask { cutoff: 0.3 });
    assert!(material.is_double_sided && !material.is_unlit);
    let finish = material.metallic_roughness.unwrap();
    assert_eq!((finish.uv_set, finish.wrap), (1, [Wrap::Clamp, Wrap::Mirror]));
    assert!(finish.is_nearest && !material.base_color.unwrap().is_nearest);
    assert_eq!(mesh.materials.images.len(), 2, "each once");
    // The first is needed as colours, the second as numbers.
    let made = Appearance::of(&character).materials.unwrap();
    assert_eq!(made.textures.iter().map(|it| it.is_srgb).collect::<Vec<_>>(), [true, false]);
}

/// A point of the texture coordinates, where its image has it.
fn place(transform: Value, uv: Vec2) -> Vec2 {
    let mut square = textured();
    square.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] =
        json!({ "KHR_texture_transform": transform });
    let texture = square.load().mesh.materials.list[0].base_color.unwrap();
    texture.image_from_uv.transform_point2(uv)
}

#[test]
fn a_texture_is_scaled_turned_and_moved_in_this_order() {
    let near = |a: Vec2, b: Vec2| assert!(a.distance(b) < 1e-6, "{a} {b}");
    near(place(json!({}), Vec2::new(0.2, 0.3)), Vec2::new(0.2, 0.3));
    near(place(json!({ "offset": [0.5, 0.25] }), Vec2::X), Vec2::new(1.5, 0.25));
    near(place(json!({ "scale": [2, 3] }), Vec2::ONE), Vec2::new(2.0, 3.0));
    // Against the clock where v points down: to the right becomes up.
    let quarter = std::f32::consts::FRAC_PI_2;
    near(place(json!({ "rotation": quarter }), Vec2::X), Vec2::NEG_Y);
    let all = json!({ "rotation": quarter, "scale": [2, 1], "offset": [0, 10] });
    near(place(all, Vec2::X), Vec2::new(0.0, 8.0));
    // The transform may choose other coordinates.
    let mut square = textured();
    let texture = &mut square.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
    *texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": { "texCoord": 1 } } });
    assert_eq!(square.load().mesh.materials.list[0].base_color.unwrap().uv_set, 1);
}

#[test]
fn webp_may_stand_beside_another_image() {
    let mut square = textured();
    let webp = crate::support::textured::encoded(
        &RgbaImage::from_pixel(2, 2, Rgba([10, 20, 30, 255])),
        image::ImageFormat::WebP,
    );
    let view = square.view(&webp);
    let image = square.push("images", json!({ "bufferView": view, "mimeType": "image/webp" }));
    square.json["textures"][0] =
        json!({ "source": 0, "extensions": { "EXT_texture_webp": { "source": image } } });
    square.json["extensionsRequired"] = json!(["EXT_texture_webp"]);
    let made = Appearance::of(&square.load()).materials.unwrap();
    assert_eq!(made.textures[0].levels[0].texels[..4], [10, 20, 30, 255]);
}

/// Without textures nobody sees a difference, and the file gets no larger in memory.
#[test]
fn what_is_no_more_than_a_color_stays_clay() {
    let with = |material: Value| has_materials(&Square::new(material, &[]).load());
    assert!(!with(json!({})));
    assert!(!with(json!({ "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } })));
    let matt = json!({ "pbrMetallicRoughness": { "metallicFactor": 0, "roughnessFactor": 0.8 } });
    assert!(!with(matt));
    assert!(with(json!({ "pbrMetallicRoughness": { "roughnessFactor": 0.3 } })), "metal");
    assert!(with(json!({ "emissiveFactor": [0, 1, 0] })));
    assert!(with(json!({ "alphaMode": "BLEND" })));
    assert!(with(json!({ "extensions": { "KHR_materials_unlit": {} } })));
    assert!(Square::new(json!({}), &[]).load().mesh.uvs[0].is_empty());
}

#[test]
fn what_is_wrong_with_textures_is_a_note() {
    let broken = |change: &dyn Fn(&mut Square), expected: &str| {
        let mut square = textured();
        change(&mut square);
        let notes = notes(&square);
        assert!(notes.iter().any(|note| note.contains(expected)), "{expected}: {notes:?}");
        assert_eq!(notes.len(), 1, "{notes:?}");
    };
    let base = "/materials/0/pbrMetallicRoughness/baseColorTexture";
    let set = |square: &mut Square, place: &str, value: Value| {
        *square.json.pointer_mut(place).unwrap() = value;
    };
    broken(&|it| set(it, base, json!({ "index": 7 })), "texture that does not exist");
    broken(&|it| set(it, base, json!({ "index": 0, "texCoord": 5 })), "TEXCOORD_5");
    broken(&|it| set(it, "/textures/0", json!({})), "has no image");
    broken(&|it| set(it, "/textures/0", json!({ "source": 9 })), "image that does not exist");
    let basis = json!({ "extensions": { "KHR_texture_basisu": { "source": 0 } } });
    broken(&|it| set(it, "/textures/0", basis.clone()), "PNG, JPEG and WebP");
    broken(&|it| set(it, "/images/0", json!({})), "it has no data");
    broken(&|it| set(it, "/images/0", json!({ "bufferView": 99 })), "past the end");
    broken(&|it| set(it, "/images/0", json!({ "uri": "gone.png" })), "not read from a folder");
    broken(&|it| set(it, "/images/0", json!({ "uri": "data:image/png,xx" })), "not base64");
    broken(&|it| set(it, "/images/0", json!({ "uri": "https://a.b/c.png" })), "over the network");
    broken(
        &|it| {
            let view = it.view(b"GIF89a and more");
            set(it, "/images/0/bufferView", json!(view));
        },
        "is not a PNG, JPEG or WebP image",
    );
    broken(
        &|it| {
            let whole = plain_png([1; 4]);
            let view = it.view(&whole[..whole.len() / 2]);
            set(it, "/images/0/bufferView", json!(view));
        },
        "is damaged",
    );
    let without_uvs: &dyn Fn(&mut Square) = &|it| {
        it.json["meshes"][0]["primitives"][0]["attributes"]
            .as_object_mut()
            .unwrap()
            .remove("TEXCOORD_0");
    };
    broken(without_uvs, "without the texture coordinates");
    let odd_uvs: &dyn Fn(&mut Square) = &|it| {
        let odd = it.floats(&[f32::NAN; 8], 2);
        it.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(odd);
    };
    broken(odd_uvs, "without the texture coordinates");
}

#[test]
fn images_beside_the_file_are_found_and_packed_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let red = RgbaImage::from_pixel(2, 2, Rgba([250, 10, 20, 255]));
    std::fs::write(folder.path().join("the skin.png"), png(&red)).unwrap();
    let mut square = textured();
    square.json["images"][0] = json!({ "uri": "the%20skin.png" });
    square.json["buffers"] = json!([{ "byteLength": square.blob.len(), "uri": "square.bin" }]);
    std::fs::write(folder.path().join("square.bin"), &square.blob).unwrap();
    let path = folder.path().join("square.gltf");
    std::fs::write(&path, square.json.to_string()).unwrap();
    let character = load::load_file(&path).unwrap();
    assert!(matches!(character.mesh.materials.images[0].data, ImageData::Beside(_)));
    let color = |appearance: Appearance| {
        assert!(appearance.notes.is_empty(), "{:?}", appearance.notes);
        appearance.materials.unwrap().textures[0].levels[0].texels[..4].to_vec()
    };
    assert_eq!(color(Appearance::of(&character)), [250, 10, 20, 255]);

    let packed = load::packed_bytes(&path).unwrap();
    let packed = load::load_bytes("square", packed, None).unwrap();
    assert_eq!(color(Appearance::of(&packed)), [250, 10, 20, 255]);

    // What is called an image and is none is nobody else's to read, and not handed on.
    std::fs::write(folder.path().join("the skin.png"), "a secret").unwrap();
    let packed = load::packed_bytes(&path).unwrap();
    assert!(String::from_utf8(packed).unwrap().contains("the%20skin.png"), "left outside");
    let mut absolute = square.json.clone();
    absolute["buffers"][0]["uri"] = json!(folder.path().join("square.bin").to_str().unwrap());
    let other = folder.path().join("absolute.gltf");
    std::fs::write(&other, absolute.to_string()).unwrap();
    let refused = load::load_file(&other).unwrap_err().to_string();
    assert!(refused.contains("it is an absolute path"), "{refused}");

    std::fs::remove_file(folder.path().join("the skin.png")).unwrap();
    let without = Appearance::of(&load::load_file(&path).unwrap());
    assert!(without.notes[0].contains("the%20skin.png cannot be read"), "{:?}", without.notes);
    assert!(without.materials.unwrap().textures.is_empty(), "drawn without it");
    assert!(load::packed_bytes(&path).is_ok(), "packed without it");
}

/// Large images become smaller before they are too much for anyone.
#[test]
fn large_images_are_reduced() {
    let large = png(&RgbaImage::from_pixel(5000, 300, Rgba([7, 7, 7, 255])));
    let mut square = textured();
    let view = square.view(&large);
    square.json["images"][0] = json!({ "bufferView": view });
    let appearance = Appearance::of(&square.load());
    assert_eq!(appearance.materials.unwrap().textures[0].size_px(), [4096, 245]);
    assert!(appearance.notes[0].contains("at most 4096 pixels per side"), "{:?}", appearance.notes);
}

/// Textures must not change which vertex is which: points, normals and bakes go by it.
#[test]
fn materials_leave_vertices_as_they_are() {
    let textured = textured().load();
    let plain = Square::new(json!({}), &[]).load();
    assert_eq!(textured.mesh.positions, plain.mesh.positions);
    assert_eq!(textured.mesh.normals, plain.mesh.normals);
    assert_eq!(textured.mesh.triangles, plain.mesh.triangles);
    let points =
        |character: &jounce::rig::Character| character.surface().points.point_of_vertex.clone();
    assert_eq!(points(&textured), points(&plain));
    assert_eq!(Material::default().alpha, Alpha::Opaque);
}
