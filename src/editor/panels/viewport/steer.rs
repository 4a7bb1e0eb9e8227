//! Orbit, pan, zoom, and what is framed.

use super::Screen;
use crate::State;
use egui::{PointerButton, Response};
use glam::Mat4;
use jounce_draw::{Bounds, Camera, Stage, View};
use jounce_session::{HERD_FOV_DEG, HERD_VIEW_DEG, NamedView, VertexPath, turned_with};

/// What the camera shall see with the next picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraTarget {
    All,
    /// The selected bones, or everything if none are selected.
    Selected,
}

/// Samples of a motion that say how much room it needs.
const SAMPLES: usize = 16;

/// The room that the motion takes, for one of them.
pub fn stage(state: &mut State) -> Stage {
    if let Some(stage) = state.viewport.stage {
        return stage;
    }
    let show = &state.show;
    let mut bounds = Bounds::of(&show.character().rest().positions);
    for sample in 0..SAMPLES {
        let time_secs = show.duration_secs() * sample as f64 / SAMPLES as f64;
        let skinned = show.character().skin(&show.pose(time_secs), show.base());
        bounds = bounds.union(Bounds::of(&skinned.positions));
    }
    let stage = Stage { subject_size: show.character().size() as f32, ..Stage::around(bounds) };
    *state.viewport.stage.insert(stage)
}

/// The room of all that are shown.
pub fn whole_stage(state: &mut State) -> Stage {
    let stage = stage(state);
    let places = state.viewport.crowd.places(&stage);
    let moved = |place: &Mat4| stage.bounds.transformed(*place);
    let bounds = places.iter().map(moved).fold(stage.bounds, Bounds::union);
    Stage { bounds, ..stage }
}

pub fn camera(state: &mut State, aspect: f32) -> Camera {
    let stage = whole_stage(state);
    let view = state.viewport.view;
    match state.viewport.wants_frame.take() {
        Some(CameraTarget::Selected) if !state.selection.bones.is_empty() => {
            let view = state.viewport.camera.map_or(view, |camera| camera.view);
            let bounds = bounds_of_selected(state);
            state.viewport.camera = Some(Camera::framing(bounds, aspect, view));
        }
        Some(_) => {
            state.viewport.view = state.viewport.camera.map_or(view, |camera| camera.view);
            state.viewport.camera = None;
        }
        None => {}
    }
    let view = state.viewport.view;
    match state.viewport.camera {
        Some(camera) => camera,
        None if state.viewport.crowd.is_herd() => camera_of_herd(state, aspect),
        None => {
            let path = state.viewport.path.path().into_iter().flat_map(VertexPath::points);
            let bounds = path.fold(stage.bounds, |mut bounds, point| {
                bounds.add(point);
                bounds
            });
            Camera::framing(bounds, aspect, view)
        }
    }
}

/// As pictures of herds are taken, unless the user looks from another side.
fn camera_of_herd(state: &mut State, aspect: f32) -> Camera {
    let [yaw_deg, pitch_deg] = HERD_VIEW_DEG;
    let facing = state.show.character().facing();
    let view = match state.viewport.view {
        view if view == NamedView::ThreeQuarters.of(facing) => {
            turned_with(facing, View::from_degrees(yaw_deg, pitch_deg))
        }
        view => view,
    };
    let stage = stage(state);
    let corners = stage.bounds.corners();
    let places = state.viewport.crowd.places(&stage);
    let points =
        places.iter().flat_map(|place| corners.map(|corner| place.transform_point3(corner)));
    Camera::framing_points(points, aspect, view, HERD_FOV_DEG.to_radians(), 0.0)
}

/// Around what the selected bones move most of, where it is now.
fn bounds_of_selected(state: &State) -> Bounds {
    let character = state.show.character();
    let Some(pose) = &state.shown.pose else { return Bounds::EMPTY };
    let is_selected = |bone: usize| state.selection.bones.contains(&bone);
    let mut bounds = Bounds::EMPTY;
    let known = &state.shown.skinned.positions;
    let positions = match known.is_empty() {
        // The device has computed it, and keeps it.
        true => &character.skin(pose, state.show.base()).positions,
        false => known,
    };
    for (vertex, position) in positions.iter().enumerate() {
        let skin = character.skin.of(vertex).iter();
        let strongest = skin.max_by(|a, b| a.weight.total_cmp(&b.weight));
        if strongest.is_some_and(|it| is_selected(character.bindings[it.index as usize].bone)) {
            bounds.add(*position);
        }
    }
    for &bone in &state.selection.bones {
        bounds.add(character.bone_origin(pose, bone).as_vec3());
    }
    bounds
}

/// Looks from a side of the character, at what it looks at now.
pub fn look_from(state: &mut State, view: NamedView) {
    let view = view.of(state.show.character().facing());
    turn_to(state, view);
}

pub fn turn_to(state: &mut State, view: View) {
    state.viewport.view = view;
    if let Some(camera) = &mut state.viewport.camera {
        camera.view = view;
    }
}

/// Radians per point of the window.
const ORBIT_SPEED: f32 = 0.008;

/// Drags orbit, with the middle button or Shift they pan; the wheel zooms to the pointer.
pub fn steer(ui: &egui::Ui, state: &mut State, response: &Response) {
    let aspect = response.rect.aspect_ratio();
    let mut camera = camera(state, aspect);
    let before = camera;
    let delta = response.drag_delta();
    let has_shift = ui.input(|input| input.modifiers.shift);
    let is_free = state.viewport.drag.is_none();
    let is_left = response.dragged_by(PointerButton::Primary) && is_free;
    let is_panning = response.dragged_by(PointerButton::Middle) || (is_left && has_shift);
    // A drag takes hold of what is under the pointer first; see `tools`.
    let is_new = response.drag_started();
    if is_panning {
        let screen = Screen { rect: response.rect, camera };
        let axes = camera.view.axes();
        let units = screen.units_per_point(camera.target);
        camera.target += (axes.y_axis * delta.y - axes.x_axis * delta.x) * units;
    } else if !is_new && (is_left || response.dragged_by(PointerButton::Secondary)) {
        camera.view.yaw_rad -= delta.x * ORBIT_SPEED;
        let quarter = std::f32::consts::FRAC_PI_2;
        let pitch_rad = camera.view.pitch_rad + delta.y * ORBIT_SPEED;
        camera.view.pitch_rad = pitch_rad.clamp(-quarter, quarter);
    }
    if let Some(pointer) = response.hover_pos() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
        let factor = (-scroll * 0.003).exp() / if pinch > 0.0 { pinch } else { 1.0 };
        zoom(&mut camera, response.rect, pointer, factor);
    }
    if camera != before {
        state.viewport.camera = Some(camera);
    }
}

/// What is under the pointer stays under it.
fn zoom(camera: &mut Camera, rect: egui::Rect, pointer: egui::Pos2, factor: f32) {
    if factor == 1.0 || !factor.is_finite() {
        return;
    }
    let fixed = Screen { rect, camera: *camera }.on_plane(pointer, camera.target);
    let distance = camera.distance * factor;
    if distance.is_normal() && fixed.is_finite() {
        camera.target = fixed + (camera.target - fixed) * factor;
        camera.distance = distance;
    }
}
