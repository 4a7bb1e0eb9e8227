//! What a show is made from, for a thread that answers a question about it.

use super::{Session, Show};
use jounce_eval::performance::OwnedPlayer;
use jounce_eval::{
    Bound, EvalError, Moment, MomentParts, Motion, Parameters, Played, PlayedMotion, Recalled,
    Stepped, Timeline,
};
use jounce_graph::document::{CharacterSettings, Style};
use jounce_graph::script::Library;
use jounce_ir::Program;
use jounce_rig::motion::{BoneMotion, Ending, Playback};
use jounce_rig::{Character, CharacterError, Clip, Pose};
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
        }
    }

    pub fn bound(&self, program: &Program) -> Result<Bound, CharacterError> {
        Bound::new(program, &self.character, &self.settings)
    }

    /// The motion, computed with a program of its own.
    pub fn play<'a>(
        &'a self,
        program: &'a Program,
        bound: &'a Bound,
    ) -> Result<Play<'a>, EvalError> {
        let player = OwnedPlayer {
            character: self.character.clone(),
            clip: self.clip.clone(),
            playback: self.playback,
        };
        let timeline = Timeline::new(program, bound, player.ending(), player.duration_secs())?;
        Ok(Play { program, bound, parameters: Parameters::new(program), player, timeline })
    }
}

/// Keeps what is remembered from time to time.
pub struct Play<'a> {
    program: &'a Program,
    bound: &'a Bound,
    parameters: Parameters,
    pub player: OwnedPlayer,
    timeline: Option<Timeline>,
}

impl Play<'_> {
    pub fn at<T>(
        &self,
        time_secs: f64,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let Play { program, bound, parameters, .. } = self;
        let player = self.player.player();
        let recalled = match &self.timeline {
            Some(timeline) => {
                let (character, played) = (player.character, &self.player);
                let stepped = Stepped { character, bound, parameters, played, base: None };
                timeline.recall(stepped, time_secs)?
            }
            None => Recalled::default(),
        };
        let motion = PlayedMotion { player, time_secs };
        work(&Moment::played(&motion, program, parameters, recalled, None))
    }

    /// The same as if one bone went with its parent. What is remembered is of that motion too.
    pub fn without<T>(
        &self,
        bone: usize,
        time_secs: f64,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let Play { program, bound, parameters, .. } = self;
        let player = self.player.player();
        let character = player.character;
        let played = WithoutBone { played: &player, bone };
        let (ending, duration_secs) = (played.ending(), played.duration_secs());
        let recalled = match Timeline::new(program, bound, ending, duration_secs)? {
            Some(timeline) => {
                let stepped = Stepped { character, bound, parameters, played: &played, base: None };
                timeline.recall(stepped, time_secs)?
            }
            None => Recalled::default(),
        };
        let motion = StillBone { motion: &PlayedMotion { player, time_secs }, bone };
        let (pose, motion, base) = (&player.pose(time_secs), &motion, None);
        let parts = MomentParts { character, program, parameters, pose, motion, time_secs, base };
        work(&Moment { recalled, ..Moment::new(&parts) })
    }
}

struct WithoutBone<'a> {
    played: &'a dyn Played,
    bone: usize,
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
