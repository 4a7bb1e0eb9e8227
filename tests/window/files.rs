//! Files in the editor: open, save, drop, recover, bake.

mod dialog;
mod drops;
mod orders;
mod recovery;
mod saving;
mod steps;
mod window;

use crate::support::editor as support;
use crate::support::skipped::{Lacking, skip_loudly};
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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
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
    // Not `run`: the new document may come in the middle of it, and is then fitted to its panel.
    window.step();
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
    let baked = crate::support::program::command()
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
