//! What the documents say about the project is true.

use jounce::script::{Script, ScriptOrigin, SharedScripts, script};
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Words in `backticks` that look like paths of this project.
fn paths_in(text: &str) -> Vec<String> {
    let is_path = |word: &&str| {
        let known =
            ["src/", "tests/", "shaders/", "examples/", "nodes/", "scripts/", "docs/", ".ci/"];
        known.iter().any(|start| word.starts_with(start)) && !word.contains(['*', '<', ' ', '…'])
    };
    text.split('`').skip(1).step_by(2).filter(is_path).map(str::to_owned).collect()
}

fn documents() -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(root()).unwrap().chain(std::fs::read_dir(root().join("docs")).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|e| e == "md")).collect()
}

#[test]
fn every_path_named_in_a_document_exists() {
    let mut count = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for path in paths_in(&text) {
            count += 1;
            assert!(root().join(&path).exists(), "{} names {path}", document.display());
        }
        // Links and pictures: ](path)
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !link.starts_with("http") && !link.starts_with('#') {
                let base = document.parent().unwrap();
                assert!(base.join(link).exists(), "{} links to {link}", document.display());
            }
        }
    }
    assert!(
        count > 20,
        "only {count} paths were found; is the test still looking in the right place?"
    );
}

#[test]
fn every_script_in_a_guide_is_sound() {
    let mut count = 0;
    for guide in ["README.md", "nodes/README.md", "scripts/README.md", "docs/writing-nodes.md"] {
        let text = std::fs::read_to_string(root().join(guide)).unwrap();
        // A library stands before what uses it.
        let mut shared = SharedScripts::default();
        for block in text.split("```rhai\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            match script(block, guide, ScriptOrigin::Document, &shared).unwrap() {
                Script::Library(library) => shared.insert(library.into()),
                Script::Node(_) => {}
            }
            count += 1;
        }
    }
    assert!(count >= 6, "{count}");
}

/// What the README shows of Rust is what `cargo test` compiles.
#[test]
fn the_program_in_the_readme_is_an_example() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let example = std::fs::read_to_string(root().join("examples/deform.rs")).unwrap();
    let block = text.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let lines = block.lines().filter(|line| !line.is_empty());
    let mut rest = example.lines().map(str::trim_start);
    for line in lines {
        assert!(rest.any(|it| it == line.trim_start()), "examples/deform.rs lacks: {line}");
    }
}

#[test]
fn every_source_folder_is_on_the_map() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for entry in std::fs::read_dir(root().join("src")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let shown =
            if entry.path().is_dir() { format!("`src/{name}/`") } else { format!("`src/{name}`") };
        assert!(map.contains(&shown), "ARCHITECTURE.md does not mention {shown}");
    }
}

/// A table of the guide that is made from what the program knows. JOUNCE_BLESS=1 renews it.
fn assert_table(path: &str, head: &str, rows: &str) {
    let full_path = root().join(path);
    let table = format!("{head}{rows}");
    if std::env::var_os("JOUNCE_BLESS").is_some() {
        let text = std::fs::read_to_string(&full_path).unwrap();
        let (before, rest) = text.split_once(head).unwrap();
        let after: Vec<&str> = rest.lines().skip_while(|line| line.starts_with('|')).collect();
        let text = format!("{before}{table}{}\n", after.join("\n"));
        std::fs::write(&full_path, format!("{}\n", text.trim_end())).unwrap();
    }
    let text = std::fs::read_to_string(&full_path).unwrap();
    assert!(text.contains(&table), "{path}; JOUNCE_BLESS=1 renews it\n{table}");
}

/// The table of declarations is the one that messages and `jounce nodes --functions` are made of.
#[test]
fn the_guide_lists_all_that_a_script_may_declare() {
    use jounce::script::declarations::{DECLARATIONS, Declaration};
    let row = |row: &Declaration| format!("| `{}` | {} |\n", row.written, row.doc);
    let rows: String = DECLARATIONS.iter().map(row).collect();
    assert_table("nodes/README.md", "| declaration | |\n|---|---|\n", &rows);
}

#[test]
fn the_guide_lists_every_node() {
    use jounce::script::Library;
    let library = Library::built_in();
    let mut nodes: Vec<_> = library.types().collect();
    nodes.sort_by_key(|node| (&node.category, &node.name));
    let mut rows = String::new();
    for of_category in nodes.chunk_by(|a, b| a.category == b.category) {
        let category = &of_category[0].category;
        let room = if category == "Effects" { "in `scripts/`" } else { "" };
        rows.push_str(&format!("| **{category}** | {room} |\n").replace("|  |", "| |"));
        for node in of_category {
            rows.push_str(&format!("| {} | {} |\n", node.name, node.first_sentence()));
        }
    }
    assert_table("nodes/README.md", "## The list\n\n| | |\n|---|---|\n", &rows);
}
