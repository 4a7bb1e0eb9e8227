//! The brush and its map, while the tool paints.

use crate::panels::viewport::heat;
use crate::panels::viewport::paint::{self, PaintMode};
use crate::{State, theme};
use egui::{ComboBox, DragValue, Response, Slider, Ui, Widget};
use jounce_eval::BindWarning;
use jounce_session::painting::{Brush, BrushTool, Falloff, FillFrom, NewMap, Symmetry, WholeMap};
use jounce_session::{MapOrigin, map_list};

pub fn show(ui: &mut Ui, state: &mut State) {
    ui.horizontal(|ui| {
        ui.strong("Painting");
        if state.viewport.paint.is_stroking() {
            ui.weak("painting…");
        }
    });
    map_row(ui, state);
    modes(ui, state);
    if state.viewport.paint.mode == PaintMode::Brush {
        tools(ui, state);
    }
    numbers(ui, &mut state.viewport.paint.brush);
    masks(ui, state);
    edits(ui, state);
    ui.separator();
}

const NAME_WIDTH: f32 = 78.0;

/// A name and what stands behind it.
fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> Option<Response>) {
    ui.horizontal(|ui| {
        let size = egui::vec2(NAME_WIDTH, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let label = ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(NAME_WIDTH);
            ui.label(name)
        });
        if let Some(response) = add(ui) {
            response.labelled_by(label.inner.id);
        }
    });
}

fn map_row(ui: &mut Ui, state: &mut State) {
    let settings = state.session.character_settings();
    let current = state.viewport.paint.map.clone();
    let mut chosen = None;
    ui.horizontal(|ui| {
        let label = ui.label("Map");
        let room = ui.available_width() - 84.0;
        let choices = ComboBox::from_id_salt("painted map").width(room.max(60.0));
        let shown = choices.selected_text(&current).truncate().show_ui(ui, |ui| {
            let maps = map_list(state.show.character(), &settings);
            let own = maps.into_iter().filter(|(_, origin)| *origin != MapOrigin::Derived);
            for (name, origin) in own {
                let help = match origin {
                    MapOrigin::Painted => "Painted here",
                    _ => "In the character's file; painting makes a copy of it in the document",
                };
                let is_it = name.eq_ignore_ascii_case(&current);
                if ui.selectable_label(is_it, &name).on_hover_text(help).clicked() {
                    chosen = Some(name);
                }
            }
        });
        shown.response.labelled_by(label.id);
        ui.menu_button("New", |ui| new_map_menu(ui, state));
        ui.menu_button("⋯", |ui| more_menu(ui, state)).response.on_hover_text("Rename or delete");
    });
    if let Some(name) = chosen {
        paint::choose_map(state, &name);
    }
    let is_read = state.show.program().tables.maps.iter().any(|map| {
        let name = match &map.source {
            jounce_ir::MapSource::Named(name) => name,
            jounce_ir::MapSource::Derived(_) => return false,
        };
        name.eq_ignore_ascii_case(&current)
    });
    if !is_read {
        ui.horizontal_wrapped(|ui| {
            let text = format!("No node reads \"{current}\" yet.");
            ui.label(egui::RichText::new(text).small().color(theme::FAINT));
            let help = "Adds a Map and a Floppy node to the graph: skin trails where the map is above 0, and runs ahead where it is below";
            if ui.small_button("Make It Floppy").on_hover_text(help).clicked() {
                paint::make_floppy(state);
            }
        });
    }
}

