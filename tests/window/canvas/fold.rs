//! Inputs that are folded away, and come out when they are needed.

use super::*;

fn is_shown(hands: &Hands, label: &str) -> bool {
    hands.query_by_label(label).is_some()
}

#[test]
fn inputs_that_bring_their_own_data_are_folded_away_until_a_click() {
    let mut hands = example("velocity-skinning");
    let before = document(&hands);
    assert!(is_shown(&hands, "input trail.linear"), "what is linked is shown");
    assert!(is_shown(&hands, "input trail.move"), "and what can be set");
    assert!(!is_shown(&hands, "input trail.position"));
    let (linear, height) = (place(&hands, "input trail.linear"), node_height(&hands, "trail"));
    click(&mut hands, "more inputs of trail");
    for port in ["position", "origin", "size"] {
        assert!(is_shown(&hands, &format!("input trail.{port}")), "{port}");
    }
    assert_eq!(place(&hands, "input trail.linear"), linear, "nothing moves under the hand");
    assert!(!is_shown(&hands, "input stretch.position"), "others stay folded");
    click(&mut hands, "more inputs of trail");
    assert!(!is_shown(&hands, "input trail.position"));
    assert_eq!(node_height(&hands, "trail"), height);
    run_action(&mut hands, "All Inputs");
    assert!(is_shown(&hands, "input trail.position") && is_shown(&hands, "input stretch.position"));
    assert_eq!(document(&hands), before, "how it is looked at is not part of the document");
}

fn node_height(hands: &Hands, id: &str) -> f32 {
    hands.state().state.canvas.node_rect(&GraphRef::Top, id).unwrap().height()
}

#[test]
fn a_wire_in_the_hand_brings_out_where_it_can_go() {
    let mut hands = example("velocity-skinning");
    let corner = canvas_rect(&hands).left_bottom() + vec2(40.0, -300.0);
    add(&mut hands, "character", corner);
    assert!(!is_shown(&hands, "input trail.position"));
    link(&mut hands, "character.position", "trail.position");
    assert!(has_link(&hands, ("character", "position"), ("trail", "position")));
    assert!(is_shown(&hands, "input trail.position"), "what is linked stays");
    assert!(!is_shown(&hands, "input stretch.position"), "the others go back");
    undo(&mut hands);
    assert!(!is_shown(&hands, "input trail.position"));
}
