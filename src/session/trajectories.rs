//! The curved trajectories that vertices take in one pose as the velocity of its bones grows (Rohmer 2021,
//! Fig. 10).

use glam::Vec3;
use jounce_eval::{EvalError, Performer};
use jounce_rig::Pose;
use jounce_rig::motion::BoneMotion;

/// Where some vertices go as the velocity of bones grows from nothing to its value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectories {
    pub vertices: Vec<usize>,
    /// Per vertex: where it stands without velocity, after each step, and at the whole velocity.
    pub paths: Vec<Vec<Vec3>>,
}

/// The paths of some vertices in the pose of some time, in this many even steps of the velocity. The last point of a
/// path is what [`Performer::frozen`] gives.
pub fn trajectories(
    performer: &Performer,
    (pose, time_secs): (&Pose, f64),
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
        let positions = performer.frozen(pose, time_secs, &scaled)?.positions;
        for (path, &vertex) in paths.iter_mut().zip(vertices) {
            path.extend(positions.get(vertex));
        }
    }
    Ok(Trajectories { vertices: vertices.to_vec(), paths })
}

/// Vertices that leave a trace.
pub const TRACES: usize = 300;
/// The number of steps in which the velocity grows from 0 to its value.
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
