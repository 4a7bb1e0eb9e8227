//! Surface nets over one block of samples, with one vertex per *sheet* of surface in a cell.
//!
//! Plain surface nets have one vertex per cell, so two sheets that pass through one cell are glued
//! together there and the mesh is no surface any more. Here the crossed edges of a cell are joined
//! into loops, as marching cubes would draw them on the cell's faces; each loop is one sheet and
//! gets its own vertex (Nielson's dual marching cubes, 2004).
//!
//! ```text
//!     6───7        corner = x + 2 y + 4 z
//!    /│  /│        edge   = axis * 4 + (the other two coordinates of its lower corner)
//!   4───5 │        a face on which + and − alternate keeps the insides together,
//!   │ 2─│─3        so that a thin wing has no holes
//!   0───1
//! ```

use glam::{IVec3, Vec3};

/// Samples of the field at the corners of `cells`³ cells, x fastest.
pub struct Samples {
    pub cells: i32,
    pub values: Vec<f32>,
}

/// A vertex is known everywhere by its cell and the least edge of its loop.
pub type Key = (IVec3, u8);

#[derive(Default)]
pub struct Net {
    pub vertices: Vec<(Key, Vec3)>,
    pub triangles: Vec<[u32; 3]>,
}

fn corner_offset(corner: usize) -> IVec3 {
    IVec3::new(corner as i32 & 1, corner as i32 >> 1 & 1, corner as i32 >> 2)
}

/// The corners of edge `axis * 4 + k`.
fn edge_corners(edge: usize) -> [usize; 2] {
    let (axis, k) = (edge / 4, edge % 4);
    let low = match axis {
        0 => k * 2,
        1 => (k & 1) | (k & 2) << 1,
        _ => k,
    };
    [low, low | 1 << axis]
}

/// The edge of a cell between two of its corners.
fn edge_between(a: usize, b: usize) -> usize {
    let axis = (a ^ b).trailing_zeros() as usize;
    let low = a & b;
    axis * 4
        + match axis {
            0 => low >> 1,
            1 => (low & 1) | (low & 4) >> 1,
            _ => low,
        }
}

impl Samples {
    fn index(&self, point: IVec3) -> usize {
        let width = self.cells + 1;
        (point.x + width * (point.y + width * point.z)) as usize
    }

    fn at(&self, point: IVec3) -> f32 {
        self.values[self.index(point)]
    }
}

/// Meshes the block; `first` is the place of its first cell in the whole grid, in cells.
///
/// Faces are made for the edges from cell 1 on, so blocks that overlap by one cell meet without
/// gaps and without doubles.
pub fn net(samples: &Samples, first: IVec3) -> Net {
    let cells = samples.cells;
    let mut net = Net::default();
    let mut vertex_of_edge: Vec<[u32; 12]> = vec![[u32::MAX; 12]; (cells * cells * cells) as usize];
    let cell_index = |cell: IVec3| (cell.x + cells * (cell.y + cells * cell.z)) as usize;
    let all_cells = || {
        (0..cells * cells * cells)
            .map(move |i| IVec3::new(i % cells, i / cells % cells, i / (cells * cells)))
    };
    for cell in all_cells() {
        let corners: [f32; 8] =
            std::array::from_fn(|corner| samples.at(cell + corner_offset(corner)));
        let inside = corners.iter().filter(|&&value| value < 0.0).count();
        if inside != 0 && inside != 8 {
            add_sheets(&mut net, &mut vertex_of_edge[cell_index(cell)], &corners, cell, first);
        }
    }
    for cell in all_cells() {
        for axis in 0..3 {
            let way = IVec3::AXES[axis];
            let (b, c) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
            // This block makes the edges whose four cells it has, and whose start it owns.
            if cell[(axis + 1) % 3] == 0 || cell[(axis + 2) % 3] == 0 || cell[axis] == cells - 1 {
                continue;
            }
            let start_inside = samples.at(cell) < 0.0;
            if start_inside == (samples.at(cell + way) < 0.0) {
                continue;
            }
            let around = [cell, cell - b, cell - b - c, cell - c];
            let quad = around.map(|other| {
                let from = cell - other;
                let low = (from.x + 2 * from.y + 4 * from.z) as usize;
                vertex_of_edge[cell_index(other)][edge_between(low, low | 1 << axis)]
            });
            add_quad(&mut net, quad, start_inside);
        }
    }
    net
}

