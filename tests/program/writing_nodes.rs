//! From nodes to code of one's own, and back: what is computed stays the same.

use jounce::compile::compile;
use jounce::graph::{Command, Document, EXPRESSION_TYPE, GraphRef, Node, STYLES, built_in_style};
use jounce::script::ScriptFolders;
use jounce::script::editing::TEMPLATES;
use jounce::session::{Cast, CodeOf, ForkError, Session};
use std::path::PathBuf;

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("writing_nodes").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    // The folder of scripts itself appears with the first one.
    folder.join("scripts")
}

fn session(document: Document, folder: Option<PathBuf>) -> Session {
    let cast = Cast::load(&document.motion, None).unwrap();
    let folders = folder.into_iter().collect();
    let scripts = ScriptFolders::new(folders, std::time::SystemTime::UNIX_EPOCH);
    Session::new(document, cast, scripts)
}

/// What is computed, whatever nodes are called.
fn computed(session: &Session) -> String {
    let compiled = compile(&session.document().style, session.library());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    format!("{:?} {:?}", compiled.program.ops, compiled.program.position)
}

#[test]
fn any_node_of_any_style_is_the_same_as_an_expression() {
    let mut count = 0;
    for style in STYLES {
        let document = built_in_style(style.name).unwrap();
        let mut session = session(document.clone(), None);
        let before = computed(&session);
        let nodes: Vec<String> = document.style.graph.nodes.keys().cloned().collect();
        for id in nodes {
            let graph = GraphRef::Top;
            if !session.can_be_expression(&graph, &id) {
                continue;
            }
            session.turn_into_expression(&graph, &id).unwrap();
            count += 1;
            let node = &session.document().style.graph.nodes[&id];
            assert_eq!(node.node_type, EXPRESSION_TYPE);
            assert!(node.title.is_some(), "it is still called what it was");
        }
        assert_eq!(computed(&session), before, "{}", style.name);
        while session.undo().is_some() {}
        assert_eq!(*session.document(), document, "one step each");
    }
    assert!(count > 100, "{count}");
}

fn with_expression(code: &str) -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let node = Node { code: Some(code.to_owned()), ..Node::new(EXPRESSION_TYPE) };
    let (graph, id) = (GraphRef::Top, "mine".to_owned());
    document.apply(Command::AddNode { graph, id, node }).unwrap();
    document
}

const TWICE: &str = "input(\"x\", FLOAT, 1);\noutput(\"y\", FLOAT);\nfn eval(x) {\n    x * 2\n}\n";

#[test]
fn an_expression_that_is_saved_is_a_node_for_all_documents() {
    let folder = scratch("save");
    let mut session = session(with_expression(TWICE), Some(folder.clone()));
    let before = computed(&session);
    let path = session.save_as_node(&GraphRef::Top, "mine", " Twice ").unwrap();
    assert_eq!(path, folder.join("twice.rhai"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, format!("node(\"Twice\", \"My nodes\");\n{TWICE}"));
    let node = &session.document().style.graph.nodes["mine"];
    assert_eq!((node.node_type.as_str(), &node.code), ("Twice", &None));
    assert!(session.library().get("Twice").is_some());
    assert_eq!(computed(&session), before);
    assert_eq!(session.code_of_node(&GraphRef::Top, "mine"), Some(CodeOf::File(path.clone())));
    // A built-in node can be saved under another name too.
    let forked = session.save_as_node(&GraphRef::Top, "trail", "My Floppy").unwrap();
    assert!(
        std::fs::read_to_string(forked).unwrap().contains("node(\"My Floppy\", \"Deformers\")")
    );
    assert_eq!(computed(&session), before);
    session.undo();
    session.undo();
    assert_eq!(session.document().style.graph.nodes["mine"].code.as_deref(), Some(TWICE));
}

#[test]
fn what_cannot_be_saved_says_why_and_changes_nothing() {
    let folder = scratch("refuse");
    let mut session = session(with_expression(TWICE), Some(folder.clone()));
    let before = session.document().clone();
    let mut refused = |name: &str| session.save_as_node(&GraphRef::Top, "mine", name).unwrap_err();
    assert!(matches!(refused("Floppy"), ForkError::NameTaken(_)));
    assert!(matches!(refused("  "), ForkError::NoName));
    assert!(matches!(refused("../x"), ForkError::Mistake(_)), "no way out of the folder");
    assert!(matches!(refused("a\"b"), ForkError::Mistake(_)));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("twice.rhai"), "somebody's own").unwrap();
    assert!(matches!(refused("Twice"), ForkError::FileTaken(_)));
    assert_eq!(std::fs::read_to_string(folder.join("twice.rhai")).unwrap(), "somebody's own");
    for id in ["output", "floppy", "nobody"] {
        let error = session.save_as_node(&GraphRef::Top, id, "Other").unwrap_err();
        assert!(matches!(error, ForkError::NoCode), "{id}: {error}");
    }
    assert_eq!(*session.document(), before);
    let code = CodeOf::Expression { graph: GraphRef::Top, node: "mine".to_owned() };
    session.set_code(&code, "fn eval() { nothing }");
    let error = session.save_as_node(&GraphRef::Top, "mine", "Other").unwrap_err();
    assert!(error.to_string().contains("correct it first"), "{error}");
}

#[test]
fn every_template_becomes_a_script_that_can_be_changed() {
    let folder = scratch("templates");
    let mut session = session(Document::default(), Some(folder.clone()));
    for (place, template) in TEMPLATES.iter().enumerate() {
        let name = format!("Mine {}", ["a", "b", "c", "d", "e"][place]);
        let path = session.new_script(&name, template).unwrap();
        let is_node = session.library().get(&name).is_some();
        let is_library = session.library().shared().get(&name).is_some();
        assert_eq!((is_node, is_library), (!template.is_library, template.is_library));
        assert!(session.new_script(&name, template).is_err(), "the name is taken");
        let of = CodeOf::File(path);
        let text = session.code(&of).unwrap();
        assert!(session.code_error(&of).is_none());
        assert!(session.set_code(&of, &text.replace("fn ", "fnn ")));
        let error = session.code_error(&of).unwrap();
        assert!(error.place.line > 0, "{error}");
        let still = session.library().get(&name).is_some() || template.is_library;
        assert!(still, "the last version that worked is used");
        session.set_code(&of, &text);
        assert!(session.code_error(&of).is_none());
    }
    assert_eq!(session.scripts().files().count(), TEMPLATES.len());
}
