//! Materials, looked at from outside: one suite for the CPU and, where there is an adapter, for the GPU; and
//! both draw the same.

use crate::support::textured::{Square, encoded, plain_png, png};
use image::{ImageFormat, Rgba};
use jounce::draw::{
    Background, CpuPainter, DrawnMoment, Look, Painter, RgbaImage, Shot, Studio, Subject, View,
};
use jounce::rig::Character;
use jounce::session::Appearance;
use serde_json::{Value, json};

const SIZE: [u32; 2] = [96, 96];

/// A studio per painter that there is.
fn with_painters(test: impl Fn(&dyn Fn() -> Box<dyn Painter>)) {
    test(&|| Box::new(CpuPainter::default()));
    #[cfg(feature = "gpu")]
    if let Some(gpu) = crate::support::gpu_or_skip() {
        test(&|| Box::new(jounce::gpu::draw::GpuPainter::new(&gpu).expect("a painter")));
    }
}

fn shot(moment: &DrawnMoment, view: View, look: Look) -> Shot {
    let mut shot = Shot { view, look, ..Shot::of(&[*moment], SIZE) };
    let mut framing = shot.framing();
    moment.positions.iter().for_each(|point| framing.add(*point));
    shot.framed = Some(framing.camera());
    shot
}

/// As it stands in its file, from its front or another side.
fn picture(
    painter: Box<dyn Painter>,
    character: &Character,
    is_clay: bool,
    view: View,
    look: Look,
) -> RgbaImage {
    picture_in(SIZE, painter, character, is_clay, view, look)
}

fn picture_in(
    size_px: [u32; 2],
    painter: Box<dyn Painter>,
    character: &Character,
    is_clay: bool,
    view: View,
    look: Look,
) -> RgbaImage {
    let appearance = Appearance::of(character);
    assert!(appearance.notes.is_empty(), "{:?}", appearance.notes);
    let mesh = &character.mesh;
    let subject = Subject {
        triangles: &mesh.triangles,
        colors: &mesh.colors,
        materials: appearance.materials.as_ref().filter(|_| !is_clay),
        ..Subject::default()
    };
    let rest = character.rest();
    let (positions, normals) = (&rest.positions[..], &rest.normals[..]);
    let moment = DrawnMoment { positions, normals, ..DrawnMoment::default() };
    let shot = Shot { size_px, ..shot(&moment, view, look) };
    Studio::new(painter, &subject).still(&moment, &shot).expect("a picture")
}

fn front() -> View {
    View::from_degrees(0.0, 0.0)
}

/// Without a ground, which would shine through.
fn plain_look() -> Look {
    Look { ground: false, ..Look::default() }
}

fn of_square(painter: Box<dyn Painter>, material: Value, images: &[Vec<u8>]) -> RgbaImage {
    let square = Square::new(material, images).load();
    picture(painter, &square, false, front(), plain_look())
}

/// In parts of the picture from its left and its top.
fn at(image: &RgbaImage, x: f32, y: f32) -> [i32; 3] {
    let place = |part: f32, side: u32| ((part * side as f32) as u32).min(side - 1);
    let [r, g, b, _] = image.get_pixel(place(x, image.width()), place(y, image.height())).0;
    [r, g, b].map(i32::from)
}

fn near(found: [i32; 3], expected: [i32; 3], by: i32, what: &str) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).max().unwrap_or(0);
    assert!(off <= by, "{what}: {found:?}, not {expected:?}");
}

fn textured(more: Value) -> Value {
    let mut material = json!({
        "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 }, "metallicFactor": 0 },
    });
    for (key, value) in more.as_object().unwrap() {
        material[key] = value.clone();
    }
    material
}

fn unlit(more: Value) -> Value {
    let mut material = textured(more);
    material["extensions"] = json!({ "KHR_materials_unlit": {} });
    material
}

/// Red, green over blue, white, each as large as what JPEG treats as one.
fn four_colors() -> RgbaImage {
    RgbaImage::from_fn(32, 32, |x, y| match (x < 16, y < 16) {
        (true, true) => Rgba([220, 30, 30, 255]),
        (false, true) => Rgba([30, 200, 40, 255]),
        (true, false) => Rgba([30, 40, 210, 255]),
        (false, false) => Rgba([250, 250, 250, 255]),
    })
}

