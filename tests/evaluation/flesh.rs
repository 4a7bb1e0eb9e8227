//! Flesh elements: they swing, they settle, and no vertex crosses its virtual bone.

use crate::support::random::Random;
use glam::{DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::vm::Prepared;
use jounce::eval::{Bound, Moment, Parameters, PlayedMotion, Playing, Setup, Timeline};
use jounce::graph::{CharacterSettings, Document, FleshCurve, FleshSetting};
use jounce::ir::Program;
use jounce::motion::{Playback, Player};
use jounce::rig::{Character, Clip, Interpolation, Keys, Property, Track, own};
use jounce::script::Library;
use std::path::Path;
use std::sync::OnceLock;

fn cow() -> &'static Character {
    static COW: OnceLock<Character> = OnceLock::new();
    COW.get_or_init(|| own::built_in("cow").unwrap())
}

fn document(name: &str) -> Document {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    Document::load(folder.join(format!("{name}.jounce"))).unwrap().document
}

/// A style of flesh on a character, played once.
struct Swing<'a> {
    character: &'a Character,
    program: Program,
    bound: Bound,
    parameters: Parameters,
    prepared: Prepared,
    timeline: Timeline,
    player: Player<'a>,
}

impl<'a> Swing<'a> {
    /// On the cow.
    fn new(document: &Document, settings: &CharacterSettings, clip: &'a Clip) -> Swing<'a> {
        Swing::of(cow(), document, settings, clip)
    }

    fn of(
        character: &'a Character,
        document: &Document,
        settings: &CharacterSettings,
        clip: &'a Clip,
    ) -> Swing<'a> {
        Swing::played(character, document, settings, clip, Playback::once(clip.duration_secs()))
    }

    fn played(
        character: &'a Character,
        document: &Document,
        settings: &CharacterSettings,
        clip: &'a Clip,
        playback: Playback,
    ) -> Swing<'a> {
        let compiled = compile(&document.style, &Library::built_in());
        assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
        let program = compiled.program;
        let bound = Bound::new(&program, character, settings).unwrap();
        assert!(bound.warnings.is_empty(), "{:?}", bound.warnings);
        let prepared = Prepared::new(&program, &bound).unwrap();
        let player = Player { character, clip, playback };
        let timeline = Timeline::new(&program, &bound, &player);
        Swing {
            parameters: Parameters::new(&program),
            prepared,
            timeline: timeline.unwrap().unwrap(),
            player,
            character,
            program,
            bound,
        }
    }

    /// Where vertices are, and where plain skinning has them.
    fn at(&self, time_secs: f64) -> (Vec<Vec3>, Vec<Vec3>) {
        let player = self.player;
        let motion = PlayedMotion { player, time_secs };
        let mut moment = Moment::new(
            Setup::new(&self.program, self.character, &self.bound),
            &self.parameters,
            &player.pose(time_secs),
            &motion,
            time_secs,
        );
        let (bound, parameters) = (&self.bound, &self.parameters);
        let stepped = Playing {
            setup: Setup::new(&self.program, self.character, bound),
            parameters,
            played: &player,
        };
        moment.snapshot = self.timeline.recall(stepped, time_secs).unwrap();
        let deformed = self.prepared.deform(&self.bound, &moment).unwrap();
        (deformed.positions, deformed.skinned.positions)
    }

    /// The largest displacement, as a part of the size.
    fn largest(&self, time_secs: f64) -> f64 {
        let (deformed, skinned) = self.at(time_secs);
        crate::support::scene::farthest(&deformed, &skinned) / self.bound.size
    }
}

fn track(node: usize, property: Property, width: usize, times: &[f32], values: Vec<f32>) -> Track {
    let keys =
        Keys { interpolation: Interpolation::Linear, width, times_secs: times.to_vec(), values };
    Track { node, property, keys }
}

