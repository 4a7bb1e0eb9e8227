//! Numbers of the vertices that are made from a character when it is bound: the sources of
//! [`jounce_ir::source::DataFrom::VertexTable`], which programs read as maps.

use super::BindWarning;
use jounce_ir::Source;
use jounce_rig::Character;

/// One number per vertex.
pub struct VertexTable {
    pub values: Vec<f64>,
    /// Why they may not be what was hoped for.
    pub warning: Option<BindWarning>,
}

/// `node` asked first. None for sources that are no table of vertices.
pub fn vertex_table(source: Source, node: &str, character: &Character) -> Option<VertexTable> {
    match source {
        Source::Softness => {
            let node = node.to_owned();
            let warning = character.softness_is_unknown();
            Some(VertexTable {
                values: character.automatic_softness().iter().map(|&x| x.into()).collect(),
                warning: warning.map(|why| BindWarning::Softness { node, why }),
            })
        }
        Source::Time
        | Source::StepSecs
        | Source::CharacterSize
        | Source::CharacterHeight
        | Source::GroundHeight
        | Source::BoneOrigin
        | Source::BoneRotation
        | Source::BoneRotationW
        | Source::BoneParentRotation
        | Source::BoneParentRotationW
        | Source::BoneCentroid
        | Source::BoneExactCentroid
        | Source::BoneIsRoot
        | Source::BoneDepth
        | Source::FleshReach
        | Source::BoneAnchor
        | Source::BoneAnchorSign
        | Source::AnchorHeight
        | Source::AnchorSpeed
        | Source::SkinnedPosition
        | Source::SkinnedNormal
        | Source::RestPosition
        | Source::RestNormal => None,
    }
}
