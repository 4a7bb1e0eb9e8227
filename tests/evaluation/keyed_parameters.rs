//! Amounts over time: a keyed parameter is a slider that stands where its curve is, at every moment and in every
//! step of what nodes remember, however the moment is asked for.

use crate::support::scene::Scene;
#[cfg(feature = "gpu")]
use crate::support::scene::farthest;
use glam::Vec3;
use jounce::eval::keyed_value::{
    ClipKeys, KeyInterpolation, KeyNumber, KeyedValue, MotionKeys, ValueKey,
};
use jounce::eval::{
    KeyWarning, Moment, Parameters, Performer, PlayedMotion, Setup, StateSnapshot, Stepper,
};
use jounce::graph::{CharacterSettings, Document, built_in_style};
use jounce::ir::Number;
use jounce::motion::live::Jump;
use jounce::motion::{Ending, Playback};
use jounce::rig::own;
use std::sync::Arc;

use KeyInterpolation::{Linear, Smooth, Step};

fn curve(keys: &[(f64, f64, KeyInterpolation)]) -> KeyedValue {
    let key = |&(time_secs, value, interpolation): &(f64, f64, KeyInterpolation)| ValueKey {
        time_secs,
        value: KeyNumber::Float(value),
        interpolation,
    };
    KeyedValue { keys: keys.iter().map(key).collect() }
}

/// Of a style that remembers: its amounts, and what its memory itself is made of.
fn keys() -> ClipKeys {
    ClipKeys::from([
        ("floppy".to_owned(), curve(&[(0.1, 0.9, Smooth), (0.4, 0.0, Smooth), (0.8, 0.5, Linear)])),
        ("decay".to_owned(), curve(&[(0.2, 0.2, Linear), (0.7, 1.4, Smooth)])),
        ("frequency".to_owned(), curve(&[(0.0, 2.0, Step), (0.5, 3.5, Step)])),
    ])
}

struct Stage {
    scene: Scene,
    settings: CharacterSettings,
}

impl Stage {
    fn new(style: &str) -> Stage {
        let document: Document = built_in_style(style).unwrap();
        let name = document.motion.character.clone().unwrap();
        let settings = document.characters.get(&name).cloned().unwrap_or_default();
        Stage { scene: Scene::new(&document, own::built_in(&name).unwrap(), &settings), settings }
    }

    fn performer(&self, playback: Playback, keys: &ClipKeys) -> Performer {
        let mut performer = self.scene.performer(&self.settings);
        let keys = MotionKeys::from([(self.scene.clip.name.clone(), keys.clone())]);
        performer.set_keys(Arc::new(keys));
        performer.play(performer.clip().clone(), playback).unwrap();
        assert_eq!(performer.key_warnings(), []);
        performer
    }

    fn duration_secs(&self) -> f64 {
        self.scene.clip.duration_secs()
    }

    fn playbacks(&self) -> [Playback; 3] {
        let looped = Playback::looped(self.duration_secs());
        let reversed = Playback { reversed: true, ..looped };
        [Playback::once(self.duration_secs()), looped, reversed]
    }

    /// Sliders as keys have them at a time, worked out here.
    fn sliders(&self, playback: Playback, keys: &ClipKeys, time_secs: f64) -> Parameters {
        let mut parameters = self.scene.parameters.clone();
        let round_secs = (playback.ending == Ending::Loop).then_some(playback.duration_secs);
        let clip_secs = playback.clip_time_secs(time_secs).clamp(0.0, playback.duration_secs);
        for (name, keyed) in keys {
            let KeyNumber::Float(x) = keyed.at(clip_secs, round_secs).unwrap() else { panic!() };
            parameters.set(&self.scene.program, name, Number::Float(x)).unwrap();
        }
        parameters
    }
}

fn positions(performer: &Performer, time_secs: f64) -> Vec<Vec3> {
    let mut positions = Vec::new();
    performer.positions_into(time_secs, &mut positions).unwrap();
    positions
}

