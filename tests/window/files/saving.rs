//! Saving is no step: what is undone after it is what the user did.

use super::*;

fn undo_label(window: &Window) -> Option<String> {
    state(window).session.history().undo_label().map(str::to_owned)
}

/// A document in `one/`, whose bird was dropped and whose floppy was set, saved to `two/`.
fn dropped_and_saved_elsewhere(folder: &Path) -> Window {
    for name in ["one", "two"] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
    }
    std::fs::copy(repo("examples/bird.glb"), folder.join("one/bird.glb")).unwrap();
    let mut window = example("default");
    window.state_mut().state.session.save(&folder.join("one/a.jounce")).unwrap();
    drop_file(&mut window, &folder.join("one/bird.glb"));
    set_floppy(&mut window.state_mut().state.session, 0.7);
    run(&mut window, "Save As…");
    choose(&mut window, &folder.join("two/b.jounce"));
    window
}

#[test]
fn the_first_undo_after_a_save_takes_back_what_was_done_last() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = dropped_and_saved_elsewhere(folder.path());
    let motion = |window: &Window| state(window).session.document().motion.character.clone();
    assert_eq!(motion(&window).as_deref(), Some("../one/bird.glb"));
    assert_eq!(undo_label(&window).as_deref(), Some("Floppy"));
    assert!(!state(&window).session.history().is_modified());
    run(&mut window, "Undo");
    settle(&mut window);
    assert_ne!(floppy(state(&window).session.document()), Setting::Float(0.7));
    assert_eq!(motion(&window).as_deref(), Some("../one/bird.glb"), "still where it is");
    assert_eq!(state(&window).session.cast().key, "bird");
    // The drop, and again: the bird is found from the new place.
    run(&mut window, "Undo");
    settle(&mut window);
    assert_eq!(state(&window).session.cast().name, "cow");
    run(&mut window, "Redo");
    settle(&mut window);
    assert_eq!(state(&window).session.cast().name, "../one/bird.glb");
    assert_eq!(state(&window).session.cast().key, "bird");
    assert!(errors(&window).is_empty(), "{:?}", errors(&window));
}

#[test]
fn a_save_that_fails_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = dropped_and_saved_elsewhere(folder.path());
    set_floppy(&mut window.state_mut().state.session, 0.9);
    let before = state(&window).session.document().clone();
    for action in ["Save As…", "Save Packed…"] {
        run(&mut window, action);
        choose(&mut window, &folder.path().join("three/c.jounce"));
        let session = &state(&window).session;
        assert_eq!(*session.document(), before, "{action}");
        assert_eq!(session.title(), "b.jounce*", "{action}");
        assert_eq!(session.cast().name, "../one/bird.glb");
        assert_eq!(undo_label(&window).as_deref(), Some("Floppy"));
    }
    // The same sentence both times, so it stands there once and is counted.
    let messages = state(&window).session.messages().iter();
    let said: usize = messages.filter(|it| it.severity == Severity::Error).map(|it| it.count).sum();
    assert_eq!(said, 2, "{:?}", errors(&window));
}

#[test]
fn a_packed_document_is_written_beside_the_window_and_is_no_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = dropped_and_saved_elsewhere(folder.path());
    run(&mut window, "Save Packed…");
    let ctx = window.ctx.clone();
    let file = folder.path().join("packed.jounce");
    files::choose(&mut window.state_mut().state, &ctx, &file);
    assert!(!state(&window).jobs.is_idle(), "it is being written");
    // What is done meanwhile is not in the file.
    set_floppy(&mut window.state_mut().state.session, 0.33);
    settle(&mut window);
    let session = &state(&window).session;
    assert_eq!(session.file(), Some(file.as_path()));
    assert_eq!(session.document().motion.character.as_deref(), Some("bird.glb"));
    assert_eq!(session.title(), "packed.jounce*");
    assert_eq!(floppy(&Document::load(&file).unwrap().document), Setting::Float(0.7));
    run(&mut window, "Undo");
    assert!(!state(&window).session.history().is_modified(), "back to what was written");
    run(&mut window, "Undo");
    settle(&mut window);
    assert_eq!(state(&window).session.cast().key, "bird", "packed, and still there");
    assert!(errors(&window).is_empty(), "{:?}", errors(&window));
}

#[test]
fn what_is_done_while_a_document_opens_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.jounce");
    session(built_in_style("cartoon").unwrap()).save(&file).unwrap();
    let mut window = example("default");
    let ctx = window.ctx.clone();
    files::open_document(&mut window.state_mut().state, &ctx, &file);
    set_floppy(&mut window.state_mut().state.session, 0.44);
    settle(&mut window);
    assert_eq!(floppy(state(&window).session.document()), Setting::Float(0.44));
    let question = &state(&window).files.question;
    assert_eq!(*question, Some(Question::Unsaved(files::Next::Open(file.clone()))));
    window.run();
    window.get_by_label("Don't Save").click();
    window.step();
    settle(&mut window);
    assert_eq!(state(&window).session.file(), Some(file.as_path()));
}

#[test]
fn another_document_brings_no_slots_velocities_or_colours_along() {
    let mut window = example("default");
    run(&mut window, "Store in A");
    run(&mut window, "Store in B");
    let view = &mut window.state_mut().state.viewport;
    view.velocities.set(1, jounce::motion::BoneMotion::default());
    let ctx = window.ctx.clone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.jounce");
    session(built_in_style("cartoon").unwrap()).save(&file).unwrap();
    files::open_document(&mut window.state_mut().state, &ctx, &file);
    settle(&mut window);
    let view = &state(&window).viewport;
    assert!(view.velocities.is_empty() && !view.heat.is_on());
    assert_eq!(view.compare.slots.current(), None);
    assert!(view.compare.slots.get(jounce::session::SlotName::A).is_none());
}

#[test]
fn a_job_that_is_given_up_changes_nothing() {
    let mut window = example("default");
    let before = state(&window).session.document().clone();
    let bird = repo("examples/bird.glb");
    let ctx = window.ctx.clone();
    files::take_dropped(&mut window.state_mut().state, &ctx, &bird);
    window.state_mut().state.jobs.cancel_all();
    settle(&mut window);
    assert_eq!(*state(&window).session.document(), before);
    assert_eq!(state(&window).session.cast().name, "cow");
    let said = state(&window).session.messages().last().unwrap();
    assert_eq!(said.text, "Loading bird.glb was cancelled");
    // The same of a document, and of a shader.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.jounce");
    session(built_in_style("cartoon").unwrap()).save(&file).unwrap();
    files::open_document(&mut window.state_mut().state, &ctx, &file);
    window.state_mut().state.jobs.cancel_all();
    settle(&mut window);
    assert_eq!(state(&window).session.file(), None);
    run(&mut window, "Save Packed…");
    let packed = folder.path().join("packed.jounce");
    files::choose(&mut window.state_mut().state, &ctx, &packed);
    window.state_mut().state.jobs.cancel_all();
    settle(&mut window);
    let is_there = packed.exists();
    assert_eq!(is_there, state(&window).session.file().is_some(), "what is said is what was done");
    run(&mut window, "Export Shader…");
    let Some(Order::Shader(form)) = &mut window.state_mut().state.files.order else { panic!() };
    form.folder = folder.path().join("shader").display().to_string();
    window.run();
    window.get_by_label("Export").click();
    window.state_mut().state.jobs.cancel_all();
    window.step();
    window.state_mut().state.jobs.cancel_all();
    settle(&mut window);
    assert!(errors(&window).is_empty(), "{:?}", errors(&window));
}
