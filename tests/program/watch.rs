//! Watching real files: the library's watch, and `jounce check --watch`.

use jounce::script::FolderWatch;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longer than any machine needs; a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watch").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn script(input: &str) -> String {
    format!(
        "//! Moves everything up.\nnode(\"Nudge\", \"Tests\");\ninput(\"{input}\", FLOAT, 1);\n\
         output(\"displacement\", VEC3);\nfn eval({input}) {{ vec3(0, 1, 0) * {input} }}\n"
    )
}

/// As careful editors save: beside the file, then renamed.
fn save(file: &Path, text: &str) {
    let beside = file.with_extension("tmp");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(beside, file).unwrap();
}

/// Until something is told of the file.
fn wait_for(watch: &mut FolderWatch, file: &str) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let told = watch.poll();
        if told.iter().any(|path| path.ends_with(file)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("nothing was told of {file}");
}

#[test]
fn a_folder_tells_what_changed_and_is_watched_again_when_it_comes_back() {
    let folder = scratch("folder");
    let mut watch = FolderWatch::new([folder.clone()]).unwrap();
    assert!(watch.poll().is_empty());
    save(&folder.join("a.rhai"), "1");
    wait_for(&mut watch, "a.rhai");
    std::fs::remove_file(folder.join("a.rhai")).unwrap();
    wait_for(&mut watch, "a.rhai");
    std::fs::remove_dir_all(&folder).unwrap();
    wait_for(&mut watch, "folder");
    std::fs::create_dir_all(&folder).unwrap();
    wait_for(&mut watch, "folder");
    save(&folder.join("b.rhai"), "2");
    wait_for(&mut watch, "b.rhai");
}

/// A running program with the lines it says; it ends with the test, however that ends.
struct Running {
    child: Child,
    results: Receiver<String>,
    messages: Receiver<String>,
}

/// Reads on another thread, so that nobody waits for a line that never comes.
fn lines(from: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    lines
}

/// Until the next line with these words.
fn says(lines: &Receiver<String>, words: &str) {
    let start = Instant::now();
    let mut said = Vec::new();
    while let Some(left) = PATIENCE.checked_sub(start.elapsed()) {
        match lines.recv_timeout(left) {
            Ok(line) if line.contains(words) => return,
            Ok(line) => said.push(line),
            Err(_) => break,
        }
    }
    panic!("it never said \"{words}\", but {said:#?}");
}

impl Running {
    fn start(args: &[&str], home: &Path) -> Running {
        let mut command = crate::support::program::command();
        command.args(args).env("XDG_CONFIG_HOME", home).env("HOME", home).env("APPDATA", home);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let results = lines(child.stdout.take().unwrap());
        let messages = lines(child.stderr.take().unwrap());
        Running { child, results, messages }
    }

    fn results_in(&self, words: &str) {
        says(&self.results, words);
    }

    fn tells(&self, words: &str) {
        says(&self.messages, words);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn check_goes_on_and_follows_the_script_and_the_graph() {
    let folder = scratch("check");
    let scripts = folder.join("scripts");
    std::fs::create_dir(&scripts).unwrap();
    let file = scripts.join("nudge.rhai");
    save(&file, &script("far"));
    let graph = folder.join("my.jounce");
    let text = r#"{"format": 1, "characters": {}, "motion": {}, "style": {"graph": {
        "links": [["nudge.displacement", "output.displacement"]],
        "nodes": {"nudge": {"position": [0, 0], "settings": {"far": 0.5}, "type": "Nudge"},
                  "output": {"position": [300, 0], "type": "Output"}}}}}"#;
    save(&graph, text);
    let args =
        ["check", graph.to_str().unwrap(), "--scripts", scripts.to_str().unwrap(), "--watch"];
    let running = Running::start(&args, &folder);
    running.tells(" UTC ");
    running.results_in("no problems found");
    save(&file, &script("distance"));
    running.tells(" UTC ");
    running.results_in("the node has no input \"far\"");
    running.tells("has 1 problem");
    // Broken: the version before it, with its problem, stays.
    save(&file, "node(");
    running.tells("the last working \"Nudge\" is used");
    running.results_in("the node has no input \"far\"");
    save(&file, &script("far"));
    running.results_in("no problems found");
    std::fs::remove_file(&file).unwrap();
    running.results_in("there is no node type \"Nudge\"");
    std::fs::write(&file, script("far")).unwrap();
    running.results_in("no problems found");
    save(&graph, &text.replace("\"far\": 0.5", "\"fat\": 0.5"));
    running.results_in("did you mean \"far\"?");
    std::fs::remove_file(&graph).unwrap();
    running.tells("my.jounce: ");
    save(&graph, text);
    running.results_in("no problems found");
}
