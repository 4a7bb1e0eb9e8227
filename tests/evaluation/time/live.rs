//! Motion that is not known beforehand, and sliders that move meanwhile.

use super::fed::*;
use jounce::eval::live::LiveMemory;
use jounce::eval::{Interpreter, Moment, Parameters, Performer, Playing, Setup};
use jounce::ir::Number;
use jounce::motion::live::Jump;
use jounce::motion::{Ending, Playback};
use jounce::rig::{Clip, own};
use std::sync::Arc;

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
                moment.snapshot = live.recall(&run.bound, &moment).unwrap();
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
                    let snapshot = live.recall(&run.bound, &moment);
                    let Ok(snapshot) = snapshot else { return None };
                    moment.snapshot = snapshot;
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

/// A clip in which bones travel: filters have something to remember.
fn bounce() -> Clip {
    tube().clips.iter().find(|clip| clip.name == "bounce").unwrap().clone()
}

/// With the tube's own clip: what the background keeps must be its own.
#[test]
fn while_a_slider_moves_play_goes_on_and_then_is_exact() {
    let style = time_filter(0.3, 2.0, 0.5);
    let program = program(&style);
    for looped in [false, true] {
        let clip = Arc::new(bounce());
        let playback = match looped {
            true => Playback::looped(clip.duration_secs()),
            false => Playback::once(clip.duration_secs()),
        };
        let performer = |parameters: &Parameters| {
            let tube = Arc::new(own::built_in("tube").unwrap());
            let mut performer = Performer::new(program.clone(), tube, &Default::default()).unwrap();
            performer.set_parameters(parameters.clone());
            performer.play(clip.clone(), playback).unwrap();
            performer
        };
        let recall = |performer: &Performer, time_secs: f64| {
            performer.with_moment(time_secs, |moment| Ok(moment.snapshot.clone())).unwrap()
        };
        let before = Parameters::new(&program);
        let mut after = before.clone();
        after.set(&program, "test.decay", Number::Float(0.9)).unwrap();
        let mut moving = performer(&before);
        let shown = recall(&moving, 0.5);
        assert_eq!(shown.states, recall(&performer(&before), 0.5).states);
        // At once: a little further from where it was.
        moving.set_parameters(after.clone());
        let moved = recall(&moving, 0.52);
        assert_eq!(moved.newest_step, recall(&performer(&after), 0.52).newest_step);
        let largest =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(largest(&moved.states, &shown.states) < 2.0, "it does not spike");
        let start = std::time::Instant::now();
        while !moving.is_exact() {
            assert!(start.elapsed().as_secs() < 60, "the background ends");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        for time_secs in [0.52, 0.1, 1.4] {
            let exact = recall(&performer(&after), time_secs);
            assert_eq!(recall(&moving, time_secs).states, exact.states, "{time_secs}");
        }
    }
}

/// Sliders that are set before anything was asked for are those of the first answer; those that were left
/// again never come back.
#[test]
fn sliders_before_the_first_answer_and_sliders_that_were_left_again() {
    let program = program(&time_filter(0.3, 2.0, 0.5));
    let clip = Arc::new(bounce());
    let playback = Playback::looped(clip.duration_secs());
    let usual = Parameters::new(&program);
    let mut other = usual.clone();
    other.set(&program, "test.decay", Number::Float(0.9)).unwrap();
    let playing = || {
        let tube = Arc::new(own::built_in("tube").unwrap());
        let mut performer = Performer::new(program.clone(), tube, &Default::default()).unwrap();
        performer.play(clip.clone(), playback).unwrap();
        performer
    };
    let states = |performer: &Performer| {
        performer.with_moment(0.4, |moment| Ok(moment.snapshot.states.clone())).unwrap()
    };
    let mut before = playing();
    before.set_parameters(other.clone());
    before.play(clip.clone(), playback).unwrap();
    let mut after = playing();
    after.set_parameters(other.clone());
    assert_eq!(states(&after), states(&before), "in whatever order they are set");
    let mut dragged = playing();
    let expected = states(&dragged);
    assert_ne!(expected, states(&after));
    let crowd = |performer: &Performer| {
        let states = |moments: &[Moment]| Ok(moments[0].snapshot.states.clone());
        performer.with_crowd(0.4, &[0.0, 0.3], states).unwrap()
    };
    for _ in 0..20 {
        dragged.set_parameters(other.clone());
        crowd(&dragged);
        // The background may be done by now, for sliders that nobody wants.
        std::thread::sleep(std::time::Duration::from_millis(5));
        dragged.set_parameters(usual.clone());
        assert_eq!(crowd(&dragged), expected);
    }
}

/// A loop is stepped through for long before it has settled: nobody waits for sliders that are gone.
#[test]
fn what_nobody_waits_for_any_more_stops() {
    let speed = |t: f64| (t * 3.0).sin();
    let fed = Fed { speed: &speed, ending: Ending::Loop, duration_secs: 1.0 };
    let run = Run::new(program(&style("Spring", &[("damping", 0.0)], "value")), &fed);
    let setup = Setup::new(&run.program, tube(), &run.bound);
    let playing = Playing { setup, parameters: &run.parameters, played: &fed };
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 100
    };
    assert!(!run.timeline.prepare(playing, 0.5, &stop).unwrap());
    assert_eq!(asked.get(), 101, "at the very next step");
    // From the start again, and to the end, however far that is said to be.
    assert!(run.timeline.prepare(playing, 1e300, &|| false).unwrap());
}
