//! Frames, comments and groups.

use super::*;

#[test]
fn frames_and_comments() {
    let mut hands = example("velocity-skinning");
    let at = place(&hands, "comment about").center();
    click_at(&mut hands, at, PointerButton::Primary, NONE);
    assert!(is_marked(&hands, "comment about"));
    drag_by(&mut hands, "comment about", vec2(0.0, -30.0));
    assert!(graph(&hands).comments["about"].position[1] < -130.0);
    let corner = place(&hands, "comment about").max - vec2(5.0, 5.0);
    drag(&mut hands, corner, corner + vec2(50.0, 20.0));
    assert!(graph(&hands).comments["about"].size[0] > 440.0);
    assert_eq!(undo_label(&hands), Some("Resize comment"));
    press(&mut hands, NONE, Key::F2);
    press(&mut hands, CTRL, Key::A);
    write(&mut hands, "Hello");
    press(&mut hands, CTRL, Key::Enter);
    assert_eq!(graph(&hands).comments["about"].text, "Hello");
    press(&mut hands, NONE, Key::Delete);
    assert!(graph(&hands).comments.is_empty());

    click(&mut hands, "node trail");
    let at = place(&hands, "node stretch").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    press(&mut hands, CTRL, Key::J);
    click(&mut hands, "colour 3");
    press(&mut hands, NONE, Key::Enter);
    let frame = &graph(&hands).frames["frame1"];
    assert_eq!(Vec::from_iter(frame.members.clone()), ["stretch", "trail"]);
    assert_eq!(frame.color, [176, 122, 74]);
    picture(&mut hands, "canvas-frame");
    let before = [node(&hands, "trail").position, node(&hands, "stretch").position];
    drag_by(&mut hands, "frame frame1", vec2(40.0, 40.0));
    let after = [node(&hands, "trail").position, node(&hands, "stretch").position];
    let moved = [0, 1].map(|place: usize| after[place][0] - before[place][0]);
    assert!(moved[0] > 30.0 && moved[0] == moved[1], "{moved:?}");
    assert_eq!(undo_label(&hands), Some("Move frame"));
    press(&mut hands, NONE, Key::Delete);
    assert!(graph(&hands).frames.is_empty());
    assert_eq!(graph(&hands).nodes.len(), 7, "what is in a frame stays");
}

#[test]
fn groups_keep_their_wires_and_can_be_entered_and_left() {
    let mut hands = example("velocity-skinning");
    let before = baked(&mut hands, 0.4);
    click(&mut hands, "node trail");
    let at = place(&hands, "node stretch").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    press(&mut hands, CTRL, Key::G);
    press(&mut hands, CTRL, Key::A);
    write(&mut hands, "Body");
    press(&mut hands, NONE, Key::Enter);
    assert_eq!(graph(&hands).nodes.len(), 6);
    assert_eq!(farthest(&before, &baked(&mut hands, 0.4)), 0.0);
    picture(&mut hands, "canvas-group");
    let title = place(&hands, "node body").center();
    double_click_at(&mut hands, title);
    assert_eq!(hands.state().state.selection.path, ["body"]);
    assert_eq!(hands.state().state.graph_ref(), GraphRef::Group("Body".to_owned()));
    assert_eq!(graph(&hands).nodes.len(), 2);
    run_action(&mut hands, "Rename Group…");
    press(&mut hands, CTRL, Key::A);
    write(&mut hands, "Flesh");
    press(&mut hands, NONE, Key::Enter);
    assert!(document(&hands).style.groups.contains_key("Flesh"));
    click(&mut hands, "back to Graph");
    assert_eq!(hands.state().state.selection.path.len(), 0);
    click(&mut hands, "node body");
    press(&mut hands, CTRL, Key::ArrowDown);
    assert_eq!(hands.state().state.selection.path, ["body"]);
    press(&mut hands, CTRL, Key::ArrowUp);
    press(&mut hands, CTRL.plus(Modifiers::SHIFT), Key::G);
    assert_eq!(graph(&hands).nodes.len(), 7);
    assert!(document(&hands).style.groups.is_empty());
    assert_eq!(farthest(&before, &baked(&mut hands, 0.4)), 0.0);
    // Undone while it is open, a group is left.
    undo(&mut hands);
    click(&mut hands, "node body");
    press(&mut hands, CTRL, Key::ArrowDown);
    undo(&mut hands);
    undo(&mut hands);
    assert_eq!(hands.state().state.selection.path.len(), 0);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}
