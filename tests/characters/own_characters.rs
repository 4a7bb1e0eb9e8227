//! The laws our own characters keep, and the file they are written as.

use jounce::rig::load::load_bytes;
use jounce::rig::own::{built_in, make, names};
use jounce::rig::{Character, CharacterParts, Influence, Influences, Property, write_glb};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Each character is made once for all tests.
fn character(name: &str) -> &'static Character {
    static MADE: OnceLock<Vec<Character>> = OnceLock::new();
    let made = MADE.get_or_init(|| names().map(|name| make(name, None).unwrap()).into());
    let index = names().iter().position(|&known| known == name).unwrap();
    &made[index]
}

fn bone_names(name: &str) -> Vec<String> {
    let skeleton = &character(name).skeleton;
    (0..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone).to_string()).collect()
}

fn count_bones(name: &str, part: &str) -> usize {
    let names = bone_names(name);
    names.iter().filter(|bone| bone.contains(part)).count()
}

/// Softness of the vertices in a box.
fn softness_in(name: &str, low: [f32; 3], high: [f32; 3]) -> Vec<f32> {
    let character = character(name);
    let map = character.maps.iter().find(|map| map.name == "softness");
    let values = &map.expect("every own character has this map").values;
    let positions = character.mesh.positions.iter();
    let found: Vec<f32> = positions
        .zip(values)
        .filter(|(p, _)| (0..3).all(|i| (low[i]..high[i]).contains(&p[i])))
        .map(|(_, &softness)| softness)
        .collect();
    assert!(found.len() > 10, "the box is not empty");
    found
}

#[test]
fn every_name_makes_a_character_of_two_to_eight_thousand_vertices() {
    for name in names() {
        let count = character(name).vertex_count();
        assert!((2000..=8000).contains(&count), "{name}: {count}");
        assert_eq!(character(name).name, name);
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_names_and_the_nearest_one() {
    let sentence = make("Girafe", None).unwrap_err().to_string();
    assert_eq!(
        sentence,
        "there is no built-in character called \"Girafe\" (did you mean giraffe?); \
         the built-in characters are tube, giraffe, bird, cow, snail, dragon, mushroom"
    );
    let sentence = make("spaceship", None).unwrap_err().to_string();
    assert!(!sentence.contains("did you mean"), "{sentence}");
}

#[test]
fn too_few_vertices_are_refused() {
    assert!(make("tube", Some(3)).is_err());
}

#[test]
fn characters_stand_on_the_ground_and_are_one_to_two_units_tall() {
    for name in names() {
        let heights = character(name).mesh.positions.iter().map(|p| p.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(l, h), y| (l.min(y), h.max(y)));
        assert!(low.abs() < 0.01, "{name} begins at {low}");
        assert!((1.0..2.2).contains(&high), "{name} ends at {high}");
    }
}

#[test]
fn meshes_are_watertight_with_every_edge_once_in_each_direction() {
    for name in names() {
        let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
        for &[a, b, c] in &character(name).mesh.triangles {
            for edge in [(a, b), (b, c), (c, a)] {
                *edges.entry(edge).or_default() += 1;
            }
        }
        for (&(a, b), &count) in &edges {
            assert_eq!(count, 1, "{name}: edge {a} {b}");
            assert!(edges.contains_key(&(b, a)), "{name}: edge {a} {b} is open");
        }
    }
}

#[test]
fn triangles_have_area_face_outwards_and_agree_with_the_normals() {
    for name in names() {
        let mesh = &character(name).mesh;
        let mut volume = 0.0;
        let mut against = 0;
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|corner| mesh.positions[corner as usize]);
            let normal = (b - a).cross(c - a);
            assert!(normal.length() > 1e-9, "{name}: a triangle without area at {a}");
            volume += f64::from(a.dot(b.cross(c)));
            let smooth = corners.map(|corner| mesh.normals[corner as usize]);
            against += usize::from(normal.dot(smooth[0] + smooth[1] + smooth[2]) < 0.0);
        }
        assert!(volume > 0.0, "{name} is inside out");
        // In the sharpest creases a flat triangle may bridge the fold.
        let most = mesh.triangles.len() / 100;
        assert!(against <= most, "{name}: {against} triangles against their normals");
        for normal in &mesh.normals {
            assert!((normal.length() - 1.0).abs() < 1e-4);
        }
    }
}

