//! Files in the editor: open, save, drop, recover, bake.
#![cfg(feature = "editor")]

#[path = "support/editor.rs"]
mod support;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use jounce::editor::files::{self, Order, Question};
use jounce::editor::{Editor, State, all_actions};
use jounce::graph::{Command, Document, GraphRef, built_in_style};
use jounce::script::{ScriptFolders, Setting};
use jounce::session::{Autosave, Cast, Session, Severity, recoverable};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::{editor_of_session, example, session};

type Window = Harness<'static, Editor>;

fn repo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn state(window: &Window) -> &State {
    &window.state().state
}

fn run(window: &mut Window, action: &str) {
    let action = all_actions().find(|it| it.name == action).unwrap();
    let ctx = window.ctx.clone();
    assert!((action.is_enabled)(state(window)), "{}", action.name);
    (action.run)(&mut window.state_mut().state, &ctx);
    window.step();
}

/// Until nothing is under way any more.
fn settle(window: &mut Window) {
    let begun = Instant::now();
    loop {
        window.step();
        if state(window).jobs.is_idle() {
            window.state_mut().state.playhead.is_playing = false;
            window.step();
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(180), "it takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn choose(window: &mut Window, path: &Path) {
    let ctx = window.ctx.clone();
    files::choose(&mut window.state_mut().state, &ctx, path);
    settle(window);
}

fn set_floppy(session: &mut Session, value: f64) {
    let (node, port) = ("floppy".to_owned(), "value".to_owned());
    let value = Some(Setting::Float(value));
    let set = Command::SetSetting { graph: GraphRef::Top, node, port, value };
    assert!(session.perform("Floppy", set));
}

fn floppy(document: &Document) -> Setting {
    document.style.graph.nodes["floppy"].settings["value"].clone()
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn drop_file(window: &mut Window, path: &Path) {
    window.input_mut().dropped_files.push(Arc::new(Dropped(path.to_owned())));
    window.step();
    window.input_mut().dropped_files.clear();
    settle(window);
}

fn errors(window: &Window) -> Vec<String> {
    let messages = state(window).session.messages().iter();
    messages.filter(|it| it.severity == Severity::Error).map(|it| it.text.clone()).collect()
}

#[test]
fn a_document_is_saved_opened_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = example("default");
    window.state_mut().state.files.keep_in(&folder.path().join("state")).unwrap();
    set_floppy(&mut window.state_mut().state.session, 0.7);
    run(&mut window, "Save");
    assert!(state(&window).files.is_asking(), "where to?");
    choose(&mut window, &folder.path().join("walk"));
    let file = folder.path().join("walk.jounce");
    assert_eq!(floppy(&Document::load(&file).unwrap().document), Setting::Float(0.7));
    assert_eq!(state(&window).session.title(), "walk.jounce");
    set_floppy(&mut window.state_mut().state.session, 0.9);
    assert_eq!(state(&window).session.title(), "walk.jounce*");
    run(&mut window, "Save");
    assert_eq!(floppy(&Document::load(&file).unwrap().document), Setting::Float(0.9));
    assert_eq!(state(&window).files.recent.files(), std::slice::from_ref(&file));
    drop(window);

    // Another run finds it in the menu.
    let mut window = example("default");
    window.state_mut().state.files.keep_in(&folder.path().join("state")).unwrap();
    window.get_by_label("File").click();
    window.run();
    window.get_by_label_contains("Recent Files").click();
    window.run();
    window.get_by_label("walk.jounce").click();
    window.step();
    settle(&mut window);
    assert_eq!(state(&window).session.file(), Some(file.as_path()));
    assert_eq!(floppy(state(&window).session.document()), Setting::Float(0.9));
}

#[test]
fn unsaved_work_is_asked_for_before_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jounce");
    let mut window = example("default");
    window.state_mut().state.session.save(&file).unwrap();
    set_floppy(&mut window.state_mut().state.session, 0.7);

    run(&mut window, "New");
    window.run();
    window.get_by_label("Cancel").click();
    window.run();
    assert_eq!(floppy(state(&window).session.document()), Setting::Float(0.7));
    assert!(state(&window).files.question.is_none());

    run(&mut window, "New");
    window.run();
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/unsaved.png"));
    }
    window.get_by_label("Save").click();
    window.run();
    settle(&mut window);
    assert_eq!(floppy(&Document::load(&file).unwrap().document), Setting::Float(0.7));
    assert_eq!(state(&window).session.file(), None, "a new one");

    set_floppy(&mut window.state_mut().state.session, 0.1);
    let cartoon = built_in_style("cartoon").unwrap();
    window.get_by_label("File").click();
    window.run();
    window.get_by_label_contains("Examples").click();
    window.run();
    window.get_by_label("cartoon").click();
    window.run();
    window.get_by_label("Don't Save").click();
    window.step();
    settle(&mut window);
    assert_eq!(state(&window).session.document().style, cartoon.style);
}

