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
//! h_ij is not kept: in a chain of n joints every bone has a term for every binding below it, n² in all.
//! But up_j is the sum of the bones' own weights a_k over the subtree of j, so both sums are taken for the
//! own weights alone, over the few bindings i that share a triangle with bone k, and then carried up:
//!
//! ```text
//! G_ki = Σ_t A_t/3 (a_k(t₀) + a_k(t₁) + a_k(t₂)) Σ_{u∈t} a_i(u) (r_u, 1)
//! D_k  = Σ_t A_t   (a_k(t₀) + a_k(t₁) + a_k(t₂))
//! c_j  = Σ_{k below or at j} Σ_i M_i G_ki ÷ Σ_{k below or at j} D_k
//! ```

use super::polar::proper_rotation;
use super::skinning::morph;
use super::{Character, Pose, Skeleton};
use glam::{DAffine3, DVec3, DVec4, Vec3};
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// A bone moves less than this part of the whole area: it has no centroid of its own.
const EMPTY: f64 = 1e-9;

/// The constants of the closed form, per bone.
#[derive(Clone, Debug)]
pub struct ClosedFormCentroids {
    /// Per bone (binding, G_ki as xyz and w).
    own_terms: Vec<Vec<(u32, DVec4)>>,
    /// Per bone Σ of D_k at and below it; None where the bone moves nothing.
    denominators: Vec<Option<f64>>,
}

impl ClosedFormCentroids {
    pub fn new(character: &Character) -> ClosedFormCentroids {
        let rest_morph = morph(&character.mesh, &character.rest_morph_weights);
        let areas = &character.surface().triangle_areas;
        let bones = &character.skeleton.bones;
        let mut sums: Vec<BTreeMap<u32, DVec4>> = vec![BTreeMap::new(); bones.len()];
        let mut denominators = vec![0.0; bones.len()];
        let mut shares = OwnShares::new(character);
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
                    add(&mut binding_sums, influence.index, term);
                }
            }
            for &(bone, share) in shares.of(corners) {
                let area_share = f64::from(area) * share;
                denominators[bone] += area_share;
                let bone_sums = &mut sums[bone];
                for &(binding, term) in &binding_sums {
                    *bone_sums.entry(binding).or_insert(DVec4::ZERO) += term * (area_share / 3.0);
                }
            }
        }
        carry_up(&character.skeleton, &mut denominators);
        let least = EMPTY * areas.iter().map(|&area| f64::from(area)).sum::<f64>();
        ClosedFormCentroids {
            own_terms: sums.into_iter().map(|sums| sums.into_iter().collect()).collect(),
            denominators: denominators
                .into_iter()
                .map(|sum| (sum > least).then_some(sum))
                .collect(),
        }
    }

    /// Per bone its part of all skin, its subtree's included, by area at rest: m_j ÷ M.
    pub fn skin_shares(&self, character: &Character) -> Vec<f64> {
        let is_root = |bone: usize| character.skeleton.bones[bone].parent.is_none();
        let own = |bone: usize| self.denominators[bone].unwrap_or(0.0);
        let bones = self.denominators.len();
        let whole: f64 = (0..bones).filter(|&bone| is_root(bone)).map(own).sum();
        (0..bones).map(|bone| if whole > 0.0 { own(bone) / whole } else { 0.0 }).collect()
    }

    /// Per bone its centroid in the scene.
    pub fn evaluate(&self, character: &Character, pose: &Pose) -> Vec<DVec3> {
        let scene_from_bind = character.scene_from_bind(pose);
        let moved = |&(binding, g): &(u32, DVec4)| {
            let m: &DAffine3 = &scene_from_bind[binding as usize];
            m.matrix3 * g.truncate() + m.translation * g.w
        };
        let mut numerators: Vec<DVec3> =
            self.own_terms.iter().map(|terms| terms.iter().map(moved).sum()).collect();
        carry_up(&character.skeleton, &mut numerators);
        let centroid = |(bone, &denominator): (usize, &Option<f64>)| match denominator {
            Some(denominator) => numerators[bone] / denominator,
            None => character.bone_origin(pose, bone),
        };
        self.denominators.iter().enumerate().map(centroid).collect()
    }
}

