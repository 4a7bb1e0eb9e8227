//! The resources of a module, and where each language finds them.

use super::buffers::size_and_contents;
use jounce_base::Base;
use jounce_ir::Program;
use jounce_shader::wgsl::Module;
use naga::{AddressSpace, Handle, StorageAccess, Type, TypeInner};
use serde::Serialize;

/// GLSL and MSL have one row of numbers for all groups: those of group 1 begin here.
const SECOND_GROUP: u32 = 10;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Binding {
    pub group: u32,
    pub binding: u32,
    pub name: String,
    pub access: &'static str,
    #[serde(rename = "type")]
    pub ty: String,
    /// How large it is, in words; names are those of `JnCounts`, and a group is 32 lanes.
    pub bytes: String,
    pub contents: &'static str,
    /// The entry points that use it.
    pub entries: Vec<String>,
    pub glsl_binding: u32,
    pub msl_buffer: u32,
    pub hlsl_register: u32,
    pub hlsl_space: u32,
}

impl Binding {
    pub fn is_written(&self) -> bool {
        self.access == "storage, read_write"
    }
}

pub fn bindings(module: &Module, program: &Program, base: Base) -> Vec<Binding> {
    let naga = &module.naga;
    let mut bindings = Vec::new();
    for (handle, global) in naga.global_variables.iter() {
        let Some(place) = &global.binding else { continue };
        let is_used = |index: usize| !module.info.get_entry_point(index)[handle].is_empty();
        let entries = naga.entry_points.iter().enumerate();
        let entries = entries.filter(|(index, _)| is_used(*index));
        let name = global.name.clone().unwrap_or_default();
        let (bytes, contents) = size_and_contents(&name, program, base, module);
        let in_one_row = place.binding + SECOND_GROUP * place.group;
        bindings.push(Binding {
            group: place.group,
            binding: place.binding,
            name,
            access: match global.space {
                AddressSpace::Uniform => "uniform",
                AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => {
                    "storage, read_write"
                }
                _ => "storage, read",
            },
            ty: type_text(naga, global.ty),
            bytes,
            contents,
            entries: entries.map(|(_, entry)| entry.name.clone()).collect(),
            glsl_binding: in_one_row,
            msl_buffer: in_one_row,
            hlsl_register: place.binding,
            hlsl_space: place.group,
        });
    }
    bindings.sort_by_key(|binding| (binding.group, binding.binding));
    bindings
}

pub fn type_text(module: &naga::Module, ty: Handle<Type>) -> String {
    let ty = &module.types[ty];
    match (&ty.name, &ty.inner) {
        (Some(name), _) => name.clone(),
        (None, TypeInner::Array { base, .. }) => format!("array<{}>", type_text(module, *base)),
        (None, TypeInner::Scalar(scalar)) => scalar_text(*scalar).to_owned(),
        (None, TypeInner::Vector { size, scalar }) => {
            format!("vec{}<{}>", *size as u8, scalar_text(*scalar))
        }
        _ => "unknown".to_owned(),
    }
}

fn scalar_text(scalar: naga::Scalar) -> &'static str {
    match scalar.kind {
        naga::ScalarKind::Uint => "u32",
        naga::ScalarKind::Sint => "i32",
        _ => "f32",
    }
}
