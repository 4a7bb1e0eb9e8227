//! Nodes that remember: against formulas and golden data, and that what is scrubbed is what is played.

mod support;

use glam::{DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::live::LiveMemory;
use jounce::eval::performance::{OwnedPlayer, Performance};
use jounce::eval::timeline::{Grid, Played};
use jounce::eval::{
    Bound, ConstantMotion, Interpreter, Moment, MomentParts, Motion, Parameters, Probed, Stepped,
    Timeline,
};
use jounce::graph::{Link, Node, PortRef, Style};
use jounce::ir::{Number, Op, Program};
use jounce::motion::live::Jump;
use jounce::motion::{BoneMotion, Ending, Playback, Player};
use jounce::rig::{Character, Pose, own};
use jounce::script::{Library, Setting};
use serde_json::Value as Json;
use std::sync::OnceLock;
use support::random::Random;

fn tube() -> &'static Character {
    static TUBE: OnceLock<Character> = OnceLock::new();
    TUBE.get_or_init(|| own::built_in("tube").unwrap())
}

/// A character at rest whose bones' velocities are a function of time.
struct Fed<'a> {
    speed: &'a (dyn Fn(f64) -> f64 + Sync),
    ending: Ending,
    duration_secs: f64,
}

impl<'a> Fed<'a> {
    fn once(speed: &'a (dyn Fn(f64) -> f64 + Sync)) -> Fed<'a> {
        Fed { speed, ending: Ending::Clamp, duration_secs: 5.0 }
    }

    fn motion(&self, time_secs: f64) -> ConstantMotion {
        let x = (self.speed)(time_secs);
        let motion = BoneMotion { linear: DVec3::new(x, -2.0 * x, 0.5), angular: DVec3::Y * x };
        ConstantMotion::steady(vec![motion; tube().skeleton.bones.len()])
    }
}

impl Played for Fed<'_> {
    fn at(&self, time_secs: f64, work: &mut dyn FnMut(&Pose, &dyn Motion)) {
        work(tube().rest_pose(), &self.motion(time_secs));
    }

    fn ending(&self) -> Ending {
        self.ending
    }

    fn duration_secs(&self) -> f64 {
        self.duration_secs
    }
}

/// A node that is fed with the linear velocity of bones; its output is summed over them.
fn style(node: &str, settings: &[(&str, f64)], output: &str) -> Style {
    let mut style = Style::default();
    let mut tested = Node::new(node);
    for (port, number) in settings {
        tested.settings.insert((*port).to_owned(), Setting::Float(*number));
    }
    let mut velocity = Node::new("Velocity Extract");
    velocity.settings.insert("root motion".to_owned(), Setting::Float(1.0));
    velocity.settings.insert("smoothing".to_owned(), Setting::Float(0.0));
    let mut sum = Node::new("Weight Propagation");
    sum.settings.insert("weights".to_owned(), Setting::Text("skin".to_owned()));
    let graph = &mut style.graph;
    graph.nodes.insert("test".to_owned(), tested);
    graph.nodes.insert("velocity".to_owned(), velocity);
    graph.nodes.insert("sum".to_owned(), sum);
    graph.nodes.insert("out".to_owned(), Node::new("Output"));
    for (from, to) in [
        (("velocity", "linear"), ("test", "value")),
        (("test", output), ("sum", "value")),
        (("sum", "sum"), ("out", "position")),
    ] {
        graph.links.insert(Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1)));
    }
    style
}

fn program(style: &Style) -> Program {
    let compiled = compile(style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    compiled.program
}

/// A program that is stepped through a motion.
struct Run<'a> {
    program: Program,
    bound: Bound,
    parameters: Parameters,
    timeline: Timeline,
    fed: &'a Fed<'a>,
}

