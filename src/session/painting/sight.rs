//! What the eye sees of a surface: where it is touched, and which of its points are hidden.
//!
//! Made of the vertices as they are drawn, for one camera. Places in the picture go from −1 to 1, to the right and up.

use super::PaintSurface;
use glam::{Vec2, Vec3, Vec4Swizzles};
use jounce_base::parallel::*;
use jounce_draw::Camera;
use jounce_rig::geodesic::SurfacePoint;

pub struct Sight {
    eye: Vec3,
    positions: Vec<Vec3>,
    /// Per vertex its place in the picture, and 1 / depth; NaN behind the eye.
    seen: Vec<Vec3>,
    /// What is nearer to the eye by less than this hides nothing.
    least_gap: f32,
    camera: Camera,
    aspect: f32,
}

/// Where a line of sight meets the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    pub at: SurfacePoint,
    /// As it is drawn.
    pub position: Vec3,
    /// Across the triangle, towards the eye.
    pub normal: Vec3,
}

/// As a part of the character's size.
const LEAST_GAP_SIZES: f64 = 1e-3;
/// Cells along each side of the part of the picture that is looked at.
const CELLS: usize = 48;

impl Sight {
    /// `size` is the character's.
    pub fn new(camera: Camera, aspect: f32, positions: &[Vec3], size: f64) -> Sight {
        // No depth is asked for, so the near plane may be anywhere.
        let clip_from_scene = camera.clip_from_scene(aspect, 1.0);
        let least_depth = 1e-6 * camera.distance;
        let seen = positions.par_iter().with_min_len(4096).map(|position| {
            let clip = clip_from_scene * position.extend(1.0);
            match clip.w > least_depth {
                true => (clip.xy() / clip.w).extend(1.0 / clip.w),
                false => Vec3::NAN,
            }
        });
        Sight {
            eye: camera.eye(),
            seen: seen.collect(),
            positions: positions.to_vec(),
            least_gap: (LEAST_GAP_SIZES * size) as f32,
            camera,
            aspect,
        }
    }

    /// The nearest of the surface at a place of the picture.
    pub fn touch(&self, at: Vec2, triangles: &[[u32; 3]]) -> Option<Touch> {
        const CHUNK: usize = 8192;
        let nearest_of = |(chunk, triangles): (usize, &[[u32; 3]])| {
            let mut best: Option<(f32, usize, Vec3)> = None;
            for (place, triangle) in triangles.iter().enumerate() {
                let Some(corners) = self.corners(triangle) else { continue };
                let Some(parts) = parts_at(at, corners.map(|it| it.truncate())) else { continue };
                // 1 / depth is even across a flat triangle in the picture.
                let nearness = parts.dot(Vec3::from_array(corners.map(|it| it.z)));
                if best.is_none_or(|(most, ..)| nearness > most) {
                    best = Some((nearness, chunk * CHUNK + place, parts));
                }
            }
            best
        };
        let chunks: Vec<_> = triangles.par_chunks(CHUNK).enumerate().map(nearest_of).collect();
        let (nearness, triangle, parts) =
            chunks.into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let corners = self.corners(&triangles[triangle])?;
        // In perspective what is near takes more of the picture.
        let parts = parts * Vec3::from_array(corners.map(|it| it.z)) / nearness;
        let parts = parts.to_array().map(|part| part.clamp(0.0, 1.0));
        let sum: f32 = parts.iter().sum();
        let parts = parts.map(|part| part / sum);
        let [a, b, c] = triangles[triangle].map(|vertex| self.positions[vertex as usize]);
        let position = a * parts[0] + b * parts[1] + c * parts[2];
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let normal = if normal.dot(self.eye - position) < 0.0 { -normal } else { normal };
        let is_finite = position.is_finite() && parts.iter().all(|part| part.is_finite());
        let at = SurfacePoint { triangle, parts };
        is_finite.then_some(Touch { at, position, normal })
    }

    /// Is each of these points in front of all else?
    pub fn sees(&self, surface: &PaintSurface, points: &[u32]) -> Vec<bool> {
        let place = |&point: &u32| {
            let vertex = surface.meter().vertices_of(point).first();
            vertex.and_then(|&vertex| self.seen.get(vertex as usize)).copied().unwrap_or(Vec3::NAN)
        };
        let places: Vec<Vec3> = points.iter().map(place).collect();
        let finite = || places.iter().filter(|place| place.is_finite()).map(|it| it.truncate());
        let (Some(low), Some(high)) = (finite().reduce(Vec2::min), finite().reduce(Vec2::max))
        else {
            return vec![false; points.len()];
        };
        let cells = Cells::new(self, low, high, &surface.character().mesh.triangles);
        let is_seen = |(place, &point): (&Vec3, &u32)| {
            place.is_finite() && !cells.hide(self, surface, *place, point)
        };
        places.par_iter().zip(points).with_min_len(256).map(is_seen).collect()
    }

