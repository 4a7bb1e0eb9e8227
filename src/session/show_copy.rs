//! What a show is made from, for a thread that answers a question about it.

use super::{Session, Show};
use jounce_base::keyed_value::MotionKeys;
use jounce_eval::{EvalError, Motion, Performer, Played};
use jounce_graph::document::{CharacterSettings, Style};
use jounce_graph::script::Library;
use jounce_ir::Program;
use jounce_rig::motion::{BoneMotion, Ending, Playback};
use jounce_rig::{Character, Clip, Pose};
use std::borrow::Cow;
use std::sync::Arc;

#[derive(Clone)]
pub struct ShowCopy {
    pub style: Style,
    pub library: Library,
    pub character: Arc<Character>,
    settings: CharacterSettings,
    clip: Arc<Clip>,
    pub playback: Playback,
    keys: Arc<MotionKeys>,
}

impl ShowCopy {
    pub fn of(session: &Session, show: &Show) -> ShowCopy {
        ShowCopy {
            style: session.document().style.clone(),
            library: session.library().clone(),
            character: show.character().clone(),
            settings: session.character_settings(),
            clip: show.clip().clone(),
            playback: show.playback(),
            keys: show.performer().keys().clone(),
        }
    }

    /// The same character and motion with a program of its own.
    pub fn performer(&self, program: &Program) -> Result<Performer, EvalError> {
        let character = self.character.clone();
        let mut performer = Performer::new(program.clone(), character, &self.settings)?;
        performer.set_keys(self.keys.clone());
        performer.play(self.clip.clone(), self.playback)?;
        Ok(performer)
    }
}

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
