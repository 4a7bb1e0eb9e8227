//! Compressed files must load as the character they were made from.
//!
//! The tools that compress reorder vertices and round their numbers, so shapes are compared as
//! sets of points: from each vertex to the nearest one of the other character, both ways.

use crate::support::random::Random;
use crate::support::shared::shared;
use glam::Vec3;
use jounce::motion::joint;
use jounce::rig::load::{LoadError, load_bytes, load_file};
use jounce::rig::{Base, Character};

/// Share of the character's size. Draco has 14 bits for positions, the others have 16, and 8 bits
/// for skin weights move a vertex further than either.
const TOLERANCE: f64 = 2e-3;
const TIMES_SECS: [f64; 4] = [0.0, 0.31, 0.77, 1.9];

fn pair(file: &str) -> Option<(Character, Character)> {
    let plain = load_file(&shared("characters/CesiumMan.glb")?).unwrap();
    let compressed = load_file(&shared(&format!("characters/{file}"))?).unwrap();
    Some((plain, compressed))
}

fn farthest_to_nearest(from: &[Vec3], to: &[Vec3]) -> f64 {
    let nearest =
        |p: &Vec3| to.iter().map(|q| p.distance_squared(*q)).fold(f32::INFINITY, f32::min);
    from.iter().map(nearest).fold(0.0, f32::max).sqrt().into()
}

/// The largest distance between the two, at several times, as a share of the size.
fn largest_difference(plain: &Character, compressed: &Character) -> f64 {
    let mut largest = 0.0_f64;
    for time in TIMES_SECS {
        let positions = |character: &Character| {
            let pose = joint::pose(character, &character.clips[0], time);
            character.skin(&pose, Base::Lbs).positions
        };
        let (a, b) = (positions(plain), positions(compressed));
        largest = largest.max(farthest_to_nearest(&a, &b)).max(farthest_to_nearest(&b, &a));
    }
    largest / plain.size()
}

fn assert_same_skeleton_and_clip(plain: &Character, compressed: &Character) {
    let names = |character: &Character| -> Vec<String> {
        let bones = 0..character.skeleton.bones.len();
        bones.map(|bone| character.skeleton.bone_name(bone).to_owned()).collect()
    };
    assert_eq!(names(plain), names(compressed));
    assert_eq!(plain.clips.len(), compressed.clips.len());
    for time in TIMES_SECS {
        let poses = [plain, compressed].map(|c| joint::pose(c, &c.clips[0], time));
        for (a, b) in plain.skeleton.bones.iter().zip(&compressed.skeleton.bones) {
            assert_eq!(a.parent, b.parent);
            let a = poses[0].scene_from_node[a.node];
            let b = poses[1].scene_from_node[b.node];
            let moved = a.translation.distance(b.translation) / plain.size();
            assert!(moved < TOLERANCE, "a bone is {moved} away at {time} s");
            assert!(a.matrix3.abs_diff_eq(b.matrix3, TOLERANCE), "a bone turns at {time} s");
        }
    }
}

fn assert_same_character(file: &str) {
    let Some((plain, compressed)) = pair(file) else {
        return;
    };
    assert_same_skeleton_and_clip(&plain, &compressed);
    assert_eq!(plain.mesh.triangles.len(), compressed.mesh.triangles.len());
    assert_eq!(plain.mesh.parts.len(), compressed.mesh.parts.len());
    let difference = largest_difference(&plain, &compressed);
    eprintln!("{file}: {difference:.2e} of the size");
    assert!(difference < TOLERANCE, "{file}: {difference}");
}

#[test]
fn meshopt_compression_loads_as_the_same_character() {
    assert_same_character("compressed/CesiumMan.meshopt.glb");
}

#[test]
fn draco_compression_loads_as_the_same_character() {
    assert_same_character("compressed/CesiumMan.draco.glb");
}

#[test]
fn quantised_numbers_load_as_the_same_character() {
    assert_same_character("compressed/CesiumMan.quantize.glb");
}

/// Damage to the binary part of a real file gives a character or a sentence, never a panic.
#[test]
fn damaged_compressed_files_never_panic() {
    for file in ["compressed/CesiumMan.meshopt.glb", "compressed/CesiumMan.draco.glb"] {
        let Some(path) = shared(&format!("characters/{file}")) else { return };
        let whole = std::fs::read(path).unwrap();
        // What is compressed lies at the end, behind the texture.
        let from = whole.len() - 25_000;
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut refused = 0;
        for _ in 0..150 {
            let mut damaged = whole.clone();
            for _ in 0..1 + random.below(3) {
                let at = from + random.below(25_000);
                damaged[at] = random.below(256) as u8;
            }
            if let Err(error) = load_bytes("damaged", damaged, None) {
                let text = error.to_string();
                let decoder_panicked = text.contains("decoder cannot make sense");
                assert!(text.len() < 500 && !decoder_panicked, "{text}");
                refused += 1;
            }
        }
        eprintln!("{file}: {refused} of 150 damaged files refused");
    }
}

#[test]
fn a_stream_that_lies_about_its_size_is_refused_with_a_sentence() {
    let json = r#"{
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 4, "uri": "data:;base64,oAAAAA==" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 4, "extensions": {
            "EXT_meshopt_compression": {
                "buffer": 0, "byteLength": 4, "byteStride": 256, "count": 4000000000000,
                "mode": "ATTRIBUTES" } } }]
    }"#;
    let Err(error) = load_bytes("liar", json.into(), None) else {
        panic!("it loads");
    };
    assert!(matches!(error, LoadError::Compressed { .. }), "{error}");
    let expected = "the file's compressed geometry (EXT_meshopt_compression) cannot be decoded: \
                    it claims more elements than its bytes can hold; \
                    export it again without compression";
    assert_eq!(error.to_string(), expected);
}
