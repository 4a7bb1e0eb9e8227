//! What keys mean between keys (glTF 2.0, appendix C), with the exact rate of change.
//!
//! Before the first key and after the last the value stands still. A rate jumps at a key, so there it has
//! a side, which [`ClipMoment`] chooses: rounding must not, or a clip keyed at the rate of its frames
//! would change sides from frame to frame.

use super::playback::ClipMoment;
use crate::{Interpolation, Keys};
use glam::{DQuat, DVec3, DVec4};
pub use jounce_base::keyed_value::{AT_KEY_SECS, at_key_secs};

/// On which side of a key a rate of change is taken, in the time of the clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

/// Where a time falls among the keys.
#[derive(Clone, Copy)]
enum AmongKeys {
    /// On one key, or outside of them all.
    Still(usize),
    /// Between `key` and the next, at `share` in [0, 1] of the `length_secs` between.
    Between { key: usize, share: f64, length_secs: f64 },
}

/// Where the value is taken: exactly at the time. A value that jumps from key to key is that of the key which
/// the time is at: rounding must not show the one before.
fn place(keys: &Keys, time_secs: f64) -> AmongKeys {
    let times = &keys.times_secs;
    let last = times.len() - 1;
    let at = |key: usize| f64::from(times[key]);
    if keys.interpolation == Interpolation::Step {
        return AmongKeys::Still(reached_keys(times, time_secs).saturating_sub(1));
    }
    if last == 0 || !(time_secs >= at(0)) {
        return AmongKeys::Still(0);
    }
    if time_secs >= at(last) {
        return AmongKeys::Still(last);
    }
    // The last key at or before the time; the next one is later.
    let key = times.partition_point(|&key| f64::from(key) <= time_secs) - 1;
    let length_secs = at(key + 1) - at(key);
    AmongKeys::Between { key, share: (time_secs - at(key)) / length_secs, length_secs }
}

/// How many keys the time is at or behind.
fn reached_keys(times_secs: &[f32], time_secs: f64) -> usize {
    times_secs.partition_point(|&key| {
        let key_secs = f64::from(key);
        key_secs - at_key_secs(key_secs) <= time_secs
    })
}

/// Where the rate is taken: at a key, on the side that the moment says. A segment shorter than what
/// counts as one time is a jump, which is no motion.
fn rate_place(keys: &Keys, moment: &ClipMoment) -> AmongKeys {
    let (times, time_secs) = (&keys.times_secs, moment.rate_secs);
    let last = times.len() - 1;
    let at = |key: usize| f64::from(times[key]);
    match moment.side {
        Side::After => {
            let reached = reached_keys(times, time_secs);
            if reached == 0 || reached > last {
                return AmongKeys::Still(reached.min(last));
            }
            let key = reached - 1;
            let since_secs = time_secs - at(key);
            let is_at_key = since_secs <= at_key_secs(at(key));
            let length_secs = at(key + 1) - at(key);
            let share = if is_at_key { 0.0 } else { since_secs / length_secs };
            AmongKeys::Between { key, share, length_secs }
        }
        Side::Before => {
            let is_passed = |&key: &f32| {
                let key_secs = f64::from(key);
                key_secs + at_key_secs(key_secs) < time_secs
            };
            let next = times.partition_point(is_passed);
            if next == 0 || next > last {
                return AmongKeys::Still(next.min(last));
            }
            let key = next - 1;
            let is_at_key = at(next) - time_secs <= at_key_secs(at(next));
            let length_secs = at(next) - at(key);
            let share = if is_at_key { 1.0 } else { (time_secs - at(key)) / length_secs };
            AmongKeys::Between { key, share, length_secs }
        }
    }
}

