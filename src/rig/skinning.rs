//! Linear blend and dual quaternion skinning, with morph targets before them.
//!
//! Matrices come in f64 from the pose and are rounded once; vertices are f32.

use super::polar::signed_rotation;
use super::{Character, CharacterParts, Influence, Influences, Mesh, Pose};
use glam::{Affine3A, DAffine3, DMat3, DQuat, Mat3A, Quat, Vec3, Vec3A};
use jounce_base::Base;
use jounce_base::parallel::*;
use std::borrow::Cow;

/// Vertices in the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skinned {
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
}

impl Character {
    /// One matrix per binding.
    pub fn scene_from_bind(&self, pose: &Pose) -> Vec<DAffine3> {
        scene_from_bind(self, pose)
    }

    pub fn skin(&self, pose: &Pose, base: Base) -> Skinned {
        skinned(self, pose, base)
    }

    /// The positions alone, to the last bit as [`Self::skin`] has them, in a list that may be used again.
    pub fn skin_positions(&self, pose: &Pose, base: Base, positions: &mut Vec<Vec3>) {
        let bind = morph(&self.mesh, &pose.morph_weights).positions;
        skin_positions(&bind, &self.skin, &self.scene_from_bind(pose), base, positions);
    }
}

/// The positions alone of [`skin_vertices`], in a list that may be used again.
pub fn skin_positions(
    bind: &[Vec3],
    skin: &Influences,
    scene_from_bind: &[DAffine3],
    base: Base,
    positions: &mut Vec<Vec3>,
) {
    match base {
        Base::Lbs => {
            let matrices = as_matrices(scene_from_bind);
            each_position(bind, skin, |list| blend_matrices(list, &matrices), positions);
        }
        Base::Dqs => {
            let parts = as_rigid(scene_from_bind);
            let blend = |list: &[Influence]| blend_dual_quaternions(list, &parts);
            each_position(bind, skin, blend, positions);
        }
    }
}

fn scene_from_bind(parts: &CharacterParts, pose: &Pose) -> Vec<DAffine3> {
    let of_binding =
        |binding: &super::Binding| pose.scene_from_node[binding.node] * binding.node_from_bind;
    parts.bindings.iter().map(of_binding).collect()
}

/// The vertices of parts that have been checked.
pub(super) fn skinned(parts: &CharacterParts, pose: &Pose, base: Base) -> Skinned {
    let morphed = morph(&parts.mesh, &pose.morph_weights);
    skin_vertices(
        (&morphed.positions, &morphed.normals),
        &parts.skin,
        &scene_from_bind(parts, pose),
        base,
    )
}

/// Skins positions and normals in bind space. There is a list of `skin` for each of them, and a
/// matrix for each index in the lists.
pub fn skin_vertices(
    bind: (&[Vec3], &[Vec3]),
    skin: &Influences,
    scene_from_bind: &[DAffine3],
    base: Base,
) -> Skinned {
    match base {
        Base::Lbs => {
            let matrices = as_matrices(scene_from_bind);
            each_vertex(bind, skin, |list| blend_matrices(list, &matrices))
        }
        Base::Dqs => {
            let parts = as_rigid(scene_from_bind);
            each_vertex(bind, skin, |list| blend_dual_quaternions(list, &parts))
        }
    }
}

fn as_matrices(scene_from_bind: &[DAffine3]) -> Vec<Affine3A> {
    scene_from_bind.iter().map(|m| m.as_affine3a()).collect()
}

fn as_rigid(scene_from_bind: &[DAffine3]) -> Vec<Rigid> {
    scene_from_bind.iter().map(Rigid::of).collect()
}

/// Vertices that one thread works on at a time, at least.
const LEAST_VERTICES: usize = 1024;

fn each_vertex(
    (bind_positions, bind_normals): (&[Vec3], &[Vec3]),
    skin: &Influences,
    blend: impl Fn(&[Influence]) -> Affine3A + Sync,
) -> Skinned {
    let skin_one = |vertex: usize| {
        let scene_from_bind = blend(skin.of(vertex));
        let position = scene_from_bind.transform_point3(bind_positions[vertex]);
        (position, turn_normal(&scene_from_bind.matrix3, bind_normals[vertex]))
    };
    let vertices = (0..skin.vertex_count()).into_par_iter().with_min_len(LEAST_VERTICES);
    let (positions, normals) = vertices.map(skin_one).unzip();
    Skinned { positions, normals }
}

fn each_position(
    bind_positions: &[Vec3],
    skin: &Influences,
    blend: impl Fn(&[Influence]) -> Affine3A + Sync,
    positions: &mut Vec<Vec3>,
) {
    let skin_one = |vertex| blend(skin.of(vertex)).transform_point3(bind_positions[vertex]);
    let vertices = (0..skin.vertex_count()).into_par_iter().with_min_len(LEAST_VERTICES);
    vertices.map(skin_one).collect_into_vec(positions);
}

