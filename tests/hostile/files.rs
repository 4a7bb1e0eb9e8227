//! Broken, mutated and hostile files: an error with a sentence, or a character; never a panic,
//! never gigabytes, never forever.
//!
//! `JOUNCE_FUZZ_ROUNDS` sets how many mutations each file gets (60 by default).

use crate::support::counting_allocator::{CountingAllocator, most_bytes_in_use};
use crate::support::random::Random;
use crate::support::shared::shared_characters;
use jounce::motion::{Playback, Player, TestMotion};
use jounce::rig::{Base, Character, LoadError, load};
use jounce::session::Appearance;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

pub const MOST_BYTES: usize = 1 << 30;
pub const LONGEST: Duration = Duration::from_secs(20);

/// Everything a character is asked for, so that what loads also works.
fn use_it(character: &Character) {
    let mut clips = character.clips.clone();
    clips.truncate(3);
    clips.push(TestMotion::default_for(character).clip(character).unwrap());
    for clip in &clips {
        let player = Player { character, clip, playback: Playback::looped(clip.duration_secs()) };
        let pose = player.pose(0.3);
        for base in [Base::Lbs, Base::Dqs] {
            assert_eq!(character.skin(&pose, base).positions.len(), character.vertex_count());
        }
        player.velocities(0.3, 0.0);
        player.accelerations(0.3, 0.1);
    }
    character.centroids().evaluate(character, character.rest_pose());
    let mesh = &character.mesh;
    if let Some(materials) = Appearance::of(character).materials {
        materials.check(mesh.positions.len(), mesh.triangles.len()).unwrap();
    }
    if character.vertex_count() < 100_000 {
        assert!(character.automatic_softness().iter().all(|s| (0.0..=1.0).contains(s)));
        let _ = character.downward();
    }
}

fn load(bytes: Vec<u8>) -> Result<Character, LoadError> {
    let started = Instant::now();
    let loaded = load::load_bytes("hostile", bytes, None);
    match &loaded {
        Ok(character) => use_it(character),
        Err(error) => {
            let sentence = error.to_string();
            assert!(sentence.contains(' ') && !sentence.contains('\n'), "{sentence:?}");
            assert!(sentence.len() < 500, "{sentence}");
        }
    }
    assert!(started.elapsed() < LONGEST, "{:?}", started.elapsed());
    assert!(most_bytes_in_use() < MOST_BYTES, "{} bytes were in use", most_bytes_in_use());
    loaded
}

fn refusal(document: Value) -> String {
    match load(document.to_string().into_bytes()) {
        Ok(_) => panic!("this should not load: {document}"),
        Err(error) => error.to_string(),
    }
}

pub fn glb(document: &Value, blob: &[u8]) -> Vec<u8> {
    let json = document.to_string().into_bytes();
    // Its length is written as it is.
    let header = gltf::binary::Header { magic: *b"glTF", version: 2, length: 0 };
    gltf::Glb { header, json: json.into(), bin: Some(blob.into()) }.to_vec().unwrap()
}

fn json_of(glb: &[u8]) -> Option<(Value, Vec<u8>)> {
    let parsed = gltf::Glb::from_slice(glb).ok()?;
    let json = serde_json::from_slice(&parsed.json).ok()?;
    Some((json, parsed.bin.map(|b| b.into_owned()).unwrap_or_default()))
}

/// One triangle on one joint, to be broken in one place at a time.
pub fn triangle() -> (Value, Vec<u8>) {
    let mut blob = Vec::new();
    for x in [0.0_f32, 0., 0., 1., 0., 0., 0., 1., 0.] {
        blob.extend(x.to_le_bytes());
    }
    blob.extend([0_u8; 12]); // joints
    for _ in 0..3 {
        for x in [1.0_f32, 0., 0., 0.] {
            blob.extend(x.to_le_bytes());
        }
    }
    blob.extend(0.0_f32.to_le_bytes()); // times
    blob.extend(1.0_f32.to_le_bytes());
    for x in [0.0_f32, 0., 0., 1., 0., 0., 1., 0.] {
        blob.extend(x.to_le_bytes()); // rotations
    }
    let document = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [{ "mesh": 0, "skin": 0 }, { "name": "joint" }],
        "skins": [{ "joints": [1] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 } }] }],
        "animations": [{ "samplers": [{ "input": 3, "output": 4 }], "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4" },
            { "bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4" },
            { "bufferView": 3, "componentType": 5126, "count": 2, "type": "SCALAR" },
            { "bufferView": 4, "componentType": 5126, "count": 2, "type": "VEC4" }
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 12 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 96, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 104, "byteLength": 32 }
        ],
        "buffers": [{ "byteLength": 136 }]
    });
    (document, blob)
}

