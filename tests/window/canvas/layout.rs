//! How the graphs that come along are laid out, and what lies above what.

use super::*;
use egui::Rect;
use jounce::graph::style_names;

/// Between two nodes, in the space of the graph.
const LEAST_GAP: f32 = 12.0;
/// Of a frame around its nodes, and of its title.
const FRAME_MARGIN: f32 = 16.0;
const FRAME_TITLE: f32 = 26.0;

/// All nodes of the graph that is open, in its own space.
fn node_rects(hands: &Hands) -> Vec<(String, Rect)> {
    let view = &hands.state().state.canvas;
    let open = hands.state().state.graph_ref();
    let graph_from_screen = view.transform(&open).inverse();
    let rect = |id: &String| graph_from_screen * view.node_rect(&open, id).unwrap();
    graph(hands).nodes.keys().map(|id| (id.clone(), rect(id))).collect()
}

/// What an artist would find untidy, in words.
fn untidy(hands: &Hands) -> Vec<String> {
    let rects = node_rects(hands);
    let mut found = Vec::new();
    for (place, (id, rect)) in rects.iter().enumerate() {
        for (other, other_rect) in &rects[..place] {
            if rect.expand(LEAST_GAP).intersects(*other_rect) {
                found.push(format!("{id} lies on or too near to {other}"));
            }
        }
        for (comment, text) in &graph(hands).comments {
            let at = text.position.map(|x| x as f32);
            let size = text.size.map(|x| x as f32);
            let area = Rect::from_min_size(at.into(), size.into());
            if area.intersects(*rect) {
                found.push(format!("{id} lies on the comment {comment}"));
            }
        }
    }
    let rect_of = |id: &String| rects.iter().find(|(known, _)| known == id).unwrap().1;
    for (frame, of) in &graph(hands).frames {
        let around = of.members.iter().map(rect_of).fold(Rect::NOTHING, |all, it| all.union(it));
        let mut around = around.expand(FRAME_MARGIN);
        around.min.y -= FRAME_TITLE;
        let strangers = rects.iter().filter(|(id, _)| !of.members.contains(id));
        for (id, _) in strangers.filter(|(_, rect)| around.intersects(*rect)) {
            found.push(format!("{id} lies in the frame {frame}, and does not belong to it"));
        }
    }
    for link in &graph(hands).links {
        if rect_of(&link.from.node).right() + LEAST_GAP > rect_of(&link.to.node).left() {
            found.push(format!("{} → {} does not go to the right", link.from, link.to));
        }
    }
    found
}

#[test]
fn in_graphs_that_come_along_nothing_overlaps_and_wires_go_to_the_right() {
    let mut all = Vec::new();
    for style in style_names() {
        let mut hands = example(style);
        let groups = (graph(&hands).nodes.iter())
            .filter(|(_, node)| node.group().is_some())
            .map(|(id, _)| vec![id.clone()]);
        for path in std::iter::once(Vec::new()).chain(groups.collect::<Vec<_>>()) {
            hands.state_mut().state.selection.path.clone_from(&path);
            hands.run();
            all.extend(untidy(&hands).into_iter().map(|it| format!("{style} {path:?}: {it}")));
        }
    }
    if std::env::var_os("JOUNCE_BLESS").is_some() {
        let untidy_styles = style_names().filter(|style| {
            let start = format!("{style} []");
            all.iter().any(|line| line.starts_with(&start))
        });
        untidy_styles.for_each(arrange_example);
        return;
    }
    assert!(all.is_empty(), "{} (JOUNCE_BLESS=1 arranges them)", all.join("\n"));
}

/// Arranges a style that has no groups, with its comment above, and writes it back.
fn arrange_example(style: &str) {
    let mut hands = canvas(built_in_style(style).unwrap());
    press(&mut hands, CTRL, Key::L);
    let mut document = super::document(&hands);
    let graph = &mut document.style.graph;
    let edge = |axis: usize| {
        graph.nodes.values().map(|node| node.position[axis]).fold(f64::INFINITY, f64::min)
    };
    let corner = [edge(0), edge(1)];
    for comment in graph.comments.values_mut() {
        comment.position = [corner[0], corner[1] - comment.size[1] - 40.0];
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    document.save(std::path::Path::new(folder).join(format!("{style}.jounce"))).unwrap();
}

#[test]
fn the_law_sees_nodes_that_overlap_and_wires_that_go_back() {
    let mut document = built_in_style("squash").unwrap();
    let output = document.style.graph.nodes["output"].position;
    document.style.graph.nodes.get_mut("stretch").unwrap().position = output;
    let found = untidy(&canvas(document));
    assert!(found.iter().any(|it| it.contains("stretch lies on")), "{found:?}");
    assert!(found.iter().any(|it| it.contains("does not go to the right")), "{found:?}");
}

#[test]
fn nodes_that_lie_about_are_arranged_in_one_step() {
    for style in style_names() {
        let mut document = built_in_style(style).unwrap();
        document.style.graph.comments.clear();
        for (place, node) in document.style.graph.nodes.values_mut().enumerate() {
            node.position = [(place * 7919 % 611) as f64, (place * 104_729 % 389) as f64];
        }
        let mut hands = canvas(document.clone());
        assert!(!untidy(&hands).is_empty());
        press(&mut hands, CTRL, Key::L);
        assert!(untidy(&hands).is_empty(), "{style}: {:?}", untidy(&hands));
        assert_eq!(undo_label(&hands), Some("Arrange"));
        undo(&mut hands);
        assert_eq!(super::document(&hands), document);
    }
}

/// In a window as it opens, whatever the size of the graph.
#[test]
fn a_graph_opens_large_enough_to_be_read_with_its_end_in_view() {
    for style in ["default", "floppy", "snail-ooze"] {
        let mut hands = editor::editor_of_size(built_in_style(style).unwrap(), [1500.0, 940.0]);
        hands.run();
        let view = &hands.state().state.canvas;
        assert!(view.zoom(&GraphRef::Top) >= 0.625, "{style}: {}", view.zoom(&GraphRef::Top));
        let output = view.node_rect(&GraphRef::Top, "output").unwrap();
        let panel = canvas_rect(&hands);
        assert!(panel.contains_rect(output), "{style}: {output:?} in {panel:?}");
    }
}

/// All nodes at one place.
fn heap() -> Document {
    let mut document = empty_like("velocity-skinning");
    for number in 0..16 {
        let id = format!("n{number:02}");
        let node = Node::new("Add");
        document.apply(Command::AddNode { graph: GraphRef::Top, id, node }).unwrap();
    }
    document
}

#[test]
fn of_nodes_that_lie_on_each_other_the_last_of_the_document_is_on_top() {
    let mut hands = canvas(heap());
    let title = place(&hands, "node n00").center();
    click_at(&mut hands, title, PointerButton::Primary, NONE);
    let selected = |hands: &Hands| hands.state().state.selection.in_graph.nodes.clone();
    assert_eq!(Vec::from_iter(selected(&hands)), ["n15"]);
    // What comes later lies above, in its order too.
    press(&mut hands, CTRL, Key::A);
    run_action(&mut hands, "Duplicate");
    let new = selected(&hands);
    assert_eq!(new.len(), 16);
    let void = canvas_rect(&hands).right_bottom() - vec2(30.0, 60.0);
    click_at(&mut hands, void, PointerButton::Primary, NONE);
    let title = place(&hands, &format!("node {}", new.first().unwrap())).center();
    click_at(&mut hands, title, PointerButton::Primary, NONE);
    assert_eq!(selected(&hands).first(), new.last());
}
