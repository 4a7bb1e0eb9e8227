//! Functions that scripts share: `library("name")` and `uses("name")`. No test waits: each tells which files changed.

use jounce::compile::compile;
use jounce::graph::{Document, Link, Node, PortRef, check};
use jounce::script::{Script, ScriptFolders, ScriptOrigin, SharedScripts, script};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

const WAVES: &str = "//! Waves for everybody.\nlibrary(\"waves\");\nconst DEPTH = 0.5;\n\
                     fn half(x) { x * DEPTH }\nfn pulse(x) { half(sin(x)) }\n";
const USER: &str = "node(\"Pulse\", \"Tests\");\nuses(\"waves\");\ninput(\"x\", FLOAT, 1);\n\
                    output(\"displacement\", VEC3);\nfn eval(x) {\n    vec3(pulse(x + DEPTH))\n}\n";
/// The same in one script.
const ALONE: &str = "node(\"Pulse\", \"Tests\");\nconst DEPTH = 0.5;\nfn half(x) { x * DEPTH }\n\
                     fn pulse(x) { half(sin(x)) }\ninput(\"x\", FLOAT, 1);\n\
                     output(\"displacement\", VEC3);\nfn eval(x) {\n    vec3(pulse(x + DEPTH))\n}\n";

struct Bench {
    folder: PathBuf,
    scripts: ScriptFolders,
}

impl Bench {
    fn new(name: &str, files: &[(&str, &str)]) -> Bench {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("libraries").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            std::fs::write(folder.join(file), text).unwrap();
        }
        let scripts = ScriptFolders::new(vec![folder.clone()], SystemTime::UNIX_EPOCH);
        Bench { folder, scripts }
    }

    fn tell(&mut self, file: &str) -> Vec<String> {
        let reloaded = self.scripts.reload(&[self.folder.join(file)], SystemTime::UNIX_EPOCH);
        reloaded.types.into_iter().collect()
    }

    fn write(&mut self, file: &str, text: &str) -> Vec<String> {
        std::fs::write(self.folder.join(file), text).unwrap();
        self.tell(file)
    }

    fn errors(&self) -> Vec<String> {
        let first = |broken: &jounce::script::BrokenScript| {
            let file = broken.file.file_name().unwrap().to_string_lossy().into_owned();
            let place = broken.error.place;
            format!("{file}:{}:{}: {}", place.line, place.column, broken.error.message)
        };
        self.scripts.broken().map(first).collect()
    }

    /// What a document computes with a node.
    fn program(&self, node: Node) -> String {
        let compiled = compile(&document(node).style, self.scripts.library());
        assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
        format!("{:?}", compiled.program.ops)
    }
}

/// A node that moves everything.
fn document(node: Node) -> Document {
    let mut document = Document::default();
    let graph = &mut document.style.graph;
    graph.nodes.insert("pulse".to_owned(), node);
    graph.nodes.insert("output".to_owned(), Node::new("Output"));
    let end = |node: &str| PortRef::new(node, "displacement");
    graph.links.insert(Link::new(end("pulse"), end("output")));
    document
}

fn expression(code: &str) -> Node {
    Node { code: Some(code.to_owned()), ..Node::new("Expression") }
}

#[test]
fn a_shared_function_computes_what_the_same_function_in_the_script_does() {
    // In alphabetical order the user comes first.
    let shared = Bench::new("shared", &[("a_user.rhai", USER), ("waves.rhai", WAVES)]);
    assert_eq!(shared.errors(), [""; 0]);
    let alone = Bench::new("alone", &[("user.rhai", ALONE)]);
    let expected = alone.program(Node::new("Pulse"));
    assert_eq!(shared.program(Node::new("Pulse")), expected);
    assert_eq!(shared.program(expression(USER)), expected, "Expressions use libraries too");
    assert!(shared.scripts.library().get("waves").is_none(), "a library is no node");
    let waves = shared.scripts.library().shared().get("waves").unwrap();
    assert_eq!(waves.doc, "Waves for everybody.");
}