#[test]
fn a_keyed_amount_is_a_slider_that_moves_and_nothing_is_made_anew() {
    let stage = Stage::new("velocity-skinning");
    let amounts = ClipKeys::from([
        ("floppy".to_owned(), curve(&[(0.2, 0.0, Smooth), (0.5, 0.8, Linear), (0.9, 0.1, Step)])),
        // By its path; below what it may be, and limited to that.
        ("max-angle.value".to_owned(), curve(&[(0.0, 20.0, Linear), (0.6, 60.0, Linear)])),
    ]);
    let nodes = &stage.scene.program.tables.parameters;
    assert!(nodes.iter().any(|it| it.node == "max-angle"), "{nodes:?}");
    for playback in stage.playbacks() {
        let mut keyed = stage.performer(playback, &amounts);
        let bound: *const _ = keyed.bound();
        let mut still = stage.performer(playback, &ClipKeys::default());
        let mut moved = 0;
        for frame in 0..60 {
            let time_secs = f64::from(frame) * 0.037 - 0.1;
            let found = positions(&keyed, time_secs);
            moved += usize::from(found != positions(&still, time_secs));
            let mut slid = stage.scene.performer(&stage.settings);
            slid.play(slid.clip().clone(), playback).unwrap();
            slid.set_parameters(stage.sliders(playback, &amounts, time_secs));
            assert!(found == positions(&slid, time_secs), "{playback:?} {time_secs}");
        }
        assert!(moved > 30, "{moved}");
        // Sliders under keys do not matter, and without keys they do.
        let mut other = Parameters::new(&stage.scene.program);
        for name in ["floppy", "max angle"] {
            other.set(&stage.scene.program, name, Number::Float(0.123)).unwrap();
        }
        let before = positions(&keyed, 0.3);
        keyed.set_parameters(other.clone());
        still.set_parameters(other);
        assert!(positions(&keyed, 0.3) == before);
        keyed.set_keys(Arc::default());
        assert!(positions(&keyed, 0.3) == positions(&still, 0.3));
        assert!(std::ptr::eq(bound, keyed.bound()), "nothing was bound anew");
    }
}

#[test]
fn scrubbing_playing_and_baking_at_any_rate_are_the_same_bits() {
    for style in ["cartoon", "oscillation", "flesh-body"] {
        let stage = Stage::new(style);
        let keys = match style {
            "flesh-body" => ClipKeys::from([
                ("sag".to_owned(), curve(&[(0.1, 0.0, Smooth), (0.6, 0.08, Smooth)])),
                ("frequency".to_owned(), curve(&[(0.0, 1.5, Step), (0.3, 3.0, Linear)])),
            ]),
            _ => keys(),
        };
        for playback in stage.playbacks() {
            // All times of 24, 60 and 240 frames per second: many are of all three.
            let fps = [24, 60, 240];
            let frames = |fps: i32| (0..fps * 5 / 4).map(move |f| f64::from(f) / f64::from(fps));
            let mut known: Vec<(u64, Vec<Vec3>)> = Vec::new();
            for fps in fps {
                let played = stage.performer(playback, &keys);
                for time_secs in frames(fps).step_by(if fps == 240 { 5 } else { 1 }) {
                    known.push((time_secs.to_bits(), positions(&played, time_secs)));
                }
            }
            known.sort_by_key(|(time, _)| *time);
            for pair in known.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
                assert!(pair[0].1 == pair[1].1, "{style} at {}", f64::from_bits(pair[0].0));
            }
            let scrubbed = stage.performer(playback, &keys);
            for step in 0..known.len() {
                let (time, expected) = &known[(step * 37) % known.len()];
                let time_secs = f64::from_bits(*time);
                assert!(positions(&scrubbed, time_secs) == *expected, "{style} {time_secs}");
            }
            let plain = stage.performer(playback, &ClipKeys::default());
            let is_other =
                |(time, it): &&(u64, Vec<Vec3>)| positions(&plain, f64::from_bits(*time)) != *it;
            assert!(known.iter().filter(is_other).count() > known.len() / 2, "{style}");
        }
    }
}

