//! What survives a crash.

use super::*;

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
        if edit % 40 > 20 {
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
            .args(["--exact", "files::recovery::child_that_edits_until_it_is_killed"])
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
    assert_eq!(jounce::session::AUTOSAVE_EVERY, Duration::from_secs(5));
}

/// A run that ends too early, with work that is not saved.
fn crash(folder: &Path, file: &Path, value: f64) {
    let mut lost = session(built_in_style("default").unwrap());
    lost.save(file).unwrap();
    set_floppy(&mut lost, value);
    let mut autosave = Autosave::new(folder, Duration::ZERO).unwrap();
    autosave.tick(&lost, Instant::now()).unwrap();
    while !autosave.is_up_to_date(&lost) {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Nothing is put in order; the lock goes with the process.
    let crashed = std::thread::spawn(move || {
        let _autosave = autosave;
        std::panic::panic_any("a crash");
    });
    assert!(crashed.join().is_err());
}

#[test]
fn what_still_runs_is_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = session(built_in_style("default").unwrap());
    other.save(&folder.path().join("a.jounce")).unwrap();
    set_floppy(&mut other, 0.77);
    let mut autosave = Autosave::new(folder.path(), Duration::ZERO).unwrap();
    autosave.tick(&other, Instant::now()).unwrap();
    while !autosave.is_up_to_date(&other) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(recoverable(folder.path()).is_empty(), "it still runs");
}

#[test]
fn what_a_crash_left_is_offered_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jounce");
    crash(folder.path(), &file, 0.77);
    let mut window = example("default");
    window.state_mut().state.files.keep_in(folder.path()).unwrap();
    window.run();
    assert!(matches!(state(&window).files.question, Some(Question::Recover(_))));
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/recover.png"));
    }
    window.get_by_label("Recover").click();
    window.step();
    settle(&mut window);
    assert_eq!(floppy(state(&window).session.document()), Setting::Float(0.77));
    assert_eq!(state(&window).session.title(), "a.jounce*");
    let in_file = Document::load(&file).unwrap().document;
    assert_eq!(floppy(&in_file), Setting::Float(1.0), "the file is as it was");
    drop(window);
    assert!(recoverable(folder.path()).is_empty(), "an end in peace leaves nothing");
    assert!(!folder.path().join("a.jounce.autosave").exists());
}

#[test]
fn what_is_discarded_is_gone_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a.jounce", "b.jounce"].map(|name| folder.path().join(name));
    for (file, value) in files.iter().zip([0.77, 0.88]) {
        crash(folder.path(), file, value);
    }
    let mut window = example("default");
    let before = state(&window).session.document().clone();
    window.state_mut().state.files.keep_in(folder.path()).unwrap();
    window.run();
    for left in [2, 1] {
        match &state(&window).files.question {
            Some(Question::Recover(found)) => assert_eq!(found.len(), left),
            other => panic!("{other:?}"),
        }
        // A click beside it throws nothing away.
        window.key_press(egui::Key::Escape);
        window.run();
        assert_eq!(recoverable(folder.path()).len(), left);
        window.get_by_label("Discard").click();
        window.run();
        assert_eq!(recoverable(folder.path()).len(), left - 1);
    }
    assert_eq!(state(&window).files.question, None);
    assert_eq!(*state(&window).session.document(), before);
    assert!(!state(&window).session.history().is_modified());
    for file in &files {
        assert_eq!(floppy(&Document::load(file).unwrap().document), Setting::Float(1.0));
        assert!(!file.with_extension("jounce.autosave").exists());
    }
    drop(window);
    let mut window = example("default");
    window.state_mut().state.files.keep_in(folder.path()).unwrap();
    assert_eq!(state(&window).files.question, None, "nor is it offered again");
}

#[test]
fn a_copy_that_is_older_than_the_file_is_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jounce");
    crash(folder.path(), &file, 0.77);
    assert_eq!(recoverable(folder.path()).len(), 1);
    std::thread::sleep(Duration::from_millis(20));
    session(built_in_style("default").unwrap()).save(&file).unwrap();
    assert!(recoverable(folder.path()).is_empty());
}

#[test]
fn a_copy_that_cannot_be_written_is_tried_again_and_never_called_done() {
    let folder = tempfile::tempdir().unwrap();
    let mut lost = session(built_in_style("default").unwrap());
    set_floppy(&mut lost, 0.7);
    let mut autosave = Autosave::new(folder.path(), Duration::ZERO).unwrap();
    let recovery = folder.path().join("recovery");
    std::fs::remove_dir_all(&recovery).unwrap();
    autosave.tick(&lost, Instant::now()).unwrap();
    let begun = Instant::now();
    let error = loop {
        assert!(!autosave.is_up_to_date(&lost), "nothing was written");
        if let Err(error) = autosave.tick(&lost, Instant::now()) {
            break error;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "no word of it");
        std::thread::sleep(Duration::from_millis(2));
    };
    println!("{error}");
    std::fs::create_dir_all(&recovery).unwrap();
    while !autosave.is_up_to_date(&lost) {
        let _ = autosave.tick(&lost, Instant::now());
        assert!(begun.elapsed() < Duration::from_secs(20), "never written");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn what_is_recovered_without_its_character_is_asked_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jounce");
    let bird = folder.path().join("bird.glb");
    std::fs::copy(repo("examples/bird.glb"), &bird).unwrap();
    let mut document = built_in_style("default").unwrap();
    document.motion.character = Some("bird.glb".to_owned());
    document.save(&file).unwrap();
    let mut lost = session(Document::default());
    lost.open(&file).unwrap();
    set_floppy(&mut lost, 0.77);
    let mut autosave = Autosave::new(folder.path(), Duration::ZERO).unwrap();
    autosave.tick(&lost, Instant::now()).unwrap();
    while !autosave.is_up_to_date(&lost) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let crashed = std::thread::spawn(move || {
        let _autosave = autosave;
        std::panic::panic_any("a crash");
    });
    assert!(crashed.join().is_err());
    let elsewhere = folder.path().join("moved.glb");
    std::fs::rename(&bird, &elsewhere).unwrap();
    let mut window = example("default");
    window.state_mut().state.files.keep_in(folder.path()).unwrap();
    window.run();
    window.get_by_label("Recover").click();
    window.step();
    settle(&mut window);
    assert_eq!(floppy(state(&window).session.document()), Setting::Float(0.77));
    assert!(matches!(state(&window).files.question, Some(Question::Relink(_))));
    // A drop is the answer.
    drop_file(&mut window, &elsewhere);
    assert!(state(&window).files.question.is_none());
    assert_eq!(state(&window).session.cast().name, "moved.glb");
    assert_eq!(state(&window).session.history().undo_label(), Some("Relink Character"));
}

#[test]
fn a_drop_waits_for_an_answer_and_closing_comes_before_a_dialog() {
    let mut window = example("default");
    set_floppy(&mut window.state_mut().state.session, 0.7);
    run(&mut window, "Save As…");
    let id = egui::ViewportId::ROOT;
    let viewport = window.input_mut().viewports.entry(id).or_default();
    viewport.events.push(egui::ViewportEvent::Close);
    window.step();
    window.input_mut().viewports.entry(id).or_default().events.clear();
    window.run_steps(3);
    window.get_by_label("Don't Save");
    let before = state(&window).session.document().clone();
    drop_file(&mut window, &repo("examples/bird.glb"));
    assert_eq!(*state(&window).session.document(), before);
    let said = state(&window).session.messages().last().unwrap().text.clone();
    assert!(said.contains("answer the open question first"), "{said}");
    assert!(state(&window).files.question.is_some());
}
