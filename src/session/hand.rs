//! A bone that somebody drags: the character follows as it would follow a puppeteer, and when it is let go
//! the bone springs back to its clip.

use super::{Show, Shown};
use glam::{DAffine3, DQuat, DVec3};
use jounce_eval::{EvalError, Performer, Puppet};
use jounce_rig::motion::live::Jump;
use jounce_rig::{Character, Pose};

/// How a bone is pulled from where its clip has it, in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pull {
    /// A rotation vector about the bone's joint, in radians.
    pub turn: DVec3,
    pub shift: DVec3,
}

pub struct Hand {
    pub bone: usize,
    pull: Pull,
    /// Per second.
    speed: Pull,
    is_held: bool,
    puppet: Puppet,
    /// The puppet's own clock: it goes on while the clip stands still.
    clock_secs: f64,
}

/// Velocities are means over this; a mouse moves in jumps.
const WINDOW_SECS: f64 = 0.08;
/// The spring that takes a bone back: swings per second, and how much of them is damped away.
const SPRING_HZ: f64 = 2.2;
const DAMPING_RATIO: f64 = 0.35;
const STEP_SECS: f64 = 1.0 / 240.0;
/// A window that was not drawn for longer stands still meanwhile.
const LONGEST_LEAP_SECS: f64 = 0.25;
/// What is nearer to the clip than this (radians, parts of the size) and as slow has arrived.
const ARRIVED: f64 = 2e-3;

/// What goes where a hand leads it.
pub(super) fn puppet(performer: &Performer) -> Result<Puppet, EvalError> {
    performer.puppet(WINDOW_SECS, Jump::Reset)
}

impl Hand {
    /// Takes hold of a bone.
    pub fn new(show: &Show, bone: usize, time_secs: f64) -> Result<Hand, EvalError> {
        let puppet = puppet(show.performer())?;
        let (pull, speed) = (Pull::default(), Pull::default());
        Ok(Hand { bone, pull, speed, is_held: true, puppet, clock_secs: time_secs })
    }

    /// What it is evaluated with has changed; the hand stays where it is.
    pub fn renew(&mut self, show: &Show) -> Result<(), EvalError> {
        self.puppet = puppet(show.performer())?;
        Ok(())
    }

    pub fn pull(&self) -> Pull {
        self.pull
    }

    pub fn clock_secs(&self) -> f64 {
        self.clock_secs
    }

    pub fn is_held(&self) -> bool {
        self.is_held
    }

    pub fn drag(&mut self, pull: Pull) {
        if pull.turn.is_finite() && pull.shift.is_finite() {
            self.pull = pull;
        }
    }

    pub fn release(&mut self) {
        self.is_held = false;
        self.speed = Pull::default();
    }

    /// Advances by some wall-clock time. False: it has sprung back, and the clip takes over.
    pub fn advance(&mut self, wall_secs: f64, size: f64) -> bool {
        let wall_secs = if wall_secs.is_finite() { wall_secs } else { 0.0 };
        let passed_secs = wall_secs.clamp(0.0, LONGEST_LEAP_SECS);
        self.clock_secs += passed_secs;
        if self.is_held {
            return true;
        }
        let rate = std::f64::consts::TAU * SPRING_HZ;
        let (stiffness, damping) = (rate * rate, 2.0 * DAMPING_RATIO * rate);
        let steps = (passed_secs / STEP_SECS).ceil().max(1.0);
        let step_secs = passed_secs / steps;
        for _ in 0..steps as usize {
            for (x, v) in [
                (&mut self.pull.turn, &mut self.speed.turn),
                (&mut self.pull.shift, &mut self.speed.shift),
            ] {
                *v += (-*x * stiffness - *v * damping) * step_secs;
                *x += *v * step_secs;
            }
        }
        let size = if size > 0.0 { size } else { 1.0 };
        let far = |pull: &Pull, rate: f64| {
            (pull.turn.length() / rate).max(pull.shift.length() / (rate * size))
        };
        far(&self.pull, 1.0) > ARRIVED || far(&self.speed, rate) > ARRIVED
    }

    /// The clip's pose, pulled.
    pub fn pose(&self, character: &Character, pose: &Pose) -> Pose {
        let skeleton = &character.skeleton;
        let Some(bone) = skeleton.bones.get(self.bone) else { return pose.clone() };
        let joint = pose.scene_from_node[bone.node].translation;
        let turn = DQuat::from_scaled_axis(self.pull.turn);
        let motion = DAffine3::from_translation(joint + self.pull.shift)
            * DAffine3::from_quat(turn)
            * DAffine3::from_translation(-joint);
        pose.with_moved(skeleton, bone.node, &motion)
    }

    /// The character now, when its clip is at a time.
    pub fn show(&mut self, show: &Show, time_secs: f64) -> Result<Shown, EvalError> {
        let pose = self.pose(show.character(), &show.pose(time_secs));
        self.puppet.read_keys_at(time_secs);
        let deformed = self.puppet.at(show.performer(), &pose, self.clock_secs)?;
        Ok(show.shown(deformed, pose, time_secs))
    }
}
