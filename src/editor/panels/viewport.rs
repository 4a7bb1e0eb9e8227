//! The character, as the document makes it move.

use crate::draw::{
    Background, Bones, Bounds, Camera, DrawError, Geometry, Look, Model, Picture, Placed, Stage,
    View,
};
use crate::editor::{Action, Device, Menu, State};
use crate::session::Severity;
use egui::{Key, Modifiers, PointerButton, Sense};
use glam::{Mat4, Vec3};
use std::sync::Arc;

pub const ACTIONS: &[Action] = &[
    Action::new("Frame Character", Menu::View, "Shows all of the character.", |state, _| {
        state.viewport.camera = None;
    })
    .key(Modifiers::NONE, Key::F),
    Action::new("Wireframe", Menu::View, "Shows the edges of triangles.", |state, _| {
        state.viewport.has_wireframe ^= true;
    })
    .key(Modifiers::NONE, Key::W)
    .on_if(|state| state.viewport.has_wireframe),
    Action::new("Skeleton", Menu::View, "Shows the bones.", |state, _| {
        state.viewport.has_skeleton ^= true;
    })
    .key(Modifiers::NONE, Key::B)
    .on_if(|state| state.viewport.has_skeleton),
];

/// How the character is looked at.
#[derive(Default)]
pub struct ViewportView {
    /// None: where all of it is seen.
    pub camera: Option<Camera>,
    pub has_wireframe: bool,
    pub has_skeleton: bool,
    stage: Option<Stage>,
    model: Option<OnDevice>,
}

/// The mesh of a character on the device.
struct OnDevice {
    character: Arc<crate::rig::Character>,
    model: Model,
}

impl ViewportView {
    /// The motion is another one.
    pub fn forget_stage(&mut self) {
        self.stage = None;
    }
}

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let size = ui.available_size();
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "Viewport"));
    let scale = ui.ctx().pixels_per_point();
    let size_px = [size.x, size.y].map(|side| (side * scale).round().clamp(16.0, 8192.0) as u32);
    let aspect = size_px[0] as f32 / size_px[1] as f32;
    steer(ui, state, &response, aspect);
    match paint(state, size_px, aspect) {
        Ok(Some(texture)) => {
            let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter().image(texture, rect, whole, egui::Color32::WHITE);
        }
        Ok(None) => {
            ui.painter().text(
                rect.center(),
                egui::Align2::CENTER_CENTER,
                "No graphics device: nothing can be drawn.",
                egui::FontId::proportional(14.0),
                ui.visuals().weak_text_color(),
            );
        }
        Err(error) => state.session.say(Severity::Error, error.to_string()),
    }
}

fn stage_of(state: &State) -> Stage {
    const SAMPLES: usize = 16;
    let mut bounds = Bounds::of(&state.show.character().rest().positions);
    let base = state.show.base();
    for sample in 0..SAMPLES {
        let time_secs = state.show.duration_secs() * sample as f64 / SAMPLES as f64;
        let pose = state.show.pose(time_secs);
        bounds = bounds.union(Bounds::of(&state.show.character().skin(&pose, base).positions));
    }
    Stage { subject_size: state.show.character().size() as f32, ..Stage::around(bounds) }
}

pub fn camera(state: &mut State, aspect: f32) -> Camera {
    let stage = stage(state);
    let framed = || Camera::framing(stage.bounds, aspect, View::default());
    state.viewport.camera.unwrap_or_else(framed)
}

pub fn stage(state: &mut State) -> Stage {
    match state.viewport.stage {
        Some(stage) => stage,
        None => {
            let stage = stage_of(state);
            *state.viewport.stage.insert(stage)
        }
    }
}

/// Drags orbit, with the middle button or Shift they pan; the wheel zooms.
fn steer(ui: &egui::Ui, state: &mut State, response: &egui::Response, aspect: f32) {
    let mut camera = camera(state, aspect);
    let before = camera;
    let delta = response.drag_delta();
    let is_panning = response.dragged_by(PointerButton::Middle)
        || (response.dragged() && ui.input(|input| input.modifiers.shift));
    if is_panning {
        let height_px = response.rect.height().max(1.0) as u32;
        let units = camera.units_per_pixel(camera.target, height_px);
        let axes = camera.view.axes();
        camera.target += (axes.y_axis * delta.y - axes.x_axis * delta.x) * units;
    } else if response.dragged() {
        camera.view.yaw_rad -= delta.x * 0.008;
        let quarter = std::f32::consts::FRAC_PI_2;
        camera.view.pitch_rad = (camera.view.pitch_rad + delta.y * 0.008).clamp(-quarter, quarter);
    }
    if response.hovered() {
        let scroll = ui.input(|input| input.smooth_scroll_delta.y);
        camera.distance *= (-scroll * 0.003).exp();
    }
    if camera != before {
        state.viewport.camera = Some(camera);
    }
}

fn paint(
    state: &mut State,
    size_px: [u32; 2],
    aspect: f32,
) -> Result<Option<egui::TextureId>, DrawError> {
    let (stage, camera) = (stage(state), camera(state, aspect));
    let character = state.show.character().clone();
    let Some(device) = &mut state.device else { return Ok(None) };
    let view = &mut state.viewport;
    let known = view.model.take().filter(|it| Arc::ptr_eq(&it.character, &character));
    let on_device = match known {
        Some(known) => known,
        None => upload(device, character.clone())?,
    };
    let shown = &state.shown.deformed;
    on_device.model.update(&device.gpu, &shown.positions, &shown.normals)?;
    let skeleton = &character.skeleton;
    let joints: Vec<Vec3> = match &state.shown.pose {
        Some(pose) => (0..skeleton.bones.len())
            .map(|bone| character.bone_origin(pose, bone).as_vec3())
            .collect(),
        None => Vec::new(),
    };
    let parents: Vec<Option<usize>> = skeleton.bones.iter().map(|bone| bone.parent).collect();
    let bones = Bones { joints: &joints, parents: &parents, scene_from_model: Mat4::IDENTITY };
    let has_bones = view.has_skeleton && !joints.is_empty();
    let skeletons = if has_bones { std::slice::from_ref(&bones) } else { &[] };
    let look = Look {
        background: Background::Studio,
        wireframe: if view.has_wireframe { 0.35 } else { 0.0 },
        ..Look::default()
    };
    let models = [Placed::at_origin(&on_device.model)];
    let picture = Picture { camera, stage, look, models: &models, skeletons };
    let texture = device.draw(size_px, &picture)?;
    view.model = Some(on_device);
    Ok(Some(texture))
}

fn upload(device: &Device, character: Arc<crate::rig::Character>) -> Result<OnDevice, DrawError> {
    let mesh = &character.mesh;
    let model = Model::new(
        &device.gpu,
        &Geometry {
            positions: &character.rest().positions,
            normals: &character.rest().normals,
            colors: &mesh.colors,
            triangles: &mesh.triangles,
        },
    )?;
    Ok(OnDevice { character, model })
}
