//! What functions promise exactly, of every evaluator by itself: single precision is no excuse.

use crate::support::conformance::{program_of_maps, run_on, script};
use crate::support::evaluators::{Tested, others};
use crate::support::random::Random;
use glam::DVec3;
use jounce::eval::{Evaluator, Interpreter};
use jounce::ir::Type::{Float as F, Vec3 as V};

fn all_evaluators() -> Vec<(String, Box<dyn Evaluator>)> {
    let named = |tested: Tested| (tested.name, tested.evaluator);
    let interpreter: (String, Box<dyn Evaluator>) =
        ("interpreter".to_owned(), Box::new(Interpreter));
    others().into_iter().map(named).chain([interpreter]).collect()
}

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

#[test]
fn mix_gives_exactly_its_ends() {
    let inputs = [("a", V), ("b", V), ("c", F)];
    let node_type = script("", &inputs, "mix(a, b, c)").unwrap();
    let program = program_of_maps(&node_type, &inputs);
    let mut random = Random::new(3);
    let sizes = [1.0, 1e-6, 0.1, 1e6, 1e9];
    let mut rows = Vec::new();
    for share in [0.0, 1.0] {
        for _ in 0..200 {
            let mut number = || single(random.between(-1.0, 1.0) * sizes[random.below(5)]);
            let mut row: Vec<f64> = (0..6).map(|_| number()).collect();
            row.push(share);
            rows.push(row);
        }
    }
    for (name, mut evaluator) in all_evaluators() {
        let found = run_on(&mut *evaluator, &program, &rows);
        for (row, found) in rows.iter().zip(found) {
            let first = if row[6] == 0.0 { 0 } else { 3 };
            assert_eq!(found, DVec3::from_slice(&row[first..]), "{name}: {row:?}");
        }
    }
}

#[test]
fn mod_stays_in_its_range() {
    let inputs = [("x", F), ("y", F)];
    let program = program_of_maps(&script("", &inputs, "mod(x, y)").unwrap(), &inputs);
    let mut random = Random::new(11);
    let mut xs: Vec<f64> = vec![0.0, 1e-30, 1e-10, 1e-7, 0.3, 1.0, 7.0, 289.0, 1e6, 1e9, 1e12];
    xs.extend((0..300).map(|_| random.between(0.0, 1.0) * 10_f64.powf(random.between(-8.0, 9.0))));
    let ys = [1.0, 0.3, 0.1, 7.0, 289.0, 1e-6, 1e-19, 1e6];
    let mut rows = Vec::new();
    for x in xs {
        for y in ys {
            for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
                rows.push(vec![single(x * signs[0]), single(y * signs[1])]);
            }
        }
    }
    for (name, mut evaluator) in all_evaluators() {
        let found = run_on(&mut *evaluator, &program, &rows);
        for (row, found) in rows.iter().zip(found) {
            let (rest, y) = (found.x, row[1]);
            // In double precision the rest may be closer to y than the position that shows it can be.
            let is_below = rest.abs() < y.abs() || (name == "interpreter" && rest == y);
            let has_sign = rest == 0.0 || rest.signum() == y.signum();
            assert!(is_below && has_sign, "{name}: mod({:?}, {y:?}) is {rest:?}", row[0]);
        }
    }
    // And it is the rest: whole numbers are exact.
    let rows: Vec<Vec<f64>> = (-40..40).map(|x| vec![f64::from(x), 7.0]).collect();
    for (name, mut evaluator) in all_evaluators() {
        for (row, found) in rows.iter().zip(run_on(&mut *evaluator, &program, &rows)) {
            assert_eq!(found.x, row[0].rem_euclid(7.0), "{name}: {row:?}");
        }
    }
}

/// The coordinates are single precision numbers, so all evaluators are given the same ones.
#[test]
fn noise_is_the_same_for_all_far_from_the_origin() {
    let inputs = [("a", V)];
    let mut random = Random::new(5);
    let mut coordinates: Vec<f64> = Vec::new();
    for size in [1.0, 300.0, 1e4, 1e5, 1e6, 8_388_607.5, 8_388_608.0, 2e7, 1e9, 1e12] {
        coordinates.extend([size, -size, size + 0.25, -size - 0.25].map(single));
        coordinates.extend((0..20).map(|_| single(size * random.between(-1.0, 1.0))));
    }
    coordinates.extend([-1e-10, 289.0, -289.0, 288.999_97].map(single));
    let rows: Vec<Vec<f64>> = (0..3000)
        .map(|_| (0..3).map(|_| coordinates[random.below(coordinates.len())]).collect())
        .collect();
    for body in ["noise(a)", "vec3(noise(a.x), noise(a.y), noise(a.z))", "noise3(a)", "hash(a.x)"] {
        let program = program_of_maps(&script("", &inputs, body).unwrap(), &inputs);
        let exact = run_on(&mut Interpreter, &program, &rows);
        let moving = exact.iter().filter(|noise| noise.x.abs() > 0.1).count();
        assert!(moving > rows.len() / 10, "{body}: only {moving} are not 0");
        // `noise3` shifts its point, and a sum near 289 is rounded by up to 1.5e-5.
        let most = if body == "noise3(a)" { 4e-5 } else { 1e-5 };
        for Tested { name, mut evaluator, .. } in others() {
            let found = run_on(&mut *evaluator, &program, &rows);
            for ((row, exact), found) in rows.iter().zip(&exact).zip(found) {
                let off = (*exact - found).abs().max_element();
                assert!(off < most, "{name}: {body} at {row:?} is {found}, not {exact}");
            }
        }
    }
}
