//! draw_prepare.wgsl: depth from above → blurred height.

use super::map::Map;
use crate::uniforms::SceneUniform;
use rayon::prelude::*;

/// Turns the map of the sky into heights in unit space.
pub fn sky_height(scene: &SceneUniform, sky_map: &mut Map<f32>, between: &mut Map<f32>) {
    sky_map.blur::<4>(9.0, between);
    // sky_from_unit maps height y to depth = a y + b.
    let (a, b) = (scene.sky_from_unit.y_axis.z, scene.sky_from_unit.w_axis.z);
    sky_map.texels.par_iter_mut().for_each(|texel| *texel = (*texel - b) / a);
}