#[test]
fn the_triangle_itself_loads() {
    let (document, blob) = triangle();
    let character = load(glb(&document, &blob)).unwrap();
    assert_eq!(character.vertex_count(), 3);
    assert_eq!(character.skeleton.bones.len(), 1);
}

/// What is set, to what, and a word the sentence must have.
#[test]
fn each_broken_place_gets_its_own_sentence() {
    let cases = [
        ("/asset/version", json!("1.0"), "glTF version 1.0"),
        ("/nodes/1", json!({ "children": [1] }), "ancestor"),
        ("/nodes/1", json!({ "children": [99] }), "does not exist"),
        ("/nodes/1/name", json!(7), "glTF rules"),
        ("/nodes/0", json!({ "mesh": 5 }), "mesh 5"),
        ("/nodes/0", json!({ "mesh": 0, "skin": 5 }), "skin"),
        ("/nodes/1", json!({ "scale": [1e30, 1, 1] }), "not usable"),
        ("/skins/0/joints/0", json!(77), "joint"),
        ("/skins/0", json!({ "joints": [] }), "without joints"),
        ("/accessors/0/count", json!(4_000_000_000_u64), "numbers"),
        ("/accessors/0/count", json!(4_000_000), "past the end"),
        (
            "/accessors/0",
            json!({ "componentType": 5126, "count": 3_999_999_999_u64, "type": "VEC3" }),
            "numbers",
        ),
        ("/accessors/0/bufferView", json!(55), "buffer view"),
        ("/accessors/0/type", json!("VEC9"), "element type"),
        ("/accessors/0/byteOffset", json!(u64::MAX), "past the end"),
        ("/bufferViews/0/byteOffset", json!(u64::MAX), "buffer view"),
        ("/bufferViews/0/byteLength", json!(1_u64 << 60), "buffer view"),
        ("/buffers/0/byteLength", json!(99_999), "cut off"),
        ("/accessors/2/count", json!(2), "weight lists"),
        ("/accessors/4/count", json!(1), "keys"),
        ("/animations/0/channels/0/target/node", json!(44), "node 44"),
        ("/animations/0/channels/0/sampler", json!(44), "sampler"),
        ("/animations/0/channels/0/target/path", json!("wobble"), "unknown property"),
        ("/meshes/0/primitives/0/mode", json!(99), "unknown kind"),
        ("/meshes", json!([{ "primitives": [] }]), "no mesh"),
        ("/extensionsRequired", json!(["EXT_mesh_gpu_instancing"]), "EXT_mesh_gpu_instancing"),
    ];
    for (place, value, word) in cases {
        let (mut document, blob) = triangle();
        let (parent, key) = place.rsplit_once('/').unwrap();
        match document.pointer_mut(parent).unwrap() {
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
            parent => parent[key] = value.clone(),
        }
        match load(glb(&document, &blob)) {
            Ok(_) => panic!("{place} = {value} should be refused"),
            Err(error) => {
                let sentence = error.to_string();
                assert!(sentence.contains(word), "{place} = {value}: {sentence:?} lacks {word:?}");
            }
        }
    }
}

#[test]
fn numbers_that_are_none_are_refused_at_the_door() {
    for (place, bad) in [
        (0, f32::NAN),
        (4, f32::INFINITY),
        (8, 1e30),
        (48, f32::NAN),
        (96, f32::NAN),
        (108, f32::NAN),
    ] {
        let (document, mut blob) = triangle();
        blob[place..place + 4].copy_from_slice(&bad.to_le_bytes());
        let error = load(glb(&document, &blob)).unwrap_err().to_string();
        assert!(error.contains("not a usable number"), "{place}: {error}");
    }
}

#[test]
fn odd_weights_are_repaired_and_told() {
    let weight = |vertex: usize| 48 + 16 * vertex;
    let (document, mut blob) = triangle();
    blob[weight(0)..weight(0) + 4].copy_from_slice(&0.0_f32.to_le_bytes());
    blob[weight(1)..weight(1) + 4].copy_from_slice(&7.0_f32.to_le_bytes());
    blob[weight(2) + 4..weight(2) + 8].copy_from_slice(&(-0.5_f32).to_le_bytes());
    let character = load(glb(&document, &blob)).unwrap();
    assert!(character.skin.lists().all(|list| list.len() == 1 && list[0].weight == 1.0));
    let notes = character.notes.join("\n");
    assert!(
        notes.contains("do not sum to 1")
            && notes.contains("without skin weight")
            && notes.contains("below 0"),
        "{notes}"
    );
}

