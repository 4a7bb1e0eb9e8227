//! The centre of what a bone moves, and its medial axis (Rohmer 2021, section 4.1 and Appendix B).
//!
//! The centroid of bone j is the centre of the surface weighted by the *upward* weights (eq. 18 is
//! misprinted). Exactly, on the skinned mesh, with triangles t of area A_t and centre g_t:
//!
//! ```text
//! c_j = Σ_t (up_j(t₀) + up_j(t₁) + up_j(t₂)) A_t g_t ÷ Σ_t (up_j(t₀) + up_j(t₁) + up_j(t₂)) A_t
//! ```
//! With the rest areas in place of the posed ones it is linear in the skinning matrices M_i, and
//! needs no pass over the mesh at run time:
//!
//! ```text
//! c_j = Σ_i M_i h_ij,   h_ij = Σ_u μ_ju a_i(u) (r_u, 1) ÷ Σ_u μ_ju,
//! μ_ju = Σ_{t∋u} A_t (up_j(t₀) + up_j(t₁) + up_j(t₂)) / 3
//! ```

use super::polar::proper_rotation;
use super::skinning::morph;
use super::weights::Sums;
use super::{Character, Influence, Influences, Pose};
use glam::{DAffine3, DVec3, DVec4, Vec3};
use std::collections::BTreeMap;

/// A bone moves less than this part of the whole area: it has no centroid of its own.
const EMPTY: f64 = 1e-9;

/// The constants h_ij of the closed form, per bone.
#[derive(Clone, Debug)]
pub struct ClosedFormCentroids {
    /// Per bone (binding, h_ij as xyz and w); empty where the bone moves nothing.
    terms: Vec<Vec<(u32, DVec4)>>,
}

impl ClosedFormCentroids {
    pub fn new(character: &Character) -> ClosedFormCentroids {
        let rest_morph = morph(&character.mesh, &character.rest_morph_weights);
        let areas = &character.surface().triangle_areas;
        let bones = character.skeleton.bones.len();
        let mut sums: Vec<BTreeMap<u32, DVec4>> = vec![BTreeMap::new(); bones];
        let mut denominators = vec![0.0; bones];
        let mut shares = TriangleShares::new(character);
        let mut binding_sums: Vec<(u32, DVec4)> = Vec::new();
        for (corners, &area) in character.mesh.triangles.iter().zip(areas) {
            if area == 0.0 {
                continue;
            }
            // Σ over the corners of a_i(u) (r_u, 1), the same for every bone of the triangle.
            binding_sums.clear();
            for &vertex in corners {
                let point = rest_morph.positions[vertex as usize].as_dvec3().extend(1.0);
                for influence in character.skin.of(vertex as usize) {
                    let term = point * f64::from(influence.weight);
                    match binding_sums.iter_mut().find(|(i, _)| *i == influence.index) {
                        Some((_, sum)) => *sum += term,
                        None => binding_sums.push((influence.index, term)),
                    }
                }
            }
            for (bone, share) in shares.of(corners) {
                let mu = f64::from(area) * share / 3.0;
                denominators[bone] += 3.0 * mu;
                let bone_sums = &mut sums[bone];
                for &(binding, term) in &binding_sums {
                    *bone_sums.entry(binding).or_insert(DVec4::ZERO) += term * mu;
                }
            }
        }
        let least = EMPTY * areas.iter().map(|&area| f64::from(area)).sum::<f64>();
        let terms = sums
            .into_iter()
            .zip(denominators)
            .map(|(sums, denominator)| match denominator > least {
                true => sums.into_iter().map(|(i, sum)| (i, sum / denominator)).collect(),
                false => Vec::new(),
            })
            .collect();
        ClosedFormCentroids { terms }
    }

    /// Per bone its centroid in the scene.
    pub fn evaluate(&self, character: &Character, pose: &Pose) -> Vec<DVec3> {
        let scene_from_bind = character.scene_from_bind(pose);
        let centroid = |(bone, terms): (usize, &Vec<(u32, DVec4)>)| {
            if terms.is_empty() {
                return character.bone_origin(pose, bone);
            }
            let term = |&(binding, h): &(u32, DVec4)| {
                let m: &DAffine3 = &scene_from_bind[binding as usize];
                m.matrix3 * h.truncate() + m.translation * h.w
            };
            terms.iter().map(term).sum()
        };
        self.terms.iter().enumerate().map(centroid).collect()
    }
}

/// Per bone its centroid on the mesh as it is now, in one pass over the triangles.
pub fn exact_centroids(character: &Character, pose: &Pose, positions: &[Vec3]) -> Vec<DVec3> {
    let bones = character.skeleton.bones.len();
    let mut numerators = vec![DVec3::ZERO; bones];
    let mut denominators = vec![0.0; bones];
    let mut total_area = 0.0;
    let mut shares = TriangleShares::new(character);
    for corners in &character.mesh.triangles {
        let [a, b, c] = corners.map(|vertex| positions[vertex as usize].as_dvec3());
        let area = 0.5 * (b - a).cross(c - a).length();
        total_area += area;
        for (bone, share) in shares.of(corners) {
            numerators[bone] += (a + b + c) / 3.0 * (share * area);
            denominators[bone] += share * area;
        }
    }
    let centroid = |bone: usize| match denominators[bone] > EMPTY * total_area {
        true => numerators[bone] / denominators[bone],
        false => character.bone_origin(pose, bone),
    };
    (0..bones).map(centroid).collect()
}

/// Moves centroids by an artist's offsets, given in each bone's own frame: c_j + R_j offset_j.
pub fn offset_centroids(
    character: &Character,
    pose: &Pose,
    centroids: &mut [DVec3],
    offsets_in_bone: &[DVec3],
) {
    for (bone, (centroid, &offset)) in centroids.iter_mut().zip(offsets_in_bone).enumerate() {
        if offset != DVec3::ZERO {
            let scene_from_bone = &pose.scene_from_node[character.skeleton.bones[bone].node];
            *centroid += proper_rotation(scene_from_bone.matrix3) * offset;
        }
    }
}

/// The direction from a bone's origin to its centroid; zero where they coincide.
pub fn medial_axis(origin: DVec3, centroid: DVec3) -> DVec3 {
    (centroid - origin).normalize_or_zero()
}

/// Per bone of a triangle: up_j(t₀) + up_j(t₁) + up_j(t₂).
struct TriangleShares<'a> {
    upward: &'a Influences,
    sums: Sums,
    shares: Vec<Influence>,
}

impl<'a> TriangleShares<'a> {
    fn new(character: &'a Character) -> TriangleShares<'a> {
        let sums = Sums::new(character.skeleton.bones.len());
        TriangleShares { upward: character.upward(), sums, shares: Vec::new() }
    }

    fn of(&mut self, corners: &[u32; 3]) -> impl Iterator<Item = (usize, f64)> {
        for &vertex in corners {
            for up in self.upward.of(vertex as usize) {
                self.sums.add(up.index as usize, up.weight.into());
            }
        }
        self.shares.clear();
        self.shares.extend(self.sums.drain());
        self.shares.iter().map(|share| (share.index as usize, share.weight.into()))
    }
}
