//! Painting of maps: numbers per vertex, set by hand on the character as it is seen.
//!
//! ```text
//! PaintSurface   what painting needs of a character: distances, neighbours, pieces, the other side
//! Sight          what the eye sees: where the surface is touched, which points are hidden
//! Brush          tool, radius, strength, falloff, symmetry
//! Masks          what is selected, and what is locked
//! Stroke         stamps of a brush on a map, from pressing to letting go
//! ```
//! A map is in the document, among the settings of its character, and is changed by `Command::SetMap` like all
//! else. What is selected and locked is no part of it.

mod brush;
mod masks;
mod mirror;
mod sides;
mod sight;
mod stroke;
mod surface;

pub use brush::{Brush, BrushTool, Falloff, Symmetry};
pub use masks::Masks;
pub use mirror::Mirroring;
pub use sight::{Sight, Touch};
pub use stroke::{Stamp, Stroke};
pub use surface::PaintSurface;
