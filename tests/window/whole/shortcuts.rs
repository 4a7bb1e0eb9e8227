//! Keys: every one that a menu shows does what the menu's line does.

use super::*;
use canvas::{Hands, example as open, press, write};
use egui::accesskit::Role;
use egui::{Key, KeyboardShortcut, Modifiers, ViewportId};
use egui_kittest::kittest::NodeT;
use jounce::editor::{Action, Menu};
use jounce::graph::Selection;

#[test]
fn no_two_actions_share_a_name_or_a_key() {
    let actions: Vec<_> = all_actions().collect();
    for (place, action) in actions.iter().enumerate() {
        assert!(action.help.ends_with('.'), "{}: help is a sentence", action.name);
        for other in &actions[..place] {
            assert_ne!(action.name, other.name);
            if action.shortcut.is_some() && action.shortcut == other.shortcut {
                panic!("{} and {} have the same keys", action.name, other.name);
            }
        }
        // A key that is held is nobody else's, with whatever else is pressed but Ctrl.
        let Some(held) = action.held else { continue };
        for other in &actions {
            let keys = other.shortcut.filter(|keys| !keys.modifiers.command);
            let is_taken = keys.is_some_and(|keys| keys.logical_key == held);
            assert!(!is_taken, "{} takes the key that is held for {}", other.name, action.name);
        }
    }
    assert!(actions.iter().any(|action| action.held == Some(Key::H)));
}

/// As a keyboard does: once down, then again and again, then up.
fn hold(hands: &mut Hands, key: Key, modifiers: Modifiers) {
    let event =
        |pressed, repeat| egui::Event::Key { key, physical_key: None, pressed, repeat, modifiers };
    for repeat in [false, true, true, true, true] {
        hands.event(event(true, repeat));
        hands.step();
    }
    hands.event(event(false, false));
    hands.step();
}

#[test]
fn a_key_that_is_held_switches_once_and_only_steps_go_on() {
    let mut hands = open("velocity-skinning");
    let nodes = Selection::nodes(["trail", "stretch"]);
    hands.state_mut().state.selection.in_graph = nodes;
    hands.run();
    let before = hands.state().state.session.document().clone();
    let undo_label =
        |hands: &Hands| hands.state().state.session.history().undo_label().map(str::to_owned);
    // H shows plain skinning for a moment, whatever is selected, and is no change.
    hold(&mut hands, Key::H, Modifiers::NONE);
    assert_eq!(*hands.state().state.session.document(), before);
    assert_eq!(undo_label(&hands), None);
    for (key, label) in [(Key::M, "Mute"), (Key::C, "Collapse"), (Key::L, "Loop")] {
        hold(&mut hands, key, Modifiers::NONE);
        assert_eq!(undo_label(&hands).as_deref(), Some(label));
        press(&mut hands, Modifiers::COMMAND, Key::Z);
        assert_eq!(*hands.state().state.session.document(), before, "{label} was one step");
        assert_eq!(undo_label(&hands), None, "{label} was one step");
    }
    let frame = hands.state().state.playhead.frame();
    hold(&mut hands, Key::ArrowRight, Modifiers::NONE);
    assert_eq!(hands.state().state.playhead.frame(), frame + 5);
}

/// Everything that an action may change, as text: the document, the view, and what is on the screen.
fn everything(hands: &Hands) -> String {
    let state = &hands.state().state;
    let switches: Vec<Option<bool>> =
        all_actions().map(|action| action.is_on.map(|is_on| is_on(state))).collect();
    let history = state.session.history();
    let camera = state.viewport.screen.map(|screen| screen.camera);
    // The list of files in a dialog comes when it comes.
    let is_asking = state.files.is_asking();
    let labels: Vec<String> = (hands.root().children_recursive())
        .filter(|node| !is_asking || node.accesskit_node().role() == Role::Window)
        .filter_map(|node| node.accesskit_node().label())
        .collect();
    format!(
        "{:#?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:#?}",
        state.session.document(),
        (history.undo_label(), history.redo_label(), state.viewport.compare.slots.current()),
        state.playhead,
        state.selection,
        switches,
        (&state.viewport.paint.brush, state.viewport.paint.is_adjusting()),
        camera,
        is_asking,
        labels,
    )
}

