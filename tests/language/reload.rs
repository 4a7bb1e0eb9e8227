//! Scripts that change while documents use them. No test waits here: each tells which files changed.

use jounce::compile::compile;
use jounce::graph::{Document, Link, Node, PortRef, Problem, Reason, check};
use jounce::script::{ScriptFolders, ScriptOrigin, Setting};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A folder of scripts with what was read of it.
struct Bench {
    folder: PathBuf,
    scripts: ScriptFolders,
    now: SystemTime,
}

impl Bench {
    fn new(name: &str) -> Bench {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reload").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        let scripts = ScriptFolders::new(vec![folder.clone()], now);
        Bench { folder, scripts, now }
    }

    /// Writes a file and tells of it; the names of types that became different.
    fn write(&mut self, file: &str, bytes: impl AsRef<[u8]>) -> Vec<String> {
        std::fs::write(self.folder.join(file), bytes).unwrap();
        self.tell(file)
    }

    fn remove(&mut self, file: &str) -> Vec<String> {
        std::fs::remove_file(self.folder.join(file)).unwrap();
        self.tell(file)
    }

    fn tell(&mut self, file: &str) -> Vec<String> {
        self.now += Duration::from_secs(60);
        let reloaded = self.scripts.reload(&[self.folder.join(file)], self.now);
        reloaded.types.into_iter().collect()
    }

    fn problems(&self, document: &Document) -> Vec<Problem> {
        let problems = check(document, self.scripts.library());
        // Whatever is wrong, something runs.
        let compiled = compile(&document.style, self.scripts.library());
        assert!(!compiled.program.ops.is_empty());
        problems
    }
}

/// A node "Nudge" with a displacement along an axis, by an input of this name.
fn nudge(input: &str) -> String {
    nudge_as("Nudge", input, 1)
}

fn nudge_as(name: &str, input: &str, axis: usize) -> String {
    let port = input.replace(' ', "_");
    let direction = ["vec3(1, 0, 0)", "vec3(0, 1, 0)", "vec3(0, 0, 1)"][axis];
    format!(
        "//! Moves everything.\nnode(\"{name}\", \"Tests\");\ninput(\"{input}\", FLOAT, 1);\n\
         output(\"displacement\", VEC3);\nfn eval({port}) {{ {direction} * {port} }}\n"
    )
}

/// Parameter → Nudge → Output, with a value set on another input.
fn document() -> Document {
    let mut document = Document::default();
    let graph = &mut document.style.graph;
    let mut nudge = Node::new("Nudge");
    nudge.settings.insert("how far".to_owned(), Setting::Float(0.25));
    graph.nodes.insert("slider".to_owned(), Node::new("Parameter"));
    graph.nodes.insert("nudge".to_owned(), nudge);
    graph.nodes.insert("output".to_owned(), Node::new("Output"));
    for (from, to) in [
        (("slider", "value"), ("nudge", "how far")),
        (("nudge", "displacement"), ("output", "displacement")),
    ] {
        graph.links.insert(Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1)));
    }
    document
}

#[test]
fn a_port_that_goes_away_and_comes_back_keeps_its_link_and_its_value() {
    let mut bench = Bench::new("ports");
    let document = document();
    let before = document.clone();
    assert_eq!(bench.write("nudge.rhai", nudge("how far")), ["Nudge"]);
    assert_eq!(bench.problems(&document), []);

    assert_eq!(bench.write("nudge.rhai", nudge("distance")), ["Nudge"]);
    let problems = bench.problems(&document);
    assert!(!problems.is_empty());
    for problem in &problems {
        assert_eq!(problem.node.as_deref(), Some("nudge"));
        assert_eq!(problem.port.as_deref(), Some("how far"));
        assert!(matches!(problem.reason, Reason::UnknownInput { .. }), "{problem}");
    }
    assert_eq!(document, before, "nothing is dropped");

    bench.write("nudge.rhai", nudge("how far"));
    assert_eq!(bench.problems(&document), []);
    let (from, to) = (PortRef::new("slider", "value"), PortRef::new("nudge", "how far"));
    assert!(document.style.graph.links.contains(&Link::new(from, to)));
    let program = compile(&document.style, bench.scripts.library()).program;
    assert!(program.tables.parameters.iter().any(|p| p.node == "slider"), "the link works again");
}

