//! Pictures without a graphics adapter, on all threads.
//!
//! Each shader `shaders/draw_x.wgsl` is `x.rs` here, with the same names and equations (`draw_model` is
//! `instance.rs`; herds are drawn in another way); what the GPU does between shaders is in the other files.
//! The picture is made tile by tile, so that only a tile has four samples per pixel, and is the same however
//! many threads there are.
//!
//! ```text
//!  shadow ─► prepare ─► ground                        once per picture
//!              │          │
//!     texture, light ─────┼─► surface, material ┐
//!  triangles ─► tiles ─► canvas ◄───────────────┤  background, wire, bones      for each tile
//!                         └─► RgbaImage
//! ```

mod background;
mod bones;
mod canvas;
mod ground;
mod herd;
mod instance;
mod layers;
mod light;
mod map;
mod material;
mod pixels;
mod prepare;
mod scene;
mod shadow;
mod surface;
mod texture;
mod tiles;
mod triangles;
mod wire;

use super::bones::BoneCorners;
use super::light::{Lights, MapSizes, UnitSpace};
use super::uniforms::{SceneUniform, instance_uniform, scene_uniform};
use super::{Background, DrawError, HerdOf, Mesh, Painter, PictureOf, Style};
use canvas::{Canvas, SIDE, TileArea};
use glam::Vec2;
use image::RgbaImage;
use instance::Instance;
use layers::{Layer, Lit};
use light::Light;
use map::Map;
use pixels::Encoder;
use rayon::prelude::*;

/// Pictures that are larger are refused; they take four bytes per pixel.
const MOST_PIXELS: u64 = 1 << 28;
const LARGEST_MAP_PX: u32 = 4096;

/// Draws on the CPU. Maps are kept between pictures.
#[derive(Debug, Default)]
pub struct CpuPainter {
    key_map: Map<f32>,
    sky_height: Map<f32>,
    ground: Map<Vec2>,
    between_heights: Map<f32>,
    between_ground: Map<Vec2>,
}

impl Painter for CpuPainter {
    fn paint(
        &mut self,
        picture: &PictureOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        check_size(size_px)?;
        for placed in picture.models {
            placed.model.geometry.check()?;
        }
        let unit = UnitSpace::of(&picture.stage);
        let lights = Lights::of(picture, &unit);
        let scene = scene_uniform(picture, &unit, &lights, size_px, false);
        let wireframe = picture.look.wireframe;
        let instances: Vec<Instance> = (picture.models.iter())
            .map(|placed| Instance {
                geometry: placed.model.geometry,
                uniform: instance_uniform(placed, &unit, wireframe),
            })
            .collect();
        let numbered = || picture.models.iter().zip(instances.iter()).zip(0..);
        let solid: Vec<(u32, &Instance)> = numbered()
            .filter(|((placed, _), _)| placed.is_solid())
            .map(|((_, instance), index)| (index, instance))
            .collect();

        let is_shaded = picture.look.style != Style::Silhouette;
        self.reset_maps(&scene, &MapSizes::of(&lights, LARGEST_MAP_PX), is_shaded);
        if is_shaded {
            self.cast_shadows(&scene, &solid);
        }
        self.light_ground(&scene, is_shaded);

        let wires = is_shaded && wireframe > 0.0;
        let mut layers: Vec<Layer> = Vec::new();
        for ((placed, instance), index) in numbered() {
            if !placed.is_solid() && placed.opacity > 0.0 {
                layers.push(Layer::of_models(&scene, size_px, &[(index, instance)], wires));
            }
        }
        layers.push(Layer::of_models(&scene, size_px, &solid, wires));
        if let Some(corners) = BoneCorners::of(picture, &unit, size_px[1]) {
            layers.push(Layer::of_bones(&scene, size_px, corners));
        }
        let light = Light::new(&scene, &self.key_map, &self.sky_height);
        let (ground, instances) = (&self.ground, &instances[..]);
        let lit = Lit { scene: &scene, light, ground, instances, under: None };
        let is_transparent = picture.look.background == Background::Transparent;
        Ok(draw_tiles(&lit, &layers, size_px, is_transparent))
    }

    fn paint_herd(
        &mut self,
        picture: &PictureOf<Mesh>,
        herd: &mut HerdOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        self.paint_parts(picture, herd, size_px)
    }
}

impl CpuPainter {
    /// Maps without anything in them.
    fn reset_maps(&mut self, scene: &SceneUniform, sizes: &MapSizes, is_shaded: bool) {
        let has_ground = has_ground(scene, is_shaded);
        let size = |wanted: bool, size: [u32; 2]| if wanted { size } else { [1, 1] };
        self.key_map.reset(size(is_shaded, sizes.key), 1.0);
        self.sky_height.reset(size(is_shaded, sizes.sky), 1.0);
        self.ground.reset(size(has_ground, sizes.ground), Vec2::ONE);
    }

    fn cast_shadows(&mut self, scene: &SceneUniform, solid: &[(u32, &Instance)]) {
        shadow::draw_depth(&mut self.key_map, scene.key_from_unit, solid);
        shadow::draw_depth(&mut self.sky_height, scene.sky_from_unit, solid);
    }

    /// Once all models have cast their shadows: the light of the visible ground.
    fn light_ground(&mut self, scene: &SceneUniform, is_shaded: bool) {
        if is_shaded {
            prepare::sky_height(scene, &mut self.sky_height, &mut self.between_heights);
        }
        if has_ground(scene, is_shaded) {
            let light = Light::new(scene, &self.key_map, &self.sky_height);
            ground::ground_light(&light, &mut self.ground, &mut self.between_ground);
        }
    }
}

fn has_ground(scene: &SceneUniform, is_shaded: bool) -> bool {
    is_shaded && scene.ray_right[3] > 0.5
}

fn check_size([width, height]: [u32; 2]) -> Result<(), DrawError> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 || pixels > MOST_PIXELS || width.max(height) > 1 << 16 {
        return Err(DrawError::TooManyPixels { width, height, most: MOST_PIXELS >> 20 });
    }
    Ok(())
}

/// Bands of tiles are slices of the picture, so that no pixel is copied.
fn draw_tiles(
    lit: &Lit,
    layers: &[Layer],
    [width, height]: [u32; 2],
    is_transparent: bool,
) -> RgbaImage {
    let mut image = RgbaImage::new(width, height);
    let encoder = Encoder::new(is_transparent);
    let band_bytes = width as usize * 4 * SIDE;
    let draw = |canvas: &mut Box<Canvas>, place: TileArea| {
        let mut pixels = Vec::with_capacity(SIDE * SIDE * 4);
        canvas.draw(lit, layers, place, |color| pixels.extend(encoder.bytes(color)));
        pixels
    };
    image.par_chunks_mut(band_bytes).enumerate().for_each(|(row, band)| {
        let place = |column: u32| {
            let (left, top) = (column * SIDE as u32, (row * SIDE) as u32);
            TileArea { left, top, size_px: [width, height] }
        };
        let columns = width.div_ceil(SIDE as u32);
        let tiles: Vec<Vec<u8>> = (0..columns)
            .into_par_iter()
            .map_init(Canvas::new, |canvas, column| draw(canvas, place(column)))
            .collect();
        for (y, row) in band.chunks_exact_mut(width as usize * 4).enumerate() {
            for (part, tile) in row.chunks_mut(SIDE * 4).zip(&tiles) {
                part.copy_from_slice(&tile[y * part.len()..(y + 1) * part.len()]);
            }
        }
    });
    image
}
