//! A character in other units.

use jounce::rig::{Character, CharacterParts, Property};

/// The same character in other units.
pub fn scaled(character: &Character, factor: f64) -> Character {
    let mut parts: CharacterParts = (**character).clone();
    parts.mesh.positions.iter_mut().for_each(|p| *p *= factor as f32);
    for node in &mut parts.skeleton.nodes {
        node.rest.translation *= factor;
    }
    for binding in &mut parts.bindings {
        binding.node_from_bind.translation *= factor;
    }
    for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if track.property == Property::Translation {
            track.keys.values.iter_mut().for_each(|x| *x *= factor as f32);
        }
    }
    Character::new(parts).unwrap()
}