/// A vector and its derivative by time.
pub fn sample_vector(keys: &Keys, moment: &ClipMoment) -> (DVec3, DVec3) {
    let value = |key| DVec3::from_array(three(keys.value(key)));
    let at = match (place(keys, moment.time_secs), keys.interpolation) {
        (AmongKeys::Still(key), _) => value(key),
        (AmongKeys::Between { key, .. }, Interpolation::Step) => value(key),
        (AmongKeys::Between { key, share, .. }, Interpolation::Linear) => {
            value(key) + (value(key + 1) - value(key)) * share
        }
        (AmongKeys::Between { key, share, length_secs }, Interpolation::CubicSpline) => {
            let [p0, m0, m1, p1] = hermite_controls(keys, key).map(|v| DVec3::from_array(three(v)));
            let (h, _) = hermite(share, length_secs);
            p0 * h[0] + m0 * h[1] + p1 * h[2] + m1 * h[3]
        }
    };
    let rate = match (rate_place(keys, moment), keys.interpolation) {
        (AmongKeys::Still(_), _) | (_, Interpolation::Step) => DVec3::ZERO,
        (AmongKeys::Between { key, length_secs, .. }, Interpolation::Linear) => {
            (value(key + 1) - value(key)) / length_secs
        }
        (AmongKeys::Between { key, share, length_secs }, Interpolation::CubicSpline) => {
            let [p0, m0, m1, p1] = hermite_controls(keys, key).map(|v| DVec3::from_array(three(v)));
            let (_, dh) = hermite(share, length_secs);
            p0 * dh[0] + m0 * dh[1] + p1 * dh[2] + m1 * dh[3]
        }
    };
    (at, rate)
}

/// A rotation and its angular velocity ω, both in the frame of the parent: dq/dt = ½ ω q.
pub fn sample_rotation(keys: &Keys, moment: &ClipMoment) -> (DQuat, DVec3) {
    let value = |key| unit(DVec4::from_array(four(keys.value(key))));
    // Spherical interpolation is a constant turn by the rotation vector between the keys.
    let turn = |key| rotation_vector(value(key + 1) * value(key).conjugate());
    let at = match (place(keys, moment.time_secs), keys.interpolation) {
        (AmongKeys::Still(key), _) => value(key),
        (AmongKeys::Between { key, .. }, Interpolation::Step) => value(key),
        (AmongKeys::Between { key, share, .. }, Interpolation::Linear) => {
            (DQuat::from_scaled_axis(turn(key) * share) * value(key)).normalize()
        }
        (AmongKeys::Between { key, share, length_secs }, Interpolation::CubicSpline) => {
            spline_rotation(keys, key, share, length_secs).map_or(value(key), |(q, _)| q)
        }
    };
    let rate = match (rate_place(keys, moment), keys.interpolation) {
        (AmongKeys::Still(_), _) | (_, Interpolation::Step) => DVec3::ZERO,
        (AmongKeys::Between { key, length_secs, .. }, Interpolation::Linear) => {
            turn(key) / length_secs
        }
        (AmongKeys::Between { key, share, length_secs }, Interpolation::CubicSpline) => {
            spline_rotation(keys, key, share, length_secs).map_or(DVec3::ZERO, |(_, omega)| omega)
        }
    };
    (at, rate)
}

/// None where the spline passes through zero and is no rotation.
fn spline_rotation(
    keys: &Keys,
    key: usize,
    share: f64,
    length_secs: f64,
) -> Option<(DQuat, DVec3)> {
    let [q0, m0, m1, q1] = hermite_controls(keys, key).map(|v| DVec4::from_array(four(v)));
    let (h, dh) = hermite(share, length_secs);
    let x = q0 * h[0] + m0 * h[1] + q1 * h[2] + m1 * h[3];
    let rate = q0 * dh[0] + m0 * dh[1] + q1 * dh[2] + m1 * dh[3];
    let length = x.length();
    if !(length > 1e-9) {
        return None;
    }
    // q = x/|x|, so dq = (ẋ − q (q·ẋ)) / |x|, and ω is the vector part of 2 dq q*.
    let q = x / length;
    let dq = (rate - q * q.dot(rate)) / length;
    let q = DQuat::from_vec4(q);
    let omega = DQuat::from_vec4(dq) * q.conjugate();
    Some((q, DVec3::new(omega.x, omega.y, omega.z) * 2.0))
}