#[test]
fn no_two_vertices_share_a_place() {
    for name in names() {
        let places = character(name).mesh.positions.iter();
        let mut bits: Vec<[u32; 3]> = places.map(|p| p.to_array().map(f32::to_bits)).collect();
        bits.sort_unstable();
        let before = bits.len();
        bits.dedup();
        assert_eq!(bits.len(), before, "{name}");
    }
}

#[test]
fn skin_weights_are_finite_positive_few_and_sum_to_one() {
    for name in names() {
        let character = character(name);
        assert!(character.skin.longest() <= 6);
        for list in character.skin.lists() {
            let sum: f64 = list.iter().map(|i| f64::from(i.weight)).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{name}: {sum}");
            assert!(list.iter().all(|i| i.weight > 0.0 && i.weight.is_finite()));
        }
    }
}

#[test]
fn a_leg_is_not_carried_by_another_leg() {
    for name in ["cow", "giraffe", "dragon"] {
        let character = character(name);
        for (vertex, list) in character.skin.lists().enumerate() {
            let position = character.mesh.positions[vertex];
            if position.x < 0.1 || position.y > 0.25 {
                continue;
            }
            for influence in list {
                let bone = character.bindings[influence.index as usize].bone;
                let bone = character.skeleton.bone_name(bone);
                let is_right_leg = bone.ends_with("FR") || bone.ends_with("BR");
                assert!(!is_right_leg, "{name}: {bone} at {position}");
            }
        }
    }
}

#[test]
fn the_tube_has_three_bones() {
    assert_eq!(bone_names("tube").len(), 3);
}

#[test]
fn the_bird_has_exactly_one_joint_a_wing_of_either_sign_and_a_tail_against_the_motion() {
    assert_eq!(character("bird").bindings.len(), 1);
    let left = softness_in("bird", [0.8, 0.0, -1.0], [2.0, 2.0, 1.0]);
    assert!(left.len() > 100 && left.iter().all(|&softness| softness > 0.5));
    let right = softness_in("bird", [-2.0, 0.0, -1.0], [-0.8, 2.0, 1.0]);
    assert!(right.len() > 100 && right.iter().all(|&softness| softness < -0.5));
    let tail = softness_in("bird", [-0.3, 0.0, -2.0], [0.3, 0.6, -0.6]);
    assert!(tail.iter().all(|&softness| softness < -0.3));
}

#[test]
fn the_cow_has_one_head_bone_and_none_for_horns_ears_and_tail() {
    assert_eq!(count_bones("cow", "Head"), 1);
    for part in ["Horn", "Ear", "Tail", "Udder", "Dewlap"] {
        assert_eq!(count_bones("cow", part), 0, "{part}");
    }
}

#[test]
fn the_cows_horns_never_give_and_its_ears_tail_and_udder_do() {
    let horns = softness_in("cow", [-1.0, 1.30, 0.0], [1.0, 2.0, 1.0]);
    assert!(horns.iter().all(|&softness| softness == 0.0));
    for (low, high) in [
        ([0.33, 0.95, 0.3], [1.0, 1.2, 0.8]),
        ([-0.2, 0.0, -2.0], [0.2, 0.5, -0.75]),
        ([-0.1, 0.2, -0.3], [0.1, 0.36, -0.1]),
    ] {
        let soft = softness_in("cow", low, high);
        assert!(soft.iter().all(|&softness| softness > 0.5), "{low:?}");
    }
}

#[test]
fn the_giraffes_neck_has_at_least_five_bones() {
    assert!(count_bones("giraffe", "Neck") >= 5);
}

#[test]
fn the_snails_shell_never_gives_its_stalks_run_ahead_and_its_body_drags() {
    assert!((3..=5).contains(&bone_names("snail").len()));
    let shell = softness_in("snail", [-1.0, 0.5, -1.0], [1.0, 2.0, 0.3]);
    assert!(shell.iter().all(|&softness| softness == 0.0));
    let stalks = softness_in("snail", [-1.0, 0.8, 0.6], [1.0, 2.0, 1.0]);
    assert!(stalks.iter().all(|&softness| softness < -0.4));
    let body = softness_in("snail", [-1.0, 0.0, -2.0], [1.0, 0.15, 0.4]);
    assert!(body.iter().all(|&softness| softness > 0.2));
}

