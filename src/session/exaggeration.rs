//! Displacements drawn larger or smaller than they are, for viewing only.

use glam::Vec3;
use jounce_eval::normals::NormalTurner;
use jounce_rig::Skinned;

pub const MOST_EXAGGERATION: f32 = 4.0;

/// From plain skinning towards the deformed positions, and beyond: 0 is plain skinning, 1 as it is.
pub fn exaggerated(
    plain: &Skinned,
    deformed: &[Vec3],
    amount: f32,
    turner: &NormalTurner,
) -> Skinned {
    if amount == 0.0 {
        return plain.clone();
    }
    let positions: Vec<Vec3> = match amount == 1.0 {
        true => deformed.to_vec(),
        false => {
            let pairs = plain.positions.iter().zip(deformed);
            pairs.map(|(plain, deformed)| *plain + (*deformed - *plain) * amount).collect()
        }
    };
    let normals = turner.turn(plain, &positions);
    Skinned { positions, normals }
}