#[test]
fn the_last_good_version_stays_while_a_script_is_broken() {
    let mut bench = Bench::new("broken");
    let document = document();
    bench.write("nudge.rhai", nudge("how far"));
    let good = bench.scripts.library().get("Nudge").unwrap().clone();
    let good_at = bench.now;

    assert!(bench.write("nudge.rhai", "node(\"Nudge\", ").is_empty());
    assert!(Arc::ptr_eq(bench.scripts.library().get("Nudge").unwrap(), &good));
    assert_eq!(bench.problems(&document), []);
    let broken = bench.scripts.broken().next().unwrap().clone();
    assert_eq!(broken.file, bench.folder.join("nudge.rhai"));
    assert_eq!(broken.in_use.as_deref(), Some("Nudge"));
    assert_eq!(broken.since, good_at + Duration::from_secs(60));
    assert_eq!(broken.error.place.line, 1, "{}", broken.error);

    // Broken in another way: another error, but the good one is in use since the same moment.
    bench.write("nudge.rhai", nudge("how far").replace("* how_far", "* far_how"));
    let other = bench.scripts.broken().next().unwrap();
    assert_ne!(other.error, broken.error);
    assert_eq!(other.since, broken.since);
    // The same text again is no news.
    let again = bench.scripts.reload(&[bench.folder.join("nudge.rhai")], bench.now);
    assert!(again.is_empty(), "{again:?}");

    assert_eq!(bench.write("nudge.rhai", nudge("how far")), ["Nudge"]);
    assert_eq!(bench.scripts.broken().count(), 0);
    assert!(!Arc::ptr_eq(bench.scripts.library().get("Nudge").unwrap(), &good));
}

#[test]
fn a_removed_script_leaves_its_nodes_broken_and_gives_back_what_it_replaced() {
    let mut bench = Bench::new("removed");
    let document = document();
    bench.write("nudge.rhai", nudge("how far"));
    assert_eq!(bench.remove("nudge.rhai"), ["Nudge"]);
    let problems = bench.problems(&document);
    assert!(problems.iter().any(|p| p.to_string().contains("no node type \"Nudge\"")));
    assert!(document.style.graph.nodes.contains_key("nudge"));

    // A script in place of a built-in node, under another file's name.
    let built_in = bench.scripts.library().get("Abs").unwrap().clone();
    assert_eq!(bench.write("mine.rhai", nudge_as("Abs", "how far", 0)), ["Abs"]);
    let own = bench.scripts.library().get("Abs").unwrap();
    assert_eq!(own.origin, ScriptOrigin::File(bench.folder.join("mine.rhai")));
    assert_eq!(bench.scripts.replaced().len(), 1);
    assert_eq!(bench.remove("mine.rhai"), ["Abs"]);
    assert!(Arc::ptr_eq(bench.scripts.library().get("Abs").unwrap(), &built_in));
    assert!(bench.scripts.replaced().is_empty());

    // Of two scripts with one name the later file counts; without it, the earlier is back.
    bench.write("a.rhai", nudge_as("Nudge", "first", 0));
    bench.write("b.rhai", nudge_as("Nudge", "second", 0));
    let first_input =
        |bench: &Bench| bench.scripts.library().get("Nudge").unwrap().inputs[0].name.clone();
    assert_eq!(first_input(&bench), "second");
    // Changing the one that does not count changes nothing.
    assert!(bench.write("a.rhai", nudge_as("Nudge", "third", 0)).is_empty());
    bench.remove("b.rhai");
    assert_eq!(first_input(&bench), "third");
}

