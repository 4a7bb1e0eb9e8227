//! Real and awkward files load, and mean what the file says.

use crate::support::shared::{shared, shared_characters};
use glam::Vec3;
use jounce::motion::joint::pose;
use jounce::rig::{Base, Character, load};

fn load_shared(path: &str) -> Option<Character> {
    Some(load::load_file(&shared(path)?).unwrap_or_else(|error| panic!("{path}: {error}")))
}

#[test]
fn every_character_loads() {
    let mut count = 0;
    for path in shared_characters("characters") {
        let character = load::load_file(&path);
        let character = character.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(character.vertex_count() > 0 && !character.skeleton.bones.is_empty());
        let rest = character.rest();
        assert!(rest.positions.iter().all(|p| p.is_finite()), "{}", path.display());
        assert!(rest.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-4), "{}", path.display());
        for (list, up) in character.skin.lists().zip(character.upward().lists()) {
            let sum: f32 = list.iter().map(|influence| influence.weight).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{}: {sum}", path.display());
            assert!(up.iter().all(|up| up.weight > 0.0 && up.weight < 1.0 + 1e-5));
        }
        count += 1;
    }
    println!("{count} files");
}

#[test]
fn all_influence_sets_count() {
    let Some(giraffe) = load_shared("characters/girafe.glb") else { return };
    assert_eq!(giraffe.skin.longest(), 13, "JOINTS_0 to JOINTS_3");
    assert_eq!(giraffe.upward().longest(), 27);
    let Some(spot) = load_shared("characters/spot.glb") else {
        return;
    };
    assert_eq!(spot.skin.longest(), 11);
    let map = spot.maps.iter().find(|map| map.name == "floppy").expect("_FLOPPY is a map");
    assert_eq!(map.attribute, "_FLOPPY");
}

#[test]
fn sparse_quantised_and_split_weights_give_the_same_character() {
    let Some(plain) = load_shared("characters/CesiumMan.glb") else {
        return;
    };
    for (name, tolerance) in [("sparse", 1e-6), ("quantize", 2e-3), ("joints1", 2e-3)] {
        let Some(other) = load_shared(&format!("characters/compressed/CesiumMan.{name}.glb"))
        else {
            return;
        };
        assert_eq!(other.vertex_count(), plain.vertex_count());
        for time_secs in [0.0, 0.7, 1.3] {
            let a = plain.skin(&pose(&plain, &plain.clips[0], time_secs), Base::Lbs);
            let b = other.skin(&pose(&other, &other.clips[0], time_secs), Base::Lbs);
            let off = a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b));
            let off = f64::from(off.fold(0.0, f32::max)) / plain.size();
            // "joints1" has other weights on purpose; it must only be the same man.
            let tolerance = if name == "joints1" { 0.05 } else { tolerance };
            assert!(off < tolerance, "{name} at {time_secs}: {off}");
        }
    }
}

#[test]
fn meshes_that_hang_on_a_joint_follow_it_rigidly() {
    let Some(robot) = load_shared("characters/RobotExpressive.glb") else {
        return;
    };
    let dance = robot.clips.iter().find(|clip| clip.name == "Dance").unwrap();
    let head = robot.mesh.parts.iter().find(|part| part.name.starts_with("Head")).unwrap();
    for vertex in head.vertices.clone() {
        assert_eq!(robot.skin.of(vertex).len(), 1);
    }
    let spread = |time_secs: f64| {
        let positions = robot.skin(&pose(&robot, dance, time_secs), Base::Lbs).positions;
        let part = &positions[head.vertices.clone()];
        part[0].distance(part[part.len() / 2])
    };
    assert!((spread(0.0) - spread(1.1)).abs() < 1e-4 * spread(0.0));
}

#[test]
fn morph_targets_are_applied_before_skinning() {
    let Some(morphs) = load_shared("characters/MorphStressTest.glb") else {
        return;
    };
    assert_eq!(morphs.mesh.morph_targets.len(), 8, "the second primitive has none that moves it");
    let clip = &morphs.clips[0];
    let moving = (0..20).map(|i| {
        let positions = morphs.skin(&pose(&morphs, clip, f64::from(i) * 0.2), Base::Lbs).positions;
        positions
            .iter()
            .zip(&morphs.rest().positions)
            .map(|(a, b)| a.distance(*b))
            .fold(0.0, f32::max)
    });
    assert!(moving.fold(0.0, f32::max) > 0.05 * morphs.size() as f32);
}

/// The file's normals, the triangles' winding and the mirror in the transform agree at rest.
#[test]
fn a_mirrored_mesh_is_not_inside_out() {
    for path in shared_characters("characters/awkward/Node_NegativeScale") {
        let character = load::load_file(&path).unwrap();
        let rest = character.rest();
        let agreeing = character.mesh.triangles.iter().filter(|corners| {
            let [a, b, c] = corners.map(|v| rest.positions[v as usize]);
            let face = (b - a).cross(c - a);
            let normal: Vec3 = corners.iter().map(|&v| rest.normals[v as usize]).sum();
            face.dot(normal) > 0.0
        });
        let agreeing = agreeing.count();
        assert_eq!(agreeing, character.mesh.triangles.len(), "{}", path.display());
    }
}

#[test]
fn hard_edges_are_known_and_smooth_ones_are_not_called_hard() {
    let Some(cube) = load_shared("characters/awkward/Animation_Node/Animation_Node_00.gltf") else {
        return;
    };
    assert_eq!(cube.surface().points.point_count, 8);
    assert_eq!(cube.surface().hard_edges.len(), 12, "a cube has twelve edges");
    let Some(cylinder) = load_shared("characters/cylinder.glb") else {
        return;
    };
    assert_eq!(cylinder.surface().hard_edges.len(), 0);
}

#[test]
fn missing_textures_and_buffers_differ() {
    let folder = tempfile::tempdir().unwrap();
    let Some(fox) = shared("characters/Fox.glb") else {
        return;
    };
    let bytes = std::fs::read(fox).unwrap();
    let parsed = gltf::Glb::from_slice(&bytes).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&parsed.json).unwrap();
    json["images"] = serde_json::json!([{ "uri": "gone.png" }]);
    json["buffers"][0]["uri"] = serde_json::json!("fox%20data.bin");
    std::fs::write(folder.path().join("fox data.bin"), parsed.bin.unwrap()).unwrap();
    let path = folder.path().join("fox.gltf");
    std::fs::write(&path, json.to_string()).unwrap();
    assert_eq!(load::load_file(&path).unwrap().vertex_count(), 1728);
    std::fs::remove_file(folder.path().join("fox data.bin")).unwrap();
    let error = load::load_file(&path).unwrap_err().to_string();
    assert!(error.contains("fox%20data.bin") && error.contains("keep it beside"), "{error}");
}
