//! What a character plays: which clip, and whether it begins again at its end.

use super::{Cast, CastError, Session};
use jounce_graph::document::MotionSettings;
use jounce_rig::motion::test_motion::TestMotionKind;
use jounce_rig::motion::{Playback, TestMotion};
use jounce_rig::{Character, Clip};
use std::sync::Arc;

/// Which clip somebody wants.
#[derive(Clone, Copy, Debug)]
pub enum ClipChoice<'a> {
    /// None: the rest pose.
    Rest,
    Test(TestMotion),
    /// By its name, else by its number.
    Named(&'a str),
    /// A test motion, the clip that the document names, the first, or a test motion. What this character
    /// cannot do becomes what any character can; see [`Cast::motion_warning`].
    OfDocument(&'a MotionSettings),
}

impl Cast {
    pub fn play(
        &self,
        choice: ClipChoice,
        is_looped: bool,
    ) -> Result<(Arc<Clip>, Playback), CastError> {
        let clip = self.clip(choice)?;
        let playback = Playback::new(clip.duration_secs(), is_looped);
        Ok((clip, playback))
    }

    fn clip(&self, choice: ClipChoice) -> Result<Arc<Clip>, CastError> {
        let of_test = |test: TestMotion| -> Result<Arc<Clip>, CastError> {
            Ok(Arc::new(test.clip(&self.character)?))
        };
        let motion = match choice {
            ClipChoice::Rest => return Ok(Arc::new(Clip::rest())),
            ClipChoice::Test(test) => return of_test(test),
            ClipChoice::Named(name) => return self.find_clip(name).cloned(),
            ClipChoice::OfDocument(motion) => motion,
        };
        let any = || of_test(TestMotion::default_for(&self.character));
        if let Some(test) = &motion.test {
            return test_motion(&self.character, test).and_then(of_test).or_else(|_| any());
        }
        let named = motion.clip.as_deref();
        let named = named.and_then(|name| self.clips.iter().find(|clip| clip.name == name));
        named.or(self.clips.first()).cloned().map_or_else(any, Ok)
    }

    /// By name, else by name in upper or lower case, else by number.
    pub fn find_clip(&self, wanted: &str) -> Result<&Arc<Clip>, CastError> {
        let clips = || self.clips.iter();
        let named = clips().find(|clip| clip.name == wanted);
        let alike = || clips().find(|clip| clip.name.eq_ignore_ascii_case(wanted));
        let numbered = || clips().nth(wanted.parse::<usize>().ok()?);
        named.or_else(alike).or_else(numbered).ok_or_else(|| {
            let known: Vec<String> = clips().map(|clip| format!("\"{}\"", clip.name)).collect();
            CastError::NoSuchClip {
                wanted: wanted.to_owned(),
                known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
            }
        })
    }

    /// Why something else is played than the document's test motion.
    pub fn motion_warning(&self, motion: &MotionSettings) -> Option<String> {
        let test = test_motion(&self.character, motion.test.as_deref()?);
        let clip = test.and_then(|test| Ok(test.clip(&self.character)?));
        let error = clip.err()?;
        let played = TestMotion::default_for(&self.character).kind.name();
        Some(format!("{error}; \"{played}\" plays instead"))
    }
}

impl Session {
    /// What its document plays.
    pub fn motion(&self) -> Result<(Arc<Clip>, Playback), CastError> {
        let motion = &self.document().motion;
        self.cast().play(ClipChoice::OfDocument(motion), motion.looped)
    }
}

/// `nod:Head`: a motion and a bone, whose name may have colons of its own.
pub fn test_motion(character: &Character, test: &str) -> Result<TestMotion, CastError> {
    let (kind, bone) = test.split_once(':').unwrap_or((test, ""));
    let kind: TestMotionKind = kind.parse()?;
    let found = match bone {
        "" => Some(TestMotion::default_for(character).bone),
        name => character.skeleton.bone_named(name),
    };
    let bone = found.ok_or_else(|| CastError::NoBone(bone.to_owned()))?;
    Ok(TestMotion::new(kind, bone))
}
