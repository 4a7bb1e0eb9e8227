//! The document: nodes, links and values, and what was done to them.

mod settings;

pub use settings::{BoneSetting, CharacterSettings};
