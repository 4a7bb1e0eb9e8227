//! How far it is along the surface, from a point of it to the points around.
//!
//! The surface is that of the rest pose, in the scene; vertices that files split are one point of it
//! ([`super::Surface::points`]). The distance d of a point is the least that these three rules allow:
//!
//! ```text
//!  start    the corners of the triangle that the start lies in: as far as they are from it in a straight line
//!  edge     d(c) ≤ d(a) + |ac|
//!  triangle d(c) ≤ |s'c|, where abc is a triangle, s' is the point of its plane beyond the edge ab that is d(a)
//!           from a and d(b) from b, and the straight line from s' to c crosses that edge
//!
//!        c            What comes in through ab is unfolded into the plane of abc (Novotni and Klein 2002): on
//!       ╱│╲           flat, cylindrical and conical parts d is exact, and round a corner it is what the edges allow.
//!      ╱ │ ╲
//!     a──┼──b
//!       ╲│╱
//!        s'
//! ```
//! So nothing leaps from one side of an ear to the other. Only what is within the radius is looked at.

use super::Character;
use glam::{DVec2, DVec3};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The surface of a character, made ready to be measured on.
#[derive(Debug)]
pub struct SurfaceMeter {
    positions: Vec<DVec3>,
    /// Corners as points; triangles that are no more than a line are among them.
    triangles: Vec<[u32; 3]>,
    triangles_of_points: Lists,
    vertices_of_points: Lists,
}

/// A point on a triangle: how much it is of each corner. They sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    pub triangle: usize,
    pub parts: [f32; 3],
}

/// What is within reach, and room that is used again. Made for one [`SurfaceMeter`].
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Points and how far they are, in no order.
    points: Vec<(u32, f64)>,
    /// Per point its place in `points`, where it is of this round.
    places: Vec<u32>,
    rounds: Vec<u32>,
    round: u32,
    open: BinaryHeap<Open>,
}

impl Reach {
    /// Points within the radius, and how far they are.
    pub fn points(&self) -> &[(u32, f64)] {
        &self.points
    }

    /// None beyond the radius.
    pub fn of(&self, point: u32) -> Option<f64> {
        let is_of_round = self.rounds.get(point as usize) == Some(&self.round);
        is_of_round.then(|| self.points[self.places[point as usize] as usize].1)
    }

    fn begin(&mut self, points: usize) {
        self.points.clear();
        self.open.clear();
        self.round = self.round.wrapping_add(1);
        if self.rounds.len() != points || self.round == 0 {
            (self.rounds, self.places, self.round) = (vec![0; points], vec![0; points], 1);
        }
    }

    /// Was it nearer than what is known?
    fn offer(&mut self, point: u32, distance: f64) {
        let place = point as usize;
        if self.rounds[place] == self.round {
            let known = &mut self.points[self.places[place] as usize].1;
            // What rounding changes changes nothing.
            if distance >= *known * (1.0 - 1e-12) {
                return;
            }
            *known = distance;
        } else {
            self.rounds[place] = self.round;
            self.places[place] = self.points.len() as u32;
            self.points.push((point, distance));
        }
        self.open.push(Open { distance, point });
    }
}

/// A point whose neighbours have to be told.
#[derive(Clone, Copy, Debug)]
struct Open {
    distance: f64,
    point: u32,
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The nearest comes out first.
impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.point.cmp(&self.point))
    }
}

impl SurfaceMeter {
    pub fn new(character: &Character) -> SurfaceMeter {
        let welded = &character.surface().points;
        let mut positions = vec![DVec3::ZERO; welded.point_count];
        for (&point, position) in welded.point_of_vertex.iter().zip(&character.rest().positions) {
            positions[point as usize] = position.as_dvec3();
        }
        let point = |vertex: u32| welded.point_of_vertex[vertex as usize];
        let triangles: Vec<[u32; 3]> =
            character.mesh.triangles.iter().map(|corners| corners.map(point)).collect();
        let corners = || {
            let of_triangle = |(triangle, corners): (usize, &[u32; 3])| {
                corners.map(|point| (point, triangle as u32))
            };
            triangles.iter().enumerate().flat_map(of_triangle)
        };
        let vertices = || (welded.point_of_vertex.iter().copied()).zip(0_u32..);
        SurfaceMeter {
            triangles_of_points: Lists::new(welded.point_count, corners),
            vertices_of_points: Lists::new(welded.point_count, vertices),
            positions,
            triangles,
        }
    }

    pub fn point_count(&self) -> usize {
        self.positions.len()
    }

    /// At rest, in the scene.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// The corners of a triangle of the mesh.
    pub fn corners(&self, triangle: usize) -> [u32; 3] {
        self.triangles[triangle]
    }

