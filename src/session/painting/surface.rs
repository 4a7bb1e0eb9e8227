//! What painting needs of a character, made once: distances, neighbours, pieces, the other side.

use super::Symmetry;
use super::mirror::Mirroring;
use jounce_rig::Character;
use jounce_rig::geodesic::{SurfaceMeter, SurfacePoint};
use std::sync::{Arc, OnceLock};

pub struct PaintSurface {
    character: Arc<Character>,
    meter: SurfaceMeter,
    /// Per point the number of its connected piece.
    pieces: OnceLock<Vec<u32>>,
    across_x: OnceLock<Mirroring>,
    by_bones: OnceLock<Mirroring>,
}

impl PaintSurface {
    pub fn new(character: &Arc<Character>) -> PaintSurface {
        PaintSurface {
            character: character.clone(),
            meter: SurfaceMeter::new(character),
            pieces: OnceLock::new(),
            across_x: OnceLock::new(),
            by_bones: OnceLock::new(),
        }
    }

    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    pub fn meter(&self) -> &SurfaceMeter {
        &self.meter
    }

    /// None: nothing is painted on the other side.
    pub fn mirroring(&self, symmetry: Symmetry) -> Option<&Mirroring> {
        match symmetry {
            Symmetry::Off => None,
            Symmetry::AcrossX => Some(
                self.across_x.get_or_init(|| Mirroring::across_x(&self.character, &self.meter)),
            ),
            Symmetry::ByBones => Some(
                self.by_bones.get_or_init(|| Mirroring::by_bones(&self.character, &self.meter)),
            ),
        }
    }

    /// Per point the number of the connected piece that it is in.
    pub fn pieces(&self) -> &[u32] {
        self.pieces.get_or_init(|| self.character.surface().pieces())
    }

    /// The points of the connected piece that a place is on.
    pub fn piece_at(&self, at: SurfacePoint) -> Vec<u32> {
        if at.triangle >= self.character.mesh.triangles.len() {
            return Vec::new();
        }
        let pieces = self.pieces();
        let piece = pieces[self.meter.corners(at.triangle)[0] as usize];
        (0..self.meter.point_count() as u32).filter(|&it| pieces[it as usize] == piece).collect()
    }

    /// The mean of the numbers of a point's neighbours; its own where it has none.
    pub fn mean_around(&self, point: u32, values: &[f32]) -> f32 {
        let first = |point: u32| {
            let vertex = self.meter.vertices_of(point).first();
            vertex.map_or(0.0, |&vertex| values[vertex as usize])
        };
        let around = self.character.surface().neighbours_of(point as usize);
        match around.is_empty() {
            true => first(point),
            false => around.iter().map(|&it| first(it)).sum::<f32>() / around.len() as f32,
        }
    }
}
