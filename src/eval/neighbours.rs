//! Who stands next to whom on the surface, and smoothing over it.
//!
//! x ← x + a · (mean of x over the neighbours − x), 0 ≤ a ≤ 1, all vertices at once.
//!
//! Vertices that files split at seams are one point of the surface. They have the same neighbours,
//! each point's first vertex, so a seam that is closed stays closed.

use jounce_rig::Surface;

/// Vertex v has the neighbours `vertices[offsets[v] .. offsets[v + 1]]`, possibly none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    pub offsets: Vec<u32>,
    pub vertices: Vec<u32>,
}

impl Neighbours {
    pub fn new(surface: &Surface) -> Neighbours {
        let points = &surface.points.point_of_vertex;
        let mut first_of_point = vec![u32::MAX; surface.points.point_count];
        for (vertex, &point) in points.iter().enumerate() {
            let first = &mut first_of_point[point as usize];
            *first = (*first).min(vertex as u32);
        }
        let mut neighbours =
            Neighbours { offsets: Vec::with_capacity(points.len() + 1), vertices: Vec::new() };
        neighbours.offsets.push(0);
        for &point in points {
            let around = surface.neighbours_of(point as usize);
            neighbours.vertices.extend(around.iter().map(|&p| first_of_point[p as usize]));
            neighbours.offsets.push(neighbours.vertices.len() as u32);
        }
        neighbours
    }

    pub fn of(&self, vertex: usize) -> &[u32] {
        &self.vertices[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }
}