impl<'a> Run<'a> {
    fn new(program: Program, fed: &'a Fed<'a>) -> Run<'a> {
        let bound = Bound::new(&program, tube(), &Default::default()).unwrap();
        let parameters = Parameters::new(&program);
        let timeline = Timeline::new(&program, &bound, fed.ending, fed.duration_secs);
        let timeline = timeline.unwrap().expect("it remembers");
        Run { program, bound, parameters, timeline, fed }
    }

    fn with_moment<T>(&self, time_secs: f64, work: impl FnOnce(&Moment) -> T) -> T {
        let motion = self.fed.motion(time_secs);
        let mut moment = Moment::new(&MomentParts {
            character: tube(),
            program: &self.program,
            parameters: &self.parameters,
            pose: tube().rest_pose(),
            motion: &motion,
            time_secs,
            base: None,
        });
        let (bound, parameters) = (&self.bound, &self.parameters);
        let stepped = Stepped { character: tube(), bound, parameters, played: self.fed };
        moment.recalled = self.timeline.recall(stepped, time_secs).unwrap();
        work(&moment)
    }

    /// The mean over the bones of the first vertex: all bones move alike.
    fn value(&self, time_secs: f64) -> DVec3 {
        self.with_moment(time_secs, |moment| {
            Interpreter::positions(&self.program, &self.bound, moment).unwrap()[0]
        })
    }

    fn bits(&self, time_secs: f64) -> Vec<[u32; 3]> {
        self.with_moment(time_secs, |moment| {
            let prepared = jounce::eval::vm::Prepared::new(&self.program, &self.bound).unwrap();
            let deformed = prepared.deform(&self.bound, moment).unwrap();
            deformed.positions.iter().map(|p: &Vec3| p.to_array().map(f32::to_bits)).collect()
        })
    }
}

fn golden() -> Json {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/golden/time_filter.json");
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).unwrap(),
        Err(_) => {
            eprintln!("SKIPPED: the golden data is not there");
            Json::Null
        }
    }
}

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Samples, joined by straight lines.
fn joined(samples: &[f64], rate: f64, time_secs: f64) -> f64 {
    let at = (time_secs * rate).clamp(0.0, samples.len() as f64 - 1.0);
    let (low, t) = (at.floor() as usize, at.fract());
    let high = (low + 1).min(samples.len() - 1);
    samples[low] + (samples[high] - samples[low]) * t
}

fn time_filter(amplitude: f64, frequency: f64, decay: f64) -> Style {
    let settings = [("amplitude", amplitude), ("frequency", frequency), ("decay", decay)];
    style("Time Filter", &settings, "value")
}

#[test]
fn the_time_filter_is_the_golden_one() {
    let golden = golden();
    if golden.is_null() {
        return;
    }
    let rate = golden["sample_rate"].as_f64().unwrap();
    let mut worst: f64 = 0.0;
    for case in golden["cases"].as_array().unwrap() {
        let of = |name: &str| case[name].as_f64().unwrap();
        let style = time_filter(of("amplitude"), of("frequency"), of("tau"));
        for (input, output) in
            [("step_input", "step_linear_joined"), ("pulse_input", "pulse_foh_recursion")]
        {
            let samples = numbers(&golden[input]);
            let speed = |time_secs: f64| joined(&samples, rate, time_secs);
            let fed = Fed::once(&speed);
            let run = Run::new(program(&style), &fed);
            for (expected, time_secs) in numbers(&case[output]).iter().zip(numbers(&golden["t"])) {
                let found = run.value(time_secs);
                worst = worst.max((found.x - expected).abs()).max((found.y + 2.0 * expected).abs());
                // What is steady stays as it is.
                worst = worst.max((found.z - 0.5).abs());
            }
        }
    }
    println!("farthest from the golden data: {worst:.1e}");
    assert!(worst < 1e-6, "{worst:e}");
}

