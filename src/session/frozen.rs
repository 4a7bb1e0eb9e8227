//! One pose, and bones that move as if it were not standing still: how a style answers to a velocity alone,
//! and the curved trajectories that vertices take as the velocity grows (Rohmer 2021, Fig. 10).

use super::Show;
use glam::Vec3;
use jounce_eval::timeline::Frozen;
use jounce_eval::vm::Prepared;
use jounce_eval::{
    Bound, ConstantMotion, Deformed, EvalError, Moment, MomentParts, Parameters, Played, Stepped,
    Timeline,
};
use jounce_ir::Program;
use jounce_rig::motion::BoneMotion;
use jounce_rig::{Base, Character, Pose};

/// A pose and everything it is evaluated with.
#[derive(Clone, Copy)]
pub struct FrozenScene<'a> {
    pub character: &'a Character,
    pub program: &'a Program,
    pub bound: &'a Bound,
    pub prepared: &'a Prepared,
    pub parameters: &'a Parameters,
    pub pose: &'a Pose,
    /// In place of the program's own.
    pub base: Option<Base>,
}

/// Where some vertices go as the velocity of bones grows from nothing to its value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectories {
    pub vertices: Vec<usize>,
    /// Per vertex: where it stands without velocity, after each step, and at the whole velocity.
    pub paths: Vec<Vec<Vec3>>,
}

impl<'a> FrozenScene<'a> {
    pub fn of(show: &'a Show, pose: &'a Pose) -> FrozenScene<'a> {
        FrozenScene {
            character: show.character(),
            program: show.program(),
            bound: show.bound(),
            prepared: show.prepared(),
            parameters: show.parameters(),
            pose,
            base: None,
        }
    }

    /// The character as its bones move so, relative to their parents.
    pub fn deform(&self, velocities: &[BoneMotion]) -> Result<Deformed, EvalError> {
        let motion = ConstantMotion::steady(velocities.to_vec());
        let FrozenScene { character, program, bound, parameters, pose, base, .. } = *self;
        let mut moment = Moment::new(&MomentParts {
            character,
            program,
            parameters,
            pose,
            motion: &motion,
            time_secs: 0.0,
            base,
        });
        let played = Frozen { pose: pose.clone(), motion: &motion };
        let (ending, duration_secs) = (played.ending(), played.duration_secs());
        if let Some(timeline) = Timeline::new(program, bound, ending, duration_secs)? {
            let stepped = Stepped { character, bound, parameters, played: &played, base };
            moment.recalled = timeline.recall(stepped, 0.0)?;
        }
        self.prepared.deform(bound, &moment)
    }

    /// In so many even steps of the velocity. The last point of a path is what [`Self::deform`] gives.
    pub fn trajectories(
        &self,
        velocities: &[BoneMotion],
        vertices: &[usize],
        steps: usize,
    ) -> Result<Trajectories, EvalError> {
        let mut paths = vec![Vec::with_capacity(steps + 1); vertices.len()];
        for step in 0..=steps {
            let part = if steps == 0 { 1.0 } else { step as f64 / steps as f64 };
            let scaled = |motion: &BoneMotion| BoneMotion {
                linear: motion.linear * part,
                angular: motion.angular * part,
            };
            let scaled: Vec<BoneMotion> = velocities.iter().map(scaled).collect();
            let positions = self.deform(&scaled)?.positions;
            for (path, &vertex) in paths.iter_mut().zip(vertices) {
                path.extend(positions.get(vertex));
            }
        }
        Ok(Trajectories { vertices: vertices.to_vec(), paths })
    }
}

/// Vertices that leave a trace.
pub const TRACES: usize = 300;
/// In so many steps the velocity grows from nothing to its value.
pub const TRACE_STEPS: usize = 24;

/// More are not looked at: enough for any few hundred to be spread evenly.
const MOST_CANDIDATES: usize = 12_000;

/// About so many vertices, spread evenly over a surface: each is the one farthest from all before.
pub fn spread_vertices(positions: &[Vec3], count: usize) -> Vec<usize> {
    let stride = positions.len().div_ceil(MOST_CANDIDATES).max(1);
    let is_usable = |&vertex: &usize| positions[vertex].is_finite();
    let candidates: Vec<usize> = (0..positions.len()).step_by(stride).filter(is_usable).collect();
    let mut distances = vec![f32::INFINITY; candidates.len()];
    let mut chosen = Vec::new();
    let mut next = (!candidates.is_empty()).then_some(0);
    while let Some(place) = next.filter(|_| chosen.len() < count) {
        let vertex = candidates[place];
        chosen.push(vertex);
        let mut farthest = (0, 0.0);
        for (place, (&other, distance)) in candidates.iter().zip(&mut distances).enumerate() {
            let squared = positions[vertex].distance_squared(positions[other]);
            *distance = distance.min(squared);
            if *distance > farthest.1 {
                farthest = (place, *distance);
            }
        }
        // Where all that are left lie on chosen ones there is nothing to add.
        next = (farthest.1 > 0.0).then_some(farthest.0);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_spread_evenly_and_never_twice() {
        let positions: Vec<Vec3> = (0..100).map(|i| Vec3::X * (i / 2) as f32).collect();
        let chosen = spread_vertices(&positions, 5);
        assert_eq!(chosen.len(), 5);
        let mut along: Vec<f32> = chosen.iter().map(|&vertex| positions[vertex].x).collect();
        along.sort_by(f32::total_cmp);
        for pair in along.windows(2) {
            assert!((8.0..=17.0).contains(&(pair[1] - pair[0])), "{along:?}");
        }
        assert_eq!(spread_vertices(&positions, 1000).len(), 50, "no place twice");
        assert!(spread_vertices(&[], 5).is_empty());
        assert_eq!(spread_vertices(&[Vec3::NAN, Vec3::ONE], 5), vec![1]);
    }
}
