//! What the editor does to nodes, each as one command.

use crate::library::*;
use jounce::graph::*;
use jounce::script::Setting;

const TOP: GraphRef = GraphRef::Top;

fn links(document: &Document) -> Vec<String> {
    document.style.graph.links.iter().map(Link::to_string).collect()
}

#[test]
fn a_new_wire_replaces_the_old_one_where_one_is_taken() {
    let mut document = sample();
    let new = link("floppy.displacement", "add.a");
    apply(&mut document, Command::Connect { graph: TOP, link: new, adds: false });
    let expected = [
        "add.result → output.displacement",
        "floppy.displacement → add.a",
        "floppy.displacement → add.b",
    ];
    assert_eq!(links(&document), expected);
}

#[test]
fn removing_a_node_joins_what_it_stood_between() {
    let mut document = sample();
    let command = delete_and_rewire(&document, &library(), &TOP, "add").unwrap();
    apply(&mut document, command);
    // The first linked input counts; the noise is a float and broadcasts.
    assert_eq!(links(&document), ["noise.value → output.displacement"]);
}

#[test]
fn types_that_do_not_fit_are_not_joined() {
    let mut document = Document::default();
    for (id, ty) in [("floppy", "Floppy"), ("length", "Length"), ("noise", "Noise")] {
        add(&mut document, id, ty);
    }
    connect(&mut document, "floppy.displacement", "length.vector");
    connect(&mut document, "length.length", "noise.scale");
    let command = delete_and_rewire(&document, &library(), &TOP, "length").unwrap();
    apply(&mut document, command);
    assert!(links(&document).is_empty());
}

#[test]
fn a_node_is_put_into_a_wire() {
    let mut document = sample();
    let wire = link("add.result", "output.displacement");
    let turn = Some(Node::new("Turn"));
    let command = insert_on_link(&document, &library(), &TOP, &wire, "turn", turn).unwrap();
    apply(&mut document, command);
    assert!(links(&document).contains(&"add.result → turn.vector".to_owned()));
    assert!(links(&document).contains(&"turn.vector → output.displacement".to_owned()));
    assert_eq!(document.style.graph.links.len(), 4);

    add(&mut document, "length", "Length");
    let wire = link("add.result", "turn.vector");
    let refused = insert_on_link(&document, &library(), &TOP, &wire, "noise", None);
    assert_eq!(refused, Err(OperationError::DoesNotFit { node: "noise".to_owned() }));
}

fn bone_value(node: &str, value: f64) -> Command {
    Command::SetBoneValue {
        character: "cow".to_owned(),
        node: node.to_owned(),
        bone: "Tail".to_owned(),
        value: Some(BoneSetting { value, branch: true }),
    }
}

fn paths(document: &Document) -> Vec<&str> {
    let cow = document.characters.get("cow");
    cow.map(|cow| cow.bone_values.keys().map(String::as_str).collect()).unwrap_or_default()
}

#[test]
fn bone_values_follow_their_node() {
    let mut document = sample();
    apply(&mut document, bone_value("noise", 2.0));
    let copy = duplicate(&document, &TOP, &Selection::nodes(["noise"]), [20.0, 20.0]);
    apply(&mut document, copy.command);
    assert_eq!(paths(&document), ["noise", "noise2"]);
    let edit = make_group(&document, &TOP, &Selection::nodes(["noise", "add"]), "Soft").unwrap();
    apply(&mut document, edit.command);
    assert_eq!(paths(&document), ["noise2", "soft/noise"]);
    let inside = GraphRef::Group("Soft".to_owned());
    let edit = make_group(&document, &inside, &Selection::nodes(["noise"]), "Softer").unwrap();
    apply(&mut document, edit.command);
    assert_eq!(paths(&document), ["noise2", "soft/softer/noise"]);
    let edit = ungroup(&document, &TOP, "soft").unwrap();
    apply(&mut document, edit.command);
    assert_eq!(paths(&document), ["noise2", "softer/noise"]);
    let command = delete(&document, &TOP, &Selection::nodes(["softer", "noise2"]));
    apply(&mut document, command);
    assert!(document.characters.is_empty());
}

#[test]
fn a_group_keeps_wires_and_ungrouping_gives_them_back() {
    let before = sample();
    let mut document = before.clone();
    let selection = Selection::nodes(["floppy", "add"]);
    let edit = make_group(&document, &TOP, &selection, "Soft Part").unwrap();
    apply(&mut document, edit.command);
    assert_eq!(edit.created, Selection::nodes(["soft_part"]));
    assert_eq!(
        links(&document),
        ["noise.value → soft_part.a", "soft_part.result → output.displacement"]
    );
    set(&mut document, "soft_part.a", Setting::Float(3.0));
    let edit = ungroup(&document, &TOP, "soft_part").unwrap();
    apply(&mut document, edit.command);
    let mut expected = before;
    set(&mut expected, "add.a", Setting::Float(3.0));
    assert_eq!(document, expected);
}

