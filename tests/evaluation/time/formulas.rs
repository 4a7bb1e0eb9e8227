//! Against what the nodes are defined by.

use super::fed::*;
use serde_json::Value as Json;

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn the_time_filter_is_the_golden_one() {
    let golden = crate::support::golden::own("time_filter");
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
