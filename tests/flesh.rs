//! Flesh elements: they swing, they settle, and no vertex crosses its virtual bone.

mod support;

use glam::{DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::vm::Prepared;
use jounce::eval::{Bound, Moment, MomentParts, Parameters, PlayedMotion, Stepped, Timeline};
use jounce::graph::{CharacterSettings, Document, FleshCurve, FleshSetting};
use jounce::ir::Program;
use jounce::motion::{Ending, Playback, Player};
use jounce::rig::{Character, Clip, Interpolation, Keys, Property, Track, own};
use jounce::script::Library;
use std::path::Path;
use std::sync::OnceLock;
use support::random::Random;

fn cow() -> &'static Character {
    static COW: OnceLock<Character> = OnceLock::new();
    COW.get_or_init(|| own::built_in("cow").unwrap())
}

fn document(name: &str) -> Document {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    Document::load(folder.join(format!("{name}.jounce"))).unwrap().document
}

/// A style of flesh on the cow, played once.
struct Swing<'a> {
    program: Program,
    bound: Bound,
    parameters: Parameters,
    prepared: Prepared,
    timeline: Timeline,
    player: Player<'a>,
}

impl<'a> Swing<'a> {
    fn new(document: &Document, settings: &CharacterSettings, clip: &'a Clip) -> Swing<'a> {
        let compiled = compile(&document.style, &Library::built_in());
        assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
        let program = compiled.program;
        let bound = Bound::new(&program, cow(), settings).unwrap();
        assert!(bound.warnings.is_empty(), "{:?}", bound.warnings);
        let playback = Playback::once(clip.duration_secs());
        let prepared = Prepared::new(&program, &bound).unwrap();
        let timeline = Timeline::new(&program, &bound, Ending::Clamp, clip.duration_secs());
        Swing {
            parameters: Parameters::new(&program),
            prepared,
            timeline: timeline.unwrap().unwrap(),
            player: Player { character: cow(), clip, playback },
            program,
            bound,
        }
    }

    /// Where vertices are, and where plain skinning has them.
    fn at(&self, time_secs: f64) -> (Vec<Vec3>, Vec<Vec3>) {
        let player = self.player;
        let motion = PlayedMotion { player, time_secs };
        let mut moment = Moment::new(&MomentParts {
            character: cow(),
            program: &self.program,
            parameters: &self.parameters,
            pose: &player.pose(time_secs),
            motion: &motion,
            time_secs,
            base: None,
        });
        let (bound, parameters) = (&self.bound, &self.parameters);
        let stepped = Stepped { character: cow(), bound, parameters, played: &player };
        moment.recalled = self.timeline.recall(stepped, time_secs).unwrap();
        let deformed = self.prepared.deform(&self.bound, &moment).unwrap();
        (deformed.positions, deformed.skinned.positions)
    }

    /// The largest displacement, as a part of the size.
    fn largest(&self, time_secs: f64) -> f64 {
        let (deformed, skinned) = self.at(time_secs);
        support::scene::farthest(&deformed, &skinned) / self.bound.size
    }
}

fn track(node: usize, property: Property, width: usize, times: &[f32], values: Vec<f32>) -> Track {
    let keys =
        Keys { interpolation: Interpolation::Linear, width, times_secs: times.to_vec(), values };
    Track { node, property, keys }
}

/// The whole body is thrown about: jumps of up to several sizes, turns to anywhere, many times a second.
fn violent(random: &mut Random) -> Clip {
    let node = cow().skeleton.bones[0].node;
    let count = 12;
    let step = random.between(0.004, 0.2) as f32;
    let times: Vec<f32> = (0..count).map(|i| i as f32 * step).collect();
    let reach = random.between(0.0, 8.0);
    let (mut translations, mut rotations) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let v = DVec3::from_array([0; 3].map(|_| random.between(-reach, reach)));
        translations.extend(v.as_vec3().to_array());
        let q = [0; 4].map(|_| random.between(-1.0, 1.0));
        let q = glam::DQuat::from_array(q);
        let q = if q.length() > 0.1 { q.normalize() } else { glam::DQuat::IDENTITY };
        rotations.extend(q.as_quat().to_array());
    }
    Clip {
        name: "violent".to_owned(),
        tracks: vec![
            track(node, Property::Translation, 3, &times, translations),
            track(node, Property::Rotation, 4, &times, rotations),
        ],
    }
}

