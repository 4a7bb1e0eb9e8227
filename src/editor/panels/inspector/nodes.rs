//! The inputs of the selected nodes.

use super::keying::{Keying, path_of};
use super::left_over;
use super::painting;
use super::row::{Row, name_label};
use crate::{State, theme};
use jounce_base::keyed_value::MotionKeys;
use jounce_base::text::counted;
use jounce_graph::document::{Command, GraphRef, Node, PARAMETER_TYPE, PortRef};
use jounce_graph::document::{keys_of_name, node_type_of, ports_of, rename_keys};
use jounce_graph::script::{DefaultInput, InputPort, PortType, Setting};
use jounce_session::CodeOf;

/// The nodes whose inputs are set together, and the graph they stand in.
struct Set<'a> {
    graph: &'a GraphRef,
    ids: &'a [String],
}

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let graph_ref = state.graph_ref();
    // Fields of their own for every node: what is typed into one is not seen in another.
    let id = (graph_ref.clone(), state.selection.in_graph.nodes.clone());
    ui.push_id(id, |ui| fields(ui, state, graph_ref));
}

fn fields(ui: &mut egui::Ui, state: &mut State, graph_ref: GraphRef) {
    let document = state.session.document();
    let Some(graph) = document.style.graph(&graph_ref) else { return };
    let selected = state.selection.in_graph.nodes.iter();
    let selected: Vec<(String, Node)> =
        selected.filter_map(|id| Some((id.clone(), graph.nodes.get(id)?.clone()))).collect();
    let Some((first_id, first)) = selected.first() else { return };
    let is_alike = |node: &Node| (&node.node_type, &node.code) == (&first.node_type, &first.code);
    let alike: Vec<String> =
        selected.iter().filter(|(_, node)| is_alike(node)).map(|(id, _)| id.clone()).collect();
    heading(ui, state, &graph_ref, first_id, first, selected.len());
    let code = state.session.code_of_node(&graph_ref, first_id);
    let code = code.filter(|of| selected.len() == 1 && matches!(of, CodeOf::Expression { .. }));
    if let Some(of) = &code {
        super::super::code::in_inspector(ui, state, of);
    }
    let problems: Vec<String> = (state.show.compiled().problems.iter())
        .filter(|problem| problem.graph == graph_ref && problem.node.as_ref() == Some(first_id))
        // Those stand below the code, with their lines.
        .filter(|problem| code.is_none() || !problem.reason.is_in_script())
        .map(ToString::to_string)
        .collect();
    for problem in problems {
        ui.colored_label(theme::ERROR, problem);
    }
    let path = path_of(state, first_id);
    painting::offer(ui, state, &path);
    if alike.len() < selected.len() {
        let others = selected.len() - alike.len();
        ui.weak(format!(
            "{} of another type will not be changed.",
            counted(others, "selected node")
        ));
    }
    let document = state.session.document();
    let ports = match ports_of(first, &document.style, state.session.library()) {
        Ok(ports) => ports,
        Err(error) => {
            if code.is_none() {
                ui.colored_label(theme::ERROR, error.to_string());
            }
            return;
        }
    };
    let set = Set { graph: &graph_ref, ids: &alike };
    for input in &ports.inputs {
        port(ui, state, &set, first, input);
    }
    left_over::show(ui, state, &graph_ref, first_id, first, &ports);
    if ports.inputs.is_empty() {
        ui.weak("This node has no inputs.");
    }
}

fn heading(
    ui: &mut egui::Ui,
    state: &mut State,
    graph: &GraphRef,
    id: &str,
    node: &Node,
    count: usize,
) {
    if count > 1 {
        ui.strong(format!("{count} nodes"));
    } else {
        let row = Row {
            name: "title",
            soft: None,
            hard: None,
            unit: "",
            help: "Shown on the canvas",
            is_default: node.title.is_none(),
            is_mixed: false,
            keying: None,
        };
        row.text(ui, &mut state.session, node.shown_title(), |title| Command::SetTitle {
            graph: graph.clone(),
            node: id.to_owned(),
            title: title.filter(|title| !title.is_empty()),
        });
    }
    let summary = match node_type_of(node, state.session.library()) {
        Ok(node_type) => node_type.summary(),
        Err(_) => String::new(),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(egui::RichText::new(&node.node_type).color(theme::ACCENT));
        ui.weak(summary);
        let of = state.session.code_of_node(graph, id);
        let has_field = matches!(of, Some(CodeOf::Expression { .. }));
        if count == 1 && of.is_some() && !has_field {
            let button = ui.small_button("Code").on_hover_text("Shows the code of this node");
            if button.clicked() {
                super::super::code::show_code(state, ui.ctx());
            }
        }
    });
    ui.add_space(4.0);
}

/// Cut where the panel ends: a line that is too long would push all others out of it.
fn said(ui: &mut egui::Ui, text: &str) -> egui::Response {
    ui.add(egui::Label::new(egui::RichText::new(text).weak()).truncate())
}

/// Of one node; several have keys of their own.
fn keying(state: &State, set: &Set, node: &Node, input: &InputPort) -> Option<Keying> {
    match set.ids {
        [id] => Keying::of_input(state, id, node, &input.name),
        _ => None,
    }
}

