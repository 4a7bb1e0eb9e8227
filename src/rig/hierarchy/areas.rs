//! How much of the surface each bone moves, and which bones carry the character with them.

use crate::centroid::carry_up;
use crate::{Character, Skeleton};

/// A branch with so much of all skin is the character: its travel is the root's.
const CARRIED: f64 = 0.95;

/// The surface at rest, by vertex and by bone.
#[derive(Debug)]
pub struct SkinAreas {
    /// Per vertex a third of the area of the triangles around it.
    pub of_vertex: Vec<f64>,
    /// Per bone Σ_u area_u a_j(u), of its own skin weights.
    of_bone: Vec<f64>,
    /// Of all bones.
    pub total: f64,
}

impl SkinAreas {
    pub fn new(character: &Character) -> SkinAreas {
        let positions = &character.rest().positions;
        let mut of_vertex = vec![0.0; positions.len()];
        for corners in &character.mesh.triangles {
            let [a, b, c] = corners.map(|vertex| positions[vertex as usize].as_dvec3());
            let third = (b - a).cross(c - a).length() / 6.0;
            corners.iter().for_each(|&vertex| of_vertex[vertex as usize] += third);
        }
        let mut of_bone = vec![0.0; character.skeleton.bones.len()];
        for (list, area) in character.skin.lists().zip(&of_vertex) {
            for influence in list {
                let bone = character.bindings[influence.index as usize].bone;
                of_bone[bone] += area * f64::from(influence.weight);
            }
        }
        let total = of_bone.iter().sum();
        SkinAreas { of_vertex, of_bone, total }
    }

    /// Per bone the skin of all bones at and below it.
    pub fn in_branches(&self, skeleton: &Skeleton) -> Vec<f64> {
        let mut sums = self.of_bone.clone();
        carry_up(skeleton, &mut sums);
        sums
    }
}

/// Per bone: does its travel take the whole character along? The roots do, and from them down the bones whose
/// branch has almost all skin: many files have a still root above the hips. Where nothing else has skin
/// there is no motion but theirs, so that it is the character's own: then none does.
pub fn carriers(character: &Character) -> Vec<bool> {
    let skeleton = &character.skeleton;
    let areas = character.areas();
    let in_branch = areas.in_branches(skeleton);
    let has_skin = areas.total > 0.0;
    let is_carrier = |bone: usize| {
        let is_root = skeleton.bones[bone].parent.is_none();
        is_root || (has_skin && in_branch[bone] >= CARRIED * areas.total)
    };
    let carriers: Vec<bool> = (0..skeleton.bones.len()).map(is_carrier).collect();
    let is_other = |(bone, carries): (usize, &bool)| !carries && areas.of_bone[bone] > 0.0;
    let has_others = match has_skin {
        true => carriers.iter().enumerate().any(is_other),
        // Points without triangles: only the count of bones says anything.
        false => carriers.len() > 1,
    };
    if has_others { carriers } else { vec![false; skeleton.bones.len()] }
}
