//! JOINTS_n and WEIGHTS_n → lists of (binding, weight), each with sum 1.

use super::error::{LoadError, limit};
use super::meshes::{Oddities, PrimitiveReader};
use super::skins::SkinBindings;
use crate::{Influence, Influences};
use gltf::json::mesh::Semantic;

/// One JOINTS_n with its WEIGHTS_n: four of each per vertex.
struct WeightSet {
    joints: Vec<u32>,
    weights: Vec<f32>,
}

pub(super) fn read(
    primitive: &PrimitiveReader,
    vertices: usize,
    odd: &mut Oddities,
) -> Result<Influences, LoadError> {
    let Some(skin) = primitive.source.root.nodes[primitive.node].skin else {
        return rigid(primitive, vertices);
    };
    let Some(&skin) = primitive.rig.skins.get(skin.value()) else {
        return Err(primitive.invalid("uses a skin that does not exist"));
    };
    if skin.joints == 0 {
        return Err(primitive.invalid("uses a skin without joints"));
    }
    let sets = weight_sets(primitive, vertices)?;
    let mut all = Influences::with_capacity(vertices, vertices * 4);
    let mut list = Vec::new();
    for vertex in 0..vertices {
        gather(primitive, skin, &sets, vertex, &mut list, odd)?;
        // In one order, so that vertices with the same weights are seen to have the same weights.
        list.sort_unstable_by_key(|&(index, _)| index);
        let sum: f64 = list.iter().map(|(_, weight)| weight).sum();
        if !(sum > 1e-12) {
            // As other programs do: such a vertex follows the first joint it names.
            odd.without_weights += 1;
            let named = sets.first().map_or(0, |set| set.joints[4 * vertex]);
            let joint = if (named as usize) < skin.joints { named } else { 0 };
            all.push([Influence { index: skin.first as u32 + joint, weight: 1.0 }]);
            continue;
        }
        odd.not_normalised += usize::from((sum - 1.0).abs() > 1e-3);
        let normalised =
            list.iter().map(|&(index, weight)| Influence { index, weight: (weight / sum) as f32 });
        all.push(normalised);
    }
    Ok(all)
}

/// A mesh without a skin follows the node that carries it.
fn rigid(primitive: &PrimitiveReader, vertices: usize) -> Result<Influences, LoadError> {
    let Some(binding) = primitive.rig.rigid_binding[primitive.node] else {
        return Err(primitive.invalid("is not attached to any bone"));
    };
    let mut all = Influences::with_capacity(vertices, vertices);
    let carried = Influence { index: binding as u32, weight: 1.0 };
    (0..vertices).for_each(|_| all.push([carried]));
    Ok(all)
}

/// The (binding, weight) of one vertex over all sets, a joint that is named twice once.
fn gather(
    primitive: &PrimitiveReader,
    skin: SkinBindings,
    sets: &[WeightSet],
    vertex: usize,
    list: &mut Vec<(u32, f64)>,
    odd: &mut Oddities,
) -> Result<(), LoadError> {
    list.clear();
    for set in sets {
        for slot in 4 * vertex..4 * vertex + 4 {
            let (joint, weight) = (set.joints[slot], f64::from(set.weights[slot]));
            odd.negative_weights += usize::from(weight < 0.0);
            if weight <= 0.0 {
                continue;
            }
            if joint as usize >= skin.joints {
                return Err(primitive.invalid(&format!(
                    "is attached to joint {joint} of a skin with {}",
                    skin.joints
                )));
            }
            let index = skin.first as u32 + joint;
            match list.iter_mut().find(|(known, _)| *known == index) {
                Some((_, sum)) => *sum += weight,
                None => list.push((index, weight)),
            }
        }
    }
    Ok(())
}

fn weight_sets(primitive: &PrimitiveReader, vertices: usize) -> Result<Vec<WeightSet>, LoadError> {
    let mut sets = Vec::new();
    for set in 0.. {
        let joints = primitive.attribute(&Semantic::Joints(set));
        let weights = primitive.attribute(&Semantic::Weights(set));
        let (joints, weights) = match (joints, weights) {
            (Some(joints), Some(weights)) => (joints, weights),
            (None, None) => break,
            _ => {
                return Err(
                    primitive.invalid("has joints without weights, or weights without joints")
                );
            }
        };
        let so_far = 4 * (u64::from(set) + 1) * vertices as u64;
        limit::check("skin weights", so_far, limit::SKIN_WEIGHTS)?;
        let joints = primitive.source.indices(joints, 4)?;
        let (weights, _) = primitive.source.floats(weights, &[4])?;
        primitive.same_count("joint lists", joints.len() / 4, vertices)?;
        primitive.same_count("weight lists", weights.len() / 4, vertices)?;
        sets.push(WeightSet { joints, weights });
    }
    Ok(sets)
}