    pub fn triangles_of(&self, point: u32) -> &[u32] {
        self.triangles_of_points.of(point as usize)
    }

    /// The vertices that are this point.
    pub fn vertices_of(&self, point: u32) -> &[u32] {
        self.vertices_of_points.of(point as usize)
    }

    pub fn place(&self, at: SurfacePoint) -> DVec3 {
        let corners = self.triangles[at.triangle].map(|point| self.positions[point as usize]);
        corners.iter().zip(at.parts).map(|(corner, part)| *corner * f64::from(part)).sum()
    }

    /// All that is within a radius of a point, in the units of the scene. What cannot be measured has no
    /// distance: a start that is on no triangle, a radius that is no length.
    pub fn measure(&self, from: SurfacePoint, radius: f64, reach: &mut Reach) {
        reach.begin(self.positions.len());
        let is_there = from.triangle < self.triangles.len();
        if !is_there || !(radius > 0.0) {
            return;
        }
        let start = self.place(from);
        for point in self.triangles[from.triangle] {
            let distance = self.positions[point as usize].distance(start);
            if distance <= radius {
                reach.offer(point, distance);
            }
        }
        while let Some(Open { distance, point }) = reach.open.pop() {
            if reach.of(point) != Some(distance) {
                // It has become nearer since.
                continue;
            }
            for &triangle in self.triangles_of_points.of(point as usize) {
                let corners = self.triangles[triangle as usize];
                let Some(place) = corners.iter().position(|&corner| corner == point) else {
                    continue;
                };
                let (b, c) = (corners[(place + 1) % 3], corners[(place + 2) % 3]);
                self.go_on(point, distance, b, c, radius, reach);
                self.go_on(point, distance, c, b, radius, reach);
            }
        }
    }

    /// From a to c, along the edge or through the triangle abc.
    fn go_on(&self, a: u32, from_a: f64, b: u32, c: u32, radius: f64, reach: &mut Reach) {
        let [at_a, at_b, at_c] = [a, b, c].map(|point| self.positions[point as usize]);
        let mut distance = from_a + at_a.distance(at_c);
        if let Some(from_b) = reach.of(b)
            && let Some(through) = unfolded([at_a, at_b, at_c], from_a, from_b)
        {
            distance = distance.min(through);
        }
        if distance <= radius {
            reach.offer(c, distance);
        }
    }
}

/// How far c is from the point beyond ab that is so far from a and b, if the way leads through ab.
fn unfolded([a, b, c]: [DVec3; 3], from_a: f64, from_b: f64) -> Option<f64> {
    let along = b - a;
    let edge = along.length();
    if !(edge > 0.0) {
        return None;
    }
    let along = along / edge;
    let to_c = c - a;
    let c = DVec2::new(to_c.dot(along), 0.0);
    let c = DVec2::new(c.x, (to_c.length_squared() - c.x * c.x).max(0.0).sqrt());
    let x = (from_a * from_a - from_b * from_b + edge * edge) / (2.0 * edge);
    let height_squared = from_a * from_a - x * x;
    // On the line of the edge within what rounding makes of it.
    if !(height_squared >= -1e-9 * edge * edge) {
        return None;
    }
    let source = DVec2::new(x, -height_squared.max(0.0).sqrt());
    let depth = c.y - source.y;
    if !(depth > 0.0) {
        return None;
    }
    let crossing = source.x + (c.x - source.x) * (-source.y / depth);
    let rounding = 1e-9 * edge;
    let crosses = crossing >= -rounding && crossing <= edge + rounding;
    crosses.then(|| c.distance(source))
}

/// A list of numbers for each of many, one after the other in one array.
#[derive(Debug)]
struct Lists {
    offsets: Vec<u32>,
    entries: Vec<u32>,
}

impl Lists {
    /// From pairs of whose list it is and what is in it, which stays in their order.
    fn new<I: Iterator<Item = (u32, u32)>>(count: usize, pairs: impl Fn() -> I) -> Lists {
        let mut offsets = vec![0_u32; count + 1];
        for (owner, _) in pairs() {
            offsets[owner as usize + 1] += 1;
        }
        for place in 0..count {
            offsets[place + 1] += offsets[place];
        }
        let mut next = offsets.clone();
        let mut entries = vec![0; offsets[count] as usize];
        for (owner, entry) in pairs() {
            entries[next[owner as usize] as usize] = entry;
            next[owner as usize] += 1;
        }
        Lists { offsets, entries }
    }

    fn of(&self, owner: usize) -> &[u32] {
        &self.entries[self.offsets[owner] as usize..self.offsets[owner + 1] as usize]
    }
}
