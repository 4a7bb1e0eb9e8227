//! A monkey at the keyboard: whatever it does, the document stays sound and nothing panics.
//!
//! `JOUNCE_MONKEY_ACTIONS` makes it longer, `JOUNCE_MONKEY_SEED` another monkey.

#[path = "support/editor.rs"]
mod support;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use jounce::editor::panels::viewport::paint::{self, PaintMode};
use jounce::editor::{Editor, all_actions};
use jounce::graph::built_in_style;
use jounce::session::painting::{BrushTool, Falloff, FillFrom, NewMap, Symmetry, WholeMap};

const SIZE: [f32; 2] = [1100.0, 760.0];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % sides.max(1) as u64) as usize
    }

    fn place(&mut self) -> Pos2 {
        let [wide, high] = SIZE.map(|side| side as usize);
        pos2(self.roll(wide) as f32, self.roll(high) as f32)
    }

    fn modifiers(&mut self) -> Modifiers {
        match self.roll(6) {
            0 => Modifiers::COMMAND,
            1 => Modifiers::SHIFT,
            2 => Modifiers::ALT,
            _ => Modifiers::NONE,
        }
    }
}

const KEYS: [Key; 27] = [
    Key::A,
    Key::B,
    Key::C,
    Key::D,
    Key::F,
    Key::G,
    Key::H,
    Key::I,
    Key::L,
    Key::M,
    Key::O,
    Key::P,
    Key::CloseBracket,
    Key::Comma,
    Key::V,
    Key::X,
    Key::W,
    Key::Z,
    Key::Tab,
    Key::Enter,
    Key::Escape,
    Key::Delete,
    Key::Backspace,
    Key::Space,
    Key::ArrowLeft,
    Key::ArrowDown,
    Key::Home,
];
const TEXTS: [&str; 8] = ["floppy", "1.5", "-3e9", "nan", "", "Ω→", "smooth", "0"];
/// What is typed into code, half of it nonsense.
const CODE: [&str; 14] = [
    "inp",
    "output(\"out\", VEC3);\n",
    "input(\"in\", FLOAT, 1).",
    "state(\"kept\", VEC3);",
    "fn eval(value) {\n",
    "vec3(0, 1, 0) * ",
    "uses(\"",
    "}",
    "/*",
    "\"",
    "ä→\u{0}",
    "bone_",
    ".",
    "(((",
];
/// It would open windows of other programs.
const NOT_FOR_MONKEYS: &str = "Open Scripts Folder";

fn click(harness: &Harness<Editor>, at: Pos2, button: PointerButton, modifiers: Modifiers) {
    harness.hover_at(at);
    for pressed in [true, false] {
        harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    }
}

/// What it did, for people who want to do it again.
fn act(harness: &mut Harness<Editor>, dice: &mut Dice) -> String {
    match dice.roll(16) {
        12 => {
            // Into the field, wherever it is.
            let field =
                harness.query_all_by_label_contains("Code in ").next().map(|field| field.rect());
            if let Some(field) = field {
                click(
                    harness,
                    field.left_top() + egui::vec2(12.0, 8.0),
                    PointerButton::Primary,
                    Modifiers::NONE,
                );
            }
            format!("click code {field:?}")
        }
        13 | 14 => {
            let text = CODE[dice.roll(CODE.len())];
            harness.event(Event::Text(text.to_owned()));
            format!("write {text:?}")
        }
        0..=2 => {
            let (at, modifiers) = (dice.place(), dice.modifiers());
            click(harness, at, PointerButton::Primary, modifiers);
            format!("click {at} {modifiers:?}")
        }
        3 => {
            let at = dice.place();
            click(harness, at, PointerButton::Secondary, Modifiers::NONE);
            format!("right click {at}")
        }
        4 | 5 => {
            let (from, to) = (dice.place(), dice.place());
            harness.drag_at(from);
            harness.step();
            harness.hover_at(from.lerp(to, 0.5));
            harness.step();
            harness.drop_at(to);
            format!("drag {from} {to}")
        }
        6 | 7 => {
            let (key, modifiers) = (KEYS[dice.roll(KEYS.len())], dice.modifiers());
            harness.key_press_modifiers(modifiers, key);
            format!("key {modifiers:?} {key:?}")
        }
        8 => {
            let text = TEXTS[dice.roll(TEXTS.len())];
            harness.event(Event::Text(text.to_owned()));
            format!("type {text:?}")
        }
        9 => {
            let at = dice.place();
            harness.hover_at(at);
            let delta = egui::vec2(0.0, dice.roll(200) as f32 - 100.0);
            harness.event(Event::MouseWheel {
                unit: egui::MouseWheelUnit::Point,
                delta,
                modifiers: Modifiers::NONE,
                phase: egui::TouchPhase::Move,
            });
            format!("wheel {at} {delta}")
        }
        10 => paint(harness, dice),
        _ => {
            let actions: Vec<_> =
                all_actions().filter(|action| action.name != NOT_FOR_MONKEYS).collect();
            let action = actions[dice.roll(actions.len())];
            let ctx = harness.ctx.clone();
            let state = &mut harness.state_mut().state;
            if (action.is_enabled)(state) {
                (action.run)(state, &ctx);
            }
            format!("action {}", action.name)
        }
    }
}

