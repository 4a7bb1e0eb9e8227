//! Selecting, moving, copying.

use super::*;

#[test]
fn clicks_boxes_and_keys_select() {
    let mut hands = example("velocity-skinning");
    let selected = |hands: &Hands| hands.state().state.selection.in_graph.clone();
    click(&mut hands, "node trail");
    let at = place(&hands, "node stretch").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    assert_eq!(Vec::from_iter(selected(&hands).nodes), ["stretch", "trail"]);
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    assert_eq!(Vec::from_iter(selected(&hands).nodes), ["trail"]);
    let parameters = ["floppy", "max-angle"]
        .map(|id| hands.state().state.canvas.node_rect(&GraphRef::Top, id).unwrap());
    let around = parameters.into_iter().reduce(|a, b| a.union(b)).unwrap().expand(4.0);
    drag(&mut hands, around.left_bottom(), around.right_top());
    assert_eq!(Vec::from_iter(selected(&hands).nodes), ["floppy", "max-angle"]);
    press(&mut hands, CTRL, Key::A);
    assert_eq!((selected(&hands).nodes.len(), selected(&hands).comments.len()), (7, 1));
    let void = canvas_rect(&hands).right_bottom() - vec2(30.0, 60.0);
    click_at(&mut hands, void, PointerButton::Primary, NONE);
    assert_eq!(selected(&hands), Default::default());
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}

#[test]
fn moving_several_nodes_is_one_step() {
    let mut hands = example("velocity-skinning");
    click(&mut hands, "node trail");
    let at = place(&hands, "node stretch").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    let zoom = hands.state().state.canvas.zoom(&GraphRef::Top);
    drag_by(&mut hands, "node trail", vec2(60.0, -40.0));
    let by = [60.0, -40.0].map(|pixels: f64| pixels / f64::from(zoom));
    let original = built_in_style("velocity-skinning").unwrap().style.graph;
    for id in ["trail", "stretch"] {
        let (before, after) = (original.nodes[id].position, node(&hands, id).position);
        for axis in 0..2 {
            // The first pixels decide that it is a drag.
            let moved = after[axis] - before[axis];
            assert!((moved - by[axis]).abs() < 8.0, "{id} moved by {moved}, not by {}", by[axis]);
            assert_eq!(after[axis].fract(), 0.0);
        }
    }
    assert_eq!(node(&hands, "velocity").position, original.nodes["velocity"].position);
    undo(&mut hands);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}

fn copied(hands: &Hands) -> String {
    let commands = &hands.output().platform_output.commands;
    let text = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    text.expect("something was copied")
}

#[test]
fn copy_cut_paste_and_duplicate() {
    let mut hands = example("velocity-skinning");
    click(&mut hands, "node velocity");
    let at = place(&hands, "node trail").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    hands.event(Event::Copy);
    hands.step();
    let text = copied(&hands);
    hands.event(Event::Paste(text.clone()));
    hands.run();
    assert_eq!((graph(&hands).nodes.len(), graph(&hands).links.len()), (9, 11));
    assert!(has_link(&hands, ("velocity2", "linear"), ("trail2", "linear")));
    assert_eq!(hands.state().state.selection.in_graph.nodes.len(), 2);
    hands.event(Event::Cut);
    hands.step();
    assert!(copied(&hands).contains("velocity2"));
    hands.run();
    assert_eq!((graph(&hands).nodes.len(), graph(&hands).links.len()), (7, 9));
    click(&mut hands, "node squash");
    press(&mut hands, CTRL, Key::D);
    assert_eq!(node(&hands, "squash2").settings, node(&hands, "squash").settings);
    hands.event(Event::Paste("not ours".to_owned()));
    hands.run();
    assert_eq!(graph(&hands).nodes.len(), 8);
    assert!(last_message(&hands).contains("copy some first"));
    for _ in 0..3 {
        undo(&mut hands);
    }
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}
