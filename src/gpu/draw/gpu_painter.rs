//! Lists become models on the GPU, which are kept for the next picture.

use super::readback::{check_memory, check_resolution};
use super::{DeviceMaterials, DeviceVertices, IMAGE_FORMAT, Model, Picture, Placed, Renderer};
use crate::Gpu;
use glam::Vec3;
use image::RgbaImage;
use jounce_draw::{DrawError, Geometry, HerdOf, Mesh, Painter, PictureOf};
use std::sync::Arc;

#[derive(Debug)]
pub struct GpuPainter {
    renderer: Renderer,
    /// One per model in a picture.
    kept: Vec<KeptModel>,
    /// What all members of a herd share.
    herd: Option<KeptModel>,
    /// Those of the last picture: all its models share them.
    materials: Option<Arc<DeviceMaterials>>,
}

/// A model, and what of its lists seldom changes.
#[derive(Debug)]
struct KeptModel {
    model: Model,
    triangles: Vec<[u32; 3]>,
    colors: Vec<[f32; 4]>,
}

impl GpuPainter {
    pub fn new(gpu: &Gpu) -> Result<GpuPainter, DrawError> {
        let renderer = Renderer::new(gpu, IMAGE_FORMAT)?;
        Ok(GpuPainter { renderer, kept: Vec::new(), herd: None, materials: None })
    }

    pub fn gpu(&self) -> &Gpu {
        self.renderer.gpu()
    }

    /// Those of a mesh on the device, if it has any.
    fn materials_of(
        &mut self,
        geometry: &Geometry,
    ) -> Result<Option<Arc<DeviceMaterials>>, DrawError> {
        let Some(wanted) = geometry.materials else { return Ok(None) };
        let is_known = |known: &Arc<DeviceMaterials>| known.is_of(wanted);
        if !self.materials.as_ref().is_some_and(is_known) {
            self.materials = DeviceMaterials::new(self.renderer.gpu(), geometry)?;
        }
        Ok(self.materials.clone())
    }

    fn upload(&mut self, index: usize, mesh: &Mesh) -> Result<(), DrawError> {
        let geometry = &mesh.geometry;
        let materials = self.materials_of(geometry)?;
        let gpu = self.renderer.gpu();
        match self.kept.get_mut(index) {
            Some(kept) if kept.is_of(geometry) => {
                if mesh.on_device.is_none() {
                    kept.model.update(gpu, geometry.positions, geometry.normals)?;
                }
                if kept.colors != geometry.colors {
                    kept.model.update_colors(gpu, geometry.colors)?;
                    kept.colors = geometry.colors.to_vec();
                }
            }
            kept => {
                let new = KeptModel::new(gpu, geometry)?;
                match kept {
                    Some(kept) => *kept = new,
                    None => self.kept.push(new),
                }
            }
        }
        self.kept[index].model.set_materials(materials)?;
        match &mesh.on_device {
            Some(on_device) => {
                let vertices = DeviceVertices::of(on_device)?;
                self.kept[index].model.update_on_device(gpu, &vertices)
            }
            None => Ok(()),
        }
    }
}

impl KeptModel {
    fn new(gpu: &Gpu, geometry: &Geometry) -> Result<KeptModel, DrawError> {
        Ok(KeptModel {
            model: Model::new(gpu, geometry)?,
            triangles: geometry.triangles.to_vec(),
            colors: geometry.colors.to_vec(),
        })
    }

    fn is_of(&self, geometry: &Geometry) -> bool {
        self.model.vertex_count() == geometry.positions.len()
            && self.triangles == geometry.triangles
    }
}

impl Painter for GpuPainter {
    fn paint(
        &mut self,
        picture: &PictureOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        // Before models are uploaded for nothing.
        check_resolution(self.gpu(), size_px)?;
        check_memory(size_px)?;
        for (index, placed) in picture.models.iter().enumerate() {
            self.upload(index, placed.model)?;
        }
        let models: Vec<Placed> = (picture.models.iter().zip(&self.kept))
            .map(|(placed, kept)| Placed {
                model: &kept.model,
                scene_from_model: placed.scene_from_model,
                tint: placed.tint,
                opacity: placed.opacity,
                unlit: placed.unlit,
            })
            .collect();
        let picture = Picture {
            camera: picture.camera,
            stage: picture.stage,
            look: picture.look,
            models: &models,
            skeletons: picture.skeletons,
        };
        self.renderer.render_to_image(&picture, size_px)
    }

    fn paint_herd(
        &mut self,
        picture: &PictureOf<Mesh>,
        herd: &mut HerdOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        // Positions come from the source, part by part.
        let nowhere = vec![Vec3::ZERO; herd.source.vertex_count()];
        let geometry = Geometry { positions: &nowhere, normals: &[], ..herd.model.geometry };
        let is_known = |kept: &KeptModel| kept.is_of(&geometry) && kept.colors == geometry.colors;
        let materials = self.materials_of(&geometry)?;
        let mut kept = match self.herd.take().filter(is_known) {
            Some(kept) => kept,
            None => KeptModel::new(self.renderer.gpu(), &geometry)?,
        };
        kept.model.set_materials(materials)?;
        let picture = Picture {
            camera: picture.camera,
            stage: picture.stage,
            look: picture.look,
            models: &[],
            skeletons: &[],
        };
        let mut herd = HerdOf {
            model: &kept.model,
            scene_from_member: herd.scene_from_member,
            source: &mut *herd.source,
        };
        let painted = self.renderer.herd_to_image(&picture, &mut herd, size_px);
        self.herd = Some(kept);
        painted
    }
}
