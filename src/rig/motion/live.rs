//! Velocities of motion that has no keys: a bone dragged by hand, a game's own animation.
//!
//! Poses come one by one; the velocity is the mean over the last `window_secs` of what the bones
//! really passed, the acceleration how it differs from the mean over the window before. A jump is not
//! motion: it is left out, by the policy of [`Jump`].

use super::joint::Relative;
use super::velocity::{ACCELERATION_WINDOW_SECS, BoneMotion, displacement, to_scene};
use crate::polar::proper_rotation;
use crate::{Character, Pose};
use std::collections::VecDeque;

/// What the velocity becomes at a teleport, a restart, or a clock that runs backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// Zero, as if the character had always stood where it is now.
    Reset,
    /// What it was, until there is new motion to measure.
    Hold,
    /// What is measured on both sides of the jump, without the jump.
    Wrap,
}

#[derive(Clone, Debug)]
pub struct LiveMotion {
    pub window_secs: f64,
    pub jump: Jump,
    /// A root bone faster than this many character sizes per second has been teleported.
    pub fastest_sizes_per_sec: f64,
    steps: VecDeque<LiveStep>,
    last: Option<(f64, Vec<Relative>)>,
    held: Vec<BoneMotion>,
    jumps: usize,
}

/// What was passed between two poses, in each bone's parent's frame.
#[derive(Clone, Debug)]
struct LiveStep {
    length_secs: f64,
    passed: Vec<BoneMotion>,
}

/// A longer time between two poses is a jump.
pub const LONGEST_GAP_SECS: f64 = 1.0;

/// As many steps as are kept at most, whatever the window.
const MOST_STEPS: usize = 4096;

impl LiveMotion {
    pub fn new(window_secs: f64, jump: Jump) -> LiveMotion {
        LiveMotion {
            window_secs: if window_secs.is_finite() { window_secs.max(0.0) } else { 0.0 },
            jump,
            fastest_sizes_per_sec: 40.0,
            steps: VecDeque::new(),
            last: None,
            held: Vec::new(),
            jumps: 0,
        }
    }

    /// How often it has jumped, as it was told or as it saw by itself.
    pub fn jump_count(&self) -> usize {
        self.jumps
    }

    /// Says that the next pose is elsewhere on purpose.
    pub fn teleport(&mut self) {
        self.last = None;
        self.jumps += 1;
        match self.jump {
            Jump::Wrap => {}
            Jump::Reset => {
                self.steps.clear();
                self.held.clear();
            }
            Jump::Hold => {
                if !self.steps.is_empty() {
                    self.held = self.mean();
                }
                self.steps.clear();
            }
        }
    }

    /// Takes the pose at a time and gives the velocity of every bone in the scene.
    pub fn push(&mut self, character: &Character, pose: &Pose, time_secs: f64) -> Vec<BoneMotion> {
        let now = relatives(character, pose);
        let usable = now.iter().all(|r| r.translation.is_finite() && r.rotation.is_finite());
        if !usable || !time_secs.is_finite() {
            return to_scene(character, pose, self.current(now.len()));
        }
        if let Some((then_secs, then)) = self.last.take()
            && then.len() == now.len()
        {
            let length_secs = time_secs - then_secs;
            if length_secs == 0.0 {
                // The same moment asked again: nothing has been passed.
                self.last = Some((then_secs, then));
                return to_scene(character, pose, self.current(now.len()));
            }
            let passed: Vec<BoneMotion> =
                then.iter().zip(&now).map(|(then, now)| displacement(then, now)).collect();
            let is_gap = !(0.0..=LONGEST_GAP_SECS).contains(&length_secs);
            if is_gap || self.is_jump(character, &passed, length_secs) {
                self.teleport();
            } else {
                self.steps.push_back(LiveStep { length_secs, passed });
                self.forget();
            }
        }
        let count = now.len();
        self.last = Some((time_secs, now));
        to_scene(character, pose, self.current(count))
    }

