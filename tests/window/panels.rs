//! Inspector, outliner and timeline: what is done there is read back from the document.

mod code;
mod keys;
mod own_nodes;
mod small;
mod time;

use crate::support::editor as support;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use jounce::editor::{Editor, Panel};
use jounce::graph::{Selection, built_in_style};
use jounce::script::Setting;
use support::{editor_of_size, example};

const SIZE: [f32; 2] = [1100.0, 720.0];

fn open(example: &str) -> Harness<'static, Editor> {
    editor_of_size(built_in_style(example).unwrap(), SIZE)
}

fn float(harness: &Harness<Editor>, node: &str, port: &str) -> Option<f64> {
    let document = harness.state().state.session.document();
    match document.style.graph.nodes[node].settings.get(port) {
        Some(Setting::Float(x)) => Some(*x),
        _ => None,
    }
}

/// Drags a widget by so many points, in small steps.
fn drag(harness: &mut Harness<Editor>, from: egui::Pos2, by: egui::Vec2) {
    harness.drag_at(from);
    harness.run_steps(2);
    for step in 1..=4 {
        harness.hover_at(from + by * (step as f32 / 4.0));
        harness.run_steps(1);
    }
    harness.drop_at(from + by);
    harness.run_steps(2);
}

#[test]
fn a_slider_drag_is_one_step_and_compiles_nothing() {
    let mut harness = open("velocity-skinning");
    let before = float(&harness, "floppy", "value").unwrap();
    let compiled = harness.state().state.show.compile_count();
    let slider = harness.get_by_role_and_label(Role::Slider, "floppy").rect();
    drag(&mut harness, slider.center(), egui::vec2(30.0, 0.0));
    let after = float(&harness, "floppy", "value").unwrap();
    assert_ne!(before, after);
    let state = &harness.state().state;
    assert_eq!(state.show.compile_count(), compiled, "no slider compiles anew");
    assert_eq!(state.show.parameters().values.len(), state.show.program().tables.parameters.len());
    assert_eq!(state.session.history().undo_label(), Some("Set floppy"));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
    assert_eq!(
        float(&harness, "floppy", "value"),
        Some(before),
        "one step back is all of the drag"
    );
    assert_eq!(harness.state().state.session.history().undo_label(), None);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.run_steps(2);
    assert_eq!(float(&harness, "floppy", "value"), Some(after));
}

#[test]
fn what_is_typed_may_pass_the_slider_but_not_what_it_may_be() {
    let mut harness = open("flesh-belly");
    let nodes = &harness.state().state.session.document().style.graph.nodes;
    let flesh = nodes.iter().find(|(_, node)| node.node_type == "Flesh").unwrap().0.clone();
    harness.state_mut().state.selection.in_graph = Selection::nodes([flesh.clone()]);
    harness.run_steps(2);
    // Sliders end at 10 and at 1; the numbers themselves at 100 and at 1.
    for (port, typed, expected) in [("air drag", "25", 25.0), ("elongation", "3", 1.0)] {
        harness.get_by_role_and_label(Role::SpinButton, port).click();
        harness.run_steps(2);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.event(egui::Event::Text(typed.to_owned()));
        harness.run_steps(1);
        harness.key_press(Key::Enter);
        harness.run_steps(2);
        assert_eq!(float(&harness, &flesh, port), Some(expected), "{port}");
    }
    harness.get_by_label("Reset air drag").click();
    harness.run_steps(2);
    assert_eq!(float(&harness, &flesh, "air drag"), None, "back to the default");
}

#[test]
fn several_nodes_of_a_kind_are_set_at_once() {
    let mut harness = open("oscillation");
    let filters = ["swing-angular", "swing-linear"];
    harness.state_mut().state.selection.in_graph = Selection::nodes(filters);
    harness.run_steps(2);
    // Its amplitude is wired; nothing to drag there.
    assert!(harness.query_by_role_and_label(Role::Slider, "amplitude").is_none());
    let nodes = &harness.state().state.session.document().style.graph.nodes;
    assert_eq!(nodes[filters[0]].node_type, nodes[filters[1]].node_type);
    harness.state_mut().state.selection.in_graph = Selection::nodes(["amplitude", "decay"]);
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::SpinButton, "value").click();
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text("0.25".to_owned()));
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert_eq!(float(&harness, "amplitude", "value"), Some(0.25));
    assert_eq!(float(&harness, "decay", "value"), Some(0.25));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
    assert_ne!(float(&harness, "decay", "value"), Some(0.25), "both in one step");
    assert_ne!(float(&harness, "amplitude", "value"), Some(0.25));
}

