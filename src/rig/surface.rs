//! The surface under the vertices: points, areas, neighbours, hard edges.

use super::sampling::PointGraph;
use super::weld::{Weld, weld_normals, weld_skinned};
use super::{Influences, Mesh};
use glam::Vec3;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub struct Surface {
    /// Vertices that coincide in position and weights are one point.
    pub points: Weld,
    /// Vertices of one point that share the file's normal are one smooth corner.
    pub smooth: Weld,
    /// Per point: a third of the area of the triangles around it, at rest.
    pub point_areas: Vec<f32>,
    /// Per triangle, at rest.
    pub triangle_areas: Vec<f32>,
    neighbours: PointGraph,
    /// Pairs of points (smaller first) whose edge the file's normals make sharp.
    pub hard_edges: Vec<[u32; 2]>,
}

impl Surface {
    pub fn new(mesh: &Mesh, skin: &Influences, rest_positions_in_scene: &[Vec3]) -> Surface {
        let points = weld_skinned(&mesh.positions, skin);
        let smooth = weld_normals(&points, &mesh.normals);
        let triangle_areas: Vec<f32> = mesh
            .triangles
            .iter()
            .map(|corners| {
                let [a, b, c] = corners.map(|v| rest_positions_in_scene[v as usize]);
                0.5 * (b - a).cross(c - a).length()
            })
            .collect();
        let mut point_areas = vec![0.0; points.point_count];
        for (corners, area) in mesh.triangles.iter().zip(&triangle_areas) {
            for &vertex in corners {
                point_areas[points.point_of_vertex[vertex as usize] as usize] += area / 3.0;
            }
        }
        let neighbours = neighbours(mesh, &points);
        let hard_edges = hard_edges(mesh, &points, &smooth);
        Surface { points, smooth, point_areas, triangle_areas, neighbours, hard_edges }
    }

    /// The points joined to a point by an edge, in increasing order.
    pub fn neighbours_of(&self, point: usize) -> &[u32] {
        self.neighbours.of(point)
    }

    /// Per point the number of the connected piece it belongs to.
    pub fn pieces(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let mut of_points = vec![NONE; self.points.point_count];
        let mut count = 0;
        let mut open = Vec::new();
        for start in 0..of_points.len() {
            if of_points[start] != NONE {
                continue;
            }
            of_points[start] = count;
            open.push(start as u32);
            while let Some(point) = open.pop() {
                for &neighbour in self.neighbours_of(point as usize) {
                    if of_points[neighbour as usize] == NONE {
                        of_points[neighbour as usize] = count;
                        open.push(neighbour);
                    }
                }
            }
            count += 1;
        }
        of_points
    }

    pub(super) fn neighbours(&self) -> &PointGraph {
        &self.neighbours
    }

    /// Spreads a value per point to the vertices.
    pub fn to_vertices<T: Copy>(&self, per_point: &[T]) -> Vec<T> {
        let points = self.points.point_of_vertex.iter();
        points.map(|&point| per_point[point as usize]).collect()
    }
}

fn neighbours(mesh: &Mesh, points: &Weld) -> PointGraph {
    let of_triangle = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| points.point_of_vertex[vertex as usize]);
        [[a, b], [b, c], [c, a]]
    };
    PointGraph::new(points.point_count, || mesh.triangles.iter().flat_map(of_triangle))
}

/// An edge is hard where the triangles on its two sides disagree about the normal at an end.
fn hard_edges(mesh: &Mesh, points: &Weld, smooth: &Weld) -> Vec<[u32; 2]> {
    // Smooth meshes are the rule: nothing to find where no point has two normals.
    if points.point_count == smooth.point_count {
        return Vec::new();
    }
    let mut sides: HashMap<[u32; 2], [u32; 2]> = HashMap::new();
    let mut hard = Vec::new();
    for &[a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let mut ends = [from, to].map(|vertex| vertex as usize);
            let point = |vertex: usize| points.point_of_vertex[vertex];
            if point(ends[0]) > point(ends[1]) {
                ends.swap(0, 1);
            }
            let edge = ends.map(point);
            if edge[0] == edge[1] {
                continue;
            }
            let corners = ends.map(|vertex| smooth.point_of_vertex[vertex]);
            let known = *sides.entry(edge).or_insert(corners);
            if known != corners {
                hard.push(edge);
            }
        }
    }
    hard.sort_unstable();
    hard.dedup();
    hard
}
