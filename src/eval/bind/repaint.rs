//! Maps that are painted while they play: nothing else of a binding is made anew for them.

use super::{Bound, named_map};
use crate::validate::is_sane;
use jounce_base::PaintedMap;
use jounce_base::character_settings::CharacterSettings;
use jounce_ir::{MapSource, Program};
use jounce_rig::Character;
use std::sync::Arc;

impl Bound {
    /// The same with other numbers in painted maps. None where more than such numbers differs between the two settings,
    /// or something beside the maps follows from them: bind anew.
    pub fn with_maps_of(
        &self,
        program: &Program,
        character: &Character,
        before: &CharacterSettings,
        after: &CharacterSettings,
    ) -> Option<Bound> {
        let of_flesh = after.flesh.values().any(|flesh| flesh.map.is_some());
        if !differ_in_numbers_of_maps(before, after) || (of_flesh && program.has_flesh()) {
            return None;
        }
        let mut maps = self.maps.clone();
        for (request, map) in program.tables.maps.iter().zip(&mut maps) {
            let MapSource::Named(name) = &request.source else { continue };
            let of = |settings| named_map(name, character, settings);
            let (Some(old), Some(new)) = (of(before), of(after)) else { continue };
            if std::ptr::eq(old, new) || old.len() != self.vertex_count() {
                continue;
            }
            let numbers: Vec<f64> = new.iter().copied().map(f64::from).collect();
            if numbers.iter().any(|&number| !is_sane(number)) {
                // There is something to warn of.
                return None;
            }
            *map = Some(Arc::new(numbers));
        }
        Some(Bound { maps, ..self.clone() })
    }
}

/// And in nothing else: of each map, whose it is and how long it is stays.
fn differ_in_numbers_of_maps(before: &CharacterSettings, after: &CharacterSettings) -> bool {
    let CharacterSettings { size, bone_values, maps, flesh, centroid_offsets, roles, parents } =
        after;
    let is_alike = |(a, b): ((&String, &PaintedMap), (&String, &PaintedMap))| {
        a.0 == b.0 && a.1.mesh == b.1.mesh && a.1.len() == b.1.len()
    };
    let has_same_maps =
        before.maps.len() == maps.len() && before.maps.iter().zip(maps).all(is_alike);
    has_same_maps
        && (before.size, &before.bone_values, &before.flesh) == (*size, bone_values, flesh)
        && (&before.centroid_offsets, &before.roles, &before.parents)
            == (centroid_offsets, roles, parents)
}
