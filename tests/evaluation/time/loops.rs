//! The grid of steps, and loops that meet their beginning.

use super::fed::*;
use jounce::eval::timeline::{Grid, STEPS_PER_SEC};
use jounce::graph::{Link, PortRef};
use jounce::motion::Ending;

/// A loop is what playing on and on comes to. Its steps are those of a clip, so both can be compared.
#[test]
fn a_loop_is_what_many_rounds_come_to() {
    let duration_secs = 186.0 / STEPS_PER_SEC;
    let speed = |t: f64| (t / duration_secs * std::f64::consts::TAU).sin() + 0.3;
    let looped = Fed { speed: &speed, ending: Ending::Loop, duration_secs };
    let on_and_on = Fed { speed: &speed, ending: Ending::Clamp, duration_secs: 20.0 };
    for style in styles() {
        let run = Run::new(program(&style), &looped);
        let long = Run::new(program(&style), &on_and_on);
        for t in [0.0, 0.001, 0.1, 0.31, 0.5, 0.774] {
            let off = (run.value(t) - long.value(t + 25.0 * duration_secs)).length();
            assert!(off < 1e-7, "{t}: {off}");
        }
        assert!(!run.timeline.has_seam());
    }
}

/// Not a whole number of steps, and shorter than what some remember.
#[test]
fn a_loop_ends_as_it_begins() {
    let duration_secs = 0.777;
    let speed = |t: f64| (t / duration_secs * std::f64::consts::TAU).sin();
    let fed = Fed { speed: &speed, ending: Ending::Loop, duration_secs };
    for style in styles() {
        let run = Run::new(program(&style), &fed);
        let step = run.timeline.grid().step_secs;
        // No larger than between neighbours.
        let largest = (1..100).map(|i| {
            let t = f64::from(i) * 0.0077;
            (run.value(t) - run.value(t + step)).length()
        });
        let largest = largest.fold(0.0, f64::max);
        let seam = (run.value(duration_secs - step / 2.0) - run.value(step / 2.0)).length();
        assert!(seam <= largest, "{seam} {largest}");
    }
}

/// By whole rounds, one behind the other, it comes back where it was.
#[test]
fn delays_in_a_row_settle_too() {
    let duration_secs = 0.8;
    let speed = |t: f64| (t / duration_secs * std::f64::consts::TAU).sin() + 0.3;
    let fed = Fed { speed: &speed, ending: Ending::Loop, duration_secs };
    let mut style = style("Delay", &[("seconds", 4.0 * duration_secs)], "value");
    let delay = style.graph.nodes["test"].clone();
    let first = Link::new(PortRef::new("velocity", "linear"), PortRef::new("test", "value"));
    assert!(style.graph.links.remove(&first));
    for (from, to) in
        [(("velocity", "linear"), "one"), (("one", "value"), "two"), (("two", "value"), "test")]
    {
        style.graph.nodes.insert(to.to_owned(), delay.clone());
        let link = Link::new(PortRef::new(from.0, from.1), PortRef::new(to, "value"));
        style.graph.links.insert(link);
    }
    let run = Run::new(program(&style), &fed);
    for t in [0.0, 0.1, 0.33, 0.7] {
        let found = run.value(t).x;
        assert!((found - speed(t)).abs() < 1e-3, "{t}: {found} {}", speed(t));
    }
    assert!(!run.timeline.has_seam());
}

#[test]
fn a_loop_that_never_dies_away_says_so() {
    let duration_secs = 0.77;
    let speed = |t: f64| (t / duration_secs * std::f64::consts::TAU).sin();
    let fed = Fed { speed: &speed, ending: Ending::Loop, duration_secs };
    let undamped = style("Spring", &[("frequency", 1.0), ("damping", 0.0)], "value");
    let run = Run::new(program(&undamped), &fed);
    assert!(run.value(0.3).is_finite());
    assert!(run.timeline.has_seam());
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
    assert_eq!(round.steps_per_round, Some(120));
    assert_eq!(round.find(0.5001), round.find(0.0));
    assert!(Grid::new(Ending::Loop, 0.0).steps_per_round.is_none());
}
