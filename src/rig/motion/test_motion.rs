//! Motions for characters that have none, and for looking at one bone alone.
//!
//! A test motion is an ordinary clip, made for any bone of any character, that loops without a seam.

use crate::centroid::medial_axis;
use crate::polar::{polar_rotation, turn_axis};
use crate::{Character, Clip, Interpolation, Keys, Property, Track};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use std::f64::consts::TAU;
use std::str::FromStr;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestMotionKind {
    /// Up and down, about the axis from side to side.
    Nod,
    /// Left and right, about the vertical.
    Shake,
    /// About the bone's own medial axis.
    Twist,
    /// Up into the air, landing, and a rest.
    Hop,
    /// Round and round about the vertical, at constant speed.
    Spin,
    /// A quick turn about the vertical, a stop, and back: shows what trails and settles.
    TurnAndStop,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestMotion {
    pub kind: TestMotionKind,
    pub bone: usize,
    /// Degrees, or for `Hop` a share of the character's size.
    pub amplitude: f64,
    pub period_secs: f64,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum TestMotionError {
    #[error(
        "there is no test motion \"{0}\"; choose one of nod, shake, twist, hop, spin, turn-and-stop"
    )]
    UnknownKind(String),
    #[error("the {what} of a test motion must be {needed}")]
    BadNumber { what: &'static str, needed: &'static str },
}

impl FromStr for TestMotionKind {
    type Err = TestMotionError;

    fn from_str(name: &str) -> Result<TestMotionKind, TestMotionError> {
        let known = TestMotionKind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| TestMotionError::UnknownKind(name.to_owned()))
    }
}

impl TestMotionKind {
    pub const ALL: [TestMotionKind; 6] = [
        TestMotionKind::Nod,
        TestMotionKind::Shake,
        TestMotionKind::Twist,
        TestMotionKind::Hop,
        TestMotionKind::Spin,
        TestMotionKind::TurnAndStop,
    ];

    pub fn name(self) -> &'static str {
        match self {
            TestMotionKind::Nod => "nod",
            TestMotionKind::Shake => "shake",
            TestMotionKind::Twist => "twist",
            TestMotionKind::Hop => "hop",
            TestMotionKind::Spin => "spin",
            TestMotionKind::TurnAndStop => "turn-and-stop",
        }
    }

    /// Amplitude and period that are easy to see on most characters.
    pub fn defaults(self) -> (f64, f64) {
        match self {
            TestMotionKind::Nod => (25.0, 1.2),
            TestMotionKind::Shake => (30.0, 0.8),
            TestMotionKind::Twist => (40.0, 1.2),
            TestMotionKind::Hop => (0.25, 1.0),
            TestMotionKind::Spin => (360.0, 2.0),
            TestMotionKind::TurnAndStop => (90.0, 2.4),
        }
    }

    /// The course of one period: phase in [0, 1] → share of the amplitude in [−1, 1].
    fn course(self, phase: f64) -> f64 {
        match self {
            TestMotionKind::Nod | TestMotionKind::Shake | TestMotionKind::Twist => {
                (TAU * phase).sin()
            }
            // In the air for the first 36 of the 60 keys, then on the ground.
            TestMotionKind::Hop => {
                let in_air = phase / 0.6;
                (4.0 * in_air * (1.0 - in_air)).max(0.0)
            }
            TestMotionKind::Spin => phase,
            // There in a tenth, rest, back in a tenth, rest.
            TestMotionKind::TurnAndStop => {
                smooth((phase - 0.1) / 0.1) - smooth((phase - 0.6) / 0.1)
            }
        }
    }
}

fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

const KEYS_PER_PERIOD: usize = 60;

impl TestMotion {
    pub fn new(kind: TestMotionKind, bone: usize) -> TestMotion {
        let (amplitude, period_secs) = kind.defaults();
        TestMotion { kind, bone, amplitude, period_secs }
    }

    /// What a character without clips does: it turns, stops, and turns back.
    pub fn default_for(character: &Character) -> TestMotion {
        let bones = &character.skeleton.bones;
        let mut moved = vec![0.0; bones.len()];
        for up in character.upward().entries() {
            moved[up.index as usize] += f64::from(up.weight);
        }
        let roots = (0..bones.len()).filter(|&bone| bones[bone].parent.is_none());
        let bone = roots.max_by(|&a, &b| moved[a].total_cmp(&moved[b]));
        TestMotion::new(TestMotionKind::TurnAndStop, bone.unwrap_or(0))
    }

