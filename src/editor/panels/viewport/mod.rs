//! The character, as the document makes it move: looked at, compared, and taken hold of.
//!
//! | file | what it holds |
//! |---|---|
//! | `actions`, `toolbar` | what can be done, as a table and as a row of menus |
//! | `screen`, `steer` | from pixels to the scene and back; orbit, pan, zoom, frame |
//! | `evaluate` | which character is shown now: the clip's, a dragged one, one with made-up velocities |
//! | `subject`, `scene`, `on_device` | what a picture is made of, and how it is handed to the renderer |
//! | `materials` | what the character is made of, read in the background |
//! | `kept_picture` | when it need not be handed over again |
//! | `overlay` | axes, centroids, arrows and trajectories, drawn over the picture |
//! | `photograph` | the same picture as an image, drawn in the background |
//! | `compare` | ghost, split, flip, exaggeration, A and B |
//! | `path` | the path of a vertex over the motion |
//! | `gizmo` | the scene's axes, to look along |
//! | `heat` | numbers of a port, a map or weights as colours |
//! | `tools`, `pick` | what a click selects and a drag takes hold of |
//! | `paint/` | painting of maps |
//! | `vertex_box` | what moves the selected vertex |
//! | `fit_notice` | what fitting did, with a way back |
//! | `crowd` | many of the character, computed where they are drawn |
//!
//! Nothing here is in the document but what is painted and what a drag of a centroid sets, by commands.

mod actions;
mod compare;
mod crowd;
mod evaluate;
mod fit_notice;
mod gizmo;
pub mod heat;
mod kept_picture;
mod materials;
mod on_device;
mod overlay;
pub mod paint;
mod path;
pub mod photograph;
mod pick;
mod scene;
mod screen;
mod steer;
mod subject;
mod toolbar;
mod tools;
mod vertex_box;

pub use actions::{ACTIONS, SIDES};
pub use compare::Compare;
pub use crowd::{CrowdView, HerdView};
pub use evaluate::{Velocities, evaluate, take_over};
pub use fit_notice::FitNotice;
pub use materials::MaterialsView;
pub use on_device::LARGE_VERTEX_COUNT;
pub use path::PathView;
pub use screen::Screen;
pub use steer::{camera, stage};
pub use subject::Drawn;
pub use tools::Tool;

use crate::{State, theme};
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, pos2};
use jounce_draw::{Camera, Stage, View};
use jounce_session::{Hand, Severity};

/// How the character is looked at.
#[derive(Default)]
pub struct ViewportView {
    /// None: where all of it is seen.
    pub camera: Option<Camera>,
    /// From which side, while all of it is seen.
    pub view: View,
    pub has_wireframe: bool,
    pub has_skeleton: bool,
    pub has_axes: bool,
    pub has_centroids: bool,
    pub materials: MaterialsView,
    pub tool: Tool,
    pub compare: Compare,
    pub crowd: CrowdView,
    pub heat: heat::HeatView,
    pub paint: paint::PaintView,
    pub path: PathView,
    pub velocities: Velocities,
    /// A bone that is dragged, or on its way back.
    pub hand: Option<Hand>,
    pub report: vertex_box::ReportView,
    /// What the renderer was given last.
    pub drawn: Drawn,
    /// Where the picture is; None until it was shown.
    pub screen: Option<Screen>,
    wants_frame: Option<steer::CameraTarget>,
    /// Why the last picture could not be drawn.
    complaint: Option<String>,
    drag: Option<tools::Drag>,
    stage: Option<Stage>,
    models: scene::Models,
    kept_picture: kept_picture::KeptPicture,
    /// What is kept of a crowd.
    pub herd: crowd::HerdView,
    on_device: on_device::OnDeviceView,
}

impl ViewportView {
    /// What is seen now, for a picture that is drawn elsewhere: nothing that goes on.
    pub fn look(&self) -> ViewportView {
        let heat = self.heat.look();
        let (compare, crowd) = (self.compare.clone(), self.crowd.clone());
        ViewportView {
            camera: self.camera,
            view: self.view,
            has_wireframe: self.has_wireframe,
            has_skeleton: self.has_skeleton,
            has_axes: self.has_axes,
            has_centroids: self.has_centroids,
            materials: self.materials.clone(),
            tool: self.tool,
            compare,
            crowd,
            heat,
            path: self.path.look(),
            velocities: self.velocities.look(),
            ..ViewportView::default()
        }
    }

