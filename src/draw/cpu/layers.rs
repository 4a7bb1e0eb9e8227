//! What is drawn over what, as in the passes of the GPU: ghosts, each with its own depth, then all that
//! is solid, then bones.

use super::canvas::{SAMPLE_GRID, SIDE};
use super::instance::{Instance, triangles};
use super::light::Light;
use super::map::Map;
use super::scene::xyz;
use super::tiles::Tiles;
use super::triangles::{Corners, Grid, Triangle};
use crate::bones::BoneCorners;
use crate::uniforms::SceneUniform;
use glam::Vec2;
use image::RgbaImage;

/// What fragments read.
pub struct Lit<'a> {
    pub scene: &'a SceneUniform,
    pub light: Light<'a>,
    pub ground: &'a Map<Vec2>,
    pub instances: &'a [Instance<'a>],
    /// A picture that is drawn over, in place of the background.
    pub under: Option<&'a RgbaImage>,
}

pub enum Kind {
    Models { wires: bool },
    Bones(BoneCorners),
}

pub struct Layer {
    pub kind: Kind,
    pub triangles: Vec<Triangle>,
    pub tiles: Tiles,
    pub has_blended: bool,
}

impl Layer {
    pub fn of_models(
        scene: &SceneUniform,
        size_px: [u32; 2],
        models: &[(u32, &Instance)],
        wires: bool,
    ) -> Layer {
        let eye = Some(xyz(scene.eye));
        let triangles = triangles(models, &grid(size_px), &scene.clip_from_unit, eye);
        Layer::new(Kind::Models { wires }, triangles, size_px)
    }

    pub fn of_bones(scene: &SceneUniform, size_px: [u32; 2], corners: BoneCorners) -> Layer {
        let mut triangles = Vec::new();
        for (corners, index) in corners.positions.chunks_exact(3).zip(0..) {
            let clip = [0, 1, 2].map(|corner| scene.clip_from_unit * corners[corner].extend(1.0));
            grid(size_px)
                .add(&Corners { clip, model: 0, index, kind: Default::default() }, &mut triangles);
        }
        Layer::new(Kind::Bones(corners), triangles, size_px)
    }

    fn new(kind: Kind, triangles: Vec<Triangle>, size_px: [u32; 2]) -> Layer {
        let tiles = Tiles::new(&triangles, size_px, [SIDE as u32; 2]);
        let has_blended = triangles.iter().any(|triangle| triangle.kind.is_blended);
        Layer { kind, triangles, tiles, has_blended }
    }
}

fn grid(size_px: [u32; 2]) -> Grid {
    let [first, apart] = SAMPLE_GRID;
    Grid { size_px, first, apart }
}
