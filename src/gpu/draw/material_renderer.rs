//! What the passes of a picture do with models that have materials: run by run of one material, in the order
//! of the triangles.

use super::materials::{DeviceMaterials, Run};
use super::renderer::solid;
use super::{HasMaterials, MaterialPipelines, Picture, Placed, Renderer};
use jounce_draw::DrawError;
use std::sync::Arc;
use wgpu::{RenderPass, RenderPipeline};

impl Renderer {
    /// Pipelines that were made on another thread, for views of this renderer's format, because that may take
    /// longer than a window can wait.
    pub fn adopt(&mut self, pipelines: Arc<MaterialPipelines>) {
        self.material_pipelines = Some(pipelines);
    }

    pub(super) fn prepare_materials(&mut self, picture: &Picture) -> Result<(), DrawError> {
        let has_materials = picture.models.iter().any(|placed| placed.materials().is_some());
        if has_materials && self.material_pipelines.is_none() {
            self.material_pipelines = Some(MaterialPipelines::new(&self.gpu, self.format)?);
        }
        Ok(())
    }

    /// Shadows of what has holes.
    pub(super) fn draw_sieves(&self, pass: &mut RenderPass, picture: &Picture, is_key: bool) {
        let Some(pipelines) = &self.material_pipelines else { return };
        pass.set_pipeline(if is_key { &pipelines.key_shadow } else { &pipelines.sky_shadow });
        for (index, placed) in solid(picture) {
            let Some(materials) = placed.materials() else { continue };
            self.bind_material_model(pass, index, placed, materials);
            for run in materials.runs.iter().filter(|run| run.has_holes) {
                pass.set_bind_group(3, materials.group(run.material), &[]);
                draw_run(pass, placed, run);
            }
        }
    }

    pub(super) fn draw_material_depth(&self, pass: &mut RenderPass, picture: &Picture) {
        self.draw_materials(pass, picture, |_| true, MaterialPipelines::depth);
    }

    /// What is solid, then what is blended. That hides nothing; of what has two sides the far one comes first.
    pub(super) fn draw_material_surfaces(&self, pass: &mut RenderPass, picture: &Picture) {
        self.draw_materials(pass, picture, |_| true, MaterialPipelines::solid);
        let backs = |run: &Run| run.is_blended && run.is_double_sided;
        self.draw_materials(pass, picture, backs, |p, _| &p.blended_backs);
        self.draw_materials(pass, picture, |run| run.is_blended, |p, _| &p.blended_fronts);
    }

    /// Those parts of all solid models that have materials.
    fn draw_materials<'p>(
        &'p self,
        pass: &mut RenderPass,
        picture: &Picture,
        is_drawn: impl Fn(&Run) -> bool,
        pipeline: impl Fn(&'p MaterialPipelines, &Run) -> &'p RenderPipeline,
    ) {
        let Some(pipelines) = &self.material_pipelines else { return };
        for (index, placed) in solid(picture) {
            let Some(materials) = placed.materials() else { continue };
            self.bind_material_model(pass, index, placed, materials);
            pass.set_bind_group(2, &self.lit().light, &[]);
            for run in materials.runs.iter().filter(|run| is_drawn(run)) {
                pass.set_pipeline(pipeline(pipelines, run));
                pass.set_bind_group(3, materials.group(run.material), &[]);
                draw_run(pass, placed, run);
            }
        }
    }

    fn bind_material_model(
        &self,
        pass: &mut RenderPass,
        index: usize,
        placed: &Placed,
        materials: &DeviceMaterials,
    ) {
        self.set_instance(pass, index);
        pass.set_vertex_buffer(0, placed.model.positions.slice(..));
        pass.set_vertex_buffer(1, placed.model.normals.slice(..));
        pass.set_vertex_buffer(2, placed.model.colors.slice(..));
        pass.set_vertex_buffer(3, materials.uvs.slice(..));
        pass.set_index_buffer(placed.model.corners.slice(..), wgpu::IndexFormat::Uint32);
    }
}

pub(super) fn draw_run(pass: &mut RenderPass, placed: &Placed, run: &Run) {
    pass.set_index_buffer(placed.model.corners.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(run.corners.clone(), 0, 0..1);
}
