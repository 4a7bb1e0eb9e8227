//! One tile of the picture: four samples per pixel, each with a depth, and the layers drawn on it.

use super::background::background;
use super::bones::Bone;
use super::layers::{Kind, Layer, Lit};
use super::pixels::linear;
use super::scene::{over, xyz};
use super::surface::Surface;
use super::triangles::Triangle;
use super::wire;
use glam::{Vec2, Vec3, Vec4};
use std::ops::Range;

/// The side of a tile, in pixels.
pub const SIDE: usize = 32;
const PIXELS: usize = SIDE * SIDE;

/// Where the samples of a pixel are, in 1/256 of a pixel, as GPUs have them.
const SAMPLES: [[i32; 2]; 4] = [[96, 32], [224, 96], [32, 160], [160, 224]];
/// The first sample in each direction, and the distance between samples.
pub const SAMPLE_GRID: [i32; 2] = [32, 64];

/// Stands for no triangle.
const NONE: u32 = u32::MAX;
/// Large triangles after which it is looked how far the farthest sample is.
const LOOK_AGAIN: usize = 8;

/// Memory of one thread, for one tile after the other.
pub struct Canvas {
    color: [[Vec4; PIXELS]; 4],
    depth: [[f32; PIXELS]; 4],
    /// Which triangle of the layer is seen.
    seen: [[u32; PIXELS]; 4],
    /// What the last blended triangle of a pixel looks like there, and which one that was.
    blended: [(u32, Vec4); PIXELS],
}

/// Which part of the picture a tile is.
#[derive(Clone, Copy)]
pub struct TileArea {
    pub left: u32,
    pub top: u32,
    pub size_px: [u32; 2],
}

impl TileArea {
    pub fn columns(&self) -> Range<u32> {
        self.left..(self.left + SIDE as u32).min(self.size_px[0])
    }

    pub fn rows(&self) -> Range<u32> {
        self.top..(self.top + SIDE as u32).min(self.size_px[1])
    }

    /// Pixels with their number in the tile.
    fn pixels(self) -> impl Iterator<Item = (usize, [u32; 2])> {
        self.rows().flat_map(move |y| {
            let first = (y - self.top) as usize * SIDE;
            (first..).zip(self.columns().map(move |x| [x, y]))
        })
    }

    /// Its column and row among the tiles.
    fn tile(&self) -> [u32; 2] {
        [self.left / SIDE as u32, self.top / SIDE as u32]
    }

    fn ndc(&self, [x, y]: [u32; 2]) -> Vec2 {
        let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        let part = at / Vec2::new(self.size_px[0] as f32, self.size_px[1] as f32);
        Vec2::new(part.x * 2.0 - 1.0, 1.0 - part.y * 2.0)
    }
}

impl Canvas {
    pub fn new() -> Box<Canvas> {
        Box::new(Canvas {
            color: [[Vec4::ZERO; PIXELS]; 4],
            depth: [[0.0; PIXELS]; 4],
            seen: [[NONE; PIXELS]; 4],
            blended: [(NONE, Vec4::ZERO); PIXELS],
        })
    }

    /// All layers of one tile; its colours, linear and premultiplied, row by row.
    pub fn draw(
        &mut self,
        lit: &Lit,
        layers: &[Layer],
        place: TileArea,
        mut pixel: impl FnMut(Vec4),
    ) {
        for (i, at) in place.pixels() {
            let color = match lit.under {
                Some(image) => linear(image.get_pixel(at[0], at[1]).0),
                None => background(lit.scene, lit.ground, place.ndc(at), at),
            };
            self.color.iter_mut().for_each(|sample| sample[i] = color);
        }
        for layer in layers {
            let [column, row] = place.tile();
            let small = layer.tiles.small(column, row);
            if small.is_empty() && layer.tiles.large(column, row).next().is_none() {
                continue;
            }
            self.see(lit, layer, small, place);
            self.shade(lit, layer, place);
            if layer.has_blended {
                self.blend(lit, layer, small, place);
            }
            if let Kind::Models { wires: true } = layer.kind {
                self.wire(lit, layer, small, place);
            }
        }
        for (i, _) in place.pixels() {
            pixel(self.color.iter().map(|sample| sample[i]).sum::<Vec4>() * 0.25);
        }
    }

