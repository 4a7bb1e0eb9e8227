//! Where characters look, decided by looking at pictures of them: ours and those beside the project.

use crate::support::shared::shared;
use glam::Vec3;
use jounce::rig::Character;
use jounce::rig::load::load_file;

/// Every character beside the project that has a front.
const FRONTS: &[(&str, Vec3)] = &[
    ("Fox.glb", Vec3::Z),
    ("CesiumMan.glb", Vec3::Z),
    ("RiggedFigure.glb", Vec3::Z),
    ("RobotExpressive.glb", Vec3::Z),
    ("humanoid.gltf", Vec3::Z),
    ("spot.glb", Vec3::NEG_Z),
    ("girafe.glb", Vec3::Z),
    ("bird.glb", Vec3::NEG_Z),
    ("marine.glb", Vec3::NEG_Z),
];

fn each(mut test: impl FnMut(&str, Character, Vec3)) {
    for (file, front) in FRONTS {
        let Some(path) = shared(&format!("characters/{file}")) else { return };
        test(file, load_file(&path).unwrap(), *front);
    }
}

#[test]
fn the_front_of_every_character_is_found() {
    let mut wrong = Vec::new();
    each(|file, character, front| {
        let began = std::time::Instant::now();
        let facing = character.facing();
        println!("{file}: {facing:?} in {:?}", began.elapsed());
        if facing.forward.distance(front) > 1e-3 {
            wrong.push(format!("{file} looks along {}, not {front}", facing.forward));
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}
