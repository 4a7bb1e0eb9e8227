//! What is handed to the renderer, by the window and by whoever makes pictures of it.

use super::subject::{Drawn, Subject};
use super::{Screen, steer};
use crate::{Device, State};
use glam::Mat4;
use jounce_draw::{
    Background, Bones, COMPARED_OPACITY, COMPARED_TINT, Camera, DrawError, Geometry, Look,
    PAINTED_UNLIT, Stage, WIREFRAME_OPACITY,
};
use jounce_gpu::Gpu;
use jounce_gpu::draw::{DeviceVertices, Herd, Model, Picture, Placed};
use jounce_rig::{Character, Skinned};
use jounce_session::overlays;
use std::sync::Arc;

/// The meshes of one character on the device.
#[derive(Default)]
pub struct Models {
    character: Option<Arc<Character>>,
    /// The one that is deformed, and plain skinning. A crowd shares what the first has.
    models: Vec<Model>,
    /// The first has other colours than the character's.
    is_painted: bool,
}

/// What pictures are drawn into: textures of the window, or images.
pub trait Easel {
    type Drawn;

    fn gpu(&self) -> &Gpu;

    /// There may be several, by number: each stays as it is while another is drawn.
    fn draw(
        &mut self,
        number: usize,
        size_px: [u32; 2],
        picture: &Picture,
    ) -> Result<Self::Drawn, DrawError>;

    fn draw_herd(
        &mut self,
        number: usize,
        size_px: [u32; 2],
        picture: &Picture,
        herd: &mut Herd,
    ) -> Result<Self::Drawn, DrawError>;
}

impl Easel for Device {
    type Drawn = egui::TextureId;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn draw(
        &mut self,
        number: usize,
        size_px: [u32; 2],
        picture: &Picture,
    ) -> Result<egui::TextureId, DrawError> {
        Device::draw(self, number, size_px, picture)
    }

    fn draw_herd(
        &mut self,
        number: usize,
        size_px: [u32; 2],
        picture: &Picture,
        herd: &mut Herd,
    ) -> Result<egui::TextureId, DrawError> {
        Device::draw_herd(self, number, size_px, picture, herd)
    }
}

#[derive(Clone, Copy)]
pub struct Pictures<T> {
    pub main: T,
    /// Plain skinning alone, for the left of a split.
    pub plain: Option<T>,
}

const MAIN: usize = 0;
const PLAIN: usize = 1;

impl Models {
    /// This many copies of a character; they are kept while it stays.
    fn make(
        &mut self,
        gpu: &Gpu,
        character: &Arc<Character>,
        count: usize,
    ) -> Result<(), DrawError> {
        if self.character.as_ref().is_none_or(|known| !Arc::ptr_eq(known, character)) {
            *self = Models { character: Some(character.clone()), ..Models::default() };
        }
        while self.models.len() < count {
            let mesh = &character.mesh;
            self.models.push(Model::new(
                gpu,
                &Geometry {
                    positions: &character.rest().positions,
                    normals: &character.rest().normals,
                    colors: &mesh.colors,
                    triangles: &mesh.triangles,
                    materials: None,
                },
            )?);
        }
        Ok(())
    }
}

/// In the window. None where there is no device.
pub fn paint(
    state: &mut State,
    size_px: [u32; 2],
    screen: &Screen,
) -> Result<Option<Pictures<egui::TextureId>>, DrawError> {
    let Some(mut device) = state.device.take() else {
        Subject::of(state, screen.camera);
        return Ok(None);
    };
    let painted = paint_on(&mut device, state, size_px, screen.camera);
    state.device = Some(device);
    if painted.is_err() {
        state.viewport.kept_picture.forget();
    }
    painted.map(Some)
}

fn paint_on(
    device: &mut Device,
    state: &mut State,
    size_px: [u32; 2],
    camera: Camera,
) -> Result<Pictures<egui::TextureId>, DrawError> {
    if state.viewport.crowd.is_on {
        let main = draw_crowd(device, state, size_px, camera)?;
        let pictures = Pictures { main, plain: None };
        state.viewport.kept_picture.keep(None, pictures);
        return Ok(pictures);
    }
    let subject = Subject::of(state, camera);
    let view = &mut state.viewport;
    // Otherwise the next picture differs anyway, or is made of data that only the device has.
    let can_be_kept = !state.playhead.is_playing && !view.is_on_device();
    if can_be_kept && let Some(pictures) = view.kept_picture.find(&subject, size_px) {
        return Ok(pictures);
    }
    let amount = view.compare.amount();
    let results = view.on_device.results.as_ref();
    let on_device = results.map(|it| OnDevice {
        main: if amount == 0.0 { it.plain(0) } else { it.vertices(0) },
        plain: it.plain(0),
    });
    let pictures = draw(device, &mut view.models, &subject, on_device, size_px)?;
    view.kept_picture.keep(can_be_kept.then_some((subject, size_px)), pictures);
    Ok(pictures)
}

