//! What memory costs: steps of the bone stage beside the vertex stage, and scrubbing.
//!
//! `cargo bench --bench time`. Steps and frames are timed in turn, on one thread, by its processor time; 60
//! frames per second are 4 steps each. A step here is all of it: posing the skeleton, velocities, filters.
//! At the end each bar is a line that says whether it is kept; with `JOUNCE_BENCH_BARS=1` in the environment
//! one that is missed makes the program fail.

#[path = "support/bars.rs"]
mod bars;
#[allow(dead_code)]
#[path = "support/cases.rs"]
mod cases;
#[path = "support/clock.rs"]
mod clock;

use bars::Bars;
use cases::{Case, made};
use clock::{interleaved, timed};
use glam::DQuat;
use jounce::compile::compile;
use jounce::eval::vm::{Prepared, Wanted};
use jounce::eval::{
    ConstantMotion, Deformed, Moment, Motion, Performer, PlayedMotion, Playing, Puppet, Setup,
    StateSnapshot, Stepper, Timeline,
};
use jounce::graph::Document;
use jounce::ir::Program;
use jounce::motion::live::Jump;
use jounce::motion::{Ending, Playback};
use jounce::rig::{Clip, Interpolation, Keys, Pose, Property, Track};
use jounce::script::Library;
use std::sync::Arc;

const FPS: f64 = 60.0;
const CLIP_SECS: f64 = 60.0;
const HERD: usize = 400;
const COWS: usize = 4000;

fn main() -> std::process::ExitCode {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let (stage, steps, longest_ms) =
        pool.unwrap().install(|| (one_character(), herd(), scrubbing()));
    let mut bars = Bars::default();
    bars.at_most("the bone stage of one character, of its frame", Some(stage), 0.1);
    bars.at_most("four steps of a herd, of its frame", Some(steps), 0.2);
    bars.at_most("any frame of a 60 s timeline, in ms", Some(longest_ms), 16.0);
    bars.verdict()
}

/// Velocities through every filter there is, then Floppy and Squash.
fn all_filters() -> Program {
    let filters = ["Time Filter", "Smooth", "Delay", "Spring"];
    let mut nodes = serde_json::json!({
        "velocity": { "type": "Velocity Extract" },
        "floppy": { "type": "Floppy" },
        "squash": { "type": "Squash" },
        "output": { "type": "Output" },
    });
    let mut links = vec![];
    let mut link = |from: String, to: String| links.push([from, to]);
    for kind in ["linear", "angular"] {
        let mut last = format!("velocity.{kind}");
        for (place, filter) in filters.into_iter().enumerate() {
            let id = format!("{kind}-{place}");
            nodes[&id] = serde_json::json!({ "type": filter });
            link(last, format!("{id}.value"));
            last = format!("{id}.value");
        }
        link(last.clone(), format!("floppy.{kind}"));
        link(last, format!("squash.{kind}"));
    }
    link("floppy.displacement".into(), "output.displacement".into());
    link("squash.displacement".into(), "output.displacement".into());
    links.sort();
    let text = serde_json::json!({
        "format": 1,
        "style": { "graph": { "nodes": nodes, "links": links } },
    });
    let document: Document = Document::from_bytes(text.to_string().as_bytes()).unwrap().document;
    let compiled = compile(&document.style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    assert!(compiled.program.remembers());
    compiled.program
}

/// Every bone turns to and fro, each at its own pace; keys at 30 per second.
fn clip(case: &Case, duration_secs: f64) -> Clip {
    let keys = (duration_secs * 30.0) as usize;
    let bones = &case.character.skeleton.bones;
    let track = |(place, bone): (usize, &jounce::rig::Bone)| {
        let turns = (place % 5 + 1) as f64 * (duration_secs / 2.0).round();
        let value = |key: usize| {
            let phase = key as f64 / keys as f64 * turns * std::f64::consts::TAU;
            DQuat::from_rotation_z(0.3 * phase.sin()).as_quat().to_array()
        };
        Track {
            node: bone.node,
            property: Property::Rotation,
            keys: Keys {
                interpolation: Interpolation::Linear,
                width: 4,
                times_secs: (0..=keys).map(|key| key as f32 / 30.0).collect(),
                values: (0..=keys).flat_map(value).collect(),
            },
        }
    };
    Clip { name: "to and fro".into(), tracks: bones.iter().enumerate().map(track).collect() }
}

struct Scene {
    performer: Performer,
    prepared: Prepared,
}

impl Scene {
    fn new(vertices: usize, bones: usize, duration_secs: f64, ending: Ending) -> Scene {
        let case = made(vertices, bones, bones);
        let clip = clip(&case, duration_secs);
        let program = all_filters();
        let playback = Playback { ending, ..Playback::looped(clip.duration_secs()) };
        let character = Arc::new(case.character);
        let mut performer = Performer::new(program, character, &Default::default()).unwrap();
        performer.play(Arc::new(clip), playback).unwrap();
        let prepared = Prepared::new(performer.program(), performer.bound()).unwrap();
        Scene { performer, prepared }
    }

    fn setup(&self) -> Setup<'_> {
        self.performer.setup()
    }

    fn timeline(&self) -> Timeline {
        let Setup { program, bound, .. } = self.setup();
        Timeline::new(program, bound, &self.performer.player()).unwrap().unwrap()
    }

    fn recall(&self, timeline: &Timeline, time_secs: f64) -> StateSnapshot {
        let (setup, parameters) = (self.setup(), self.performer.parameters());
        let played = &self.performer.player();
        timeline.recall(Playing { setup, parameters, played }, time_secs).unwrap()
    }
}

