//! The editor without a window, driven through its accessibility tree.
#![allow(dead_code, reason = "each test file takes what it needs")]

use egui_kittest::Harness;
use jounce::editor::{Editor, wgpu_options};
use jounce::graph::{Document, built_in_style};
use jounce::script::ScriptFolders;
use jounce::session::{Cast, Session};
use std::path::PathBuf;

/// A session of a document with the character it names.
pub fn session(document: Document) -> Session {
    session_of(document, Vec::new())
}

/// The same with a folder for scripts.
pub fn session_with_scripts(document: Document, folder: PathBuf) -> Session {
    session_of(document, vec![folder])
}

fn session_of(document: Document, folders: Vec<PathBuf>) -> Session {
    let cast = Cast::load(&document.motion, None).unwrap();
    let scripts = ScriptFolders::new(folders, std::time::SystemTime::now());
    Session::new(document, cast, scripts)
}

/// The editor with a document, standing still at the beginning of its motion.
pub fn editor(document: Document) -> Harness<'static, Editor> {
    editor_of_size(document, [1500.0, 940.0])
}

pub fn editor_of_size(document: Document, size: [f32; 2]) -> Harness<'static, Editor> {
    editor_of_session(session(document), size)
}

pub fn editor_of_session(session: Session, size: [f32; 2]) -> Harness<'static, Editor> {
    editor_of_scale(session, size, 1.0)
}

/// With more pixels than points.
pub fn editor_of_scale(session: Session, size: [f32; 2], scale: f32) -> Harness<'static, Editor> {
    let mut harness = Harness::builder()
        .with_size(size)
        .with_pixels_per_point(scale)
        .with_max_steps(20)
        .wgpu_setup(wgpu_options().wgpu_setup)
        .build_eframe(move |cc| {
            let mut editor = Editor::new(cc, session).unwrap();
            editor.state.playhead.is_playing = false;
            editor
        });
    harness.run();
    harness
}

pub fn example(name: &str) -> Harness<'static, Editor> {
    editor(built_in_style(name).unwrap())
}

/// A picture of the whole window, for people.
pub fn save_picture(harness: &mut Harness<'static, Editor>, path: &str) {
    harness.render().unwrap().save(path).unwrap();
}
