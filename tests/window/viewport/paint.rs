//! Painting: what a hand does on the picture is read back as the numbers of a map.

use super::*;
use egui::{Event, PointerButton};
use jounce::eval::heat::HeatSubject;
use jounce::session::painting::{Brush, BrushTool, PaintSurface, Sight};

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
    let sight = Sight::new(screen.camera, aspect, &state.viewport.drawn.positions, character.size());
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