/// The whole body is thrown about: jumps of up to several sizes, turns to anywhere, many times a second;
/// all other bones bend to and fro by up to so many radians.
fn violent(random: &mut Random, most_bend: f64) -> Clip {
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
    let mut tracks = vec![
        track(node, Property::Translation, 3, &times, translations),
        track(node, Property::Rotation, 4, &times, rotations),
    ];
    for bone in &cow().skeleton.bones[1..] {
        let rest = cow().skeleton.nodes[bone.node].rest.rotation;
        let bend = |_: usize| {
            let axis = DVec3::from_array([0; 3].map(|_| random.between(-1.0, 1.0)));
            let angle = random.between(0.0, most_bend);
            let turn = glam::DQuat::from_scaled_axis(axis.normalize_or_zero() * angle);
            (rest * turn).as_quat().to_array()
        };
        let rotations = (0..count).flat_map(bend).collect();
        tracks.push(track(bone.node, Property::Rotation, 4, &times, rotations));
    }
    Clip { name: "violent".to_owned(), tracks }
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
    for motion in 0..motions() {
        // Bends of more than this fold the body onto its own bone.
        let clip = violent(&mut random, [0.3, 0.8, 1.5][motion % 3]);
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
                assert!(side > -1e-6, "{side} at {time_secs}");
            }
        }
    }
    println!("nearest to the bone: {nearest:.4} of the size");
}

/// A walk of a tenth of a size that begins again where it began: that it is put back is no motion.
#[test]
fn a_loop_that_walks_away_has_no_seam() {
    let document = document("flesh-belly");
    let node = cow().skeleton.bones[0].node;
    let size = cow().size();
    let (count, duration_secs) = (41, 1.0);
    let times: Vec<f32> =
        (0..count).map(|i| (f64::from(i) / 40.0 * duration_secs) as f32).collect();
    let rest = cow().skeleton.nodes[node].rest.translation;
    let at = |&secs: &f32| {
        let bob = 0.05 * (std::f64::consts::TAU * f64::from(secs)).sin();
        (rest + DVec3::new(0.1 * f64::from(secs), bob, 0.0) * size).as_vec3().to_array()
    };
    let places = times.iter().flat_map(at).collect();
    let tracks = vec![track(node, Property::Translation, 3, &times, places)];
    let clip = Clip { name: "walk".to_owned(), tracks };
    let playback = Playback::looped(duration_secs);
    let swing = Swing::played(cow(), &document, &document.characters["cow"], &clip, playback);
    let moved = |time_secs: f64| -> Vec<Vec3> {
        let (deformed, skinned) = swing.at(time_secs);
        deformed.iter().zip(&skinned).map(|(a, b)| *a - *b).collect()
    };
    let change = |time_secs: f64| {
        crate::support::scene::farthest(&moved(time_secs), &moved(time_secs + 1.0 / 240.0)) / size
    };
    let usual = (0..100).map(|i| change(f64::from(i) * 0.0095)).fold(0.0, f64::max);
    let at_the_seam = (-4..4).map(|i| change(duration_secs + (f64::from(i) + 0.5) / 240.0));
    let at_the_seam = at_the_seam.fold(0.0, f64::max);
    println!("from step to step {usual:.5}, across the seam {at_the_seam:.5} of the size");
    assert!(usual > 1e-4, "{usual}");
    assert!(at_the_seam <= usual, "{at_the_seam} {usual}");
    assert!(!swing.timeline.has_seam());
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
    set(&mut document, "sag", 0.02);
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
        alone.bone_values.values_mut().for_each(|set| set.retain(|known, _| known == name));
        let (one, _) = Swing::new(&document, &alone, clip).at(0.7);
        let moved = one.iter().zip(&skinned).map(|(a, b)| *a - *b);
        sum.iter_mut().zip(moved).for_each(|(sum, moved)| *sum += moved);
    }
    let added: Vec<Vec3> = sum.iter().zip(&skinned).map(|(moved, p)| *p + *moved).collect();
    let off = crate::support::scene::farthest(&added, &together) / all.bound.size;
    assert!(off < 1e-6, "{off}");
}

fn set(document: &mut Document, parameter: &str, value: f64) {
    let node = document.style.graph.nodes.get_mut(parameter).unwrap();
    node.settings.insert("value".to_owned(), jounce::script::Setting::Float(value));
}