    pub fn clip(&self, character: &Character) -> Result<Clip, TestMotionError> {
        let (most, needed) = match self.kind {
            TestMotionKind::Hop => (100.0, "between -100 and 100 sizes of the character"),
            // Sixty keys carry three turns well.
            _ => (1080.0, "between -1080 and 1080 degrees"),
        };
        if !(self.amplitude.abs() <= most) {
            return Err(TestMotionError::BadNumber { what: "amplitude", needed });
        }
        if self.kind == TestMotionKind::Spin && self.amplitude % 360.0 != 0.0 {
            let needed = "whole turns for spin (360, 720, …), or it would jump when it repeats";
            return Err(TestMotionError::BadNumber { what: "amplitude", needed });
        }
        if !(0.01..=1e4).contains(&self.period_secs) {
            return Err(TestMotionError::BadNumber {
                what: "period",
                needed: "between 0.01 and 10000 seconds",
            });
        }
        let track = match self.kind {
            TestMotionKind::Hop => self.hop(character),
            _ => self.turn(character),
        };
        Ok(Clip {
            name: format!("{}:{}", self.kind.name(), character.skeleton.bone_name(self.bone)),
            tracks: vec![track],
        })
    }

    fn hop(&self, character: &Character) -> Track {
        let node = character.skeleton.bones[self.bone].node;
        let height = self.amplitude * character.size();
        let up_in_parent = scene_from_parent(character, node).matrix3.inverse() * DVec3::Y * height;
        let up_in_parent = if up_in_parent.is_finite() { up_in_parent } else { DVec3::ZERO };
        let rest = character.skeleton.nodes[node].rest.translation;
        self.track(node, Property::Translation, |share, rate| {
            let (value, tangent) = (rest + up_in_parent * share, up_in_parent * rate);
            (value.to_array().to_vec(), tangent.to_array().to_vec())
        })
    }

    fn turn(&self, character: &Character) -> Track {
        let node = character.skeleton.bones[self.bone].node;
        let axis = match self.kind {
            TestMotionKind::Nod => DVec3::X,
            TestMotionKind::Twist => self.own_axis(character),
            _ => DVec3::Y,
        };
        let scene_from_parent = scene_from_parent(character, node).matrix3;
        let axis_in_parent = turn_axis(rotation_back(scene_from_parent), axis);
        let angle = self.amplitude.to_radians();
        let rest = character.skeleton.nodes[node].rest.rotation;
        self.track(node, Property::Rotation, |share, rate| {
            let q = DQuat::from_axis_angle(axis_in_parent, angle * share) * rest;
            let omega = axis_in_parent * (angle * rate);
            // dq/dt = ½ ω q
            let dq = DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0) * q * 0.5;
            (q.to_array().to_vec(), dq.to_array().to_vec())
        })
    }

    /// From the joint to the centre of what it moves; along the bone's Y where they coincide.
    fn own_axis(&self, character: &Character) -> DVec3 {
        let pose = character.rest_pose();
        let centroid = character.centroids().evaluate(character, pose)[self.bone];
        let axis = medial_axis(character.bone_origin(pose, self.bone), centroid);
        let own_y = character.bone_rotation(pose, self.bone).y_axis;
        axis.try_normalize().unwrap_or(own_y)
    }

    /// Keys with exact tangents on both sides, so that a landing is as hard as it should be.
    fn track(
        &self,
        node: usize,
        property: Property,
        key: impl Fn(f64, f64) -> (Vec<f64>, Vec<f64>),
    ) -> Track {
        let course = |phase: f64| self.kind.course(phase);
        let mut times_secs = Vec::new();
        let mut values = Vec::new();
        for i in 0..=KEYS_PER_PERIOD {
            let phase = i as f64 / KEYS_PER_PERIOD as f64;
            times_secs.push((phase * self.period_secs) as f32);
            let h = 1e-6;
            let rate_before = (course(phase) - course(phase - h)) / h / self.period_secs;
            let rate_after = (course(phase + h) - course(phase)) / h / self.period_secs;
            let (value, tangent_in) = key(course(phase), rate_before);
            let (_, tangent_out) = key(course(phase), rate_after);
            for numbers in [tangent_in, value, tangent_out] {
                values.extend(numbers.into_iter().map(|x| x as f32));
            }
        }
        let width = values.len() / times_secs.len() / 3;
        Track {
            node,
            property,
            keys: Keys { interpolation: Interpolation::CubicSpline, width, times_secs, values },
        }
    }
}

fn scene_from_parent(character: &Character, node: usize) -> DAffine3 {
    let parent = character.skeleton.nodes[node].parent;
    parent.map_or(DAffine3::IDENTITY, |parent| character.rest_pose().scene_from_node[parent])
}

/// The inverse rotation of a matrix that may scale and mirror.
fn rotation_back(matrix: DMat3) -> DMat3 {
    polar_rotation(matrix).transpose()
}