#[test]
fn a_joint_that_does_not_exist_is_refused_where_it_has_weight() {
    let (document, mut blob) = triangle();
    blob[36] = 9;
    let error = load(glb(&document, &blob)).unwrap_err().to_string();
    assert!(error.contains("joint 9 of a skin with 1"), "{error}");
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_neither_overflows_nor_takes_forever() {
    let count = 100_000;
    let mut nodes: Vec<Value> =
        (0..count).map(|i| json!({ "children": [i + 1], "mesh": 0 })).collect();
    nodes.push(json!({ "mesh": 0 }));
    let (mut document, blob) = triangle();
    document["nodes"] = json!(nodes);
    document["skins"] = json!([]);
    document["scenes"] = json!([{ "nodes": [0] }]);
    document["animations"] = json!([]);
    // Each node carries a mesh, so each is a bone: the pairs would be fifteen thousand million.
    let error = load(glb(&document, &blob)).unwrap_err().to_string();
    assert!(error.contains("pairs of a vertex and a bone"), "{error}");
}

#[test]
fn a_small_file_cannot_repeat_itself_into_gigabytes() {
    let (mut document, blob) = triangle();
    // A million vertices out of nothing, a hundred times.
    document["accessors"][0] = json!({ "componentType": 5126, "count": 1_000_000, "type": "VEC3" });
    document["nodes"] = json!((0..100).map(|_| json!({ "mesh": 0 })).collect::<Vec<_>>());
    document["meshes"] = json!([{ "primitives": [{ "attributes": { "POSITION": 0 } }] }]);
    document["skins"] = json!([]);
    document["scenes"] = json!([{ "nodes": (0..100).collect::<Vec<_>>() }]);
    document["animations"] = json!([]);
    let error = load(glb(&document, &blob)).unwrap_err().to_string();
    assert!(error.contains("vertices"), "{error}");
}

/// Each of these is a few kilobytes of JSON that asks for gigabytes, or for hours.
#[test]
fn no_part_of_a_file_can_be_repeated_into_gigabytes() {
    let nothing =
        |count: u64, kind: &str| json!({ "componentType": 5126, "count": count, "type": kind });
    let maps = || {
        let (mut document, blob) = triangle();
        let names = (0..334).map(|i| (format!("_A{i}"), json!(0)));
        let mut attributes: serde_json::Map<String, Value> = names.collect();
        attributes.insert("POSITION".to_owned(), json!(0));
        document["accessors"].as_array_mut().unwrap().push(nothing(3_900_000, "VEC3"));
        document["nodes"][0] = json!({ "mesh": 0 });
        document["meshes"] = json!([{ "primitives": [
            { "attributes": attributes }, { "attributes": { "POSITION": 5 } }
        ] }]);
        (document, blob)
    };
    let morphs = || {
        let (mut document, blob) = triangle();
        document["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({}); 10_000]);
        document["nodes"] = json!(vec![json!({ "mesh": 0 }); 10_000]);
        document["scenes"] = json!([{ "nodes": (0..10_000).collect::<Vec<_>>() }]);
        document["skins"] = json!([]);
        (document, blob)
    };
    let sparse = || {
        let (mut document, _) = triangle();
        let blob = vec![0; 30_000_000];
        document["buffers"][0]["byteLength"] = json!(30_000_000);
        document["bufferViews"] =
            json!([{ "buffer": 0, "byteLength": 30_000_000, "byteStride": 1 }]);
        let part = json!({ "bufferView": 0, "componentType": 5121 });
        document["accessors"] = json!([{
            "componentType": 5126, "count": 1, "type": "MAT4",
            "sparse": { "count": 29_000_000, "indices": part, "values": { "bufferView": 0 } }
        }]);
        document["skins"][0]["inverseBindMatrices"] = json!(0);
        (document, blob)
    };
    let skins = || {
        let (mut document, blob) = triangle();
        document["accessors"].as_array_mut().unwrap().push(nothing(2_000_000, "MAT4"));
        document["skins"] = json!(vec![json!({ "joints": [1], "inverseBindMatrices": 5 }); 10_000]);
        (document, blob)
    };
    for (name, (document, blob)) in
        [("maps", maps()), ("morphs", morphs()), ("sparse", sparse()), ("skins", skins())]
    {
        let error = load(glb(&document, &blob)).map(|_| ()).expect_err(name).to_string();
        println!("{name}: {error}");
    }
    let extras =
        format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":[0{}]}}", ",0".repeat(9_000_000));
    assert!(load(extras.into_bytes()).unwrap_err().to_string().contains("JSON"));
}

#[test]
fn transforms_that_multiply_to_infinity_are_refused() {
    let (mut document, blob) = triangle();
    let huge = json!([1e12, 1e12, 1e12]);
    document["nodes"] = json!([
        { "scale": huge, "children": [1] }, { "scale": huge, "children": [2] },
        { "scale": huge, "children": [3] }, { "scale": huge, "mesh": 0 }
    ]);
    document["skins"] = json!([]);
    document["scenes"] = json!([{ "nodes": [0] }]);
    document["animations"] = json!([]);
    let error = load(glb(&document, &blob)).unwrap_err().to_string();
    assert!(error.contains("absurdly far away"), "{error}");
}

#[test]
fn what_is_no_gltf_is_told_apart() {
    for (bytes, word) in [
        (&b"Kaydara FBX Binary  \0"[..], "FBX"),
        (b"BLENDER-v404", "Blender"),
        (b"", "empty"),
        (b"hello", "does not begin like"),
        (b"{}", "asset"),
        (b"[1]", "does not begin like"),
        (b"{ \"asset\": ", "cut off"),
        (b"glTF\x02\0\0\0\xff\xff\xff\xff", "cut off"),
        (b"glTF\x02\0\0\0\0\0\0\0", "cut off"),
        (b"glTF\x01\0\0\0\x14\0\0\0", "glTF version 1"),
        (b"glTF", "cut off"),
    ] {
        let error = load(bytes.to_vec()).unwrap_err().to_string();
        assert!(error.contains(word), "{error:?} lacks {word:?}");
    }
    assert!(refusal(json!({ "asset": { "version": "2.0" } })).contains("no mesh"));
    let outside = json!({ "asset": { "version": "2.0" }, "buffers": [{ "uri": "http://x/y.bin", "byteLength": 4 }] });
    assert!(refusal(outside).contains("network"));
    let nested = format!("{{\"asset\":{}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(load(nested.into_bytes()).is_err());
}

#[test]
fn a_buffer_that_is_a_device_or_a_folder_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    for uri in ["/dev/zero", ".", "../../../../../../dev/zero", "missing.bin"] {
        let document =
            json!({ "asset": { "version": "2.0" }, "buffers": [{ "uri": uri, "byteLength": 4 }] });
        let path = folder.path().join("hostile.gltf");
        std::fs::write(&path, document.to_string()).unwrap();
        let error = load::load_file(&path).unwrap_err().to_string();
        assert!(error.contains("keep it beside"), "{error}");
    }
}

/// Files to mutate: the triangle, and real characters where they are there.
fn seeds() -> Vec<Vec<u8>> {
    let (document, blob) = triangle();
    let mut seeds = vec![glb(&document, &blob)];
    for path in shared_characters("characters") {
        let bytes = std::fs::read(&path).unwrap();
        let is_small = bytes.len() < 200_000 || path.to_string_lossy().contains("compressed");
        if path.extension().is_some_and(|e| e == "glb") && is_small {
            seeds.push(bytes);
        }
    }
    seeds
}

fn rounds() -> usize {
    let given = std::env::var("JOUNCE_FUZZ_ROUNDS").ok();
    given.and_then(|rounds| rounds.parse().ok()).unwrap_or(60)
}

#[test]
fn truncated_files_are_errors() {
    let mut random = Random(3);
    for seed in seeds() {
        for _ in 0..rounds().min(40) {
            let mut bytes = seed.clone();
            bytes.truncate(random.below(seed.len()));
            assert!(load(bytes).is_err());
        }
    }
}

#[test]
fn mutated_bytes_never_panic() {
    let mut random = Random(17);
    for seed in seeds() {
        for _ in 0..rounds() {
            let mut bytes = seed.clone();
            for _ in 0..=random.below(12) {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            let _ = load(bytes);
        }
    }
}

#[test]
fn mutated_documents_never_panic() {
    let mut random = Random(99);
    for (document, blob) in seeds().iter().filter_map(|seed| json_of(seed)) {
        let mut places = Vec::new();
        collect_places(&document, String::new(), &mut places);
        for _ in 0..rounds() * 3 {
            let mut broken = document.clone();
            for _ in 0..=random.below(3) {
                let place = &places[random.below(places.len())];
                if let Some(value) = broken.pointer_mut(place) {
                    *value = nasty(&mut random, value);
                }
            }
            let _ = load(glb(&broken, &blob));
        }
    }
}

fn collect_places(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect_places(value, format!("{at}/{key}"), places);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                collect_places(value, format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
    places.push(at);
}

fn nasty(random: &mut Random, old: &Value) -> Value {
    let old_number = old.as_i64().unwrap_or(0);
    let choices = [
        json!(old_number + 1),
        json!(old_number - 1),
        json!(old_number.wrapping_mul(3)),
        json!(0),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!(2_147_483_648_u64),
        json!(65_536),
        json!(null),
        json!([]),
        json!({}),
        json!("POSITION"),
        json!(5121),
        json!(5123),
        json!(5126),
        json!("VEC4"),
        json!("MAT4"),
        json!("CUBICSPLINE"),
        json!([0, 0, 0, 0, 0, 0]),
        json!(true),
    ];
    choices[random.below(choices.len())].clone()
}
