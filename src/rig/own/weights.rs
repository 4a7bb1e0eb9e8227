//! Skin weights from the description: every shape says which bones may carry it, so a leg cannot
//! grab the other leg however near it stands.
//!
//! Inside a shape the bones share by distance; between shapes the melting shares; what kinks are
//! left are smoothed over the mesh.

use super::design::BoneSpec;
use super::field::{DistanceField, Local};
use super::mesher::{Neighbours, Surface};
use crate::Influence;
use glam::Vec3;
use jounce_base::parallel::*;

/// Skin melts over this many times the distance over which the form does.
const SKIN_WIDENING: f32 = 1.7;
const SMOOTHING_ROUNDS: usize = 3;
const MOST_INFLUENCES: usize = 4;
/// Less is not worth a memory access per frame.
const LEAST_WEIGHT: f32 = 0.004;

/// Per vertex the bones that carry it; the weights of a vertex sum to 1.
pub fn skin(field: &DistanceField, surface: &Surface, bones: &[BoneSpec]) -> Vec<Vec<Influence>> {
    let count = surface.positions.len();
    let mut rows = vec![0f32; count * bones.len()];
    rows.par_chunks_mut(bones.len()).enumerate().for_each(|(vertex, row)| {
        add_shares(row, surface.positions[vertex], surface.local(vertex), field, bones);
    });
    let neighbours = Neighbours::new(count, &surface.triangles);
    for _ in 0..SMOOTHING_ROUNDS {
        rows = smoothed(&rows, bones.len(), &neighbours);
    }
    rows.par_chunks(bones.len()).map(strongest).collect()
}

fn add_shares(
    row: &mut [f32],
    point: Vec3,
    local: &Local,
    field: &DistanceField,
    bones: &[BoneSpec],
) {
    for share in local.shares(point, SKIN_WIDENING) {
        let shape = &field.shapes[share.shape];
        let squares: Vec<f32> =
            shape.bones.iter().map(|&bone| bones[bone].distance_squared(point)).collect();
        let nearest = squares.iter().copied().fold(f32::INFINITY, f32::min);
        // Beside a joint this root is the way along the axis, whatever the distance from it, so
        // two bones share by a logistic curve of that way.
        let pull = |square: f32| (-(square - nearest).max(0.0).sqrt() / shape.bend).exp();
        let sum: f32 = squares.iter().map(|&square| pull(square)).sum();
        for (&bone, &square) in shape.bones.iter().zip(&squares) {
            row[bone] += share.weight * pull(square) / sum;
        }
    }
}

fn smoothed(rows: &[f32], width: usize, neighbours: &Neighbours) -> Vec<f32> {
    let mut result = vec![0f32; rows.len()];
    result.par_chunks_mut(width).enumerate().for_each(|(vertex, row)| {
        let ring = neighbours.of(vertex);
        let part = 0.5 / ring.len().max(1) as f32;
        for bone in 0..width {
            let around: f32 = ring.iter().map(|&other| rows[other as usize * width + bone]).sum();
            row[bone] = 0.5 * rows[vertex * width + bone] + part * around;
        }
    });
    result
}

/// The largest weights, made to sum to 1 in f32 arithmetic, largest first.
fn strongest(row: &[f32]) -> Vec<Influence> {
    let mut list: Vec<(usize, f32)> =
        row.iter().copied().enumerate().filter(|&(_, weight)| weight >= LEAST_WEIGHT).collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    list.truncate(MOST_INFLUENCES);
    let sum: f64 = list.iter().map(|&(_, weight)| f64::from(weight)).sum();
    let mut result: Vec<Influence> = list
        .iter()
        .map(|&(bone, weight)| Influence {
            index: bone as u32,
            weight: (f64::from(weight) / sum) as f32,
        })
        .collect();
    let others: f64 = result[1..].iter().map(|i| f64::from(i.weight)).sum();
    result[0].weight = (1.0 - others) as f32;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_four_are_kept_and_sum_to_one() {
        let list = strongest(&[0.1, 0.3, 0.001, 0.25, 0.2, 0.149]);
        let bones: Vec<u32> = list.iter().map(|influence| influence.index).collect();
        assert_eq!(bones, vec![1, 3, 4, 5]);
        let sum: f64 = list.iter().map(|i| f64::from(i.weight)).sum();
        assert!((sum - 1.0).abs() < 1e-7);
    }
}
