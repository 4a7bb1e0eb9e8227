//! Bone velocities against differences of the skinned vertices, and the laws of smoothing.

use crate::support::shared::{shared, shared_characters};
use glam::{DAffine3, DVec3};
use jounce::motion::live::{Jump, LiveMotion};
use jounce::motion::{BeforeStart, BoneMotion, Playback, Player, TestMotion, TestMotionKind};
use jounce::rig::{Character, Clip, Pose, Property, load, own};

/// Half the step of the central differences, in seconds.
const STEP_SECS: f64 = 1e-5;

/// dp/dt of every vertex by the exact identity: Σ_j [up_j v_j + ω_j × (S_j − up_j p_j)], with
/// S_j = Σ a_i p_i over the subtree of j and p_i the vertex as bone i alone would carry it.
///
/// Counted from an anchor r, the bones on the path to it carry what is not below them, 1 − up_j and p − S_j, the other way
/// round; and what r does against the scene, the sum along its path, moves everything.
pub fn vertex_velocities(
    character: &Character,
    pose: &Pose,
    motions: &[BoneMotion],
    anchor: Option<usize>,
) -> Vec<DVec3> {
    let matrices = scene_from_bind(character, pose);
    let bones = &character.skeleton.bones;
    let path: Vec<usize> = std::iter::successors(anchor, |&bone| bones[bone].parent).collect();
    let joint = |j: usize| pose.scene_from_node[bones[j].node].translation;
    let of_anchor = |at: DVec3| -> DVec3 {
        path.iter().map(|&j| motions[j].linear + motions[j].angular.cross(at - joint(j))).sum()
    };
    let of_vertex = |u: usize| {
        let r = character.mesh.positions[u].as_dvec3();
        let mut up = vec![0.0; bones.len()];
        let mut s = vec![DVec3::ZERO; bones.len()];
        let (mut all, mut p) = (0.0, DVec3::ZERO);
        for influence in character.skin.of(u) {
            let weight = f64::from(influence.weight);
            let carried = matrices[influence.index as usize].transform_point3(r) * weight;
            all += weight;
            p += carried;
            let mut at = Some(character.bindings[influence.index as usize].bone);
            while let Some(bone) = at {
                up[bone] += weight;
                s[bone] += carried;
                at = bones[bone].parent;
            }
        }
        let terms = motions.iter().enumerate().map(|(j, motion)| {
            let (much, at) = match path.contains(&j) {
                true => (up[j] - all, s[j] - p),
                false => (up[j], s[j]),
            };
            motion.linear * much + motion.angular.cross(at - joint(j) * much)
        });
        let middle = if all > 0.0 { p / all } else { p };
        terms.sum::<DVec3>() + of_anchor(middle) * all
    };
    (0..character.vertex_count()).map(of_vertex).collect()
}

fn scene_from_bind(character: &Character, pose: &Pose) -> Vec<DAffine3> {
    let bindings = character.bindings.iter();
    bindings.map(|b| pose.scene_from_node[b.node] * b.node_from_bind).collect()
}

/// Linear blend skinning in f64.
fn skin(character: &Character, pose: &Pose) -> Vec<DVec3> {
    let matrices = scene_from_bind(character, pose);
    let positions = character.mesh.positions.iter().zip(character.skin.lists());
    positions
        .map(|(r, list)| {
            let carried = list.iter().map(|influence| {
                let weight = f64::from(influence.weight);
                matrices[influence.index as usize].transform_point3(r.as_dvec3()) * weight
            });
            carried.sum()
        })
        .collect()
}

/// Why a clip is listed and not judged.
pub fn is_beyond_the_identity(character: &Character, clip: &Clip) -> Option<&'static str> {
    let scale_moves = clip.tracks.iter().any(|track| {
        let first = track.keys.value(0);
        let differs =
            |key| track.keys.value(key).iter().zip(first).any(|(a, b)| (a - b).abs() > 1e-4);
        track.property == Property::Scale && (1..track.keys.times_secs.len()).any(differs)
    });
    let is_uneven = |s: DVec3| (s - DVec3::splat(s.x)).abs().max_element() > 1e-5 * s.x.abs();
    let keyed_unevenly =
        clip.tracks.iter().filter(|track| track.property == Property::Scale).any(|track| {
            let value = track.keys.value(0);
            is_uneven(DVec3::new(value[0].into(), value[1].into(), value[2].into()))
        });
    let uneven = character.skeleton.nodes.iter().any(|node| is_uneven(node.rest.scale));
    let morphs = clip.tracks.iter().any(|track| track.property == Property::MorphWeights);
    match (scale_moves, uneven || keyed_unevenly, morphs) {
        (true, _, _) => Some("animated scale"),
        (_, true, _) => Some("non-uniform scale"),
        (_, _, true) => Some("morph targets"),
        _ => None,
    }
}