    /// Where a vertex is in the picture; None behind the eye.
    pub fn place(&self, vertex: usize) -> Option<Vec2> {
        self.seen.get(vertex).filter(|seen| seen.is_finite()).map(|seen| seen.truncate())
    }

    pub fn is_of(&self, camera: &Camera, aspect: f32) -> bool {
        (self.camera, self.aspect) == (*camera, aspect)
    }

    /// None where a corner is behind the eye.
    fn corners(&self, triangle: &[u32; 3]) -> Option<[Vec3; 3]> {
        let corner = |place: usize| self.seen.get(triangle[place] as usize).copied();
        let corners = [corner(0)?, corner(1)?, corner(2)?];
        corners.iter().all(|corner| !corner.x.is_nan()).then_some(corners)
    }
}

/// How much of each corner a place of the picture is; None outside of the triangle.
fn parts_at(at: Vec2, [a, b, c]: [Vec2; 3]) -> Option<Vec3> {
    // Most triangles are elsewhere: this is seen before anything is divided.
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    if at.x < low.x || at.y < low.y || at.x > high.x || at.y > high.y {
        return None;
    }
    let area = (b - a).perp_dot(c - a);
    if area == 0.0 {
        return None;
    }
    let of_b = (at - a).perp_dot(c - a) / area;
    let of_c = (b - a).perp_dot(at - a) / area;
    let parts = Vec3::new(1.0 - of_b - of_c, of_b, of_c);
    (parts.min_element() >= 0.0).then_some(parts)
}

/// The triangles of a part of the picture, by the cell that they are seen in.
struct Cells<'a> {
    low: Vec2,
    cells_per_unit: Vec2,
    triangles: &'a [[u32; 3]],
    by_cell: Vec<Vec<u32>>,
}

impl<'a> Cells<'a> {
    fn new(sight: &Sight, low: Vec2, high: Vec2, triangles: &'a [[u32; 3]]) -> Cells<'a> {
        let sides = (high - low).max(Vec2::splat(1e-6));
        let cells_per_unit = Vec2::splat(CELLS as f32) / sides;
        let mut cells =
            Cells { low, cells_per_unit, triangles, by_cell: vec![Vec::new(); CELLS * CELLS] };
        let is_near = |(triangle, corners): (usize, &[u32; 3])| {
            let [a, b, c] = sight.corners(corners)?.map(|it| it.truncate());
            let (from, to) = (a.min(b).min(c), a.max(b).max(c));
            let is_near = to.x >= low.x && to.y >= low.y && from.x <= high.x && from.y <= high.y;
            is_near.then_some((triangle as u32, from, to))
        };
        let near: Vec<(u32, Vec2, Vec2)> =
            triangles.par_iter().enumerate().with_min_len(8192).filter_map(is_near).collect();
        for (triangle, from, to) in near {
            let ([x, y], [to_x, to_y]) = (cells.cell(from), cells.cell(to));
            for row in y..=to_y {
                for column in x..=to_x {
                    cells.by_cell[row * CELLS + column].push(triangle);
                }
            }
        }
        cells
    }

    fn cell(&self, place: Vec2) -> [usize; 2] {
        let cell = (place - self.low) * self.cells_per_unit;
        cell.to_array().map(|at| (at.max(0.0) as usize).min(CELLS - 1))
    }

    /// Is anything in front of a point of the surface that does not touch it?
    fn hide(&self, sight: &Sight, surface: &PaintSurface, place: Vec3, point: u32) -> bool {
        let [x, y] = self.cell(place.truncate());
        let depth = 1.0 / place.z;
        self.by_cell[y * CELLS + x].iter().any(|&triangle| {
            if surface.meter().corners(triangle as usize).contains(&point) {
                return false;
            }
            let Some(corners) = sight.corners(&self.triangles[triangle as usize]) else {
                return false;
            };
            let Some(parts) = parts_at(place.truncate(), corners.map(|it| it.truncate())) else {
                return false;
            };
            let nearness = parts.dot(Vec3::from_array(corners.map(|it| it.z)));
            1.0 / nearness < depth - sight.least_gap
        })
    }
}