fn add_sheets(
    net: &mut Net,
    vertex_of_edge: &mut [u32; 12],
    corners: &[f32; 8],
    cell: IVec3,
    first: IVec3,
) {
    let inside = |corner: usize| corners[corner] < 0.0;
    // The least edge of the loop each crossed edge belongs to.
    let mut loop_of_edge: [usize; 12] = std::array::from_fn(|edge| edge);
    let mut join = |a: usize, b: usize| {
        let (from, to) =
            (loop_of_edge[a].max(loop_of_edge[b]), loop_of_edge[a].min(loop_of_edge[b]));
        for root in &mut loop_of_edge {
            if *root == from {
                *root = to;
            }
        }
    };
    for axis in 0..3 {
        let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for base in [0, 1 << axis] {
            let ring = [base, base | b, base | b | c, base | c];
            let edge = |i: usize| edge_between(ring[i], ring[(i + 1) % 4]);
            let crossed: Vec<usize> =
                (0..4).filter(|&i| inside(ring[i]) != inside(ring[(i + 1) % 4])).collect();
            if crossed.len() == 2 {
                join(edge(crossed[0]), edge(crossed[1]));
            } else if crossed.len() == 4 {
                // Cutting off the outside corners keeps the inside ones together.
                for i in (0..4).filter(|&i| !inside(ring[i])) {
                    join(edge((i + 3) % 4), edge(i));
                }
            }
        }
    }
    let crossing = |edge: usize| {
        let [a, b] = edge_corners(edge);
        (inside(a) != inside(b)).then(|| {
            let part = corners[a] / (corners[a] - corners[b]);
            corner_offset(a).as_vec3().lerp(corner_offset(b).as_vec3(), part)
        })
    };
    for root in 0..12 {
        let members = (0..12).filter(|&edge| loop_of_edge[edge] == root);
        let points: Vec<(usize, Vec3)> =
            members.filter_map(|edge| crossing(edge).map(|point| (edge, point))).collect();
        if points.is_empty() {
            continue;
        }
        let sum: Vec3 = points.iter().map(|&(_, point)| point).sum();
        for &(edge, _) in &points {
            vertex_of_edge[edge] = net.vertices.len() as u32;
        }
        let place = (first + cell).as_vec3() + sum / points.len() as f32;
        net.vertices.push(((first + cell, root as u8), place));
    }
}

/// Two triangles, cut along the shorter diagonal, facing outwards.
fn add_quad(net: &mut Net, mut quad: [u32; 4], start_inside: bool) {
    if !start_inside {
        quad.reverse();
    }
    let [a, b, c, d] = quad;
    let place = |vertex: u32| net.vertices[vertex as usize].1;
    let cut = if place(a).distance_squared(place(c)) < place(b).distance_squared(place(d)) {
        [[a, b, c], [a, c, d]]
    } else {
        [[a, b, d], [b, c, d]]
    };
    net.triangles.extend(cut);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_found_again_by_their_corners() {
        for edge in 0..12 {
            let [a, b] = edge_corners(edge);
            assert_eq!(edge_between(a, b), edge);
        }
    }

    #[test]
    fn two_drops_in_opposite_corners_of_a_cell_stay_two_surfaces() {
        // 5³ samples, inside only at (1,1,1) and (2,2,2): both reach into the cell between them.
        let inside = |i: i32| i == 31 || i == 62;
        let values = (0..125).map(|i| if inside(i) { -1.0 } else { 1.0 }).collect();
        let net = net(&Samples { cells: 4, values }, IVec3::ZERO);
        // Each is a box of 8 vertices; plain nets would share one of them.
        assert_eq!(net.vertices.len(), 16);
        assert!(super::super::mesher::is_manifold(&net.triangles));
    }
}
