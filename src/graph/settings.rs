//! What a document knows of one character: the part of a style that cannot fit all of them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CharacterSettings {
    /// The reference length, in place of the largest side of the rest pose's box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// Per Bone Value node (its path, `group/node` inside a group), per bone's name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub bone_values: BTreeMap<String, BTreeMap<String, BoneSetting>>,
    /// Painted maps by name, one number per vertex.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(serialize_with = "super::file_form::short_maps")]
    pub maps: BTreeMap<String, Vec<f32>>,
}

/// A number for a bone. The setting nearest above a bone counts, a bone's own before all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoneSetting {
    pub value: f64,
    /// Also for all bones below it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub branch: bool,
}
