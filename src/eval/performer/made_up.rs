//! Motion that is made up: poses that stand still and bones that move all the same, or another motion than the one that
//! plays. Nothing of it is kept.

use super::Performer;
use crate::timeline::{Frozen, Played, Timeline};
use crate::{ConstantMotion, Deformed, EvalError, Moment, Parameters, Playing, StateSnapshot};
use jounce_rig::Pose;
use jounce_rig::motion::BoneMotion;

impl Performer {
    /// The pose of some time, with bones that move as if it were not standing still.
    pub fn frozen(
        &self,
        pose: &Pose,
        time_secs: f64,
        velocities: &[BoneMotion],
    ) -> Result<Deformed, EvalError> {
        self.with_frozen_pose(pose, time_secs, velocities, |moment| self.deform(moment))
    }

    /// Hands over what it brings: the same moment as where velocities replace those of a motion.
    pub fn with_frozen_pose<T>(
        &self,
        pose: &Pose,
        time_secs: f64,
        velocities: &[BoneMotion],
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let poses = [(pose.clone(), time_secs)];
        self.with_frozen(&poses, velocities, |moments| work(&moments[0]))
    }

    /// Hands over what some poses bring, each at a time, whose bones all move like this. What is keyed stands still
    /// with them.
    pub fn with_frozen<T>(
        &self,
        poses: &[(Pose, f64)],
        velocities: &[BoneMotion],
        work: impl FnOnce(&[Moment]) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let motion = &ConstantMotion::steady(velocities.to_vec());
        let moment = |(pose, time_secs): &(Pose, f64)| self.frozen_moment(pose, *time_secs, motion);
        work(&poses.iter().map(moment).collect::<Result<Vec<Moment>, EvalError>>()?)
    }

    fn frozen_moment<'a>(
        &self,
        pose: &Pose,
        time_secs: f64,
        motion: &'a ConstantMotion,
    ) -> Result<Moment<'a>, EvalError> {
        let parameters = &self.parameters.at(time_secs);
        let frozen = Frozen { pose: pose.clone(), motion };
        let snapshot = self.snapshot_in(&frozen, parameters, time_secs)?;
        Ok(Moment { snapshot, ..Moment::new(self.setup(), parameters, pose, motion, time_secs) })
    }

    /// What another motion would bring at a time.
    pub fn in_motion<T>(
        &self,
        played: &dyn Played,
        time_secs: f64,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let snapshot = self.snapshot_in(played, &self.parameters, time_secs)?;
        let (mut work, mut result) = (Some(work), None);
        played.at(time_secs, &mut |pose, motion| {
            let moment = Moment::new(self.setup(), &self.parameters, pose, motion, time_secs);
            let moment = Moment { snapshot: snapshot.clone(), ..moment };
            result = work.take().map(|work| work(&moment));
        });
        let nothing = EvalError::Number { what: "time of a motion", number: time_secs };
        result.unwrap_or(Err(nothing))
    }

    /// What is remembered in another motion. Nothing is kept of it.
    fn snapshot_in(
        &self,
        played: &dyn Played,
        parameters: &Parameters,
        time_secs: f64,
    ) -> Result<StateSnapshot, EvalError> {
        let setup = self.setup();
        match Timeline::new(setup.program, setup.bound, played)? {
            Some(timeline) => timeline.recall(Playing { setup, parameters, played }, time_secs),
            None => Ok(StateSnapshot::default()),
        }
    }
}