/// Morph weights, `keys.width` of them.
pub fn sample_weights(keys: &Keys, time_secs: f64, weights: &mut [f64]) {
    let at = |key: usize, i: usize| f64::from(keys.value(key)[i]);
    let place = place(keys, time_secs);
    for (i, weight) in weights.iter_mut().enumerate() {
        *weight = match (&place, keys.interpolation) {
            (&AmongKeys::Still(key), _) => at(key, i),
            (&AmongKeys::Between { key, .. }, Interpolation::Step) => at(key, i),
            (&AmongKeys::Between { key, share, .. }, Interpolation::Linear) => {
                at(key, i) + (at(key + 1, i) - at(key, i)) * share
            }
            (&AmongKeys::Between { key, share, length_secs }, Interpolation::CubicSpline) => {
                let [p0, m0, m1, p1] = hermite_controls(keys, key).map(|v| f64::from(v[i]));
                let (h, _) = hermite(share, length_secs);
                p0 * h[0] + m0 * h[1] + p1 * h[2] + m1 * h[3]
            }
        };
    }
}

/// The rotation vector of the shorter way round: axis times angle, at most π long.
pub fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sine = v.length();
    if sine < 1e-12 {
        // sin x = x to the last bit here; w is 1.
        return v * 2.0;
    }
    v * (2.0 * sine.atan2(q.w) / sine)
}

/// Value and out-tangent of a key, in-tangent and value of the next.
fn hermite_controls(keys: &Keys, key: usize) -> [&[f32]; 4] {
    let slot = |i: usize| &keys.values[i * keys.width..(i + 1) * keys.width];
    [slot(3 * key + 1), slot(3 * key + 2), slot(3 * key + 3), slot(3 * key + 4)]
}

/// Hermite weights of (p₀, m₀, p₁, m₁) and their derivatives by time.
fn hermite(s: f64, length_secs: f64) -> ([f64; 4], [f64; 4]) {
    let (s2, s3) = (s * s, s * s * s);
    let values = [
        2.0 * s3 - 3.0 * s2 + 1.0,
        length_secs * (s3 - 2.0 * s2 + s),
        -2.0 * s3 + 3.0 * s2,
        length_secs * (s3 - s2),
    ];
    let rates = [
        (6.0 * s2 - 6.0 * s) / length_secs,
        3.0 * s2 - 4.0 * s + 1.0,
        (-6.0 * s2 + 6.0 * s) / length_secs,
        3.0 * s2 - 2.0 * s,
    ];
    (values, rates)
}

fn unit(q: DVec4) -> DQuat {
    DQuat::from_vec4(q.try_normalize().unwrap_or(DVec4::W))
}

fn three(v: &[f32]) -> [f64; 3] {
    [0, 1, 2].map(|i| f64::from(v[i]))
}

