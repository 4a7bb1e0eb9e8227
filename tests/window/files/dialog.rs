//! The dialog in which files are chosen, clicked through.

use super::*;
use egui::accesskit::Role;
use egui_kittest::kittest::NodeT;

/// A line of the dialog's list: an icon stands before the name.
fn line<'a>(window: &'a Window, name: &'a str) -> Option<egui_kittest::Node<'a>> {
    let found = window.query_all_by_label_contains(name);
    let is_line = |it: &egui_kittest::Node| {
        let node = it.accesskit_node();
        node.role() == Role::Button && node.label().is_some_and(|label| label.ends_with(name))
    };
    found.into_iter().find(is_line)
}

/// The list is read beside the window.
fn wait_for(window: &mut Window, name: &str) {
    let begun = Instant::now();
    while line(window, name).is_none() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{name} does not come up");
        std::thread::sleep(Duration::from_millis(10));
        window.step();
    }
    window.run_steps(2);
}

fn click_line(window: &mut Window, name: &str) {
    wait_for(window, name);
    line(window, name).unwrap().click();
    window.run_steps(3);
}

/// The button at the lower right; the menu has entries with the same word.
fn confirm(window: &mut Window, word: &str) {
    let button = window.get_by(|node| {
        let label = node.label().unwrap_or_default();
        node.role() == Role::Button && label.ends_with(word) && label != word
    });
    button.click();
    window.run_steps(3);
}

/// An editor whose dialog opens in a folder.
fn in_folder(folder: &Path) -> Window {
    let mut window = example("default");
    window.state_mut().state.session.save(&folder.join("first.jounce")).unwrap();
    window
}

#[test]
fn a_document_is_opened_by_clicks() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = session(built_in_style("default").unwrap());
    set_floppy(&mut other, 0.31);
    other.save(&folder.path().join("other.jounce")).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no document").unwrap();
    let mut window = in_folder(folder.path());
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::O);
    window.run_steps(3);
    assert!(state(&window).files.is_asking());
    wait_for(&mut window, "first.jounce");
    assert!(line(&window, "notes.txt").is_none(), "only what can be opened");
    click_line(&mut window, "other.jounce");
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/dialog-open.png"));
    }
    confirm(&mut window, "Open");
    settle(&mut window);
    assert!(!state(&window).files.is_asking());
    assert_eq!(state(&window).session.title(), "other.jounce");
    assert_eq!(floppy(state(&window).session.document()), Setting::Float(0.31));
    assert!(errors(&window).is_empty(), "{:?}", errors(&window));
}

#[test]
fn nothing_happens_when_the_dialog_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = in_folder(folder.path());
    let before = state(&window).session.document().clone();
    run(&mut window, "Open…");
    click_line(&mut window, "first.jounce");
    confirm(&mut window, "Cancel");
    assert!(!state(&window).files.is_asking());
    run(&mut window, "Save As…");
    wait_for(&mut window, "first.jounce");
    // The first leaves the field, the second the dialog.
    for _ in 0..2 {
        window.key_press(egui::Key::Escape);
        window.run_steps(3);
    }
    assert!(!state(&window).files.is_asking());
    assert_eq!(*state(&window).session.document(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_document_is_saved_under_a_name_that_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = in_folder(folder.path());
    set_floppy(&mut window.state_mut().state.session, 0.62);
    let modifiers = egui::Modifiers::COMMAND.plus(egui::Modifiers::SHIFT);
    window.key_press_modifiers(modifiers, egui::Key::S);
    window.run_steps(3);
    wait_for(&mut window, "first.jounce");
    // The name is marked up to its ending: what is typed takes its place.
    window.event(egui::Event::Text("second".to_owned()));
    window.run_steps(2);
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/dialog-save.png"));
    }
    confirm(&mut window, "Save");
    settle(&mut window);
    let file = folder.path().join("second.jounce");
    assert_eq!(floppy(&Document::load(&file).unwrap().document), Setting::Float(0.62));
    let first = Document::load(folder.path().join("first.jounce")).unwrap().document;
    assert_eq!(floppy(&first), Setting::Float(1.0), "the other is as it was");
    assert_eq!(state(&window).session.file(), Some(file.as_path()));
    assert!(!state(&window).session.history().is_modified());
}

#[test]
fn a_file_that_is_there_is_written_over_only_when_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = in_folder(folder.path());
    let file = folder.path().join("first.jounce");
    set_floppy(&mut window.state_mut().state.session, 0.73);
    let in_file = || floppy(&Document::load(&file).unwrap().document);
    for (answer, expected) in [("Cancel", 1.0), ("Overwrite", 0.73)] {
        run(&mut window, "Save As…");
        wait_for(&mut window, "first.jounce");
        confirm(&mut window, "Save");
        window.get_by_label_contains("already exists");
        window.get_by_role_and_label(Role::Button, answer).click();
        window.run_steps(3);
        settle(&mut window);
        assert_eq!(in_file(), Setting::Float(expected), "{answer}");
        if state(&window).files.is_asking() {
            confirm(&mut window, "Cancel");
        }
        assert!(!state(&window).files.is_asking());
    }
    assert!(!state(&window).session.history().is_modified());
}