#[test]
fn each_element_can_have_a_number_of_its_own_by_its_name() {
    let document = document("flesh-body");
    let mut settings = document.characters["cow"].clone();
    let clip = cow().clips.iter().find(|clip| clip.name == "hop").unwrap();
    let with = Swing::new(&document, &settings, clip).at(0.95).0;
    settings.bone_values.get_mut("firmness").unwrap().get_mut("udder").unwrap().value *= 2.0;
    let firmer = Swing::new(&document, &settings, clip);
    let without = firmer.at(0.95).0;
    let udder = firmer.bound.element_named("udder").unwrap();
    let weights = &firmer.bound.flesh[udder].weights;
    let mut is_udder = vec![false; with.len()];
    weights.iter().for_each(|(vertex, _)| is_udder[*vertex as usize] = true);
    let moved: Vec<f32> = with.iter().zip(&without).map(|(a, b)| a.distance(*b)).collect();
    let of = |wanted: bool| {
        let chosen = moved.iter().zip(&is_udder).filter(|(_, is_udder)| **is_udder == wanted);
        chosen.map(|(moved, _)| *moved).fold(0.0, f32::max)
    };
    assert!(of(true) > 0.02, "{}", of(true));
    assert_eq!(of(false), 0.0);
    // A name that is neither is said to be none.
    let typo = settings.bone_values["firmness"]["udder"];
    settings.bone_values.get_mut("firmness").unwrap().insert("uder".to_owned(), typo);
    let program = compile(&document.style, &Library::built_in()).program;
    let bound = Bound::new(&program, cow(), &settings).unwrap();
    let said = bound.warnings.iter().map(ToString::to_string).collect::<String>();
    assert!(said.contains("no bone \"uder\" (did you mean \"udder\"?)"), "{said}");
}

#[test]
fn every_part_of_the_body_moves_so_that_it_is_seen() {
    let document = document("flesh-body");
    let settings = &document.characters["cow"];
    let clip = cow().clips.iter().find(|clip| clip.name == "hop").unwrap();
    for (name, element) in &settings.flesh {
        let mut alone = settings.clone();
        alone.flesh = [(name.clone(), element.clone())].into();
        alone.bone_values.values_mut().for_each(|set| set.retain(|known, _| known == name));
        let swing = Swing::new(&document, &alone, clip);
        let frames = (0..48).map(|frame| swing.largest(f64::from(frame) / 24.0));
        let peak = frames.fold(0.0, f64::max);
        println!("{name}: {peak:.3} of the size");
        assert!((0.04..0.2).contains(&peak), "{name}: {peak}");
    }
}

#[test]
fn the_mushroom_hangs_by_its_weight_moves_and_settles_as_a_mushroom() {
    let mushroom = own::built_in("mushroom").unwrap();
    let mut document = document("mushroom");
    let settings = document.characters["mushroom"].clone();
    let still = Clip { name: "still".to_owned(), tracks: Vec::new() };
    let brim = |positions: &[Vec3]| {
        let far = positions.iter().filter(|p| p.x.hypot(p.z) > 0.5);
        far.map(|p| p.y).fold(f32::INFINITY, f32::min)
    };
    // The moon, the earth, Jupiter.
    let hangs = [0.007, 0.04, 0.1].map(|sag| {
        set(&mut document, "sag", sag);
        let (hanging, plain) = Swing::of(&mushroom, &document, &settings, &still).at(0.0);
        brim(&plain) - brim(&hanging)
    });
    println!("the brim hangs by {hangs:?}");
    assert!(hangs[0] > 0.005 && hangs[1] > 5.0 * hangs[0] && hangs[2] > 2.0 * hangs[1]);

    let hop = mushroom.clips.iter().find(|clip| clip.name == "hop").unwrap();
    for sag in [0.007, 0.04, 0.1] {
        set(&mut document, "sag", sag);
        let swing = Swing::of(&mushroom, &document, &settings, hop);
        let end = hop.duration_secs();
        let frames = (0..(end * 30.0) as usize).map(|frame| frame as f64 / 30.0);
        let mut peak: f64 = 0.0;
        for time_secs in frames {
            let (deformed, skinned) = swing.at(time_secs);
            let foot = skinned.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
            // The cap never swallows the stalk, nor turns inside out.
            let above = brim(&deformed) - foot;
            assert!((0.2..1.4).contains(&above), "sag {sag} at {time_secs}: {above}");
            peak = peak.max(swing.largest(time_secs));
        }
        let rest = swing.largest(end + 30.0);
        let settled = (swing.largest(end + 1.5) - rest).abs();
        println!("sag {sag}: peak {peak:.3}, at rest {rest:.3}, 1.5 s later off by {settled:.4}");
        assert!(peak > rest + 0.04, "sag {sag}: {peak} {rest}");
        assert!((rest - sag).abs() < 1e-3 && settled < 0.004, "sag {sag}: {rest} {settled}");
    }
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
