//! Who carries whom: what is found on real rigs, and laws that hold whichever bone hangs on which.

use super::velocities::{is_beyond_the_identity, moments_between_keys, vertex_velocities};
use crate::support::random::Random;
use crate::support::shared::{shared, shared_characters};
use jounce::motion::live::{Jump, LiveMotion};
use jounce::motion::{Playback, Player};
use jounce::rig::hierarchy::{Rehung, carriers};
use jounce::rig::{Character, CharacterError, load, own};
use std::sync::Arc;

fn loaded(name: &str) -> Option<Character> {
    let path = shared(&format!("characters/{name}"))?;
    Some(load::load_file(&path).unwrap())
}

fn named(character: &Character, change: &Rehung) -> (String, Option<String>, String) {
    let name = |bone: usize| character.skeleton.bone_name(bone).to_owned();
    (name(change.bone), change.file_parent.map(name), name(change.parent))
}

#[test]
fn on_plain_rigs_the_motion_hierarchy_is_the_files() {
    let own = own::names().map(|name| own::built_in(name).unwrap());
    let plain = [
        "Fox.glb",
        "CesiumMan.glb",
        "RiggedFigure.glb",
        "RiggedSimple.glb",
        "marine.glb",
        "spot.glb",
        "girafe.glb",
        "bird.glb",
        "cylinder.glb",
    ];
    for character in own.into_iter().chain(plain.into_iter().filter_map(loaded)) {
        let found = character.motion_hierarchy();
        let names: Vec<_> = found.changes.iter().map(|it| (named(&character, it), *it)).collect();
        assert!(names.is_empty(), "{}: {names:?}", character.name);
        assert!(
            found.parents.iter().copied().eq(character.skeleton.bones.iter().map(|b| b.parent))
        );
    }
}

#[test]
fn feet_of_control_rigs_hang_on_their_shins() {
    let expected: [(&str, &[(&str, &str)]); 2] = [
        ("humanoid.gltf", &[("Heel.IK.L", "Shin.L"), ("Heel.IK.R", "Shin.R")]),
        ("RobotExpressive.glb", &[("Foot.L", "LowerLeg.L"), ("Foot.R", "LowerLeg.R")]),
    ];
    for (file, expected) in expected {
        let Some(character) = loaded(file) else { continue };
        let changes = &character.motion_hierarchy().changes;
        for change in changes {
            let (bone, from, to) = named(&character, change);
            println!("{file}: {bone} from {from:?} to {to}: {change:?}");
        }
        let found: Vec<(String, String)> = changes
            .iter()
            .map(|change| named(&character, change))
            .map(|(bone, _, parent)| (bone, parent))
            .collect();
        let mut expected: Vec<(String, String)> =
            expected.iter().map(|(bone, parent)| (bone.to_string(), parent.to_string())).collect();
        let mut sorted = found.clone();
        sorted.sort();
        expected.sort();
        assert_eq!(sorted, expected, "{file}");
        for change in changes {
            let travel = change.travel.unwrap();
            assert!(travel.in_file_parent > 0.3 && travel.in_parent < 0.04, "{change:?}");
            assert!(change.contact_share > 0.9, "{change:?}");
        }
    }
}

/// Parents at random, in which nobody hangs on itself.
fn random_parents(bones: usize, random: &mut Random) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..bones).collect();
    (1..bones).for_each(|place| order.swap(place, random.below(place + 1)));
    let mut parents = vec![None; bones];
    for place in 1..bones {
        let above = random.below(place + 1);
        parents[order[place]] = (above < place).then(|| order[above]);
    }
    parents
}

/// Σ_j up_j v_j + ω_j × (S_j − up_j p_j) = dp/dt whoever hangs on whom: with the file's parents it is judged by
/// differences, and all others must give the same to 1e-9.
#[test]
fn the_skin_moves_as_it_moves_whichever_bone_hangs_on_which() {
    let own = own::names().map(|name| own::built_in(name).unwrap());
    let paths = shared_characters("characters");
    let loaded = paths.iter().filter_map(|path| load::load_file(path).ok());
    let (mut judged, mut worst) = (0, 0.0_f64);
    let mut random = Random::new(17);
    for character in own.into_iter().chain(loaded).map(Arc::new) {
        let few: Vec<_> = character.clips.iter().take(3).collect();
        for clip in few {
            if is_beyond_the_identity(&character, clip).is_some() {
                continue;
            }
            let motion = character.motion_hierarchy().parents.clone();
            let any = random_parents(character.skeleton.bones.len(), &mut random);
            for t in moments_between_keys(clip).into_iter().take(2) {
                let velocities = |character: &Arc<Character>| {
                    let playback = Playback::once(clip.duration_secs());
                    let player = Player { character, clip, playback };
                    vertex_velocities(character, &player.pose(t), &player.velocities(t, 0.0), None)
                };
                let expected = velocities(&character);
                let fastest = expected.iter().map(|v| v.length()).fold(0.0, f64::max);
                for parents in [&motion, &any] {
                    let hung = character.with_parents(parents).unwrap();
                    let off = velocities(&hung)
                        .into_iter()
                        .zip(&expected)
                        .map(|(a, b)| (a - *b).length());
                    let off = off.fold(0.0, f64::max) / fastest.max(1e-4 * character.size());
                    worst = worst.max(off);
                    assert!(off < 1e-9, "{} \"{}\" at {t}: {off}", character.name, clip.name);
                    judged += 1;
                }
            }
        }
    }
    println!("{judged} hierarchies in motion, off by at most {worst:.1e} of the fastest vertex");
    assert!(judged > 20);
}

