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
mod nets;
mod paint;
mod shape;
mod snail;
mod tube;
mod weights;

use crate::rig::Character;
use design::{Design, DesignError};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum OwnError {
    #[error(
        "there is no built-in character called \"{name}\"{}; there are {}",
        suggestion(nearest),
        names().join(", ")
    )]
    Unknown { name: String, nearest: Option<&'static str> },
    #[error(
        "{target} vertices are outside what a built-in character can have: {LEAST_VERTICES} to {MOST_VERTICES}"
    )]
    Target { target: usize },
    #[error("the built-in character could not be put together: {0}")]
    Broken(#[from] DesignError),
}

/// Fewer cannot hold the thin parts.
const LEAST_VERTICES: usize = 2_000;
/// More would not fit into 32-bit indices and ordinary memory.
const MOST_VERTICES: usize = 8_000_000;

pub fn names() -> [&'static str; 6] {
    ["tube", "giraffe", "bird", "cow", "snail", "dragon"]
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
        _ => {
            return Err(OwnError::Unknown { name: name.to_string(), nearest: nearest_name(name) });
        }
    })
}

fn suggestion(nearest: &Option<&'static str>) -> String {
    nearest.map_or(String::new(), |name| format!(" (did you mean {name}?)"))
}

/// The name that takes the fewest changes of a letter, if that is less than half of it.
fn nearest_name(typed: &str) -> Option<&'static str> {
    let typed = typed.to_lowercase();
    names()
        .into_iter()
        .map(|name| (letter_changes(&typed, name), name))
        .min_by_key(|&(changes, _)| changes)
        .filter(|&(changes, name)| 2 * changes < name.len() + 1)
        .map(|(_, name)| name)
}

/// Levenshtein's distance.
fn letter_changes(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let replace = diagonal + usize::from(letter != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
