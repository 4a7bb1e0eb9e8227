//! draw_shadow.wgsl: depth of the models as the key light sees them, and as seen from straight above.

use super::instance::Instance;
use super::map::Map;
use super::texture::{Lining, Spot};
use super::tiles::Tiles;
use super::triangles::Triangle;
use super::triangles::{Grid, PARTS};
use crate::uniforms::MaterialUniform;
use glam::{Mat4, Vec2, Vec3, Vec4};
use rayon::prelude::*;

/// Rows of a map that are drawn by one thread.
const BAND_PX: u32 = 64;
/// Models whose triangles are kept at a time.
const MODELS_AT_ONCE: usize = 256;

/// From (u, v, depth) of a map to clip space.
fn clip_from_map() -> Mat4 {
    Mat4::from_cols(
        Vec4::new(2.0, 0.0, 0.0, 0.0),
        Vec4::new(0.0, -2.0, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 1.0, 0.0),
        Vec4::new(-1.0, 1.0, 0.0, 1.0),
    )
}

/// Draws the models into a map that was reset to 1, the greatest depth.
pub fn draw_depth(map: &mut Map<f32>, map_from_unit: Mat4, models: &[(u32, &Instance)]) {
    let size_px = map.size_px();
    let middle = PARTS as i32 / 2;
    let grid = Grid { size_px, first: middle, apart: PARTS as i32 };
    let clip_from_unit = clip_from_map() * map_from_unit;
    for models in models.chunks(MODELS_AT_ONCE) {
        let triangles = super::instance::triangles(models, &grid, &clip_from_unit, None);
        let tiles = Tiles::new(&triangles, size_px, [size_px[0], BAND_PX]);
        let (width, map_size) = (map.width(), map.size());
        let bands = map.texels.par_chunks_mut(width * BAND_PX as usize);
        bands.enumerate().for_each(|(band, texels)| {
            let band = band as u32;
            let top = (band * BAND_PX) as i32;
            let rows = top..top + (texels.len() / width) as i32;
            for index in tiles.small(0, band).iter().copied().chain(tiles.large(0, band)) {
                let triangle = &triangles[index as usize];
                let sieve = Sieve::of(triangle, models, &map_from_unit, map_size);
                let triangle = triangle.rows();
                let (low, high) = triangle.depth_range;
                triangle.each([middle; 2], [0..width as i32, rows.clone()], |row| {
                    let (first, step) = row.depths();
                    let start = (row.y - top) as usize * width;
                    let columns = row.columns.start as usize..row.columns.end as usize;
                    let texels = &mut texels[start..start + width][columns];
                    for (i, texel) in texels.iter_mut().enumerate() {
                        let depth = (first + step * i as f32).max(low).min(high);
                        let at = [row.columns.start + i as i32, row.y];
                        if sieve.as_ref().is_none_or(|sieve| sieve.stops(at)) {
                            *texel = texel.min(depth);
                        }
                    }
                });
            }
        });
    }
}

/// A triangle with holes that light falls through.
struct Sieve<'a> {
    lining: Lining<'a>,
    least_alpha: f32,
    /// How much of each corner is at the first texel, one to the right, and one down.
    parts: [Vec3; 3],
}

impl<'a> Sieve<'a> {
    fn of(
        triangle: &Triangle,
        models: &[(u32, &Instance<'a>)],
        map_from_unit: &Mat4,
        map_size: Vec2,
    ) -> Option<Sieve<'a>> {
        if !triangle.kind.has_holes {
            return None;
        }
        let place = models.binary_search_by_key(&triangle.model, |(model, _)| *model).ok()?;
        let instance = models[place].1;
        let lining = instance.lining(triangle.index)?;
        let [_, least_alpha, ..] = MaterialUniform::of(lining.material).alpha;
        let corners = instance.geometry.triangles[triangle.index as usize].map(|vertex| {
            map_from_unit.transform_point3(instance.unit_position(vertex)).truncate() * map_size
        });
        let (a, b) = (corners[1] - corners[0], corners[2] - corners[0]);
        let area = a.perp_dot(b);
        let parts = [Vec2::splat(0.5), Vec2::new(1.5, 0.5), Vec2::new(0.5, 1.5)].map(|texel| {
            let at = texel - corners[0];
            let (u, v) = (at.perp_dot(b) / area, a.perp_dot(at) / area);
            Vec3::new(1.0 - u - v, u, v)
        });
        Some(Sieve { lining, least_alpha, parts })
    }

    fn stops(&self, [x, y]: [i32; 2]) -> bool {
        let [first, right, down] = self.parts;
        let steps = [right - first, down - first];
        let middle = first + steps[0] * x as f32 + steps[1] * y as f32;
        let spot = Spot { parts: middle, beside: steps.map(|step| middle + step), middle };
        self.lining.alpha(&spot) >= self.least_alpha
    }
}