/// Moments of a clip that are at least two steps from every key.
pub fn moments_between_keys(clip: &Clip) -> Vec<f64> {
    let mut keys: Vec<f64> = Vec::new();
    for track in &clip.tracks {
        keys.extend(track.keys.times_secs.iter().map(|&t| f64::from(t)));
    }
    let duration = clip.duration_secs();
    let is_free = |t: &f64| keys.iter().all(|key| (key - t).abs() > 2.0 * STEP_SECS);
    (1..8).map(|i| duration * (f64::from(i) - 0.437) / 8.0).filter(is_free).collect()
}

#[test]
fn bone_velocities_move_the_skin_exactly_as_it_moves() {
    let mut judged = 0;
    let own = own::names().map(|name| own::built_in(name).unwrap());
    let paths = shared_characters("characters");
    let loaded = paths.iter().filter_map(|path| load::load_file(path).ok());
    for character in own.into_iter().chain(loaded) {
        for clip in &character.clips {
            let name = format!("{} \"{}\"", character.name, clip.name);
            if let Some(reason) = is_beyond_the_identity(&character, clip) {
                println!("listed, not judged: {name} ({reason})");
                continue;
            }
            let player = Player {
                character: &character,
                clip,
                playback: Playback::once(clip.duration_secs()),
            };
            let mut worst = 0.0_f64;
            for t in moments_between_keys(clip) {
                let (pose, motions) = (player.pose(t), player.velocities(t, 0.0));
                let found = vertex_velocities(&character, &pose, &motions, None);
                let tip = character.skeleton.bones.len().checked_sub(1);
                let from_tip = vertex_velocities(&character, &pose, &motions, tip);
                let before = skin(&character, &player.pose(t - STEP_SECS));
                let after = skin(&character, &player.pose(t + STEP_SECS));
                let differences =
                    after.iter().zip(&before).map(|(a, b)| (*a - *b) / (2.0 * STEP_SECS));
                let expected: Vec<DVec3> = differences.collect();
                let fastest = expected.iter().map(|v| v.length()).fold(0.0, f64::max);
                let floor = 1e-4 * character.size();
                for (found, from_tip) in found.iter().zip(&from_tip) {
                    let difference = (*found - *from_tip).length() / fastest.max(floor);
                    assert!(
                        difference < 1e-9,
                        "{name}: {difference:e} when counted from an anchor"
                    );
                }
                for (found, expected) in found.iter().zip(&expected) {
                    worst = worst.max((*found - *expected).length() / fastest.max(floor));
                }
            }
            println!("{name}: {worst:.1e}");
            assert!(worst < 1e-5, "{name}: {worst:e}");
            judged += 1;
        }
    }
    assert!(judged > 20 || shared("characters").is_none(), "only {judged} clips were judged");
}

#[test]
fn marine_never_spikes_where_its_keys_change_sign() {
    let Some(path) = shared("characters/marine.glb") else {
        return;
    };
    let character = load::load_file(&path).unwrap();
    for clip in &character.clips {
        let player = Player {
            character: &character,
            clip,
            playback: Playback::looped(clip.duration_secs()),
        };
        let fastest = (0..2000)
            .flat_map(|i| {
                let motions = player.velocities(clip.duration_secs() * f64::from(i) / 2000.0, 0.0);
                [3, 7].map(|joint| motions[character.bindings[joint].bone].angular.length())
            })
            .fold(0.0, f64::max);
        println!("marine \"{}\": at most {fastest:.2} rad/s at joints 3 and 7", clip.name);
        assert!(fastest < 10.0, "{}: {fastest} rad/s", clip.name);
    }
}

