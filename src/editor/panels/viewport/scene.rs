//! What is handed to the renderer.

use super::crowd::Members;
use super::kept_picture::Inputs;
use super::{Screen, Tool, steer};
use crate::{Device, State};
use glam::{Mat4, Vec3};
use jounce_draw::{
    Background, Bones, COMPARED_OPACITY, COMPARED_TINT, DrawError, Geometry, Look, PAINTED_UNLIT,
    Stage,
};
use jounce_gpu::Gpu;
use jounce_gpu::draw::{DeviceVertices, Herd, Model, Picture, Placed};
use jounce_rig::{Character, Skinned};
use jounce_session::{exaggerated, overlays};
use std::sync::Arc;

/// What the renderer was given last; lists are empty where the device has computed them itself.
#[derive(Default)]
pub struct Drawn {
    pub positions: Vec<Vec3>,
    /// Of the ghost, or of the left half.
    pub plain: Vec<Vec3>,
    /// Of a heat map, linear; empty for the character's own.
    pub colors: Vec<[f32; 4]>,
}

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
const WIREFRAME_OPACITY: f32 = 0.85;

impl Models {
    /// So many of a character; they are kept while it stays.
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
        state.viewport.drawn = drawn(state).lists;
        return Ok(None);
    };
    let to_draw = drawn(state);
    let inputs = Inputs::of(state, &to_draw, size_px, screen);
    if let Some(pictures) = state.viewport.kept_picture.find(&inputs) {
        state.viewport.drawn = Drawn { colors: state.viewport.heat.colors(), ..to_draw.lists };
        state.device = Some(device);
        return Ok(Some(pictures));
    }
    let painted = paint_drawn_on(&mut device, state, to_draw, size_px, screen);
    state.device = Some(device);
    match painted {
        Ok(pictures) => state.viewport.kept_picture.keep(inputs, pictures),
        Err(_) => state.viewport.kept_picture.forget(),
    }
    painted.map(Some)
}

pub fn paint_on<E: Easel>(
    easel: &mut E,
    state: &mut State,
    size_px: [u32; 2],
    screen: &Screen,
) -> Result<Pictures<E::Drawn>, DrawError> {
    let to_draw = drawn(state);
    paint_drawn_on(easel, state, to_draw, size_px, screen)
}

fn paint_drawn_on<E: Easel>(
    easel: &mut E,
    state: &mut State,
    drawn: ToDraw,
    size_px: [u32; 2],
    screen: &Screen,
) -> Result<Pictures<E::Drawn>, DrawError> {
    if state.viewport.crowd.is_on {
        return paint_crowd(easel, state, size_px, screen);
    }
    let stage = steer::whole_stage(state);
    let character = state.show.character().clone();
    let gpu = easel.gpu().clone();
    let view = &mut state.viewport;
    view.models.make(&gpu, &character, 2)?;
    let colors = view.heat.colors();
    let is_painted = colors.len() == character.vertex_count() && !colors.is_empty();
    if is_painted {
        view.models.models[MAIN].update_colors(&gpu, &colors)?;
    } else if view.models.is_painted {
        view.models.models[MAIN].update_colors(&gpu, &character.mesh.colors)?;
    }
    view.models.is_painted = is_painted;
    let unlit = if is_painted { PAINTED_UNLIT } else { 0.0 };
    let models = &view.models.models;
    let amount = view.compare.amount();
    let update = |model: &Model, lists: &Skinned, on_device: Option<DeviceVertices>| match on_device
    {
        Some(from) => model.update_on_device(&gpu, &from),
        None => model.update(&gpu, &lists.positions, &lists.normals),
    };
    let results = view.on_device.results.as_ref();
    let main = results.map(|it| if amount == 0.0 { it.plain(0) } else { it.vertices(0) });
    update(&models[MAIN], &drawn.main, main)?;
    if drawn.has_plain {
        let plain = results.map(|it| it.plain(0));
        update(&models[PLAIN], &state.shown.skinned, plain)?;
    }
    let joints = match &state.shown.pose {
        Some(pose) if view.has_skeleton => overlays::joints(&character, pose),
        _ => Vec::new(),
    };
    let bones = (joints, overlays::joint_parents(&character));
    let scene = Scene { stage, screen, has_wireframe: view.has_wireframe, bones: &bones };
    let skeleton = view.has_skeleton;
    let mut placed: Vec<Placed> = Vec::new();
    if drawn.has_ghost {
        let (tint, opacity) = (COMPARED_TINT, COMPARED_OPACITY);
        placed.push(Placed { tint, opacity, ..Placed::at_origin(&models[PLAIN]) });
    }
    placed.push(Placed { unlit, ..Placed::at_origin(&models[MAIN]) });
    let main = scene.draw(easel, MAIN, size_px, &placed, skeleton)?;
    let plain = match view.compare.split.is_some() {
        true => {
            let placed = [Placed::at_origin(&models[PLAIN])];
            Some(scene.draw(easel, PLAIN, size_px, &placed, skeleton)?)
        }
        false => None,
    };
    view.drawn = Drawn { colors, ..drawn.lists };
    Ok(Pictures { main, plain })
}

