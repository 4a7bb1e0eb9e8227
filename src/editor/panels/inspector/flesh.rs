//! The soft parts of the character, which the Flesh node moves.

use super::row::Row;
use crate::State;
use jounce_graph::document::{Command, FleshCurve, FleshSetting};

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let settings = state.session.character_settings();
    if settings.flesh.is_empty() {
        return;
    }
    ui.add_space(10.0);
    ui.strong("Flesh");
    for (name, flesh) in &settings.flesh {
        egui::CollapsingHeader::new(name).id_salt(("flesh", name)).show(ui, |ui| {
            element(ui, state, name, flesh);
        });
    }
}

fn element(ui: &mut egui::Ui, state: &mut State, name: &str, flesh: &FleshSetting) {
    let key = state.session.character_settings_key();
    let set = |changed: FleshSetting| Command::SetFlesh {
        character: key.clone(),
        element: name.to_owned(),
        flesh: Some(changed),
    };
    ui.weak(format!("from {} to {}", flesh.driver, flesh.driven.join(", ")));
    let plain = |name: &'static str, is_default: bool, help: &'static str| Row {
        name,
        soft: None,
        hard: None,
        unit: "",
        help,
        is_default,
        is_mixed: false,
        keying: None,
    };
    let thickness = Row {
        soft: Some((0.0, 0.2)),
        hard: Some((0.0, 1.0)),
        ..plain(
            "thickness",
            flesh.thickness == 0.0,
            "Thickness of the virtual bone, as a fraction of the character's size",
        )
    };
    thickness.float(ui, &mut state.session, flesh.thickness, |thickness| {
        set(FleshSetting { thickness: thickness.unwrap_or(0.0), ..flesh.clone() })
    });
    let word = match flesh.curve {
        FleshCurve::Parabola => "parabola",
        FleshCurve::Wyvill => "wyvill",
        FleshCurve::Points(_) => "points",
    };
    let curve = plain(
        "curve",
        word == "parabola",
        "How the weight fades towards the ends of the virtual bone",
    );
    let choices = ["parabola", "wyvill"].map(str::to_owned);
    curve.choice(ui, &mut state.session, word, &choices, |word| {
        let curve = match word.as_deref() {
            Some("wyvill") => FleshCurve::Wyvill,
            _ => FleshCurve::Parabola,
        };
        set(FleshSetting { curve, ..flesh.clone() })
    });
}