#[test]
fn closing_asks_too() {
    let mut window = example("default");
    set_floppy(&mut window.state_mut().state.session, 0.7);
    let close = |window: &mut Window| {
        let id = egui::ViewportId::ROOT;
        let viewport = window.input_mut().viewports.entry(id).or_default();
        viewport.events.push(egui::ViewportEvent::Close);
        window.step();
        window.input_mut().viewports.entry(id).or_default().events.clear();
    };
    let commands =
        |window: &Window| window.output().viewport_output[&egui::ViewportId::ROOT].commands.clone();
    close(&mut window);
    assert!(commands(&window).contains(&egui::ViewportCommand::CancelClose));
    window.run();
    window.get_by_label("Don't Save").click();
    window.step();
    assert!(commands(&window).contains(&egui::ViewportCommand::Close));
    close(&mut window);
    assert!(!commands(&window).contains(&egui::ViewportCommand::CancelClose), "it was answered");
}

#[test]
fn a_dropped_character_takes_the_stage_fitted_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let bird = folder.path().join("bird.glb");
    std::fs::copy(repo("examples/giraffe.glb"), &bird).unwrap();
    let mut window = example("default");
    window.state_mut().state.session.save(&folder.path().join("a.jounce")).unwrap();
    let before = state(&window).session.document().clone();
    let begun = Instant::now();
    drop_file(&mut window, &bird);
    println!("dropped, shown and fitted in {:.1} s", begun.elapsed().as_secs_f32());
    let after = state(&window).session.document().clone();
    assert_eq!(after.motion.character.as_deref(), Some("bird.glb"), "relative to the document");
    assert!(after.motion.looped && after.motion.clip.is_some());
    assert_eq!(
        state(&window).show.character().vertex_count(),
        jounce::rig::load::load_file(&bird).unwrap().vertex_count()
    );
    assert_ne!(floppy(&after), floppy(&before), "fitted");
    assert_eq!(state(&window).session.history().undo_label(), Some("Drop bird.glb"));
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/dropped.png"));
    }
    run(&mut window, "Undo");
    settle(&mut window);
    assert_eq!(*state(&window).session.document(), before, "one step");
    assert_eq!(state(&window).session.cast().name, "cow", "and the one before is back");
    run(&mut window, "Redo");
    settle(&mut window);
    assert_eq!(*state(&window).session.document(), after);
    assert_eq!(state(&window).session.cast().name, "bird.glb");
    assert!(errors(&window).is_empty(), "{:?}", errors(&window));
}

