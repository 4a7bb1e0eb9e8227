//! The one table of sources: data of the character and its motion that programs may read.
//!
//! Script constants, evaluators, shader accessors, manifests, saved programs and the manual all come from
//! here. A row that leaves anything out does not compile.

use super::{Dimension, Rate, Type};

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

/// Who has the data, and so how long it stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataFrom {
    /// The time of the moment.
    Clock,
    /// The steps of what is remembered.
    Step,
    /// The character and its settings: the same for as long as it is bound.
    Character,
    /// The bones of the moment.
    Pose,
    /// Plain skinning of the moment's vertices.
    Skinning(VertexVector),
    /// The vertices of the rest pose.
    RestPose(VertexVector),
    /// A float per vertex that is made from the character when it is bound. Programs read it as a map that
    /// nobody paints ([`super::MapSource::Derived`]), so that all who can read maps can read it.
    VertexTable(DerivedMap),
}

/// What a table of vertices is made from, so that whoever makes them cannot forget one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerivedMap {
    /// The local thickness.
    Softness,
    /// The roles of bones.
    Looseness,
    /// How far skin is from all bones.
    Protrusion,
    /// A component of the way to the middle of a rigid piece.
    PieceOffset(OffsetComponent),
    /// A component of the way to where a part without bones begins.
    ProtrusionRoot(OffsetComponent),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetComponent {
    X,
    Y,
    Z,
}

/// What of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexVector {
    Position,
    Normal,
}

pub struct SourceInfo {
    pub source: Source,
    /// In texts and in saved programs, which must be readable for ever: it never changes.
    pub saved_name: &'static str,
    /// The constant's name in scripts; None for a part that scripts do not see.
    pub name: Option<&'static str>,
    pub shape: Shape,
    pub rate: Rate,
    pub from: DataFrom,
    /// What it is measured in.
    pub dimension: Dimension,
    /// The accessor that generated shaders call.
    pub accessor: &'static str,
    /// For those who write scripts.
    pub doc: &'static str,
    /// For those who run an exported shader: exactly enough to compute it in an engine. Positions are in the
    /// scene, where the skinned mesh is.
    pub export_text: &'static str,
}

impl SourceInfo {
    pub fn ty(&self) -> Type {
        match self.shape {
            Shape::Float => Type::Float,
            Shape::Vec3 | Shape::Quat { .. } => Type::Vec3,
        }
    }

    /// None for what is no table of vertices.
    pub fn derived_map(&self) -> Option<DerivedMap> {
        match self.from {
            DataFrom::VertexTable(map) => Some(map),
            DataFrom::Clock
            | DataFrom::Step
            | DataFrom::Character
            | DataFrom::Pose
            | DataFrom::Skinning(_)
            | DataFrom::RestPose(_) => None,
        }
    }
}

impl Source {
    pub fn info(self) -> &'static SourceInfo {
        &SOURCES[self as usize]
    }
}