#[test]
fn what_cannot_be_grouped_is_refused() {
    let mut document = sample();
    let group = |document: &Document, nodes: &[&str], name: &str| {
        let selection = Selection::nodes(nodes.iter().copied());
        make_group(document, &TOP, &selection, name).unwrap_err().to_string()
    };
    assert!(group(&document, &[], "G").contains("nothing is selected"));
    assert!(group(&document, &["gone"], "G").contains("nothing is selected"));
    assert!(group(&document, &["output"], "G").contains("Output node cannot go into a group"));
    assert!(group(&document, &["add"], "a/b").contains("cannot name a group"));
    add(&mut document, "turn", "Turn");
    connect(&mut document, "add.result", "turn.vector");
    add(&mut document, "length", "Length");
    connect(&mut document, "turn.vector", "length.vector");
    assert!(group(&document, &["add", "length"], "G").contains("through \"turn\""));
}

#[test]
fn a_group_cannot_be_inside_itself() {
    let mut document = sample();
    let edit = make_group(&document, &TOP, &Selection::nodes(["add"]), "Outer").unwrap();
    apply(&mut document, edit.command);
    let inside = GraphRef::Group("Outer".to_owned());
    let (id, node) = ("again".to_owned(), Node::new("group:Outer"));
    let command = Command::AddNode { graph: inside.clone(), id, node };
    let before = document.clone();
    let refused = document.apply(command).unwrap_err().to_string();
    assert!(refused.contains("\"Outer\" would contain itself"), "{refused}");
    let (node, node_type) = ("add".to_owned(), "group:Outer".to_owned());
    document.apply(Command::SetType { graph: inside, node, node_type }).unwrap_err();
    assert_eq!(document, before);
    let command = rename_group(&document.style, "Outer", "Better").unwrap();
    apply(&mut document, command);
    assert_eq!(document.style.graph.nodes["outer"].node_type, "group:Better");
}

#[test]
fn a_failing_batch_leaves_nothing_behind() {
    let mut document = sample();
    let before = document.clone();
    let remove = |id: &str| Command::RemoveNode { graph: TOP, id: id.to_owned() };
    let batch = Command::Batch(vec![remove("add"), bone_value("x", 1.0), remove("gone")]);
    let error = document.apply(batch).unwrap_err().to_string();
    assert_eq!(error, "the graph has no node \"gone\"; it may have been removed");
    assert_eq!(document, before);
}

#[test]
fn pasted_nodes_get_ids_of_their_own_and_keep_their_links() {
    let mut document = sample();
    let selection = Selection::nodes(["noise", "add"]);
    let text = Fragment::copy(&document.style, &TOP, &selection).to_text();
    let edit = Fragment::from_text(&text).unwrap().insert(&document.style, &TOP, [30.0, 0.0]);
    apply(&mut document, edit.command);
    assert_eq!(edit.created, Selection::nodes(["add2", "noise2"]));
    assert!(links(&document).contains(&"noise2.value → add2.a".to_owned()));
    assert_eq!(document.style.graph.nodes["add2"].position, [30.0, 0.0]);
}

#[test]
fn a_pasted_group_of_the_same_name_but_another_inside_is_renamed() {
    let mut source = sample();
    let edit = make_group(&source, &TOP, &Selection::nodes(["add"]), "Soft").unwrap();
    apply(&mut source, edit.command);
    let part = Fragment::copy(&source.style, &TOP, &Selection::nodes(["soft"]));
    let mut same = source.clone();
    apply(&mut same, part.insert(&source.style, &TOP, [0.0; 2]).command);
    assert_eq!(same.style.groups.len(), 1);

    let (name, doc) = ("Soft".to_owned(), "Another.".to_owned());
    apply(&mut source, Command::SetGroupDoc { name, doc });
    let edit = part.insert(&source.style, &TOP, [0.0; 2]);
    apply(&mut source, edit.command);
    assert_eq!(source.style.groups.keys().collect::<Vec<_>>(), ["Soft", "Soft 2"]);
    assert_eq!(source.style.graph.nodes["soft2"].node_type, "group:Soft 2");
}

#[test]
fn text_that_is_not_ours_is_not_pasted() {
    let newer = "{\"jounce nodes\": 7}";
    let cycle = r#"{"jounce nodes": 1, "graph": {"nodes": {"a": {"type": "T"}}, "links": [["a.x", "a.y"]]}}"#;
    let cases = [
        ("hello", "does not hold any Jounce nodes"),
        ("{}", "does not hold any Jounce nodes"),
        (newer, "newer Jounce"),
        ("{\"jounce nodes\": 1}", "damaged (missing field `graph`)"),
        (cycle, "wires a node to itself"),
    ];
    for (text, expected) in cases {
        let error = Fragment::from_text(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
