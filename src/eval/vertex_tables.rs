//! Numbers of the vertices that are made from a character when it is bound: the sources of
//! [`jounce_ir::source::DataFrom::VertexTable`], which programs read as maps.

use super::BindWarning;
use glam::DVec3;
use jounce_base::Role;
use jounce_ir::source::{DerivedMap, OffsetComponent};
use jounce_rig::Character;

/// One number per vertex.
pub struct VertexTable {
    pub values: Vec<f64>,
    /// Why they may not be what was hoped for.
    pub warning: Option<BindWarning>,
}

/// `node` asked first; `roles` are those of the bones, as the user has them.
pub fn vertex_table(
    map: DerivedMap,
    node: &str,
    character: &Character,
    roles: &[Role],
) -> VertexTable {
    let numbers = |values: Vec<f64>| VertexTable { values, warning: None };
    let from_singles = |values: Vec<f32>| numbers(values.into_iter().map(f64::from).collect());
    let from_offsets = |offsets: Vec<DVec3>, component: OffsetComponent| {
        numbers(offsets.into_iter().map(|offset| offset.to_array()[component as usize]).collect())
    };
    match map {
        DerivedMap::Looseness => from_singles(character.roles().looseness(character, roles)),
        DerivedMap::Protrusion => from_singles(character.roles().protrusion(character, roles)),
        DerivedMap::PieceOffset(component) => {
            from_offsets(character.roles().piece_offsets(character), component)
        }
        DerivedMap::ProtrusionRoot(component) => {
            from_offsets(character.roles().protrusion_root_offsets(character), component)
        }
        DerivedMap::Softness => {
            let node = node.to_owned();
            let warning = character.softness_is_unknown();
            VertexTable {
                values: character.automatic_softness().iter().map(|&x| x.into()).collect(),
                warning: warning.map(|why| BindWarning::Softness { node, why }),
            }
        }
    }
}