#[test]
fn the_dragon_has_at_most_two_bones_per_wing_and_in_its_tail() {
    let names = bone_names("dragon");
    for side in [".L", ".R"] {
        let of_wing = |bone: &&String| bone.starts_with("Wing") && bone.ends_with(side);
        assert!((1..=2).contains(&names.iter().filter(of_wing).count()));
    }
    assert!((1..=2).contains(&count_bones("dragon", "Tail")));
}

#[test]
fn the_mushrooms_cap_is_wide_hollow_below_and_softer_further_out() {
    assert_eq!(bone_names("mushroom"), ["Stalk.1", "Stalk.2", "Cap", "Tip"]);
    let mushroom = &character("mushroom").mesh;
    let out = |p: &glam::Vec3| p.x.hypot(p.z);
    let widest = |low: f32, high: f32| {
        let between = mushroom.positions.iter().filter(|p| (low..high).contains(&p.y));
        between.map(out).fold(0.0, f32::max)
    };
    let (stalk, cap) = (widest(0.0, 0.7), widest(0.8, 1.6));
    assert!(cap > 2.0 * stalk, "{cap} {stalk}");
    // Inside there is skin that looks down at what stands below.
    let inside = mushroom.positions.iter().zip(&mushroom.normals);
    let inside = inside.filter(|(p, n)| (0.3..0.5).contains(&out(p)) && n.y < -0.3);
    let heights: Vec<f32> = inside.map(|(p, _)| p.y).collect();
    assert!(heights.len() > 100, "{}", heights.len());
    let lowest = heights.iter().copied().fold(f32::INFINITY, f32::min);
    assert!(lowest > 0.95, "{lowest}");
    let top = softness_in("mushroom", [-0.1, 1.3, -0.1], [0.1, 2.0, 0.1]);
    let brim = softness_in("mushroom", [0.55, 0.8, -0.2], [1.0, 0.95, 0.2]);
    assert!(top.iter().all(|&softness| softness < 0.2));
    assert!(brim.iter().all(|&softness| softness > 0.7));
}

#[test]
fn every_clip_ends_as_it_begins_and_moves_something_in_between() {
    for name in names() {
        let clips = &character(name).clips;
        assert!((2..=3).contains(&clips.len()), "{name}");
        for clip in clips {
            assert_eq!(clip.name, clip.name.to_lowercase());
            let mut moves = false;
            for track in &clip.tracks {
                let keys = &track.keys;
                let per_key = keys.values.len() / keys.times_secs.len();
                let first = &keys.values[..per_key];
                let last = &keys.values[keys.values.len() - per_key..];
                assert_eq!(first, last, "{name}: {}", clip.name);
                assert!(keys.times_secs.is_sorted_by(|a, b| a < b));
                moves |= keys.values.chunks(per_key).any(|key| key != first);
            }
            assert!(moves, "{name}: {}", clip.name);
        }
    }
}

#[test]
fn neighbouring_rotation_keys_are_never_on_opposite_sides() {
    for name in names() {
        let tracks = character(name).clips.iter().flat_map(|clip| &clip.tracks);
        for track in tracks.filter(|track| track.property == Property::Rotation) {
            let keys: Vec<&[f32]> = track.keys.values.chunks(12).map(|key| &key[4..8]).collect();
            for pair in keys.windows(2) {
                let dot: f32 = pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum();
                assert!(dot > 0.8, "{name}: node {} jumps", track.node);
            }
        }
    }
}

#[test]
fn making_a_character_twice_gives_the_same_bytes() {
    let first = write_glb(character("snail")).unwrap();
    let second = write_glb(&make("snail", None).unwrap()).unwrap();
    assert!(first == second);
}

#[test]
fn a_wanted_number_of_vertices_is_met_within_five_percent_and_stays_watertight() {
    let large = make("cow", Some(40_000)).unwrap();
    let count = large.vertex_count();
    assert!((38_000..=42_000).contains(&count), "{count}");
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    for &[a, b, c] in &large.mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let step = if from < to { 1 } else { 100 };
            *edges.entry((from.min(to), from.max(to))).or_default() += step;
        }
    }
    assert!(edges.values().all(|&sum| sum == 101));
}