/// ∫ kernel(u) Ω(t − u) du over a window of many decays, by Simpson's rule: the definition itself.
#[test]
fn the_time_filter_is_the_convolution_that_it_is_defined_by() {
    let (amplitude, frequency, decay) = (0.35, 1.2, 0.5);
    let speed = |t: f64| if t > 0.0 { (t * 3.0).sin().powi(2) } else { 0.0 };
    let fed = Fed::once(&speed);
    let run = Run::new(program(&time_filter(amplitude, frequency, decay)), &fed);
    let turn = std::f64::consts::TAU * frequency;
    let kernel = |u: f64| {
        let wave = turn * (turn * u).cos() - (turn * u).sin() / decay;
        amplitude * (-u / decay).exp() * wave
    };
    for time_secs in [0.1, 0.7, 1.33, 2.5, 4.9] {
        let steps = 40_000;
        let h = time_secs / f64::from(steps);
        let at = |i: i32| {
            let u = f64::from(i) * h;
            kernel(u) * speed(time_secs - u)
        };
        let ends = at(0) + at(steps);
        let inner: f64 = (1..steps).map(|i| at(i) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
        let expected = speed(time_secs) + (ends + inner) * h / 3.0;
        let found = run.value(time_secs).x;
        // Between steps the motion is taken to be straight: an error of h².
        assert!((found - expected).abs() < 2e-4, "{time_secs}: {found} {expected}");
    }
}

#[test]
fn a_delay_gives_what_was() {
    let speed = |t: f64| if t > 0.0 { (t * 2.0).sin() } else { 0.0 };
    let fed = Fed::once(&speed);
    for seconds in [0.0, 0.001, 0.25, 1.0, 4.0] {
        let run = Run::new(program(&style("Delay", &[("seconds", seconds)], "value")), &fed);
        for time_secs in [0.0, 0.1, 0.3141, 1.5, 4.4] {
            let (found, expected) = (run.value(time_secs).x, speed(time_secs - seconds));
            assert!((found - expected).abs() < 1e-5, "{seconds} {time_secs}: {found} {expected}");
        }
    }
}

#[test]
fn smooth_answers_a_ramp_by_being_late() {
    let ramp = |t: f64| t.max(0.0);
    let fed = Fed::once(&ramp);
    let seconds = 0.3;
    let run = Run::new(program(&style("Smooth", &[("seconds", seconds)], "value")), &fed);
    for time_secs in [0.0, 0.05, 0.31, 1.0, 4.0] {
        // z = t − τ (1 − e^(−t/τ)).
        let expected = time_secs - seconds * (1.0 - f64::exp(-time_secs / seconds));
        let found = run.value(time_secs).x;
        assert!((found - expected).abs() < 1e-12, "{time_secs}: {found} {expected}");
    }
    let run = Run::new(program(&style("Smooth", &[("seconds", 0.0)], "value")), &fed);
    assert!((run.value(2.0).x - 2.0).abs() < 1e-5);
}

#[test]
fn a_spring_answers_a_ramp_as_the_equation_says() {
    let ramp = |t: f64| t.max(0.0);
    let fed = Fed::once(&ramp);
    // Swinging, just not swinging, and creeping.
    for (frequency, damping) in [(2.0, 0.3), (1.0, 1.0), (1.0, 0.9999999), (3.0, 2.5), (0.5, 0.0)] {
        let settings = [("frequency", frequency), ("damping", damping)];
        let run = Run::new(program(&style("Spring", &settings, "value")), &fed);
        let speed = Run::new(program(&style("Spring", &settings, "speed")), &fed);
        let omega = std::f64::consts::TAU * frequency;
        // x'' = ω² (t − x) − 2 ζ ω x', from rest, by many small steps of Runge and Kutta.
        let slope =
            |t: f64, x: f64, v: f64| (v, omega * omega * (t - x) - 2.0 * damping * omega * v);
        let (mut x, mut v, h) = (0.0, 0.0, 1e-4);
        for i in 0..20_000 {
            let t = f64::from(i) * h;
            let (a1, b1) = slope(t, x, v);
            let (a2, b2) = slope(t + h / 2.0, x + a1 * h / 2.0, v + b1 * h / 2.0);
            let (a3, b3) = slope(t + h / 2.0, x + a2 * h / 2.0, v + b2 * h / 2.0);
            let (a4, b4) = slope(t + h, x + a3 * h, v + b3 * h);
            x += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
            v += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
        }
        let (found, found_speed) = (run.value(2.0).x, speed.value(2.0).x);
        assert!((found - x).abs() < 1e-8, "{frequency} {damping}: {found} {x}");
        assert!((found_speed - v).abs() < 1e-7, "{frequency} {damping}: {found_speed} {v}");
    }
}

/// All nodes that remember.
fn styles() -> Vec<Style> {
    vec![
        time_filter(0.3, 2.0, 0.5),
        style("Smooth", &[("seconds", 0.2)], "value"),
        style("Delay", &[("seconds", 0.21)], "value"),
        style("Spring", &[("frequency", 3.0), ("damping", 0.2)], "value"),
    ]
}

fn swing(t: f64) -> f64 {
    if t > 0.0 { (t * 5.0).sin() * (1.0 + t) } else { 0.0 }
}

#[test]
fn what_is_scrubbed_is_what_is_played_to_the_last_bit() {
    let fed = Fed::once(&swing);
    let mut random = Random::new(7);
    for style in styles() {
        let times: Vec<f64> = (0..50).map(|_| random.between(0.0, 5.0)).collect();
        let scrubbed = Run::new(program(&style), &fed);
        let found: Vec<_> = times.iter().map(|&t| scrubbed.bits(t)).collect();
        // In order, each frame by itself, and from the end.
        let played = Run::new(program(&style), &fed);
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        for &i in &order {
            assert_eq!(played.bits(times[i]), found[i], "{}", times[i]);
        }
        for &i in order.iter().rev().take(5) {
            assert_eq!(Run::new(program(&style), &fed).bits(times[i]), found[i], "{}", times[i]);
        }
    }
}

#[test]
fn frame_rates_see_the_same_motion() {
    let fed = Fed::once(&swing);
    for style in styles() {
        let run = Run::new(program(&style), &fed);
        for frame in 0..48 {
            let time_secs = f64::from(frame) / 24.0;
            let same = [60.0, 120.0, 240.0].map(|fps: f64| (time_secs * fps).round() / fps);
            for other in same.into_iter().filter(|t| (t - time_secs).abs() < 1e-9) {
                assert_eq!(run.bits(time_secs), run.bits(other));
            }
        }
    }
}

#[test]
fn a_loop_ends_as_it_begins() {
    // Not a whole number of steps, and shorter than what some remember.
    let duration_secs = 0.777;
    let speed = |t: f64| (t / duration_secs * std::f64::consts::TAU).sin();
    let fed = Fed { speed: &speed, ending: Ending::Loop, duration_secs };
    for style in styles() {
        let run = Run::new(program(&style), &fed);
        let step = run.timeline.grid().step_secs;
        let (before, after) = (run.value(duration_secs - 1e-9), run.value(1e-9));
        assert!((before - after).length() < 1e-6, "{before} {after}");
        // No larger than between neighbours.
        let largest = (1..100).map(|i| {
            let t = f64::from(i) * 0.0077;
            (run.value(t) - run.value(t + step)).length()
        });
        let largest = largest.fold(0.0, f64::max);
        let seam = (run.value(duration_secs - step / 2.0) - run.value(step / 2.0)).length();
        assert!(seam <= largest, "{seam} {largest}");
        for t in [0.1, 0.5] {
            let round = (run.value(t) - run.value(t + 3.0 * duration_secs)).length();
            assert!(round < 1e-9, "{round}");
        }
    }
}

#[test]
fn the_grid_has_an_answer_for_every_time() {
    let grid = Grid::new(Ending::Clamp, 2.0);
    for time_secs in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, -1e300] {
        let found = grid.find(time_secs);
        assert_eq!(found.step, -1, "{time_secs}");
        assert_eq!(found.rest_secs, grid.step_secs);
    }
    let last = grid.find(1e300);
    assert_eq!(last, grid.find(62.0), "the end of what follows");
    for i in 0..1000 {
        let time_secs = f64::from(i) / 60.0;
        let found = grid.find(time_secs);
        assert!(found.rest_secs > 0.0 && found.rest_secs <= grid.step_secs * (1.0 + 1e-12));
        let again = (found.step as f64) * grid.step_secs + found.rest_secs;
        assert!((again - time_secs.min(62.0)).abs() < 1e-9);
        // A frame of 60 or 24 a second is the end of a step, however it is rounded.
        assert_eq!(found.step, i64::from(i) * 4 - 1);
    }
    let round = Grid::new(Ending::Loop, 0.5001);
    assert_eq!(round.round, Some(120));
    assert_eq!(round.find(0.5001), round.find(0.0));
    assert!(Grid::new(Ending::Loop, 0.0).round.is_none());
}

