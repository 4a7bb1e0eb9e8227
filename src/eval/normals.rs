//! Normals of a deformed surface.
//!
//! At each smooth corner (vertices that share position and file normal, so that hard edges stay
//! hard) the faces around it span a frame: their mean normal, and one edge for the direction
//! around it. The normal of plain skinning is turned as that frame turns from the skinned to the
//! deformed mesh. So without deformation the normals are exactly those of skinning, and at rest
//! the file's; a body that is only turned keeps its shading.

use glam::{DMat3, DQuat, DVec3, Vec3};
use jounce_base::parallel::*;
use jounce_rig::weld::Weld;
use jounce_rig::{Character, Skinned};

/// Unit normals per vertex. `deformed` has the positions that a program made of `skinned`.
///
/// For one frame; who has many makes a [`NormalTurner`] once.
pub fn deformed_normals(character: &Character, skinned: &Skinned, deformed: &[Vec3]) -> Vec<Vec3> {
    NormalTurner::new(character).turn(skinned, deformed)
}

/// Corners or vertices that one thread works on at a time.
const CHUNK: usize = 1024;

/// Makes the normals of a mesh, frame after frame.
#[derive(Clone, Debug)]
pub struct NormalTurner {
    around: CornerFaces,
}

impl NormalTurner {
    pub fn new(character: &Character) -> NormalTurner {
        NormalTurner::of(&character.surface().smooth, &character.mesh.triangles)
    }

    fn of(smooth: &Weld, triangles: &[[u32; 3]]) -> NormalTurner {
        NormalTurner { around: CornerFaces::new(smooth, triangles) }
    }

    /// Lists that do not fit give what skinning has.
    pub fn turn(&self, skinned: &Skinned, deformed: &[Vec3]) -> Vec<Vec3> {
        let CornerFaces { corner_of_vertex, offsets, .. } = &self.around;
        let vertices = corner_of_vertex.len();
        let lengths = [skinned.positions.len(), skinned.normals.len(), deformed.len()];
        if lengths != [vertices; 3] {
            return skinned.normals.clone();
        }
        let turn = |corner: usize| {
            let before = self.corner(corner, &skinned.positions);
            before.turn_to(&self.corner(corner, deformed))
        };
        let corners = 0..offsets.len() - 1;
        let turns: Vec<Option<DMat3>> =
            corners.into_par_iter().with_min_len(CHUNK).map(turn).collect();
        let turned = |(&corner, &normal): (&u32, &Vec3)| match &turns[corner as usize] {
            Some(turn) => (*turn * normal.as_dvec3()).as_vec3().normalize_or(normal),
            None => normal,
        };
        let normals = corner_of_vertex.par_iter().zip(&skinned.normals);
        normals.with_min_len(CHUNK).map(turned).collect()
    }

    fn corner(&self, corner: usize, positions: &[Vec3]) -> Corner {
        let mut found = Corner::default();
        for (place, &face) in self.around.faces_at(corner).iter().enumerate() {
            let [a, b, c] = face.map(|vertex| positions[vertex as usize].as_dvec3());
            found.normal += (b - a).cross(c - a);
            if place == 0 {
                found.edge = b - a;
            }
        }
        found
    }
}

/// The faces around every smooth corner of a mesh.
#[derive(Clone, Debug)]
pub struct CornerFaces {
    pub corner_of_vertex: Vec<u32>,
    /// Corner c has the faces `faces[offsets[c] .. offsets[c + 1]]`.
    pub offsets: Vec<u32>,
    /// Each begins with the vertex at the corner.
    pub faces: Vec<[u32; 3]>,
}

impl CornerFaces {
    /// Triangles that refer to no vertex are left out.
    pub fn new(smooth: &Weld, triangles: &[[u32; 3]]) -> CornerFaces {
        let corner = |vertex: u32| smooth.point_of_vertex.get(vertex as usize).copied();
        let is_there = |face: &&[u32; 3]| face.iter().all(|&vertex| corner(vertex).is_some());
        let corners_of = |face: &[u32; 3]| face.map(|vertex| corner(vertex).unwrap_or(0) as usize);
        let mut offsets = vec![0; smooth.point_count + 1];
        for face in triangles.iter().filter(is_there) {
            corners_of(face).into_iter().for_each(|corner| offsets[corner + 1] += 1);
        }
        for corner in 0..smooth.point_count {
            offsets[corner + 1] += offsets[corner];
        }
        let mut next = offsets.clone();
        let mut faces = vec![[0; 3]; offsets[smooth.point_count] as usize];
        for face in triangles.iter().filter(is_there) {
            let [a, b, c] = *face;
            for (corner, turned) in
                corners_of(face).into_iter().zip([[a, b, c], [b, c, a], [c, a, b]])
            {
                faces[next[corner] as usize] = turned;
                next[corner] += 1;
            }
        }
        CornerFaces { corner_of_vertex: smooth.point_of_vertex.clone(), offsets, faces }
    }

