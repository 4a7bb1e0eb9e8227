//! Triangles on a grid of pixels: clipped, snapped to 1/256 of a pixel, and cut into rows.
//!
//! With whole numbers a point is on exactly one side of an edge, so that two triangles that share an
//! edge leave no gap and cover nothing twice (top-left rule).

use glam::Vec4;
use std::ops::Range;

/// Parts of a pixel that corners are snapped to.
pub const PARTS: i64 = 256;

/// What is farther out is clipped, in pixels: products of two such lengths must fit into 64 bits.
const FAR_OUT_PX: f32 = 1_048_576.0;

/// Where triangles go.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub size_px: [u32; 2],
    /// Samples lie at (first + n × apart) / 256 pixels, in each direction.
    pub first: i32,
    pub apart: i32,
}

/// What its material makes of a triangle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// Seen from behind, and nothing is there: only its edges are drawn.
    pub is_hidden: bool,
    /// Not solid everywhere.
    pub has_holes: bool,
    /// Seen where it is not solid, too.
    pub is_blended: bool,
    pub is_back: bool,
}

/// A part of triangle `index` of model `model`, after clipping.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// In parts of a pixel; their order makes the area positive.
    at: [[i32; 2]; 3],
    depth: [f32; 3],
    pub model: u32,
    pub index: u32,
    pub kind: Kind,
}

/// Which corners' positions in clip space make triangle `index` of model `model`.
pub struct Corners {
    pub clip: [Vec4; 3],
    pub model: u32,
    pub index: u32,
    pub kind: Kind,
}

impl Grid {
    /// Adds what of a triangle may be seen. Nothing is culled: characters may be mirrored or open.
    pub fn add(&self, corners: &Corners, into: &mut Vec<Triangle>) {
        let far = FAR_OUT_PX / self.size_px[0].max(self.size_px[1]) as f32;
        let is_inside = |c: &Vec4| {
            c.w > 0.0 && (0.0..=c.w).contains(&c.z) && c.x.abs().max(c.y.abs()) <= far * c.w
        };
        let clip = corners.clip;
        if clip.iter().all(is_inside) {
            let at = clip.map(|c| {
                let inverse = 1.0 / c.w;
                self.on_grid([c.x, c.y, c.z].map(|x| f64::from(x * inverse)))
            });
            into.extend(self.snapped(at, corners));
        } else if clip.iter().all(|c| c.is_finite()) {
            let polygon = clipped(clip, f64::from(far));
            let at = polygon.iter().map(|[x, y, z, w]| self.on_grid([x / w, y / w, z / w]));
            let at: Vec<[f64; 3]> = at.collect();
            for i in 2..at.len() {
                into.extend(self.snapped([at[0], at[i - 1], at[i]], corners));
            }
        }
    }

    /// From normalised device coordinates to pixels; depth stays.
    fn on_grid(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [width, height] = self.size_px.map(f64::from);
        [(0.5 + 0.5 * x) * width, (0.5 - 0.5 * y) * height, z]
    }

    fn snapped(&self, corners: [[f64; 3]; 3], of: &Corners) -> Option<Triangle> {
        let Corners { model, index, kind, .. } = *of;
        let snap = |px: f64| (px * PARTS as f64).round() as i32;
        let mut at = corners.map(|[x, y, _]| [snap(x), snap(y)]);
        let mut depth = corners.map(|[_, _, z]| z as f32);
        for axis in 0..2 {
            let (low, high) = ends(at.map(|corner| corner[axis]));
            let end = (self.size_px[axis] as i64 * PARTS) as i32;
            // Samples up to the one and before the other, counted from the first.
            let before = |part: i32| (part - self.first - 1).div_euclid(self.apart);
            let none_between = before(low) == before(high + 1);
            if high < 0 || low > end || none_between {
                return None;
            }
        }
        let area = edge(at[0], at[1]).value(at[2]);
        if area < 0 {
            at.swap(1, 2);
            depth.swap(1, 2);
        }
        (area != 0).then_some(Triangle { at, depth, model, index, kind })
    }
}

fn ends<T: Copy + PartialOrd>([a, b, c]: [T; 3]) -> (T, T) {
    let pick = |a: T, b: T, less: bool| if (a < b) == less { a } else { b };
    (pick(pick(a, b, true), c, true), pick(pick(a, b, false), c, false))
}

/// Sutherland and Hodgman: 0 ≤ z ≤ w, and x and y at most so many times w.
fn clipped(clip: [Vec4; 3], far: f64) -> Vec<[f64; 4]> {
    let mut polygon: Vec<[f64; 4]> = clip.iter().map(|c| c.to_array().map(f64::from)).collect();
    let planes = [
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, -1.0, 1.0],
        [1.0, 0.0, 0.0, far],
        [-1.0, 0.0, 0.0, far],
        [0.0, 1.0, 0.0, far],
        [0.0, -1.0, 0.0, far],
    ];
    for plane in planes {
        let side = |p: &[f64; 4]| p.iter().zip(plane).map(|(p, n)| p * n).sum::<f64>();
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, to) in polygon.iter().enumerate() {
            let from = &polygon[(i + polygon.len() - 1) % polygon.len()];
            let (before, here) = (side(from), side(to));
            if (before < 0.0) != (here < 0.0) {
                let part = before / (before - here);
                kept.push(std::array::from_fn(|k| from[k] + part * (to[k] - from[k])));
            }
            if here >= 0.0 {
                kept.push(*to);
            }
        }
        polygon = kept;
    }
    // What touches w = 0 has no place.
    if polygon.iter().all(|p| p[3] > 0.0) { polygon } else { Vec::new() }
}