#[test]
fn other_sliders_begin_anew_and_steady_motion_stays() {
    let speed = |_: f64| 0.7;
    let fed = Fed::once(&speed);
    for style in styles() {
        let mut run = Run::new(program(&style), &fed);
        let before = run.bits(1.3);
        let port = run.program.tables.parameters.iter().find(|p| p.node == "test").unwrap();
        let name = format!("test.{}", port.port);
        let (program, old) = (run.program.clone(), port.value);
        run.parameters.set(&program, &name, Number::Float(0.4)).unwrap();
        run.bits(0.5);
        run.parameters.set(&program, &name, old).unwrap();
        assert_eq!(run.bits(1.3), before);
    }
    // Steady from before the start: nothing swings.
    let run = Run::new(program(&time_filter(0.5, 2.0, 1.0)), &fed);
    assert!((run.value(0.6).x - 0.7).abs() < 1e-9, "{}", run.value(0.6));
}

#[test]
fn a_step_that_goes_astray_begins_anew() {
    let wild = |t: f64| if (1.0..1.1).contains(&t) { 4e11 } else { 0.1 };
    let fed = Fed::once(&wild);
    for style in styles() {
        let run = Run::new(program(&style), &fed);
        for time_secs in [0.5, 1.05, 1.2, 4.0, 60.0] {
            assert!(run.value(time_secs).is_finite());
        }
    }
}

