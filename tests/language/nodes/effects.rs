//! The effects of `scripts/` against their formulas, written once more. The motion of these tests is
//! steady, so that the past is as the present; what a past that differs does is seen in the styles.

use super::deformers::{joint, summed};
use super::*;
use glam::DQuat;
use std::f64::consts::TAU;

fn number(x: f64) -> Setting {
    Setting::Float(x)
}

fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// x / (1 + |x| / limit).
fn soft_limited(v: DVec3, part_of_size: f64) -> DVec3 {
    let longest = part_of_size * tube().size();
    v * (longest / (longest + v.length()))
}

/// Height of the rest pose, in units and from 0 to 1.
fn heights() -> Vec<(f64, f64)> {
    let (low, high) = tube().rest_bounds();
    let (low, whole) = (f64::from(low.y), f64::from(high.y - low.y));
    let positions = tube().rest().positions.iter();
    positions.map(|p| f64::from(p.y) - low).map(|height| (height, height / whole)).collect()
}

/// The answer of a damped spring to a steady velocity of 1: Σ e^(−u/τ) cos(2πfu) over twelve slices
/// of an eighth of a swing.
fn spring_answer_secs(frequency: f64, swings: f64) -> f64 {
    let slice = |i: i32| {
        let age = (f64::from(i) + 0.5) / 8.0;
        (-age / swings).exp() * (TAU * age).cos()
    };
    (0..12).map(slice).sum::<f64>() * 0.125 / frequency
}

/// How fast a bone carries a point.
fn carried(bone: usize, p: DVec3) -> DVec3 {
    let motion = motion().velocities[bone];
    motion.linear + motion.angular.cross(p - joint(bone))
}

#[test]
fn effects_do_nothing_when_turned_down() {
    let amounts: [(&str, &[&str]); 10] = [
        ("Body Breath", &["amount", "lift"]),
        ("Body Ripple", &["amount"]),
        ("Breathing", &["depth"]),
        ("Centrifugal Bulge", &["amount"]),
        ("Ear Flop", &["amount"]),
        ("Impact Ripple", &["amount"]),
        ("Jelly Wobble", &["amount"]),
        ("Speed Smear", &["amount"]),
        ("Tail Whip", &["delay"]),
        ("Wind Lean", &["strength"]),
    ];
    let library = Library::built_in();
    let effects = library.types().filter(|ty| ty.category == "Effects");
    let names: Vec<&str> = effects.map(|ty| ty.name.as_str()).collect();
    assert_eq!(names, amounts.map(|(node, _)| node));
    for (node, amounts) in amounts {
        let none: Vec<_> = amounts.iter().map(|amount| (*amount, number(0.0))).collect();
        let none = plain(node, &none, "displacement");
        let most = none.iter().map(|d| d.length()).fold(0.0, f64::max);
        assert!(most < 1e-6, "{node}: {most}");
    }
}

/// A point seen from a bone: across the line from its joint to the middle of what it carries.
fn across(bone: usize, p: DVec3) -> DVec3 {
    let centroid = tube().centroids().evaluate(tube(), tube().rest_pose())[bone];
    (p - centroid).reject_from(centroid - joint(bone))
}

/// Σ_j w_j ψ_j(p), w the skin weights.
fn mean(psi: impl Fn(usize, DVec3) -> DVec3) -> Vec<DVec3> {
    let of_vertex = |vertex: usize| {
        let p = tube().rest().positions[vertex].as_dvec3();
        let bones = tube().skin.of(vertex).iter();
        let bones = bones.map(|it| (tube().bindings[it.index as usize].bone, it.weight));
        bones.map(|(bone, weight)| psi(bone, p) * f64::from(weight)).sum()
    };
    (0..tube().vertex_count()).map(of_vertex).collect()
}

#[test]
fn a_body_breathes_in_faster_than_out_and_rests() {
    // The time of these tests is 0.3 s.
    for (rate, pause) in [(0.4, 0.2), (1.5, 0.5), (3.0, 0.2)] {
        let settings = [
            ("amount", number(0.1)),
            ("lift", number(0.02)),
            ("rate", number(rate)),
            ("pause", number(pause)),
        ];
        let found = plain("Body Breath", &settings, "displacement");
        let part = (rate * 0.3_f64).fract() / (1.0 - pause);
        let breath = smooth(0.0, 0.45, part) - smooth(0.4, 1.0, part);
        let higher = DVec3::Y * (0.02 * tube().size());
        let expected = mean(|bone, p| (across(bone, p) * 0.1 + higher) * breath);
        assert_close(&found, &expected, "body breath");
        assert_eq!(breath == 0.0, part >= 1.0, "lungs are empty only in the pause");
    }
}

#[test]
fn breathing_swells_along_the_normals() {
    let found = plain("Breathing", &[("hold", number(0.5))], "displacement");
    let wave = 0.5 + 0.5 * (TAU * 0.5 * 0.3).sin();
    let depth = tube().size() * 0.015 * wave * wave;
    let normals = tube().rest().normals.iter();
    let expected: Vec<DVec3> = normals.map(|n| n.as_dvec3() * depth).collect();
    assert_close(&found, &expected, "breathing");
}

#[test]
fn wind_leans_along_an_arc_by_height() {
    let settings = [("wind", Setting::Vec3([0.0, 0.0, -3.0])), ("strength", number(0.4))];
    let found = plain("Wind Lean", &settings, "displacement");
    let size = tube().size();
    let expected: Vec<DVec3> = (tube().rest().positions.iter().zip(heights()))
        .map(|(p, (height, _))| {
            let phase = 0.5 * 0.3 + 0.5 * f64::from(p.z) / size;
            let gust = 1.0 - 0.5 * (0.5 - 0.5 * (TAU * phase).sin());
            let share = (height / size).clamp(0.0, 1.0);
            let angle = 0.4 * gust * share;
            dvec3(0.0, angle.cos() - 1.0, -angle.sin()) * (share * size)
        })
        .collect();
    assert_close(&found, &expected, "wind lean");
}