#[test]
fn a_node_that_is_renamed_goes_away_under_its_old_name() {
    let mut bench = Bench::new("renamed");
    bench.write("node.rhai", nudge_as("Old", "x", 0));
    assert_eq!(bench.write("node.rhai", nudge_as("New", "x", 0)), ["New", "Old"]);
    assert!(bench.scripts.library().get("Old").is_none());
    // An editor that saves beside the file and renames.
    std::fs::write(bench.folder.join("node.rhai~"), nudge_as("Newest", "x", 0)).unwrap();
    std::fs::rename(bench.folder.join("node.rhai~"), bench.folder.join("node.rhai")).unwrap();
    bench.tell("node.rhai~");
    assert!(bench.scripts.library().get("Newest").is_none(), "it was not told yet");
    assert_eq!(bench.tell("node.rhai"), ["New", "Newest"]);
}

#[test]
fn a_folder_is_looked_through_when_it_is_told_of() {
    let mut bench = Bench::new("folder");
    bench.write("a.rhai", nudge_as("A", "x", 0));
    std::fs::remove_file(bench.folder.join("a.rhai")).unwrap();
    std::fs::write(bench.folder.join("b.rhai"), nudge_as("B", "x", 0)).unwrap();
    let folder = bench.folder.clone();
    let reloaded = bench.scripts.reload(std::slice::from_ref(&folder), bench.now);
    assert_eq!(reloaded.types.into_iter().collect::<Vec<_>>(), ["A", "B"]);
    // By another path to the same place, and when the folder itself is gone.
    let around = folder.join("..").join("folder").join("b.rhai");
    std::fs::write(&around, nudge_as("C", "x", 0)).unwrap();
    assert!(bench.scripts.reload(&[around], bench.now).types.contains("C"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(bench.scripts.reload(&[folder], bench.now).types.contains("C"));
    assert!(bench.scripts.library().get("C").is_none());
}

#[test]
fn whatever_a_file_holds_nothing_breaks() {
    let mut bench = Bench::new("hostile");
    let good = nudge("how far");
    bench.write("nudge.rhai", &good);
    let contents: Vec<Vec<u8>> = vec![
        Vec::new(),
        vec![0xff, 0xfe, 0x00],
        vec![b'x'; 10_000_000],
        "é".repeat(100_000).into_bytes(),
        b"loop { }".to_vec(),
        b"node(\"\", \"\"); fn eval() { eval() }".to_vec(),
        good.as_bytes()[..good.len() / 2].to_vec(),
    ];
    for content in contents {
        bench.write("nudge.rhai", &content);
        assert_eq!(bench.scripts.broken().count(), 1);
        assert!(bench.scripts.library().get("Nudge").is_some());
    }
    // Gone between the event and the look; never there; a folder; not in our folder; no script.
    std::fs::remove_file(bench.folder.join("nudge.rhai")).unwrap();
    std::fs::create_dir(bench.folder.join("folder.rhai")).unwrap();
    for name in ["nudge.rhai", "never.rhai", "folder.rhai", "../elsewhere.rhai", "", "notes.txt"] {
        bench.tell(name);
    }
    assert_eq!(bench.scripts.broken().count(), 0);
    assert!(bench.scripts.library().get("Nudge").is_none());
    let nowhere = ScriptFolders::new(vec![bench.folder.join("nowhere")], bench.now);
    assert!(nowhere.library().get("Floppy").is_some());
}

#[test]
fn expressions_are_known_as_before() {
    let mut bench = Bench::new("expressions");
    let code = "output(\"r\", FLOAT);\nfn eval() { 1.5 }";
    let before = bench.scripts.library().expression(code).unwrap();
    bench.write("nudge.rhai", nudge("how far"));
    let after = bench.scripts.library().expression(code).unwrap();
    assert_eq!((&after.name, after.outputs.len()), (&before.name, 1));
    // A script called Expression is for nodes without code of their own.
    bench.write("expression.rhai", nudge_as("Expression", "x", 2));
    assert_eq!(bench.scripts.library().expression(code).unwrap().outputs[0].name, "r");
    assert!(bench.scripts.library().expression("nonsense(").is_err());
}
