//! Painting of maps: numbers per vertex, set by hand on the character as it is seen.
//!
//! ```text
//! PaintSurface   what painting needs of a character: distances, neighbours, pieces, the other side
//! Sight          what the eye sees: where the surface is touched, which points are hidden
//! Brush          tool, radius, strength, falloff, symmetry
//! Masks          what is selected, and what is locked
//! Stroke         stamps of a brush on a map, from pressing to letting go
//! FillFrom       amounts that are found: of a bone, a piece, a material
//! WholeMap       mirror, blur, invert, clamp
//! NewMap         what a map begins with         make_floppy  nodes that let a map move something
//! ```
//! A map is in the document, among the settings of its character, and is changed by `Command::SetMap` like all
//! else. What is selected and locked is no part of it.

mod brush;
mod fill;
mod make_floppy;
mod masks;
mod mirror;
mod new_map;
mod sides;
mod sight;
mod stroke;
mod surface;
#[cfg(test)]
mod tests;
mod whole;

pub use brush::{Brush, BrushTool, Falloff, Symmetry};
pub use fill::{FillFrom, filled};
pub use make_floppy::make_floppy;
pub use masks::Masks;
pub use mirror::Mirroring;
pub use new_map::{NewMap, NewMapError};
pub use sight::{Sight, Touch};
pub use stroke::{Stamp, Stroke};
pub use surface::PaintSurface;
pub use whole::WholeMap;

use glam::DVec3;
use jounce_rig::Character;

/// The middle of what a bone moves most, at rest; None where it moves nothing most.
fn skin_middle(character: &Character, bone: usize) -> Option<DVec3> {
    let strongest = |vertex: usize| {
        let skin = character.skin.of(vertex).iter();
        let strongest = skin.max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        Some(character.bindings[strongest.index as usize].bone)
    };
    let positions = character.rest().positions.iter().enumerate();
    let own = positions.filter(|(vertex, _)| strongest(*vertex) == Some(bone));
    let (sum, count) = own.fold((DVec3::ZERO, 0.0), |(sum, count), (_, position)| {
        (sum + position.as_dvec3(), count + 1.0)
    });
    (count > 0.0).then(|| sum / count)
}