/// Steps in a frame, and what is shown of it, which is a step that is not kept.
const STEPS: usize = (240.0 / FPS) as usize;

/// One character with many bones and many vertices: the bone stage's part of the frame.
fn one_character() -> f64 {
    let scene = Scene::new(150_000, 60, 4.0, Ending::Clamp);
    let timeline = scene.timeline();
    let (player, mut out) = (scene.performer.player(), [Deformed::default()]);
    let motion = PlayedMotion { player, time_secs: 1.0 };
    let mut moment =
        Moment::new(scene.setup(), scene.performer.parameters(), &player.pose(1.0), &motion, 1.0);
    moment.snapshot = scene.recall(&timeline, 1.0);
    let stepper = Stepper::new(scene.setup().program, scene.setup().bound).unwrap();
    let times = interleaved(
        2.0,
        &mut [
            &mut || {
                let moments = std::slice::from_ref(&moment);
                scene
                    .prepared
                    .deform_into(scene.setup().bound, moments, Wanted::default(), &mut out)
                    .unwrap();
            },
            &mut || step_only(&scene, &stepper, &moment),
            &mut || one_step(&scene, &stepper, &moment),
        ],
    );
    let [frame, stage, step] = times[..] else { return f64::NAN };
    println!(
        "150 k vertices, 60 bones, all filters: a frame {:.2} ms; the bone stage {:.3} ms, {:.1} %; \
         {STEPS} steps {:.3} ms, {:.1} %, with poses {:.3} ms, {:.1} %",
        frame * 1e3,
        stage * 1e3,
        stage / frame * 100.0,
        stage * 1e3 * STEPS as f64,
        stage / frame * 100.0 * STEPS as f64,
        step * 1e3 * STEPS as f64,
        step / frame * 100.0 * STEPS as f64
    );
    stage / frame
}

/// The bone stage alone, at a pose that is there.
fn step_only(scene: &Scene, stepper: &Stepper, moment: &Moment) {
    std::hint::black_box(stepper.step(scene.setup().bound, moment).unwrap().states);
}

/// All of it: a pose, its bones, velocities, filters.
fn one_step(scene: &Scene, stepper: &Stepper, like: &Moment) {
    let player = scene.performer.player();
    let motion = PlayedMotion { player, time_secs: like.time_secs };
    let mut moment = Moment::of_bones(
        Setup { program: stepper.program(), ..scene.setup() },
        scene.performer.parameters(),
        &player.pose(like.time_secs),
        &motion,
        like.time_secs,
    );
    moment.snapshot = like.snapshot.clone();
    std::hint::black_box(stepper.step(scene.setup().bound, &moment).unwrap().states);
}