#[test]
fn a_library_that_changes_changes_all_who_use_it() {
    let mut bench = Bench::new("changes", &[("user.rhai", USER), ("waves.rhai", WAVES)]);
    let before = (bench.program(Node::new("Pulse")), bench.program(expression(USER)));
    let other = WAVES.replace("sin(x)", "cos(x)");
    assert_eq!(bench.write("waves.rhai", &other), ["Pulse"]);
    let after = (bench.program(Node::new("Pulse")), bench.program(expression(USER)));
    assert_ne!(after.0, before.0);
    assert_ne!(after.1, before.1);
    // A mistake keeps what worked, for all of them.
    assert_eq!(bench.write("waves.rhai", &other.replace("cos(x)", "cosine(x)")), [""; 0]);
    assert_eq!(bench.errors(), ["waves.rhai:5:20: there is no function `cosine`"]);
    assert_eq!(bench.program(expression(USER)), after.1);
    // One that goes away is missed by name, and what worked goes on.
    std::fs::remove_file(bench.folder.join("waves.rhai")).unwrap();
    bench.tell("waves.rhai");
    let missing = "user.rhai:2:1: there is no library \"waves\"; put a script that begins with library(\"waves\"); into a scripts folder";
    assert_eq!(bench.errors(), [missing]);
    assert_eq!(bench.program(Node::new("Pulse")), after.0);
    let problems = check(&document(expression(USER)), bench.scripts.library());
    let said = problems[0].to_string();
    assert!(said.contains("there is no library \"waves\""), "{said}");
    assert_eq!(bench.write("waves.rhai", WAVES), ["Pulse"]);
    assert_eq!(bench.errors(), [""; 0]);
    assert_eq!(bench.program(Node::new("Pulse")), before.0);
}

#[test]
fn libraries_use_libraries_and_see_only_those() {
    let first = "library(\"first\");\nuses(\"waves\");\nfn twice(x) { pulse(x) * 2 }";
    let user = "node(\"N\", \"T\");\nuses(\"first\");\ninput(\"x\", FLOAT);\noutput(\"displacement\", VEC3);\n\
                fn eval(x) { vec3(twice(x)) }";
    let mut bench =
        Bench::new("chain", &[("a.rhai", user), ("first.rhai", first), ("waves.rhai", WAVES)]);
    assert_eq!(bench.errors(), [""; 0]);
    bench.program(Node::new("N"));
    // What a library uses is its own affair.
    bench.write("a.rhai", &user.replace("twice(x)", "pulse(x)"));
    assert_eq!(bench.errors(), ["a.rhai:5:19: there is no function `pulse`"]);
    // The innermost one changes: all see it.
    bench.write("a.rhai", user);
    let before = bench.program(Node::new("N"));
    bench.write("waves.rhai", &WAVES.replace("0.5", "0.25"));
    assert_ne!(bench.program(Node::new("N")), before);
}

#[test]
fn circles_depth_and_names_that_are_there_twice_get_a_sentence() {
    let library = |name: &str, uses: &str| {
        format!("library(\"{name}\");\nuses(\"{uses}\");\nfn of_{name}(x) {{ x }}")
    };
    let texts = [("a.rhai", library("a", "b")), ("b.rhai", library("b", "a"))];
    let files: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (*file, &**text)).collect();
    let bench = Bench::new("circle", &files);
    let errors = bench.errors();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors.iter().all(|error| error.contains("there is no library")), "{errors:?}");
    // Known libraries that begin to use each other.
    let mut bench = Bench::new("late circle", &[("b.rhai", "library(\"b\"); fn of_b(x) { x }")]);
    bench.write("a.rhai", &texts[0].1);
    assert_eq!(bench.errors(), [""; 0]);
    bench.write("b.rhai", &texts[1].1);
    let errors = bench.errors();
    assert!(
        errors.iter().any(|error| error.contains("uses itself by way of")),
        "the circle is told: {errors:?}"
    );
    let chain: Vec<(String, String)> = (0..12)
        .map(|n| match n {
            11 => (format!("{n}.rhai"), "library(\"l11\"); fn f(x) { x }".to_owned()),
            n => (format!("{n}.rhai"), library(&format!("l{n}"), &format!("l{}", n + 1))),
        })
        .collect();
    let files: Vec<(&str, &str)> = chain.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let errors = Bench::new("deep", &files).errors();
    assert!(errors.iter().any(|it| it.contains("8 of them one inside the other")), "{errors:?}");
    let same = "library(\"other\");\nfn pulse(x) { x }";
    let both = USER.replace("uses(\"waves\");", "uses(\"waves\"); uses(\"other\");");
    let bench =
        Bench::new("twice", &[("other.rhai", same), ("user.rhai", &both), ("waves.rhai", WAVES)]);
    assert_eq!(
        bench.errors(),
        [
            "user.rhai:2:16: `pulse` is in the libraries \"waves\" and \"other\"; rename one of the two functions"
        ]
    );
}