/// Per bone its centroid on the mesh as it is now, in one pass over the triangles.
pub fn exact_centroids(character: &Character, pose: &Pose, positions: &[Vec3]) -> Vec<DVec3> {
    let bones = &character.skeleton.bones;
    let mut numerators = vec![DVec3::ZERO; bones.len()];
    let mut denominators = vec![0.0; bones.len()];
    let mut total_area = 0.0;
    let mut shares = OwnShares::new(character);
    for corners in &character.mesh.triangles {
        let [a, b, c] = corners.map(|vertex| positions[vertex as usize].as_dvec3());
        let area = 0.5 * (b - a).cross(c - a).length();
        total_area += area;
        for &(bone, share) in shares.of(corners) {
            numerators[bone] += (a + b + c) / 3.0 * (share * area);
            denominators[bone] += share * area;
        }
    }
    carry_up(&character.skeleton, &mut numerators);
    carry_up(&character.skeleton, &mut denominators);
    let centroid = |bone: usize| match denominators[bone] > EMPTY * total_area {
        true => numerators[bone] / denominators[bone],
        false => character.bone_origin(pose, bone),
    };
    (0..bones.len()).map(centroid).collect()
}

/// From sums per bone to sums over its subtree.
pub(super) fn carry_up<T: AddAssign + Copy>(skeleton: &Skeleton, sums: &mut [T]) {
    for &bone in skeleton.bones_parents_first.iter().rev() {
        if let Some(parent) = skeleton.bones[bone].parent {
            let sum = sums[bone];
            sums[parent] += sum;
        }
    }
}

/// To a short list in which each index is once.
fn add<I: PartialEq, T: AddAssign>(sums: &mut Vec<(I, T)>, index: I, term: T) {
    match sums.iter_mut().find(|(known, _)| *known == index) {
        Some((_, sum)) => *sum += term,
        None => sums.push((index, term)),
    }
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

/// Per bone of a triangle: a_k(t₀) + a_k(t₁) + a_k(t₂), of its own skin weights.
struct OwnShares<'a> {
    character: &'a Character,
    shares: Vec<(usize, f64)>,
}

impl<'a> OwnShares<'a> {
    fn new(character: &'a Character) -> OwnShares<'a> {
        OwnShares { character, shares: Vec::new() }
    }

    fn of(&mut self, corners: &[u32; 3]) -> &[(usize, f64)] {
        self.shares.clear();
        for &vertex in corners {
            for influence in self.character.skin.of(vertex as usize) {
                let bone = self.character.bindings[influence.index as usize].bone;
                add(&mut self.shares, bone, influence.weight.into());
            }
        }
        &self.shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Binding, CharacterParts, Influence, Influences, Mesh, Node, Skeleton, Trs, weights,
    };
    use glam::{DQuat, vec3};

    /// From −0.5 to 0.5, the same in every run.
    struct Random(u32);

    impl Random {
        fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / (1 << 24) as f32 - 0.5
        }

        fn below(&mut self, bound: usize) -> usize {
            ((self.next() + 0.5) * bound as f32) as usize % bound
        }

        fn place(&mut self) -> Vec3 {
            vec3(self.next(), self.next(), self.next())
        }
    }

    /// A tree of 30 joints, two bindings for the first five, no skin on the last five, and triangles between
    /// any vertices.
    fn random_character(random: &mut Random) -> Character {
        const JOINTS: usize = 30;
        let parent = |joint: usize, random: &mut Random| {
            (joint > 0).then(|| joint - 1 - random.below(joint.min(3)))
        };
        let nodes = (0..JOINTS)
            .map(|joint| {
                let rest = Trs::at(random.place().as_dvec3());
                Node::new(format!("j{joint}"), parent(joint, random), rest)
            })
            .collect();
        let skeleton = Skeleton::new(nodes, &[true; JOINTS]).unwrap();
        let binding = |index: usize, random: &mut Random| {
            let node = index % JOINTS;
            let bone = skeleton.bone_at_or_above[node].unwrap();
            let node_from_bind = DAffine3::from_translation(random.place().as_dvec3());
            Binding { node, bone, node_from_bind }
        };
        let bindings = (0..JOINTS + 5).map(|index| binding(index, random)).collect();
        let positions: Vec<Vec3> = (0..200).map(|_| random.place()).collect();
        let mut skin = Influences::default();
        for _ in &positions {
            let influence = |random: &mut Random| {
                let index = random.below(JOINTS);
                let index = if index < JOINTS - 5 { index } else { index + 5 };
                Influence { index: index as u32, weight: random.next() + 0.5 }
            };
            let list: Vec<Influence> =
                (0..1 + random.below(4)).map(|_| influence(random)).collect();
            skin.push(list);
        }
        let triangle = |random: &mut Random| std::array::from_fn(|_| random.below(200) as u32);
        let mesh = Mesh {
            normals: vec![Vec3::Y; positions.len()],
            colors: vec![Default::default(); positions.len()],
            triangles: (0..300).map(|_| triangle(random)).collect(),
            positions,
            ..Default::default()
        };
        Character::new(CharacterParts {
            name: "any".to_owned(),
            skeleton,
            bindings,
            mesh,
            skin,
            rest_morph_weights: Vec::new(),
            maps: Vec::new(),
            clips: Vec::new(),
            notes: Vec::new(),
        })
        .unwrap()
    }

