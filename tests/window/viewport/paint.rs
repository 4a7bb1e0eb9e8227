//! Painting: what a hand does on the picture is read back as the numbers of a map.

use super::*;
use crate::support::skipped::{Lacking, skip_loudly};
use egui::accesskit::Role;
use egui::{Event, PointerButton};
use jounce::editor::panels::viewport::paint::PaintMode;
use jounce::eval::heat::HeatSubject;
use jounce::graph::{Command, Document, Node, Selection, built_in_style};
use jounce::script::Setting;
use jounce::session::painting::{Brush, BrushTool, PaintSurface, Sight, Symmetry};
use jounce::session::{Cast, Session};
use std::path::Path;

/// The cow, seen from the side, with the brush in hand.
fn painting() -> Harness<'static, Editor> {
    let mut harness = in_motion("default");
    harness.key_press(Key::Num3);
    harness.run();
    harness.get_by_label("Paint").click();
    harness.run();
    assert_eq!(state(&harness).viewport.tool, Tool::Paint);
    harness
}

fn brush<'a>(harness: &'a mut Harness<'static, Editor>) -> &'a mut Brush {
    &mut harness.state_mut().state.viewport.paint.brush
}

fn button(harness: &mut Harness<'static, Editor>, pos: Pos2, pressed: bool) {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    harness.event(Event::PointerButton { pos, button, pressed, modifiers });
    harness.step();
}

/// One touch, without moving.
fn dab(harness: &mut Harness<'static, Editor>, at: Pos2) {
    harness.hover_at(at);
    harness.step();
    button(harness, at, true);
    button(harness, at, false);
    harness.run();
}

fn map(harness: &Harness<'static, Editor>, name: &str) -> Vec<f32> {
    let settings = state(harness).session.character_settings();
    settings.maps.get(name).map(|map| map.to_vec()).unwrap_or_default()
}

/// Where the middle of the body is seen.
fn on_body(harness: &Harness<'static, Editor>) -> Pos2 {
    screen(harness).rect.center()
}

/// The distances that a stamp at a place of the picture goes by.
fn distances(harness: &Harness<'static, Editor>, at: Pos2, radius: f64) -> Vec<Option<f64>> {
    let state = state(harness);
    let character = state.show.character();
    let screen = screen(harness);
    let aspect = screen.rect.aspect_ratio();
    let sight =
        Sight::new(screen.camera, aspect, &state.viewport.drawn.positions, character.size());
    let half = screen.rect.size() * 0.5;
    let away = at - screen.rect.center();
    let place = glam::Vec2::new(away.x / half.x, -away.y / half.y);
    let touch = sight.touch(place, &character.mesh.triangles).expect("it is on the character");
    let surface = PaintSurface::new(character);
    let mut reach = jounce::rig::geodesic::Reach::default();
    surface.meter().measure(touch.at, radius, &mut reach);
    let points = &character.surface().points.point_of_vertex;
    points.iter().map(|&point| reach.of(point)).collect()
}

#[test]
fn a_stamp_is_strength_times_falloff_of_the_distance_and_one_step() {
    let mut harness = painting();
    brush(&mut harness).only_visible = false;
    brush(&mut harness).strength = 0.7;
    let before = state(&harness).shown.deformed.positions.clone();
    let compiled = state(&harness).show.compile_count();
    let at = on_body(&harness);
    let brush = brush(&mut harness).clone();
    let radius = brush.radius_sizes * state(&harness).show.character().size();
    let expected = distances(&harness, at, radius);
    dab(&mut harness, at);
    let values = map(&harness, "paint");
    assert_eq!(values.len(), expected.len());
    let mut painted = 0;
    for (value, distance) in values.iter().zip(&expected) {
        let amount = distance.map_or(0.0, |far| 0.7 * brush.falloff.at(far / radius));
        assert!((f64::from(*value) - amount).abs() < 1e-6, "{value} at {distance:?}: {amount}");
        painted += usize::from(*value > 0.0);
    }
    assert!(painted > 20, "{painted}");
    let state_now = state(&harness);
    assert_eq!(state_now.session.history().undo_label(), Some("Paint paint"));
    assert_eq!(state_now.show.compile_count(), compiled, "nothing is compiled");
    assert_eq!(state_now.viewport.heat.subject, Some(HeatSubject::Map("paint".to_owned())));
    assert_eq!(state_now.viewport.heat.heat.values, values, "it is seen");
    assert_eq!(state_now.shown.deformed.positions, before, "no node reads it yet");
    picture(&mut harness, "paint-stamp");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert!(map(&harness, "paint").is_empty(), "undone as if it had never been");
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.run();
    assert_eq!(map(&harness, "paint"), values);
    assert_eq!(brush.tool, BrushTool::Add);
}

