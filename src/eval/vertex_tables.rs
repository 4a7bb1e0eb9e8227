//! Numbers of the vertices that are made from a character when it is bound: the sources of
//! [`jounce_ir::source::DataFrom::VertexTable`], which programs read as maps.

use super::BindWarning;
use jounce_ir::source::DerivedMap;
use jounce_rig::Character;

/// One number per vertex.
pub struct VertexTable {
    pub values: Vec<f64>,
    /// Why they may not be what was hoped for.
    pub warning: Option<BindWarning>,
}

/// `node` asked first.
pub fn vertex_table(map: DerivedMap, node: &str, character: &Character) -> VertexTable {
    match map {
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
