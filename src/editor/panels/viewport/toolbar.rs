//! The toolbar above the picture: tools, and menus of what can be shown.

use super::{ACTIONS, SIDES, Tool, compare, heat, tools};
use crate::{Action, State, menu};
use egui::Ui;
use jounce_eval::heat::HeatSubject;
use jounce_ir::source::derived_maps;
use jounce_session::{MOST_EXAGGERATION, MOST_MEMBERS, SlotName};

pub fn show(ui: &mut Ui, state: &mut State) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for tool in Tool::ALL {
            let is_on = state.viewport.tool == tool;
            let button = egui::Button::selectable(is_on, tool.name());
            if ui.add(button).on_hover_text(tool.help()).clicked() {
                tools::choose(state, tool);
            }
        }
        ui.separator();
        ui.menu_button("Camera", |ui| {
            ui.set_min_width(170.0);
            items(ui, state, CAMERA);
            ui.separator();
            items(ui, state, SIDES);
        });
        menu_of(ui, state, "Overlays", OVERLAYS);
        compare_menu(ui, state);
        on_mesh_menu(ui, state);
        crowd_menu(ui, state);
        exaggeration(ui, state);
        slots(ui, state);
    });
}

const CAMERA: &[&str] = &["Frame", "Frame All"];
const OVERLAYS: &[&str] = &["Wireframe", "Skeleton", "Bone Axes", "Centroids", "Path"];
const COMPARE: &[&str] = &["Ghost", "Split", "Plain Skinning"];

fn action(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().find(|action| action.name == name)
}

fn items(ui: &mut Ui, state: &mut State, names: &[&str]) {
    for action in names.iter().filter_map(|name| action(name)) {
        menu::item(ui, state, action);
    }
}

fn menu_of(ui: &mut Ui, state: &mut State, title: &str, names: &[&str]) {
    ui.menu_button(title, |ui| {
        ui.set_min_width(170.0);
        items(ui, state, names);
    });
}

fn compare_menu(ui: &mut Ui, state: &mut State) {
    ui.menu_button("Compare", |ui| {
        ui.set_min_width(200.0);
        items(ui, state, COMPARE);
        ui.separator();
        items(ui, state, &["Store in A", "Store in B", "Switch A / B"]);
    });
}

/// What can be shown as colours: ports of any node, the selected one's first, maps, flesh, weights of the
/// selected bone.
fn on_mesh_menu(ui: &mut Ui, state: &mut State) {
    ui.menu_button("On Mesh", |ui| {
        ui.set_min_width(210.0);
        items(ui, state, &["Hide Heat Map", "Sum over Bones", "Next Bone on Mesh"]);
        ports_menu(ui, state);
        let settings = state.session.character_settings();
        let character = state.show.character().clone();
        let painted = settings.maps.keys().cloned();
        let in_file = character.maps.iter().map(|map| map.name.clone());
        let mut maps: Vec<String> = painted.chain(in_file).collect();
        maps.extend(derived_maps().map(|(info, _)| info.saved_name.to_owned()));
        maps.sort();
        maps.dedup();
        choices(ui, state, "Maps", maps.into_iter().map(HeatSubject::Map).collect());
        let mut flesh: Vec<HeatSubject> =
            settings.flesh.keys().cloned().map(HeatSubject::Flesh).collect();
        if flesh.len() > 1 {
            flesh.insert(0, HeatSubject::AllFlesh);
        }
        choices(ui, state, "Flesh", flesh);
        let name = |&bone: &usize| character.skeleton.bone_name(bone).to_owned();
        let bones = state.selection.bones.iter().map(name).map(HeatSubject::Bone).collect();
        choices(ui, state, "Skin weights of the selected bones", bones);
    });
}

/// By node, of the graph that is open.
fn ports_menu(ui: &mut Ui, state: &mut State) {
    let of_node = |state: &State, id: &str| -> Vec<HeatSubject> {
        heat::ports_of_node(state, id).into_iter().map(HeatSubject::Port).collect()
    };
    let selected: Vec<String> = state.selection.in_graph.nodes.iter().cloned().collect();
    for id in &selected {
        choices(ui, state, &format!("Of {}", title_of(state, id)), of_node(state, id));
    }
    let graph = state.session.document().style.graph(&state.graph_ref());
    let nodes = graph.into_iter().flat_map(|graph| graph.nodes.keys());
    let others: Vec<String> = nodes.filter(|id| !selected.contains(id)).cloned().collect();
    ui.separator();
    ui.menu_button("Another node", |ui| {
        for id in &others {
            let subjects = of_node(state, id);
            if !subjects.is_empty() {
                let title = title_of(state, id);
                ui.menu_button(title, |ui| choices(ui, state, id, subjects));
            }
        }
    });
}