/// A normal is carried by the cofactors, det(M) M⁻ᵀ, which exist even where M flattens space; the
/// sign of the determinant keeps it outside under a mirror.
fn turn_normal(m: &Mat3A, normal: Vec3) -> Vec3 {
    let cofactors = Mat3A::from_cols(
        m.y_axis.cross(m.z_axis),
        m.z_axis.cross(m.x_axis),
        m.x_axis.cross(m.y_axis),
    );
    let turned = cofactors * Vec3A::from(normal);
    // Scaled to unit size first: the cofactors of a 0.01 scale square it, and f32 ends at 1e-38.
    let largest = turned.abs().max_element();
    if largest > 0.0 && largest.is_finite() {
        let sign = if m.determinant() < 0.0 { -1.0 } else { 1.0 };
        Vec3::from((turned / largest).normalize() * sign)
    } else {
        normal
    }
}

fn blend_matrices(list: &[Influence], matrices: &[Affine3A]) -> Affine3A {
    let mut sum = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
    for influence in list {
        let matrix = &matrices[influence.index as usize];
        sum.matrix3 += matrix.matrix3 * influence.weight;
        sum.translation += matrix.translation * influence.weight;
    }
    sum
}

/// A matrix as a dual quaternion (rotation and translation) after a stretch: M x = R P x + t.
#[derive(Clone, Copy, Debug)]
pub struct Rigid {
    pub real: Quat,
    pub dual: Quat,
    pub stretch: Mat3A,
}

impl Rigid {
    pub fn of(m: &DAffine3) -> Rigid {
        // A mirror goes into the stretch: quaternions only turn.
        let (rotation, _) = signed_rotation(m.matrix3);
        let stretch: DMat3 = rotation.transpose() * m.matrix3;
        let real = DQuat::from_mat3(&rotation).normalize();
        let translation = DQuat::from_xyzw(m.translation.x, m.translation.y, m.translation.z, 0.0);
        let dual = translation * real * 0.5;
        Rigid {
            real: real.as_quat(),
            dual: dual.as_quat(),
            stretch: Mat3A::from_cols(
                stretch.x_axis.as_vec3a(),
                stretch.y_axis.as_vec3a(),
                stretch.z_axis.as_vec3a(),
            ),
        }
    }
}

/// q and −q are the same rotation: all are brought to the side of the strongest one before they
/// are added, or the blend would go the long way round (Kavan 2007, section 4.1).
fn blend_dual_quaternions(list: &[Influence], parts: &[Rigid]) -> Affine3A {
    let strongest = list.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
    let Some(strongest) = strongest else {
        return Affine3A::IDENTITY;
    };
    let pivot = parts[strongest.index as usize].real;
    let mut real = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut dual = real;
    let mut stretch = Mat3A::ZERO;
    for influence in list {
        let part = &parts[influence.index as usize];
        let sign = if part.real.dot(pivot) < 0.0 { -1.0 } else { 1.0 };
        real += part.real * (influence.weight * sign);
        dual += part.dual * (influence.weight * sign);
        stretch += part.stretch * influence.weight;
    }
    let length = real.length();
    let (real, dual) = (real * (1.0 / length), dual * (1.0 / length));
    // The translation of a unit dual quaternion is the vector part of 2 q_dual q_real*.
    let translation = dual * real.conjugate() * 2.0;
    Affine3A {
        matrix3: Mat3A::from_quat(real) * stretch,
        translation: Vec3A::new(translation.x, translation.y, translation.z),
    }
}

/// Positions and normals in bind space with the morph targets added.
pub struct Morphed<'a> {
    pub positions: Cow<'a, [Vec3]>,
    pub normals: Cow<'a, [Vec3]>,
}

/// p = p₀ + Σ w_k Δ_k. Borrows the mesh where no weight is set.
pub fn morph<'a>(mesh: &'a Mesh, weights: &[f64]) -> Morphed<'a> {
    let mut morphed = Morphed {
        positions: Cow::Borrowed(&mesh.positions),
        normals: Cow::Borrowed(&mesh.normals),
    };
    for target in &mesh.morph_targets {
        let weight = weights.get(target.weight).copied().unwrap_or(0.0) as f32;
        if weight == 0.0 {
            continue;
        }
        let (positions, normals) = (morphed.positions.to_mut(), morphed.normals.to_mut());
        let offsets = target.position_offsets.iter().zip(&target.normal_offsets);
        for (&vertex, (&position, &normal)) in target.vertices.iter().zip(offsets) {
            positions[vertex as usize] += position * weight;
            normals[vertex as usize] += normal * weight;
        }
    }
    morphed
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    /// q and −q are one rotation, and a blend must not care which of them it was given.
    #[test]
    fn dual_quaternions_blend_the_short_way() {
        let turned = |angle: f64| {
            Rigid::of(&DAffine3::from_rotation_translation(
                DQuat::from_axis_angle(DVec3::X, angle),
                DVec3::new(1.0, 2.0, 3.0),
            ))
        };
        let (a, b) = (turned(0.1), turned(0.7));
        let opposite = Rigid { real: -b.real, dual: -b.dual, stretch: b.stretch };
        let half = |index| Influence { index, weight: 0.5 };
        let parts = [a, b, opposite];
        let same = blend_dual_quaternions(&[half(0), half(1)], &parts);
        let flipped = blend_dual_quaternions(&[half(0), half(2)], &parts);
        assert!(same.abs_diff_eq(flipped, 1e-6));
        let expected = Quat::from_rotation_x(0.4);
        assert!((same.matrix3 * Vec3A::Y - Vec3A::from(expected * Vec3::Y)).length() < 1e-6);
    }
}
