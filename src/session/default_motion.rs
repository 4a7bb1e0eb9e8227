//! The default motion of a character.

use super::Cast;
use jounce_graph::document::MotionSettings;
use jounce_rig::Clip;
use jounce_rig::motion::{BoneMotion, Playback, Player, TestMotion};

const SAMPLES: usize = 12;
/// Slower than this, in radians or sizes of the character per second, nobody sees it move.
const LEAST_SPEED: f64 = 0.05;

/// Faster than this, in the same, a bone snaps: it counts as if it were this fast.
/// Else one foot that flips would outdo a whole body that runs.
const MOST_COUNTED: f64 = 5.0;

/// How fast bones move against their parents, in radians or sizes of the character per second, whichever
/// is more. Those that carry the whole character do not count.
struct Speeds {
    mean: f64,
    fastest: f64,
}

impl Cast {
    /// The clip with the most motion: the one in which bones move fastest on average, the first of several that are
    /// alike. A test motion where all clips are only poses.
    pub fn default_motion(&self, fps: Option<f64>) -> MotionSettings {
        let clip = self.clip_with_most_motion();
        let still = clip.is_none() && !self.clips.is_empty();
        MotionSettings {
            character: Some(self.name.clone()),
            clips: self.clips_of.clone(),
            clip: clip.map(|clip| clip.name.clone()),
            test: still.then(|| self.test_motion()),
            looped: true,
            fps,
            ..MotionSettings::default()
        }
    }

    fn clip_with_most_motion(&self) -> Option<&Clip> {
        // The last of equal ones wins, which from the end is the first.
        let measured = self.clips.iter().rev().map(|clip| (self.speeds(clip), &**clip));
        let moving = measured.filter(|(speeds, _)| speeds.fastest > LEAST_SPEED);
        let most = moving.max_by(|(a, _), (b, _)| a.mean.total_cmp(&b.mean));
        most.map(|(_, clip)| clip)
    }

    fn speeds(&self, clip: &Clip) -> Speeds {
        let (character, playback) = (&*self.character, Playback::looped(clip.duration_secs()));
        let player = Player { character, clip, playback };
        let size = character.size().max(f64::MIN_POSITIVE);
        let carriers = character.carriers();
        let mut speeds = Vec::new();
        for sample in 0..SAMPLES {
            let time_secs = clip.duration_secs() * sample as f64 / SAMPLES as f64;
            let motions = player.velocities(time_secs, 0.0);
            let moved = motions.iter().zip(carriers).filter(|(_, carries)| !**carries);
            let speed =
                |motion: &BoneMotion| motion.angular.length().max(motion.linear.length() / size);
            speeds.extend(moved.map(|(motion, _)| speed(motion)));
        }
        Speeds {
            mean: speeds.iter().map(|speed| speed.min(MOST_COUNTED)).sum::<f64>()
                / speeds.len().max(1) as f64,
            fastest: speeds.iter().copied().fold(0.0, f64::max),
        }
    }

    fn test_motion(&self) -> String {
        let test = TestMotion::default_for(&self.character);
        format!("{}:{}", test.kind.name(), self.character.skeleton.bone_name(test.bone))
    }
}