/// The mean over a window is what its closed form says: the mean of many analytic velocities.
/// Only for bones whose parents stand still, whose turning would mix into the mean.
#[test]
fn smoothing_is_the_mean_of_the_velocity_over_the_window() {
    let character = own::built_in("cow").unwrap();
    for (motion, is_turn) in [("hop", false), ("nod", true), ("turn-and-stop", true)] {
        let bone = character.skeleton.bone_named("Head").unwrap();
        let clip = TestMotion::new(motion.parse().unwrap(), bone).clip(&character).unwrap();
        let duration = clip.duration_secs();
        let player =
            Player { character: &character, clip: &clip, playback: Playback::looped(duration) };
        let mut fastest = 0.0_f64;
        for t in [0.05, 0.31, 0.62 * duration, duration * 2.0 + 0.03] {
            let window_secs = 0.2;
            let smoothed = player.velocities(t, window_secs)[bone];
            let count = 4000;
            let mut mean = BoneMotion::ZERO;
            for i in 0..count {
                let at = t - window_secs * (f64::from(i) + 0.5) / f64::from(count);
                let motion = player.velocities(at, 0.0)[bone];
                mean.linear += motion.linear / f64::from(count);
                mean.angular += motion.angular / f64::from(count);
            }
            let off = (mean.linear - smoothed.linear).length() / character.size();
            assert!(off < 2e-3, "{motion} at {t}: linear off by {off}");
            let off = (mean.angular - smoothed.angular).length();
            assert!(off < 2e-3, "{motion} at {t}: angular off by {off}");
            fastest =
                fastest.max(if is_turn { mean.angular.length() } else { mean.linear.length() });
        }
        assert!(fastest > 0.1, "{motion} does not move: {fastest}");
    }
}

/// A point mass thrown up falls with constant acceleration.
#[test]
fn the_acceleration_of_a_hop_is_its_gravity() {
    let character = own::built_in("cow").unwrap();
    let root = character.skeleton.bones.iter().position(|bone| bone.parent.is_none()).unwrap();
    let clip = TestMotion::new(TestMotionKind::Hop, root).clip(&character).unwrap();
    let player = Player {
        character: &character,
        clip: &clip,
        playback: Playback::once(clip.duration_secs()),
    };
    // In the air for 0.6 s up to a quarter of the size: h(t) = 4 A s (1 − s), s = t / 0.6.
    let expected = -8.0 * 0.25 * character.size() / (0.6 * 0.6);
    for t in [0.25, 0.4, 0.55] {
        let found = player.accelerations(t, 0.1)[root].linear;
        assert!(
            (found.y - expected).abs() < 1e-3 * expected.abs(),
            "{found} at {t}, not {expected}"
        );
        assert!(found.x.abs() < 1e-6 && found.z.abs() < 1e-6);
    }
}

#[test]
fn held_motion_has_no_acceleration_before_its_start() {
    let character = own::built_in("tube").unwrap();
    let bone = 1;
    let mut spin = TestMotion::new(TestMotionKind::Spin, bone);
    spin.period_secs = 4.0;
    let clip = spin.clip(&character).unwrap();
    let mut playback = Playback::once(clip.duration_secs());
    playback.before_start = BeforeStart::Same;
    let player = Player { character: &character, clip: &clip, playback };
    for t in [0.0, 0.01, 0.05, 0.1, 0.15] {
        let acceleration = player.accelerations(t, 0.1)[bone].angular.length();
        assert!(acceleration < 1e-2, "{acceleration} at {t}");
    }
}