    /// up_j of a vertex for all bones, in f64.
    fn upward(character: &Character, vertex: usize) -> Vec<f64> {
        let bones = &character.skeleton.bones;
        let mut up = vec![0.0; bones.len()];
        for influence in character.skin.of(vertex) {
            let mut at = Some(character.bindings[influence.index as usize].bone);
            while let Some(bone) = at {
                up[bone] += f64::from(influence.weight);
                at = bones[bone].parent;
            }
        }
        up
    }

    /// c_j = Σ_i M_i h_ij by the letter.
    fn by_the_letter(character: &Character, pose: &Pose) -> Vec<DVec3> {
        let scene_from_bind = character.scene_from_bind(pose);
        let up: Vec<Vec<f64>> =
            (0..character.vertex_count()).map(|vertex| upward(character, vertex)).collect();
        let centroid = |bone: usize| {
            let mut mu = vec![0.0; character.vertex_count()];
            let triangles = &character.mesh.triangles;
            for (corners, &area) in triangles.iter().zip(&character.surface().triangle_areas) {
                let corners = corners.map(|vertex| vertex as usize);
                let share: f64 = corners.iter().map(|&vertex| up[vertex][bone]).sum();
                corners.iter().for_each(|&vertex| mu[vertex] += f64::from(area) * share / 3.0);
            }
            let mut sum = DVec3::ZERO;
            for (vertex, mu) in mu.iter().enumerate() {
                let place = character.mesh.positions[vertex].as_dvec3();
                for influence in character.skin.of(vertex) {
                    let m = &scene_from_bind[influence.index as usize];
                    sum += m.transform_point3(place) * (mu * f64::from(influence.weight));
                }
            }
            let total: f64 = mu.iter().sum();
            if total > 0.0 { sum / total } else { character.bone_origin(pose, bone) }
        };
        (0..character.skeleton.bones.len()).map(centroid).collect()
    }

    #[test]
    fn sums_carried_up_the_tree_are_the_closed_form_by_the_letter() {
        let mut random = Random(3);
        for _ in 0..5 {
            let character = random_character(&mut random);
            let mut pose = character.rest_pose().clone();
            for matrix in &mut pose.scene_from_node {
                let turn = DQuat::from_scaled_axis(3.0 * random.place().as_dvec3());
                let to = random.place().as_dvec3();
                *matrix = DAffine3::from_rotation_translation(turn, to) * *matrix;
            }
            let (found, expected) = (
                character.centroids().evaluate(&character, &pose),
                by_the_letter(&character, &pose),
            );
            for (found, expected) in found.iter().zip(&expected) {
                let scale = expected.length().max(1.0);
                assert!(found.distance(*expected) < 1e-12 * scale, "{found} {expected}");
            }
        }
    }

    /// With the upward weights as the deformers have them, in single precision.
    #[test]
    fn exact_centroids_are_those_of_the_upward_weights() {
        let character = random_character(&mut Random(11));
        let positions = &character.rest().positions;
        let bones = &character.skeleton.bones;
        let up = weights::upward(&character.skin, &character.bindings, bones).unwrap();
        let (mut sums, mut totals) = (vec![DVec3::ZERO; bones.len()], vec![0.0; bones.len()]);
        for corners in &character.mesh.triangles {
            let [a, b, c] = corners.map(|vertex| positions[vertex as usize].as_dvec3());
            let area = 0.5 * (b - a).cross(c - a).length();
            for influence in corners.iter().flat_map(|&vertex| up.of(vertex as usize)) {
                let weight = f64::from(influence.weight) * area;
                sums[influence.index as usize] += (a + b + c) / 3.0 * weight;
                totals[influence.index as usize] += weight;
            }
        }
        let found = exact_centroids(&character, character.rest_pose(), positions);
        let mut with_skin = 0;
        for (bone, (sum, total)) in sums.iter().zip(&totals).enumerate() {
            if *total > 0.0 {
                assert!(found[bone].distance(*sum / *total) < 1e-6, "{bone}");
                with_skin += 1;
            } else {
                assert_eq!(found[bone], character.bone_origin(character.rest_pose(), bone));
            }
        }
        assert!(with_skin > 20 && with_skin < bones.len(), "{with_skin}");
    }
}