fn four(v: &[f32]) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| f64::from(v[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Played forward, not at an end of the clip.
    fn forward(time_secs: f64) -> ClipMoment {
        ClipMoment { time_secs, rate_secs: time_secs, side: Side::After }
    }

    fn keys(interpolation: Interpolation, width: usize, times: &[f32], values: &[f32]) -> Keys {
        Keys { interpolation, width, times_secs: times.to_vec(), values: values.to_vec() }
    }

    #[test]
    fn step_holds_until_the_next_key_and_jumps_on_it() {
        let keys = keys(Interpolation::Step, 3, &[0.0, 1.0], &[0., 0., 0., 5., 5., 5.]);
        assert_eq!(sample_vector(&keys, &forward(0.999)).0, DVec3::ZERO);
        assert_eq!(sample_vector(&keys, &forward(1.0)).0, DVec3::splat(5.0));
    }

    #[test]
    fn a_value_stands_still_outside_its_keys() {
        let keys = keys(Interpolation::Linear, 3, &[1.0, 2.0], &[0., 0., 0., 3., 0., 0.]);
        assert_eq!(sample_vector(&keys, &forward(0.5)), (DVec3::ZERO, DVec3::ZERO));
        assert_eq!(sample_vector(&keys, &forward(9.0)), (DVec3::X * 3.0, DVec3::ZERO));
        let at_the_end = ClipMoment { side: Side::Before, ..forward(2.0) };
        assert_eq!(sample_vector(&keys, &at_the_end), (DVec3::X * 3.0, DVec3::X * 3.0));
        assert_eq!(sample_vector(&keys, &forward(f64::NAN)).0, DVec3::ZERO);
    }

    #[test]
    fn a_rotation_takes_the_short_way_although_the_keys_change_sign() {
        let half = 0.1_f32;
        let (s, c) = half.sin_cos();
        let keys = keys(Interpolation::Linear, 4, &[0.0, 1.0], &[0., 0., 0., 1., 0., -s, 0., -c]);
        let (q, omega) = sample_rotation(&keys, &forward(0.5));
        assert!((omega - DVec3::Y * 0.2).length() < 1e-6, "{omega}");
        assert!((rotation_vector(q) - DVec3::Y * 0.1).length() < 1e-6);
    }

    #[test]
    fn rates_agree_with_differences_for_every_interpolation() {
        let vectors: Vec<f32> = (0..18).map(|i| (i as f32 * 0.7).sin()).collect();
        let quats: Vec<f32> = (0..24).map(|i| (i as f32 * 1.3).cos() + 0.2).collect();
        let cases = [(Interpolation::Linear, 6, 8), (Interpolation::CubicSpline, 18, 24)];
        for (interpolation, vector_len, quat_len) in cases {
            let vector = keys(interpolation, 3, &[0.0, 0.8], &vectors[..vector_len]);
            let quat = keys(interpolation, 4, &[0.0, 0.8], &quats[..quat_len]);
            let h = 1e-5;
            for t in [0.1, 0.37, 0.7] {
                let difference = (sample_vector(&vector, &forward(t + h)).0
                    - sample_vector(&vector, &forward(t - h)).0)
                    / (2.0 * h);
                assert!((difference - sample_vector(&vector, &forward(t)).1).length() < 1e-8);
                let (after, before) = (
                    sample_rotation(&quat, &forward(t + h)).0,
                    sample_rotation(&quat, &forward(t - h)).0,
                );
                let difference = rotation_vector(after * before.conjugate()) / (2.0 * h);
                assert!((difference - sample_rotation(&quat, &forward(t)).1).length() < 1e-7);
            }
        }
    }

    /// Three keys, with another rate on either side of the one in the middle.
    fn bent(interpolation: Interpolation) -> Keys {
        let values = match interpolation {
            Interpolation::CubicSpline => {
                // In-tangent, value, out-tangent; y and z are 0.
                let x = [0., 0., 2., 2., 1., 5., 5., 4., 0.];
                x.iter().flat_map(|&x| [x, 0., 0.]).collect()
            }
            _ => vec![0., 0., 0., 1., 0., 0., 4., 0., 0.],
        };
        keys(interpolation, 3, &[0.0, 0.3, 0.9], &values)
    }

    #[test]
    fn at_a_key_and_close_to_it_the_rate_is_that_of_the_chosen_side() {
        let key = f64::from(0.3_f32);
        let cases = [
            (Interpolation::Linear, 1.0 / 0.3, 3.0 / 0.6),
            (Interpolation::CubicSpline, 2.0, 5.0),
            (Interpolation::Step, 0.0, 0.0),
        ];
        for (interpolation, before, after) in cases {
            let keys = bent(interpolation);
            for off_secs in [0.0, 1e-12, -1e-12, 0.9e-5, -0.9e-5] {
                let at = forward(key + off_secs);
                let rate = sample_vector(&keys, &at).1.x;
                assert!((rate - after).abs() < 1e-5, "{interpolation:?} {off_secs}: {rate}");
                let rate = sample_vector(&keys, &ClipMoment { side: Side::Before, ..at }).1.x;
                assert!((rate - before).abs() < 1e-5, "{interpolation:?} {off_secs}: {rate}");
            }
            // Further away there is no choice.
            for side in [Side::Before, Side::After] {
                let just_before = ClipMoment { side, ..forward(key - 1.2e-5) };
                let rate = sample_vector(&keys, &just_before).1.x;
                assert!((rate - before).abs() < 2e-3, "{interpolation:?} {side:?}: {rate}");
            }
        }
    }

    #[test]
    fn the_value_close_to_a_key_is_the_value_at_that_time() {
        let keys = bent(Interpolation::Linear);
        let key = f64::from(0.3_f32);
        let value = sample_vector(&keys, &forward(key - 0.9e-5)).0.x;
        assert!((value - (1.0 - 0.9e-5 / key)).abs() < 1e-9, "{value}");
        // A value that jumps has none between: there a time close to a key is at the key.
        let steps = bent(Interpolation::Step);
        assert_eq!(sample_vector(&steps, &forward(key - 1.2e-5)).0.x, 0.0);
        assert_eq!(sample_vector(&steps, &forward(key - 0.9e-5)).0.x, 1.0);
        assert_eq!(sample_vector(&steps, &forward(key)).0.x, 1.0);
    }

    #[test]
    fn steps_keyed_at_frames_change_on_their_frames() {
        for (fps, first) in [(24.0, 0), (30.0, 0), (60.0, 0), (60.0, 60_000)] {
            let frame_secs = |i: usize| (first + i) as f64 / fps;
            let times: Vec<f32> = (0..300).map(|i| frame_secs(i) as f32).collect();
            let vectors: Vec<f32> = (0..300).flat_map(|i| [i as f32, 0., 0.]).collect();
            let half = |i: usize| (i as f32 * 0.005).sin_cos();
            let turns: Vec<f32> = (0..300).flat_map(|i| [0., half(i).0, 0., half(i).1]).collect();
            let weights: Vec<f32> = (0..300).map(|i| i as f32).collect();
            let [vectors, turns, weights] = [(3, &vectors), (4, &turns), (1, &weights)]
                .map(|(width, values)| keys(Interpolation::Step, width, &times, values));
            for i in 0..300 {
                let at = forward(frame_secs(i));
                assert_eq!(sample_vector(&vectors, &at).0.x, i as f64, "frame {i} at {fps}");
                let angle = rotation_vector(sample_rotation(&turns, &at).0).y;
                assert!((angle - 0.01 * i as f64).abs() < 1e-5, "frame {i} at {fps}: {angle}");
                let mut weight = [0.0];
                sample_weights(&weights, at.time_secs, &mut weight);
                assert_eq!(weight, [i as f64], "frame {i} at {fps}");
            }
        }
        let steps = keys(Interpolation::Step, 3, &[1.0, 2.0], &[1., 0., 0., 2., 0., 0.]);
        for (time_secs, expected) in [(f64::NAN, 1.0), (-1.0, 1.0), (1.5, 1.0), (9.0, 2.0)] {
            assert_eq!(sample_vector(&steps, &forward(time_secs)).0.x, expected, "{time_secs}");
        }
    }

    #[test]
    fn two_keys_at_one_time_are_a_jump_and_no_motion() {
        let values = [0., 0., 0., 1., 0., 0., 7., 0., 0., 9., 0., 0.];
        let keys = keys(Interpolation::Linear, 3, &[0.0, 1.0, 1.0, 2.0], &values);
        assert_eq!(sample_vector(&keys, &forward(1.0)), (DVec3::X * 7.0, DVec3::X * 2.0));
        let before = ClipMoment { side: Side::Before, ..forward(1.0) };
        assert_eq!(sample_vector(&keys, &before).1, DVec3::X);
    }

    #[test]
    fn late_in_a_long_clip_a_key_is_as_wide_as_its_rounding() {
        let values: Vec<f32> = (0..4).flat_map(|i| [(i * i) as f32, 0., 0.]).collect();
        // Frames 60 000 to 60 003 at 60 a second: single precision steps by 61 µs there.
        let times: Vec<f32> =
            (60_000..60_004).map(|frame| (f64::from(frame) / 60.0) as f32).collect();
        let keys = keys(Interpolation::Linear, 3, &times, &values);
        for i in 0..3_u8 {
            let rate = sample_vector(&keys, &forward((60_000.0 + f64::from(i)) / 60.0)).1.x;
            let after = 60.0 * (2.0 * f64::from(i) + 1.0);
            assert!((rate - after).abs() < 0.01 * after, "key {i}: {rate} is not {after}");
        }
    }
}
