//! Large meshes made smaller: corners that lie in one cell of a grid are joined.
//!
//! The grid is as fine as it can be with few enough triangles left. How many are left is counted on a part
//! of them, chosen by what they are and not by where they stand in the list, so that of equal triangles all
//! or none are in it.

use glam::Vec3;
use jounce_base::parallel::*;

/// Along the largest side: 512, and half of it until the triangles are few enough. With 4 cells they always
/// are: there are fewer than a hundred thousand different ones.
const BITS: u32 = 9;
const FEWEST_BITS: u32 = 2;
/// One triangle of so many is counted.
const COUNTED: u32 = 16;

/// Per point the one that stands for all points in its cell: the first of them. About `most` different
/// triangles are left, or fewer.
pub fn joined_in_cells(positions: &[Vec3], triangles: &[[u32; 3]], most: usize) -> Vec<u32> {
    let (lowest, highest) = super::bounds(positions);
    let cells = (1 << BITS) as f32;
    let cells_per_length = cells / (highest - lowest).max_element().max(f32::MIN_POSITIVE);
    let cell_of = |position: &Vec3| {
        let cell = ((*position - lowest) * cells_per_length).min(Vec3::splat(cells - 1.0));
        let [x, y, z] = cell.to_array().map(|x| x as u32);
        x << (2 * BITS) | y << BITS | z
    };
    let finest: Vec<u32> = positions.par_iter().map(cell_of).collect();
    let is_enough = |&shift: &u32| about_distinct(&finest, shift, triangles) <= most;
    let shift = (0..BITS - FEWEST_BITS).find(is_enough).unwrap_or(BITS - FEWEST_BITS);
    // By cell, then by point.
    let in_cell =
        |(point, &cell): (usize, &u32)| u64::from(coarser(cell, shift)) << 32 | point as u64;
    let mut order: Vec<u64> = finest.par_iter().enumerate().map(in_cell).collect();
    order.par_sort_unstable();
    let mut joined = vec![0; positions.len()];
    let mut first = 0;
    for (place, &both) in order.iter().enumerate() {
        if place == 0 || both >> 32 != order[place - 1] >> 32 {
            first = both as u32;
        }
        joined[both as u32 as usize] = first;
    }
    joined
}

/// The cell of a grid with half as many cells along each side, so many times.
fn coarser(cell: u32, shift: u32) -> u32 {
    let mask = ((1 << BITS) - 1) >> shift;
    let axis = |axis: u32| (cell >> (axis * BITS + shift) & mask) << (axis * BITS);
    axis(0) | axis(1) | axis(2)
}

/// Of triangles between three different cells, each counted once.
fn about_distinct(finest: &[u32], shift: u32, triangles: &[[u32; 3]]) -> usize {
    let counted = |corners: &[u32; 3]| {
        let cells = corners.map(|point| coarser(finest[point as usize], shift));
        let [a, b, c] = turned(cells);
        let is_one = a != b && b != c && c != a;
        let mixed = (a.wrapping_mul(0x9E37_79B9) ^ b).wrapping_mul(0x85EB_CA6B) ^ c;
        let mixed = mixed.wrapping_mul(0xC2B2_AE35) >> 16;
        (is_one && mixed % COUNTED == 0).then_some([a, b, c])
    };
    let mut some: Vec<[u32; 3]> = triangles.par_iter().filter_map(counted).collect();
    some.par_sort_unstable();
    some.dedup();
    some.len() * COUNTED as usize
}

/// So that the same triangle begins with the same corner; its winding stays.
pub fn turned([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn left(joined: &[u32], triangles: &[[u32; 3]]) -> usize {
        let of_joined = |corners: &[u32; 3]| turned(corners.map(|point| joined[point as usize]));
        let all: BTreeSet<[u32; 3]> = triangles.iter().map(of_joined).collect();
        all.iter().filter(|[a, b, c]| a != b && b != c && c != a).count()
    }

    /// A flat square with so many points along each side.
    fn square(side: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let place = |i: u32| Vec3::new((i % side) as f32, (i / side) as f32, 0.0);
        let corners = (0..(side - 1) * side).filter(|i| i % side + 1 < side);
        let two = |i: u32| [[i, i + 1, i + side], [i + 1, i + side + 1, i + side]];
        ((0..side * side).map(place).collect(), corners.flat_map(two).collect())
    }

    #[test]
    fn cells_grow_until_there_are_few_enough_triangles() {
        let (positions, triangles) = square(300);
        for most in [200_000, 50_000, 10_000, 500, 10] {
            let joined = joined_in_cells(&positions, &triangles, most);
            let left = left(&joined, &triangles);
            println!("{most}: {left} triangles are left");
            assert!(left as f32 <= 1.1 * most as f32 + 50.0, "{left} of {most}");
            assert!(left > most.min(100_000) / 8, "{left} of {most}");
            assert!(joined.iter().enumerate().all(|(point, &first)| first as usize <= point));
            assert!(joined.iter().all(|&first| joined[first as usize] == first));
        }
    }

    /// No two of them alike, whatever the cells.
    #[test]
    fn triangles_between_any_places_become_few_too() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let positions: Vec<Vec3> =
            (0..300_000).map(|_| Vec3::new(random(), random(), random())).collect();
        let triangles: Vec<[u32; 3]> =
            (0..100_000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let joined = joined_in_cells(&positions, &triangles, 90_000);
        assert!((40_000..90_000).contains(&left(&joined, &triangles)));
    }
}
