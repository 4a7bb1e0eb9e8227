//! Normals for meshes that come without.

use super::weld::weld_positions;
use glam::Vec3;

/// Faces that meet at a larger angle than this keep a hard edge between them.
pub const CREASE_ANGLE_DEG: f32 = 40.0;

/// Where more corners than this meet there is no shape to be smooth about, and comparing each with
/// each would take forever: a hostile file can put a million at one point.
const MOST_CORNERS: usize = 256;

/// Unit normals, smooth where the faces around a point meet at less than the crease angle.
///
/// Corners that lie at one place belong together whether or not the file shares the vertex, so
/// that a mesh without indices still looks smooth. Each face counts by the angle it has at the
/// point (Thürmer and Wüthrich 1998), which does not depend on how the surface is cut up.
pub fn creased_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let weld = weld_positions(positions);
    let face_normals: Vec<Vec3> = triangles
        .iter()
        .map(|&[a, b, c]| {
            let [a, b, c] = [a, b, c].map(|v| positions[v as usize]);
            (b - a).cross(c - a).normalize_or_zero()
        })
        .collect();
    // What each vertex alone would say: the direction the others are compared with.
    let mut own = vec![Vec3::ZERO; positions.len()];
    let mut corners_at: Vec<Vec<(u32, f32)>> = vec![Vec::new(); weld.point_count];
    for (face, corners) in triangles.iter().enumerate() {
        for corner in 0..3 {
            let angle = corner_angle(positions, corners, corner);
            let vertex = corners[corner] as usize;
            own[vertex] += face_normals[face] * angle;
            corners_at[weld.point_of_vertex[vertex] as usize].push((face as u32, angle));
        }
    }
    let least_cosine = CREASE_ANGLE_DEG.to_radians().cos();
    let smooth = |(vertex, own): (usize, &Vec3)| {
        let own = own.normalize_or_zero();
        let around = &corners_at[weld.point_of_vertex[vertex] as usize];
        if around.len() > MOST_CORNERS {
            return own.try_normalize().unwrap_or(Vec3::Y);
        }
        let near = around
            .iter()
            .map(|&(face, angle)| (face_normals[face as usize], angle))
            .filter(|(normal, _)| normal.dot(own) >= least_cosine);
        let sum: Vec3 = near.map(|(normal, angle)| normal * angle).sum();
        sum.try_normalize().or(own.try_normalize()).unwrap_or(Vec3::Y)
    };
    own.iter().enumerate().map(smooth).collect()
}

fn corner_angle(positions: &[Vec3], corners: &[u32; 3], corner: usize) -> f32 {
    let at = |step: usize| positions[corners[(corner + step) % 3] as usize];
    let (to_next, to_last) = (at(1) - at(0), at(2) - at(0));
    to_next.cross(to_last).length().atan2(to_next.dot(to_last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two unshared triangles along a common edge, folded by `angle_deg`.
    fn fold(angle_deg: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (sin, cos) = angle_deg.to_radians().sin_cos();
        let up = Vec3::new(-cos, 0.0, 0.0) + Vec3::Z * sin;
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO, Vec3::Y, up];
        (positions, vec![[0, 1, 2], [3, 4, 5]])
    }

    #[test]
    fn a_gentle_fold_is_smooth_although_no_vertex_is_shared() {
        let (positions, triangles) = fold(20.0);
        let normals = creased_normals(&positions, &triangles);
        assert!(normals[0].angle_between(normals[3]) < 1e-3);
    }

    #[test]
    fn a_sharp_fold_stays_hard() {
        let (positions, triangles) = fold(60.0);
        let normals = creased_normals(&positions, &triangles);
        let angle_deg = normals[0].angle_between(normals[3]).to_degrees();
        assert!((angle_deg - 60.0).abs() < 1e-2, "{angle_deg}");
    }

    #[test]
    fn points_without_a_face_get_a_unit_normal() {
        let normals = creased_normals(&[Vec3::ZERO, Vec3::ZERO], &[[0, 1, 1]]);
        assert!(normals.iter().all(|normal| normal.is_normalized()));
    }
}