    /// How many pictures of the character were drawn since the window was opened.
    pub fn pictures_drawn(&self) -> u64 {
        self.kept_picture.drawn_count
    }

    /// The motion has changed.
    pub fn forget_stage(&mut self) {
        self.stage = None;
    }

    /// Something goes on even while the motion stands still.
    pub fn is_busy(&self) -> bool {
        self.hand.is_some()
    }
}

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    materials::follow(state, ui.ctx());
    toolbar::show(ui, state);
    let size = ui.available_size();
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "Viewport"));
    let scale = ui.ctx().pixels_per_point();
    let size_px = [size.x, size.y].map(|side| (side * scale).round().clamp(16.0, 8192.0) as u32);
    steer::steer(ui, state, &response);
    compare::hold_key(ui, state);
    heat::tab_key(ui, state, &response);
    let screen = Screen { rect, camera: steer::camera(state, rect.aspect_ratio()) };
    state.viewport.screen = Some(screen);
    tools::interact(ui, state, &response, &screen);
    let mut complaint = None;
    match scene::paint(state, size_px, &screen) {
        Ok(Some(picture)) => show_picture(ui, state, rect, &picture),
        Ok(None) => {
            let text = "There is no graphics device to draw with.";
            let font = FontId::proportional(14.0);
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, font, theme::FAINT);
        }
        Err(error) => complaint = Some(error.to_string()),
    }
    if let Some(text) = complaint.as_ref().filter(|_| state.viewport.complaint != complaint) {
        // Once, not in every frame.
        state.session.say(Severity::Error, text);
    }
    state.viewport.complaint = complaint;
    overlay::paint(ui, state, &screen);
    paint::paint_cursor(ui, state, &screen);
    path::paint_key(&ui.painter_at(rect), state, rect);
    gizmo::show(ui, state, rect, &screen.camera);
    heat::paint_legend(ui, state, rect);
    compare::split_line(ui, state, rect);
    compare::plain_badge(ui, state, rect);
    vertex_box::show(ui, state, rect);
    hint(ui, state, rect);
    fit_notice::show(ui, state, rect);
    response.context_menu(|ui| toolbar::context_menu(ui, state));
}

fn show_picture(
    ui: &egui::Ui,
    state: &State,
    rect: Rect,
    picture: &scene::Pictures<egui::TextureId>,
) {
    let painter = ui.painter_at(rect);
    let piece = |texture, from: f32, to: f32| {
        let uv = Rect::from_min_max(pos2(from, 0.0), pos2(to, 1.0));
        let x = |part: f32| rect.left() + part * rect.width();
        let place = Rect::from_x_y_ranges(x(from)..=x(to), rect.y_range());
        painter.image(texture, place, uv, Color32::WHITE);
    };
    match (picture.plain, state.viewport.compare.split) {
        (Some(plain), Some(split)) => {
            piece(plain, 0.0, split);
            piece(picture.main, split, 1.0);
        }
        _ => piece(picture.main, 0.0, 1.0),
    }
}

/// What a drag does now, in the lower left corner.
fn hint(ui: &egui::Ui, state: &State, rect: Rect) {
    let crowd = &state.viewport.crowd;
    let adapter = state.device.as_ref().map_or("", |device| &device.gpu.adapter);
    let not_all = crowd.hint(adapter);
    let text = match &not_all {
        Some(text) => text,
        None if crowd.is_on && state.viewport.heat.is_on() => {
            "The heat map is not shown on a crowd. Turn off Crowd to see it again"
        }
        None if state.viewport.path.is_on && state.viewport.path.path().is_none() => {
            "Select a vertex or a bone to see its path"
        }
        None => state.viewport.tool.hint(),
    };
    let place: Pos2 = rect.left_bottom() + egui::vec2(10.0, -8.0);
    let font = FontId::proportional(11.0);
    ui.painter_at(rect).text(place, Align2::LEFT_BOTTOM, text, font, theme::ON_PICTURE);
}
