//! What is done to the painted map without a stroke: each is one step.

use super::{choose_map, name_in_document, painted, surface, values};
use crate::State;
use crate::panels::viewport::{Tool, tools};
use jounce_graph::compile::ShownPort;
use jounce_graph::document::Command;
use jounce_session::painting::{FillFrom, NewMap, WholeMap, filled};
use jounce_session::{PortOnMesh, Severity};

fn set(state: &mut State, label: &str, name: String, values: Vec<f32>) -> bool {
    let command = Command::SetMap {
        character: state.session.character_settings_key(),
        map: name,
        values: Some(painted(state, values)),
    };
    state.session.perform(label, command)
}

/// What the brush does, where and as much as this says.
pub fn fill(state: &mut State, from: FillFrom) {
    super::give_up(state);
    let surface = surface(state);
    let view = &state.viewport.paint;
    let new = filled(&view.brush, &view.masks, &values(state), &from.amounts(&surface));
    let name = name_in_document(state);
    set(state, &format!("Fill {name}"), name, new);
}

pub fn whole(state: &mut State, what: WholeMap) {
    super::give_up(state);
    let surface = surface(state);
    let new = what.applied(&surface, &state.viewport.paint.masks, &values(state));
    let name = name_in_document(state);
    set(state, &format!("{} {name}", what.name()), name, new);
}

/// Under a name that no painted map has, and painted from now on.
pub fn new_map(state: &mut State, name: &str, from: &NewMap) {
    let settings = state.session.character_settings();
    match from.values(state.show.character(), &settings) {
        Ok(values) => add(state, name, values),
        Err(error) => state.session.say(Severity::Error, error.to_string()),
    }
}

/// From what is at a port now; of vectors the length.
pub fn new_map_from_port(state: &mut State, name: &str, port: ShownPort) {
    let time_secs = state.playhead.time_secs;
    let made = PortOnMesh::new(&state.session, port).map_err(|error| error.to_string());
    let shown = made.and_then(|mut made| {
        let vectors = made.at(time_secs).map_err(|error| error.to_string())?;
        let number = |v: &glam::Vec3| if made.is_vector() { v.length() } else { v.x };
        Ok(vectors.iter().map(number).collect())
    });
    match shown {
        Ok(values) => add(state, name, values),
        Err(text) => state.session.say(Severity::Error, text),
    }
}

fn add(state: &mut State, name: &str, values: Vec<f32>) {
    let name = free_name(state, name);
    let values = values.into_iter().map(|x: f32| if x.is_finite() { x } else { 0.0 }).collect();
    if set(state, &format!("New map {name}"), name.clone(), values) {
        begin(state, &name);
    }
}

/// The name, with a number behind it where it is taken.
pub fn free_name(state: &State, name: &str) -> String {
    let maps = state.session.character_settings().maps;
    let base = if name.trim().is_empty() { super::UNNAMED } else { name.trim() };
    let is_free = |name: &String| !maps.keys().any(|known| known.eq_ignore_ascii_case(name));
    let numbered = (2..).map(|number| format!("{base} {number}"));
    std::iter::once(base.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

/// A map that the style asks for and nobody has painted yet: it is there from now on, at 0, and the brush is in hand.
pub fn paint_it(state: &mut State, name: &str) {
    let count = state.show.character().vertex_count();
    let settings = state.session.character_settings();
    let is_usable = jounce_eval::named_map(name, state.show.character(), &settings)
        .is_some_and(|known| known.len() == count);
    if is_usable || set(state, &format!("New map {name}"), name.to_owned(), vec![0.0; count]) {
        begin(state, name);
    }
}

/// Takes the brush for a map.
pub fn begin(state: &mut State, name: &str) {
    tools::choose(state, Tool::Paint);
    choose_map(state, name);
}

/// The style gets nodes that let skin trail where the map says so.
pub fn make_floppy(state: &mut State) {
    super::give_up(state);
    let name = name_in_document(state);
    match jounce_session::painting::make_floppy(&state.session.document().style.graph, &name) {
        Some(command) => drop(state.session.perform(&format!("Make {name} floppy"), command)),
        None => {
            let text = "The graph has no Output node to wire to; add one first";
            state.session.say(Severity::Error, text);
        }
    }
}

pub fn delete_map(state: &mut State) {
    super::give_up(state);
    let (name, character) = (name_in_document(state), state.session.character_settings_key());
    let command = Command::SetMap { character, map: name.clone(), values: None };
    state.session.perform(&format!("Delete map {name}"), command);
}

pub fn rename_map(state: &mut State, to: &str) {
    super::give_up(state);
    let from = name_in_document(state);
    let maps = state.session.character_settings().maps;
    let (Some(values), false) = (maps.get(&from).cloned(), to.trim().is_empty()) else { return };
    if to.trim() == from {
        return;
    }
    let to = free_name(state, to);
    let character = state.session.character_settings_key();
    let set = |map: &str, values| Command::SetMap {
        character: character.clone(),
        map: map.to_owned(),
        values,
    };
    let both = vec![set(&from, None), set(&to, Some(values))];
    if state.session.perform(&format!("Rename map {from}"), Command::batch(both)) {
        choose_map(state, &to);
    }
}
