//! What a style names and a character does not have: the evaluation goes on with a default.

use jounce_rig::flesh::FleshError;
use jounce_rig::shape_diameter::NoThickness;
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub enum BindWarning {
    /// The character has no map of that name.
    NoMap { node: String, name: String, nearest: Option<String> },
    /// A painted map was made for a mesh with another number of vertices.
    MapLength { node: String, name: String, found: usize, expected: usize },
    /// A painted map has as many numbers as there are vertices, but they were others.
    MapOfAnotherMesh { node: String, name: String },
    /// Some of a map's numbers are NaN, or absurd.
    MapNumbers { node: String, name: String, count: usize },
    /// The character has no bone of that name.
    NoBone { node: String, name: String, nearest: Option<String> },
    /// The number set for a bone is NaN, or absurd.
    BoneNumber { node: String, name: String },
    /// A flesh element of the character's settings cannot be made.
    Flesh { name: String, why: FleshError },
    /// Points of a flesh element's curve lie where they make no sense.
    FleshCurve { name: String },
    /// The size set for the character is not a length.
    Size { used: f64 },
    /// A parent set for a bone would make it hang on itself.
    HangsOnItself { name: String, parent: String },
    /// Anchors are to be found, and the character stands on nothing that could be one.
    NoFeet { node: String },
    /// Nobody can say how thick the character is.
    Softness { node: String, why: NoThickness },
}

impl BindWarning {
    /// The node in the document to show it on.
    pub fn node(&self) -> Option<&str> {
        match self {
            BindWarning::NoMap { node, .. }
            | BindWarning::MapLength { node, .. }
            | BindWarning::MapOfAnotherMesh { node, .. }
            | BindWarning::MapNumbers { node, .. }
            | BindWarning::NoBone { node, .. }
            | BindWarning::BoneNumber { node, .. }
            | BindWarning::NoFeet { node }
            | BindWarning::Softness { node, .. } => Some(node),
            BindWarning::Size { .. }
            | BindWarning::HangsOnItself { .. }
            | BindWarning::Flesh { .. }
            | BindWarning::FleshCurve { .. } => None,
        }
    }
}

impl fmt::Display for BindWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BindWarning::NoMap { node, name, nearest } => {
                write!(f, "{node}: the character has no map \"{name}\"")?;
                meant(f, nearest)?;
                write!(f, "; the node's value for a missing map is used")
            }
            BindWarning::MapLength { node, name, found, expected } => write!(
                f,
                "{node}: the painted map \"{name}\" has {found} numbers but the character has \
                 {expected} vertices; the node's value for a missing map is used"
            ),
            BindWarning::MapOfAnotherMesh { node, name } => write!(
                f,
                "{node}: the map \"{name}\" was painted on another mesh, or on this one before it was changed; it is \
                 used vertex by vertex, so look whether it still fits and paint on it to keep it"
            ),
            BindWarning::MapNumbers { node, name, count } => write!(
                f,
                "{node}: the map \"{name}\" has no usable number at {count} vertices; 0 is \
                 used there"
            ),
            BindWarning::NoBone { node, name, nearest } => {
                write!(f, "{node}: the character has no bone \"{name}\"")?;
                meant(f, nearest)?;
                write!(f, "; it is left out")
            }
            BindWarning::BoneNumber { node, name } => write!(
                f,
                "{node}: what is set for the bone \"{name}\" is not a usable number; it is ignored"
            ),
            BindWarning::Flesh { name, why } => {
                write!(f, "flesh \"{name}\": {why}; it is left out")
            }
            BindWarning::FleshCurve { name } => write!(
                f,
                "flesh \"{name}\": its curve has points outside of −1 to 1 along the bone, or of 0 to \
                 1; what lies beyond is cut off"
            ),
            BindWarning::Size { used } => {
                write!(f, "the size set for the character is not a length; {used} is used")
            }
            BindWarning::HangsOnItself { name, parent } => write!(
                f,
                "parents: \"{parent}\" is below \"{name}\", so it cannot be its parent; the parent that was found for it \
                 is used"
            ),
            BindWarning::NoFeet { node } => write!(
                f,
                "{node}: no feet were found that the character stands on; name the bones that are planted"
            ),
            BindWarning::Softness { node, why } => write!(
                f,
                "{node}: the thickness of the character cannot be measured, because {why}; it is treated as equally \
                 soft everywhere; paint a map to say where it is softer"
            ),
        }
    }
}

fn meant(f: &mut fmt::Formatter<'_>, nearest: &Option<String>) -> fmt::Result {
    match nearest {
        Some(nearest) => write!(f, " (did you mean \"{nearest}\"?)"),
        None => Ok(()),
    }
}