/// Many of it: computed and drawn by the device, nothing comes back.
fn paint_crowd<E: Easel>(
    easel: &mut E,
    state: &mut State,
    size_px: [u32; 2],
    screen: &Screen,
) -> Result<Pictures<E::Drawn>, DrawError> {
    let (stage, of_one) = (steer::whole_stage(state), steer::stage(state));
    let gpu = easel.gpu().clone();
    let view = &mut state.viewport;
    let character = state.show.character().clone();
    view.models.make(&gpu, &character, 1)?;
    if std::mem::take(&mut view.models.is_painted) {
        view.models.models[MAIN].update_colors(&gpu, &character.mesh.colors)?;
    }
    let places = view.crowd.places(&of_one);
    let (layout, amount) = (view.crowd.shown(), view.compare.amount());
    let time_secs = state.playhead.time_secs;
    let mut members =
        Members::new(&mut state.show, &mut view.herd, &gpu, layout, time_secs, amount)?;
    let bones = (Vec::new(), Vec::new());
    let scene = Scene { stage, screen, has_wireframe: view.has_wireframe, bones: &bones };
    let mut herd =
        Herd { model: &view.models.models[MAIN], scene_from_member: &places, source: &mut members };
    let main = easel.draw_herd(MAIN, size_px, &scene.picture(&[], &[]), &mut herd)?;
    view.drawn = Drawn::default();
    Ok(Pictures { main, plain: None })
}

/// All that pictures of one moment share.
struct Scene<'a> {
    stage: Stage,
    screen: &'a Screen,
    has_wireframe: bool,
    bones: &'a (Vec<Vec3>, Vec<Option<usize>>),
}

impl Scene<'_> {
    fn draw<E: Easel>(
        &self,
        easel: &mut E,
        number: usize,
        size_px: [u32; 2],
        models: &[Placed],
        has_skeleton: bool,
    ) -> Result<E::Drawn, DrawError> {
        let (joints, parents) = self.bones;
        let bones = [Bones { joints, parents, scene_from_model: Mat4::IDENTITY }];
        let skeletons: &[Bones] = if has_skeleton { &bones } else { &[] };
        easel.draw(number, size_px, &self.picture(models, skeletons))
    }

    fn picture<'p>(&self, models: &'p [Placed], skeletons: &'p [Bones]) -> Picture<'p> {
        let wireframe = if self.has_wireframe { WIREFRAME_OPACITY } else { 0.0 };
        let look = Look { background: Background::Studio, wireframe, ..Look::default() };
        Picture { camera: self.screen.camera, stage: self.stage, look, models, skeletons }
    }
}

/// Lists for the renderer.
pub struct ToDraw {
    pub main: Skinned,
    pub has_ghost: bool,
    pub has_plain: bool,
    lists: Drawn,
}

fn drawn(state: &State) -> ToDraw {
    let view = &state.viewport;
    let amount = view.compare.amount();
    let turner = state.show.normals();
    let scaled = |plain: &Skinned, deformed: &[Vec3]| exaggerated(plain, deformed, amount, turner);
    let shown = &state.shown;
    let main = match amount == 1.0 {
        true => shown.deformed.clone(),
        false => scaled(&shown.skinned, &shown.deformed.positions),
    };
    let is_alone = !view.crowd.is_on;
    let has_velocities = view.tool == Tool::Velocity && !view.velocities.is_empty();
    let has_ghost = is_alone && (view.compare.has_ghost || has_velocities);
    let has_plain = has_ghost || (is_alone && view.compare.split.is_some());
    let lists = Drawn {
        positions: main.positions.clone(),
        plain: if has_plain { shown.skinned.positions.clone() } else { Vec::new() },
        colors: Vec::new(),
    };
    ToDraw { main, has_ghost, has_plain, lists }
}