    /// The change of the mean velocity from the window before to this one, of every bone in the scene. 0
    /// until both have been seen.
    pub fn accelerations(&self, character: &Character, pose: &Pose) -> Vec<BoneMotion> {
        let window_secs = self.acceleration_window_secs();
        let bones = character.skeleton.bones.len();
        let known_secs: f64 = self.steps.iter().map(|step| step.length_secs).sum();
        if known_secs < 2.0 * window_secs * (1.0 - 1e-9) {
            return vec![BoneMotion::ZERO; bones];
        }
        let now = self.passed_between(0.0, window_secs, bones);
        let before = self.passed_between(window_secs, 2.0 * window_secs, bones);
        let per_secs2 = 1.0 / (window_secs * window_secs);
        let change = now.iter().zip(before).map(|(now, before)| BoneMotion {
            linear: (now.linear - before.linear) * per_secs2,
            angular: (now.angular - before.angular) * per_secs2,
        });
        to_scene(character, pose, change.collect())
    }

    fn acceleration_window_secs(&self) -> f64 {
        if self.window_secs > 0.0 { self.window_secs } else { ACCELERATION_WINDOW_SECS }
    }

    /// What was passed between two times ago; of a step that lies across one of them, its share.
    fn passed_between(&self, from_secs: f64, to_secs: f64, bones: usize) -> Vec<BoneMotion> {
        let mut sum = vec![BoneMotion::ZERO; bones];
        let mut ended_secs = 0.0;
        for step in self.steps.iter().rev() {
            let began_secs = ended_secs + step.length_secs;
            let overlap_secs = f64::min(began_secs, to_secs) - f64::max(ended_secs, from_secs);
            let share = (overlap_secs / step.length_secs).max(0.0);
            for (sum, passed) in sum.iter_mut().zip(&step.passed) {
                sum.linear += passed.linear * share;
                sum.angular += passed.angular * share;
            }
            ended_secs = began_secs;
        }
        sum
    }

    fn current(&self, bones: usize) -> Vec<BoneMotion> {
        let mut motions = if self.steps.is_empty() { self.held.clone() } else { self.mean() };
        motions.resize(bones, BoneMotion::ZERO);
        motions
    }

    /// Over whole steps: the newest, and more until the window is full.
    fn mean(&self) -> Vec<BoneMotion> {
        let mut sum = Vec::new();
        let mut length_secs = 0.0;
        for step in self.steps.iter().rev() {
            if length_secs > 0.0 && length_secs >= self.window_secs * (1.0 - 1e-9) {
                break;
            }
            sum.resize(step.passed.len(), BoneMotion::ZERO);
            length_secs += step.length_secs;
            for (sum, passed) in sum.iter_mut().zip(&step.passed) {
                sum.linear += passed.linear;
                sum.angular += passed.angular;
            }
        }
        for motion in &mut sum {
            motion.linear /= length_secs;
            motion.angular /= length_secs;
        }
        sum
    }

    /// Drops what lies before both windows; the newest step always stays.
    fn forget(&mut self) {
        let wanted_secs = 2.0 * self.acceleration_window_secs();
        let mut length_secs: f64 = self.steps.iter().map(|step| step.length_secs).sum();
        while let Some(oldest) = self.steps.front() {
            let without = length_secs - oldest.length_secs;
            let is_needed = without < wanted_secs * (1.0 - 1e-9) || self.steps.len() == 1;
            if is_needed && self.steps.len() <= MOST_STEPS {
                break;
            }
            length_secs = without;
            self.steps.pop_front();
        }
    }

    fn is_jump(&self, character: &Character, passed: &[BoneMotion], length_secs: f64) -> bool {
        let farthest = self.fastest_sizes_per_sec * character.size() * length_secs;
        let bones = character.skeleton.bones.iter().zip(passed);
        let mut roots = bones.filter(|(bone, _)| bone.parent.is_none());
        roots.any(|(_, passed)| passed.linear.length() > farthest)
    }
}

/// Each bone in the frame of its parent bone.
fn relatives(character: &Character, pose: &Pose) -> Vec<Relative> {
    let skeleton = &character.skeleton;
    let of_bone = |bone: &crate::Bone| {
        let scene_from_bone = pose.scene_from_node[bone.node];
        let parent_from_bone = match bone.parent {
            Some(parent) => {
                pose.scene_from_node[skeleton.bones[parent].node].inverse() * scene_from_bone
            }
            None => scene_from_bone,
        };
        Relative {
            translation: parent_from_bone.translation,
            rotation: proper_rotation(parent_from_bone.matrix3),
        }
    };
    skeleton.bones.iter().map(of_bone).collect()
}
