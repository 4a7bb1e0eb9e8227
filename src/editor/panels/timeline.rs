//! Time: playing, scrubbing, which motion; below, what is keyed over it, and where they are unfolded, curves of the
//! selected bone.

mod curves;
mod keys;
mod scale;

pub use curves::{CurvesView, DrawnPlot, take_over};
pub use keys::{KeysView, height as height_of_keys};
pub use scale::TimeScale;

use super::inspector::track;
use crate::{Action, Menu, State, all_actions, files, theme};
use egui::{Align2, DragValue, FontId, Key, Modifiers, Rect, Response, Sense, Stroke, Ui};
use egui::{pos2, vec2};
use jounce_graph::document::{Command, MotionSettings};
use jounce_rig::motion::TestMotionKind;

pub const ACTIONS: &[Action] = &[
    Action::new("Play / Pause", Menu::Play, "Starts or stops the motion.", |state, _| {
        let duration_secs = state.show.duration_secs();
        state.playhead.toggle(duration_secs);
    })
    .key(Modifiers::NONE, Key::Space),
    Action::new("Next Frame", Menu::Play, "Goes one frame forward and stops.", |state, _| {
        step(state, 1);
    })
    .key(Modifiers::NONE, Key::ArrowRight)
    .repeating(),
    Action::new("Previous Frame", Menu::Play, "Goes one frame back and stops.", |state, _| {
        step(state, -1);
    })
    .key(Modifiers::NONE, Key::ArrowLeft)
    .repeating(),
    Action::new("First Frame", Menu::Play, "Goes to the first frame.", |state, _| {
        state.playhead.time_secs = state.playhead.range(state.show.duration_secs()).0;
    })
    .key(Modifiers::NONE, Key::Home),
    Action::new("Last Frame", Menu::Play, "Goes to the last frame.", |state, _| {
        state.playhead.time_secs = state.playhead.range(state.show.duration_secs()).1;
    })
    .key(Modifiers::NONE, Key::End),
    Action::new("Loop", Menu::Play, "Repeats the motion without a seam.", |state, _| {
        let motion = state.session.document().motion.clone();
        let looped = !motion.looped;
        state.session.perform("Loop", Command::SetMotion(MotionSettings { looped, ..motion }));
    })
    .key(Modifiers::NONE, Key::L)
    .on_if(|state| state.session.document().motion.looped),
    Action::new("Set In Point", Menu::Play, "Starts playback at this frame.", |state, _| {
        let duration_secs = state.show.duration_secs();
        let (_, last) = state.playhead.range(duration_secs);
        let now = state.playhead.time_secs;
        let last = if last > now { last } else { duration_secs };
        state.playhead.range_secs = Some((now, last));
    })
    .key(Modifiers::NONE, Key::I),
    Action::new("Set Out Point", Menu::Play, "Ends playback at this frame.", |state, _| {
        let (first, _) = state.playhead.range(state.show.duration_secs());
        let now = state.playhead.time_secs;
        let first = if first < now { first } else { 0.0 };
        state.playhead.range_secs = Some((first, now));
    })
    .key(Modifiers::NONE, Key::O),
    Action::new("Clear In and Out", Menu::Play, "Plays the whole clip again.", |state, _| {
        state.playhead.range_secs = None;
    })
    .enabled_if(|state| state.playhead.range_secs.is_some()),
    Action::new(
        "Curves",
        Menu::Play,
        "Shows how fast the selected bone moves, before and after each filter.",
        |state, _| state.curves.is_open ^= true,
    )
    .on_if(|state| state.curves.is_open),
];

fn step(state: &mut State, frames: i64) {
    state.playhead.is_playing = false;
    let frame = state.playhead.frame() + frames;
    let duration_secs = state.show.duration_secs();
    state.playhead.go_to_frame(frame, duration_secs);
}

