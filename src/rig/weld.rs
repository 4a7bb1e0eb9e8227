//! Finds vertices that are one point of the surface.
//!
//! Files split a vertex wherever its normal, texture coordinate or material changes. For areas,
//! neighbours and painting those copies are one point.

use super::Influences;
use glam::Vec3;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug, Default)]
pub struct Weld {
    pub point_of_vertex: Vec<u32>,
    pub point_count: usize,
}

/// Vertices at the same place are one point.
pub fn weld_positions(positions: &[Vec3]) -> Weld {
    weld(positions.iter().map(|&position| bits(position)))
}

/// Vertices at the same place with the same skin weights are one point: they can never part.
pub fn weld_skinned(positions: &[Vec3], skin: &Influences) -> Weld {
    weld(positions.iter().zip(skin.lists()).map(|(&position, list)| {
        let mut hasher = DefaultHasher::new();
        for influence in list {
            (influence.index, influence.weight.to_bits()).hash(&mut hasher);
        }
        (bits(position), hasher.finish())
    }))
}

/// Vertices of one point with the same normal: the smooth side of a hard edge.
pub fn weld_normals(weld_: &Weld, normals: &[Vec3]) -> Weld {
    let points = weld_.point_of_vertex.iter();
    weld(points.zip(normals).map(|(&point, &normal)| (point, bits(normal))))
}

fn weld<K: Hash + Eq>(keys: impl ExactSizeIterator<Item = K>) -> Weld {
    let mut known: HashMap<K, u32> = HashMap::with_capacity(keys.len());
    let point_of_vertex = keys
        .map(|key| {
            let next = known.len() as u32;
            *known.entry(key).or_insert(next)
        })
        .collect();
    Weld { point_of_vertex, point_count: known.len() }
}

/// Bits to compare by; −0 and 0 are the same place.
fn bits(v: Vec3) -> [u32; 3] {
    (v + Vec3::ZERO).to_array().map(f32::to_bits)
}