/// `JOUNCE_FLESH_MOTIONS=10000` for the whole.
fn motions() -> usize {
    std::env::var("JOUNCE_FLESH_MOTIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

#[test]
fn no_vertex_crosses_its_virtual_bone_however_violent_the_motion() {
    let document = document("flesh-belly");
    let settings = &document.characters["cow"];
    let mut random = Random::new(5);
    let mut nearest = f64::INFINITY;
    for _ in 0..motions() {
        let clip = violent(&mut random);
        let swing = Swing::new(&document, settings, &clip);
        let flesh = &swing.bound.flesh[0];
        for _ in 0..4 {
            let time_secs = random.between(0.0, clip.duration_secs() + 0.3);
            let (deformed, skinned) = swing.at(time_secs);
            let pose = swing.player.pose(time_secs);
            let origins: Vec<DVec3> =
                (0..cow().skeleton.bones.len()).map(|b| cow().bone_origin(&pose, b)).collect();
            let bone = flesh.virtual_bone(&origins);
            let direction = bone.direction().unwrap();
            let across = |p: Vec3| {
                let arm = p.as_dvec3() - bone.from;
                arm - direction * arm.dot(direction)
            };
            for &(vertex, _) in &flesh.weights {
                let (before, after) =
                    (across(skinned[vertex as usize]), across(deformed[vertex as usize]));
                let side = after.dot(before.normalize_or_zero()) / swing.bound.size;
                nearest = nearest.min(side);
                assert!(side > -1e-5, "{side} at {time_secs}");
            }
        }
    }
    println!("nearest to the bone: {nearest:.4} of the size");
}

#[test]
fn at_rest_without_weight_nothing_moves() {
    let document = document("flesh-belly");
    let still = Clip { name: "still".to_owned(), tracks: Vec::new() };
    let swing = Swing::new(&document, &document.characters["cow"], &still);
    for time_secs in [0.0, 0.3, 2.0] {
        assert_eq!(swing.largest(time_secs), 0.0);
    }
}

#[test]
fn the_belly_swings_and_settles_within_a_second() {
    let document = document("flesh-belly");
    let clip = cow().clips.iter().find(|clip| clip.name == "hop").unwrap();
    let swing = Swing::new(&document, &document.characters["cow"], clip);
    let end = clip.duration_secs();
    let frames = (0..(end * 60.0) as usize).map(|frame| swing.largest(frame as f64 / 60.0));
    let peak = frames.fold(0.0, f64::max);
    let after: Vec<f64> = [0.25, 0.5, 1.0].map(|secs| swing.largest(end + secs)).to_vec();
    println!("peak {peak:.4} of the size; 0.25, 0.5 and 1 s after the end {after:.5?}");
    assert!((0.03..=0.08).contains(&peak), "{peak}");
    assert!(after[2] < 0.002, "{after:?}");
}

#[test]
fn weight_lets_it_hang_as_far_as_it_says() {
    let mut document = document("flesh-belly");
    let graph = &mut document.style.graph;
    graph
        .nodes
        .get_mut("sag")
        .unwrap()
        .settings
        .insert("value".to_owned(), jounce::script::Setting::Float(0.02));
    let still = Clip { name: "still".to_owned(), tracks: Vec::new() };
    let swing = Swing::new(&document, &document.characters["cow"], &still);
    for time_secs in [0.0, 1.0] {
        let hang = swing.largest(time_secs);
        assert!((hang - 0.02).abs() < 1e-6, "{hang}");
    }
}

#[test]
fn several_elements_swing_each_by_itself() {
    let document = document("flesh-body");
    let settings = &document.characters["cow"];
    assert!(settings.flesh.len() >= 4);
    let clip = cow().clips.iter().find(|clip| clip.name == "hop").unwrap();
    let all = Swing::new(&document, settings, clip);
    assert_eq!(all.bound.flesh.len(), settings.flesh.len());
    let (together, skinned) = all.at(0.7);
    let mut sum = vec![Vec3::ZERO; skinned.len()];
    for (name, element) in &settings.flesh {
        let mut alone = settings.clone();
        alone.flesh = [(name.clone(), element.clone())].into();
        let (one, _) = Swing::new(&document, &alone, clip).at(0.7);
        let moved = one.iter().zip(&skinned).map(|(a, b)| *a - *b);
        sum.iter_mut().zip(moved).for_each(|(sum, moved)| *sum += moved);
    }
    let added: Vec<Vec3> = sum.iter().zip(&skinned).map(|(moved, p)| *p + *moved).collect();
    let off = support::scene::farthest(&added, &together) / all.bound.size;
    assert!(off < 1e-6, "{off}");
}

#[test]
fn what_is_wrong_with_an_element_is_said_and_the_rest_goes_on() {
    let document = document("flesh-belly");
    let compiled = compile(&document.style, &Library::built_in());
    let element = |driver: &str, driven: &[&str]| FleshSetting {
        driver: driver.to_owned(),
        driven: driven.iter().map(|bone| (*bone).to_owned()).collect(),
        ..FleshSetting::default()
    };
    let mut settings = CharacterSettings::default();
    settings.flesh.insert("good".to_owned(), element("Root", &["Neck"]));
    settings.flesh.insert("no driver".to_owned(), element("Bauch", &["Neck"]));
    settings.flesh.insert("no length".to_owned(), element("Root", &["Root"]));
    settings.flesh.insert("nothing driven".to_owned(), element("Root", &[]));
    let mapped = FleshSetting {
        map: Some("softnes".to_owned()),
        curve: FleshCurve::Points(vec![[f64::NAN, 2.0], [0.0, f64::INFINITY]]),
        thickness: f64::NAN,
        ..element("Root", &["Neck"])
    };
    settings.flesh.insert("odd".to_owned(), mapped);
    let bound = Bound::new(&compiled.program, cow(), &settings).unwrap();
    let text = bound.warnings.iter().map(|w| w.to_string() + "\n").collect::<String>();
    for part in ["Bauch", "no length", "no driven bones", "softnes", "did you mean \"softness\""] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(bound.flesh.iter().all(|flesh| flesh.reach.is_finite()));
    assert!(bound.bone_names.contains(&"good".to_owned()));
}
