//! What a character stands on, where nobody names it.

use super::MOST_ANCHORS;
use jounce_rig::Character;

/// Skin that is no higher above the ground than this part of the size touches it.
const TOUCHES: f64 = 0.02;
/// A foot is no higher than this part of the size: its bones are one piece that is planted.
const FOOT_HEIGHT: f64 = 0.12;
/// What has a larger part of the skin is no foot but a body that lies on the ground.
const LARGEST_SHARE: f64 = 0.25;

/// The bones of feet, in the order of the bones: of each bone whose own skin touches the ground at rest the highest one
/// above it that carries nothing but a foot. Where there are too many, those with the most skin on the ground.
pub fn found(
    character: &Character,
    parents: &[Option<usize>],
    skin_shares: &[f64],
    size: f64,
) -> Vec<usize> {
    let ground = f64::from(character.rest_bounds().0.y);
    let (mut highest, mut touching) =
        (vec![f64::NEG_INFINITY; parents.len()], vec![0.0; parents.len()]);
    for (vertex, position) in character.rest().positions.iter().enumerate() {
        let height = f64::from(position.y) - ground;
        for influence in
            character.skin.of(vertex).iter().filter(|influence| influence.weight >= 0.5)
        {
            let bone = character.bindings[influence.index as usize].bone;
            highest[bone] = highest[bone].max(height);
            touching[bone] += if height <= TOUCHES * size { 1.0 } else { 0.0 };
        }
    }
    for &bone in character.skeleton.bones_parents_first.iter().rev() {
        if let Some(parent) = parents[bone] {
            highest[parent] = highest[parent].max(highest[bone]);
        }
    }
    let is_foot =
        |bone: usize| highest[bone] <= FOOT_HEIGHT * size && skin_shares[bone] <= LARGEST_SHARE;
    let mut on_ground: Vec<f64> = vec![0.0; parents.len()];
    for bone in (0..parents.len()).filter(|&bone| touching[bone] > 0.0) {
        let mut foot = bone;
        while let Some(parent) = parents[foot].filter(|&parent| is_foot(parent)) {
            foot = parent;
        }
        if skin_shares[foot] <= LARGEST_SHARE {
            on_ground[foot] += touching[bone];
        }
    }
    let is_below_another = |bone: usize| {
        let mut above = std::iter::successors(parents[bone], |&at| parents[at]);
        above.any(|at| on_ground[at] > 0.0)
    };
    let feet = (0..parents.len()).filter(|&bone| on_ground[bone] > 0.0 && !is_below_another(bone));
    let mut feet: Vec<usize> = feet.collect();
    feet.sort_by(|a, b| on_ground[*b].total_cmp(&on_ground[*a]).then(a.cmp(b)));
    feet.truncate(MOST_ANCHORS);
    feet.sort_unstable();
    feet
}