    /// Finds the nearest triangle of every sample. Depth is reversed: nearer is greater.
    fn see(&mut self, lit: &Lit, layer: &Layer, small: &[u32], place: TileArea) {
        self.depth.iter_mut().for_each(|sample| sample.fill(0.0));
        self.seen.iter_mut().for_each(|sample| sample.fill(NONE));
        for &index in small {
            self.see_triangle(lit, &layer.triangles[index as usize], index, place);
        }
        let mut farthest = 0.0;
        let [column, row] = place.tile();
        for (i, index) in layer.tiles.large(column, row).enumerate() {
            if i % LOOK_AGAIN == 0 {
                let depths = self.depth.iter().flatten();
                farthest = depths.fold(f32::INFINITY, |least, &depth| least.min(depth));
            }
            let triangle = &layer.triangles[index as usize];
            if triangle.nearest() >= farthest {
                self.see_triangle(lit, triangle, index, place);
            }
        }
    }

    fn see_triangle(&mut self, lit: &Lit, triangle: &Triangle, index: u32, place: TileArea) {
        if triangle.kind.is_hidden {
            return;
        }
        let holes = triangle.kind.has_holes.then(|| Holes::of(lit, triangle));
        let is_there = |x: i32, y: i32| {
            holes.as_ref().is_none_or(|it| it.is_solid(rays(lit, place, [x as u32, y as u32])))
        };
        let rows = triangle.rows();
        let (low, high) = rows.depth_range;
        for ((sample, depth), seen) in SAMPLES.into_iter().zip(&mut self.depth).zip(&mut self.seen)
        {
            rows.each(sample, rectangle(place), |row| {
                let (first, step) = row.depths();
                let pixels = pixels_of(&row, place);
                let depths = depth[pixels.clone()].iter_mut().zip(&mut seen[pixels]);
                for (i, (depth, seen)) in depths.enumerate() {
                    let here = (first + step * i as f32).max(low).min(high);
                    // Of two triangles at the same depth, the later one is visible.
                    if here >= *depth && is_there(row.columns.start + i as i32, row.y) {
                        (*depth, *seen) = (here, index);
                    }
                }
            });
        }
    }

    /// Each triangle is shaded once per pixel it is seen in, however many samples that are.
    fn shade(&mut self, lit: &Lit, layer: &Layer, place: TileArea) {
        let mut kept: Option<(u32, Shaded)> = None;
        for (i, at) in place.pixels() {
            let mut seen = self.seen.each_ref().map(|sample| sample[i]);
            for sample in 0..4 {
                let index = seen[sample];
                if index == NONE {
                    continue;
                }
                let shaded = match &kept {
                    Some((kept, shaded)) if *kept == index => shaded,
                    _ => {
                        let new = Shaded::new(lit, layer, &layer.triangles[index as usize]);
                        &kept.insert((index, new)).1
                    }
                };
                let color = shaded.fragment(lit, rays(lit, place, at));
                let samples = seen[sample..].iter_mut().zip(&mut self.color[sample..]);
                for (seen, colors) in samples.filter(|(seen, _)| **seen == index) {
                    *seen = NONE;
                    colors[i] = over(color, colors[i]);
                }
            }
        }
    }

    /// What is blended, where it is not solid, over what is: first what is seen from behind, triangles in
    /// their order. It hides nothing.
    fn blend(&mut self, lit: &Lit, layer: &Layer, small: &[u32], place: TileArea) {
        let [column, row] = place.tile();
        let mut all: Vec<u32> = small.to_vec();
        all.extend(layer.tiles.large(column, row));
        // In the tile, large ones are last and by depth.
        all.retain(|index| {
            let kind = layer.triangles[*index as usize].kind;
            kind.is_blended && !kind.is_hidden
        });
        all.sort_unstable_by_key(|index| (!layer.triangles[*index as usize].kind.is_back, *index));
        self.blended.fill((NONE, Vec4::ZERO));
        for index in all {
            let triangle = &layer.triangles[index as usize];
            let instance = &lit.instances[triangle.model as usize];
            let surface = Surface::new(instance, triangle.index, xyz(lit.scene.eye));
            let rows = triangle.rows();
            let (low, high) = rows.depth_range;
            for ((sample, depth), color) in
                SAMPLES.into_iter().zip(&self.depth).zip(&mut self.color)
            {
                rows.each(sample, rectangle(place), |row| {
                    let (first, step) = row.depths();
                    let pixels = pixels_of(&row, place).zip(row.columns.clone());
                    for (i, (at, x)) in pixels.enumerate() {
                        let here = (first + step * i as f32).max(low).min(high);
                        if here < depth[at] {
                            continue;
                        }
                        // Shaded once per pixel, like what is solid.
                        if self.blended[at].0 != index {
                            let rays = rays(lit, place, [x as u32, row.y as u32]);
                            let fragment = surface.blended_fragment(lit.scene, &lit.light, rays);
                            self.blended[at] = (index, fragment);
                        }
                        color[at] = over(self.blended[at].1, color[at]);
                    }
                });
            }
        }
    }

