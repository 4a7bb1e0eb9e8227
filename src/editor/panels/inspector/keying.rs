//! A number that is keyed, or can be: what it is now, and the button that sets a key or removes it.

use crate::panels::diamond::diamond;
use crate::{State, theme};
use egui::{Sense, Ui, vec2};
use jounce_base::keyed_value::{KeyNumber, KeyedValue};
use jounce_eval::Parameters;
use jounce_graph::document::{Command, Node, keyed_name, set_keys};
use jounce_ir::Number;
use jounce_session::Session;

pub struct Keying {
    /// As keys have it.
    name: String,
    clip: String,
    time_secs: f64,
    /// Empty: not keyed over this clip.
    keyed: KeyedValue,
    /// With keys, at this time.
    now: f64,
}

/// Of a node in the graph that is open.
pub fn path_of(state: &State, id: &str) -> String {
    let path = state.selection.path.iter().map(String::as_str).chain([id]);
    path.collect::<Vec<_>>().join("/")
}

/// What an input is now, where it is keyed over the clip.
pub fn keyed_now(state: &State, id: &str, node: &Node, port: &str) -> Option<f64> {
    state.session.document().motion.keys.get(&state.show.clip().name)?;
    Keying::of_input(state, id, node, port)?.value()
}

/// The room of the button, in points.
pub const BUTTON_WIDTH: f32 = 12.0;

impl Keying {
    /// None where the style has no number of this name that can change without compiling.
    pub fn of(state: &State, name: &str) -> Option<Keying> {
        let (show, time_secs) = (&state.show, state.playhead.time_secs);
        let (program, clip) = (show.program(), &show.clip().name);
        if Parameters::places(program, name).is_empty() {
            return None;
        }
        let Some(Number::Float(now)) = show.parameters().at(time_secs).get(program, name) else {
            return None;
        };
        let keys = state.session.document().motion.keys.get(clip);
        let keyed = keys.and_then(|keys| keys.get(name)).cloned().unwrap_or_default();
        Some(Keying { name: name.to_owned(), clip: clip.clone(), time_secs, keyed, now })
    }

    /// An input of a node in the graph that is open.
    pub fn of_input(state: &State, id: &str, node: &Node, port: &str) -> Option<Keying> {
        Keying::of(state, &keyed_name(&path_of(state, id), node, port))
    }

    /// What it is now, where keys say so.
    pub fn value(&self) -> Option<f64> {
        self.is_keyed().then_some(self.now)
    }

    pub fn is_keyed(&self) -> bool {
        !self.keyed.keys.is_empty()
    }

    /// A key at this time.
    pub fn set(&self, value: f64) -> Command {
        let keyed = self.keyed.with_key(self.time_secs, KeyNumber::Float(value));
        set_keys(&self.clip, &self.name, keyed)
    }

    pub fn remove_all(&self) -> Command {
        set_keys(&self.clip, &self.name, KeyedValue::default())
    }

    /// Full where a key is at this time, hollow where there are others.
    pub fn button(&self, ui: &mut Ui, session: &mut Session, value: f64) {
        let (rect, response) = ui.allocate_exact_size(vec2(BUTTON_WIDTH, 20.0), Sense::click());
        let here = self.keyed.key_at(self.time_secs);
        let (label, command) = match here {
            Some(place) => {
                let rest = self.keyed.without_key(place);
                (format!("Remove key of {}", self.name), set_keys(&self.clip, &self.name, rest))
            }
            None => (format!("Key {}", self.name), self.set(value)),
        };
        let color = match (self.is_keyed(), response.hovered()) {
            (true, _) => theme::ACCENT,
            (false, true) => theme::TEXT,
            (false, false) => theme::FAINT,
        };
        diamond(ui.painter(), rect.center(), color, here.is_some());
        let kind = egui::WidgetType::Button;
        response.widget_info(|| egui::WidgetInfo::labeled(kind, true, &label));
        let help = match here {
            Some(_) => "Remove the key at this time",
            None => "Set a key here; the value then changes from key to key",
        };
        if response.on_hover_text(help).clicked() {
            session.perform(&label, command);
        }
    }
}