/// The enum and its table, in one order.
macro_rules! sources {
    ($($name:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Source {
            $($name,)*
        }

        const COUNT: usize = [$(Source::$name),*].len();

        /// In the order of the enum.
        pub const SOURCES: [SourceInfo; COUNT] = [
            $(SourceInfo { source: Source::$name, $($field: $value),* },)*
        ];
    };
}

sources! {
    Time {
        saved_name: "time", name: Some("TIME"), shape: Shape::Float, rate: Rate::Frame,
        from: DataFrom::Clock, dimension: Dimension::TIME, accessor: "jn_time",
        doc: "Seconds since the start of the clip.",
        export_text: "seconds since the start of the clip",
    }
    StepSecs {
        saved_name: "step_secs", name: Some("DT"), shape: Shape::Float, rate: Rate::Frame,
        from: DataFrom::Step, dimension: Dimension::TIME, accessor: "jn_step_secs",
        doc: "Seconds since what the node remembers was kept: at most a step, about 1/240 s.",
        export_text: "seconds since the last step of what nodes remember",
    }
    CharacterSize {
        saved_name: "size", name: Some("CHARACTER_SIZE"), shape: Shape::Float, rate: Rate::Frame,
        from: DataFrom::Character, dimension: Dimension::LENGTH, accessor: "jn_size",
        doc: "The reference length: the largest side of the rest pose's bounding box, or the size set for the character.",
        export_text: "the reference length ℓ > 0: the largest side of the rest pose's bounding box, or what the character's settings say",
    }
    CharacterHeight {
        saved_name: "height", name: Some("CHARACTER_HEIGHT"), shape: Shape::Float, rate: Rate::Frame,
        from: DataFrom::Character, dimension: Dimension::LENGTH, accessor: "jn_height",
        doc: "From the lowest to the highest point of the rest pose.",
        export_text: "from the lowest to the highest point of the rest pose",
    }
    GroundHeight {
        saved_name: "ground_height", name: Some("GROUND_HEIGHT"), shape: Shape::Float, rate: Rate::Frame,
        from: DataFrom::Character, dimension: Dimension::LENGTH, accessor: "jn_ground_height",
        doc: "Height of the ground: the lowest point of the rest pose.",
        export_text: "y of the lowest point of the rest pose",
    }
    BoneOrigin {
        saved_name: "bone_origin", name: Some("BONE_ORIGIN"), shape: Shape::Vec3, rate: Rate::Bone,
        from: DataFrom::Pose, dimension: Dimension::LENGTH, accessor: "jn_bone_origin",
        doc: "Where the bone's joint is.",
        export_text: "where the bone's joint is: the translation of its matrix from bone to scene",
    }
    BoneRotation {
        saved_name: "bone_rotation", name: Some("BONE_ROTATION"), shape: Shape::Quat { w: Source::BoneRotationW },
        rate: Rate::Bone, from: DataFrom::Pose, dimension: Dimension::NUMBER, accessor: "jn_bone_rotation",
        doc: "The bone's rotation, from its own frame to the scene.",
        export_text: "x, y, z of the unit quaternion of the bone's matrix from bone to scene, without scale",
    }
    BoneRotationW {
        saved_name: "bone_rotation_w", name: None, shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Pose, dimension: Dimension::NUMBER, accessor: "jn_bone_rotation_w",
        doc: "",
        export_text: "the w of BONE_ROTATION",
    }
    BoneParentRotation {
        saved_name: "bone_parent_rotation", name: Some("BONE_PARENT_ROTATION"),
        shape: Shape::Quat { w: Source::BoneParentRotationW }, rate: Rate::Bone,
        from: DataFrom::Pose, dimension: Dimension::NUMBER, accessor: "jn_bone_parent_rotation",
        doc: "The rotation of the bone's parent, from its own frame to the scene; of a root bone: none.",
        export_text: "x, y, z of the same of the parent bone; 0, 0, 0 for a bone without parent",
    }
    BoneParentRotationW {
        saved_name: "bone_parent_rotation_w", name: None, shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Pose, dimension: Dimension::NUMBER, accessor: "jn_bone_parent_rotation_w",
        doc: "",
        export_text: "the w of BONE_PARENT_ROTATION; 1 for a bone without parent",
    }
    BoneCentroid {
        saved_name: "bone_centroid", name: Some("BONE_CENTROID"), shape: Shape::Vec3, rate: Rate::Bone,
        from: DataFrom::Pose, dimension: Dimension::LENGTH, accessor: "jn_bone_centroid",
        doc: "The centre of what the bone moves, in closed form; the joint where it moves nothing.",
        export_text: "the centre of what the bone and all below it move, in closed form: Σ over joints i of M_i h_i, M_i the joint's matrix from bind space to the scene, h_i (x, y, z, w) made once from the rest mesh, as docs/shaders.md says; BONE_ORIGIN where the bone moves nothing. An offset that the document sets for a bone is turned by BONE_ROTATION and added",
    }
    BoneExactCentroid {
        saved_name: "bone_exact_centroid", name: Some("BONE_EXACT_CENTROID"), shape: Shape::Vec3, rate: Rate::Bone,
        from: DataFrom::Pose, dimension: Dimension::LENGTH, accessor: "jn_bone_exact_centroid",
        doc: "The same, from a pass over the posed mesh: exact, slower, not in every export.",
        export_text: "the centre of the posed triangles, each weighted by its area times the sum of its corners' upward weights of the bone",
    }
    BoneIsRoot {
        saved_name: "bone_is_root", name: Some("BONE_IS_ROOT"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Character, dimension: Dimension::NUMBER, accessor: "jn_bone_is_root",
        doc: "1 for bones without a parent, 0 for all others.",
        export_text: "1 for bones without a parent bone, 0 for all others",
    }
    BoneCarries {
        saved_name: "bone_carries", name: Some("BONE_CARRIES"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Character, dimension: Dimension::NUMBER, accessor: "jn_bone_carries",
        doc: "1 for bones whose travel takes the whole character along: roots, and below them those with almost all skin; 0 for all others, and where nothing else has skin.",
        export_text: "1 for bones without a parent bone, and for bones that move, with all below them, at least 95 % of the skin's area; 0 for all others, and for every bone where no other bone has skin",
    }
    BoneDepth {
        saved_name: "bone_depth", name: Some("BONE_DEPTH"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Character, dimension: Dimension::NUMBER, accessor: "jn_bone_depth",
        doc: "How many bones are above this one: 0 at a root, more towards the tips.",
        export_text: "how many bones are above this one",
    }
    BoneRole {
        saved_name: "bone_role", name: Some("BONE_ROLE"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Character, dimension: Dimension::NUMBER, accessor: "jn_bone_role",
        doc: "What the bone is to the body: 0 trunk, 1 neck, 2 head, 3 arm, 4 hand, 5 finger, 6 leg, 7 foot, 8 free (tail, ear, wing).",
        export_text: "what the bone is to the body, as `jounce inspect --json` says it: 0 trunk, 1 neck, 2 head, 3 arm, 4 hand, 5 finger, 6 leg, 7 foot, 8 free",
    }
    BoneLooseness {
        saved_name: "bone_looseness", name: Some("BONE_LOOSENESS"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Character, dimension: Dimension::NUMBER, accessor: "jn_bone_looseness",
        doc: "How loosely the bone hangs, at its end: 0 for trunk and legs, rising to 1 at the tips of arms and free chains.",
        export_text: "how loosely the bone hangs, from 0 to 1, as `jounce inspect --json` says it",
    }
    FleshReach {
        saved_name: "flesh_reach", name: Some("FLESH_REACH"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Character, dimension: Dimension::LENGTH, accessor: "jn_flesh_reach",
        doc: "How far a flesh element may swing before it would cross its virtual bone; 0 for bones.",
        export_text: "of a flesh element: how far it may swing before it would cross its virtual bone; 0 for bones",
    }
    BoneAnchor {
        saved_name: "bone_anchor", name: Some("BONE_ANCHOR"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Character, dimension: Dimension::NUMBER, accessor: "jn_bone_anchor",
        doc: "Of the further rows that anchors add behind the bones: which anchor a row belongs to, 1 to 4; 0 for bones.",
        export_text: "of a row that an anchor adds: which anchor, 1 to 4; 0 for bones",
    }
    BoneAnchorSign {
        saved_name: "bone_anchor_sign", name: None, shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Character, dimension: Dimension::NUMBER, accessor: "jn_bone_anchor_sign",
        doc: "",
        export_text: "-1 in rows of anchors that reverse a bone, 1 in all others",
    }
    AnchorHeight {
        saved_name: "anchor_height", name: Some("ANCHOR_HEIGHT"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Pose, dimension: Dimension::LENGTH, accessor: "jn_anchor_height",
        doc: "In the rows of an anchor: how high the lowest point of what it carries is above the ground; 0 for bones.",
        export_text: "in rows of an anchor: how high above jn_ground_height the lowest point is of the skin that the anchor's bone and all below it carry; 0 for bones",
    }
    AnchorSpeed {
        saved_name: "anchor_speed", name: Some("ANCHOR_SPEED"), shape: Shape::Float, rate: Rate::Bone,
        from: DataFrom::Pose, dimension: Dimension::LINEAR_VELOCITY, accessor: "jn_anchor_speed",
        doc: "In the rows of an anchor: how fast that lowest point goes up or down; 0 for bones.",
        export_text: "in rows of an anchor: how fast that lowest point goes up or down, a mean over 0.05 s; 0 for bones",
    }
    SkinnedPosition {
        saved_name: "skinned_position", name: Some("SKINNED_POSITION"), shape: Shape::Vec3, rate: Rate::Vertex,
        from: DataFrom::Skinning(VertexVector::Position), dimension: Dimension::LENGTH, accessor: "jn_skinned_position",
        doc: "Where plain skinning puts the vertex.",
        export_text: "Where plain skinning puts the vertex.",
    }
    SkinnedNormal {
        saved_name: "skinned_normal", name: Some("SKINNED_NORMAL"), shape: Shape::Vec3, rate: Rate::Vertex,
        from: DataFrom::Skinning(VertexVector::Normal), dimension: Dimension::NUMBER, accessor: "jn_skinned_normal",
        doc: "The vertex normal after plain skinning.",
        export_text: "The vertex normal after plain skinning.",
    }
    RestPosition {
        saved_name: "rest_position", name: Some("REST_POSITION"), shape: Shape::Vec3, rate: Rate::Vertex,
        from: DataFrom::RestPose(VertexVector::Position), dimension: Dimension::LENGTH, accessor: "jn_rest_position",
        doc: "Where the vertex is in the rest pose.",
        export_text: "Where the vertex is in the rest pose.",
    }
    RestNormal {
        saved_name: "rest_normal", name: Some("REST_NORMAL"), shape: Shape::Vec3, rate: Rate::Vertex,
        from: DataFrom::RestPose(VertexVector::Normal), dimension: Dimension::NUMBER, accessor: "jn_rest_normal",
        doc: "The vertex normal in the rest pose.",
        export_text: "The vertex normal in the rest pose.",
    }
    Softness {
        saved_name: "softness", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::Softness), dimension: Dimension::NUMBER, accessor: "jn_softness",
        doc: "Thin parts are soft: from the local thickness.",
        export_text: "made from the local thickness",
    }
    Looseness {
        saved_name: "looseness", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::Looseness), dimension: Dimension::NUMBER, accessor: "jn_looseness",
        doc: "0 where a body stands and carries, rising to 1 at the tips of what hangs freely.",
        export_text: "made from the roles of bones: 0 on trunk and legs, rising to 1 at the tips of what hangs freely",
    }
    Protrusion {
        saved_name: "protrusion", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::Protrusion), dimension: Dimension::NUMBER, accessor: "jn_protrusion",
        doc: "Of parts without bones, such as ears: 0 where they begin to stand out, 1 at their tips.",
        export_text: "made from the distance to the bones: of parts that stand out, 0 where they begin and 1 at their tips",
    }
    PieceOffsetX {
        saved_name: "piece_offset_x", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::PieceOffset(OffsetComponent::X)), dimension: Dimension::LENGTH, accessor: "jn_piece_offset_x",
        doc: "From the vertex to the middle of its rigid piece, in the frame of its bone; 0 outside of pieces.",
        export_text: "x of the way from the vertex to the middle of its rigid piece (a connected piece on one bone), in the frame of the bone at rest; 0 outside of pieces",
    }
    PieceOffsetY {
        saved_name: "piece_offset_y", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::PieceOffset(OffsetComponent::Y)), dimension: Dimension::LENGTH, accessor: "jn_piece_offset_y",
        doc: "",
        export_text: "y of the same",
    }
    PieceOffsetZ {
        saved_name: "piece_offset_z", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::PieceOffset(OffsetComponent::Z)), dimension: Dimension::LENGTH, accessor: "jn_piece_offset_z",
        doc: "",
        export_text: "z of the same",
    }
    ProtrusionRootX {
        saved_name: "protrusion_root_x", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::ProtrusionRoot(OffsetComponent::X)), dimension: Dimension::LENGTH, accessor: "jn_protrusion_root_x",
        doc: "From the vertex to the middle of where its part without bones begins, in the frame of its bone; 0 on everything else.",
        export_text: "x of the way from the vertex to the middle of where its part without bones begins, in the frame of its bone at rest; 0 on everything else",
    }
    ProtrusionRootY {
        saved_name: "protrusion_root_y", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::ProtrusionRoot(OffsetComponent::Y)), dimension: Dimension::LENGTH, accessor: "jn_protrusion_root_y",
        doc: "",
        export_text: "y of the same",
    }
    ProtrusionRootZ {
        saved_name: "protrusion_root_z", name: None, shape: Shape::Float, rate: Rate::Vertex,
        from: DataFrom::VertexTable(DerivedMap::ProtrusionRoot(OffsetComponent::Z)), dimension: Dimension::LENGTH, accessor: "jn_protrusion_root_z",
        doc: "",
        export_text: "z of the same",
    }
}

/// The maps that every character has and that people look at, by their [`SourceInfo::saved_name`].
pub fn derived_maps() -> impl Iterator<Item = (&'static SourceInfo, DerivedMap)> {
    let maps = SOURCES.iter().filter_map(|info| Some((info, info.derived_map()?)));
    let is_offset = |map: &DerivedMap| {
        matches!(map, DerivedMap::PieceOffset(_) | DerivedMap::ProtrusionRoot(_))
    };
    maps.filter(move |(_, map)| !is_offset(map))
}

/// The source of a script constant.
pub fn named(name: &str) -> Option<&'static SourceInfo> {
    SOURCES.iter().find(|info| info.name == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_stands_in_the_order_of_the_enum() {
        for (place, info) in SOURCES.iter().enumerate() {
            assert_eq!(info.source as usize, place);
            assert!(info.accessor.starts_with("jn_") && !info.accessor.contains("__"));
        }
    }

    #[test]
    fn names_are_one_each_and_tables_of_vertices_are_floats_of_vertices() {
        let names: BTreeSet<&str> = SOURCES.iter().map(|info| info.saved_name).collect();
        assert_eq!(names.len(), SOURCES.len());
        for info in &SOURCES {
            assert!(!info.export_text.is_empty() && !info.saved_name.is_empty());
            if info.derived_map().is_some() {
                assert_eq!((info.shape, info.rate), (Shape::Float, Rate::Vertex));
            }
        }
    }
}
