//! What Bone Value nodes say of the selected bones: a table per node, a line per bone, and one above them
//! that sets all.

use super::row::track;
use crate::State;
use egui::{DragValue, Grid, Response};
use jounce_graph::document::{BoneSetting, Command, GraphRef, Node, Style, ports_of};
use jounce_graph::script::{DefaultInput, InputPort, Setting};
use jounce_session::Session;
use std::collections::BTreeMap;

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let character = state.show.character().clone();
    let skeleton = &character.skeleton;
    let bones = state.selection.bones.clone();
    match bones[..] {
        [only] => ui.strong(skeleton.bone_name(only)),
        _ => ui.strong(format!("{} bones", bones.len())),
    };
    let names: Vec<String> =
        bones.iter().map(|&bone| skeleton.bone_name(bone).to_owned()).collect();
    let paths = bone_value_paths(&state.session.document().style);
    if paths.is_empty() {
        ui.weak("This style has no Bone Value node, so all bones are treated alike.");
        return;
    }
    for path in &paths {
        ui.add_space(4.0);
        ui.label(path);
        let column = Column::new(state, path);
        Grid::new(("bone values", path)).num_columns(4).striped(true).show(ui, |ui| {
            if names.len() > 1 {
                all_line(ui, &mut state.session, &column, &names);
                ui.end_row();
            }
            for bone in &names {
                line(ui, &mut state.session, &column, bone);
                ui.end_row();
            }
        });
    }
}

/// The paths of all Bone Value nodes, in groups too: `group/node`.
pub fn bone_value_paths(style: &Style) -> Vec<String> {
    fn collect(
        style: &Style,
        graph: &GraphRef,
        prefix: &str,
        depth: usize,
        found: &mut Vec<String>,
    ) {
        let Some(graph) =
            style.graph(graph).filter(|_| depth < jounce_graph::document::MAX_NESTING)
        else {
            return;
        };
        for (id, node) in &graph.nodes {
            let path = format!("{prefix}{id}");
            match node.group() {
                Some(group) => {
                    let inner = GraphRef::Group(group.to_owned());
                    collect(style, &inner, &format!("{path}/"), depth + 1, found);
                }
                None if node.node_type == "Bone Value" => found.push(path),
                None => {}
            }
        }
    }
    let mut found = Vec::new();
    collect(style, &GraphRef::Top, "", 0, &mut found);
    found
}

/// One column of the table: what a Bone Value node says of one character's bones.
struct Column<'a> {
    path: &'a str,
    /// The input for the node's value: its range and unit, and the value of bones without a number.
    input: Option<InputPort>,
    default: f64,
    /// Under which the document keeps the settings.
    character: String,
    own: BTreeMap<String, BoneSetting>,
}

impl Column<'_> {
    fn new<'a>(state: &State, path: &'a str) -> Column<'a> {
        let style = &state.session.document().style;
        let node = node_at(style, path);
        let ports = node.and_then(|node| ports_of(node, style, state.session.library()).ok());
        let input = ports.and_then(|ports| ports.input("value").cloned());
        let set = node.and_then(|node| node.settings.get("value"));
        let otherwise = input.as_ref().and_then(|input| match &input.default {
            DefaultInput::Setting(setting) => Some(setting),
            _ => None,
        });
        let default = match set.or(otherwise) {
            Some(Setting::Float(x)) => *x,
            _ => 1.0,
        };
        let character = state.session.character_settings_key();
        let mut settings = state.session.character_settings();
        let own = settings.bone_values.remove(path).unwrap_or_default();
        Column { path, input, default, character, own }
    }

    fn set(&self, bone: &str, value: Option<BoneSetting>) -> Command {
        Command::SetBoneValue {
            character: self.character.clone(),
            node: self.path.to_owned(),
            bone: bone.to_owned(),
            value,
        }
    }

    fn set_all(&self, bones: &[String], value: impl Fn(&str) -> Option<BoneSetting>) -> Command {
        Command::batch(bones.iter().map(|bone| self.set(bone, value(bone))).collect())
    }

    /// What is set for a bone, or what would be if it were set now.
    fn shown(&self, bone: &str) -> BoneSetting {
        let own = self.own.get(bone).copied();
        own.unwrap_or(BoneSetting { value: self.default, branch: true })
    }

    fn limited(&self, value: f64) -> f64 {
        match self.input.as_ref().and_then(|input| input.hard) {
            Some((low, high)) if low <= high => value.clamp(low, high),
            _ => value,
        }
    }

    /// A number to drag or type; gives what it becomes.
    fn number(&self, ui: &mut egui::Ui, name: egui::Id, value: f64) -> (Response, Option<f64>) {
        let soft = self.input.as_ref().and_then(|input| input.soft.or(input.hard));
        let speed = soft.map_or(0.01, |(low, high)| ((high - low) / 200.0).abs().max(1e-6));
        let unit = self.input.as_ref().map(|input| input.unit.as_str()).unwrap_or_default();
        let suffix = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let mut new = value;
        let drag = DragValue::new(&mut new).speed(speed).max_decimals(4).suffix(suffix);
        let response = ui.add(drag.update_while_editing(false)).labelled_by(name);
        let is_new = response.changed() && new != value;
        (response, is_new.then(|| self.limited(new)))
    }
}