#[test]
fn memory_of_vertices_is_refused_with_a_sentence() {
    let mut style = style("Spring", &[], "value");
    let graph = &mut style.graph;
    graph.links.retain(|link| link.to.node != "test");
    let at = PortRef::new("velocity", "vertex velocity");
    graph.links.insert(Link::new(at, PortRef::new("test", "value")));
    let compiled = compile(&style, &Library::built_in());
    let text = compiled.problems.iter().map(|p| p.to_string()).collect::<String>();
    assert!(text.contains("one value per bone"), "{text}");
    assert!(!compiled.program.remembers());
}

#[test]
fn what_nobody_reads_is_not_remembered() {
    let mut style = style("Spring", &[], "value");
    style.graph.links.retain(|link| link.from.node != "test");
    let position = Link::new(PortRef::new("velocity", "linear"), PortRef::new("sum", "value"));
    style.graph.links.insert(position);
    let program = program(&style);
    assert!(!program.remembers() && program.memory == Default::default());
    assert!(!program.ops.iter().any(|op| matches!(op, Op::State(_))));
}

#[test]
fn a_moment_without_memory_is_stopped_at_the_door() {
    let fed = Fed::once(&swing);
    let run = Run::new(program(&time_filter(0.3, 2.0, 0.5)), &fed);
    run.with_moment(0.4, |moment| {
        let values = [run.program.memory.next[0]];
        let probed = Interpreter::probe(&run.program, &run.bound, moment, &values).unwrap();
        assert!(matches!(&probed[0], Probed::Bones(list) if list.len() == 2 || !list.is_empty()));
    });
    let motion = fed.motion(0.4);
    let moment = Moment::new(&MomentParts {
        character: tube(),
        program: &run.program,
        parameters: &run.parameters,
        pose: tube().rest_pose(),
        motion: &motion,
        time_secs: 0.4,
        base: None,
    });
    let error = Interpreter::positions(&run.program, &run.bound, &moment).unwrap_err();
    assert!(error.to_string().contains("remember"), "{error}");
}

#[test]
fn live_motion_steps_on_the_same_grid() {
    // Straight between frames, as live motion is taken to be.
    let frames: Vec<f64> = (0..200).map(|i| (f64::from(i) * 0.37).sin()).collect();
    let speed = |t: f64| joined(&frames, 48.0, t);
    let fed = Fed::once(&speed);
    for style in styles() {
        let run = Run::new(program(&style), &fed);
        let mut live = LiveMemory::new(&run.program, &run.bound, Jump::Reset).unwrap().unwrap();
        for frame in 0..150 {
            let time_secs = f64::from(frame) / 48.0;
            let found = run.with_moment(time_secs, |moment| {
                let mut moment = moment.clone();
                moment.recalled = live.recall(&run.bound, &moment).unwrap();
                Interpreter::positions(&run.program, &run.bound, &moment).unwrap()[0]
            });
            let expected = run.value(time_secs);
            assert!((found - expected).length() < 1e-9, "{frame}: {found} {expected}");
        }
    }
}

#[test]
fn a_clock_that_jumps_leaves_live_motion_alive() {
    let fed = Fed::once(&swing);
    for style in styles() {
        let run = Run::new(program(&style), &fed);
        for jump in [Jump::Reset, Jump::Hold, Jump::Wrap] {
            let mut live = LiveMemory::new(&run.program, &run.bound, jump).unwrap().unwrap();
            let mut at = |time_secs: f64| {
                run.with_moment(time_secs.clamp(-1.0, 9.0), |moment| {
                    let mut moment = moment.clone();
                    moment.time_secs = time_secs;
                    let recalled = live.recall(&run.bound, &moment);
                    let Ok(recalled) = recalled else { return None };
                    moment.recalled = recalled;
                    Some(Interpreter::positions(&run.program, &run.bound, &moment).unwrap()[0])
                })
            };
            for time_secs in [0.5, 0.52, 0.52, 0.1, 0.12, 7.0, 7.01, -3.0, 1e9, 1e9 + 0.01, 2.0] {
                let found = at(time_secs).unwrap();
                assert!(
                    found.is_finite() && found.length() < 100.0,
                    "{jump:?} {time_secs}: {found}"
                );
            }
            for time_secs in [f64::NAN, f64::INFINITY, 1e300] {
                assert_eq!(at(time_secs), None);
            }
            assert!(at(2.02).unwrap().is_finite(), "it goes on");
        }
    }
}

