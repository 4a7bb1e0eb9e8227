//! Our own characters, made by code: the ones the method was first shown on, in our own shapes.
//!
//! ```text
//!  cow.rs … ─► Design ─► field (shapes melted together) ─► mesher ─► paint, weights ─► Character
//!              bones, shapes, beads, clips
//! ```
//! An animal's file says where its bones are, which round shapes it consists of, what carries them,
//! how they are coloured and how soft they are. Everything else follows, at any resolution.
//! All stand with their feet on y = 0, look along +Z, and have their left at +X.

mod bead;
mod bird;
mod clips;
mod cow;
mod design;
mod dragon;
mod field;
mod giraffe;
mod mesher;
mod mushroom;
mod nets;
mod paint;
mod shape;
mod snail;
mod tube;
mod weights;

use crate::{Character, LoadError, load};
use design::{Design, DesignError};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum OwnError {
    #[error(
        "there is no built-in character called \"{name}\"{}; the built-in characters are {}",
        suggestion(nearest),
        names().join(", ")
    )]
    Unknown { name: String, nearest: Option<&'static str> },
    #[error(
        "a built-in character cannot have {target} vertices; ask for {LEAST_VERTICES} to {MOST_VERTICES}"
    )]
    Target { target: usize },
    #[error("the built-in character could not be put together: {0}")]
    Broken(#[from] DesignError),
    #[error("the built-in character is damaged: {0}")]
    Damaged(#[from] LoadError),
}

/// Fewer cannot hold the thin parts.
const LEAST_VERTICES: usize = 2_000;
/// More could not be loaded again.
const MOST_VERTICES: usize = 4_000_000;

pub fn names() -> [&'static str; 7] {
    ["tube", "giraffe", "bird", "cow", "snail", "dragon", "mushroom"]
}

/// The character of that name as it stands in `examples/`, where [`make`] has put it: making one
/// anew takes seconds, and this program should show something at once.
pub fn built_in(name: &str) -> Result<Character, OwnError> {
    let bytes: &[u8] = match name {
        "tube" => include_bytes!("../examples/tube.glb"),
        "giraffe" => include_bytes!("../examples/giraffe.glb"),
        "bird" => include_bytes!("../examples/bird.glb"),
        "cow" => include_bytes!("../examples/cow.glb"),
        "snail" => include_bytes!("../examples/snail.glb"),
        "dragon" => include_bytes!("../examples/dragon.glb"),
        "mushroom" => include_bytes!("../examples/mushroom.glb"),
        _ => return Err(unknown(name)),
    };
    Ok(load::load_bytes(name, bytes.to_vec(), None)?)
}

/// Makes the character of that name, with its default number of vertices or about `target_vertices`.
pub fn make(name: &str, target_vertices: Option<usize>) -> Result<Character, OwnError> {
    let design = design(name)?;
    if let Some(target) = target_vertices
        && !(LEAST_VERTICES..=MOST_VERTICES).contains(&target)
    {
        return Err(OwnError::Target { target });
    }
    Ok(design.into_character(target_vertices)?)
}

fn design(name: &str) -> Result<Design, OwnError> {
    Ok(match name {
        "tube" => tube::design(),
        "giraffe" => giraffe::design(),
        "bird" => bird::design(),
        "cow" => cow::design(),
        "snail" => snail::design(),
        "dragon" => dragon::design(),
        "mushroom" => mushroom::design(),
        _ => return Err(unknown(name)),
    })
}

fn unknown(name: &str) -> OwnError {
    OwnError::Unknown { name: name.to_string(), nearest: jounce_base::text::nearest(name, names()) }
}

fn suggestion(nearest: &Option<&'static str>) -> String {
    nearest.map_or(String::new(), |name| format!(" (did you mean {name}?)"))
}