    fn wire(&mut self, lit: &Lit, layer: &Layer, small: &[u32], place: TileArea) {
        let [column, row] = place.tile();
        for index in small.iter().copied().chain(layer.tiles.large(column, row)) {
            let triangle = &layer.triangles[index as usize];
            let instance = &lit.instances[triangle.model as usize];
            let surface = Surface::new(instance, triangle.index, xyz(lit.scene.eye));
            let rows = triangle.rows();
            let opacity = instance.uniform.options[1];
            let (low, high) = rows.depth_range;
            for ((sample, depth), color) in
                SAMPLES.into_iter().zip(&self.depth).zip(&mut self.color)
            {
                rows.each(sample, rectangle(place), |row| {
                    let (first, step) = row.depths();
                    for (i, x) in row.columns.clone().enumerate() {
                        let at = (row.y as u32 - place.top) as usize * SIDE
                            + (x as u32 - place.left) as usize;
                        let here = (first + step * i as f32).max(low).min(high) * wire::LIFT;
                        if here < depth[at] {
                            continue;
                        }
                        let rays = rays(lit, place, [x as u32, row.y as u32]);
                        let line = wire::fragment(lit.scene, &surface.facet, rays, opacity);
                        color[at] = over(line, color[at]);
                    }
                });
            }
        }
    }
}

/// A triangle with what its fragments are made of.
enum Shaded<'a> {
    Surface(Surface<'a>),
    Bone(Bone),
}

/// A triangle that is not solid everywhere.
struct Holes<'a> {
    surface: Surface<'a>,
    least_alpha: f32,
}

impl<'a> Holes<'a> {
    fn of(lit: &Lit<'a>, triangle: &Triangle) -> Holes<'a> {
        let instance = &lit.instances[triangle.model as usize];
        let lining = instance.lining(triangle.index);
        let least_alpha = lining.and_then(|lining| lining.material.least_solid_alpha());
        let surface = Surface::new(instance, triangle.index, xyz(lit.scene.eye));
        Holes { surface, least_alpha: least_alpha.unwrap_or(0.0) }
    }

    fn is_solid(&self, rays: [Vec3; 3]) -> bool {
        self.surface.is_solid(self.least_alpha, rays)
    }
}

impl<'a> Shaded<'a> {
    fn new(lit: &Lit<'a>, layer: &Layer, triangle: &Triangle) -> Shaded<'a> {
        let eye = xyz(lit.scene.eye);
        match &layer.kind {
            Kind::Models { .. } => {
                let instance = &lit.instances[triangle.model as usize];
                Shaded::Surface(Surface::new(instance, triangle.index, eye))
            }
            Kind::Bones(corners) => Shaded::Bone(Bone::new(corners, triangle.index, eye)),
        }
    }

    fn fragment(&self, lit: &Lit, rays: [Vec3; 3]) -> Vec4 {
        match self {
            Shaded::Surface(surface) => surface.fragment(lit.scene, &lit.light, rays),
            Shaded::Bone(bone) => bone.fragment(lit.scene, rays[0]),
        }
    }
}

/// The ray of the camera through a point of the picture.
fn ray(lit: &Lit, ndc: Vec2) -> Vec3 {
    let scene = lit.scene;
    xyz(scene.ray_right) * ndc.x + xyz(scene.ray_up) * ndc.y + xyz(scene.ray_forward)
}

/// Through the middle of a pixel, of the one to its right and of the one above.
fn rays(lit: &Lit, place: TileArea, pixel: [u32; 2]) -> [Vec3; 3] {
    let ndc = place.ndc(pixel);
    let step = Vec2::new(2.0 / place.size_px[0] as f32, 2.0 / place.size_px[1] as f32);
    [ndc, ndc + step * Vec2::X, ndc + step * Vec2::Y].map(|ndc| ray(lit, ndc))
}

fn rectangle(place: TileArea) -> [Range<i32>; 2] {
    [place.columns(), place.rows()].map(|range| range.start as i32..range.end as i32)
}

/// Where the pixels of a row are in the tile.
fn pixels_of(row: &super::triangles::PixelRow, place: TileArea) -> Range<usize> {
    let first = (row.y as u32 - place.top) as usize * SIDE;
    let column = |x: i32| first + (x as u32 - place.left) as usize;
    column(row.columns.start)..column(row.columns.end)
}