/// With the tube's own clip: what the background keeps must be its own.
#[test]
fn while_a_slider_moves_play_goes_on_and_then_is_exact() {
    let style = time_filter(0.3, 2.0, 0.5);
    let program = program(&style);
    for looped in [false, true] {
        let bound = Bound::new(&program, tube(), &Default::default()).unwrap();
        let clip = std::sync::Arc::new(tube().clips[0].clone());
        let duration_secs = clip.duration_secs();
        let playback = match looped {
            true => Playback::looped(duration_secs),
            false => Playback::once(duration_secs),
        };
        let character = std::sync::Arc::new(own::built_in("tube").unwrap());
        let player = OwnedPlayer { character, clip: clip.clone(), playback };
        let before = Parameters::new(&program);
        let mut after = before.clone();
        after.set(&program, "test.amplitude", Number::Float(0.9)).unwrap();
        let mut performance =
            Performance::new(program.clone(), bound.clone(), player, before.clone())
                .unwrap()
                .unwrap();
        let own = Player { character: tube(), clip: &clip, playback };
        let exact = |parameters: &Parameters, time_secs: f64| {
            let timeline = Timeline::new(&program, &bound, playback.ending, duration_secs);
            let timeline = timeline.unwrap().unwrap();
            let stepped = Stepped { character: tube(), bound: &bound, parameters, played: &own };
            timeline.recall(stepped, time_secs).unwrap()
        };
        let shown = performance.recall(&before, 0.5).unwrap();
        assert_eq!(shown.states, exact(&before, 0.5).states);
        // At once: a little further from where it was.
        let moved = performance.recall(&after, 0.52).unwrap();
        assert_eq!(moved.newest, exact(&after, 0.52).newest);
        let largest =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(largest(&moved.states, &shown.states) < 2.0, "it does not spike");
        let start = std::time::Instant::now();
        while !performance.is_exact(&after).unwrap() {
            assert!(start.elapsed().as_secs() < 60, "the background ends");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        for time_secs in [0.52, 0.1, 1.4] {
            let found = performance.recall(&after, time_secs).unwrap();
            assert_eq!(found.states, exact(&after, time_secs).states, "{time_secs}");
        }
    }
}

/// Every example that remembers: in any order, in order, and each frame by itself.
#[test]
fn examples_are_scrubbed_as_they_are_played_to_the_last_bit() {
    let mut random = Random::new(11);
    let mut count = 0;
    for file in support::scene::examples() {
        let scene = support::scene::Scene::example(&file);
        if !scene.program.remembers() {
            continue;
        }
        count += 1;
        let prepared = jounce::eval::vm::Prepared::new(&scene.program, &scene.bound).unwrap();
        let bits = |moment: &Moment| -> Vec<[u32; 3]> {
            let deformed = prepared.deform(&scene.bound, moment).unwrap();
            deformed.positions.iter().map(|p| p.to_array().map(f32::to_bits)).collect()
        };
        let duration_secs = scene.clip.duration_secs();
        let times: Vec<f64> = (0..50).map(|_| random.between(0.0, duration_secs)).collect();
        let scrubbed: Vec<_> = scene.moments(&times).iter().map(bits).collect();
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        let in_order: Vec<f64> = order.iter().map(|&i| times[i]).collect();
        for (moment, &i) in scene.moments(&in_order).iter().zip(&order) {
            assert!(bits(moment) == scrubbed[i], "{} at {}", file.display(), times[i]);
        }
        for &i in order.iter().step_by(17) {
            assert!(scene.with_moment(times[i], bits) == scrubbed[i], "{}", file.display());
        }
    }
    assert!(count >= 6, "{count} examples remember");
}
