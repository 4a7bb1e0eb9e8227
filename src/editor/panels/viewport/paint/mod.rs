//! Painting on the character: numbers of a map, under the pointer.
//!
//! | file | what it holds |
//! |---|---|
//! | `hand` | a stroke, from pressing to letting go; radius and strength by moving the pointer |
//! | `select` | box and lasso; what is locked |
//! | `edit` | new maps, filling, what is done to a whole map |
//! | `cursor` | the rim of the brush, drawn on the surface |
//!
//! The map is in the document; here is only what brush paints on which map.

mod cursor;
mod edit;
mod hand;
mod select;

pub use cursor::paint as paint_cursor;
pub use edit::{
    begin, delete_map, fill, free_name, make_floppy, new_map, new_map_from_port, paint_it,
    rename_map, whole,
};
pub use hand::{Adjusted, adjust, interact};
pub use select::{PaintMode, dim};

use super::Tool;
use crate::State;
use jounce_base::PaintedMap;
use jounce_eval::heat::{HeatRange, HeatSubject};
use jounce_eval::named_map;
use jounce_session::painting::{Brush, Masks, PaintSurface, Sight, Touch};
use std::sync::Arc;

pub struct PaintView {
    pub brush: Brush,
    pub mode: PaintMode,
    /// The name of the map that is painted.
    pub map: String,
    pub masks: Masks,
    /// What the pointer is over, and how it is seen.
    touch: Option<Touch>,
    sight: Option<Sight>,
    surface: Option<Arc<PaintSurface>>,
    stroke: Option<hand::HeldStroke>,
    adjusting: Option<hand::Adjusting>,
    outline: Option<select::Outline>,
    /// What is typed for the next new map.
    pub new_name: String,
    rim: cursor::Rim,
    /// How hard a pen presses, while one touches; None for what cannot say.
    pressure: Option<f64>,
    /// What was shown on the mesh before painting began.
    shown_before: Option<HeatSubject>,
}

/// How a map is called that nobody has named.
const UNNAMED: &str = "paint";

impl Default for PaintView {
    fn default() -> PaintView {
        PaintView {
            brush: Brush::default(),
            mode: PaintMode::default(),
            new_name: String::new(),
            outline: None,
            map: UNNAMED.to_owned(),
            masks: Masks::default(),
            touch: None,
            sight: None,
            surface: None,
            stroke: None,
            adjusting: None,
            rim: cursor::Rim::default(),
            pressure: None,
            shown_before: None,
        }
    }
}

impl PaintView {
    /// Another character: its vertices have other numbers.
    pub fn forget_character(&mut self) {
        (self.touch, self.sight, self.surface) = (None, None, None);
        self.masks = Masks::default();
    }

    pub fn is_stroking(&self) -> bool {
        self.stroke.is_some()
    }

    pub fn is_adjusting(&self) -> bool {
        self.adjusting.is_some()
    }
}

/// What the hand has begun ends here, and stays.
pub fn give_up(state: &mut State) {
    hand::give_up(state);
    select::give_up(state);
}

/// Made when it is first needed.
pub fn surface(state: &mut State) -> Arc<PaintSurface> {
    let character = state.show.character();
    let known = state.viewport.paint.surface.as_ref();
    match known.filter(|known| Arc::ptr_eq(known.character(), character)) {
        Some(known) => known.clone(),
        None => {
            let made = Arc::new(PaintSurface::new(character));
            state.viewport.paint.surface.insert(made).clone()
        }
    }
}

pub fn resize(state: &mut State, factor: f64) {
    let radius = &mut state.viewport.paint.brush.radius_sizes;
    *radius = (*radius * factor).clamp(*Brush::RADIUS_SIZES.start(), *Brush::RADIUS_SIZES.end());
}

pub fn strengthen(state: &mut State, by: f64) {
    let strength = &mut state.viewport.paint.brush.strength;
    *strength = (*strength + by).clamp(0.0, 1.0);
}

pub fn is_on(state: &State) -> bool {
    state.viewport.tool == Tool::Paint
}

/// The tool was chosen: the map is seen from now on.
pub fn enter(state: &mut State) {
    let subject = state.viewport.heat.subject.clone();
    state.viewport.paint.shown_before.clone_from(&subject);
    let map = match subject {
        Some(HeatSubject::Map(shown)) if is_paintable(state, &shown) => shown,
        _ => state.viewport.paint.map.clone(),
    };
    choose_map(state, &map);
}

/// Another tool was chosen: what was seen before is seen again.
pub fn leave(state: &mut State) {
    give_up(state);
    let view = &mut state.viewport;
    view.paint.adjusting = None;
    let shown = HeatSubject::Map(view.paint.map.clone());
    // Somebody may have chosen something else meanwhile.
    if view.heat.subject == Some(shown) {
        view.heat.hide();
        view.heat.subject = view.paint.shown_before.take();
    }
}

/// Is it there, or could it be, under its own name?
fn is_paintable(state: &State, name: &str) -> bool {
    named_map(name, state.show.character(), &state.session.character_settings()).is_some()
}

/// Which map is painted from now on; it need not be there yet.
pub fn choose_map(state: &mut State, name: &str) {
    give_up(state);
    state.viewport.paint.map = name.to_owned();
    state.viewport.heat.hide();
    state.viewport.heat.subject = Some(HeatSubject::Map(name.to_owned()));
}

/// The numbers of the map that is painted: those of the document, or else of the file, or else 0. None where it is
/// not shown now.
pub fn shown_values(state: &State, subject: &str) -> Option<(Vec<f32>, HeatRange)> {
    if !is_on(state) || subject != state.viewport.paint.map {
        return None;
    }
    let values = values(state);
    // One scale, so that colours stay what they are while the brush goes on.
    let range = HeatRange { least: -1.0, most: 1.0 }.union(HeatRange::of(&values));
    Some((values, range))
}

/// As painting goes on from.
fn values(state: &State) -> Vec<f32> {
    let count = state.show.character().vertex_count();
    let settings = state.session.character_settings();
    let known = named_map(&state.viewport.paint.map, state.show.character(), &settings);
    match known.filter(|known| known.len() == count) {
        Some(known) => known.to_vec(),
        None => vec![0.0; count],
    }
}

/// As the document calls the map: upper and lower case are one.
fn name_in_document(state: &State) -> String {
    let name = &state.viewport.paint.map;
    let maps = state.session.character_settings().maps;
    let known = maps.keys().find(|known| known.eq_ignore_ascii_case(name));
    match maps.contains_key(name) {
        true => name.clone(),
        false => known.unwrap_or(name).clone(),
    }
}

/// The document's map with these numbers.
fn painted(state: &State, values: Vec<f32>) -> PaintedMap {
    PaintedMap::new(values, Some(state.show.character().mesh_fingerprint()))
}
