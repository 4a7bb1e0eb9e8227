//! Panning, zooming, and large graphs.

use super::*;

#[test]
fn the_wheel_zooms_to_the_pointer_and_f_shows_all() {
    let mut hands = example("velocity-skinning");
    let zoom = |hands: &Hands| hands.state().state.canvas.zoom(&GraphRef::Top);
    let fitted = zoom(&hands);
    let pin = place(&hands, "input velocity.smoothing").center();
    hands.event(Event::PointerMoved(pin));
    hands.step();
    let (unit, phase) = (egui::MouseWheelUnit::Point, egui::TouchPhase::Move);
    let delta = vec2(0.0, 120.0);
    hands.event(Event::MouseWheel { unit, delta, modifiers: NONE, phase });
    hands.run();
    assert!(zoom(&hands) > fitted * 1.2, "{} → {}", fitted, zoom(&hands));
    assert!(place(&hands, "input velocity.smoothing").center().distance(pin) < 2.5);
    let from = pin;
    hands.event(Event::PointerButton {
        pos: from,
        button: PointerButton::Middle,
        pressed: true,
        modifiers: NONE,
    });
    hands.step();
    hands.event(Event::PointerMoved(from + vec2(30.0, 20.0)));
    hands.step();
    let pos = from + vec2(30.0, 20.0);
    hands.event(Event::PointerButton {
        pos,
        button: PointerButton::Middle,
        pressed: false,
        modifiers: NONE,
    });
    hands.run();
    let panned = place(&hands, "input velocity.smoothing").center() - pin;
    assert!((panned - vec2(30.0, 20.0)).length() < 3.0, "{panned:?}");
    press(&mut hands, NONE, Key::F);
    // One step of zoom: letters of another size make nodes a little wider or narrower.
    assert!((zoom(&hands) - fitted).abs() < 0.04, "{} is not {fitted}", zoom(&hands));
    let all = canvas_rect(&hands);
    for id in graph(&hands).nodes.keys() {
        let rect = hands.state().state.canvas.node_rect(&GraphRef::Top, id).unwrap();
        assert!(all.contains_rect(rect), "{id}");
    }
    assert!(hands.state().state.viewport.camera.is_none(), "the camera keeps where it is");
}

fn large() -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let graph = GraphRef::Top;
    for number in 0..200 {
        let position = [f64::from(number % 20) * 220.0, 800.0 + f64::from(number / 20) * 180.0];
        let node = Node { position, ..Node::new(if number % 2 == 0 { "Add" } else { "Multiply" }) };
        let id = format!("n{number}");
        let add = Command::AddNode { graph: graph.clone(), id: id.clone(), node };
        document.apply(add).unwrap();
        if number > 0 {
            let from = format!("n{}", number - 1);
            let output = if number % 2 == 1 { "Add" } else { "Multiply" };
            let library = Library::built_in();
            let port = library.get(output).unwrap().outputs[0].name.clone();
            let input = library.get(if number % 2 == 0 { "Add" } else { "Multiply" }).unwrap();
            let to = PortRef::new(&id, &input.inputs[0].name);
            let link = Link::new(PortRef::new(from, port), to);
            document.apply(Command::Connect { graph: graph.clone(), link, adds: false }).unwrap();
        }
    }
    document
}

#[test]
fn two_hundred_nodes_are_taken_over_once_not_in_every_frame() {
    let mut hands = canvas(large());
    hands.run();
    let before = hands.state().state.canvas.rebuild_count();
    let began = std::time::Instant::now();
    const FRAMES: u32 = 20;
    for frame in 0..FRAMES {
        hands.hover_at(canvas_rect(&hands).center() + vec2(frame as f32, 0.0));
        hands.step();
    }
    eprintln!("a frame with 207 nodes: {:.1} ms", began.elapsed().as_secs_f64() * 50.0);
    assert_eq!(hands.state().state.canvas.rebuild_count(), before);
    picture(&mut hands, "canvas-large");
    let compiled = hands.state().state.show.compile_count();
    drag_by(&mut hands, "node n0", vec2(50.0, 0.0));
    assert_eq!(hands.state().state.show.compile_count(), compiled, "moving compiles nothing");
    assert!(node(&hands, "n0").position[0] > 50.0);
}