#[test]
fn what_cannot_be_used_leaves_one_message_and_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let glb = std::fs::read(repo("examples/bird.glb")).unwrap();
    let mut files = vec![
        (write("notes.txt", b"hello"), "neither a character nor a document"),
        (folder.path().to_owned(), "is a folder"),
        (write("cut.glb", &glb[..glb.len() / 2]), "cut.glb"),
        (write("cut.jounce", b"{\"format\": 1, \"sty"), "not JSON"),
        (write("newer.jounce", b"{\"format\": 99}"), "update Jounce"),
        (write("node.rhai", b"node(\"A\", \"B\");"), "node script"),
        (write("empty.gltf", b""), "empty.gltf"),
        (folder.path().join("gone.glb"), "gone.glb"),
    ];
    let mut window = example("default");
    let before = state(&window).session.document().clone();
    for (path, expected) in files.drain(..) {
        let count = state(&window).session.messages().len();
        drop_file(&mut window, &path);
        let said = &state(&window).session.messages()[count..];
        assert_eq!(said.len(), 1, "{}: {said:?}", path.display());
        assert!(said[0].text.contains(expected), "{}", said[0].text);
        assert_eq!(*state(&window).session.document(), before);
    }
}

#[test]
fn awkward_characters_play_or_are_refused_in_a_sentence() {
    let folder = Path::new("/work/shared/characters/awkward");
    if !folder.is_dir() {
        println!("SKIPPED: {} is not there", folder.display());
        return;
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap().path();
        if entry.is_dir() {
            files.extend(std::fs::read_dir(entry).unwrap().map(|it| it.unwrap().path()));
        }
    }
    files.retain(|path| path.extension().is_some_and(|it| it == "gltf" || it == "glb"));
    files.sort();
    assert!(!files.is_empty());
    let mut window = example("default");
    let (mut played, mut refused) = (0, 0);
    for path in files {
        let before = state(&window).session.document().clone();
        let count = errors(&window).len();
        drop_file(&mut window, &path);
        let errors = errors(&window).len() - count;
        match *state(&window).session.document() == before {
            true => {
                assert_eq!(errors, 1, "{}", path.display());
                refused += 1;
            }
            false => {
                assert_eq!(errors, 0, "{}", path.display());
                played += 1;
            }
        }
    }
    println!("{played} play, {refused} are refused");
}

#[test]
fn a_moved_character_is_relinked_and_keeps_its_settings() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(repo("examples/bird.glb"), folder.path().join("new.glb")).unwrap();
    let mut document = built_in_style("default").unwrap();
    document.motion.character = Some("old.glb".to_owned());
    document.characters.entry("old".to_owned()).or_default().size = Some(2.5);
    let file = folder.path().join("a.jounce");
    document.save(&file).unwrap();
    let mut window = example("default");
    let ctx = window.ctx.clone();
    files::open_document(&mut window.state_mut().state, &ctx, &file);
    settle(&mut window);
    assert_eq!(state(&window).files.question, Some(Question::Relink));
    assert_eq!(*state(&window).session.document(), document, "intact");
    assert_eq!(errors(&window).len(), 1);
    window.run();
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/relink.png"));
    }
    window.get_by_label("Relink…").click();
    window.step();
    window.step();
    choose(&mut window, &folder.path().join("new.glb"));
    let session = &state(&window).session;
    assert_eq!(session.document().motion.character.as_deref(), Some("new.glb"));
    assert_eq!(session.character_settings().size, Some(2.5));
    assert_eq!(session.cast().name, "new.glb");
    assert_eq!(session.history().undo_label(), Some("Relink Character"));
}

