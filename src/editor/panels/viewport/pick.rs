//! What is under the pointer: a bone, a centroid, a vertex.

use super::Screen;
use super::screen::distance_to_segment;
use crate::State;
use egui::Pos2;
use glam::Vec3;
use jounce_session::overlays::{self, sticks};

/// Points of the window within which something is hit.
const REACH: f32 = 9.0;

/// A bone, and where on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneHit {
    pub bone: usize,
    pub point: Vec3,
}

/// Where the centroids are now, as the document has them.
pub fn centroids(state: &State) -> Vec<Vec3> {
    let Some(pose) = &state.shown.pose else { return Vec::new() };
    overlays::centroids_of(state.show.hung(), pose, &state.show.bound().centroid_offsets)
}

/// The bone whose stick is nearest to the pointer.
pub fn bone(state: &State, screen: &Screen, at: Pos2) -> Option<BoneHit> {
    let pose = state.shown.pose.as_ref()?;
    let mut best: Option<(f32, BoneHit)> = None;
    let (character, offsets) = (state.show.character(), &state.show.bound().centroid_offsets);
    for (bone, from, to) in sticks(character, pose, offsets) {
        let (Some(a), Some(b)) = (screen.project(from), screen.project(to)) else { continue };
        let (distance, t) = distance_to_segment(at, a, b);
        // At a joint the bone that begins there is meant, and at its very root it could not be turned.
        let distance = distance + if t > 0.97 { 1.0 } else { 0.0 };
        if distance < REACH && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, BoneHit { bone, point: from.lerp(to, t.max(0.2)) }));
        }
    }
    best.map(|(_, hit)| hit)
}

/// A handle of a bone's centroid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CentroidHit {
    /// The centroid itself.
    Dot { bone: usize, centroid: Vec3 },
    /// The medial axis, from the joint to the centroid.
    Axis { bone: usize, joint: Vec3, centroid: Vec3, grabbed: Vec3 },
}

impl CentroidHit {
    pub fn bone(&self) -> usize {
        match self {
            CentroidHit::Dot { bone, .. } | CentroidHit::Axis { bone, .. } => *bone,
        }
    }
}

/// The nearest handle; dots take precedence over axes.
pub fn centroid(state: &State, screen: &Screen, at: Pos2) -> Option<CentroidHit> {
    let pose = state.shown.pose.as_ref()?;
    let character = state.show.character();
    let mut best: Option<(f32, CentroidHit)> = None;
    for (bone, &centroid) in centroids(state).iter().enumerate() {
        let joint = character.bone_origin(pose, bone).as_vec3();
        let (Some(a), Some(b)) = (screen.project(joint), screen.project(centroid)) else {
            continue;
        };
        let mut offer = |distance: f32, hit: CentroidHit| {
            if distance < REACH && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, hit));
            }
        };
        // A dot wins over a line that crosses it.
        if at.distance(b) < REACH {
            offer(at.distance(b) - REACH, CentroidHit::Dot { bone, centroid });
        }
        let (distance, t) = distance_to_segment(at, a, b);
        if (0.15..0.9).contains(&t) {
            let grabbed = joint.lerp(centroid, t);
            offer(distance, CentroidHit::Axis { bone, joint, centroid, grabbed });
        }
    }
    best.map(|(_, hit)| hit)
}

/// The vertex nearest to where the ray meets the surface; else one that is nearly under the pointer.
pub fn vertex(
    screen: &Screen,
    at: Pos2,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
) -> Option<usize> {
    let (eye, direction) = (screen.eye(), screen.ray_direction(at));
    let mut nearest: Option<(f32, &[u32; 3])> = None;
    for triangle in triangles {
        let Some([a, b, c]) = corners(positions, triangle) else { continue };
        if let Some(far) = ray_meets(eye, direction, [a, b, c])
            && nearest.is_none_or(|(least, _)| far < least)
        {
            nearest = Some((far, triangle));
        }
    }
    if let Some((far, triangle)) = nearest {
        let hit = eye + direction * far;
        let distance = |vertex: &u32| positions[*vertex as usize].distance(hit);
        let best = triangle.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        return best.map(|&vertex| vertex as usize);
    }
    let near = |(vertex, &position): (usize, &Vec3)| {
        let distance = screen.project(position)?.distance(at);
        (distance < REACH).then_some((vertex, distance))
    };
    let near = positions.iter().enumerate().filter_map(near);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(vertex, _)| vertex)
}

fn corners(positions: &[Vec3], triangle: &[u32; 3]) -> Option<[Vec3; 3]> {
    let corner = |place: usize| positions.get(triangle[place] as usize).copied();
    Some([corner(0)?, corner(1)?, corner(2)?])
}

/// How far along a ray a triangle is (Möller and Trumbore 1997).
fn ray_meets(origin: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let from_a = origin - a;
    let u = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let v = direction.dot(q) / determinant;
    let far = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && far > 0.0).then_some(far)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_the_triangle_in_front_of_it() {
        let triangle = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::Y];
        assert_eq!(ray_meets(Vec3::Z * 3.0, -Vec3::Z, triangle), Some(3.0));
        assert_eq!(ray_meets(Vec3::Z * 3.0, Vec3::Z, triangle), None);
        assert_eq!(ray_meets(Vec3::new(5.0, 0.0, 3.0), -Vec3::Z, triangle), None);
        assert_eq!(ray_meets(Vec3::Z, -Vec3::Z, [Vec3::ONE; 3]), None);
    }
}
