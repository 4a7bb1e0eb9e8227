//! Curves in the timeline: the lines of `jounce curves`, read back as numbers.

use crate::support::{editor as support, program};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use jounce::editor::{Editor, Panel};
use jounce::eval::curves::{Side, magnitude};
use jounce::graph::{Document, built_in_style};
use jounce::ir::Number;
use jounce::session::BoneCurves;
use std::path::Path;
use support::editor_of_size;

fn open(document: Document) -> Harness<'static, Editor> {
    editor_of_size(document, [1400.0, 900.0])
}

fn select(harness: &mut Harness<'static, Editor>, bone: &str) {
    let skeleton = &harness.state().state.show.character().skeleton;
    let bone = skeleton.bone_named(bone).unwrap();
    harness.state_mut().state.selection.bones = vec![bone];
}

fn unfold(harness: &mut Harness<'static, Editor>) {
    harness.get_by_label("Curves").click();
    harness.run_steps(3);
    assert!(harness.state().state.curves.is_open);
}

/// Draws the window again and again, until nothing is computed any more.
fn settle(harness: &mut Harness<'static, Editor>) {
    for _ in 0..3000 {
        harness.step();
        if !harness.state().state.curves.is_pending() {
            harness.run_steps(2);
            if !harness.state().state.curves.is_pending() {
                return;
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the curves never came");
}

fn latest<'a>(harness: &'a Harness<'static, Editor>) -> &'a BoneCurves {
    harness.state().state.curves.latest.as_ref().expect("there are curves")
}

fn picture(harness: &mut Harness<'static, Editor>, name: &str) {
    if let Ok(folder) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(harness, &format!("{folder}/curves-{name}.png"));
    }
}

/// What `jounce curves` writes: time, side, node, port, magnitude, components.
fn table(document: &Document, bone: &str, name: &str) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor_curves");
    std::fs::create_dir_all(&folder).unwrap();
    let graph = folder.join(format!("{name}.jounce"));
    let out = folder.join(format!("{name}.csv"));
    document.save(&graph).unwrap();
    let (graph, path) = (graph.to_str().unwrap(), out.to_str().unwrap());
    let mut args = vec!["curves", "--graph", graph, "--bone", bone, "-o", path];
    if document.motion.looped {
        args.push("--loop");
    }
    program::jounce_ok(&args);
    let text = std::fs::read_to_string(out).unwrap();
    let row = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().skip(1).map(row).collect()
}

fn assert_same(curves: &BoneCurves, table: &[Vec<String>], bone: &str) {
    assert_eq!(curves.bone_name, bone);
    let mut rows = table.iter();
    for curve in &curves.curves {
        let side = if curve.line.side == Side::Before { "before" } else { "after" };
        assert_eq!(curve.numbers.len(), curves.times_secs.len());
        for (time_secs, number) in curves.times_secs.iter().zip(&curve.numbers) {
            let row = rows.next().expect("as many rows as points");
            let names = [&row[1], &row[2], &row[3], &row[5], &row[6]].map(String::as_str);
            let line = &curve.line;
            assert_eq!(names, [bone, side, &line.node, &line.port, line.unit()]);
            let close = |text: &str, expected: f64| {
                let found: f64 = text.parse().unwrap();
                assert!((found - expected).abs() < 1e-6, "{row:?} {expected}");
            };
            close(&row[0], *time_secs);
            close(&row[7], magnitude(*number));
            if let Number::Vec3(v) = number {
                [v.x, v.y, v.z].iter().zip(&row[8..]).for_each(|(x, text)| close(text, *x));
            }
        }
    }
    assert!(rows.next().is_none(), "no more rows than points");
}

#[test]
fn the_lines_are_those_of_the_command_line() {
    for looped in [false, true] {
        let mut document = built_in_style("oscillation").unwrap();
        document.motion.looped = looped;
        let mut harness = open(document.clone());
        select(&mut harness, "Head");
        unfold(&mut harness);
        settle(&mut harness);
        let name = format!("oscillation-{looped}");
        assert_same(latest(&harness), &table(&document, "Head", &name), "Head");
        assert!(latest(&harness).has_filters);
        assert_eq!(latest(&harness).end_secs.is_some(), !looped);
        // Another bone, another answer.
        select(&mut harness, "Neck.1");
        settle(&mut harness);
        let name = format!("oscillation-neck-{looped}");
        assert_same(latest(&harness), &table(&document, "Neck.1", &name), "Neck.1");
    }
}

#[test]
fn a_legend_names_the_lines_and_a_button_chooses_what_is_shown() {
    let mut harness = open(built_in_style("oscillation").unwrap());
    select(&mut harness, "Head");
    unfold(&mut harness);
    settle(&mut harness);
    let legend = |harness: &Harness<'static, Editor>| {
        harness.state().state.curves.drawn.clone().expect("a plot").legend
    };
    // A head turns, and hardly travels: that is what is shown if nobody chooses.
    harness.get_by_label("Curves of Head: angular velocity, rad/s");
    harness.get_by_role_and_label(Role::Button, "linear velocity").click();
    harness.run_steps(3);
    let linear = legend(&harness);
    assert_eq!(linear.len(), 2, "{linear:?}");
    let colors: Vec<_> = linear.iter().map(|(_, color)| *color).collect();
    assert_ne!(colors[0], colors[1], "a colour of its own for each");
    for (label, _) in &linear {
        harness.get_by_label(label);
    }
    harness.get_by_label("Curves of Head: linear velocity, units/s");
    picture(&mut harness, "linear");
    harness.get_by_role_and_label(Role::Button, "angular velocity").click();
    harness.run_steps(3);
    harness.get_by_label("Curves of Head: angular velocity, rad/s");
    assert_ne!(legend(&harness), linear);
    picture(&mut harness, "angular");
    harness.state_mut().show_only(Panel::Timeline);
    harness.run_steps(3);
    picture(&mut harness, "alone");
}