#[test]
fn a_body_is_one_connected_surface_beside_its_eyes() {
    // By Euler: vertices − triangles / 2 is 2 for every closed piece without a handle.
    let beads =
        [("tube", 0), ("giraffe", 6), ("bird", 4), ("cow", 6), ("snail", 4), ("mushroom", 5)];
    for (name, beads) in beads {
        let mesh = &character(name).mesh;
        let euler = mesh.positions.len() as i64 - mesh.triangles.len() as i64 / 2;
        assert_eq!(euler, 2 * (1 + beads), "{name}");
    }
}

/// The tube with one thing changed, written.
fn refusal(change: impl Fn(&mut CharacterParts)) -> String {
    let mut parts = CharacterParts::clone(character("tube"));
    change(&mut parts);
    let character = Character::new(parts).unwrap();
    write_glb(&character).unwrap_err().to_string()
}

#[test]
fn what_a_file_cannot_hold_is_refused_with_a_sentence() {
    let two_parts = refusal(|parts| {
        let part = parts.mesh.parts[0].clone();
        parts.mesh.parts.push(part);
    });
    assert!(two_parts.contains("2 meshes"), "{two_parts}");
    let two_skins = refusal(|parts| {
        let binding = parts.bindings[1];
        parts.bindings.push(binding);
    });
    assert!(two_skins.contains("\"Middle\" is bound in two ways"), "{two_skins}");
    let no_underscore = refusal(|parts| parts.maps[0].attribute = "SOFT".to_string());
    assert!(no_underscore.contains("must begin with an underscore"));
    let not_finite = refusal(|parts| parts.mesh.normals[7].y = f32::NAN);
    assert!(not_finite.contains("NaN"), "{not_finite}");
    let light = refusal(|parts| {
        parts.skin = Influences::default();
        for _ in 0..parts.mesh.positions.len() {
            parts.skin.push([Influence { index: 0, weight: 0.5 }]);
        }
    });
    assert!(light.contains("vertex 0 sum to 0.5"), "{light}");
}

#[test]
fn what_is_written_is_read_back_and_can_be_written_again() {
    for name in names() {
        let made = character(name);
        let first = load_bytes(name, write_glb(made).unwrap(), None).unwrap();
        let second = load_bytes(name, write_glb(&first).unwrap(), None).unwrap();
        for read in [&first, &second] {
            assert_eq!(read.mesh.positions, made.mesh.positions, "{name}");
            assert_eq!(read.mesh.triangles, made.mesh.triangles, "{name}");
            assert_eq!(read.mesh.colors, made.mesh.colors, "{name}");
            assert_eq!(read.skeleton.bones, made.skeleton.bones, "{name}");
            assert!(read.notes.is_empty(), "{name}: {:?}", read.notes);
            let softness = |of: &Character| {
                of.maps.iter().find(|map| map.name == "softness").unwrap().values.clone()
            };
            assert_eq!(softness(read), softness(made), "{name}");
            // The loader normalises weights and orders them by joint.
            for (read, made) in read.skin.lists().zip(made.skin.lists()) {
                assert_eq!(read.len(), made.len());
                for influence in read {
                    let same = made.iter().find(|known| known.index == influence.index).unwrap();
                    assert!((same.weight - influence.weight).abs() < 1e-6);
                }
            }
            for (read, made) in read.clips.iter().zip(&made.clips) {
                assert_eq!((&read.name, read.tracks.len()), (&made.name, made.tracks.len()));
                for (read, made) in read.tracks.iter().zip(&made.tracks) {
                    assert_eq!(read.keys.times_secs, made.keys.times_secs);
                    assert_eq!(read.keys.values, made.keys.values);
                }
            }
        }
    }
}

/// `jounce characters -o examples` has been run since a character was changed.
#[test]
fn the_examples_are_what_the_code_makes() {
    for name in names() {
        let (example, made) = (built_in(name).unwrap(), character(name));
        assert_eq!(example.vertex_count(), made.vertex_count(), "{name}");
        // Not to the last bit: sine and cosine differ between machines.
        let positions = example.mesh.positions.iter().zip(&made.mesh.positions);
        let off = positions.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(off < 1e-4, "{name}: {off}");
    }
}