/// Many small characters, each moved by itself as a game would, or each at its own time of one timeline:
/// which part of a frame its steps take.
fn herd() -> f64 {
    let scene = Scene::new(3200, 7, 2.0, Ending::Loop);
    let timeline = scene.timeline();
    let offsets: Vec<f64> = (0..HERD).map(|cow| cow as f64 * 2.0 / HERD as f64).collect();
    let player = scene.performer.player();
    let mut out = Vec::new();
    scene.performer.crowd_into(0.0, &offsets, Wanted::default(), &mut out).unwrap();
    let stepper = Stepper::new(scene.setup().program, scene.setup().bound).unwrap();
    // Where bones are and how fast is known in a game; what is measured is what filters make of it.
    let motions: Vec<ConstantMotion> = (offsets.iter())
        .map(|&time_secs| {
            let motion = PlayedMotion { player, time_secs };
            ConstantMotion::steady(motion.velocities(0.0).into_owned())
        })
        .collect();
    let moments: Vec<Moment> = (offsets.iter().zip(&motions))
        .map(|(&time_secs, motion)| {
            let mut moment = Moment::new(
                scene.setup(),
                scene.performer.parameters(),
                &player.pose(time_secs),
                motion,
                time_secs,
            );
            moment.snapshot = scene.recall(&timeline, time_secs);
            // As in all steps that are kept.
            moment.snapshot.since_step_secs = moment.snapshot.grid_secs;
            moment
        })
        .collect();
    let one = scene.performer.puppet(0.0, Jump::Reset).unwrap();
    let mut puppets: Vec<Puppet> = (0..HERD).map(|_| one.another()).collect();
    let mut frames = vec![Deformed::default(); HERD];
    let (mut time_secs, mut live_secs) = (0.0, 0.0);
    let times = interleaved(
        3.0,
        &mut [
            &mut || {
                let wanted = Wanted::default();
                scene
                    .prepared
                    .deform_into(scene.setup().bound, &moments, wanted, &mut frames)
                    .unwrap();
            },
            &mut || {
                for _ in 0..STEPS {
                    std::hint::black_box(stepper.step_all(scene.setup().bound, &moments).unwrap());
                }
            },
            &mut || {
                for _ in 0..STEPS {
                    moments.iter().for_each(|moment| step_only(&scene, &stepper, moment));
                }
            },
            &mut || {
                live_secs += 1.0 / FPS;
                let poses: Vec<Pose> =
                    offsets.iter().map(|offset| player.pose(live_secs + offset)).collect();
                let next: Vec<(&Pose, f64)> = poses.iter().map(|pose| (pose, live_secs)).collect();
                Puppet::with_moments(&mut puppets, &scene.performer, &next, |moments| {
                    std::hint::black_box(moments);
                    Ok(())
                })
                .unwrap();
            },
            &mut || {
                time_secs += 1.0 / FPS;
                let performer = &scene.performer;
                performer.crowd_into(time_secs, &offsets, Wanted::default(), &mut out).unwrap();
            },
        ],
    );
    let [frame, stage, one_by_one, live, shared] = times[..] else { return f64::NAN };
    let cows = (COWS / HERD) as f64 * 1e3;
    println!(
        "{COWS} × 7 bones × 3.2 k vertices: a frame {:.1} ms; {STEPS} steps of the bone stage {:.1} ms, {:.1} %, \
         one character after the other {:.1} ms, {:.1} %; moved from outside, with poses, velocities \
         and steps, {:.1} ms, {:.1} %; at their own times of one timeline, with poses, the frame is {:.1} ms",
        frame * cows,
        stage * cows,
        stage / frame * 100.0,
        one_by_one * cows,
        one_by_one / frame * 100.0,
        live * cows,
        live / frame * 100.0,
        shared * cows
    );
    stage / frame
}

/// Any frame of a long clip, once it has been played: the milliseconds of the slowest.
fn scrubbing() -> f64 {
    let scene = Scene::new(3200, 60, CLIP_SECS, Ending::Clamp);
    let timeline = scene.timeline();
    let played_secs = timed(|| {
        scene.recall(&timeline, CLIP_SECS);
    });
    let mut longest: f64 = 0.0;
    let frames = (CLIP_SECS * FPS) as usize;
    for ask in 0..2000 {
        // Here and there, never the next one.
        let frame = ask * 2_654_435_761 % frames;
        let secs = timed(|| {
            scene.recall(&timeline, frame as f64 / FPS);
        });
        longest = longest.max(secs);
    }
    println!(
        "{CLIP_SECS} s of 60 bones: played through in {played_secs:.2} s; then any frame within {:.2} ms",
        longest * 1e3
    );
    longest * 1e3
}
