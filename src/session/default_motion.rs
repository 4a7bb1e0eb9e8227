//! Which motion shows a character that nobody has chosen one for.

use super::Cast;
use jounce_graph::document::MotionSettings;
use jounce_rig::Clip;
use jounce_rig::motion::{Playback, Player, TestMotion};

const SAMPLES: usize = 12;
/// Slower than this, in radians or sizes of the character per second, nobody sees it move.
const LEAST_SPEED: f64 = 0.05;

impl Cast {
    /// Its first clip; the first that moves, where that one is only a pose; a test motion where none does.
    pub fn lively_motion(&self, fps: Option<f64>) -> MotionSettings {
        let moving = self.clips.iter().find(|clip| self.moves(clip));
        let still = moving.is_none() && !self.clips.is_empty();
        MotionSettings {
            character: Some(self.name.clone()),
            clips: self.clips_of.clone(),
            clip: moving.map(|clip| clip.name.clone()),
            test: still.then(|| self.test_motion()),
            looped: true,
            fps,
        }
    }

    /// Does any bone move against its parent?
    fn moves(&self, clip: &Clip) -> bool {
        let (character, playback) = (&*self.character, Playback::looped(clip.duration_secs()));
        let player = Player { character, clip, playback };
        let size = character.size().max(f64::MIN_POSITIVE);
        let bones = &character.skeleton.bones;
        (0..SAMPLES).any(|sample| {
            let time_secs = clip.duration_secs() * sample as f64 / SAMPLES as f64;
            let motions = player.velocities(time_secs, 0.0);
            motions.iter().zip(bones).any(|(motion, bone)| {
                let speed = motion.angular.length().max(motion.linear.length() / size);
                bone.parent.is_some() && speed > LEAST_SPEED
            })
        })
    }

    fn test_motion(&self) -> String {
        let test = TestMotion::default_for(&self.character);
        format!("{}:{}", test.kind.name(), self.character.skeleton.bone_name(test.bone))
    }
}