fn new_map_menu(ui: &mut Ui, state: &mut State) {
    ui.set_min_width(210.0);
    let name = &mut state.viewport.paint.new_name;
    let label = ui.label("Name");
    ui.text_edit_singleline(name).labelled_by(label.id);
    ui.separator();
    ui.weak("Begins with");
    let name = state.viewport.paint.new_name.clone();
    let mut chosen = None;
    for from in NewMap::plain() {
        if ui.button(title(&from)).clicked() {
            chosen = Some(from);
        }
    }
    let skeleton = &state.show.character().skeleton;
    match state.selection.bones.first() {
        Some(&bone) => {
            let bone = skeleton.bone_name(bone).to_owned();
            if ui.button(format!("Distance to {bone}")).clicked() {
                chosen = Some(NewMap::BoneDistance(bone));
            }
        }
        None => drop(ui.weak("Distance to a bone: select one first")),
    }
    let current = state.viewport.paint.map.clone();
    if ui.button(format!("A copy of {current}")).clicked() {
        chosen = Some(NewMap::Copy(current));
    }
    if let Some(port) = heat::first_port(state) {
        if ui.button(format!("Port {}.{}, as it is now", port.node, port.port)).clicked() {
            paint::new_map_from_port(state, &name, port);
            state.viewport.paint.new_name.clear();
            ui.close();
        }
    } else {
        ui.weak("A port of the graph: select its node first");
    }
    if let Some(from) = chosen {
        paint::new_map(state, &name, &from);
        state.viewport.paint.new_name.clear();
        ui.close();
    }
}

fn title(from: &NewMap) -> String {
    match from {
        NewMap::Constant(value) => format!("{value} everywhere"),
        NewMap::Derived(name) => {
            let mut letters = name.chars();
            let first = letters.next().map(|letter| letter.to_uppercase().to_string());
            first.unwrap_or_default() + letters.as_str()
        }
        NewMap::Height => "Height".to_owned(),
        NewMap::BoneDistance(bone) => format!("Distance to {bone}"),
        NewMap::Color(0) => "Red of its colours".to_owned(),
        NewMap::Color(1) => "Green of its colours".to_owned(),
        NewMap::Color(_) => "Blue of its colours".to_owned(),
        NewMap::Copy(name) => format!("A copy of {name}"),
    }
}

fn more_menu(ui: &mut Ui, state: &mut State) {
    ui.set_min_width(180.0);
    let label = ui.label("New name");
    let field = ui.text_edit_singleline(&mut state.viewport.paint.new_name).labelled_by(label.id);
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    if ui.button("Rename").clicked() || is_entered {
        let name = std::mem::take(&mut state.viewport.paint.new_name);
        paint::rename_map(state, &name);
        ui.close();
    }
    ui.separator();
    if ui.button("Delete Map").clicked() {
        paint::delete_map(state);
        ui.close();
    }
}

fn modes(ui: &mut Ui, state: &mut State) {
    ui.horizontal_wrapped(|ui| {
        for mode in PaintMode::ALL {
            let is_on = state.viewport.paint.mode == mode;
            let button = egui::Button::selectable(is_on, mode.name());
            if ui.add(button).on_hover_text(mode.help()).clicked() {
                paint::give_up(state);
                state.viewport.paint.mode = mode;
            }
        }
    });
}

fn tools(ui: &mut Ui, state: &mut State) {
    let brush = &mut state.viewport.paint.brush;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for tool in BrushTool::ALL {
            let button = egui::Button::selectable(brush.tool == tool, tool.name());
            let response = ui.add(button).on_hover_text(tool.help());
            // Other buttons and menus are called alike.
            response.widget_info(|| {
                let name = format!("{} brush", tool.name());
                let kind = egui::WidgetType::Button;
                egui::WidgetInfo::selected(kind, true, brush.tool == tool, name)
            });
            if response.clicked() {
                brush.tool = tool;
            }
        }
    });
}