/// What was asked of the system in the last frame.
fn asked(hands: &Hands) -> String {
    let output = hands.output();
    let commands = output.viewport_output.get(&ViewportId::ROOT).map(|it| &it.commands);
    // The title follows the document, a frame later if that changed late in a frame.
    let is_asked = |it: &&egui::ViewportCommand| !matches!(it, egui::ViewportCommand::Title(_));
    let commands: Vec<_> = commands.into_iter().flatten().filter(is_asked).collect();
    format!("{:?} {commands:?}", output.platform_output.commands)
}

/// Where the action has something to do.
fn scene(action: &Action) -> Hands {
    let mut hands = open("velocity-skinning");
    let select = |hands: &mut Hands, nodes: &[&str]| {
        hands.state_mut().state.selection.in_graph = Selection::nodes(nodes.iter().copied());
        hands.run();
    };
    let state = &mut hands.state_mut().state;
    state.playhead.time_secs = state.show.duration_secs() * 0.37;
    state.selection.bones = vec![2];
    if let Some(screen) = state.viewport.screen {
        // Not where it would be framed.
        let mut camera = screen.camera;
        camera.distance *= 1.7;
        camera.view.yaw_rad += 0.4;
        camera.view.pitch_rad += 0.2;
        state.viewport.camera = Some(camera);
    }
    select(&mut hands, &["trail"]);
    match action.name {
        "Undo" => press(&mut hands, Modifiers::NONE, Key::M),
        "Redo" => {
            press(&mut hands, Modifiers::NONE, Key::M);
            press(&mut hands, Modifiers::COMMAND, Key::Z);
        }
        "Select All" => select(&mut hands, &[]),
        brush if brush.contains("Brush") => press(&mut hands, Modifiers::NONE, Key::P),
        "Ungroup" | "Enter Group" | "Leave Group" => {
            select(&mut hands, &["trail", "stretch"]);
            press(&mut hands, Modifiers::COMMAND, Key::G);
            write(&mut hands, "Body");
            press(&mut hands, Modifiers::NONE, Key::Enter);
            let nodes = &hands.state().state.session.document().style.graph.nodes;
            let group = nodes.iter().find(|(_, node)| node.group().is_some()).unwrap().0.clone();
            select(&mut hands, &[&group]);
            if action.name == "Leave Group" {
                press(&mut hands, Modifiers::COMMAND, Key::ArrowDown);
            }
        }
        _ => {}
    }
    assert!((action.is_enabled)(&hands.state().state), "{} can be done", action.name);
    hands
}

