//! The character: its bones as a tree, maps, clips, soft parts.

mod kept;
mod parents;

use super::role_menu::{self, Roles};
use crate::{State, files, theme};
use egui::{CollapsingHeader, Ui};
use jounce_base::text::counted;
use jounce_graph::document::MotionSettings;
use jounce_rig::Skeleton;
use jounce_rig::hierarchy::is_at_or_above;
use jounce_session::parents::ParentInUse;
use jounce_session::{MapOrigin, map_list};
use kept::Kept;

/// What is typed into the field above the bones.
#[derive(Default)]
pub struct OutlinerView {
    filter: String,
    parents: Kept<Vec<ParentInUse>>,
    roles: Kept<Roles>,
}

pub fn show(ui: &mut Ui, state: &mut State) {
    let cast = state.session.cast().clone();
    let character = &cast.character;
    ui.strong(&cast.key);
    let (vertices, bones_count) = (character.vertex_count(), character.skeleton.bones.len());
    ui.weak(format!("{vertices} vertices, {}", counted(bones_count, "bone")));
    CollapsingHeader::new("Bones").default_open(true).show(ui, |ui| bones(ui, state));
    CollapsingHeader::new("Clips").default_open(true).show(ui, |ui| clips(ui, state));
    CollapsingHeader::new("Maps").show(ui, |ui| maps(ui, state));
    CollapsingHeader::new("Flesh").show(ui, |ui| flesh(ui, state));
}

fn bones(ui: &mut Ui, state: &mut State) {
    let character = state.show.character().clone();
    let skeleton = &character.skeleton;
    let roles = &*Kept::get(state, |state| &mut state.outliner.roles, Roles::new);
    let filter = &mut state.outliner.filter;
    let field = egui::TextEdit::singleline(filter).hint_text("Find a bone");
    ui.add(field.desired_width(f32::INFINITY));
    let wanted = filter.trim().to_lowercase();
    if wanted.is_empty() {
        let children = children(skeleton);
        let step = indent(ui, skeleton);
        for root in (0..skeleton.bones.len()).filter(|&bone| skeleton.bones[bone].parent.is_none())
        {
            branch(ui, state, (skeleton, roles), (&children, step), root);
        }
        return;
    }
    for bone in 0..skeleton.bones.len() {
        if skeleton.bone_name(bone).to_lowercase().contains(&wanted) {
            ui.horizontal(|ui| bone_line(ui, state, skeleton, roles, bone));
        }
    }
}

fn children(skeleton: &Skeleton) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); skeleton.bones.len()];
    for (bone, of) in skeleton.bones.iter().enumerate() {
        if let Some(parent) = of.parent {
            children[parent].push(bone);
        }
    }
    children
}

/// Points per level, where there is room and where there is none.
const INDENT: [f32; 2] = [10.0, 2.0];
/// Levels beyond are drawn as this one.
const MOST_LEVELS: usize = 12;

/// How far each level stands to the right: less in a narrow panel, so that names are seen.
fn indent(ui: &Ui, skeleton: &Skeleton) -> f32 {
    let [most, least] = INDENT;
    let mut step = most;
    let mut depths = vec![0; skeleton.bones.len()];
    for bone in 0..skeleton.bones.len() {
        // Parents stand before their children.
        let above = skeleton.bones[bone].parent.and_then(|parent| depths.get(parent).copied());
        depths[bone] = above.map_or(0, |above: usize| (above + 1).min(MOST_LEVELS));
        let room = ui.available_width() - role_menu::WIDTH;
        let room = room - width_of(ui, skeleton.bone_name(bone));
        step = step.min(room / depths[bone].max(1) as f32);
    }
    step.max(least)
}

/// The width of a name in a button.
fn width_of(ui: &Ui, name: &str) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(name.to_owned(), font, theme::TEXT);
    galley.size().x + 2.0 * ui.spacing().button_padding.x
}

/// A bone and all below it. A chain without forks does not move to the right.
fn branch(
    ui: &mut Ui,
    state: &mut State,
    (skeleton, roles): (&Skeleton, &Roles),
    (children, step): (&[Vec<usize>], f32),
    root: usize,
) {
    // Not by recursion: a file may hold a chain of thousands.
    let mut open = vec![(root, 0)];
    while let Some((bone, depth)) = open.pop() {
        ui.horizontal(|ui| {
            ui.add_space(depth as f32 * step);
            bone_line(ui, state, skeleton, roles, bone);
        });
        let below = &children[bone];
        let deeper = (depth + 1).min(MOST_LEVELS);
        open.extend(below.iter().rev().map(|&child| (child, deeper)));
    }
}