/// What is not lit has the very colours of its texture, the right way up, of any format.
#[test]
fn a_texture_lies_on_the_surface_as_it_should() {
    with_painters(|painter| {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
            let images = [encoded(&four_colors(), format)];
            let image = of_square(painter(), unlit(json!({})), &images);
            let by = if format == ImageFormat::Jpeg { 8 } else { 2 };
            near(at(&image, 0.25, 0.25), [220, 30, 30], by, "upper left");
            near(at(&image, 0.75, 0.25), [30, 200, 40], by, "upper right");
            near(at(&image, 0.25, 0.75), [30, 40, 210], by, "lower left");
            near(at(&image, 0.75, 0.75), [250, 250, 250], by, "lower right");
        }
    });
}

#[test]
fn factors_and_vertices_tint_a_texture() {
    with_painters(|painter| {
        let mut square = Square::new(unlit(json!({})), &[plain_png([255, 255, 255, 255])]);
        square.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] =
            json!([1, 0.5, 1, 1]);
        let colors = square.floats(&[0.5_f32, 1.0, 0.25].repeat(4), 3);
        square.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(colors);
        let image = picture(painter(), &square.load(), false, front(), plain_look());
        // Half and a quarter of the light in sRGB.
        near(at(&image, 0.5, 0.5), [188, 188, 137], 2, "tinted");
    });
}

#[test]
fn a_mask_has_holes_and_a_blend_is_seen_through() {
    let half_clear =
        RgbaImage::from_fn(8, 8, |x, _| Rgba([200, 20, 20, if x < 4 { 60 } else { 250 }]));
    with_painters(|painter| {
        let behind = of_square(
            painter(),
            unlit(json!({ "alphaMode": "MASK", "alphaCutoff": 2 })),
            &[plain_png([9, 9, 9, 255])],
        );
        let wall = at(&behind, 0.2, 0.5);
        assert!(wall.iter().all(|channel| *channel > 120), "nothing is there: {wall:?}");
        let mask = of_square(painter(), unlit(json!({ "alphaMode": "MASK" })), &[png(&half_clear)]);
        near(at(&mask, 0.25, 0.5), at(&behind, 0.25, 0.5), 2, "a hole");
        near(at(&mask, 0.75, 0.5), [200, 20, 20], 2, "beside the hole");
        let opaque = of_square(painter(), unlit(json!({})), &[png(&half_clear)]);
        near(at(&opaque, 0.25, 0.5), [200, 20, 20], 2, "alpha is not looked at");
        let clear = [plain_png([200, 20, 20, 128])];
        let blend = of_square(painter(), unlit(json!({ "alphaMode": "BLEND" })), &clear);
        let [r, g, _] = at(&blend, 0.5, 0.5);
        let [wall_r, wall_g, _] = at(&behind, 0.5, 0.5);
        assert!(
            r > wall_r + 5 && (90..wall_g - 20).contains(&g),
            "{r} {g}, wall {wall_r} {wall_g}"
        );
        // Edges and corners as well: the shape of a silhouette is that of what is there.
        let square = Square::new(unlit(json!({ "alphaMode": "MASK" })), &[png(&half_clear)]).load();
        let black = picture(painter(), &square, false, front(), Look::silhouette());
        near(at(&black, 0.25, 0.5), [255; 3], 0, "a hole of a silhouette");
        near(at(&black, 0.75, 0.5), [0; 3], 0, "a silhouette");
    });
}

#[test]
fn light_falls_through_holes() {
    // On the ground in front of it, with and without holes.
    let shadow = |painter: Box<dyn Painter>, alpha: u8| {
        let material = textured(json!({ "alphaMode": "MASK", "doubleSided": true }));
        let square = Square::new(material, &[plain_png([90, 90, 90, alpha])]).load();
        let look = Look { background: Background::Transparent, ..Look::default() };
        let image = picture(painter, &square, false, View::from_degrees(0.0, 35.0), look);
        image.pixels().map(|pixel| u64::from(pixel.0[3])).sum::<u64>()
    };
    with_painters(|painter| {
        let (solid, clear) = (shadow(painter(), 255), shadow(painter(), 0));
        assert!(clear * 50 < solid, "{clear} of {solid}");
    });
}