/// Until nothing is under way any more.
fn settle(hands: &mut Hands, action: &Action) {
    for _ in 0..400 {
        hands.step();
        if hands.state().state.jobs.is_idle() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    if action.menu == Menu::File {
        // What is opened plays at once, and comes when it comes.
        let playhead = &mut hands.state_mut().state.playhead;
        (playhead.is_playing, playhead.time_secs) = (false, 0.0);
    }
    hands.run_steps(4);
}

/// The system takes these keys, and says what they mean.
fn as_the_system_says(shortcut: &KeyboardShortcut) -> Option<egui::Event> {
    match (shortcut.modifiers, shortcut.logical_key) {
        (Modifiers::COMMAND, Key::C) => Some(egui::Event::Copy),
        (Modifiers::COMMAND, Key::X) => Some(egui::Event::Cut),
        _ => None,
    }
}

#[test]
fn every_key_that_a_menu_shows_does_what_its_line_does() {
    let mut count = 0;
    for action in all_actions() {
        let Some(shortcut) = action.shortcut else { continue };
        count += 1;
        let mut untouched = scene(action);
        untouched.step();
        let before = (everything(&untouched), asked(&untouched));

        let mut by_line = scene(action);
        let ctx = by_line.ctx.clone();
        (action.run)(&mut by_line.state_mut().state, &ctx);
        by_line.step();
        let asked_by_line = asked(&by_line);
        settle(&mut by_line, action);

        let mut by_key = scene(action);
        // Down alone: what a frame has asked of the system is seen only in that frame.
        by_key.event(egui::Event::Key {
            key: shortcut.logical_key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: shortcut.modifiers,
        });
        by_key.step();
        let asked_by_key = asked(&by_key);
        settle(&mut by_key, action);
        let name = action.name;
        let (by_line, by_key) = (everything(&by_line), everything(&by_key));
        assert!((&by_line, &asked_by_line) != (&before.0, &before.1), "{name} does something");
        assert_eq!(asked_by_line, asked_by_key, "{name}");
        assert!(by_line == by_key, "{name}:\n{}", difference(&by_line, &by_key));

        if let Some(event) = as_the_system_says(&shortcut) {
            let mut by_system = scene(action);
            by_system.event(event);
            by_system.step();
            assert_eq!(asked_by_line, asked(&by_system), "{name}");
            settle(&mut by_system, action);
            assert_eq!(by_line, everything(&by_system), "{name}");
        }
    }
    assert!(count > 30, "{count} keys");
}

fn difference(a: &str, b: &str) -> String {
    let lines = a.lines().zip(b.lines()).filter(|(a, b)| a != b).take(6);
    lines.map(|(a, b)| format!("- {a}\n+ {b}\n")).collect()
}

#[test]
fn menus_show_the_keys_of_their_lines() {
    let mut hands = open("velocity-skinning");
    for menu in Menu::ALL {
        // Panels have names too: the bar is above all of them.
        let named = hands.get_all_by_label(menu.name());
        let top = |node: &egui_kittest::Node| node.rect().top();
        named.into_iter().min_by(|a, b| top(a).total_cmp(&top(b))).unwrap().click();
        hands.run();
        let labels = |hands: &Hands| -> Vec<String> {
            let nodes = hands.root().children_recursive();
            nodes.filter_map(|node| node.accesskit_node().label()).collect()
        };
        let mut lines = labels(&hands);
        for group in ["Tool", "Brush", "Look From"] {
            // The arrow at its end tells it from the lines of actions.
            let is_group = |label: &String| label.starts_with(group) && label.contains('⏵');
            let Some(line) = lines.iter().find(|label| is_group(label)).cloned() else { continue };
            hands.get_by_label(&line).click();
            hands.run();
            lines.extend(labels(&hands));
        }
        let with_keys = all_actions().filter(|action| action.menu == menu);
        for action in with_keys {
            let Some(shortcut) = action.shortcut else { continue };
            let keys = hands.ctx.format_shortcut(&shortcut);
            let shows = |label: &String| label.starts_with(action.name) && label.ends_with(&keys);
            assert!(lines.iter().any(shows), "{} {keys}", action.name);
        }
        press(&mut hands, Modifiers::NONE, Key::Escape);
    }
}

#[test]
fn the_list_of_actions_runs_what_is_chosen_by_arrows_or_a_click() {
    let mut hands = open("velocity-skinning");
    let has_costs = |hands: &Hands| hands.state().state.canvas.has_costs;
    press(&mut hands, Modifiers::COMMAND, Key::P);
    write(&mut hands, "node cos");
    hands.get_by_label("Node Costs").click();
    hands.run();
    assert!(has_costs(&hands) && !hands.state().state.palette.is_open());
    // Down, and up again, and Enter.
    press(&mut hands, Modifiers::COMMAND, Key::P);
    write(&mut hands, "frame");
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowDown, Key::ArrowUp] {
        press(&mut hands, Modifiers::NONE, key);
    }
    let found = jounce::editor::found_actions(&hands.state().state, "frame");
    assert_eq!(found[2].name, "Frame All");
    let mut camera = hands.state().state.viewport.screen.unwrap().camera;
    camera.distance *= 2.0;
    hands.state_mut().state.viewport.camera = Some(camera);
    press(&mut hands, Modifiers::NONE, Key::Enter);
    hands.run();
    assert!(hands.state().state.viewport.camera.is_none(), "all of it is framed");
    // Nothing is done where nothing is found, nor after Escape.
    for (words, key) in [("zebra", Key::Enter), ("node cos", Key::Escape)] {
        press(&mut hands, Modifiers::COMMAND, Key::P);
        write(&mut hands, words);
        press(&mut hands, Modifiers::NONE, key);
        assert!(!hands.state().state.palette.is_open() || key == Key::Enter);
        assert!(has_costs(&hands));
        press(&mut hands, Modifiers::NONE, Key::Escape);
    }
}

/// Puts the focus into a text field, by the words that it is announced with or begins with.
fn focus(hands: &mut Hands, field: &str) {
    let fields = hands.root().children_recursive().filter(|node| {
        let node = node.accesskit_node();
        let is_text = matches!(node.role(), Role::TextInput | Role::MultilineTextInput);
        let says = |text: Option<String>| text.is_some_and(|text| text.contains(field));
        is_text && (says(node.label()) || says(node.placeholder().map(str::to_owned)))
    });
    let at = fields.map(|node| node.rect().center()).next();
    let at = at.unwrap_or_else(|| panic!("no field {field}"));
    canvas::click_at(hands, at, egui::PointerButton::Primary, Modifiers::NONE);
    assert!(hands.ctx.text_edit_focused(), "{field}");
}