fn numbers(ui: &mut Ui, brush: &mut Brush) {
    if brush.tool.has_value() {
        row(ui, "Value", |ui| {
            let range = brush.limits.map_or(-10.0..=10.0, |[least, most]| least..=most);
            Some(Slider::new(&mut brush.value, range).max_decimals(3).ui(ui))
        });
    }
    row(ui, "Radius", |ui| {
        let mut percent = brush.radius_sizes * 100.0;
        let range = Brush::RADIUS_SIZES.start() * 100.0..=50.0;
        let slider = Slider::new(&mut percent, range).logarithmic(true).suffix(" %");
        let response = slider.max_decimals(1).ui(ui);
        if response.changed() {
            brush.radius_sizes =
                (percent / 100.0).clamp(*Brush::RADIUS_SIZES.start(), *Brush::RADIUS_SIZES.end());
        }
        Some(response.on_hover_text(
            "Of the character's size, measured along its surface. Keys: [ and ], or R and move the pointer",
        ))
    });
    row(ui, "Strength", |ui| {
        let response = Slider::new(&mut brush.strength, 0.0..=1.0).max_decimals(3).ui(ui);
        Some(response.on_hover_text(
            "In the middle of the brush; a pen that presses lighter gives less. Keys: , and ., or Shift+R and move the pointer",
        ))
    });
    row(ui, "Falloff", |ui| {
        let choices = ComboBox::from_id_salt("falloff").width(92.0);
        let shown = choices.selected_text(brush.falloff.name()).show_ui(ui, |ui| {
            for falloff in Falloff::ALL {
                ui.selectable_value(&mut brush.falloff, falloff, falloff.name());
            }
        });
        curve(ui, brush.falloff);
        Some(shown.response)
    });
    row(ui, "Symmetry", |ui| {
        let choices = ComboBox::from_id_salt("symmetry").width(130.0);
        let shown = choices.selected_text(brush.symmetry.name()).show_ui(ui, |ui| {
            for symmetry in Symmetry::ALL {
                ui.selectable_value(&mut brush.symmetry, symmetry, symmetry.name());
            }
        });
        Some(shown.response)
    });
    ui.checkbox(&mut brush.only_visible, "Only what is visible")
        .on_hover_text("Else the brush goes around edges, and through what is in front");
    ui.checkbox(&mut brush.builds_up, "Build up")
        .on_hover_text("The longer the brush stays, the more it does. Else a stroke does it once");
    limits(ui, brush);
}

fn limits(ui: &mut Ui, brush: &mut Brush) {
    ui.horizontal(|ui| {
        let mut has_limits = brush.limits.is_some();
        if ui.checkbox(&mut has_limits, "Keep within").changed() {
            brush.limits = has_limits.then_some([-1.0, 1.0]);
        }
        if let Some([least, most]) = &mut brush.limits {
            let ends = [(least, "Lower limit"), (most, "Upper limit")];
            for (end, name) in ends {
                let before = *end;
                let response = ui.add(DragValue::new(end).speed(0.01).range(-100.0..=100.0));
                response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(before), name));
            }
        }
        if let Some([least, most]) = &mut brush.limits {
            *most = most.max(*least);
            brush.value = brush.value.clamp(*least, *most);
        }
    });
}

/// From the middle of the brush to its rim.
fn curve(ui: &mut Ui, falloff: Falloff) {
    let size = egui::vec2(44.0, ui.spacing().interact_size.y);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let frame = rect.shrink(2.0);
    let painter = ui.painter();
    painter.rect_filled(frame, 3.0, theme::GROUND);
    const STEPS: usize = 32;
    let point = |step: usize| {
        let t = step as f32 / STEPS as f32;
        let much = falloff.at(f64::from(t)) as f32;
        egui::pos2(
            frame.left() + t * frame.width(),
            frame.bottom() - 2.0 - much * (frame.height() - 4.0),
        )
    };
    let line: Vec<egui::Pos2> = (0..=STEPS).map(point).collect();
    painter.line(line, egui::Stroke::new(1.4, theme::ACCENT));
}

fn masks(ui: &mut Ui, state: &mut State) {
    let masks = &state.viewport.paint.masks;
    let (selected, locked) = (masks.selected_count(), masks.locked_count());
    if selected + locked > 0 {
        let mut parts = Vec::new();
        if selected > 0 {
            parts.push(format!("{selected} selected"));
        }
        if locked > 0 {
            parts.push(format!("{locked} locked"));
        }
        ui.weak(parts.join(", "));
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let has_selection = selected > 0;
        let masks = &mut state.viewport.paint.masks;
        let button = |ui: &mut Ui, is_enabled: bool, name: &str, help: &str| {
            ui.add_enabled(is_enabled, egui::Button::new(name)).on_hover_text(help).clicked()
        };
        if button(ui, has_selection, "Deselect", "All can be painted again") {
            masks.deselect();
        }
        if button(ui, has_selection, "Invert Selection", "Selects what is not selected") {
            masks.invert_selection();
        }
        if button(
            ui,
            has_selection,
            "Lock",
            "What is selected keeps its numbers, whatever is painted",
        ) {
            masks.lock_selected();
        }
        if button(ui, locked > 0, "Unlock All", "All can be painted again") {
            masks.unlock();
        }
    });
}