#[test]
fn backs_are_seen_of_what_has_two_sides() {
    let behind = View::from_degrees(180.0, 0.0);
    with_painters(|painter| {
        let seen = |is_double_sided: bool, view: View| {
            let material = unlit(json!({ "doubleSided": is_double_sided }));
            let square = Square::new(material, &[plain_png([20, 20, 220, 255])]).load();
            let [r, _, b] = at(&picture(painter(), &square, false, view, plain_look()), 0.5, 0.5);
            b > r + 100
        };
        assert!(seen(false, front()) && seen(true, front()) && seen(true, behind));
        assert!(!seen(false, behind));
    });
}

/// From the left, from the right, from above, from below: a bump is light on the side of the key light.
#[test]
fn normals_of_a_texture_point_where_they_say() {
    let brightness = |painter: Box<dyn Painter>, normal: [u8; 3], mirrored: bool| {
        let [r, g, b] = normal;
        let mut material =
            textured(json!({ "normalTexture": { "index": 1 }, "doubleSided": true }));
        if mirrored {
            let flip = json!({ "KHR_texture_transform": { "scale": [-1, 1] } });
            material["normalTexture"]["extensions"] = flip;
        }
        let images = [plain_png([128, 128, 128, 255]), plain_png([r, g, b, 255])];
        at(&of_square(painter, material, &images), 0.5, 0.5).iter().sum::<i32>()
    };
    // The key light stands at the upper left.
    let (left, right, up, down) =
        ([40, 128, 218], [216, 128, 218], [128, 216, 218], [128, 40, 218]);
    with_painters(|painter| {
        let flat = brightness(painter(), [128, 128, 255], false);
        let light = |normal| brightness(painter(), normal, false);
        assert!(
            light(left) > flat && light(right) < flat,
            "{flat} {} {}",
            light(left),
            light(right)
        );
        assert!(light(up) > flat && light(down) < flat, "{flat} {} {}", light(up), light(down));
        let mirrored = brightness(painter(), left, true);
        assert!(mirrored < flat, "in a mirrored texture left is right: {mirrored}, flat {flat}");
    });
}

#[test]
fn metal_gloss_hollows_and_glow_are_seen() {
    with_painters(|painter| {
        let seen = |more: Value, images: &[Vec<u8>]| {
            let mut all = vec![plain_png([120, 120, 120, 255])];
            all.extend_from_slice(images);
            at(&of_square(painter(), textured(more), &all), 0.5, 0.5)
        };
        let sum = |color: [i32; 3]| color.iter().sum::<i32>();
        let plain = seen(json!({}), &[]);
        let hollow = seen(json!({ "occlusionTexture": { "index": 1 } }), &[plain_png([0; 4])]);
        assert!(sum(hollow) < sum(plain), "{hollow:?} {plain:?}");
        let weak = json!({ "occlusionTexture": { "index": 1, "strength": 0 } });
        near(seen(weak, &[plain_png([0; 4])]), plain, 1, "no occlusion");
        let green = json!({ "emissiveFactor": [0, 1, 0], "emissiveTexture": { "index": 1 } });
        let [r, g, b] = seen(green, &[plain_png([255, 180, 255, 255])]);
        assert!(g > plain[1] + 25 && (r - plain[0]).abs() < 2 && (b - plain[2]).abs() < 2);
        // Red metal mirrors in red; as plastic it would mirror in white.
        let red = |metallic: f32| {
            let finish = json!({
                "baseColorFactor": [1, 0.05, 0.05, 1], "metallicFactor": metallic,
                "roughnessFactor": 0.1, "baseColorTexture": { "index": 0 },
            });
            seen(json!({ "pbrMetallicRoughness": finish }), &[])
        };
        let (metal, plastic) = (red(1.0), red(0.0));
        assert!(metal[0] > 2 * metal[2], "{metal:?}");
        let tint = |color: [i32; 3]| f64::from(color[2]) / f64::from(color[0]);
        assert!(tint(plastic) > tint(metal), "{plastic:?} {metal:?}");
    });
}

