//! The viewport: what is looked at, compared, dragged; read back as numbers.

mod camera;
mod character;
mod compare;
mod device;
mod heat;
mod materials;
mod overlays;
mod paint;
mod path;
mod pictures;
mod report;
mod tools;

use crate::support::{clock, editor as support};
use egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::{DVec3, Vec3};
use jounce::editor::panels::viewport::{Screen, Tool};
use jounce::editor::{Editor, State, all_actions};
use jounce::rig::Character;
use jounce::session::SlotName;
use support::example;

fn run(harness: &mut Harness<'static, Editor>, name: &str) {
    let action = all_actions().find(|action| action.name == name).unwrap();
    let ctx = harness.ctx.clone();
    let state = &mut harness.state_mut().state;
    assert!((action.is_enabled)(state), "{name}");
    (action.run)(state, &ctx);
    harness.run();
}

fn state<'a>(harness: &'a Harness<'static, Editor>) -> &'a State {
    &harness.state().state
}

fn screen(harness: &Harness<'static, Editor>) -> Screen {
    state(harness).viewport.screen.unwrap()
}

/// Stands still in the middle of its motion, where it is deformed.
fn in_motion(name: &str) -> Harness<'static, Editor> {
    let mut harness = example(name);
    let duration_secs = state(&harness).show.duration_secs();
    harness.state_mut().state.playhead.time_secs = duration_secs * 0.37;
    harness.run();
    let shown = &state(&harness).shown;
    let farthest = farthest(&shown.deformed.positions, &shown.skinned.positions);
    assert!(farthest > 1e-4, "it is deformed: {farthest}");
    harness
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn picture(harness: &mut Harness<'static, Editor>, name: &str) {
    if let Ok(folder) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(harness, &format!("{folder}/viewport-{name}.png"));
    }
}

/// Presses, moves and lets go only if asked: a frame between, as a hand would.
fn press(harness: &mut Harness<'static, Editor>, from: Pos2, to: Pos2) {
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    let half = from + (to - from) * 0.5;
    for at in [half, to, to] {
        harness.hover_at(at);
        harness.step();
    }
}

fn let_go(harness: &mut Harness<'static, Editor>, at: Pos2) {
    harness.drop_at(at);
    harness.step();
}

fn bone_named(harness: &Harness<'static, Editor>, name: &str) -> usize {
    state(harness).show.character().skeleton.bone_named(name).unwrap()
}

/// Three quarters along a bone's stick: towards its first child.
fn on_bone(harness: &Harness<'static, Editor>, bone: usize) -> Vec3 {
    let character: &Character = state(harness).show.character();
    let pose = state(harness).shown.pose.as_ref().unwrap();
    let child = character.skeleton.bones.iter().position(|of| of.parent == Some(bone)).unwrap();
    let (a, b) = (character.bone_origin(pose, bone), character.bone_origin(pose, child));
    a.lerp(b, 0.75).as_vec3()
}

/// Between two points of the window.
fn distance_to_line(at: Pos2, [from, to]: [Pos2; 2]) -> f32 {
    let part = (at - from).dot(to - from) / (to - from).length_sq().max(1e-6);
    at.distance(from + (to - from) * part.clamp(0.0, 1.0))
}