pub fn show(ui: &mut Ui, state: &mut State) {
    ui.horizontal_wrapped(|ui| {
        buttons(ui, state);
        motion(ui, state);
        fit_button(ui, state);
        numbers(ui, state);
        curves::fold(ui, &mut state.curves.is_open);
    });
    // Curves may go on after the motion, and the ruler is as long as they are.
    let last_secs = state.show.duration_secs().max(curves::last_secs(state));
    let scale = TimeScale::new(ui.available_rect_before_wrap().x_range(), last_secs);
    state.curves.scale = Some(scale);
    ruler(ui, state, &scale);
    keys::show(ui, state, &scale);
    curves::show(ui, state, &scale);
}

fn buttons(ui: &mut Ui, state: &mut State) {
    let playing = state.playhead.is_playing;
    let names = [
        ("⏮", "First Frame"),
        ("◀", "Previous Frame"),
        (if playing { "⏸" } else { "▶" }, "Play / Pause"),
        ("▶|", "Next Frame"),
        ("🔁", "Loop"),
    ];
    for (icon, name) in names {
        let Some(action) = ACTIONS.iter().find(|action| action.name == name) else { continue };
        let is_on = action.is_on.is_some_and(|is_on| is_on(state));
        let response = ui.add(egui::Button::selectable(is_on, icon)).on_hover_text(action.help);
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, action.name));
        if response.clicked() {
            let ctx = ui.ctx().clone();
            (action.run)(state, &ctx);
        }
    }
}

/// As a document has it: of the selected bone, or of the one that suits it.
fn test_motion(state: &State, kind: TestMotionKind) -> String {
    let skeleton = &state.show.character().skeleton;
    match state.selection.bones.first() {
        Some(&bone) => format!("{}:{}", kind.name(), skeleton.bone_name(bone)),
        None => kind.name().to_owned(),
    }
}

pub fn play_test_motion(state: &mut State, ctx: &egui::Context, kind: TestMotionKind) {
    let test = Some(test_motion(state, kind));
    let motion = state.session.document().motion.clone();
    let motion = MotionSettings { test, looped: true, ..motion };
    files::choose_motion(state, ctx, motion);
}

/// Which clip, or which test motion of which bone.
fn motion(ui: &mut Ui, state: &mut State) {
    let motion = state.session.document().motion.clone();
    let clips = state.session.cast().clips.clone();
    let shown = motion.test.clone().unwrap_or_else(|| state.show.clip().name.clone());
    let mut chosen = None;
    let combo = egui::ComboBox::from_id_salt("motion").selected_text(shown).width(150.0).truncate();
    let combo = combo.show_ui(ui, |ui| {
        for clip in &clips {
            let is_chosen = motion.test.is_none() && clip.name == state.show.clip().name;
            if ui.selectable_label(is_chosen, &clip.name).clicked() {
                let clip = Some(clip.name.clone());
                chosen = Some(MotionSettings { clip, test: None, ..motion.clone() });
            }
        }
        ui.separator();
        ui.weak("Test motions of the selected bone");
        for kind in TestMotionKind::ALL {
            let test = test_motion(state, kind);
            let is_chosen = motion.test.as_deref() == Some(test.as_str());
            if ui.selectable_label(is_chosen, &test).clicked() {
                chosen = Some(MotionSettings { test: Some(test), looped: true, ..motion.clone() });
            }
        }
    });
    let response = combo.response.on_hover_text("The motion to play");
    named(&response, egui::WidgetType::ComboBox, "Motion", None);
    if let Some(motion) = chosen {
        let ctx = ui.ctx().clone();
        files::choose_motion(state, &ctx, motion);
    }
}

fn numbers(ui: &mut Ui, state: &mut State) {
    let duration_secs = state.show.duration_secs();
    let head = &mut state.playhead;
    let mut frame = head.frame();
    let response = ui.add(DragValue::new(&mut frame).prefix("frame "));
    named(&response, egui::WidgetType::DragValue, "Frame", Some(frame as f64));
    if response.changed() {
        head.is_playing = false;
        head.go_to_frame(frame, duration_secs);
    }
    ui.weak(format!("{:.2} of {duration_secs:.2} s", head.time_secs));
    let speed = DragValue::new(&mut head.speed).range(-4.0..=4.0).prefix("× ").speed(0.01);
    let response = ui.add(speed).on_hover_text("Playback speed; negative plays backwards");
    named(&response, egui::WidgetType::DragValue, "Speed", Some(head.speed));
    fps(ui, state);
}