fn title_of(state: &State, id: &str) -> String {
    let graph = state.session.document().style.graph(&state.graph_ref());
    let node = graph.and_then(|graph| graph.nodes.get(id));
    node.map_or_else(|| id.to_owned(), |node| node.shown_title().to_owned())
}

fn choices(ui: &mut Ui, state: &mut State, title: &str, subjects: Vec<HeatSubject>) {
    if subjects.is_empty() {
        return;
    }
    ui.separator();
    ui.weak(title);
    for subject in subjects {
        let is_on = state.viewport.heat.subject.as_ref() == Some(&subject);
        if ui.selectable_label(is_on, subject.to_string()).clicked() {
            ui.close();
            state.viewport.heat.subject = (!is_on).then_some(subject);
        }
    }
}

fn crowd_menu(ui: &mut Ui, state: &mut State) {
    ui.menu_button("Crowd", |ui| {
        ui.set_min_width(200.0);
        items(ui, state, &["Crowd"]);
        let duration_secs = state.show.duration_secs();
        let crowd = &mut state.viewport.crowd;
        ui.horizontal(|ui| {
            let text = ui.label("How many");
            // One by one where they are few, by the hundred where they are thousands.
            let speed = 0.01 * crowd.layout.count().max(10) as f64;
            let drag = egui::DragValue::new(&mut crowd.layout.count);
            let drag = drag.range(1..=MOST_MEMBERS).speed(speed);
            ui.add(drag).labelled_by(text.id);
        });
        ui.horizontal(|ui| {
            let text = ui.label("Time offset");
            let even = duration_secs / crowd.layout.count() as f64;
            let mut secs = crowd.layout.spacing_secs.unwrap_or(even);
            let drag = egui::DragValue::new(&mut secs).speed(0.01).range(0.0..=60.0).suffix(" s");
            if ui.add(drag).labelled_by(text.id).changed() {
                crowd.layout.spacing_secs = Some(secs);
            }
        });
    });
}

/// For viewing only: it is not part of the document.
fn exaggeration(ui: &mut Ui, state: &mut State) {
    let amount = &mut state.viewport.compare.exaggeration;
    let range = 0.0..=MOST_EXAGGERATION;
    let drag = egui::DragValue::new(amount)
        .range(range)
        .speed(0.02)
        .prefix("Exaggerate × ")
        .max_decimals(2);
    let response = ui.add(drag).on_hover_text(
        "Multiplies the displacement, for viewing only. Double-click to reset it to × 1",
    );
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(*amount), "Exaggerate"));
    if response.double_clicked() {
        *amount = 1.0;
    }
}

fn slots(ui: &mut Ui, state: &mut State) {
    for name in [SlotName::A, SlotName::B] {
        let slots = &state.viewport.compare.slots;
        let is_on = slots.current() == Some(name);
        let help = match slots.get(name) {
            Some(_) => "Shows this slot; the current style and settings are kept in the other one",
            None => "Empty. Click to store the current style and settings here",
        };
        let button = egui::Button::selectable(is_on, name.letter());
        let response = ui.add(button).on_hover_text(help);
        let label = format!("Slot {}", name.letter());
        response.widget_info(|| {
            egui::WidgetInfo::selected(egui::WidgetType::Button, true, is_on, &label)
        });
        if response.clicked() {
            compare::switch_slot(state, Some(name));
        }
    }
}

pub fn context_menu(ui: &mut Ui, state: &mut State) {
    ui.set_min_width(190.0);
    items(ui, state, &["Frame", "Frame All"]);
    ui.separator();
    items(ui, state, OVERLAYS);
    ui.separator();
    items(ui, state, COMPARE);
    ui.separator();
    items(ui, state, &["Clear Velocities", "Reset Centroids"]);
}
