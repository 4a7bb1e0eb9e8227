//! The styles in `examples/` on real characters.

use crate::support::scaled::scaled;
use crate::support::scene::examples;
use crate::support::shared::shared;
use glam::Vec3;
use jounce::compile::compile;
use jounce::eval::Performer;
use jounce::graph::Document;
use jounce::motion::Playback;
use jounce::rig::{Character, Clip, load, own};
use jounce::script::Library;
use std::sync::Arc;

fn style(name: &str) -> Document {
    let path = format!("{}/examples/{name}.jounce", env!("CARGO_MANIFEST_DIR"));
    Document::load(path).unwrap().document
}

/// Per frame at 24 a second: plain skinning and the deformed positions.
fn play(
    document: &Document,
    character: &Arc<Character>,
    key: &str,
    clip: &Clip,
) -> Vec<[Vec<Vec3>; 2]> {
    let compiled = compile(&document.style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    let program = compiled.program;
    let settings = document.characters.get(key).cloned().unwrap_or_default();
    let mut performer = Performer::new(program, character.clone(), &settings).unwrap();
    let duration_secs = clip.duration_secs();
    performer.play(Arc::new(clip.clone()), Playback::looped(duration_secs)).unwrap();
    let frame = |frame: usize| {
        let deformed = performer.deformed_at(frame as f64 / 24.0).unwrap();
        [deformed.skinned.positions, deformed.positions]
    };
    (0..(duration_secs * 24.0).round() as usize).map(frame).collect()
}

/// The largest displacement among the given part of vertices that are lowest, as a part of the size.
fn lowest_move(heights: &[Vec3], [plain, deformed]: &[Vec<Vec3>; 2], size: f64) -> f64 {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|a, b| heights[*a].y.total_cmp(&heights[*b].y));
    let lowest = &order[..(heights.len() * 3).div_ceil(100)];
    let moves = lowest.iter().map(|&v| f64::from((deformed[v] - plain[v]).length()));
    moves.fold(0.0, f64::max) / size
}

/// The largest displacement of the vertices that a bone whose name contains one of the words moves
/// most, over all frames, as a part of the size.
fn part_move(character: &Character, words: &[&str], frames: &[[Vec<Vec3>; 2]]) -> f64 {
    let named = |bone: usize| {
        let name = character.skeleton.bone_name(bone).to_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    let mut most: f64 = 0.0;
    for vertex in 0..character.vertex_count() {
        let strongest =
            character.skin.of(vertex).iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
        let bone = strongest.map(|s| character.bindings[s.index as usize].bone);
        if bone.is_some_and(named) {
            for [plain, deformed] in frames {
                most = most.max((deformed[vertex] - plain[vertex]).length().into());
            }
        }
    }
    most / character.size()
}

#[test]
fn the_default_style_holds_the_feet_and_lets_ears_tails_and_heads_lag() {
    let document = style("default");
    let cases: [(&str, &str, &[&str]); 3] = [
        ("characters/Fox.glb", "Run", &["tail", "head"]),
        ("characters/CesiumMan.glb", "", &["neck", "head"]),
        ("characters/humanoid.gltf", "Run", &["head"]),
    ];
    for (file, clip, parts) in cases {
        let Some(path) = shared(file) else { continue };
        let character = Arc::new(load::load_file(&path).unwrap());
        let named = character.clips.iter().find(|c| c.name.contains(clip));
        let clip = named.unwrap_or(&character.clips[0]);
        let frames = play(&document, &character, "", clip);
        let size = character.size();
        let at_rest = &character.rest().positions;
        let by_rest = frames.iter().map(|f| lowest_move(at_rest, f, size)).fold(0.0, f64::max);
        let by_now = frames.iter().map(|f| lowest_move(&f[0], f, size)).fold(0.0, f64::max);
        let loose = part_move(&character, parts, &frames);
        println!("{file} {}: feet {by_rest:.4} {by_now:.4}, {parts:?} {loose:.3}", clip.name);
        assert!(by_rest < 0.01 && by_now < 0.01, "{file}: {by_rest} {by_now}");
        assert!(loose > 0.02, "{file}: {loose}");
    }
}

#[test]
fn every_example_is_written_as_jounce_would_save_it() {
    for file in examples() {
        let text = std::fs::read_to_string(&file).unwrap();
        let saved = Document::load(&file).unwrap().document.to_text().unwrap();
        if std::env::var_os("JOUNCE_BLESS").is_some() {
            std::fs::write(&file, &saved).unwrap();
        } else {
            assert!(text == saved, "{} (JOUNCE_BLESS=1 rewrites it)", file.display());
        }
    }
}

#[test]
fn every_example_compiles_and_its_own_character_moves_with_it() {
    for file in examples() {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let document = style(&name);
        let Some(key) = document.motion.character.clone() else { continue };
        let character = Arc::new(own::built_in(&key).unwrap());
        let wanted = document.motion.clip.clone().unwrap();
        let clip = character.clips.iter().find(|clip| clip.name == wanted);
        let clip = clip.unwrap_or_else(|| panic!("{name}: no clip {wanted}"));
        let frames = play(&document, &character, &key, clip);
        let size = character.size();
        let mut most: f64 = 0.0;
        for [plain, deformed] in &frames {
            for (p, d) in plain.iter().zip(deformed) {
                assert!(d.is_finite());
                most = most.max(f64::from((*d - *p).length()) / size);
            }
        }
        println!("{name} on {key} {wanted}: moves up to {most:.3} of the size");
        assert!((0.005..0.8).contains(&most), "{name}: {most}");
    }
}

#[test]
fn scaling_a_character_scales_the_result_and_nothing_else() {
    let cases = [
        ("default", "cow"),
        ("cow-bouncy", "cow"),
        ("dragon-whip", "dragon"),
        ("jelly-wobble", "tube"),
        ("speed-smear", "tube"),
    ];
    for (name, key) in cases {
        let document = style(name);
        let character = Arc::new(own::built_in(key).unwrap());
        let one = play(&document, &character, key, &character.clips[0]);
        // Powers of two change no digit; with others the maps' rays may graze another triangle.
        for (factor, bar) in [(0.01, 1e-4), (100.0, 1e-4), (1.0 / 128.0, 1e-7), (128.0, 1e-7)] {
            let other = Arc::new(scaled(&character, factor));
            let frames = play(&document, &other, key, &other.clips[0]);
            let mut worst: f64 = 0.0;
            for (one, other) in one.iter().zip(&frames) {
                for (a, b) in one[1].iter().zip(&other[1]) {
                    let difference = (a.as_dvec3() - b.as_dvec3() / factor).length();
                    worst = worst.max(difference / character.size());
                }
            }
            println!("{name} at {factor}: {worst:.1e} of the size");
            assert!(worst < bar, "{name} at {factor}: {worst}");
        }
    }
}

/// Whoever opens one in the editor sees it move, and it does not stop after a second.
#[test]
fn every_example_plays_on_and_on() {
    for file in examples() {
        let document = Document::load(&file).unwrap().document;
        assert!(document.motion.looped, "{}", file.display());
    }
}
