//! What is dropped on the window, and scripts that change.

use super::*;

/// What fitting sets in the default style.
fn lag(document: &Document) -> std::collections::BTreeMap<String, Setting> {
    document.style.graph.nodes["lag"].settings.clone()
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
    assert_ne!(lag(&after), lag(&before), "fitted");
    assert!(state(&window).files.fit_notice.is_some(), "and it is said");
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
fn a_fitted_style_follows_the_motion_until_somebody_touches_it() {
    let mut window = example("default");
    run(&mut window, "Fit to Clip");
    settle(&mut window);
    let walking = state(&window).session.document().clone();
    assert_eq!(state(&window).session.history().undo_label(), Some("Fit to Clip"));
    window.get_by_label("hop (1.5 s)").click();
    settle(&mut window);
    let hopping = state(&window).session.document().clone();
    assert_eq!(hopping.motion.clip.as_deref(), Some("hop"));
    assert_ne!(lag(&hopping), lag(&walking), "fitted to the other clip too");
    run(&mut window, "Undo");
    settle(&mut window);
    assert_eq!(*state(&window).session.document(), walking, "both are one step");
    set_floppy(&mut window.state_mut().state.session, 0.123);
    settle(&mut window);
    window.get_by_label("hop (1.5 s)").click();
    settle(&mut window);
    let own = state(&window).session.document();
    assert_eq!((own.motion.clip.as_deref(), floppy(own)), (Some("hop"), Setting::Float(0.123)));
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
    let folder =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/characters/awkward"));
    if !folder.is_dir() {
        skip_loudly(Lacking::Shared, &format!("{} is not there", folder.display()));
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
    let question = state(&window).files.question.clone();
    let Some(Question::Relink(error)) = question else { panic!("{question:?}") };
    assert!(error.contains("old.glb"), "{error}");
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

#[test]
fn what_does_not_fit_about_borrowed_clips_is_said() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(repo("examples/giraffe.glb"), folder.path().join("giraffe.glb")).unwrap();
    let mut document = built_in_style("default").unwrap();
    document.motion.character = Some("cow".to_owned());
    document.motion.clips = Some("giraffe.glb".to_owned());
    let file = folder.path().join("a.jounce");
    document.save(&file).unwrap();
    let mut window = example("default");
    let ctx = window.ctx.clone();
    files::open_document(&mut window.state_mut().state, &ctx, &file);
    settle(&mut window);
    let said: Vec<&str> =
        state(&window).session.messages().iter().map(|it| it.text.as_str()).collect();
    let is_said = |it: &&str| it.contains("nodes that giraffe.glb moves are in this character");
    assert_eq!(said.iter().filter(|it| is_said(it)).count(), 1, "{said:?}");
}
