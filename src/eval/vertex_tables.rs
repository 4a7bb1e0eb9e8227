//! Numbers of the vertices that are made from a character when it is bound: the sources of
//! [`jounce_ir::source::DataFrom::VertexTable`], which programs read as maps.

use super::BindWarning;
use jounce_base::Role;
use jounce_ir::source::DerivedMap;
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
    match map {
        DerivedMap::Looseness => from_singles(character.roles().looseness(character, roles)),
        DerivedMap::Protrusion => from_singles(character.roles().protrusion(character, roles)),
        DerivedMap::PieceOffset(component) => {
            let offsets = character.roles().piece_offsets(character);
            let of_vertex = |offset: glam::DVec3| offset.to_array()[component as usize];
            numbers(offsets.into_iter().map(of_vertex).collect())
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
