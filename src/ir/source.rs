//! The one table of sources: data of the character and its motion that programs may read.
//!
//! Script constants, evaluators, shader accessors, manifests and the manual all come from here.

use super::{Rate, Type};

/// What a script sees; quaternions are read in two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Float,
    Vec3,
    /// (x, y, z) and w: this source is the vector part, the one named here the scalar.
    Quat {
        w: Source,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    Time,
    StepSecs,
    CharacterSize,
    CharacterHeight,
    GroundHeight,
    BoneOrigin,
    BoneRotation,
    BoneRotationW,
    BoneParentRotation,
    BoneParentRotationW,
    BoneCentroid,
    BoneExactCentroid,
    BoneIsRoot,
    BoneDepth,
    FleshReach,
    SkinnedPosition,
    SkinnedNormal,
    RestPosition,
    RestNormal,
}

pub struct SourceInfo {
    pub source: Source,
    /// The constant's name in scripts; None for a part that scripts do not see.
    pub name: Option<&'static str>,
    pub shape: Shape,
    pub rate: Rate,
    /// The accessor that generated shaders call.
    pub accessor: &'static str,
    pub doc: &'static str,
}

impl SourceInfo {
    pub fn ty(&self) -> Type {
        match self.shape {
            Shape::Float => Type::Float,
            Shape::Vec3 | Shape::Quat { .. } => Type::Vec3,
        }
    }
}

impl Source {
    pub fn info(self) -> &'static SourceInfo {
        &SOURCES[self as usize]
    }
}

const fn row(
    source: Source,
    name: &'static str,
    shape: Shape,
    rate: Rate,
    accessor: &'static str,
    doc: &'static str,
) -> SourceInfo {
    SourceInfo { source, name: Some(name), shape, rate, accessor, doc }
}

const fn part(source: Source, rate: Rate, accessor: &'static str) -> SourceInfo {
    SourceInfo { source, name: None, shape: Shape::Float, rate, accessor, doc: "" }
}

/// In the order of the enum.
#[rustfmt::skip]
pub const SOURCES: [SourceInfo; 19] = [
    row(Source::Time, "TIME", Shape::Float, Rate::Frame, "jn_time",
        "Seconds since the start of the clip."),
    row(Source::StepSecs, "DT", Shape::Float, Rate::Frame, "jn_step_secs",
        "Seconds since what the node remembers was kept: at most a step, about 1/240 s."),
    row(Source::CharacterSize, "CHARACTER_SIZE", Shape::Float, Rate::Frame, "jn_size",
        "The reference length: the largest side of the rest pose's bounding box, or the size set for the character."),
    row(Source::CharacterHeight, "CHARACTER_HEIGHT", Shape::Float, Rate::Frame, "jn_height",
        "From the lowest to the highest point of the rest pose."),
    row(Source::GroundHeight, "GROUND_HEIGHT", Shape::Float, Rate::Frame, "jn_ground_height",
        "Height of the ground: the lowest point of the rest pose."),
    row(Source::BoneOrigin, "BONE_ORIGIN", Shape::Vec3, Rate::Bone, "jn_bone_origin",
        "Where the bone's joint is."),
    row(Source::BoneRotation, "BONE_ROTATION", Shape::Quat { w: Source::BoneRotationW }, Rate::Bone, "jn_bone_rotation",
        "The bone's rotation, from its own frame to the scene."),
    part(Source::BoneRotationW, Rate::Bone, "jn_bone_rotation_w"),
    row(Source::BoneParentRotation, "BONE_PARENT_ROTATION", Shape::Quat { w: Source::BoneParentRotationW }, Rate::Bone, "jn_bone_parent_rotation",
        "The rotation of the bone's parent, from its own frame to the scene; of a root bone: none."),
    part(Source::BoneParentRotationW, Rate::Bone, "jn_bone_parent_rotation_w"),
    row(Source::BoneCentroid, "BONE_CENTROID", Shape::Vec3, Rate::Bone, "jn_bone_centroid",
        "The centre of what the bone moves, in closed form; the joint where it moves nothing."),
    row(Source::BoneExactCentroid, "BONE_EXACT_CENTROID", Shape::Vec3, Rate::Bone, "jn_bone_exact_centroid",
        "The same, from a pass over the posed mesh: exact, slower, not in every export."),
    row(Source::BoneIsRoot, "BONE_IS_ROOT", Shape::Float, Rate::Bone, "jn_bone_is_root",
        "1 for bones without a parent, 0 for all others."),
    row(Source::BoneDepth, "BONE_DEPTH", Shape::Float, Rate::Bone, "jn_bone_depth",
        "How many bones are above this one: 0 at a root, more towards the tips."),
    row(Source::FleshReach, "FLESH_REACH", Shape::Float, Rate::Bone, "jn_flesh_reach",
        "How far a flesh element may swing before it would cross its virtual bone; 0 for bones."),
    row(Source::SkinnedPosition, "SKINNED_POSITION", Shape::Vec3, Rate::Vertex, "jn_skinned_position",
        "Where plain skinning puts the vertex."),
    row(Source::SkinnedNormal, "SKINNED_NORMAL", Shape::Vec3, Rate::Vertex, "jn_skinned_normal",
        "The vertex normal after plain skinning."),
    row(Source::RestPosition, "REST_POSITION", Shape::Vec3, Rate::Vertex, "jn_rest_position",
        "Where the vertex is in the rest pose."),
    row(Source::RestNormal, "REST_NORMAL", Shape::Vec3, Rate::Vertex, "jn_rest_normal",
        "The vertex normal in the rest pose."),
];

/// The source of a script constant.
pub fn named(name: &str) -> Option<&'static SourceInfo> {
    SOURCES.iter().find(|info| info.name == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_in_the_order_of_the_enum() {
        for (place, info) in SOURCES.iter().enumerate() {
            assert_eq!(info.source as usize, place);
            assert!(info.accessor.starts_with("jn_") && !info.accessor.contains("__"));
        }
    }
}