/// Every step by hand, with sliders where keys are at its end.
#[test]
fn what_is_remembered_is_stepped_with_the_amounts_of_each_step() {
    let stage = Stage::new("cartoon");
    let keys = keys();
    let playback = Playback::once(stage.duration_secs());
    let performer = stage.performer(playback, &keys);
    let (setup, player) = (performer.setup(), performer.player());
    let stepper = Stepper::new(setup.program, setup.bound).unwrap();
    let setup = Setup { program: stepper.program(), ..setup };
    let grid_secs = 1.0 / 240.0;
    let mut states = Arc::default();
    for step in -1..40 {
        let time_secs = f64::from(step) * grid_secs;
        let (pose, motion) = (player.pose(time_secs), PlayedMotion { player, time_secs });
        let sliders = stage.sliders(playback, &keys, time_secs);
        assert!(!sliders.are_keyed());
        let mut moment = Moment::of_bones(setup, &sliders, &pose, &motion, time_secs);
        if step == -1 {
            states = Arc::new(stepper.start(setup.bound, &mut moment).unwrap().states);
            continue;
        }
        moment.snapshot = StateSnapshot {
            since_step_secs: grid_secs,
            grid_secs,
            states: states.clone(),
            record: Arc::default(),
            newest_step: i64::from(step) - 1,
        };
        states = Arc::new(stepper.step(setup.bound, &moment).unwrap().states);
        let asked_secs = time_secs + 0.4 * grid_secs;
        let found = performer.with_moment(asked_secs, |it| Ok(it.snapshot.states.clone())).unwrap();
        assert_eq!(found, states, "after step {step}");
    }
}

#[test]
fn each_of_a_crowd_has_the_amounts_of_its_own_time() {
    for style in ["velocity-skinning", "cartoon"] {
        let stage = Stage::new(style);
        let amounts = ClipKeys::from([(
            "floppy".to_owned(),
            curve(&[(0.1, 0.9, Smooth), (0.6, 0.0, Smooth)]),
        )]);
        let playback = Playback::looped(stage.duration_secs());
        let performer = stage.performer(playback, &amounts);
        let offsets: Vec<f64> = (0..9).map(|it| f64::from(it) * 0.11).collect();
        let mut crowd = Vec::new();
        performer.crowd_into(0.2, &offsets, Default::default(), &mut crowd).unwrap();
        for (member, offset) in crowd.iter().zip(&offsets) {
            let time_secs = playback.in_first_round_secs(0.2 + offset);
            assert!(member.positions == positions(&performer, time_secs), "{style} {offset}");
        }
    }
}

