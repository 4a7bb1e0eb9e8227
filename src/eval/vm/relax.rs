//! Smoothing over the surface: x ← x + a · (mean over the neighbours − x), from one copy to the other.

use super::lower::KeptSlot;
use crate::Neighbours;
use crate::blocks::{Blocks, NO_VERTEX};
use crate::plan::{Amount, Relaxation};
use jounce_base::parallel::*;

/// Vertices that one thread works on at a time.
const CHUNK: usize = 1024;

/// `kept` has per block and row a run of the block's lanes; `row_count` rows in all.
pub fn relax(
    relaxation: &Relaxation,
    slots: &[KeptSlot],
    frame_amount: f32,
    (blocks, row_count): (&Blocks, usize),
    neighbours: &Neighbours,
    kept: &mut [f32],
) {
    let vertices = neighbours.offsets.len().saturating_sub(1);
    let amounts: Vec<f32> = match relaxation.amount {
        Amount::Frame(_) => vec![frame_amount; vertices],
        Amount::Kept(slot) => {
            let all = by_vertex(slots[slot], (blocks, row_count), vertices, kept);
            all.into_iter().map(|[amount, ..]| amount).collect()
        }
    };
    // As `semantics::min` and `max` choose.
    let limit = |x: f32| if 1.0 < x { 1.0 } else { x };
    let limit = |x: f32| if limit(x) < 0.0 { 0.0 } else { limit(x) };
    let amounts: Vec<f32> = amounts.into_iter().map(limit).collect();
    let mut from = by_vertex(slots[relaxation.from], (blocks, row_count), vertices, kept);
    let mut to = vec![[0.0; 3]; vertices];
    for _ in 0..relaxation.passes {
        smooth(neighbours, &amounts, &from, &mut to);
        std::mem::swap(&mut from, &mut to);
    }
    let slot = slots[relaxation.to];
    each_lane((blocks, row_count), slot, |vertex, component, place| {
        kept[place] = from[vertex][component];
    });
}

fn smooth(neighbours: &Neighbours, amounts: &[f32], from: &[[f32; 3]], to: &mut [[f32; 3]]) {
    to.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, to)| {
        for (place, to) in to.iter_mut().enumerate() {
            let vertex = chunk * CHUNK + place;
            let around = neighbours.of(vertex);
            *to = from[vertex];
            if around.is_empty() {
                continue;
            }
            let mut sum = [0.0; 3];
            for &other in around {
                sum.iter_mut().zip(from[other as usize]).for_each(|(sum, x)| *sum += x);
            }
            let part = 1.0 / around.len() as f32;
            for (to, sum) in to.iter_mut().zip(sum) {
                *to += amounts[vertex] * (sum * part - *to);
            }
        }
    });
}

fn by_vertex(
    slot: KeptSlot,
    layout: (&Blocks, usize),
    vertices: usize,
    kept: &[f32],
) -> Vec<[f32; 3]> {
    let mut list = vec![[0.0; 3]; vertices];
    each_lane(layout, slot, |vertex, component, place| list[vertex][component] = kept[place]);
    list
}

/// Calls `visit` with vertex, component and place in what is kept.
fn each_lane(
    (blocks, row_count): (&Blocks, usize),
    slot: KeptSlot,
    mut visit: impl FnMut(usize, usize, usize),
) {
    for block in &blocks.blocks {
        let vertices = &blocks.vertex_of_lane[block.first_lane..][..block.lanes];
        for component in 0..slot.rows {
            let row = block.first_lane * row_count + (slot.first_row + component) * block.lanes;
            for (lane, &vertex) in vertices.iter().enumerate() {
                if vertex != NO_VERTEX {
                    visit(vertex as usize, component, row + lane);
                }
            }
        }
    }
}
