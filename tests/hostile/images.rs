//! Images that are hostile: what a file can make us read is bounded, whatever its images claim.

use super::files::{LONGEST, MOST_BYTES};
use crate::support::counting_allocator::most_bytes_in_use;
use crate::support::textured::{Square, plain_png};
use image::{GrayImage, ImageFormat};
use jounce::session::Appearance;
use serde_json::json;
use std::io::Cursor;
use std::time::Instant;

/// As many materials as images, each of them with one.
fn with_images(images: &[Vec<u8>]) -> Square {
    let mut square = Square::new(json!({}), images);
    let primitive = square.json["meshes"][0]["primitives"][0].clone();
    for (number, _) in images.iter().enumerate() {
        let material =
            json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": number } } });
        let material = square.push("materials", material);
        let mut own = primitive.clone();
        own["material"] = json!(material);
        square.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(own);
    }
    square
}

/// Notes of loading and of decoding, within limits.
fn judged(square: &Square) -> (Appearance, Vec<String>) {
    let started = Instant::now();
    let character = square.load();
    let appearance = Appearance::of(&character);
    let notes = [character.notes.clone(), appearance.notes.clone()].concat();
    assert!(started.elapsed() < LONGEST, "{:?}", started.elapsed());
    assert!(most_bytes_in_use() < MOST_BYTES, "{} bytes were in use", most_bytes_in_use());
    assert!(notes.len() < 20, "{} notes", notes.len());
    for note in &notes {
        assert!(note.contains(' ') && !note.contains('\n') && note.len() < 400, "{note:?}");
    }
    (appearance, notes)
}

/// Half a gigabyte of pixels in a few kilobytes.
#[test]
fn an_image_that_is_much_larger_than_its_file_is_made_small() {
    let mut bytes = Cursor::new(Vec::new());
    GrayImage::new(8192, 8192).write_to(&mut bytes, ImageFormat::Png).unwrap();
    assert!(bytes.get_ref().len() < 1 << 20);
    let (appearance, notes) = judged(&with_images(&[bytes.into_inner()]));
    assert_eq!(appearance.materials.unwrap().textures[0].size_px(), [4096, 4096]);
    assert!(notes[0].contains("at most 4096 pixels"), "{notes:?}");
}

/// A header is believed as long as all of them together ask for something possible.
#[test]
fn headers_that_claim_too_much_together_are_left_out() {
    let mut bytes = Cursor::new(Vec::new());
    GrayImage::new(8000, 8000).write_to(&mut bytes, ImageFormat::Png).unwrap();
    let cut = bytes.get_ref()[..200].to_vec();
    let (appearance, notes) = judged(&with_images(&vec![cut; 40]));
    assert!(appearance.materials.unwrap().textures.is_empty());
    let is_told = |word: &str| notes.iter().any(|note| note.contains(word));
    assert!(is_told("too many pixels") && is_told("more of its images"), "{notes:?}");
}

#[test]
fn images_that_share_their_bytes_do_not_multiply() {
    let mut square = with_images(&vec![plain_png([1; 4]); 300]);
    square.blob.resize(4 << 20, 7);
    for view in square.json["images"].as_array().unwrap().clone() {
        let view = view["bufferView"].as_u64().unwrap() as usize;
        square.json["bufferViews"][view] =
            json!({ "buffer": 0, "byteOffset": 0, "byteLength": 4 << 20 });
    }
    let (_, notes) = judged(&square);
    assert!(notes.iter().any(|note| note.contains("overlap")), "{notes:?}");
}

#[test]
fn a_thousand_mistakes_are_a_few_notes() {
    let mut square = with_images(&[]);
    for number in 0..5000 {
        let texture = json!({ "index": number });
        square.push("materials", json!({ "normalTexture": texture, "emissiveTexture": texture }));
        square.push("textures", json!({ "source": number + 7 }));
    }
    judged(&square);
}

#[test]
fn numbers_that_are_none_are_taken_as_the_usual_ones() {
    let odd = json!({
        "pbrMetallicRoughness": {
            "baseColorTexture": { "index": 0, "texCoord": -1, "extensions": { "KHR_texture_transform": {
                "scale": [1e300, "x"], "offset": [1e9], "rotation": -1e300,
            } } },
            "metallicFactor": 1e300, "roughnessFactor": "rough",
        },
        "normalTexture": { "index": 0, "scale": 1e30 },
        "occlusionTexture": { "index": 0, "strength": -5 },
        "emissiveFactor": [1e30, -1, null],
        "emissiveTexture": { "index": 18446744073709551615_u64 },
        "alphaMode": "MASK", "alphaCutoff": -1e30, "doubleSided": 3,
    });
    let mut square = Square::new(odd, &[plain_png([5; 4])]);
    square.json["samplers"] = json!([{ "wrapS": -1, "magFilter": 1e30 }]);
    square.json["textures"][0]["sampler"] = json!(0);
    let (appearance, _) = judged(&square);
    let materials = appearance.materials.unwrap();
    let material = &materials.list[0];
    assert_eq!((material.metallic, material.roughness), (1.0, 1.0));
    assert_eq!((material.emissive, material.occlusion_strength), ([1.0, 0.0, 0.0], 0.0));
    for texture in material.textures.iter().flatten() {
        assert!(texture.image_from_uv.is_finite());
    }
}
