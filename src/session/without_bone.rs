//! A motion as it would be if one bone went with its parent.

use jounce_eval::{Motion, Played};
use jounce_rig::Pose;
use jounce_rig::motion::{BoneMotion, Ending};
use std::borrow::Cow;

/// A motion as if one bone went with its parent.
pub struct WithoutBone<'a> {
    pub played: &'a dyn Played,
    pub bone: usize,
}

impl Played for WithoutBone<'_> {
    fn at(&self, time_secs: f64, work: &mut dyn FnMut(&Pose, &dyn Motion)) {
        let bone = self.bone;
        self.played.at(time_secs, &mut |pose, motion| work(pose, &StillBone { motion, bone }));
    }

    fn ending(&self) -> Ending {
        self.played.ending()
    }

    fn duration_secs(&self) -> f64 {
        self.played.duration_secs()
    }

    fn end_pose(&self) -> Option<Pose> {
        self.played.end_pose()
    }
}

/// A motion in which one bone does not move, seen from its parent.
struct StillBone<'a> {
    motion: &'a dyn Motion,
    bone: usize,
}

impl StillBone<'_> {
    fn stilled<'a>(&self, mut motions: Cow<'a, [BoneMotion]>) -> Cow<'a, [BoneMotion]> {
        if let Some(motion) = motions.to_mut().get_mut(self.bone) {
            *motion = BoneMotion::ZERO;
        }
        motions
    }
}

impl Motion for StillBone<'_> {
    fn velocities(&self, window_secs: f64) -> Cow<'_, [BoneMotion]> {
        self.stilled(self.motion.velocities(window_secs))
    }

    fn accelerations(&self, window_secs: f64) -> Cow<'_, [BoneMotion]> {
        self.stilled(self.motion.accelerations(window_secs))
    }
}