#[test]
fn far_away_a_fine_texture_is_calm() {
    let checks = RgbaImage::from_fn(512, 512, |x, y| {
        Rgba(if (x + y) % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] })
    });
    with_painters(|painter| {
        let image = of_square(painter(), unlit(json!({})), &[png(&checks)]);
        for step in 0..20 {
            let part = 0.3 + 0.02 * step as f32;
            near(at(&image, part, 0.5), [188; 3], 8, "the mean of its light");
        }
    });
}

/// A crowd of one is the same picture as one.
#[test]
fn clay_is_as_if_there_were_no_materials() {
    let with = Square::new(textured(json!({ "alphaMode": "MASK" })), &[plain_png([9, 9, 9, 0])]);
    let without = Square::new(json!({}), &[]);
    let (with, without) = (with.load(), without.load());
    with_painters(|painter| {
        let clay = picture(painter(), &with, true, front(), Look::default());
        let plain = picture(painter(), &without, false, front(), Look::default());
        assert!(clay == plain);
    });
}

/// The same judgement as of the examples.
#[cfg(feature = "gpu")]
#[test]
fn materials_are_the_same_by_the_cpu_and_by_the_gpu() {
    use crate::support::shared::shared_characters;
    let Some(gpu) = crate::support::gpu_or_skip() else { return };
    let noise = |x: u32, y: u32| (x * 7 + y * 13 + x * y) as u8;
    let image = |alpha_of: fn(u8) -> u8| {
        RgbaImage::from_fn(64, 64, |x, y| {
            let alpha = alpha_of(noise(x / 16, y / 16));
            Rgba([noise(x / 8, y / 8), noise(y / 8, x / 4), 90, alpha])
        })
    };
    let holes = image(|noise| noise.wrapping_mul(4));
    // Blended, a soft edge inside the square would be an outline wherever it is half as bright as the background.
    let tinted = image(|noise| 225 + noise % 31);
    let bumps = RgbaImage::from_fn(64, 64, |x, y| {
        Rgba([108 + (x / 8 % 3 * 20) as u8, 108 + (y / 8 % 3 * 20) as u8, 250, 255])
    });
    let mut all: Vec<(String, Character)> = Vec::new();
    for mode in ["OPAQUE", "MASK", "BLEND"] {
        let material = json!({
            "pbrMetallicRoughness": {
                "baseColorTexture": { "index": 0 }, "metallicRoughnessTexture": { "index": 0 },
            },
            "normalTexture": { "index": 1 }, "occlusionTexture": { "index": 1 },
            "emissiveTexture": { "index": 1 }, "emissiveFactor": [0.2, 0.1, 0],
            "alphaMode": mode, "doubleSided": mode != "MASK",
        });
        let image = if mode == "BLEND" { &tinted } else { &holes };
        let square = Square::new(material, &[png(image), png(&bumps)]);
        all.push((mode.to_owned(), square.load()));
    }
    for path in shared_characters("characters") {
        if let Ok(character) = jounce::rig::load::load_file(&path)
            && jounce::session::has_materials(&character)
            && character.vertex_count() < 20_000
            // Some of their images are in files that are not here.
            && Appearance::of(&character).notes.is_empty()
        {
            all.push((path.display().to_string(), character));
        }
    }
    // In small pictures most pixels are edges of what is on a texture, where two samplers differ by design.
    const LARGE: [u32; 2] = [288, 288];
    let view = View::from_degrees(25.0, 15.0);
    for (name, character) in all {
        let draw = |look: Look| {
            let cpu =
                picture_in(LARGE, Box::new(CpuPainter::default()), &character, false, view, look);
            let painter = jounce::gpu::draw::GpuPainter::new(&gpu).expect("a painter");
            (cpu, picture_in(LARGE, Box::new(painter), &character, false, view, look))
        };
        let (cpu, by_gpu) = draw(Look::default());
        let (cpu_black, gpu_black) = draw(Look::silhouette());
        crate::painters::judge(&name, [&cpu, &by_gpu, &cpu_black, &gpu_black]);
    }
}
