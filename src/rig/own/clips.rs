//! Clips from closed-form motion: a function of the phase poses the bones, and is sampled into
//! cubic keys with its own slopes, so velocities are smooth and the end meets the beginning.

use super::design::BoneSpec;
use crate::{Clip, Interpolation, Keys, Property, Track};
use glam::{DAffine3, DQuat, DVec3, EulerRot};
use std::f64::consts::TAU;

const KEYS_PER_SECOND: f64 = 15.0;

/// A pose being made: what each bone does on top of its rest.
pub struct Posing<'b> {
    bones: &'b [BoneSpec],
    turns: Vec<Option<DQuat>>,
    shifts: Vec<Option<DVec3>>,
}

/// A wave of the phase: 0 at phase 0, and at 1 again.
pub fn wave(phase: f64) -> f64 {
    (phase * TAU).sin()
}

/// Goes smoothly from 0 to 1 while the phase goes from `start` to `end`.
pub fn ramp(phase: f64, start: f64, end: f64) -> f64 {
    let t = ((phase - start) / (end - start)).clamp(0.0, 1.0);
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// 0, up to 1 between `start` and `top`, held until `leave`, and back to 0 at `end`.
pub fn hold(phase: f64, start: f64, top: f64, leave: f64, end: f64) -> f64 {
    ramp(phase, start, top) - ramp(phase, leave, end)
}

impl Posing<'_> {
    fn index(&self, bone: &str) -> usize {
        let found = self.bones.iter().position(|spec| spec.name == bone);
        found.unwrap_or_else(|| panic!("our own character has no bone called {bone}"))
    }

    /// Turns about the scene's axes at rest: pitch about X (nose down is +), yaw about Y, roll about Z.
    pub fn turn(&mut self, bone: &str, pitch: f64, yaw: f64, roll: f64) {
        let [pitch, yaw, roll] = [pitch, yaw, roll].map(f64::to_radians);
        let index = self.index(bone);
        self.turns[index] = Some(DQuat::from_euler(EulerRot::YXZ, yaw, pitch, roll));
    }

    pub fn shift(&mut self, bone: &str, x: f64, y: f64, z: f64) {
        let index = self.index(bone);
        self.shifts[index] = Some(DVec3::new(x, y, z));
    }

    fn rest_offset(&self, index: usize) -> DVec3 {
        let bone = &self.bones[index];
        let parent_head = bone.parent.map(|parent| self.bones[parent].head);
        (bone.head - parent_head.unwrap_or_default()).as_dvec3()
    }

    fn scene_from_bone(&self, index: usize) -> DAffine3 {
        let above = match self.bones[index].parent {
            Some(parent) => self.scene_from_bone(parent),
            None => DAffine3::IDENTITY,
        };
        above
            * DAffine3::from_rotation_translation(
                self.turns[index].unwrap_or(DQuat::IDENTITY),
                self.rest_offset(index) + self.shifts[index].unwrap_or(DVec3::ZERO),
            )
    }

    /// Bends the two bones of a leg so that its foot stands `offset` away from its place at rest, in
    /// the scene, whatever the body above it does. The knee keeps to the side it has at rest.
    pub fn plant(&mut self, upper: &str, lower: &str, offset: DVec3) {
        let (upper, lower) = (self.index(upper), self.index(lower));
        let hip = self.bones[upper].head.as_dvec3();
        let thigh = self.bones[lower].head.as_dvec3() - hip;
        let shin = self.bones[lower].tail.as_dvec3() - self.bones[lower].head.as_dvec3();
        let target = self.bones[lower].tail.as_dvec3() + offset;

        let parent = self.bones[upper].parent;
        let scene_from_parent =
            parent.map_or(DAffine3::IDENTITY, |parent| self.scene_from_bone(parent));
        let reach = scene_from_parent.inverse().transform_point3(target) - self.rest_offset(upper);
        let (a, b) = (thigh.length(), shin.length());
        let length = reach.length().clamp((a - b).abs() + 1e-3, (a + b) * 0.9995);
        let cosine = (length * length - a * a - b * b) / (2.0 * a * b);
        // The knee turns about X only; thigh and shin may splay a little.
        let side = thigh.cross(shin).x.signum();
        let at_rest = side * thigh.angle_between(shin);
        let knee = side * cosine.clamp(-1.0, 1.0).acos() - at_rest;
        let knee = DQuat::from_rotation_x(knee);
        let foot = thigh + knee * shin;
        self.turns[lower] = Some(knee);
        self.turns[upper] = Some(DQuat::from_rotation_arc(foot.normalize(), reach.normalize()));
    }
}

