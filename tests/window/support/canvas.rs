//! Hands on the node canvas: clicks, drags and words, at places that the accessibility tree gives.
#![allow(dead_code, reason = "each test file takes what it needs")]

use super::editor::session;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use jounce::editor::{Editor, wgpu_options};
use jounce::graph::{Document, Graph, Node, built_in_style};

pub type Hands = Harness<'static, Editor>;

/// A window with a large canvas; drawn only where pictures are wanted.
pub fn canvas(document: Document) -> Hands {
    let mut builder = Harness::builder().with_size([2200.0, 2600.0]).with_max_steps(40);
    if pictures().is_some() {
        builder = builder.wgpu_setup(wgpu_options().wgpu_setup);
    }
    let mut hands = builder.build_eframe(|cc| {
        let mut editor = Editor::new(cc, session(document)).unwrap();
        editor.state.playhead.is_playing = false;
        editor
    });
    hands.run();
    // A large graph opens with its end in view; hands want to reach all of it.
    hands.state_mut().state.canvas.fit();
    hands.run();
    hands
}

fn pictures() -> Option<String> {
    std::env::var("JOUNCE_PICTURES").ok()
}

pub fn example(name: &str) -> Hands {
    canvas(built_in_style(name).unwrap())
}

/// The motion of an example, and no node.
pub fn empty_like(name: &str) -> Document {
    let motion = built_in_style(name).unwrap().motion;
    Document { motion, ..Document::default() }
}

pub fn graph(hands: &Hands) -> &Graph {
    let state = &hands.state().state;
    state.session.document().style.graph(&state.graph_ref()).unwrap()
}

pub fn node<'a>(hands: &'a Hands, id: &str) -> &'a Node {
    &graph(hands).nodes[id]
}

pub fn place(hands: &Hands, label: &str) -> Rect {
    hands.get_by_label(label).rect()
}

pub fn canvas_rect(hands: &Hands) -> Rect {
    place(hands, "Graph canvas")
}

fn button(hands: &Hands, pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    hands.event(Event::PointerButton { pos, button, pressed, modifiers });
}

pub fn click_at(hands: &mut Hands, at: Pos2, which: PointerButton, modifiers: Modifiers) {
    hands.event(Event::PointerMoved(at));
    hands.step();
    hands.event(Event::ModifiersChanged(modifiers));
    button(hands, at, which, true, modifiers);
    hands.step();
    button(hands, at, which, false, modifiers);
    hands.step();
    hands.event(Event::ModifiersChanged(Modifiers::NONE));
    // Else the next click would be the second of a double click.
    hands.run_steps(1);
    std::thread::sleep(std::time::Duration::from_millis(1));
    hands.run();
}

pub fn double_click_at(hands: &mut Hands, pos: Pos2) {
    hands.event(Event::PointerMoved(pos));
    hands.step();
    // Each event is a frame of a quarter of a second: too slow, unless the clock stands still.
    let now = hands.ctx.input(|input| input.time);
    hands.input_mut().time = Some(now + 1.0);
    for _ in 0..2 {
        button(hands, pos, PointerButton::Primary, true, Modifiers::NONE);
        hands.step();
        button(hands, pos, PointerButton::Primary, false, Modifiers::NONE);
        hands.step();
    }
    hands.input_mut().time = None;
    hands.run();
}

pub fn click(hands: &mut Hands, label: &str) {
    let at = place(hands, label).center();
    click_at(hands, at, PointerButton::Primary, Modifiers::NONE);
}

pub fn press(hands: &mut Hands, modifiers: Modifiers, key: Key) {
    hands.key_press_modifiers(modifiers, key);
    hands.run();
}

pub fn write(hands: &mut Hands, text: &str) {
    hands.event(Event::Text(text.to_owned()));
    hands.run();
}

/// Slowly, as a hand would.
pub fn drag(hands: &mut Hands, from: Pos2, to: Pos2) {
    take_hold(hands, from);
    carry(hands, from, to);
}

fn take_hold(hands: &mut Hands, at: Pos2) {
    hands.event(Event::PointerMoved(at));
    hands.step();
    button(hands, at, PointerButton::Primary, true, Modifiers::NONE);
    hands.step();
}

fn carry(hands: &mut Hands, from: Pos2, to: Pos2) {
    for part in 1..=4 {
        hands.event(Event::PointerMoved(from + (to - from) * (part as f32 / 4.0)));
        hands.step();
    }
    hands.step();
    button(hands, to, PointerButton::Primary, false, Modifiers::NONE);
    hands.step();
    hands.run();
}

pub fn drag_by(hands: &mut Hands, label: &str, by: Vec2) {
    let from = place(hands, label).center();
    drag(hands, from, from + by);
}

/// Draws a wire: `velocity.linear` to `floppy.linear`.
pub fn link(hands: &mut Hands, from: &str, to: &str) {
    let from = place(hands, &format!("output {from}")).center();
    take_hold(hands, from);
    // Inputs that are folded away come out while a wire is over the node.
    let (node, _) = to.split_once('.').unwrap();
    let title = place(hands, &format!("node {node}")).center();
    hands.event(Event::PointerMoved(from + (title - from) * 0.5));
    hands.step();
    hands.event(Event::PointerMoved(title));
    hands.run_steps(3);
    let to = place(hands, &format!("input {to}")).center();
    carry(hands, title, to);
}

/// Right click, words, Enter.
pub fn add(hands: &mut Hands, words: &str, at: Pos2) {
    click_at(hands, at, PointerButton::Secondary, Modifiers::NONE);
    assert!(hands.state().state.canvas.is_adding(), "a right click opens the palette");
    write(hands, words);
    press(hands, Modifiers::NONE, Key::Enter);
    assert!(!hands.state().state.canvas.is_adding(), "Enter takes the first");
}

/// Types a number into a field on a node.
pub fn set(hands: &mut Hands, field: &str, number: &str) {
    click(hands, field);
    write(hands, number);
    press(hands, Modifiers::NONE, Key::Enter);
}

pub fn run_action(hands: &mut Hands, name: &str) {
    let action = jounce::editor::all_actions().find(|action| action.name == name).unwrap();
    let ctx = hands.ctx.clone();
    let state = &mut hands.state_mut().state;
    assert!((action.is_enabled)(state), "{name} can be done");
    (action.run)(state, &ctx);
    hands.run();
}

pub fn undo_label(hands: &Hands) -> Option<&str> {
    hands.state().state.session.history().undo_label()
}

pub fn undo(hands: &mut Hands) {
    press(hands, Modifiers::COMMAND, Key::Z);
}

pub fn is_marked(hands: &Hands, label: &str) -> bool {
    let node = hands.get_by_label(label);
    node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
}

pub fn document(hands: &Hands) -> Document {
    hands.state().state.session.document().clone()
}

/// All vertices at a time.
pub fn baked(hands: &mut Hands, time_secs: f64) -> Vec<glam::Vec3> {
    hands.state_mut().state.show.at(time_secs).unwrap().deformed.positions
}

pub fn farthest(a: &[glam::Vec3], b: &[glam::Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

pub fn picture(hands: &mut Hands, name: &str) {
    if let Some(folder) = pictures() {
        hands.render().unwrap().save(format!("{folder}/{name}.png")).unwrap();
    }
}