#[test]
fn a_packed_document_needs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let bird = folder.path().join("bird.glb");
    std::fs::copy(repo("examples/bird.glb"), &bird).unwrap();
    let mut window = example("default");
    drop_file(&mut window, &bird);
    let vertices = state(&window).show.character().vertex_count();
    run(&mut window, "Save Packed…");
    let file = folder.path().join("packed.jounce");
    choose(&mut window, &file);
    std::fs::remove_file(&bird).unwrap();
    let opened = jounce::session::Opened::read(&file).unwrap();
    assert_eq!(opened.cast.unwrap().character.vertex_count(), vertices);
    // Saved again, it is still whole.
    let mut other = session(Document::default());
    other.open(&file).unwrap();
    let again = folder.path().join("again.jounce");
    other.save(&again).unwrap();
    assert!(jounce::session::Opened::read(&again).unwrap().cast.is_ok());
    let baked = std::process::Command::new(env!("CARGO_BIN_EXE_jounce"))
        .args(["bake", "--graph", "again.jounce", "--frames", "0..2", "-o", "a.pc2"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(baked.status.success(), "{}", String::from_utf8_lossy(&baked.stderr));
}

#[test]
fn a_document_that_moves_still_finds_its_character() {
    let folder = tempfile::tempdir().unwrap();
    let (rigs, shots) = (folder.path().join("rigs"), folder.path().join("shots"));
    std::fs::create_dir_all(&rigs).unwrap();
    std::fs::create_dir_all(&shots).unwrap();
    std::fs::copy(repo("examples/bird.glb"), rigs.join("bird.glb")).unwrap();
    let mut document = built_in_style("default").unwrap();
    document.motion.character = Some("bird.glb".to_owned());
    document.save(rigs.join("a.jounce")).unwrap();
    let mut one = session(Document::default());
    one.open(&rigs.join("a.jounce")).unwrap();
    one.save(&shots.join("b.jounce")).unwrap();
    let opened = jounce::session::Opened::read(&shots.join("b.jounce")).unwrap();
    assert_eq!(opened.document.motion.character.as_deref(), Some("../rigs/bird.glb"));
    assert!(opened.cast.is_ok());
    assert!(one.cast().is_of(&one.document().motion));
}

#[test]
fn a_bake_is_what_the_command_line_bakes() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = built_in_style("default").unwrap();
    document.motion.character = Some("cow".to_owned());
    document.motion.looped = true;
    let mut window = support::editor(document);
    window.state_mut().state.session.save(&folder.path().join("a.jounce")).unwrap();
    run(&mut window, "Bake…");
    window.run();
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/bake.png"));
    }
    let Some(Order::Bake(form)) = &state(&window).files.order else { panic!("no dialog") };
    assert_eq!(form.path, folder.path().join("a.pc2").display().to_string());
    window.get_by_label("Bake").click();
    window.step();
    settle(&mut window);
    let baked = std::process::Command::new(env!("CARGO_BIN_EXE_jounce"))
        .args(["bake", "--graph", "a.jounce", "--loop", "-o", "b.pc2"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(baked.status.success(), "{}", String::from_utf8_lossy(&baked.stderr));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.pc2") == read("b.pc2"), "byte for byte");
}

#[test]
fn pictures_films_and_shaders_are_written_and_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = example("default");
    window.state_mut().state.session.save(&folder.path().join("a.jounce")).unwrap();
    run(&mut window, "Screenshot…");
    let Some(Order::Picture(form)) = &mut window.state_mut().state.files.order else { panic!() };
    (form.width_px, form.height_px) = (320, 200);
    window.run();
    window.get_by_label("Save Picture").click();
    window.step();
    settle(&mut window);
    let picture = image_size(&folder.path().join("a.png"));
    assert_eq!(picture, (320, 200), "{:?}", errors(&window));

    run(&mut window, "Film…");
    let Some(Order::Picture(form)) = &mut window.state_mut().state.files.order else { panic!() };
    (form.width_px, form.height_px, form.fps) = (96, 64, 8.0);
    window.run();
    window.get_by_label("Save Film").click();
    window.step();
    settle(&mut window);
    let film = std::fs::read(folder.path().join("a.gif")).unwrap();
    assert_eq!(&film[..6], b"GIF89a");
    assert_eq!([film[6], film[7], film[8], film[9]], [96, 0, 64, 0]);

    std::fs::remove_file(folder.path().join("a.gif")).unwrap();
    run(&mut window, "Film…");
    let Some(Order::Picture(form)) = &mut window.state_mut().state.files.order else { panic!() };
    (form.width_px, form.height_px, form.fps) = (1280, 960, 30.0);
    window.run();
    window.get_by_label("Save Film").click();
    window.step();
    window.step();
    window.get_by_label("Cancel Drawing a.gif").click();
    settle(&mut window);
    assert!(!folder.path().join("a.gif").exists(), "given up");
    assert!(state(&window).session.messages().iter().any(|it| it.text.contains("was given up")));

    run(&mut window, "Export Shader…");
    window.run();
    window.get_by_label("Export").click();
    window.step();
    settle(&mut window);
    let names: Vec<_> = std::fs::read_dir(folder.path().join("a-shader"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.contains(&"a.wgsl".to_owned()) && names.contains(&"manifest.json".to_owned()));
    assert!(errors(&window).is_empty(), "{:?}", errors(&window));
}

fn image_size(path: &Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (word(16), word(20))
}

#[test]
fn a_script_that_is_saved_is_there_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let scripts = ScriptFolders::new(vec![folder.path().to_owned()], std::time::SystemTime::now());
    let document = built_in_style("default").unwrap();
    let cast = Cast::of_document(&document, None).unwrap();
    let mut window = editor_of_session(Session::new(document, cast, scripts), [1000.0, 700.0]);
    let wait_for = |window: &mut Window, what: &dyn Fn(&State) -> bool| {
        let begun = Instant::now();
        while !what(state(window)) {
            assert!(begun.elapsed() < Duration::from_secs(20), "never seen");
            window.step();
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let script = folder.path().join("lift.rhai");
    let text = "//! Lifts.\nnode(\"Lift\", \"Mine\");\ninput(\"x\", FLOAT, 1);\noutput(\"y\", FLOAT);\nfn eval(x) { x * 2 }\n";
    std::fs::write(&script, text).unwrap();
    wait_for(&mut window, &|state| state.session.library().get("Lift").is_some());
    std::fs::write(&script, "node(\"Lift\", ").unwrap();
    wait_for(&mut window, &|state| {
        state.session.messages().iter().any(|it| it.severity == Severity::Error)
    });
    assert!(state(&window).session.library().get("Lift").is_some(), "the last good one stays");
}

/// Edits and saves until it is killed; run as a process of its own by the test below.
#[test]
fn child_that_edits_until_it_is_killed() {
    let Ok(folder) = std::env::var("JOUNCE_TEST_CHILD") else { return };
    let folder = Path::new(&folder);
    let file = folder.join("a.jounce");
    let mut session = session(built_in_style("default").unwrap());
    let mut autosave = Autosave::new(&folder.join("state"), Duration::from_millis(100)).unwrap();
    for edit in 1_u32.. {
        set_floppy(&mut session, f64::from(edit));
        // Half of the time it is only edited, then only saved.
        if edit % 400 > 200 {
            session.save(&file).unwrap();
            std::fs::write(folder.join("saved"), edit.to_string()).unwrap();
        }
        autosave.tick(&session, Instant::now()).unwrap();
        std::fs::write(folder.join("edited.new"), edit.to_string()).unwrap();
        std::fs::rename(folder.join("edited.new"), folder.join("edited")).unwrap();
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_program_loses_no_file_and_only_moments_of_work() {
    let mut recovered = 0;
    for round in 0..6_u64 {
        let folder = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_that_edits_until_it_is_killed"])
            .env("JOUNCE_TEST_CHILD", folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while !folder.path().join("edited").exists() {
            assert!(begun.elapsed() < Duration::from_secs(120), "the child does not start");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(250 + 170 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let number = |name: &str| -> f64 {
            std::fs::read_to_string(folder.path().join(name)).unwrap().parse().unwrap()
        };
        let edited = number("edited");
        let of = |document: &Document| match floppy(document) {
            Setting::Float(edit) => edit,
            other => panic!("{other:?}"),
        };
        let in_file = match Document::load(folder.path().join("a.jounce")) {
            Ok(loaded) => of(&loaded.document),
            Err(error) => {
                assert!(!folder.path().join("a.jounce").exists(), "never half a file: {error}");
                0.0
            }
        };
        let found = recoverable(&folder.path().join("state"));
        let copy = found.first().map_or(0.0, |it| of(&it.read().unwrap().document));
        println!("round {round}: edited {edited}, in the file {in_file}, in the copy {copy}");
        // 100 ms between copies and 2 ms or more between edits: 50 edits, and some for a busy machine.
        assert!(edited - in_file.max(copy) < 150.0, "too much is lost");
        recovered += usize::from(copy > in_file);
        found.iter().for_each(|it| it.discard());
        assert!(recoverable(&folder.path().join("state")).is_empty());
    }
    assert!(recovered > 0, "some were killed with unsaved work");
    assert_eq!(jounce::session::AUTOSAVE_EVERY, Duration::from_secs(10));
}

#[test]
fn what_a_crash_left_is_offered_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jounce");
    {
        let mut lost = session(built_in_style("default").unwrap());
        lost.save(&file).unwrap();
        set_floppy(&mut lost, 0.77);
        let mut autosave = Autosave::new(folder.path(), Duration::ZERO).unwrap();
        autosave.tick(&lost, Instant::now()).unwrap();
        while !autosave.is_up_to_date(&lost) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(recoverable(folder.path()).is_empty(), "it still runs");
        // A crash: nothing is put in order, the lock goes with the process.
        let crashed = std::thread::spawn(move || {
            let _autosave = autosave;
            std::panic::panic_any("a crash");
        });
        assert!(crashed.join().is_err());
    }
    let mut window = example("default");
    window.state_mut().state.files.keep_in(folder.path()).unwrap();
    window.run();
    assert!(matches!(state(&window).files.question, Some(Question::Recover(_))));
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/recover.png"));
    }
    window.get_by_label("Recover").click();
    window.run();
    assert_eq!(floppy(state(&window).session.document()), Setting::Float(0.77));
    assert_eq!(state(&window).session.title(), "a.jounce*");
    let in_file = Document::load(&file).unwrap().document;
    assert_eq!(floppy(&in_file), Setting::Float(0.5), "the file is as it was");
    drop(window);
    assert!(recoverable(folder.path()).is_empty(), "an end in peace leaves nothing");
    assert!(!folder.path().join("a.jounce.autosave").exists());
}

/// A process that ends with the test, whatever happens.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn has_program(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
}

#[test]
fn a_real_window_stays_up_and_moves() {
    if !has_program("Xvfb") || !has_program("xwd") {
        println!("SKIPPED: there is no Xvfb or no xwd (apt-get install xvfb x11-apps)");
        return;
    }
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let home = tempfile::tempdir().unwrap();
    let mut server = Running(
        Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let mut number = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
    let display = format!(":{}", number.trim());
    let mut jounce = Running(
        Command::new(env!("CARGO_BIN_EXE_jounce"))
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .env("HOME", home.path())
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .spawn()
            .unwrap(),
    );
    let shot = || {
        let out = Command::new("xwd").args(["-root", "-silent", "-display", &display]).output();
        let bytes = out.unwrap().stdout;
        let header = u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize;
        // 256 colours of 12 bytes each stand between the header and the pixels.
        bytes[header..].to_vec()
    };
    let begun = Instant::now();
    let differing = loop {
        assert!(jounce.0.try_wait().unwrap().is_none(), "the window closed by itself");
        let before = shot();
        std::thread::sleep(Duration::from_secs(1));
        let differing = before.iter().zip(&shot()).filter(|(a, b)| a != b).count();
        let is_drawn = before.iter().filter(|byte| **byte != 0).count() > before.len() / 4;
        if is_drawn && differing > 20_000 {
            break differing;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{differing} bytes differ, too few");
    };
    println!("moving after {:.1} s, {differing} bytes differ", begun.elapsed().as_secs_f32());
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        let file = format!("{path}/window.xwd");
        Command::new("xwd")
            .args(["-root", "-silent", "-display", &display, "-out", &file])
            .status()
            .unwrap();
    }
}

#[test]
fn without_a_display_there_is_one_sentence() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_jounce"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1));
    assert!(said.contains("there is no display") && said.contains("jounce render"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