#[test]
fn while_a_text_is_written_keys_change_nothing_else() {
    for field in ["title", "name", "Find a bone", "Search nodes", "Title of the node"] {
        let mut hands = open("velocity-skinning");
        hands.state_mut().state.selection.in_graph = Selection::nodes(["floppy"]);
        press(&mut hands, Modifiers::NONE, Key::M);
        match field {
            "Search nodes" => press(&mut hands, Modifiers::NONE, Key::Tab),
            "Title of the node" => press(&mut hands, Modifiers::NONE, Key::F2),
            _ => focus(&mut hands, field),
        }
        let before = hands.state().state.session.document().clone();
        let time = hands.state().state.playhead;
        for action in all_actions().filter(|action| !action.while_typing) {
            let Some(shortcut) = action.shortcut else { continue };
            // These leave the field, as they should.
            if [Key::Tab, Key::Escape].contains(&shortcut.logical_key) {
                continue;
            }
            press(&mut hands, shortcut.modifiers, shortcut.logical_key);
            let state = &hands.state().state;
            assert_eq!(*state.session.document(), before, "{field}: {}", action.name);
            assert_eq!(format!("{:?}", state.playhead), format!("{time:?}"), "{}", action.name);
        }
        assert!(hands.ctx.text_edit_focused(), "{field}");
    }
}

#[test]
fn a_title_counts_when_its_field_is_left_and_for_its_own_node() {
    let mut hands = open("velocity-skinning");
    let title = |hands: &Hands, node: &str| {
        let nodes = &hands.state().state.session.document().style.graph.nodes;
        nodes[node].title.clone()
    };
    let rename = |hands: &mut Hands, text: &str| {
        focus(hands, "title");
        press(hands, Modifiers::COMMAND, Key::A);
        write(hands, text);
    };
    canvas::click(&mut hands, "node trail");
    rename(&mut hands, "Tail");
    let before = title(&hands, "stretch");
    canvas::click(&mut hands, "node stretch");
    assert_eq!(title(&hands, "trail").as_deref(), Some("Tail"));
    assert_eq!(title(&hands, "stretch"), before, "not the other's");
    // Saving takes what stands in the field.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jounce");
    hands.state_mut().state.session.save(&file).unwrap();
    rename(&mut hands, "Belly");
    press(&mut hands, Modifiers::COMMAND, Key::S);
    let saved = jounce::graph::Document::load(&file).unwrap().document;
    assert_eq!(saved.style.graph.nodes["stretch"].title.as_deref(), Some("Belly"));
}

#[test]
fn menus_say_what_would_be_undone() {
    let mut hands = open("velocity-skinning");
    hands.state_mut().state.selection.in_graph = Selection::nodes(["trail"]);
    press(&mut hands, Modifiers::NONE, Key::M);
    hands.get_by_label("Edit").click();
    hands.run();
    hands.get_by_label_contains("Undo Mute");
}

#[test]
fn the_list_has_panels_examples_recent_files_and_test_motions() {
    let mut hands = open("velocity-skinning");
    let run = |hands: &mut Hands, words: &str| {
        press(hands, Modifiers::COMMAND, Key::P);
        write(hands, words);
        hands.key_press_modifiers(Modifiers::NONE, Key::Enter);
        hands.run_steps(4);
    };
    assert!(hands.query_by_role_and_label(Role::TextInput, "title").is_none());
    run(&mut hands, "panel: inspector");
    let has_tab =
        |hands: &Hands| hands.query_all_by_label("Inspector").any(|it| it.rect().width() > 0.0);
    assert!(!has_tab(&hands), "the panel is closed");
    run(&mut hands, "reset layout");
    assert!(has_tab(&hands), "and back");
    run(&mut hands, "test motion: nod");
    let motion = &hands.state().state.session.document().motion;
    assert_eq!(motion.test.as_deref(), Some("nod"));
    let names = |hands: &Hands, words: &str| -> Vec<String> {
        let found = jounce::editor::found_actions(&hands.state().state, words);
        found.into_iter().map(|entry| entry.name).collect()
    };
    assert_eq!(names(&hands, "example: cow-bouncy"), ["Example: cow-bouncy"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.jounce");
    let recent = &mut hands.state_mut().state.files.recent;
    recent.add(&file).unwrap();
    assert_eq!(names(&hands, "walk.jounce"), ["Recent: walk.jounce"]);
}