/// Takes the brush and does something with it.
fn paint(harness: &mut Harness<Editor>, dice: &mut Dice) -> String {
    let state = &mut harness.state_mut().state;
    paint::begin(state, ["paint", "softness", "PAINT", "Ω"][dice.roll(4)]);
    let brush = &mut state.viewport.paint.brush;
    brush.tool = BrushTool::ALL[dice.roll(BrushTool::ALL.len())];
    brush.falloff = Falloff::ALL[dice.roll(Falloff::ALL.len())];
    brush.symmetry = Symmetry::ALL[dice.roll(Symmetry::ALL.len())];
    brush.radius_sizes = dice.roll(100) as f64 / 150.0;
    brush.strength = dice.roll(11) as f64 / 10.0;
    (brush.only_visible, brush.builds_up) = (dice.roll(2) == 0, dice.roll(2) == 0);
    let what = dice.roll(9);
    match what {
        0 => {
            let whole = [
                WholeMap::Flip(Symmetry::ByBones),
                WholeMap::MirrorFromPositive(Symmetry::AcrossX),
                WholeMap::Blur,
                WholeMap::Negate,
                WholeMap::Clamp(0.0, 1.0),
            ];
            paint::whole(state, whole[dice.roll(whole.len())]);
        }
        1 => {
            let number = dice.roll(20);
            let from = [
                FillFrom::Everywhere,
                FillFrom::Bone(number),
                FillFrom::Branch(number),
                FillFrom::Piece(number * 500),
                FillFrom::Material(Some(number)),
            ];
            paint::fill(state, from[dice.roll(from.len())]);
        }
        2 => {
            let plain = NewMap::plain();
            paint::new_map(state, TEXTS[dice.roll(TEXTS.len())], &plain[dice.roll(plain.len())]);
        }
        3 => paint::delete_map(state),
        4 => paint::rename_map(state, TEXTS[dice.roll(TEXTS.len())]),
        5 => state.viewport.paint.mode = PaintMode::ALL[dice.roll(3)],
        6 => state.viewport.paint.masks.lock_selected(),
        7 => paint::make_floppy(state),
        _ => state.viewport.paint.mode = PaintMode::Brush,
    }
    // A stroke over the character, which may be ended by something else.
    let middle = harness.state().state.viewport.screen.map(|screen| screen.rect.center());
    let from = middle.unwrap_or_else(|| dice.place());
    let to = from + egui::vec2(dice.roll(120) as f32 - 60.0, dice.roll(80) as f32 - 40.0);
    harness.drag_at(from);
    harness.step();
    harness.hover_at(to);
    harness.step();
    if dice.roll(4) > 0 {
        harness.drop_at(to);
    }
    format!("paint {what}, from {from} to {to}")
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn whatever_a_monkey_does_the_document_stays_sound() {
    let actions = number("JOUNCE_MONKEY_ACTIONS", 400);
    let mut dice = Dice(number("JOUNCE_MONKEY_SEED", 7));
    // Without a device: what is drawn is not what it breaks.
    let document = built_in_style("velocity-skinning").unwrap();
    // It saves and bakes, and should do so where nobody looks.
    let folder = tempfile::tempdir().unwrap();
    std::env::set_current_dir(folder.path()).unwrap();
    let scripts = folder.path().join("scripts");
    let mut harness = Harness::builder().with_size(SIZE).build_eframe(|cc| {
        let session = support::session_with_scripts(document, scripts);
        let mut editor = Editor::new(cc, session).unwrap();
        editor.state.playhead.is_playing = false;
        editor
    });
    let mut done = Vec::new();
    for _ in 0..actions {
        done.push(act(&mut harness, &mut dice));
        harness.step();
        let document = harness.state().state.session.document();
        if let Err(error) = document.validate_invariants() {
            panic!("{error} after {:?}", &done[done.len().saturating_sub(20)..]);
        }
    }
    let state = &mut harness.state_mut().state;
    state.session.let_go();
    // It may have ended with an undo.
    while state.session.redo().is_some() {}
    let last = state.session.document().clone();
    let mut steps = 0;
    while state.session.undo().is_some() {
        steps += 1;
        state.session.document().validate_invariants().unwrap();
    }
    while state.session.redo().is_some() {}
    assert_eq!(*state.session.document(), last, "{steps} steps back and forth");
    harness.step();
}