fn port(ui: &mut egui::Ui, state: &mut State, set: &Set, first: &Node, input: &InputPort) {
    let document = state.session.document();
    let Some(graph) = document.style.graph(set.graph) else { return };
    let Some(first_id) = set.ids.first() else { return };
    let to = PortRef::new(first_id.clone(), input.name.clone());
    if let Some(link) = graph.links.iter().find(|link| link.to == to) {
        ui.horizontal(|ui| {
            name_label(ui, &input.name);
            said(ui, &format!("← {}", link.from));
        });
        return;
    }
    let setting_of = |id: &String| graph.nodes.get(id).and_then(|it| it.settings.get(&input.name));
    let set_here = first.settings.get(&input.name).filter(|setting| input.accepts(setting));
    let is_mixed = set.ids.iter().any(|id| setting_of(id) != first.settings.get(&input.name));
    let row = Row {
        name: &input.name,
        soft: input.soft,
        hard: input.hard,
        unit: &input.unit,
        help: &input.help,
        is_default: !set.ids.iter().any(|id| setting_of(id).is_some()),
        is_mixed,
        keying: keying(state, set, first, input),
    };
    let is_keyed = row.keying.as_ref().is_some_and(Keying::is_keyed);
    let set_one = |id: &String, value: Option<Setting>| Command::SetSetting {
        graph: set.graph.clone(),
        node: id.clone(),
        port: input.name.clone(),
        value,
    };
    let command = |value: Option<Setting>| {
        Command::batch(set.ids.iter().map(|id| set_one(id, value.clone())).collect())
    };
    let default = match &input.default {
        DefaultInput::Setting(setting) => Some(setting),
        DefaultInput::Source(_) | DefaultInput::Motion(_) => None,
    };
    let otherwise = match default {
        Some(Setting::Vec3(v)) => *v,
        _ => [0.0; 3],
    };
    let vec3_of = |id: &String| match setting_of(id) {
        Some(Setting::Vec3(v)) => *v,
        _ => otherwise,
    };
    // Keys follow the name of their parameter.
    let keys_along = match input.name == "name" && first.node_type == PARAMETER_TYPE {
        true => keys_of_name(document, first),
        false => MotionKeys::default(),
    };
    let path = path_of(state, first_id);
    let own: Vec<[f64; 3]> = set.ids.iter().map(vec3_of).collect();
    let session = &mut state.session;
    match (set_here.or(default), input.ty) {
        (None, _) => {
            let what = match &input.default {
                DefaultInput::Source(source) => source.info().doc.to_owned(),
                DefaultInput::Motion(_) => "from the bone's motion".to_owned(),
                DefaultInput::Setting(_) => String::new(),
            };
            ui.horizontal(|ui| {
                name_label(ui, &input.name);
                let starts = match input.ty {
                    PortType::Float | PortType::Any => Some(Setting::Float(0.0)),
                    PortType::Vec3 => Some(Setting::Vec3([0.0; 3])),
                    _ => None,
                };
                // From the right: a long text leaves room for the button.
                let from_right = egui::Layout::right_to_left(egui::Align::Center);
                ui.with_layout(from_right, |ui| {
                    if let Some(start) = starts
                        && ui.small_button("set").on_hover_text("Set a fixed value").clicked()
                    {
                        session.perform(&format!("Set {}", input.name), command(Some(start)));
                    }
                    let from_left = egui::Layout::left_to_right(egui::Align::Center);
                    ui.with_layout(from_left, |ui| said(ui, &what).on_hover_text(&input.help));
                });
            });
        }
        (Some(Setting::Float(x)), PortType::Int) => {
            row.int(ui, session, *x as i64, |x| command(x.map(Setting::Float)));
        }
        (Some(Setting::Float(x)), _) => {
            if row.float(ui, session, *x, |x| command(x.map(Setting::Float))) && is_keyed {
                // A key is at one time.
                state.playhead.is_playing = false;
            }
        }
        (Some(Setting::Vec3(v)), _) => {
            let set = |component: Option<(usize, f64)>| {
                let Some((place, x)) = component else { return command(None) };
                // The others keep their other two.
                let one = |(id, mut own): (&String, [f64; 3])| {
                    own[place] = x;
                    set_one(id, Some(Setting::Vec3(own)))
                };
                Command::batch(set.ids.iter().zip(own.iter().copied()).map(one).collect())
            };
            row.vec3(ui, session, *v, set);
        }
        (Some(Setting::Bool(on)), _) => {
            row.bool(ui, session, *on, |on| command(on.map(Setting::Bool)));
        }
        (Some(Setting::Text(word)), PortType::Choice) => {
            row.choice(ui, session, word, &input.choices, |word| command(word.map(Setting::Text)));
        }
        (Some(Setting::Text(word)), _) => {
            row.text(ui, session, word, |word| {
                let mut commands = rename_keys(&keys_along, &path, first, word.as_deref());
                commands.push(command(word.map(Setting::Text)));
                Command::batch(commands)
            });
        }
        (Some(Setting::Quat(_) | Setting::Other(_)), _) => {
            ui.horizontal(|ui| {
                name_label(ui, &input.name);
                ui.weak("set in the file");
            });
        }
    }
}
