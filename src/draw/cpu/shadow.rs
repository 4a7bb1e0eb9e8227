//! draw_shadow.wgsl: depth of the models as the key light sees them, and as seen from straight above.

use super::instance::Instance;
use super::map::Map;
use super::tiles::Tiles;
use super::triangles::{Grid, PARTS};
use glam::{Mat4, Vec4};
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
        let triangles = super::instance::triangles(models, &grid, &clip_from_unit);
        let tiles = Tiles::new(&triangles, size_px, [size_px[0], BAND_PX]);
        let width = map.width();
        let bands = map.texels.par_chunks_mut(width * BAND_PX as usize);
        bands.enumerate().for_each(|(band, texels)| {
            let band = band as u32;
            let top = (band * BAND_PX) as i32;
            let rows = top..top + (texels.len() / width) as i32;
            for index in tiles.small(0, band).iter().copied().chain(tiles.large(0, band)) {
                let triangle = triangles[index as usize].rows();
                let (low, high) = triangle.depth_range;
                triangle.each([middle; 2], [0..width as i32, rows.clone()], |row| {
                    let (first, step) = row.depths();
                    let start = (row.y - top) as usize * width;
                    let columns = row.columns.start as usize..row.columns.end as usize;
                    let texels = &mut texels[start..start + width][columns];
                    for (i, texel) in texels.iter_mut().enumerate() {
                        let depth = (first + step * i as f32).max(low).min(high);
                        *texel = texel.min(depth);
                    }
                });
            }
        });
    }
}
