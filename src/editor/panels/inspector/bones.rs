//! What Bone Value nodes say of the selected bones: one column per node, one line per bone.

use super::row::track;
use crate::editor::State;
use crate::graph::{BoneSetting, Command, GraphRef, Style};
use egui::{DragValue, Grid};

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let character = state.show.character().clone();
    let skeleton = &character.skeleton;
    let bones = state.selection.bones.clone();
    match bones[..] {
        [only] => ui.strong(skeleton.bone_name(only)),
        _ => ui.strong(format!("{} bones", bones.len())),
    };
    let paths = bone_value_paths(&state.session.document().style);
    if paths.is_empty() {
        ui.weak("No Bone Value node in this style: all bones are alike.");
        return;
    }
    for path in &paths {
        ui.add_space(4.0);
        ui.label(path);
        Grid::new(("bone values", path)).num_columns(4).striped(true).show(ui, |ui| {
            for &bone in &bones {
                line(ui, state, path, skeleton.bone_name(bone), &bones, skeleton);
                ui.end_row();
            }
        });
    }
}

/// Of every Bone Value node, in groups too: `group/node`.
pub fn bone_value_paths(style: &Style) -> Vec<String> {
    fn collect(
        style: &Style,
        graph: &GraphRef,
        prefix: &str,
        depth: usize,
        found: &mut Vec<String>,
    ) {
        let Some(graph) = style.graph(graph).filter(|_| depth < crate::graph::MAX_NESTING) else {
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

fn line(
    ui: &mut egui::Ui,
    state: &mut State,
    path: &str,
    name: &str,
    bones: &[usize],
    skeleton: &crate::rig::Skeleton,
) {
    let key = state.session.character_settings_key();
    let settings = state.session.character_settings();
    let own = settings.bone_values.get(path).and_then(|bones| bones.get(name)).copied();
    let set_one = |name: &str, value: Option<BoneSetting>| Command::SetBoneValue {
        character: key.clone(),
        node: path.to_owned(),
        bone: name.to_owned(),
        value,
    };
    // A change of one selected bone is a change of all of them.
    let set_all = |value: Option<BoneSetting>| {
        Command::batch(bones.iter().map(|&bone| set_one(skeleton.bone_name(bone), value)).collect())
    };
    let label = format!("Set {path}");
    let text = ui.label(name);
    let shown = own.unwrap_or(BoneSetting { value: 1.0, branch: true });
    let mut value = shown.value;
    let drag = DragValue::new(&mut value).speed(0.01).update_while_editing(false);
    let response = ui.add(drag).labelled_by(text.id);
    let changed = response.changed().then(|| set_all(Some(BoneSetting { value, ..shown })));
    track(&mut state.session, &response, &label, changed);
    let mut branch = shown.branch;
    let has_below = ui.checkbox(&mut branch, "branch");
    if has_below.on_hover_text("Also all bones below it.").changed() {
        state.session.perform(&label, set_all(Some(BoneSetting { branch, ..shown })));
    }
    match own {
        Some(_) => {
            if ui.small_button("⟲").on_hover_text("None of its own").clicked() {
                state.session.perform(&label, set_all(None));
            }
        }
        None => {
            ui.weak("as above");
        }
    }
}