/// A line through two corners: `c + x · a + y · b`, not negative inside.
#[derive(Clone, Copy)]
struct Edge {
    a: i64,
    b: i64,
    c: i64,
}

fn edge(from: [i32; 2], to: [i32; 2]) -> Edge {
    let [x0, y0] = from.map(i64::from);
    let [x1, y1] = to.map(i64::from);
    let (a, b) = (y0 - y1, x1 - x0);
    Edge { a, b, c: -a * x0 - b * y0 }
}

impl Edge {
    fn value(&self, [x, y]: [i32; 2]) -> i64 {
        self.c + self.a * i64::from(x) + self.b * i64::from(y)
    }

    /// Points on the line belong to the triangle to the right of it, or below.
    fn owned(self) -> Edge {
        let is_left = self.a > 0 || (self.a == 0 && self.b > 0);
        Edge { c: self.c - i64::from(!is_left), ..self }
    }
}

/// A triangle that is ready to be cut into rows.
pub struct Rows {
    edges: [Edge; 3],
    /// In parts of a pixel: least and most, x and y.
    low: [i32; 2],
    high: [i32; 2],
    origin: [f64; 2],
    depth: f64,
    depth_per_px: [f64; 2],
    pub depth_range: (f32, f32),
}

/// Pixels of one row whose sample lies inside.
pub struct PixelRow {
    pub y: i32,
    pub columns: Range<i32>,
    depth: f64,
    depth_per_px: f64,
}

impl Triangle {
    /// In pixels: columns and rows it may touch, within a picture of that size.
    pub fn pixels(&self, size_px: [u32; 2]) -> [Range<u32>; 2] {
        [0, 1].map(|axis| {
            let (low, high) = ends(self.at.map(|corner| corner[axis]));
            let px = |part: i32| (i64::from(part).div_euclid(PARTS)).max(0) as u32;
            px(low).min(size_px[axis] - 1)..(px(high) + 1).min(size_px[axis])
        })
    }

    pub fn nearest(&self) -> f32 {
        ends(self.depth).1
    }

    pub fn rows(&self) -> Rows {
        let [p, q, r] = self.at;
        let area = edge(p, q).value(r) as f64 / (PARTS * PARTS) as f64;
        let px = |corner: [i32; 2]| corner.map(|part| f64::from(part) / PARTS as f64);
        let ([px0, py0], [px1, py1], [px2, py2]) = (px(p), px(q), px(r));
        let [z0, z1, z2] = self.depth.map(f64::from);
        let (dz1, dz2) = (z1 - z0, z2 - z0);
        let depth_per_px = [
            (dz1 * (py2 - py0) - dz2 * (py1 - py0)) / area,
            (dz2 * (px1 - px0) - dz1 * (px2 - px0)) / area,
        ];
        let (columns, rows) = (ends(self.at.map(|c| c[0])), ends(self.at.map(|c| c[1])));
        Rows {
            edges: [edge(p, q).owned(), edge(q, r).owned(), edge(r, p).owned()],
            low: [columns.0, rows.0],
            high: [columns.1, rows.1],
            origin: [px0, py0],
            depth: z0,
            depth_per_px,
            depth_range: ends(self.depth),
        }
    }
}

impl Rows {
    /// Hands over every row of the rectangle that has pixels whose sample is inside. The sample of a
    /// pixel is `sample` parts from its upper left corner.
    pub fn each(
        &self,
        sample: [i32; 2],
        [columns, rows]: [Range<i32>; 2],
        mut work: impl FnMut(PixelRow),
    ) {
        let pixel = |part: i32, axis: usize| {
            i64::from(part - sample[axis]).div_euclid(PARTS).clamp(-1, i64::from(i32::MAX)) as i32
        };
        let first = rows.start.max(pixel(self.low[1] - 1, 1) + 1);
        let end = rows.end.min(pixel(self.high[1], 1) + 1);
        let left = columns.start.max(pixel(self.low[0] - 1, 0) + 1);
        let right = columns.end.min(pixel(self.high[0], 0) + 1);
        for y in first..end {
            let row_parts = i64::from(y) * PARTS + i64::from(sample[1]);
            let (mut from, mut to) = (i64::from(left), i64::from(right));
            for edge in &self.edges {
                // Inside where rest + step · x ≥ 0.
                let rest = edge.c + edge.b * row_parts + edge.a * i64::from(sample[0]);
                let step = edge.a * PARTS;
                match step.signum() {
                    1 => from = from.max(-rest.div_euclid(step)),
                    -1 => to = to.min(rest.div_euclid(-step) + 1),
                    _ if rest < 0 => to = from,
                    _ => {}
                }
            }
            if from < to {
                let at = |px: i64, axis: usize| {
                    px as f64 + f64::from(sample[axis]) / PARTS as f64 - self.origin[axis]
                };
                let depth = self.depth
                    + self.depth_per_px[0] * at(from, 0)
                    + self.depth_per_px[1] * at(i64::from(y), 1);
                let columns = from as i32..to as i32;
                work(PixelRow { y, columns, depth, depth_per_px: self.depth_per_px[0] });
            }
        }
    }
}

impl PixelRow {
    /// At the first of the columns, and how much more at the next.
    pub fn depths(&self) -> (f32, f32) {
        (self.depth as f32, self.depth_per_px as f32)
    }
}
