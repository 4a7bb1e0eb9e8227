//! What keys mean between keys (glTF 2.0, appendix C), with the exact rate of change.
//!
//! Before the first key and after the last the value stands still. At a key the rate is that of
//! the segment that begins there; at the last key, of the one that ends there, so that the last
//! frame of a bake does not stop dead.

use crate::rig::{Interpolation, Keys};
use glam::{DQuat, DVec3, DVec4};

/// Where a time falls among the keys.
enum Place {
    /// On one key, or outside of them all.
    Still(usize),
    /// Between `key` and the next, at `share` in [0, 1] of the `length_secs` between.
    Between { key: usize, share: f64, length_secs: f64 },
}

fn place(keys: &Keys, time_secs: f64) -> Place {
    let times = &keys.times_secs;
    let last = times.len() - 1;
    let at = |key: usize| f64::from(times[key]);
    if last == 0 || !(time_secs >= at(0)) {
        return Place::Still(0);
    }
    if time_secs > at(last) {
        return Place::Still(last);
    }
    // The last key at or before the time; on the final key, the segment that leads to it.
    let key = times.partition_point(|&key| f64::from(key) <= time_secs) - 1;
    let key = key.min(last - 1);
    let length_secs = at(key + 1) - at(key);
    if length_secs > 0.0 {
        let share = (time_secs - at(key)) / length_secs;
        Place::Between { key, share, length_secs }
    } else {
        Place::Still(last)
    }
}

/// A vector and its derivative by time.
pub fn sample_vector(keys: &Keys, time_secs: f64) -> (DVec3, DVec3) {
    let value = |key| DVec3::from_array(three(keys.value(key)));
    match (place(keys, time_secs), keys.interpolation) {
        (Place::Still(key), _) => (value(key), DVec3::ZERO),
        (Place::Between { key, share, .. }, Interpolation::Step) => {
            (value(step(key, share)), DVec3::ZERO)
        }
        (Place::Between { key, share, length_secs }, Interpolation::Linear) => {
            let change = value(key + 1) - value(key);
            (value(key) + change * share, change / length_secs)
        }
        (Place::Between { key, share, length_secs }, Interpolation::CubicSpline) => {
            let [p0, m0, m1, p1] = hermite_controls(keys, key).map(|v| DVec3::from_array(three(v)));
            let (h, dh) = hermite(share, length_secs);
            (
                p0 * h[0] + m0 * h[1] + p1 * h[2] + m1 * h[3],
                p0 * dh[0] + m0 * dh[1] + p1 * dh[2] + m1 * dh[3],
            )
        }
    }
}

/// A rotation and its angular velocity ω, both in the frame of the parent: dq/dt = ½ ω q.
pub fn sample_rotation(keys: &Keys, time_secs: f64) -> (DQuat, DVec3) {
    let value = |key| unit(DVec4::from_array(four(keys.value(key))));
    match (place(keys, time_secs), keys.interpolation) {
        (Place::Still(key), _) => (value(key), DVec3::ZERO),
        (Place::Between { key, share, .. }, Interpolation::Step) => {
            (value(step(key, share)), DVec3::ZERO)
        }
        (Place::Between { key, share, length_secs }, Interpolation::Linear) => {
            // Spherical interpolation is a constant turn by the rotation vector between the keys.
            let turn = rotation_vector(value(key + 1) * value(key).conjugate());
            let rotation = DQuat::from_scaled_axis(turn * share) * value(key);
            (rotation.normalize(), turn / length_secs)
        }
        (Place::Between { key, share, length_secs }, Interpolation::CubicSpline) => {
            let [q0, m0, m1, q1] = hermite_controls(keys, key).map(|v| DVec4::from_array(four(v)));
            let (h, dh) = hermite(share, length_secs);
            let x = q0 * h[0] + m0 * h[1] + q1 * h[2] + m1 * h[3];
            let rate = q0 * dh[0] + m0 * dh[1] + q1 * dh[2] + m1 * dh[3];
            let length = x.length();
            if !(length > 1e-9) {
                return (value(key), DVec3::ZERO);
            }
            // q = x/|x|, so dq = (ẋ − q (q·ẋ)) / |x|, and ω is the vector part of 2 dq q*.
            let q = x / length;
            let dq = (rate - q * q.dot(rate)) / length;
            let q = DQuat::from_vec4(q);
            let omega = DQuat::from_vec4(dq) * q.conjugate();
            (q, DVec3::new(omega.x, omega.y, omega.z) * 2.0)
        }
    }
}

/// Morph weights, `keys.width` of them.
pub fn sample_weights(keys: &Keys, time_secs: f64, weights: &mut [f64]) {
    let at = |key: usize, i: usize| f64::from(keys.value(key)[i]);
    let place = place(keys, time_secs);
    for (i, weight) in weights.iter_mut().enumerate() {
        *weight = match (&place, keys.interpolation) {
            (&Place::Still(key), _) => at(key, i),
            (&Place::Between { key, share, .. }, Interpolation::Step) => at(step(key, share), i),
            (&Place::Between { key, share, .. }, Interpolation::Linear) => {
                at(key, i) + (at(key + 1, i) - at(key, i)) * share
            }
            (&Place::Between { key, share, length_secs }, Interpolation::CubicSpline) => {
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

/// STEP jumps exactly on its key, which only the very last one reaches as a share of 1.
fn step(key: usize, share: f64) -> usize {
    if share < 1.0 { key } else { key + 1 }
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

    fn keys(interpolation: Interpolation, width: usize, times: &[f32], values: &[f32]) -> Keys {
        Keys { interpolation, width, times_secs: times.to_vec(), values: values.to_vec() }
    }

    #[test]
    fn step_holds_until_the_next_key_and_jumps_on_it() {
        let keys = keys(Interpolation::Step, 3, &[0.0, 1.0], &[0., 0., 0., 5., 5., 5.]);
        assert_eq!(sample_vector(&keys, 0.999).0, DVec3::ZERO);
        assert_eq!(sample_vector(&keys, 1.0).0, DVec3::splat(5.0));
    }

    #[test]
    fn a_value_stands_still_outside_its_keys() {
        let keys = keys(Interpolation::Linear, 3, &[1.0, 2.0], &[0., 0., 0., 3., 0., 0.]);
        assert_eq!(sample_vector(&keys, 0.5), (DVec3::ZERO, DVec3::ZERO));
        assert_eq!(sample_vector(&keys, 9.0), (DVec3::X * 3.0, DVec3::ZERO));
        assert_eq!(sample_vector(&keys, 2.0), (DVec3::X * 3.0, DVec3::X * 3.0));
        assert_eq!(sample_vector(&keys, f64::NAN).0, DVec3::ZERO);
    }

    #[test]
    fn a_rotation_takes_the_short_way_although_the_keys_change_sign() {
        let half = 0.1_f32;
        let (s, c) = half.sin_cos();
        let keys = keys(Interpolation::Linear, 4, &[0.0, 1.0], &[0., 0., 0., 1., 0., -s, 0., -c]);
        let (q, omega) = sample_rotation(&keys, 0.5);
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
                let difference =
                    (sample_vector(&vector, t + h).0 - sample_vector(&vector, t - h).0) / (2.0 * h);
                assert!((difference - sample_vector(&vector, t).1).length() < 1e-8);
                let (after, before) =
                    (sample_rotation(&quat, t + h).0, sample_rotation(&quat, t - h).0);
                let difference = rotation_vector(after * before.conjugate()) / (2.0 * h);
                assert!((difference - sample_rotation(&quat, t).1).length() < 1e-7);
            }
        }
    }
}