/// Ctrl adds to the selection, Shift takes all below it. Behind the name stands what the bone is to the body.
fn bone_line(ui: &mut Ui, state: &mut State, skeleton: &Skeleton, roles: &Roles, bone: usize) {
    let is_selected = state.selection.bones.contains(&bone);
    let name = skeleton.bone_name(bone);
    let rows = parents::rows(state);
    let room = ui.available_width() - role_menu::WIDTH;
    let response = ui.scope(|ui| {
        ui.set_max_width(room.max(role_menu::WIDTH));
        elided(ui, is_selected, name)
    });
    let response = response.inner;
    response.context_menu(|ui| {
        ui.menu_button("Role", |ui| roles.choices(ui, state, bone));
        if let Some(row) = rows.get(bone) {
            ui.separator();
            parents::choices(ui, state, skeleton, bone, row);
        }
    });
    if let Some(row) = rows.get(bone) {
        parents::mark(ui, state, skeleton, bone, row);
    }
    roles.show(ui, state, bone);
    if !response.clicked() {
        return;
    }
    let modifiers = ui.input(|input| input.modifiers);
    let selected = &mut state.selection.bones;
    if modifiers.command {
        match is_selected {
            true => selected.retain(|&other| other != bone),
            false => selected.push(bone),
        }
    } else if modifiers.shift {
        let parents: Vec<Option<usize>> = skeleton.bones.iter().map(|it| it.parent).collect();
        let is_below = |other: &usize| is_at_or_above(&parents, bone, *other);
        *selected = (0..parents.len()).filter(is_below).collect();
    } else {
        *selected = vec![bone];
    }
}

/// As much of a name as there is room for; the tooltip has all of it.
fn elided(ui: &mut Ui, is_selected: bool, name: &str) -> egui::Response {
    let is_cut = width_of(ui, name) > ui.available_width();
    let response = ui.add(egui::Button::selectable(is_selected, name).truncate());
    let label = || egui::WidgetInfo::selected(egui::WidgetType::Button, true, is_selected, name);
    response.widget_info(label);
    if is_cut { response.on_hover_text(name) } else { response }
}

fn clips(ui: &mut Ui, state: &mut State) {
    let motion = state.session.document().motion.clone();
    let clips = state.session.cast().clips.clone();
    let playing = state.show.clip().name.clone();
    for clip in &clips {
        let is_playing = motion.test.is_none() && clip.name == playing;
        let text = format!("{} ({:.1} s)", clip.name, clip.duration_secs());
        if elided(ui, is_playing, &text).clicked() {
            let clip = Some(clip.name.clone());
            let motion = MotionSettings { clip, test: None, ..motion.clone() };
            let ctx = ui.ctx().clone();
            files::choose_motion(state, &ctx, motion);
        }
    }
    if clips.is_empty() {
        ui.weak("The file has no clips, so a test motion plays.");
    }
}

fn maps(ui: &mut Ui, state: &mut State) {
    let settings = state.session.character_settings();
    for (name, origin) in map_list(state.show.character(), &settings) {
        match origin {
            MapOrigin::Painted => ui.label(name).on_hover_text("Painted here"),
            MapOrigin::File => ui.label(name).on_hover_text("In the character's file"),
            MapOrigin::Derived => ui.weak(name.as_str()).on_hover_text(computed_from(&name)),
        };
    }
}

fn computed_from(map: &str) -> &'static str {
    match map {
        "looseness" => "Computed: what hangs freely is loose",
        "protrusion" => "Computed: what stands out without bones, such as ears",
        _ => "Computed: thin parts are soft",
    }
}

fn flesh(ui: &mut Ui, state: &mut State) {
    let flesh = state.session.character_settings().flesh;
    for (name, element) in &flesh {
        ui.horizontal(|ui| {
            ui.colored_label(theme::ACCENT, "•");
            ui.label(name);
            ui.weak(format!("{} → {}", element.driver, element.driven.join(", ")));
        });
    }
    if flesh.is_empty() {
        ui.weak("No flesh elements are set for this character.");
    }
}