#[test]
fn a_choice_is_made_from_a_list_in_the_inspector() {
    let mut harness = open("velocity-skinning");
    let positions = |harness: &mut Harness<'static, Editor>| {
        harness.state_mut().state.show.at(0.4).unwrap().deformed.positions
    };
    let chosen = |harness: &Harness<'static, Editor>| {
        let nodes = &harness.state().state.session.document().style.graph.nodes;
        nodes["output"].settings.get("base").cloned()
    };
    harness.state_mut().state.selection.in_graph = Selection::nodes(["output"]);
    harness.run_steps(2);
    let linear = positions(&mut harness);
    for (choice, expected) in [("DQS", false), ("LBS", true)] {
        harness.get_by_role_and_label(Role::ComboBox, "base").click();
        harness.run_steps(3);
        harness.get_by_role_and_label(Role::Button, choice).click();
        harness.run_steps(3);
        assert_eq!(chosen(&harness), Some(Setting::Text(choice.to_owned())));
        assert_eq!(positions(&mut harness) == linear, expected, "{choice}");
        let session = &harness.state().state.session;
        assert_eq!(session.history().undo_label(), Some("Set base"));
        assert!(harness.query_by_role_and_label(Role::Button, choice).is_none(), "it is closed");
    }
    harness.get_by_label("Reset base").click();
    harness.run_steps(2);
    assert_eq!(chosen(&harness), None, "back to the default");
}

fn type_into(harness: &mut Harness<'static, Editor>, field: &str, text: &str) {
    harness.get_by_role_and_label(Role::SpinButton, field).click();
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text(text.to_owned()));
    harness.key_press(Key::Enter);
    harness.run_steps(3);
}

/// The neck of the giraffe is selected.
fn with_a_neck() -> (Harness<'static, Editor>, Vec<String>) {
    let mut harness = open("oscillation");
    let skeleton = &harness.state().state.show.character().skeleton;
    let names = ["Neck.1", "Neck.2", "Head"].map(str::to_owned);
    let bones = names.iter().map(|name| skeleton.bone_named(name).expect(name)).collect();
    harness.state_mut().state.selection.bones = bones;
    harness.run_steps(2);
    (harness, names.to_vec())
}

fn bone_value(
    harness: &Harness<'static, Editor>,
    bone: &str,
) -> Option<jounce::graph::BoneSetting> {
    let settings = harness.state().state.session.character_settings();
    settings.bone_values.get("soft").and_then(|bones| bones.get(bone)).copied()
}

#[test]
fn a_line_sets_its_bone_and_the_line_above_sets_all() {
    let (mut harness, names) = with_a_neck();
    type_into(&mut harness, &names[0], "0.7");
    assert_eq!(bone_value(&harness, &names[0]).map(|it| it.value), Some(0.7));
    assert_eq!(bone_value(&harness, &names[1]), None, "only its own");
    // Its branch is its own too.
    harness.get_by_label(&format!("branch of {}", names[0])).click();
    harness.run_steps(2);
    assert_eq!(bone_value(&harness, &names[0]).map(|it| it.branch), Some(false));
    type_into(&mut harness, "All selected", "0.2");
    for name in &names {
        assert_eq!(bone_value(&harness, name).map(|it| it.value), Some(0.2), "{name}");
    }
    let branches = names.iter().map(|name| bone_value(&harness, name).unwrap().branch);
    assert_eq!(branches.collect::<Vec<_>>(), [false, true, true], "no branch is copied");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
    assert_eq!(bone_value(&harness, &names[1]), None, "all of them in one step");
    assert_eq!(bone_value(&harness, &names[0]).map(|it| it.value), Some(0.7));
}

#[test]
fn a_branch_takes_the_bones_below_it_along_in_one_step() {
    let (mut harness, names) = with_a_neck();
    let head = harness.state().state.show.character().skeleton.bone_named("Head").unwrap();
    let bound = |harness: &Harness<'static, Editor>| {
        let tables = &harness.state().state.show.bound().bone_tables;
        tables.iter().map(|table| table[head]).collect::<Vec<_>>()
    };
    let positions = |harness: &mut Harness<'static, Editor>| {
        harness.state_mut().state.show.at(0.4).unwrap().deformed.positions
    };
    let before = (bound(&harness), positions(&mut harness));
    type_into(&mut harness, &names[0], "0.1");
    assert!(bone_value(&harness, &names[0]).unwrap().branch, "a branch unless it is said");
    let after = (bound(&harness), positions(&mut harness));
    assert_ne!(before.0, after.0, "the head hangs on the neck");
    assert_ne!(before.1, after.1);
    // Alone it is only the neck's.
    harness.get_by_label(&format!("branch of {}", names[0])).click();
    harness.run_steps(2);
    assert_eq!(bound(&harness), before.0);
    for _ in 0..2 {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        harness.run_steps(2);
    }
    assert_eq!(bone_value(&harness, &names[0]), None);
    assert_eq!((bound(&harness), positions(&mut harness)), before);
    assert_eq!(harness.state().state.session.history().undo_label(), None);
}

