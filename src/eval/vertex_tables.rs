//! Numbers of the vertices that are made from a character when it is bound: the sources of
//! [`jounce_ir::source::DataFrom::VertexTable`], which programs read as maps.

use super::BindWarning;
use jounce_base::Role;
use jounce_ir::Source;
use jounce_rig::Character;

/// One number per vertex.
pub struct VertexTable {
    pub values: Vec<f64>,
    /// Why they may not be what was hoped for.
    pub warning: Option<BindWarning>,
}

/// `node` asked first; `roles` are those of the bones, as the user has them. None for sources that are no table
/// of vertices.
pub fn vertex_table(
    source: Source,
    node: &str,
    character: &Character,
    roles: &[Role],
) -> Option<VertexTable> {
    let numbers = |values: Vec<f64>| Some(VertexTable { values, warning: None });
    let from_singles = |values: Vec<f32>| numbers(values.into_iter().map(f64::from).collect());
    let to_center = |part: usize| {
        let offsets = character.roles().piece_offsets(character);
        numbers(offsets.into_iter().map(|offset| offset[part]).collect())
    };
    match source {
        Source::Looseness => from_singles(character.roles().looseness(character, roles)),
        Source::Protrusion => from_singles(character.roles().protrusion(character, roles)),
        Source::PieceOffsetX => to_center(0),
        Source::PieceOffsetY => to_center(1),
        Source::PieceOffsetZ => to_center(2),
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
        | Source::BoneRole
        | Source::BoneLooseness
        | Source::FleshReach
        | Source::SkinnedPosition
        | Source::SkinnedNormal
        | Source::RestPosition
        | Source::RestNormal => None,
    }
}