/// Samples `motion` over phases 0 to 1 into a looping clip.
pub fn clip(
    bones: &[BoneSpec],
    name: &str,
    duration_secs: f64,
    motion: impl Fn(f64, &mut Posing),
) -> Clip {
    let at = |phase: f64| {
        let mut posing =
            Posing { bones, turns: vec![None; bones.len()], shifts: vec![None; bones.len()] };
        motion(phase.rem_euclid(1.0), &mut posing);
        posing
    };
    let count = (duration_secs * KEYS_PER_SECOND).round() as usize;
    let tiny = 1e-4;
    let phases = (0..count).map(|key| key as f64 / count as f64);
    let samples: Vec<[Posing; 3]> =
        phases.map(|phase| [at(phase - tiny), at(phase), at(phase + tiny)]).collect();
    let times_secs: Vec<f32> =
        (0..=count).map(|key| (duration_secs * key as f64 / count as f64) as f32).collect();
    let per_second = 1.0 / (2.0 * tiny * duration_secs);

    let mut tracks = Vec::new();
    for node in 0..bones.len() {
        let properties = [(Property::Translation, 3), (Property::Rotation, 4)];
        for (property, width) in properties {
            let mut values = Vec::with_capacity(3 * width * (count + 1));
            for sample in &samples {
                let [before, here, after] = sample.each_ref().map(|p| p.value(node, property));
                let (Some(before), Some(here), Some(after)) = (before, here, after) else {
                    break;
                };
                let same_side = |other: [f64; 4]| same_hemisphere(property, here, other);
                let (before, after) = (same_side(before), same_side(after));
                let slope = |i: usize| ((after[i] - before[i]) * per_second) as f32;
                values.extend((0..width).map(slope));
                values.extend((0..width).map(|i| here[i] as f32));
                values.extend((0..width).map(slope));
            }
            if values.len() != 3 * width * count {
                continue;
            }
            values.extend_from_within(0..3 * width);
            let keys = Keys {
                interpolation: Interpolation::CubicSpline,
                width,
                times_secs: times_secs.clone(),
                values,
            };
            tracks.push(Track { node, property, keys });
        }
    }
    Clip { name: name.to_string(), tracks }
}

/// q and −q turn alike, but between them a slope makes no sense.
fn same_hemisphere(property: Property, here: [f64; 4], other: [f64; 4]) -> [f64; 4] {
    let dot: f64 = here.iter().zip(other).map(|(a, b)| a * b).sum();
    if property == Property::Rotation && dot < 0.0 { other.map(|x| -x) } else { other }
}

impl Posing<'_> {
    fn value(&self, node: usize, property: Property) -> Option<[f64; 4]> {
        let three = |v: DVec3| [v.x, v.y, v.z, 0.0];
        match property {
            Property::Translation => {
                self.shifts[node].map(|shift| three(self.rest_offset(node) + shift))
            }
            // Turns stay below half a circle, so w ≥ 0 keeps neighbouring keys on one side.
            Property::Rotation => self.turns[node].map(|q| {
                let q = if q.w < 0.0 { -q } else { q };
                [q.x, q.y, q.z, q.w]
            }),
            // Squash and stretch is what the deformers are for.
            Property::Scale | Property::MorphWeights => None,
        }
    }
}

/// Where a walking foot is relative to its place at rest: back along the ground at an even speed for
/// `ground` of the phase, then lifted forward.
pub fn step(phase: f64, stride: f64, lift: f64, ground: f64) -> DVec3 {
    let phase = phase.rem_euclid(1.0);
    if phase < ground {
        return DVec3::new(0.0, 0.0, stride * (0.5 - phase / ground));
    }
    let t = (phase - ground) / (1.0 - ground);
    // Hermite: leaves and meets the ground at the ground's speed.
    let slope = -stride * (1.0 - ground) / ground;
    let t2 = t * t;
    let t3 = t2 * t;
    let forward = -0.5 * stride * (2.0 * t3 - 3.0 * t2 + 1.0)
        + slope * (t3 - 2.0 * t2 + t)
        + 0.5 * stride * (3.0 * t2 - 2.0 * t3)
        + slope * (t3 - t2);
    let rise = (std::f64::consts::PI * t).sin();
    DVec3::new(0.0, lift * rise * rise, forward)
}
