//! A rigged character, and everything about it that does not change while it moves.
//!
//! ```text
//!  file.glb ─► load ─┐
//!  own characters ───┴► CharacterParts ─► Character ─► skinning (LBS, DQS)
//!                                             │
//!    weights · centroid · surface · softness · hierarchy · roles · facing: derived from it
//! ```
//!
//! Spaces: *bind* is where the file's vertex positions live, *node* the local space of one node,
//! *scene* the space everything is posed in (Y up, the file's units). A matrix is named after both
//! of its sides: `scene_from_bind * point_in_bind = point_in_scene`.
//! Poses are f64; vertex data is f32.
//!
//! [`motion`] makes poses and velocities of clips and of live motion. This crate knows files and
//! numbers, and nothing of graphs and programs.

// Tests are no part of the runtime.
#![cfg_attr(test, allow(clippy::disallowed_types, clippy::disallowed_methods))]

mod cells;
pub mod centroid;
mod character;
mod clip;
mod facing;
mod fingerprint;
pub mod flesh;
pub mod geodesic;
pub mod hierarchy;
mod influences;
pub mod load;
mod materials;
mod mesh;
pub mod motion;
pub mod normals;
pub mod own;
pub mod polar;
mod pose;
mod ray_lengths;
mod ray_scene;
pub mod roles;
mod sampling;
mod save;
pub mod shape_diameter;
pub mod skeleton;
pub mod skinning;
pub mod softness;
pub mod surface;
pub mod weights;
pub mod weld;

pub use character::{Binding, Character, CharacterError, CharacterParts, Map, bounds};
pub use clip::{Clip, Interpolation, Keys, Property, Track};
pub use facing::{Evidence, Facing, Vote};
pub use influences::{Influence, Influences};
pub use jounce_base::{Base, Hierarchy};
pub use load::LoadError;
pub use materials::{Alpha, Image, ImageData, Material, Materials, TextureUse, Wrap};
pub use mesh::{Mesh, MorphTarget, Part};
pub use pose::Pose;
pub use save::{SaveError, add_maps, write_glb};
pub use skeleton::{Bone, Node, Skeleton, SkeletonError, Trs};
pub use skinning::Skinned;
pub use surface::Surface;