#[test]
fn nothing_spikes_at_the_first_frame_the_seam_or_the_end_under_any_policy() {
    for path in ["characters/Fox.glb", "characters/humanoid.gltf", "characters/marine.glb"] {
        let Some(path) = shared(path) else { continue };
        let character = load::load_file(&path).unwrap();
        for clip in &character.clips {
            let duration = clip.duration_secs();
            for before_start in [BeforeStart::Still, BeforeStart::Same, BeforeStart::Wrapped] {
                let playback = Playback { before_start, ..Playback::looped(duration) };
                let player = Player { character: &character, clip, playback };
                // No mean is faster than the fastest moment of its window.
                let speed = |motions: Vec<BoneMotion>| {
                    motions.iter().map(|m| m.angular.length()).fold(0.0, f64::max)
                };
                let fastest = (0..400)
                    .map(|i| speed(player.velocities(duration * f64::from(i) / 400.0, 0.0)))
                    .fold(0.0, f64::max);
                for t in [
                    0.0,
                    1e-9,
                    0.01,
                    duration - 0.01,
                    duration,
                    duration + 0.01,
                    5.0 * duration + 0.02,
                ] {
                    let found = speed(player.velocities(t, 0.1));
                    assert!(
                        found <= fastest * 1.05 + 1e-6,
                        "{found} of {fastest} at {t} ({before_start:?})"
                    );
                }
            }
        }
    }
}

#[test]
fn a_reversed_clip_has_the_opposite_velocities() {
    let Some(path) = shared("characters/Fox.glb") else {
        return;
    };
    let character = load::load_file(&path).unwrap();
    let clip = &character.clips[1];
    let duration = clip.duration_secs();
    let forward = Player { character: &character, clip, playback: Playback::once(duration) };
    let mut backward = forward;
    backward.playback.reversed = true;
    let t = duration * 0.31;
    for (a, b) in forward.velocities(t, 0.0).iter().zip(backward.velocities(duration - t, 0.0)) {
        assert!((a.linear + b.linear).length() < 1e-9 && (a.angular + b.angular).length() < 1e-9);
    }
    // Before it starts and after it ends it stands still, whichever way it plays.
    for player in [forward, backward] {
        for t in [-1.0, duration + 1.0] {
            let motions = player.velocities(t, 0.0);
            assert!(motions.iter().all(|motion| *motion == BoneMotion::ZERO), "moves at {t}");
        }
    }
}

#[test]
fn live_motion_measures_what_the_clip_says_and_leaves_jumps_out() {
    let Some(path) = shared("characters/humanoid.gltf") else {
        return;
    };
    let character = load::load_file(&path).unwrap();
    let clip = character.clips.iter().find(|clip| clip.name == "Run").unwrap();
    let player =
        Player { character: &character, clip, playback: Playback::looped(clip.duration_secs()) };
    let window_secs = 0.1;
    let speed =
        |motions: &[BoneMotion]| motions.iter().map(|m| m.angular.length()).fold(0.0, f64::max);
    for jump in [Jump::Reset, Jump::Hold, Jump::Wrap] {
        let mut live = LiveMotion::new(window_secs, jump);
        let mut last = Vec::new();
        for frame in 0..=60 {
            let t = 0.1 + f64::from(frame) / 240.0;
            last = live.push(&character, &player.pose(t), t);
        }
        let t = 0.1 + 60.0 / 240.0;
        let expected = player.velocities(t, window_secs);
        for (live, clip) in last.iter().zip(&expected) {
            // Both are means over the window; only turning within it makes them differ.
            let off = (live.angular - clip.angular).length();
            assert!(off < 0.02 * speed(&expected), "{off}");
        }
        // Somewhere else entirely, on purpose.
        live.teleport();
        let mut elsewhere = player.pose(t);
        for matrix in &mut elsewhere.scene_from_node {
            matrix.translation += DVec3::new(50.0, 3.0, -20.0) * character.size();
        }
        let after = live.push(&character, &elsewhere, t + 1.0 / 240.0);
        match jump {
            Jump::Reset => assert_eq!(speed(&after), 0.0),
            Jump::Hold | Jump::Wrap => assert!((speed(&after) - speed(&last)).abs() < 1e-6),
        }
        // The same without saying so: too fast to be motion.
        let back = live.push(&character, &player.pose(t), t + 2.0 / 240.0);
        let fastest_root = back.iter().map(|m| m.linear.length()).fold(0.0, f64::max);
        assert!(fastest_root < 50.0 * character.size(), "{fastest_root}");
        // A clock that stands, runs backwards or is no number does no harm.
        for time in [t, t - 1.0, f64::NAN, f64::INFINITY] {
            let motions = live.push(&character, &player.pose(t), time);
            assert!(motions.iter().all(|m| m.linear.is_finite() && m.angular.is_finite()));
        }
    }
}