fn node_at<'a>(style: &'a Style, path: &str) -> Option<&'a Node> {
    let mut graph = GraphRef::Top;
    let mut node = None;
    for id in path.split('/') {
        let here = style.graph(&graph)?.nodes.get(id)?;
        if let Some(group) = here.group() {
            graph = GraphRef::Group(group.to_owned());
        }
        node = Some(here);
    }
    node
}

/// Above the others: what is set here is set for all of them.
fn all_line(ui: &mut egui::Ui, session: &mut Session, column: &Column, bones: &[String]) {
    let label = format!("Set {}", column.path);
    let Some(first) = bones.first().map(|bone| column.shown(bone)) else { return };
    let text = ui.strong("All selected");
    let (response, new) = column.number(ui, text.id, first.value);
    let each = |value| move |bone: &str| Some(BoneSetting { value, ..column.shown(bone) });
    let changed = new.map(|value| column.set_all(bones, each(value)));
    track(session, &response, &label, changed);
    let mut branch = bones.iter().all(|bone| column.shown(bone).branch);
    let all =
        ui.checkbox(&mut branch, "branch").on_hover_text("Applies to all bones below them too.");
    all.widget_info(|| {
        let kind = egui::WidgetType::Checkbox;
        egui::WidgetInfo::selected(kind, true, branch, "branch of all selected")
    });
    if all.changed() {
        let each = |bone: &str| Some(BoneSetting { branch, ..column.shown(bone) });
        session.perform(&label, column.set_all(bones, each));
    }
    if bones.iter().any(|bone| column.own.contains_key(bone)) {
        if reset(ui, "all selected") {
            session.perform(&label, column.set_all(bones, |_| None));
        }
    } else {
        ui.weak("inherited");
    }
}

fn line(ui: &mut egui::Ui, session: &mut Session, column: &Column, bone: &str) {
    let label = format!("Set {}", column.path);
    let shown = column.shown(bone);
    let text = ui.label(bone);
    let (response, new) = column.number(ui, text.id, shown.value);
    let changed = new.map(|value| column.set(bone, Some(BoneSetting { value, ..shown })));
    track(session, &response, &label, changed);
    let mut branch = shown.branch;
    let below =
        ui.checkbox(&mut branch, "branch").on_hover_text("Applies to all bones below it too.");
    below.widget_info(|| {
        let (kind, spoken) = (egui::WidgetType::Checkbox, format!("branch of {bone}"));
        egui::WidgetInfo::selected(kind, true, branch, spoken)
    });
    if below.changed() {
        session.perform(&label, column.set(bone, Some(BoneSetting { branch, ..shown })));
    }
    if !column.own.contains_key(bone) {
        ui.weak("inherited");
    } else if reset(ui, bone) {
        session.perform(&label, column.set(bone, None));
    }
}

fn reset(ui: &mut egui::Ui, what: &str) -> bool {
    let response = ui.small_button("⟲").on_hover_text("Use the inherited value");
    let spoken = format!("Reset {what}");
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, spoken.as_str()));
    response.clicked()
}