#[test]
fn a_mistake_inside_a_library_is_told_where_it_is_called() {
    let wrong = WAVES.replace("half(sin(x))", "half(sin(x)).y");
    let bench = Bench::new("inside", &[("user.rhai", USER), ("waves.rhai", &wrong)]);
    let errors = bench.errors();
    assert_eq!(
        errors,
        [
            "user.rhai:6:10: in `pulse` of the library \"waves\", 5:28: a float has no parts, so it has no `.y`"
        ]
    );
}

#[test]
fn what_is_no_library_is_refused_with_a_sentence() {
    let read =
        |text: &str| script(text, "l.rhai", ScriptOrigin::BuiltIn, &SharedScripts::default());
    for (text, part) in [
        ("library(\"a\");", "shares nothing yet"),
        ("library(\"a\"); node(\"A\", \"B\"); fn f(x) { x }", "only functions and constants"),
        ("library(\"a\"); input(\"x\", FLOAT); fn f(x) { x }", "only functions and constants"),
        ("library(\"a\"); fn eval(x) { x }", "only functions and constants"),
        ("library(\"a\"); library(\"b\"); fn f(x) { x }", "one library"),
        ("library(1); fn f(x) { x }", "write library(\"name\")"),
        ("library(\"a\"); fn f(x) { nothing + x }", "there is no `nothing`"),
        ("library(\"a\"); fn f(x) { g(x) } fn g(x) { f(1) }", "calls itself"),
        ("library(\"a\"); uses(\"b\"); fn f(x) { x }", "there is no library \"b\""),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
    assert!(matches!(read("library(\"a\"); fn f(x) { x * dt }"), Ok(Script::Library(_))));
    let node =
        jounce::script::node_type("library(\"a\"); fn f(x) { x }", "l.rhai", ScriptOrigin::BuiltIn);
    let error = node.unwrap_err();
    assert!(error.message.contains("this is the library \"a\", not a node"), "{error}");
}

#[test]
fn many_libraries_that_call_each_other_are_bounded() {
    // Each function calls that of the next library eight times.
    let names: Vec<String> = (0..8).map(|n| format!("l{n}")).collect();
    let mut files: Vec<(String, String)> = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let (uses, body) = match names.get(n + 1) {
            Some(next) => {
                let calls = vec![format!("f{}(x)", n + 1); 8].join(" + ");
                (format!("uses(\"{next}\");"), calls)
            }
            None => (String::new(), "x * x".to_owned()),
        };
        let text = format!("library(\"{name}\"); {uses} fn f{n}(x) {{ {body} }}");
        files.push((format!("{name}.rhai"), text));
    }
    let user = "node(\"N\", \"T\"); uses(\"l0\"); input(\"x\", FLOAT); output(\"y\", FLOAT); fn eval(x) { f0(x) }";
    files.push(("z.rhai".to_owned(), user.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let start = Instant::now();
    let bench = Bench::new("many", &files);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let errors = bench.errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].starts_with("z.rhai:1:") && errors[0].contains("becomes too large"),
        "{errors:?}"
    );
}