fn edits(ui: &mut Ui, state: &mut State) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let help = "Does what the brush does, where and as much as this says";
        ui.menu_button("Fill", |ui| fill_menu(ui, state)).response.on_hover_text(help);
        ui.menu_button("Whole Map", |ui| whole_menu(ui, state));
    });
}

fn fill_menu(ui: &mut Ui, state: &mut State) {
    ui.set_min_width(190.0);
    let mut chosen = None;
    let mut choice = |ui: &mut Ui, title: String, from: FillFrom| {
        if ui.button(title).clicked() {
            chosen = Some(from);
        }
    };
    let where_ = match state.viewport.paint.masks.has_selection() {
        true => "The selection",
        false => "Everything",
    };
    choice(ui, where_.to_owned(), FillFrom::Everywhere);
    choice(ui, "Softness".to_owned(), FillFrom::Softness);
    let character = state.show.character();
    match state.selection.bones.first() {
        Some(&bone) => {
            let name = character.skeleton.bone_name(bone);
            choice(ui, format!("Bone {name}"), FillFrom::Bone(bone));
            choice(ui, format!("Branch of {name}"), FillFrom::Branch(bone));
        }
        None => drop(ui.weak("A bone or branch: select it first")),
    }
    match state.selection.vertex {
        Some(vertex) => {
            choice(ui, format!("Piece of vertex {vertex}"), FillFrom::Piece(vertex));
        }
        None => drop(ui.weak("A piece: the brush Flood, or select a vertex first")),
    }
    let materials = &character.mesh.materials.list;
    if materials.len() > 1 {
        ui.separator();
        for (place, material) in materials.iter().enumerate() {
            let title = match material.name.is_empty() {
                true => format!("Material {}", place + 1),
                false => format!("Material {}", material.name),
            };
            choice(ui, title, FillFrom::Material(Some(place)));
        }
    }
    if let Some(from) = chosen {
        paint::fill(state, from);
        ui.close();
    }
}

fn whole_menu(ui: &mut Ui, state: &mut State) {
    ui.set_min_width(180.0);
    // Without symmetry of the brush, the other side is where it is seen.
    let symmetry = match state.viewport.paint.brush.symmetry {
        Symmetry::ByBones => Symmetry::ByBones,
        Symmetry::Off | Symmetry::AcrossX => Symmetry::AcrossX,
    };
    let all = [
        WholeMap::MirrorFromPositive(symmetry),
        WholeMap::MirrorFromNegative(symmetry),
        WholeMap::Flip(symmetry),
        WholeMap::Blur,
        WholeMap::Invert,
        WholeMap::Negate,
        WholeMap::Clamp(0.0, 1.0),
        WholeMap::Clamp(-1.0, 1.0),
    ];
    for what in all {
        if ui.button(what.name()).clicked() {
            paint::whole(state, what);
            ui.close();
        }
    }
}

/// The map that a warning misses, which a brush could make.
pub fn missing_map(warning: &BindWarning) -> Option<&str> {
    match warning {
        BindWarning::NoMap { name, .. } if !name.is_empty() => Some(name),
        _ => None,
    }
}

/// What a node reads and the character does not have, with a way to make it.
pub fn offer(ui: &mut Ui, state: &mut State, node: &str) {
    let of_node = |warning: &&BindWarning| warning.node() == Some(node);
    let missing = state.show.warnings().iter().filter(of_node).find_map(missing_map);
    let Some(name) = missing.map(str::to_owned) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(theme::WARNING, format!("The character has no map \"{name}\"."));
        if ui.button("Paint It").on_hover_text("Makes the map and takes the brush").clicked() {
            paint::paint_it(state, &name);
        }
    });
}