    fn faces_at(&self, corner: usize) -> &[[u32; 3]] {
        &self.faces[self.offsets[corner] as usize..self.offsets[corner + 1] as usize]
    }
}

/// What the faces around a smooth corner say; not unit. In f64: the square of a long edge is beyond
/// single precision.
#[derive(Clone, Copy, Default, PartialEq)]
struct Corner {
    /// Σ of the faces' normals, each as long as twice its area.
    normal: DVec3,
    /// The edge that leaves the corner in its first face.
    edge: DVec3,
}

impl Corner {
    /// The rotation from this frame to another; None where there is nothing to turn, or no frame.
    fn turn_to(&self, other: &Corner) -> Option<DMat3> {
        if self == other {
            return None;
        }
        let (from, to) = (self.normal.try_normalize()?, other.normal.try_normalize()?);
        match (self.frame(from), other.frame(to)) {
            (Some(from), Some(to)) => Some(to * from.transpose()),
            // An edge along the normal gives no direction around it: the shortest way will do.
            _ => Some(DMat3::from_quat(DQuat::from_rotation_arc(from, to))),
        }
    }

    fn frame(&self, normal: DVec3) -> Option<DMat3> {
        let edge = self.edge.try_normalize()?;
        let across = normal.cross(edge);
        // Below about 3° the direction is more noise than shape.
        let side = across.try_normalize().filter(|_| across.length() > 0.05)?;
        Some(DMat3::from_cols(side.cross(normal), side, normal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_rig::weld::{weld_normals, weld_positions};

    /// A roof: two slopes that meet in an edge along z, with normals given per slope.
    fn roof(normals: [Vec3; 2]) -> (NormalTurner, Skinned) {
        let slope = |side: f32| {
            let eave = Vec3::new(side, 0.0, 0.0);
            [Vec3::Y, Vec3::Y + Vec3::Z, eave + Vec3::Z, eave]
        };
        let positions: Vec<Vec3> = [slope(-1.0), slope(1.0)].concat();
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
        let normals = [[normals[0]; 4], [normals[1]; 4]].concat();
        let smooth = weld_normals(&weld_positions(&positions), &normals);
        (NormalTurner::of(&smooth, &triangles), Skinned { positions, normals })
    }

    fn hard_roof() -> (NormalTurner, Skinned) {
        roof([Vec3::new(-1.0, 1.0, 0.0).normalize(), Vec3::new(1.0, 1.0, 0.0).normalize()])
    }

    #[test]
    fn without_deformation_the_normals_are_exactly_those_of_skinning() {
        // Not what the faces say: an artist's own.
        let (turner, skinned) = roof([Vec3::new(0.6, 0.8, 0.0), Vec3::Z]);
        let normals = turner.turn(&skinned, &skinned.positions);
        assert_eq!(normals, skinned.normals);
    }

    #[test]
    fn a_hard_edge_stays_hard_when_the_roof_gets_steeper() {
        let (turner, skinned) = hard_roof();
        let steeper: Vec<Vec3> =
            skinned.positions.iter().map(|p| *p * Vec3::new(1.0, 2.0, 1.0)).collect();
        let normals = turner.turn(&skinned, &steeper);
        let expected = Vec3::new(2.0, 1.0, 0.0).normalize();
        assert!(normals[4..].iter().all(|n| n.distance(expected) < 1e-6), "{normals:?}");
        let mirrored = expected * Vec3::new(-1.0, 1.0, 1.0);
        assert!(normals[..4].iter().all(|n| n.distance(mirrored) < 1e-6), "{normals:?}");
    }

    #[test]
    fn turning_the_body_turns_any_normals_with_it() {
        let (turner, skinned) = roof([Vec3::new(-0.6, 0.8, 0.0), Vec3::new(0.0, 0.6, 0.8)]);
        // About the normals too, where the shortest way from face to face would lose the turn.
        for axis in [Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0).normalize()] {
            for angle in [0.3, 1.8, 3.1] {
                let turn = glam::Quat::from_axis_angle(axis, angle);
                let turned: Vec<Vec3> = skinned.positions.iter().map(|&p| turn * p).collect();
                let normals = turner.turn(&skinned, &turned);
                for (found, before) in normals.iter().zip(&skinned.normals) {
                    assert!(found.distance(turn * *before) < 1e-5, "{axis} {angle}");
                }
            }
        }
    }

    #[test]
    fn faces_that_vanish_leave_the_skinned_normal() {
        let (turner, skinned) = hard_roof();
        let flat = vec![Vec3::ONE; skinned.positions.len()];
        assert_eq!(turner.turn(&skinned, &flat), skinned.normals);
        let huge: Vec<Vec3> = skinned.positions.iter().map(|p| *p * 1e30).collect();
        let normals = turner.turn(&skinned, &huge);
        assert!(normals.iter().all(|normal| normal.is_normalized()));
    }
}