#[test]
fn a_slider_of_a_filter_moves_the_line_and_undo_moves_it_back() {
    let mut harness = open(built_in_style("oscillation").unwrap());
    select(&mut harness, "Head");
    unfold(&mut harness);
    settle(&mut harness);
    let before = latest(&harness).clone();
    let slider = harness.get_by_role_and_label(Role::Slider, "amplitude").rect();
    harness.drag_at(slider.center());
    harness.run_steps(2);
    harness.hover_at(slider.center() + egui::vec2(25.0, 0.0));
    harness.step();
    // What there was is shown while it is computed anew.
    assert!(harness.state().state.curves.latest.is_some());
    harness.drop_at(slider.center() + egui::vec2(25.0, 0.0));
    settle(&mut harness);
    let after = latest(&harness).clone();
    let farthest = |side: Side| {
        let pairs = before.curves.iter().zip(&after.curves).filter(|(a, _)| a.line.side == side);
        let apart = pairs.flat_map(|(a, b)| a.numbers.iter().zip(&b.numbers));
        apart.map(|(a, b)| (magnitude(*a) - magnitude(*b)).abs()).fold(0.0, f64::max)
    };
    assert_eq!(farthest(Side::Before), 0.0, "the bone moves as it did");
    assert!(farthest(Side::After) > 1e-2, "{}", farthest(Side::After));
    let document = harness.state().state.session.document().clone();
    assert_same(&after, &table(&document, "Head", "slider"), "Head");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    harness.run_steps(2);
    settle(&mut harness);
    assert_eq!(*latest(&harness), before);
    // What nobody evaluates changes no line.
    let node = before.curves[0].line.node.clone();
    let moved = jounce::graph::Command::MoveNodes {
        graph: jounce::graph::GraphRef::Top,
        positions: [(node, [7.0, 7.0])].into(),
    };
    harness.state_mut().state.session.perform("Move", moved);
    harness.step();
    assert!(!harness.state().state.curves.is_pending(), "a node that moves computes nothing");
}