/// Vertices that only the device has, in place of a subject's lists.
pub struct OnDevice<'a> {
    main: DeviceVertices<'a>,
    plain: DeviceVertices<'a>,
}

/// One character, by whoever draws.
pub fn draw<E: Easel>(
    easel: &mut E,
    models: &mut Models,
    subject: &Subject,
    on_device: Option<OnDevice>,
    size_px: [u32; 2],
) -> Result<Pictures<E::Drawn>, DrawError> {
    let (character, gpu) = (&subject.character.0, easel.gpu().clone());
    models.make(&gpu, character, 2)?;
    let colors = &subject.colors;
    let is_painted = colors.len() == character.vertex_count() && !colors.is_empty();
    if is_painted {
        models.models[MAIN].update_colors(&gpu, colors)?;
    } else if models.is_painted {
        models.models[MAIN].update_colors(&gpu, &character.mesh.colors)?;
    }
    models.is_painted = is_painted;
    let materials = subject.materials.as_ref().map(|materials| materials.0.clone());
    // Colours that stand for numbers are seen without anything else.
    models.models[MAIN].set_materials(materials.clone().filter(|_| !is_painted))?;
    models.models[PLAIN].set_materials(materials)?;
    let unlit = if is_painted { PAINTED_UNLIT } else { 0.0 };
    let models = &models.models;
    let update = |model: &Model, lists: &Skinned, on_device: Option<DeviceVertices>| match on_device
    {
        Some(from) => model.update_on_device(&gpu, &from),
        None => model.update(&gpu, &lists.positions, &lists.normals),
    };
    update(&models[MAIN], &subject.main, on_device.as_ref().map(|it| it.main))?;
    if let Some(plain) = &subject.plain {
        update(&models[PLAIN], plain, on_device.as_ref().map(|it| it.plain))?;
    }
    let scene = Scene {
        stage: subject.stage,
        camera: subject.camera,
        has_wireframe: subject.has_wireframe,
    };
    let parents = overlays::joint_parents(character);
    let bones = |joints| Bones { joints, parents: &parents, scene_from_model: Mat4::IDENTITY };
    let skeletons: Vec<Bones> = subject.joints.as_deref().map(bones).into_iter().collect();
    let mut placed: Vec<Placed> = Vec::new();
    if subject.has_ghost {
        let (tint, opacity) = (COMPARED_TINT, COMPARED_OPACITY);
        placed.push(Placed { tint, opacity, ..Placed::at_origin(&models[PLAIN]) });
    }
    placed.push(Placed { unlit, ..Placed::at_origin(&models[MAIN]) });
    let main = easel.draw(MAIN, size_px, &scene.picture(&placed, &skeletons))?;
    let plain = match subject.is_split {
        true => {
            let placed = [Placed::at_origin(&models[PLAIN])];
            Some(easel.draw(PLAIN, size_px, &scene.picture(&placed, &skeletons))?)
        }
        false => None,
    };
    Ok(Pictures { main, plain })
}

/// Many of it: computed and drawn by the device, nothing comes back.
pub fn draw_crowd<E: Easel>(
    easel: &mut E,
    state: &mut State,
    size_px: [u32; 2],
    camera: Camera,
) -> Result<E::Drawn, DrawError> {
    let (stage, of_one) = (steer::whole_stage(state), steer::stage(state));
    let gpu = easel.gpu().clone();
    let view = &mut state.viewport;
    let character = state.show.character().clone();
    view.models.make(&gpu, &character, 1)?;
    if std::mem::take(&mut view.models.is_painted) {
        view.models.models[MAIN].update_colors(&gpu, &character.mesh.colors)?;
    }
    view.models.models[MAIN].set_materials(view.materials.shown(&character))?;
    let places = view.crowd.places(&of_one);
    let (layout, amount) = (view.crowd.shown(), view.compare.amount());
    let time_secs = state.playhead.time_secs;
    let offsets_secs = layout.offsets_secs(state.show.duration_secs());
    let mut members = view.herd.members(&state.show, &gpu, time_secs, &offsets_secs, amount)?;
    let scene = Scene { stage, camera, has_wireframe: view.has_wireframe };
    let mut herd = Herd {
        model: &view.models.models[MAIN],
        scene_from_member: &places,
        source: &mut *members,
    };
    let drawn = easel.draw_herd(MAIN, size_px, &scene.picture(&[], &[]), &mut herd)?;
    view.drawn = Drawn::default();
    Ok(drawn)
}

/// All that pictures of one moment share.
struct Scene {
    stage: Stage,
    camera: Camera,
    has_wireframe: bool,
}

impl Scene {
    fn picture<'p>(&self, models: &'p [Placed], skeletons: &'p [Bones]) -> Picture<'p> {
        let wireframe = if self.has_wireframe { WIREFRAME_OPACITY } else { 0.0 };
        let look = Look { background: Background::Studio, wireframe, ..Look::default() };
        Picture { camera: self.camera, stage: self.stage, look, models, skeletons }
    }
}
