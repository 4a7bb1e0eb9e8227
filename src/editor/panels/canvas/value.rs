//! What is set at an input that no wire reaches, small enough to stand on the node.

use super::announce;
use super::mirror::{InputView, NodeView};
use crate::panels::inspector::track;
use crate::theme;
use egui::{DragValue, RichText, Ui};
use jounce_graph::document::{Command, GraphRef};
use jounce_graph::script::{DefaultInput, PortType, Setting};
use jounce_session::Session;

pub struct NodeInGraph<'a> {
    pub graph: &'a GraphRef,
    pub id: &'a str,
    pub view: &'a NodeView,
}

impl NodeInGraph<'_> {
    fn set(&self, input: &InputView, value: Setting) -> Command {
        Command::SetSetting {
            graph: self.graph.clone(),
            node: self.id.to_owned(),
            port: input.name.clone(),
            value: Some(value),
        }
    }
}

pub fn show(ui: &mut Ui, session: &mut Session, place: &NodeInGraph, input: &InputView) {
    let Some(port) = &input.port else { return };
    let own = place.view.node.settings.get(&input.name).filter(|setting| port.accepts(setting));
    let default = match &port.default {
        DefaultInput::Setting(setting) => Some(setting),
        DefaultInput::Source(_) | DefaultInput::Motion(_) => None,
    };
    let label = format!("Set {}", input.name);
    let spoken = format!("{}.{}", place.id, input.name);
    let limit = |x: f64| match port.hard {
        Some((low, high)) if low <= high => x.clamp(low, high),
        _ => x,
    };
    let speed = port.soft.map_or(0.01, |(low, high)| ((high - low) / 200.0).max(1e-4));
    match (own.or(default), port.ty) {
        (Some(Setting::Float(x)), ty) => {
            let mut new = *x;
            let is_int = ty == PortType::Int;
            let speed = if is_int { 0.05 } else { speed };
            let unit = if port.unit.is_empty() { String::new() } else { format!(" {}", port.unit) };
            let drag = DragValue::new(&mut new).speed(speed).suffix(unit);
            let drag = drag.custom_formatter(|x, _| plain(x));
            let response = ui.add(drag.update_while_editing(false));
            announce::widget(ui, &response, &spoken);
            let new = limit(if is_int { new.round() } else { new });
            // While a number is typed, only its text has changed.
            let is_other = response.changed() && new != *x;
            let changed = is_other.then(|| place.set(input, Setting::Float(new)));
            track(session, &response, &label, changed);
        }
        (Some(Setting::Vec3(v)), _) if !port.adds => {
            ui.spacing_mut().item_spacing.x = 2.0;
            for axis in 0..3 {
                let mut new = *v;
                let drag = DragValue::new(&mut new[axis]).speed(speed);
                let drag = drag.custom_formatter(|x, _| plain(x));
                let response = ui.add(drag.update_while_editing(false));
                announce::widget(ui, &response, &format!("{spoken} {}", ["x", "y", "z"][axis]));
                new[axis] = limit(new[axis]);
                let is_other = response.changed() && new != *v;
                let changed = is_other.then(|| place.set(input, Setting::Vec3(new)));
                track(session, &response, &label, changed);
            }
        }
        (Some(Setting::Bool(on)), _) => {
            let mut new = *on;
            let response = ui.checkbox(&mut new, "");
            announce::widget(ui, &response, &spoken);
            if response.changed() {
                session.perform(&label, place.set(input, Setting::Bool(new)));
            }
        }
        (Some(Setting::Text(word)), PortType::Choice) => {
            // A menu inside a zoomed layer would open in the wrong size: a click goes to the next.
            let button = egui::Button::new(RichText::new(word).color(theme::TEXT)).small();
            let response = ui.add(button).on_hover_text("Click for the next choice");
            announce::widget(ui, &response, &spoken);
            if response.clicked() {
                let at = port.choices.iter().position(|choice| choice == word).unwrap_or(0);
                if let Some(next) = port.choices.get((at + 1) % port.choices.len().max(1)) {
                    session.perform(&label, place.set(input, Setting::Text(next.clone())));
                }
            }
        }
        (Some(Setting::Text(word)), _) => {
            let shown = if word.is_empty() { "none" } else { word };
            faint(ui, shown).on_hover_text("Set in the inspector");
        }
        (Some(Setting::Vec3(_) | Setting::Quat(_) | Setting::Other(_)), _) => {}
        (None, _) => {
            let what = match &port.default {
                DefaultInput::Source(source) => source.info().name.unwrap_or_default(),
                DefaultInput::Motion(part) => part.constant_name(),
                DefaultInput::Setting(_) => "",
            };
            faint(ui, &what.to_lowercase().replace('_', " "));
        }
    }
}

/// Where keys say what it is, a number that is dragged here would change nothing.
pub fn show_keyed(ui: &mut Ui, now: f64) {
    let text = format!("{} keyed", plain(now));
    faint(ui, &text)
        .on_hover_text("Changes over the clip; set keys in the inspector or the timeline");
}

/// Up to three places, without zeros that say nothing.
fn plain(x: f64) -> String {
    let text = format!("{x:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn faint(ui: &mut Ui, text: &str) -> egui::Response {
    let text = RichText::new(text).small().color(theme::FAINT);
    ui.add(egui::Label::new(text).selectable(false))
}