#[test]
fn while_a_key_is_dragged_play_goes_on_and_then_is_exact() {
    let stage = Stage::new("cartoon");
    let playback = Playback::looped(stage.duration_secs());
    let mut dragged = stage.performer(playback, &keys());
    positions(&dragged, 0.5);
    let mut moved = keys();
    moved.insert("decay".to_owned(), curve(&[(0.3, 1.0, Smooth), (0.6, 0.3, Smooth)]));
    let by_clip = MotionKeys::from([(stage.scene.clip.name.clone(), moved.clone())]);
    dragged.set_keys(Arc::new(by_clip));
    assert!(positions(&dragged, 0.51).iter().all(|p| p.is_finite()));
    let start = std::time::Instant::now();
    while !dragged.is_exact() {
        assert!(start.elapsed().as_secs() < 60, "the background ends");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let fresh = stage.performer(playback, &moved);
    for time_secs in [0.51, 0.1, 0.9] {
        assert!(positions(&dragged, time_secs) == positions(&fresh, time_secs), "{time_secs}");
    }
}

/// Keys are of a clip by its name; of a puppet they are read at the time that it is told.
#[test]
fn another_clip_has_its_own_keys_and_a_puppet_reads_them_where_it_is_told() {
    let stage = Stage::new("velocity-skinning");
    let amounts =
        ClipKeys::from([("floppy".to_owned(), curve(&[(0.0, 0.0, Linear), (0.5, 1.0, Linear)]))]);
    let playback = Playback::once(stage.duration_secs());
    let mut performer = stage.performer(playback, &amounts);
    let value = |performer: &Performer, time_secs: f64| {
        let at = performer.with_moment(time_secs, |moment| Ok(moment.parameters.clone())).unwrap();
        at.get(&stage.scene.program, "floppy").unwrap()
    };
    assert_eq!(value(&performer, 0.25), Number::Float(0.5));
    let mut puppet = performer.puppet(0.05, Jump::Reset).unwrap();
    let mut of_puppet = |clock_secs: f64, clip_secs: Option<f64>| {
        clip_secs.into_iter().for_each(|secs| puppet.read_keys_at(secs));
        let pose = performer.pose(0.1);
        let at = |moment: &Moment| Ok(moment.parameters.clone());
        let at = puppet.with_moment(&performer, &pose, clock_secs, at).unwrap();
        at.get(&stage.scene.program, "floppy").unwrap()
    };
    assert_eq!(of_puppet(0.125, None), Number::Float(0.25), "at its own clock");
    assert_eq!(of_puppet(7.0, Some(0.4)), Number::Float(0.8));
    let pose = performer.pose(0.25);
    let still = vec![jounce::motion::BoneMotion::ZERO; stage.scene.character.skeleton.bones.len()];
    let at = |moment: &Moment| Ok(moment.parameters.clone());
    let frozen = performer.with_frozen_pose(&pose, 0.25, &still, at).unwrap();
    assert_eq!(frozen.get(&stage.scene.program, "floppy"), Some(Number::Float(0.5)));
    let other = stage.scene.character.clips.iter().find(|it| it.name != stage.scene.clip.name);
    performer.play(Arc::new(other.unwrap().clone()), playback).unwrap();
    let set = Parameters::new(&stage.scene.program).get(&stage.scene.program, "floppy");
    assert_eq!(Some(value(&performer, 0.25)), set);
}

#[test]
fn keys_that_cannot_be_followed_are_left_out_and_said() {
    let stage = Stage::new("velocity-skinning");
    let program = &stage.scene.program;
    let vector = KeyedValue {
        keys: vec![ValueKey {
            time_secs: 0.0,
            value: KeyNumber::Vec3([1.0, 2.0, 3.0]),
            interpolation: Linear,
        }],
    };
    let keys = ClipKeys::from([
        ("nobody".to_owned(), curve(&[(0.0, 1.0, Smooth)])),
        ("floppy".to_owned(), vector),
        ("squash".to_owned(), curve(&[(0.5, 1.0, Smooth), (0.1, 1.0, Smooth)])),
        ("max angle".to_owned(), curve(&[(0.0, 1e13, Smooth)])),
    ]);
    let usual = Parameters::new(program);
    let (bound, warnings) = usual.with_keys(program, &keys, Playback::once(1.0));
    let name = |name: &str| name.to_owned();
    let expected = [
        KeyWarning::Type { name: name("floppy") },
        KeyWarning::Faulty { name: name("max angle") },
        KeyWarning::Unknown { name: name("nobody") },
        KeyWarning::Faulty { name: name("squash") },
    ];
    assert_eq!(warnings, expected);
    assert!(!bound.are_keyed() && bound == usual);
}

#[test]
fn before_the_start_and_at_times_that_are_no_numbers_keys_are_as_at_the_start() {
    let stage = Stage::new("cartoon");
    let program = &stage.scene.program;
    let usual = Parameters::new(program);
    for playback in [Playback::once(1.0), Playback::looped(0.0)] {
        let (keyed, warnings) = usual.with_keys(program, &keys(), playback);
        assert_eq!(warnings, []);
        let at_start = keyed.at(0.0);
        assert_ne!(at_start, usual, "keys matter");
        for time_secs in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e300] {
            assert_eq!(keyed.at(time_secs), at_start, "{playback:?} {time_secs}");
        }
        assert_eq!(keyed.at(1e300), keyed.at(playback.duration_secs), "{playback:?}");
    }
}