#[test]
fn centrifugal_bulge_goes_off_the_axis() {
    let found = plain("Centrifugal Bulge", &[("amount", number(0.02))], "displacement");
    let expected = summed(|bone, p| {
        let omega = motion().velocities[bone].angular;
        let arm = p - joint(bone);
        let radius = arm - arm.project_onto(omega);
        soft_limited(radius * (0.02 * omega.length_squared()), 0.1)
    });
    assert_close(&found, &expected, "centrifugal bulge");
}

#[test]
fn jelly_wobble_is_a_spring_that_softens_with_height() {
    let settings = [("amount", number(0.9)), ("frequency", number(2.0)), ("swings", number(0.8))];
    let found = plain("Jelly Wobble", &settings, "displacement");
    let late_secs = 0.9 * spring_answer_secs(2.0, 0.8);
    let centroids = tube().centroids().evaluate(tube(), tube().rest_pose());
    let (low, high) = tube().rest_bounds();
    let whole = f64::from(high.y - low.y);
    let expected = summed(|bone, p| {
        let height = ((p.y - f64::from(low.y)) / whole).clamp(0.0, 1.0);
        let late = soft_limited(carried(bone, p) * -late_secs, 0.25);
        let stretch = (late.y * 2.0 * height / whole).clamp(-0.6, 2.0);
        let thinner = (p - centroids[bone]) * (1.0 / (1.0 + stretch).sqrt() - 1.0);
        late * (height * height) + dvec3(thinner.x, 0.0, thinner.z)
    });
    assert_close(&found, &expected, "jelly wobble");
}

#[test]
fn ear_flop_is_a_spring_behind_a_dead_zone() {
    let settings = [("dead zone", number(0.01)), ("fade", number(0.02)), ("mask", number(0.5))];
    let found = plain("Ear Flop", &settings, "displacement");
    let late_secs = 1.2 * spring_answer_secs(3.0, 0.6);
    let expected: Vec<DVec3> = summed(carried)
        .into_iter()
        .map(|velocity| {
            let late = velocity * -late_secs;
            let counts = smooth(0.01, 0.03, late.length() / tube().size());
            soft_limited(late, 0.12) * (0.5 * counts)
        })
        .collect();
    assert_close(&found, &expected, "ear flop");
    let calm = [("dead zone", number(0.5))];
    assert!(plain("Ear Flop", &calm, "displacement").iter().all(|d| *d == DVec3::ZERO));
}

#[test]
fn speed_smear_goes_back_along_the_arc_where_it_is_behind() {
    let settings = [("streaks", number(0.0)), ("threshold", number(0.1)), ("fade", number(0.4))];
    let found = plain("Speed Smear", &settings, "displacement");
    let centroids = tube().centroids().evaluate(tube(), tube().rest_pose());
    let middles = expected_sum("skin", |bone| centroids[bone]);
    let velocities = summed(carried);
    let size = tube().size();
    let expected: Vec<DVec3> = (0..tube().vertex_count())
        .map(|vertex| {
            let p = tube().rest().positions[vertex].as_dvec3();
            let velocity = velocities[vertex];
            let speed = velocity.length() / size;
            let behind = (middles[vertex] - p).dot(velocity.normalize_or_zero()) / size;
            let seconds = 0.08 * smooth(0.1, 0.5, speed) * smooth(-0.2, 0.2, behind);
            let seconds = seconds * 0.3 / (0.3 + speed * seconds);
            let pairs = tube().upward().of(vertex).iter();
            let back = pairs.map(|influence| {
                let motion = motion().velocities[influence.index as usize];
                let arm = p - joint(influence.index as usize);
                let turned = DQuat::from_scaled_axis(motion.angular * -seconds) * arm;
                (turned - arm - motion.linear * seconds) * f64::from(influence.weight)
            });
            back.sum()
        })
        .collect();
    assert_close(&found, &expected, "speed smear");
    // Streaks only scale the way back, from nothing to twice as far before the limit.
    let streaked = plain("Speed Smear", &[("streaks", number(1.0))], "displacement");
    let even = plain("Speed Smear", &[("streaks", number(0.0))], "displacement");
    for (streaked, even) in streaked.iter().zip(&even) {
        assert!(streaked.length() <= 2.01 * even.length() + 1e-9);
    }
}

#[test]
fn tail_whip_puts_each_part_where_its_root_was() {
    let (delay_secs, reach, curl) = (0.25, 0.4, 1.5);
    let settings =
        [("delay", number(delay_secs)), ("reach", number(reach)), ("bones", text("Low, High"))];
    let found = plain("Tail Whip", &settings, "displacement");
    let expected = summed(|bone, p| {
        let arm = p - joint(bone);
        let along = (arm.length() / (reach * tube().size())).clamp(0.0, 1.0);
        let lacks = motion().velocities[bone].angular * (delay_secs * along.powf(curl));
        let lacks = if bone == 1 { DVec3::ZERO } else { lacks.clamp_length_max(TAU / 4.0) };
        DQuat::from_scaled_axis(-lacks) * arm - arm
    });
    assert_close(&found, &expected, "tail whip");
    for bones in ["Low", ""] {
        let settings = [("bones", text(bones)), ("gain", number(0.5))];
        let whipped = plain("Tail Whip", &settings, "displacement");
        assert!(whipped.iter().any(|d| d.length() > 0.01), "{bones}");
    }
}