#[test]
fn one_axis_of_several_nodes_is_set_and_the_others_stay() {
    let mut document = built_in_style("velocity-skinning").unwrap();
    for (id, vector) in [("one", [1.0, 2.0, 3.0]), ("two", [4.0, 5.0, 6.0])] {
        let mut node = jounce::graph::Node::new("Cross");
        node.settings.insert("b".to_owned(), Setting::Vec3(vector));
        document.style.graph.nodes.insert(id.to_owned(), node);
    }
    let mut harness = editor_of_size(document, SIZE);
    harness.state_mut().state.selection.in_graph = Selection::nodes(["one", "two"]);
    harness.run_steps(2);
    let rows: Vec<egui::Rect> =
        harness.get_all_by_role_and_label(Role::SpinButton, "b").map(|node| node.rect()).collect();
    assert_eq!(rows.len(), 3);
    drag(&mut harness, rows[0].center(), egui::vec2(40.0, 0.0));
    let vector = |harness: &Harness<Editor>, node: &str| {
        let nodes = &harness.state().state.session.document().style.graph.nodes;
        match nodes[node].settings["b"] {
            Setting::Vec3(v) => v,
            _ => panic!("not a vector"),
        }
    };
    let (one, two) = (vector(&harness, "one"), vector(&harness, "two"));
    assert_ne!(one[0], 1.0);
    assert_eq!(one[0], two[0]);
    assert_eq!((one[1..].to_vec(), two[1..].to_vec()), (vec![2.0, 3.0], vec![5.0, 6.0]));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
    assert_eq!(vector(&harness, "two"), [4.0, 5.0, 6.0], "one step");
    assert_eq!(harness.state().state.session.history().undo_label(), None);
}

#[test]
fn bones_are_found_and_selected_in_the_outliner() {
    let mut harness = open("default");
    harness.get_by_role_and_label(Role::Button, "Neck").click();
    harness.run_steps(2);
    let selected = |harness: &Harness<Editor>| -> Vec<String> {
        let state = &harness.state().state;
        let skeleton = &state.show.character().skeleton;
        state.selection.bones.iter().map(|&bone| skeleton.bone_name(bone).to_owned()).collect()
    };
    assert_eq!(selected(&harness), ["Neck"]);
    harness.get_by_role_and_label(Role::Button, "Neck").click_modifiers(Modifiers::SHIFT);
    harness.run_steps(2);
    assert_eq!(selected(&harness), ["Neck", "Head"], "Shift takes all below it");
    harness.get_by_role_and_label(Role::Button, "Root").click_modifiers(Modifiers::COMMAND);
    harness.run_steps(2);
    assert_eq!(selected(&harness).len(), 3);
}

#[test]
fn roles_are_shown_and_corrected_in_the_outliner() {
    let mut harness = open("default");
    let said = |harness: &Harness<Editor>| harness.state().state.session.character_settings().roles;
    assert!(said(&harness).is_empty());
    // Behind the name of the only neck.
    harness.get_by_role_and_label(Role::Button, "neck").click();
    harness.run_steps(3);
    harness.get_by_role_and_label(Role::Button, "free").click();
    harness.run_steps(3);
    let neck = ("Neck".to_owned(), jounce::graph::Role::Free);
    assert_eq!(said(&harness).into_iter().collect::<Vec<_>>(), [neck]);
    harness.get_by_role_and_label(Role::Button, "free");
    assert!(harness.query_by_role_and_label(Role::Button, "neck").is_none());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(3);
    assert!(said(&harness).is_empty(), "one step");
    harness.get_by_role_and_label(Role::Button, "neck");
}

#[test]
fn a_clip_is_chosen_by_a_click_and_taken_back() {
    let mut harness = open("default");
    assert_eq!(harness.state().state.show.clip().name, "walk");
    harness.get_by_label_contains("hop (").click();
    harness.run_steps(2);
    let state = &harness.state().state;
    assert_eq!(state.session.document().motion.clip.as_deref(), Some("hop"));
    assert_eq!(state.show.clip().name, "hop");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
    assert_eq!(harness.state().state.show.clip().name, "walk");
}

