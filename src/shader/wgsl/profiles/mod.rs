//! Where generated code finds its data: accessor profiles.
//!
//! The generated core (`jn_deform_vertex`, `jn_compute_bone`) touches no resource. It calls accessors, and a
//! profile has their bodies and the resources that those read:
//!
//! ```text
//! jn_frame() jn_bone(k) jn_weight(k, column) jn_skinned_position() …   shaders/deform_*.wgsl, skin_*.wgsl
//! jn_weight_…(k) jn_map_…()                                            the same under the graph's names
//! ```
//! There is one so far, [`buffers::BufferProfile`]. Data textures, or the attributes of an engine, are further
//! implementations of [`AccessorProfile`] with the same functions.

pub mod buffers;
mod declared;
pub mod structs;

use super::library::ShaderFile;
use super::printer::Printer;
use super::tables::TableNames;
use std::collections::HashSet;

/// What a module is made of beside its core.
pub trait AccessorProfile {
    /// What a module may use of `shaders/`, in the order in which it stands there.
    fn libraries(&self) -> Vec<&'static ShaderFile>;

    /// What is needed of the libraries, behind constants that they read.
    fn print_libraries(&self, printer: &mut Printer, tables: &TableNames, needed: &HashSet<String>);

    /// Maps and weights under the names that the graph gives them.
    fn print_named(&self, printer: &mut Printer, tables: &TableNames);

    /// What the entry point `bones` reads and writes; its structs stand above.
    fn print_bone_tables(&self, printer: &mut Printer);

    /// Where that entry point keeps what it remembers.
    fn print_bone_memory(&self, printer: &mut Printer);
}
