//! The character: what a loader or a maker hands over, checked once and completed.

use super::{Clip, Influences, Mesh, Pose, Skeleton};
use glam::DAffine3;
use thiserror::Error;

/// How one joint of one skin (or one rigid mesh) hangs on a node.
///
/// Two skins may bind the same joint differently, so there can be more bindings than bones.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The node whose transform carries the vertices.
    pub node: usize,
    /// The bone whose velocity they feel: `node` itself, or the joint that carries a rigid mesh.
    pub bone: usize,
    /// The inverse bind matrix.
    pub node_from_bind: DAffine3,
}

/// A named number per vertex: painted, from the file, or derived. May be negative.
#[derive(Clone, Debug)]
pub struct Map {
    pub name: String,
    /// The glTF attribute it came from, such as `_FLOPPY`.
    pub attribute: String,
    pub values: Vec<f32>,
}

/// What makes a character, before it is checked.
#[derive(Clone, Debug)]
pub struct CharacterParts {
    pub name: String,
    pub skeleton: Skeleton,
    pub bindings: Vec<Binding>,
    pub mesh: Mesh,
    /// Per vertex: (binding, weight). Weights are used as they are, not normalised here.
    pub skin: Influences,
    pub rest_morph_weights: Vec<f64>,
    pub maps: Vec<Map>,
    pub clips: Vec<Clip>,
    /// What was unusual about the file, one sentence each.
    pub notes: Vec<String>,
}

/// A checked character. Its parts are readable; changing them means building a new one.
#[derive(Debug)]
pub struct Character {
    parts: CharacterParts,
    rest_pose: Pose,
}

impl std::ops::Deref for Character {
    type Target = CharacterParts;
    fn deref(&self) -> &CharacterParts {
        &self.parts
    }
}

#[derive(Debug, Error)]
pub enum CharacterError {
    #[error("the {what} has {found} entries where {expected} are needed")]
    Count {
        what: &'static str,
        found: usize,
        expected: usize,
    },
    #[error("the {what} refers to {index}, but there are only {count}")]
    OutOfRange {
        what: &'static str,
        index: usize,
        count: usize,
    },
}

impl Character {
    pub fn new(parts: CharacterParts) -> Result<Character, CharacterError> {
        check(&parts)?;
        let rest_pose = Pose::rest(&parts.skeleton, parts.rest_morph_weights.clone());
        Ok(Character { parts, rest_pose })
    }

    pub fn rest_pose(&self) -> &Pose {
        &self.rest_pose
    }

    pub fn vertex_count(&self) -> usize {
        self.mesh.positions.len()
    }
}

fn check(parts: &CharacterParts) -> Result<(), CharacterError> {
    let vertices = parts.mesh.positions.len();
    let counts = [
        ("list of normals", parts.mesh.normals.len()),
        ("list of colours", parts.mesh.colors.len()),
        ("list of skin weights", parts.skin.vertex_count()),
    ];
    for (what, found) in counts {
        if found != vertices {
            return Err(CharacterError::Count {
                what,
                found,
                expected: vertices,
            });
        }
    }
    for map in &parts.maps {
        if map.values.len() != vertices {
            let found = map.values.len();
            return Err(CharacterError::Count {
                what: "map",
                found,
                expected: vertices,
            });
        }
    }
    let in_range = |what, index: usize, count: usize| {
        if index < count {
            Ok(())
        } else {
            Err(CharacterError::OutOfRange { what, index, count })
        }
    };
    for binding in &parts.bindings {
        in_range("binding's node", binding.node, parts.skeleton.nodes.len())?;
        in_range("binding's bone", binding.bone, parts.skeleton.bones.len())?;
    }
    for influence in parts.skin.entries() {
        in_range(
            "skin weight's binding",
            influence.index as usize,
            parts.bindings.len(),
        )?;
    }
    for triangle in &parts.mesh.triangles {
        for &corner in triangle {
            in_range("triangle's corner", corner as usize, vertices)?;
        }
    }
    Ok(())
}