#[test]
fn time_is_scrubbed_stepped_and_looped() {
    let mut harness = open("default");
    let duration_secs = harness.state().state.show.duration_secs();
    let ruler = harness.get_by_label("Time").rect();
    let middle = ruler.center();
    drag(
        &mut harness,
        middle - egui::vec2(ruler.width() / 4.0, 0.0),
        egui::vec2(ruler.width() / 4.0, 0.0),
    );
    let head = harness.state().state.playhead;
    assert!((head.time_secs - duration_secs / 2.0).abs() < 0.02 * duration_secs, "{head:?}");
    assert_eq!(harness.state().state.shown.time_secs, head.time_secs, "it is shown at that time");
    harness.key_press(Key::Home);
    harness.run_steps(2);
    harness.key_press(Key::ArrowRight);
    harness.run_steps(2);
    let head = harness.state().state.playhead;
    assert_eq!(head.frame(), 1);
    assert!((head.time_secs - 1.0 / head.fps).abs() < 1e-9);
    harness.key_press(Key::End);
    harness.run_steps(2);
    assert_eq!(harness.state().state.playhead.time_secs, duration_secs);
    let was_looped = harness.state().state.session.document().motion.looped;
    harness.key_press(Key::L);
    harness.run_steps(2);
    assert_ne!(harness.state().state.session.document().motion.looped, was_looped);
    harness.key_press(Key::Home);
    harness.run_steps(1);
    for _ in 0..6 {
        harness.key_press(Key::ArrowRight);
        harness.run_steps(1);
    }
    harness.key_press(Key::I);
    for _ in 0..6 {
        harness.key_press(Key::ArrowRight);
        harness.run_steps(1);
    }
    harness.key_press(Key::O);
    harness.run_steps(2);
    let (first, last) = harness.state().state.playhead.range_secs.unwrap();
    let fps = harness.state().state.playhead.fps;
    assert!((first * fps - 6.0).abs() < 1e-6 && (last * fps - 12.0).abs() < 1e-6, "{first} {last}");
    harness.state_mut().state.playhead.is_playing = true;
    for _ in 0..20 {
        harness.run_steps(1);
        let now = harness.state().state.playhead.time_secs;
        assert!((first..=last).contains(&now), "{now}");
    }
}

#[test]
fn everything_can_be_found_and_done_from_the_list_of_actions() {
    let mut harness = open("default");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_steps(3);
    assert!(harness.state().state.palette.is_open());
    harness.event(egui::Event::Text("wirefr".to_owned()));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(2);
    assert!(harness.state().state.viewport.has_wireframe);
    assert!(!harness.state().state.palette.is_open());
}

#[test]
fn closed_panels_come_back() {
    let mut harness = example("default");
    harness.state_mut().close_panel(Panel::Timeline);
    harness.run_steps(2);
    assert!(harness.query_by_label("Time").is_none());
    harness.state_mut().show_panel(Panel::Timeline);
    harness.run_steps(2);
    harness.get_by_label("Time");
    // Not one of those that are there from the start.
    assert!(harness.query_by_label("Code").is_none());
    harness.state_mut().show_panel(Panel::Code);
    harness.run_steps(2);
    for panel in Panel::ALL {
        assert!(harness.query_all_by_label(panel.name()).next().is_some(), "{}", panel.name());
    }
}

#[test]
fn a_bone_says_which_other_parent_it_has_and_its_menu_takes_it_back() {
    let mut harness = open("default");
    let parents = |harness: &Harness<Editor>| {
        harness.state().state.session.character_settings().parents.into_iter().collect::<Vec<_>>()
    };
    assert!(harness.query_by_label("Parent of Neck: Root").is_none(), "as in the file");
    harness.get_by_role_and_label(Role::Button, "Neck").click_secondary();
    harness.run_steps(3);
    harness.get_by_label_contains("Choose a Parent…").click();
    harness.run_steps(3);
    let choices = harness.query_all_by_label("Root").map(|node| node.rect().center());
    let rightmost = choices.max_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
    harness.hover_at(rightmost);
    harness.run_steps(1);
    harness.drag_at(rightmost);
    harness.drop_at(rightmost);
    harness.run_steps(3);
    assert_eq!(parents(&harness), [("Neck".to_owned(), Some("Root".to_owned()))]);
    assert_eq!(harness.state().state.session.history().undo_label(), Some("Set parent of bone"));
    harness.get_by_label("Parent of Neck: Root");
    // Who hangs on it cannot carry it: a sentence says so, and nothing changes.
    let session = &harness.state().state.session;
    let skeleton = &harness.state().state.show.character().skeleton;
    let [neck, head] = ["Neck", "Head"].map(|name| skeleton.bone_named(name).unwrap());
    let refused = jounce::session::parents::set_parent(
        session,
        neck,
        jounce::session::parents::ParentChoice::Other(Some(head)),
    );
    assert_eq!(
        refused.unwrap_err().to_string(),
        "Head is below Neck, so it cannot be its parent; choose a bone outside that branch"
    );
    harness.get_by_role_and_label(Role::Button, "Neck").click_secondary();
    harness.run_steps(3);
    harness.get_by_label_contains("Use the Detected Parent").click();
    harness.run_steps(3);
    assert_eq!(parents(&harness), []);
    assert!(harness.query_by_label("Parent of Neck: Root").is_none());
}