#[test]
fn the_playhead_is_a_line_and_a_drag_in_the_plot_scrubs() {
    let mut harness = open(built_in_style("oscillation").unwrap());
    select(&mut harness, "Head");
    unfold(&mut harness);
    settle(&mut harness);
    let duration_secs = harness.state().state.show.duration_secs();
    harness.state_mut().state.playhead.time_secs = duration_secs * 0.4;
    harness.run_steps(2);
    let drawn = harness.state().state.curves.drawn.clone().unwrap();
    assert_eq!(drawn.playhead_secs, duration_secs * 0.4);
    let [first, last] = drawn.times_secs;
    let x_of = |secs: f64| {
        let part = (secs - first) / (last - first);
        drawn.rect.left() + part as f32 * drawn.rect.width()
    };
    let at = |secs: f64| egui::pos2(x_of(secs), drawn.rect.center().y);
    let wanted = duration_secs * 0.75;
    harness.drag_at(at(duration_secs * 0.2));
    harness.run_steps(2);
    for part in [0.4, 0.6, 0.75] {
        harness.hover_at(at(duration_secs * part));
        harness.run_steps(1);
    }
    let head = harness.state().state.playhead;
    assert!((head.time_secs - wanted).abs() < 0.01 * duration_secs, "{head:?} {wanted}");
    harness.drop_at(at(wanted));
    harness.run_steps(2);
    let drawn = harness.state().state.curves.drawn.clone().unwrap();
    assert_eq!(drawn.playhead_secs, harness.state().state.playhead.time_secs);
    assert_eq!(harness.state().state.shown.time_secs, drawn.playhead_secs, "it is shown then");
}

#[test]
fn curves_lie_below_the_ruler_moment_for_moment_and_their_greatest_height_is_written() {
    // Played once, curves go on after the end of the clip, and the ruler with them.
    for looped in [true, false] {
        let mut document = built_in_style("oscillation").unwrap();
        document.motion.looped = looped;
        let mut harness = open(document);
        select(&mut harness, "Head");
        unfold(&mut harness);
        settle(&mut harness);
        let state = &harness.state().state;
        let (drawn, scale) = (state.curves.drawn.clone().unwrap(), state.curves.scale.unwrap());
        let [first, last] = drawn.times_secs;
        for (secs, x) in [(first, drawn.rect.left()), (last, drawn.rect.right())] {
            assert!((scale.x_of(secs) - x).abs() < 0.5, "{secs} s: {} and {x}", scale.x_of(secs));
        }
        assert!(scale.last_secs >= last && scale.last_secs >= state.show.duration_secs());
        let ruler = harness.get_by_label("Time").rect();
        assert!(ruler.x_range().contains(scale.x_of(0.0)));
        assert!(ruler.x_range().contains(scale.x_of(scale.last_secs)));
        let kind = harness.state().state.curves.latest.as_ref().unwrap();
        let lines = kind.curves.iter().filter(|it| it.line.is_drawn && it.line.unit() == "rad/s");
        let most = lines.flat_map(|it| &it.numbers).map(|it| magnitude(*it)).fold(0.0, f64::max);
        let written: f64 = drawn.heights[0].split(' ').next().unwrap().parse().unwrap();
        assert!((written - most).abs() <= 0.01 * most, "{:?} {most}", drawn.heights);
        // A click on the ruler puts both playheads where it was.
        let at = egui::pos2(scale.x_of(0.5 * state.show.duration_secs()), ruler.center().y);
        let half = 0.5 * harness.state().state.show.duration_secs();
        harness.drag_at(at);
        harness.run_steps(2);
        harness.drop_at(at);
        harness.run_steps(2);
        let playhead_secs = harness.state().state.curves.drawn.clone().unwrap().playhead_secs;
        assert!((playhead_secs - half).abs() < 0.01, "{playhead_secs} {half}");
        picture(&mut harness, if looped { "aligned" } else { "aligned-once" });
    }
}

#[test]
fn what_cannot_be_shown_is_said_with_what_to_do() {
    let mut harness = open(built_in_style("floppy").unwrap());
    assert!(harness.query_by_label_contains("Select a bone").is_none(), "folded away at first");
    unfold(&mut harness);
    harness.get_by_label_contains("Select a bone in the outliner");
    assert!(harness.state().state.curves.latest.is_none());
    let bone = harness.state().state.show.character().skeleton.bone_name(1).to_owned();
    select(&mut harness, &bone);
    settle(&mut harness);
    harness.get_by_label_contains("No node in this graph filters");
    let document = harness.state().state.session.document().clone();
    assert_same(latest(&harness), &table(&document, &bone, "floppy"), &bone);
    assert!(!latest(&harness).has_filters);
    picture(&mut harness, "unfiltered");
    harness.state_mut().state.selection.bones.clear();
    harness.run_steps(2);
    harness.get_by_label_contains("Select a bone in the outliner");
    harness.get_by_label("Curves").click();
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Select a bone").is_none());
}