/// Poses one by one, and means over a window: live motion measures under other parents what a clip says of itself.
#[test]
fn live_motion_and_clips_agree_whichever_bone_hangs_on_which() {
    let character = Arc::new(own::built_in("cow").unwrap());
    let mut random = Random::new(5);
    for _ in 0..4 {
        let parents = random_parents(character.skeleton.bones.len(), &mut random);
        let hung = character.with_parents(&parents).unwrap();
        let clip = &hung.clips[0];
        let playback = Playback::once(clip.duration_secs());
        let player = Player { character: &hung, clip, playback };
        let window_secs = 0.1;
        let mut live = LiveMotion::new(window_secs, Jump::Reset);
        let mut farthest = 0.0_f64;
        let mut fastest = 0.0_f64;
        for frame in 0..120 {
            let t = f64::from(frame) / 240.0;
            let found = live.push(&hung, &player.pose(t), t);
            if t < window_secs {
                continue;
            }
            for (found, expected) in found.iter().zip(player.velocities(t, window_secs)) {
                fastest = fastest.max(expected.angular.length()).max(expected.linear.length());
                farthest = farthest.max((found.linear - expected.linear).length());
                farthest = farthest.max((found.angular - expected.angular).length());
            }
        }
        assert!(fastest > 0.1 && farthest < 0.05 * fastest, "{farthest} of {fastest}");
    }
}

#[test]
fn weights_and_centroids_follow_the_parents() {
    let character = Arc::new(own::built_in("giraffe").unwrap());
    let mut random = Random::new(3);
    let parents = random_parents(character.skeleton.bones.len(), &mut random);
    let hung = character.with_parents(&parents).unwrap();
    let own = jounce::rig::weights::by_bone(&hung.skin, &hung.bindings, &hung.skeleton.bones);
    let is_above = |above: usize, bone: usize| {
        std::iter::successors(Some(bone), |&at| parents[at]).any(|at| at == above)
    };
    for vertex in (0..hung.vertex_count()).step_by(37) {
        for bone in 0..parents.len() {
            let sum = |counts: &dyn Fn(usize) -> bool| -> f64 {
                let list = own.of(vertex).iter().filter(|it| counts(it.index as usize));
                list.map(|it| f64::from(it.weight)).sum()
            };
            let of = |list: &jounce::rig::Influences| {
                let found = list.of(vertex).iter().find(|it| it.index as usize == bone);
                found.map_or(0.0, |it| f64::from(it.weight))
            };
            let up = sum(&|other| is_above(bone, other));
            let down = sum(&|other| is_above(other, bone));
            assert!((of(hung.upward()) - up).abs() < 1e-6);
            assert!((of(hung.downward().unwrap()) - down).abs() < 1e-6);
        }
    }
    let (pose, rest) = (hung.rest_pose(), &hung.rest().positions);
    let closed = hung.centroids().evaluate(&hung, pose);
    let exact = jounce::rig::centroid::exact_centroids(&hung, pose, rest);
    for (bone, (closed, exact)) in closed.iter().zip(&exact).enumerate() {
        assert!((*closed - *exact).length() < 0.02 * hung.size(), "{bone}: {closed} {exact}");
    }
    // Nothing of it has changed the character that it was made from.
    assert!(character.skeleton.bones_parents_first.iter().copied().eq(0..parents.len()));
}

#[test]
fn parents_that_make_no_tree_are_refused_with_a_sentence() {
    let character = Arc::new(own::built_in("tube").unwrap());
    let bones = character.skeleton.bones.len();
    let around: Vec<Option<usize>> = (0..bones).map(|bone| Some((bone + 1) % bones)).collect();
    let error = character.with_parents(&around).unwrap_err();
    assert!(matches!(error, CharacterError::Parents(_)));
    assert_eq!(
        error.to_string(),
        "the parents of its bones make no tree: bone 0 would hang on itself"
    );
}

#[test]
fn bones_that_carry_the_character_are_those_with_almost_all_skin() {
    let carrying = |character: &Character| -> Vec<String> {
        let carriers = carriers(character).into_iter().enumerate().filter(|(_, carries)| *carries);
        carriers.map(|(bone, _)| character.skeleton.bone_name(bone).to_owned()).collect()
    };
    // Nothing has skin but its bones from the root on, so that there is no other motion than theirs.
    if let Some(bird) = loaded("bird.glb") {
        println!("bird: {} bones", bird.skeleton.bones.len());
        if bird.skeleton.bones.len() == 1 {
            assert!(carrying(&bird).is_empty(), "one bone");
        }
    }
    // A still root above the hips.
    if let Some(man) = loaded("CesiumMan.glb") {
        println!("CesiumMan: {:?}", carrying(&man));
        assert_eq!(carrying(&man), ["Skeleton_torso_joint_1"]);
    }
    for name in ["cow", "giraffe", "dragon"] {
        let character = own::built_in(name).unwrap();
        let found = carrying(&character);
        println!("{name}: {found:?}");
        assert!(found.contains(&character.skeleton.bone_name(0).to_owned()));
        assert!(!found.iter().any(|bone| bone.contains("Leg") || bone.contains("Tail")), "{name}");
    }
}