/// The document keeps it; the ruler and what is baked by default follow.
fn fps(ui: &mut Ui, state: &mut State) {
    let mut fps = state.playhead.fps;
    let drag = DragValue::new(&mut fps).range(1.0..=240.0).clamp_existing_to_range(false);
    let drag = drag.suffix(" fps").speed(0.2).update_while_editing(false);
    let response = ui.add(drag).on_hover_text("Frames per second, for the ruler and for baking");
    named(&response, egui::WidgetType::DragValue, "Frames per second", Some(fps));
    let set = |fps| {
        let motion = state.session.document().motion.clone();
        Command::SetMotion(MotionSettings { fps: Some(fps), ..motion })
    };
    let is_new = response.changed() && fps != state.playhead.fps;
    let command = is_new.then(|| set(fps));
    track(&mut state.session, &response, "Set frames per second", command);
}

/// For screen readers: what the field is, and what it is set to.
fn named(response: &Response, kind: egui::WidgetType, name: &str, value: Option<f64>) {
    response.widget_info(|| {
        let info = egui::WidgetInfo::labeled(kind, true, name);
        egui::WidgetInfo { value, ..info }
    });
}

fn fit_button(ui: &mut Ui, state: &mut State) {
    let Some(action) = all_actions().find(|action| action.name == "Fit to Clip") else { return };
    let button = egui::Button::new(action.name);
    let is_enabled = (action.is_enabled)(state);
    if ui.add_enabled(is_enabled, button).on_hover_text(action.help).clicked() {
        (action.run)(state, &ui.ctx().clone());
    }
}

const RULER_HEIGHT: f32 = 34.0;
/// Pixels between labels.
const LABELS_APART: f32 = 60.0;

fn ruler(ui: &mut Ui, state: &mut State, scale: &TimeScale) {
    let size = vec2(ui.available_width(), RULER_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, "Time"));
    let duration_secs = state.show.duration_secs().max(1e-6);
    let (first, last) = state.playhead.range(duration_secs);
    let x_of = |secs: f64| scale.x_of(secs);
    if let Some(pointer) = response.interact_pointer_pos()
        && (response.dragged() || response.clicked() || response.drag_started())
    {
        state.playhead.time_secs = scale.secs_at(pointer.x).clamp(0.0, duration_secs);
        state.playhead.is_playing = false;
    }
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, theme::GROUND);
    let played = Rect::from_x_y_ranges(x_of(first)..=x_of(last), rect.y_range());
    painter.rect_filled(played, 4.0, theme::RAISED.gamma_multiply(0.6));
    let frames = (duration_secs * state.playhead.fps).round().max(1.0);
    let per_frame = (duration_secs / frames) as f32 * scale.points_per_sec();
    let every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000]
        .into_iter()
        .find(|&every| per_frame * every as f32 >= LABELS_APART)
        .unwrap_or(100_000);
    let tick = (every / 5).max(1);
    let mut frame = 0;
    while f64::from(frame) <= frames && frame / tick < 10_000 {
        let x = x_of(f64::from(frame) / state.playhead.fps);
        let is_labelled = frame % every == 0;
        let top = rect.bottom() - if is_labelled { 14.0 } else { 7.0 };
        let stroke = Stroke::new(1.0, theme::LINE);
        painter.line_segment([pos2(x, top), pos2(x, rect.bottom() - 2.0)], stroke);
        if is_labelled {
            let font = FontId::proportional(10.0);
            let place = pos2(x + 3.0, rect.top() + 3.0);
            painter.text(place, Align2::LEFT_TOP, frame, font, theme::FAINT);
        }
        frame += tick;
    }
    let x = x_of(state.playhead.time_secs.clamp(0.0, duration_secs));
    let line = [pos2(x, rect.top() + 1.0), pos2(x, rect.bottom() - 1.0)];
    painter.line_segment(line, Stroke::new(2.0, theme::ACCENT));
}
