//! Ramp against a search through its points, Noise against its laws.

use super::*;

const POINTS: usize = 8;

/// The curve as it is meant: the stretch that x is in, found by looking.
fn curve(x: f64, points: &[(f64, f64)], interpolation: &str) -> f64 {
    let mut sorted: Vec<(f64, f64)> = Vec::new();
    for &(position, value) in points {
        let before = sorted.last().map_or(position, |last| last.0);
        sorted.push((position.max(before), value));
    }
    let Some(last) = sorted.iter().rposition(|point| point.0 <= x) else {
        return sorted[0].1;
    };
    let (from, start) = sorted[last];
    let Some(&(to, end)) = sorted.get(last + 1) else {
        return start;
    };
    let t = semantics::divide(x - from, to - from);
    let share = match interpolation {
        "constant" => 0.0,
        "linear" => t,
        _ => t * t * (3.0 - 2.0 * t),
    };
    start + (end - start) * share
}

#[test]
fn ramp_goes_through_its_points() {
    for interpolation in ["smooth", "linear", "constant"] {
        for count in [2, 3, 5, POINTS] {
            let names: Vec<String> =
                (1..=count).flat_map(|i| [format!("position {i}"), format!("value {i}")]).collect();
            let mut inputs = vec![("input", F)];
            inputs.extend(names.iter().map(|name| (name.as_str(), F)));
            let settings =
                [("interpolation", text(interpolation)), ("points", Setting::Float(count as f64))];
            let case = Case { node: "Ramp", settings: &settings, inputs: &inputs, output: "value" };
            agrees(&case, |row| {
                let points: Vec<(f64, f64)> = row[1..].chunks(2).map(|c| (c[0], c[1])).collect();
                all(curve(row[0], &points, interpolation))
            });
        }
    }
}

#[test]
fn ramp_as_it_comes_is_a_smooth_step_and_stays_outside() {
    let inputs = [("input", F)];
    let case = Case { node: "Ramp", settings: &[], inputs: &inputs, output: "value" };
    agrees(&case, |row| {
        let t = row[0].clamp(0.0, 1.0);
        all(t * t * (3.0 - 2.0 * t))
    });
}

/// Noise at points in sizes.
fn noise(settings: &[(&str, Setting)], output: &str, points: &[DVec3]) -> Vec<Vec<DVec3>> {
    let size = tube().size();
    let rows: Vec<Vec<f64>> = points.iter().map(|p| (*p * size).to_array().to_vec()).collect();
    let inputs = [("position", V)];
    let case = Case { node: "Noise", settings, inputs: &inputs, output };
    let found = run(&case, &rows, &CharacterSettings::default());
    found.into_iter().map(|all| all[..points.len()].to_vec()).collect()
}

fn number(x: f64) -> Setting {
    Setting::Float(x)
}

fn scattered(count: usize) -> Vec<DVec3> {
    let mut random = Random::new(41);
    let mut one = || f64::from(random.between(-1.0, 1.0) as f32);
    (0..count).map(|_| dvec3(one(), one(), one())).collect()
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

#[test]
fn noise_is_bounded_restless_and_without_steps() {
    for (detail, output) in [(1.0, "value"), (4.0, "value"), (2.0, "vector")] {
        let settings = [("detail", number(detail)), ("boil", number(0.7)), ("time", number(0.3))];
        for found in noise(&settings, output, &scattered(2000)) {
            let most = found.iter().map(|n| n.abs().max_element()).fold(0.0, f64::max);
            assert!((0.4..1.2).contains(&most), "{output} of detail {detail} reaches {most}");
            let mean = found.iter().sum::<DVec3>() / found.len() as f64;
            assert!(mean.abs().max_element() < 0.05, "mean {mean}");
            let differs = found.iter().filter(|n| n.x.abs() > 0.05).count();
            assert!(differs > found.len() / 2, "{differs} of {} move at all", found.len());
        }
        // Along a line through many cells no step is larger than the slope allows.
        let step = 0.000_5;
        let line: Vec<DVec3> =
            (0..2000).map(|i| dvec3(0.37, 1.0, -0.21) * (f64::from(i) * step)).collect();
        for found in noise(&settings, output, &line) {
            let steepest = found.windows(2).map(|w| (w[1] - w[0]).length()).fold(0.0, f64::max);
            // Slopes: about 2 per cell of a fifth of a size; each finer noise is as steep again.
            assert!(steepest < 30.0 * detail * step, "a step of {steepest}");
        }
    }
}

#[test]
fn noise_drifts_boils_and_has_seeds() {
    let points = scattered(500);
    let still = noise(&[], "value", &points);
    for ((again, still), other) in noise(&[("time", number(99.0))], "value", &points)
        .iter()
        .zip(&still)
        .zip(noise(&[("seed", number(3.0))], "value", &points))
    {
        assert_eq!(again, still, "nothing moves by itself");
        assert!(farthest(&other, still) > 0.3, "another seed, another pattern");
    }
    // A drift moves the pattern: what was here is now there.
    let drift = [("drift", Setting::Vec3([0.3, 0.0, -0.2])), ("time", number(2.0))];
    let moved: Vec<DVec3> = points.iter().map(|p| *p + dvec3(0.6, 0.0, -0.4)).collect();
    for (drifted, still) in noise(&drift, "value", &moved).iter().zip(&still) {
        assert!(farthest(drifted, still) < 1e-4, "{}", farthest(drifted, still));
    }
    // After a whole round the pattern is back, after half of it upside down; minutes later too.
    let at = |time: f64| noise(&[("boil", number(0.5)), ("time", number(time))], "value", &points);
    for ((start, half), whole) in at(0.0).iter().zip(at(1.0)).zip(at(1202.0)) {
        let turned: Vec<DVec3> = half.iter().map(|n| -*n).collect();
        assert!(farthest(start, &turned) < 1e-5 && farthest(start, &whole) < 1e-5);
        assert!(farthest(start, &half) > 0.3);
    }
}