/// From one place to another, as a hand would, with pictures between.
fn stroke(harness: &mut Harness<'static, Editor>, from: Pos2, to: Pos2) {
    harness.hover_at(from);
    harness.step();
    button(harness, from, true);
    for step in 1..=5 {
        harness.hover_at(from + (to - from) * (step as f32 / 5.0));
        harness.step();
    }
    button(harness, to, false);
    harness.run();
}

/// Chooses from a list that a label stands beside.
fn choose(harness: &mut Harness<'static, Editor>, list: &str, entry: &str) {
    harness.get_by_role_and_label(Role::ComboBox, list).click();
    harness.run();
    harness.get_by_label(entry).click();
    harness.run();
}

fn click(harness: &mut Harness<'static, Editor>, label: &str) {
    harness.get_by_label(label).click();
    harness.run();
}

fn set_map(harness: &mut Harness<'static, Editor>, name: &str, values: Vec<f32>) {
    let session = &mut harness.state_mut().state.session;
    let (character, map) = (session.character_settings_key(), name.to_owned());
    let command = Command::SetMap { character, map, values: Some(values.into()) };
    assert!(session.perform("Set map", command));
    harness.run();
}

/// Numbers that differ from vertex to vertex.
fn waves(harness: &Harness<'static, Editor>) -> Vec<f32> {
    let count = state(harness).show.character().vertex_count();
    (0..count).map(|vertex| (vertex as f32 * 0.37).sin() * 0.4).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn a_stroke_moves_what_plays_and_nothing_is_compiled_or_bound_for_it() {
    let mut harness = painting();
    let at = on_body(&harness);
    dab(&mut harness, at);
    click(&mut harness, "Make It Floppy");
    let (before, compiled) = {
        let state = state(&harness);
        (state.shown.deformed.positions.clone(), state.show.compile_count())
    };
    assert_eq!(state(&harness).session.history().undo_label(), Some("Make paint floppy"));
    let bound = state(&harness).show.bound().rest_positions.clone();
    // While the button is still down.
    harness.hover_at(at);
    harness.step();
    button(&mut harness, at, true);
    for step in 1..=4 {
        harness.hover_at(at + egui::vec2(15.0 * step as f32, 0.0));
        harness.step();
    }
    harness.step();
    let during = state(&harness).shown.deformed.positions.clone();
    assert!(farthest(&during, &before) > 1e-4, "it is seen before the button is let go");
    button(&mut harness, at + egui::vec2(60.0, 0.0), false);
    harness.run();
    let state = state(&harness);
    assert_eq!(state.show.compile_count(), compiled);
    let is_same = std::sync::Arc::ptr_eq(&bound, &state.show.bound().rest_positions);
    assert!(is_same, "all but the map is what was bound before");
    // Anew, it is the same to the bit.
    let anew = jounce::session::Show::new(&state.session).unwrap();
    let expected = anew.at(state.playhead.time_secs).unwrap().deformed.positions;
    assert_eq!(state.shown.deformed.positions, expected);
    assert_eq!(state.session.history().undo_label(), Some("Paint paint"));
    picture(&mut harness, "paint-floppy");
}

#[test]
fn undo_gives_back_every_byte_and_a_cancelled_stroke_never_was() {
    let mut harness = painting();
    let before = waves(&harness);
    set_map(&mut harness, "paint", before.clone());
    let document = state(&harness).session.document().clone();
    let at = on_body(&harness);
    let camera = screen(&harness).camera;
    stroke(&mut harness, at, at + egui::vec2(70.0, 10.0));
    let after = map(&harness, "paint");
    assert_ne!(bits(&after), bits(&before));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert!(bits(&map(&harness, "paint")) == bits(&before), "one stroke is one step");
    assert_eq!(*state(&harness).session.document(), document);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.run();
    assert!(bits(&map(&harness, "paint")) == bits(&after));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    harness.hover_at(at);
    harness.step();
    button(&mut harness, at, true);
    harness.hover_at(at + egui::vec2(30.0, 0.0));
    harness.step();
    assert_ne!(bits(&map(&harness, "paint")), bits(&before));
    harness.key_press(Key::Escape);
    harness.step();
    button(&mut harness, at, false);
    harness.run();
    assert!(bits(&map(&harness, "paint")) == bits(&before));
    assert_eq!(state(&harness).viewport.tool, Tool::Paint, "Escape ends the stroke, not the tool");
    // An undo in the middle of a stroke ends it.
    button(&mut harness, at, true);
    harness.hover_at(at + egui::vec2(30.0, 0.0));
    harness.step();
    assert_eq!(state(&harness).session.history().undo_label(), Some("Paint paint"));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(4);
    assert!(bits(&map(&harness, "paint")) == bits(&before), "all of it");
    harness.hover_at(at + egui::vec2(60.0, 0.0));
    harness.run_steps(2);
    button(&mut harness, at, false);
    harness.run();
    assert!(bits(&map(&harness, "paint")) == bits(&before));
    assert_eq!(screen(&harness).camera, camera, "the view stands still all the while");
    // Beside the character a drag turns the view, and nothing is painted.
    let beside = screen(&harness).rect.left_top() + egui::vec2(120.0, 200.0);
    stroke(&mut harness, beside, beside + egui::vec2(60.0, 0.0));
    assert_ne!(screen(&harness).camera.view, camera.view);
    assert!(bits(&map(&harness, "paint")) == bits(&before));
}

#[test]
fn both_sides_are_painted_alike_and_the_hidden_side_not_at_all() {
    let mut harness = painting();
    let at = on_body(&harness);
    stroke(&mut harness, at, at + egui::vec2(50.0, 0.0));
    let surface = PaintSurface::new(state(&harness).show.character());
    let far_side = |values: &[f32]| {
        let x = |vertex: usize| surface.character().rest().positions[vertex].x;
        let size = surface.character().size() as f32;
        let beyond = (0..values.len()).filter(|vertex| x(*vertex) < -0.05 * size);
        beyond.filter(|vertex| values[*vertex] != 0.0).count()
    };
    let one_side = map(&harness, "paint");
    assert_eq!(far_side(&one_side), 0);
    click(&mut harness, "Only what is visible");
    assert!(!brush(&mut harness).only_visible);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    choose(&mut harness, "Symmetry", "Across X");
    assert_eq!(brush(&mut harness).symmetry, Symmetry::AcrossX);
    stroke(&mut harness, at, at + egui::vec2(50.0, 0.0));
    let both = map(&harness, "paint");
    let mirroring = surface.mirroring(Symmetry::AcrossX).unwrap();
    let of = |point: u32| both[surface.meter().vertices_of(point)[0] as usize];
    let mut painted = 0;
    for point in 0..surface.meter().point_count() as u32 {
        let x = surface.meter().positions()[point as usize].x;
        if x < -0.05 * surface.character().size() {
            // The two sides of the cow have other points: what is between some is interpolated.
            let expected = mirroring.value(point, of).unwrap_or_default();
            assert!((of(point) - expected).abs() < 1e-6, "{} {expected}", of(point));
            painted += usize::from(of(point) > 0.0);
        }
    }
    assert!(painted > 60 && far_side(&both) > 60, "{painted}");
}

#[test]
fn keys_and_a_moving_pointer_change_radius_and_strength() {
    let mut harness = painting();
    let at = on_body(&harness);
    harness.hover_at(at);
    harness.run();
    let Brush { radius_sizes, strength, .. } = brush(&mut harness).clone();
    harness.key_press(Key::CloseBracket);
    harness.run();
    assert!((brush(&mut harness).radius_sizes - 1.2 * radius_sizes).abs() < 1e-9);
    harness.key_press(Key::OpenBracket);
    harness.key_press(Key::Period);
    harness.run();
    assert!((brush(&mut harness).radius_sizes - radius_sizes).abs() < 1e-9);
    assert!((brush(&mut harness).strength - strength - 0.05).abs() < 1e-9);
    harness.key_press(Key::Comma);
    harness.run();
    let camera = screen(&harness).camera;
    harness.key_press(Key::R);
    harness.run();
    harness.hover_at(at + egui::vec2(50.0, 0.0));
    harness.run();
    assert!(brush(&mut harness).radius_sizes > 1.5 * radius_sizes);
    button(&mut harness, at + egui::vec2(50.0, 0.0), true);
    button(&mut harness, at + egui::vec2(50.0, 0.0), false);
    harness.run();
    let larger = brush(&mut harness).radius_sizes;
    assert!(map(&harness, "paint").is_empty(), "the click has ended it, and painted nothing");
    assert_eq!(screen(&harness).camera, camera, "F does not frame meanwhile");
    harness.key_press_modifiers(Modifiers::SHIFT, Key::R);
    harness.run();
    harness.hover_at(at - egui::vec2(50.0, 0.0));
    harness.run();
    assert!(brush(&mut harness).strength < strength - 0.1);
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(brush(&mut harness).strength, strength, "Escape takes it back");
    assert_eq!(brush(&mut harness).radius_sizes, larger);
    assert_eq!(state(&harness).viewport.tool, Tool::Paint);
}

#[test]
fn a_pen_that_presses_lighter_paints_less() {
    let mut harness = painting();
    brush(&mut harness).only_visible = false;
    let at = on_body(&harness);
    let touch = |phase| Event::Touch {
        device_id: egui::TouchDeviceId(0),
        id: egui::TouchId(0),
        phase,
        pos: at,
        force: Some(0.5),
    };
    harness.hover_at(at);
    harness.step();
    harness.event(touch(egui::TouchPhase::Start));
    button(&mut harness, at, true);
    harness.event(touch(egui::TouchPhase::End));
    button(&mut harness, at, false);
    harness.run();
    let light = map(&harness, "paint");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    dab(&mut harness, at);
    let full = map(&harness, "paint");
    assert!(full.iter().any(|x| *x > 0.2));
    assert!(full.iter().zip(&light).all(|(full, light)| (0.5 * full - light).abs() < 1e-6));
}

#[test]
fn what_a_box_and_a_lasso_select_is_filled_and_what_is_locked_stays() {
    let mut harness = painting();
    let at = on_body(&harness);
    click(&mut harness, "Box Select");
    let (from, to) = (at - egui::vec2(40.0, 30.0), at + egui::vec2(40.0, 30.0));
    stroke(&mut harness, from, to);
    let selected = state(&harness).viewport.paint.masks.selected_count();
    assert!(selected > 50, "{selected}");
    assert!(state(&harness).session.history().undo_label().is_none(), "selecting is no step");
    picture(&mut harness, "paint-selection");
    click(&mut harness, "Fill");
    click(&mut harness, "The selection");
    let filled = map(&harness, "paint");
    assert_eq!(filled.iter().filter(|x| **x != 0.0).count(), selected);
    assert!(filled.iter().all(|x| [0.0, 0.5].contains(x)), "half a strength");
    assert_eq!(state(&harness).session.history().undo_label(), Some("Fill paint"));
    click(&mut harness, "Lock");
    assert_eq!(state(&harness).viewport.paint.masks.locked_count(), selected);
    click(&mut harness, "Brush");
    assert_eq!(state(&harness).viewport.paint.mode, PaintMode::Brush);
    brush(&mut harness).radius_sizes = 0.2;
    dab(&mut harness, at);
    let around = map(&harness, "paint");
    let mut changed = 0;
    for (around, filled) in around.iter().zip(&filled) {
        match filled {
            0.0 => changed += usize::from(*around != 0.0),
            _ => assert_eq!(around.to_bits(), filled.to_bits(), "it is locked"),
        }
    }
    assert!(changed > 50, "{changed}");
    click(&mut harness, "Unlock All");
    click(&mut harness, "Lasso Select");
    stroke(&mut harness, from, to);
    assert_eq!(state(&harness).viewport.paint.masks.selected_count(), 0, "a line holds nothing");
}

#[test]
fn new_maps_begin_with_what_the_character_is() {
    let mut harness = painting();
    let head = bone_named(&harness, "Head");
    harness.state_mut().state.selection.bones = vec![head];
    harness.run();
    for (entry, name) in
        [("Height", "paint"), ("Softness", "paint 2"), ("Distance to Head", "paint 3")]
    {
        click(&mut harness, "New");
        click(&mut harness, entry);
        assert_eq!(state(&harness).viewport.paint.map, name);
        let values = map(&harness, name);
        assert!(values == state(&harness).viewport.heat.heat.values, "it is seen");
        assert!(values.iter().any(|x| *x > 0.5));
    }
    let height = map(&harness, "paint");
    let character = state(&harness).show.character().clone();
    let (low, high) = character.rest_bounds();
    for (height, at) in height.iter().zip(&character.rest().positions) {
        assert!((height - (at.y - low.y) / (high.y - low.y)).abs() < 1e-6);
    }
    // A port of the graph, as it is now.
    harness.state_mut().state.selection.in_graph = Selection::nodes(["trail"]);
    harness.run();
    click(&mut harness, "New");
    picture(&mut harness, "paint-new");
    click(&mut harness, "Port trail.displacement, as it is now");
    assert!(map(&harness, "paint 4").iter().any(|x| *x > 0.0));
    click(&mut harness, "Whole Map");
    click(&mut harness, "Invert");
    let inverted = map(&harness, "paint 4");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    let port = map(&harness, "paint 4");
    assert!(inverted.iter().zip(&port).all(|(a, b)| *a == 1.0 - *b));
}

/// A style whose node reads a map that nobody has painted.
fn that_wants(map: &str) -> Document {
    let mut document = built_in_style("default").unwrap();
    let text = |text: &str| Setting::Text(text.to_owned());
    let settings = [("source", text("painted")), ("name", text(map))];
    let settings = settings.map(|(port, value)| (port.to_owned(), value)).into();
    let graph = jounce::graph::GraphRef::Top;
    let commands = [
        Command::AddNode {
            graph: graph.clone(),
            id: "wanted".to_owned(),
            node: Node { settings, ..Node::new("Map") },
        },
        Command::AddNode {
            graph: graph.clone(),
            id: "trail2".to_owned(),
            node: Node::new("Floppy"),
        },
        Command::Connect {
            graph: graph.clone(),
            link: link("wanted.value", "trail2.floppiness"),
            adds: false,
        },
        Command::Connect {
            graph,
            link: link("trail2.displacement", "output.displacement"),
            adds: true,
        },
    ];
    commands.into_iter().for_each(|command| drop(document.apply(command).unwrap()));
    document
}

fn link(from: &str, to: &str) -> jounce::graph::Link {
    let port = |text: &str| {
        let (node, port) = text.split_once('.').unwrap();
        jounce::graph::PortRef::new(node, port)
    };
    jounce::graph::Link::new(port(from), port(to))
}

#[test]
fn a_node_that_lacks_its_map_offers_to_paint_it() {
    for by_message in [false, true] {
        let mut harness = support::editor(that_wants("wobble"));
        harness.state_mut().state.selection.in_graph = Selection::nodes(["wanted"]);
        harness.run();
        assert_eq!(state(&harness).show.warnings().len(), 1);
        click(&mut harness, if by_message { "Paint wobble" } else { "Paint It" });
        assert_eq!(state(&harness).viewport.tool, Tool::Paint);
        assert_eq!(state(&harness).viewport.paint.map, "wobble");
        assert!(state(&harness).show.warnings().is_empty(), "it is there now");
        assert!(map(&harness, "wobble").iter().all(|x| *x == 0.0));
        harness.key_press(Key::Num3);
        harness.run();
        let at = on_body(&harness);
        dab(&mut harness, at);
        assert!(map(&harness, "wobble").iter().any(|x| *x > 0.0));
        assert!(harness.query_by_label("Make It Floppy").is_none(), "a node reads it already");
    }
}

#[test]
fn what_is_painted_is_saved_and_another_mesh_is_told() {
    let mut harness = painting();
    let at = on_body(&harness);
    stroke(&mut harness, at, at + egui::vec2(60.0, 0.0));
    click(&mut harness, "Make It Floppy");
    let document = state(&harness).session.document().clone();
    let text = document.to_text().unwrap();
    let bytes_per_vertex =
        (text.len() - built_in_style("default").unwrap().to_text().unwrap().len()) as f64
            / state(&harness).show.character().vertex_count() as f64;
    assert!(bytes_per_vertex < 1.0, "{bytes_per_vertex}");
    let back = Document::from_bytes(text.as_bytes()).unwrap().document;
    assert_eq!(back, document);
    assert!(bits(&back.characters["cow"].maps["paint"]) == bits(&map(&harness, "paint")));
    assert!(state(&harness).show.warnings().is_empty());
    // The same number of vertices, one of them elsewhere.
    let mut parts: jounce::rig::CharacterParts = (**state(&harness).show.character()).clone();
    parts.mesh.positions[0].y += 1e-3;
    let other = Cast::of("cow", Character::new(parts).unwrap());
    harness.state_mut().state.session.set_cast(other);
    harness.run();
    let warnings: Vec<String> =
        state(&harness).show.warnings().iter().map(ToString::to_string).collect();
    assert!(warnings.len() == 1 && warnings[0].contains("painted on another mesh"), "{warnings:?}");
    let at = on_body(&harness);
    dab(&mut harness, at);
    assert!(state(&harness).show.warnings().is_empty(), "who paints on it says that it fits");
}

/// The fox's ears have no bones. A newcomer opens it, paints them, and they flop.
#[test]
fn a_newcomer_makes_the_foxs_ears_floppy() {
    let shared = match std::env::var_os("JOUNCE_SHARED") {
        Some(shared) => shared.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let fox = shared.join("characters/Fox.glb");
    if !fox.exists() {
        skip_loudly(Lacking::Shared, "Fox.glb is not there");
        return;
    }
    let mut document = Document::default();
    document.motion.character = Some(fox.display().to_string());
    document.style = jounce::graph::built_in_style("default").unwrap().style;
    document.motion.looped = true;
    let cast = Cast::load(&document.motion, None).unwrap();
    let scripts = jounce::script::ScriptFolders::new(Vec::new(), std::time::SystemTime::now());
    let session = Session::new(document, cast, scripts);
    let setup = jounce::editor::wgpu_options().wgpu_setup;
    let builder = Harness::builder().with_size([1500.0, 940.0]).wgpu_setup(setup);
    let mut harness = builder.build_eframe(move |cc| {
        let mut editor = Editor::new(cc, session).unwrap();
        editor.state.playhead.is_playing = false;
        editor
    });
    // Its textures are read in the background.
    let is_busy = |harness: &Harness<'static, Editor>| !state(harness).jobs.is_idle();
    for _ in 0..2000 {
        harness.step();
        if !is_busy(&harness) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(!is_busy(&harness));
    harness.key_press(Key::Num3);
    harness.run();
    let before = harness.state_mut().state.show.at(0.4).unwrap().deformed.positions;
    click(&mut harness, "Paint");
    choose(&mut harness, "Symmetry", "Across X");
    // The highest of the fox is an ear.
    let drawn = &state(&harness).viewport.drawn.positions;
    let tip = (0..drawn.len()).max_by(|a, b| drawn[*a].y.total_cmp(&drawn[*b].y)).unwrap();
    let size = state(&harness).show.character().size() as f32;
    // Of what is around its tip, the nearest to the eye.
    let seen = screen(&harness);
    let middle =
        |corners: &[u32; 3]| corners.map(|it| drawn[it as usize]).into_iter().sum::<Vec3>() / 3.0;
    let triangles = &state(&harness).show.character().mesh.triangles;
    let around = triangles.iter().map(middle).filter(|it| it.distance(drawn[tip]) < 0.06 * size);
    let eye = seen.eye();
    let nearest = around.min_by(|a, b| a.distance(eye).total_cmp(&b.distance(eye))).unwrap();
    let at = seen.project(nearest).unwrap();
    brush(&mut harness).strength = 1.0;
    dab(&mut harness, at);
    let painted = map(&harness, "paint");
    let ears: Vec<usize> = (0..painted.len()).filter(|it| painted[*it] > 0.2).collect();
    assert!(!ears.is_empty() && ears.len() * 5 < painted.len(), "{}", ears.len());
    picture(&mut harness, "paint-fox");
    click(&mut harness, "Make It Floppy");
    let after = harness.state_mut().state.show.at(0.4).unwrap().deformed.positions;
    let moved = |it: usize| after[it].distance(before[it]) / size;
    let most = ears.iter().map(|it| moved(*it)).fold(0.0, f32::max);
    assert!(most > 0.002, "the ears flop: {most}");
    let others = (0..painted.len()).filter(|it| painted[*it] == 0.0);
    assert!(others.map(moved).fold(0.0, f32::max) < 1e-5, "and nothing else does");
}
