//! What a document knows of one character: the part of a style that cannot fit all of them.

use crate::{PaintedMap, Role};
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
    pub maps: BTreeMap<String, PaintedMap>,
    /// Soft parts that swing, by name: what the Flesh node moves.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub flesh: BTreeMap<String, FleshSetting>,
    /// By bone's name: how far its centroid is from where the mesh has it, in the bone's own frame.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub centroid_offsets: BTreeMap<String, [f64; 3]>,
    /// By bone's name: what it is to the body, in place of what its skin and its place say. It goes for those
    /// below it too, down to where another role begins.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Role>,
    /// By bone's name the bone that it moves relative to, null for the scene: in place of what was found, where a
    /// graph uses the motion hierarchy.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parents: BTreeMap<String, Option<String>>,
}

impl CharacterSettings {
    pub fn is_empty(&self) -> bool {
        let CharacterSettings { size, bone_values, maps, flesh, centroid_offsets, roles, parents } =
            self;
        size.is_none()
            && bone_values.is_empty()
            && maps.is_empty()
            && flesh.is_empty()
            && centroid_offsets.is_empty()
            && roles.is_empty()
            && parents.is_empty()
    }
}

/// A soft part of a character.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FleshSetting {
    /// The bone that carries it; its virtual bone begins there.
    pub driver: String,
    /// Its virtual bone ends in the middle of these.
    pub driven: Vec<String>,
    /// Whose skin it is, as much as they move it; empty: of the driver.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bones: Vec<String>,
    /// Only as much as this map says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub curve: FleshCurve,
    /// Of the bone inside it, in sizes of the character.
    #[serde(default, skip_serializing_if = "is_default")]
    pub thickness: f64,
}

/// How flesh fades to the ends of its virtual bone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FleshCurve {
    #[default]
    Parabola,
    Wyvill,
    /// Points (y from −1 to 1, how much from 0 to 1), in the order of y.
    Points(Vec<[f64; 2]>),
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
