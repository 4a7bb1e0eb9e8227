//! Hearing one voice, and having all back.

use crate::library::*;
use jounce::graph::*;
use jounce::script::Library;
use std::collections::BTreeSet;

const TOP: GraphRef = GraphRef::Top;

/// `trail` and `stretch`, added up in `together`, go through `limit` and `feet`.
fn two_deformers() -> Document {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/soft.jounce");
    Document::load(file).unwrap().document
}

fn names(ids: &[&str]) -> BTreeSet<String> {
    ids.iter().map(|&id| id.to_owned()).collect()
}

fn muted(document: &Document, graph: &GraphRef) -> Vec<String> {
    let nodes = document.style.graph(graph).unwrap().nodes.iter();
    nodes.filter(|(_, node)| node.muted).map(|(id, _)| id.clone()).collect()
}

fn press(document: &mut Document, graph: &GraphRef, ids: &[&str]) -> Result<(), OperationError> {
    let command = solo(document, &Library::built_in(), graph, &names(ids))?;
    document.apply(command).unwrap();
    Ok(())
}

fn user_mutes(document: &mut Document, node: &str, muted: bool) {
    let (graph, node) = (TOP, node.to_owned());
    document.apply(Command::SetMuted { graph, node, muted }).unwrap();
}

#[test]
fn a_document_is_heard_one_deformer_at_a_time() {
    let start = two_deformers();
    for (heard, silent) in [("trail", "stretch"), ("stretch", "trail"), ("squash", "trail")] {
        let mut document = start.clone();
        press(&mut document, &TOP, &[heard]).unwrap();
        assert_eq!(muted(&document, &TOP), [silent], "{heard} alone");
        assert!(is_solo(&document, &Library::built_in(), &TOP, &names(&[heard])));
        press(&mut document, &TOP, &[heard]).unwrap();
        assert_eq!(document, start, "and all again");
    }
}

#[test]
fn where_nothing_joins_there_is_nothing_to_mute() {
    let mut document = two_deformers();
    for through in ["feet", "velocity", "together"] {
        let nothing = press(&mut document, &TOP, &[through]);
        assert_eq!(nothing, Err(OperationError::NothingBeside), "{through}");
    }
    add(&mut document, "lone", "Noise");
    assert_eq!(press(&mut document, &TOP, &["lone"]), Err(OperationError::NotHeard));
}

#[test]
fn what_the_user_had_muted_stays_muted() {
    let mut start = two_deformers();
    user_mutes(&mut start, "limit", true);
    user_mutes(&mut start, "trail", true);
    let mut document = start.clone();
    // A muted node that is to be heard alone is heard.
    press(&mut document, &TOP, &["trail"]).unwrap();
    assert_eq!(muted(&document, &TOP), ["limit", "stretch"]);
    // On to the other, without an end between.
    press(&mut document, &TOP, &["stretch"]).unwrap();
    assert_eq!(muted(&document, &TOP), ["limit", "trail"]);
    press(&mut document, &TOP, &["trail"]).unwrap();
    // It survives the file.
    let text = document.to_text().unwrap();
    let mut document = Document::from_bytes(text.as_bytes()).unwrap().document;
    press(&mut document, &TOP, &["trail"]).unwrap();
    assert_eq!(document, start);
}

#[test]
fn what_the_user_mutes_meanwhile_is_not_undone_by_the_end() {
    let mut document = two_deformers();
    press(&mut document, &TOP, &["trail"]).unwrap();
    user_mutes(&mut document, "stretch", true);
    assert!(document.style.graph.nodes["stretch"].muted_before_solo.is_none());
    assert_eq!(press(&mut document, &TOP, &["trail"]), Err(OperationError::NothingBeside));
    assert_eq!(muted(&document, &TOP), ["stretch"]);
}

#[test]
fn a_branch_that_a_muted_node_would_let_through_is_muted_to_its_source() {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let library = Library::built_in();
    let wire = link("trail.displacement", "output.displacement");
    let limit = Some(Node::new("Limit Length"));
    let command = insert_on_link(&document, &library, &TOP, &wire, "limit", limit).unwrap();
    document.apply(command).unwrap();
    press(&mut document, &TOP, &["stretch"]).unwrap();
    assert_eq!(muted(&document, &TOP), ["limit", "trail"]);
}

#[test]
fn inside_a_group_its_own_results_count() {
    let mut document = two_deformers();
    let body = Selection::nodes(["trail", "stretch", "together"]);
    let edit = make_group(&document, &TOP, &body, "Body").unwrap();
    document.apply(edit.command).unwrap();
    let before = document.clone();
    let inside = GraphRef::Group("Body".to_owned());
    press(&mut document, &inside, &["stretch"]).unwrap();
    assert_eq!(muted(&document, &inside), ["trail"]);
    assert!(muted(&document, &TOP).is_empty());
    press(&mut document, &inside, &["stretch"]).unwrap();
    assert_eq!(document, before);
}
