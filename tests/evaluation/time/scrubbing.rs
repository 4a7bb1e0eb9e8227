//! What is scrubbed is what is played; what is remembered, and what is not.

use super::fed::*;
use crate::support::random::Random;
use glam::DVec3;
use jounce::compile::compile;
use jounce::eval::{Interpreter, Moment, Probed, Setup};
use jounce::graph::{Link, PortRef};
use jounce::ir::{Number, Op};
use jounce::script::Library;

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

/// Played from the start, each at its own rate: where frames fall on the same time they show the same.
#[test]
fn frame_rates_see_the_same_motion() {
    let fed = Fed::once(&swing);
    for style in styles() {
        let played: Vec<Vec<DVec3>> = [24, 60, 120, 240]
            .map(|fps: usize| {
                let run = Run::new(program(&style), &fed);
                let all = (0..4 * fps).map(|frame| run.value(frame as f64 / fps as f64));
                // Twelve times a second they meet.
                all.collect::<Vec<_>>().into_iter().step_by(fps / 12).collect()
            })
            .to_vec();
        assert_eq!(played[0].len(), 48);
        for other in &played[1..] {
            for (a, b) in played[0].iter().zip(other) {
                assert!((*a - *b).length() < 1e-9, "{a} {b}");
            }
        }
        assert!(played[0].iter().any(|value| value.x.abs() > 0.1), "it moves");
    }
}

#[test]
fn other_sliders_begin_anew() {
    let fed = Fed::once(&swing);
    for style in styles() {
        let mut run = Run::new(program(&style), &fed);
        let before = run.bits(1.3);
        let port = run.program.tables.parameters.iter().find(|p| p.node == "test").unwrap();
        let name = format!("test.{}", port.port);
        let (program, old) = (run.program.clone(), port.value);
        run.parameters.set(&program, &name, Number::Float(0.4)).unwrap();
        let mut fresh = Run::new(program.clone(), &fed);
        fresh.parameters.set(&program, &name, Number::Float(0.4)).unwrap();
        assert_eq!(run.bits(1.1), fresh.bits(1.1), "as if it had always been so");
        assert_ne!(run.bits(1.3), before, "{name} changes something");
        run.parameters.set(&program, &name, old).unwrap();
        assert_eq!(run.bits(1.3), before);
    }
}

/// Steady from before the start: nothing swings.
#[test]
fn steady_motion_stays() {
    let speed = |_: f64| 0.7;
    let fed = Fed::once(&speed);
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
        let rows = run.bound.row_count();
        assert!(matches!(&probed[0], Probed::Bones(list) if list.len() == rows));
    });
    let motion = fed.motion(0.4);
    let moment = Moment::new(
        Setup::new(&run.program, tube(), &run.bound),
        &run.parameters,
        tube().rest_pose(),
        &motion,
        0.4,
    );
    let error = Interpreter::positions(&run.program, &run.bound, &moment).unwrap_err();
    assert!(error.to_string().contains("remember"), "{error}");
}

/// Every example that remembers: in any order, in order, and each frame by itself.
#[test]
fn examples_are_scrubbed_as_they_are_played_to_the_last_bit() {
    let mut random = Random::new(11);
    let mut count = 0;
    for file in crate::support::scene::examples() {
        let scene = crate::support::scene::Scene::example(&file);
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