/// Names in another case and paths mean the same parameter: one of them is followed, the one that is shown first.
#[test]
fn a_parameter_that_is_keyed_under_two_names_has_the_keys_of_one_and_that_is_said() {
    let stage = Stage::new("velocity-skinning");
    let program = &stage.scene.program;
    let place = program.parameters_named("floppy")[0];
    let path = program.tables.parameters[place].path();
    let still = |x: f64| curve(&[(0.0, x, Linear)]);
    let usual = Parameters::new(program);
    let followed = |names: &[&str]| {
        let keys = names.iter().enumerate();
        let keys = keys.map(|(at, name)| ((*name).to_owned(), still(0.1 * (at + 1) as f64)));
        let (keyed, warnings) = usual.with_keys(program, &keys.collect(), Playback::once(1.0));
        (keyed.at(0.5).get(program, "floppy").unwrap(), warnings)
    };
    let twice = |name: &str, other: &str| KeyWarning::Twice {
        name: name.to_owned(),
        other: other.to_owned(),
    };
    let (value, warnings) = followed(&["FLOPPY", "floppy", &path, "Floppy"]);
    assert_eq!(value, Number::Float(0.2));
    let expected = [twice("FLOPPY", "floppy"), twice("Floppy", "floppy"), twice(&path, "floppy")];
    assert_eq!(warnings, expected);
    let (value, warnings) = followed(&["FLOPPY", &path]);
    assert_eq!((value, warnings), (Number::Float(0.2), vec![twice("FLOPPY", &path)]));
    assert_eq!(followed(&[&path]), (Number::Float(0.1), Vec::new()));
}

#[cfg(feature = "gpu")]
#[test]
fn the_gpu_follows_keys_like_the_cpu_and_each_of_a_crowd_its_own() {
    use jounce::gpu::eval::{GpuEvaluator, skinning_kind};
    let Some(gpu) = crate::support::gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    for style in ["velocity-skinning", "cartoon"] {
        let stage = Stage::new(style);
        let amounts = ClipKeys::from([(
            "floppy".to_owned(),
            curve(&[(0.1, 0.9, Smooth), (0.6, 0.0, Smooth)]),
        )]);
        let playback = Playback::looped(stage.duration_secs());
        let performer = stage.performer(playback, &amounts);
        let (program, bound) = (performer.program(), performer.bound());
        let offsets: Vec<f64> = (0..7).map(|it| f64::from(it) * 0.13).collect();
        let mut on_cpu = Vec::new();
        performer.crowd_into(0.1, &offsets, Default::default(), &mut on_cpu).unwrap();
        let pipelines = evaluator.pipeline_count();
        performer
            .with_crowd(0.1, &offsets, |moments| {
                let mut prepared = evaluator.prepare(program, bound, skinning_kind(&moments[0]))?;
                prepared.run(bound, moments)?;
                let together = prepared.read()?;
                for (member, (found, expected)) in together.iter().zip(&on_cpu).enumerate() {
                    let far = farthest(&found.positions, &expected.positions) / bound.size;
                    assert!(far < 1e-5, "{style} {member}: {far:e}");
                    prepared.run(bound, &moments[member..=member])?;
                    assert!(prepared.read()?.pop().as_ref() == Some(found), "as if alone");
                }
                Ok(())
            })
            .unwrap();
        assert!(evaluator.pipeline_count() <= pipelines + 1);
        let count = evaluator.pipeline_count();
        let plain = stage.performer(playback, &ClipKeys::default());
        plain
            .with_crowd(0.1, &offsets, |moments| {
                let mut prepared = evaluator.prepare(program, bound, skinning_kind(&moments[0]))?;
                prepared.run(bound, moments)?;
                let far = farthest(&prepared.read()?[3].positions, &on_cpu[3].positions);
                assert!(far > 1e-3 * bound.size, "{style}: keys matter, {far}");
                Ok(())
            })
            .unwrap();
        assert_eq!(evaluator.pipeline_count(), count, "keys compile nothing");
    }
}
