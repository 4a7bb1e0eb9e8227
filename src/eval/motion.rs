//! Where a program's velocities come from.

use jounce_rig::motion::{BoneMotion, Player};
use std::borrow::Cow;

/// A window is limited to this; longer means of a motion say nothing.
pub const LONGEST_WINDOW_SECS: f64 = 10.0;

/// The motion of all bones at one moment: each relative to its parent, in the scene.
pub trait Motion: Sync {
    /// The mean over the last `window_secs`; 0 is the velocity at this very moment.
    fn velocities(&self, window_secs: f64) -> Cow<'_, [BoneMotion]>;

    /// The change of that mean over the same window.
    fn accelerations(&self, window_secs: f64) -> Cow<'_, [BoneMotion]>;
}

/// A clip at a time.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMotion<'a> {
    pub player: Player<'a>,
    pub time_secs: f64,
}

impl Motion for PlayedMotion<'_> {
    fn velocities(&self, window_secs: f64) -> Cow<'_, [BoneMotion]> {
        self.player.velocities(self.time_secs, window_secs).into()
    }

    fn accelerations(&self, window_secs: f64) -> Cow<'_, [BoneMotion]> {
        self.player.accelerations(self.time_secs, window_secs).into()
    }
}

/// The same whatever the window: `--velocity`, live motion with its own window, tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConstantMotion {
    pub velocities: Vec<BoneMotion>,
    pub accelerations: Vec<BoneMotion>,
}

impl ConstantMotion {
    /// Moves steadily.
    pub fn steady(velocities: Vec<BoneMotion>) -> ConstantMotion {
        let accelerations = vec![BoneMotion::ZERO; velocities.len()];
        ConstantMotion { velocities, accelerations }
    }
}

impl Motion for ConstantMotion {
    fn velocities(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        (&self.velocities).into()
    }

    fn accelerations(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        (&self.accelerations).into()
    }
}

/// So many bones at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Still(pub usize);

impl Motion for Still {
    fn velocities(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        vec![BoneMotion::ZERO; self.0].into()
    }

    fn accelerations(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        vec![BoneMotion::ZERO; self.0].into()
    }
}
