//! The resources of a module, and where each target finds them.

use super::Target;
use super::buffers::size_and_contents;
use jounce_base::Base;
use jounce_ir::Program;
use jounce_shader::wgsl::Module;
use naga::{AddressSpace, Handle, StorageAccess, Type, TypeInner};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Binding {
    pub group: u32,
    pub binding: u32,
    pub name: &'static str,
    pub access: &'static str,
    #[serde(rename = "type")]
    pub ty: String,
    /// How large it is, in words; names are those of `JnCounts`, and a group is 32 lanes.
    pub bytes: String,
    pub contents: &'static str,
    /// The entry points that use it.
    pub entries: Vec<String>,
    /// What targets call its place, where that is not group and binding.
    #[serde(flatten)]
    pub in_targets: BTreeMap<&'static str, u32>,
}

impl Binding {
    pub fn is_written(&self) -> bool {
        self.access == "storage, read_write"
    }
}

pub fn bindings(module: &Module, program: &Program, base: Base) -> Vec<Binding> {
    let naga = &module.naga;
    let mut bindings = Vec::new();
    for &(buffer, handle) in &module.buffers {
        let (global, place) = (&naga.global_variables[handle], buffer.binding());
        let is_used = |index: usize| !module.info.get_entry_point(index)[handle].is_empty();
        let entries = naga.entry_points.iter().enumerate();
        let entries = entries.filter(|(index, _)| is_used(*index));
        let (bytes, contents) = size_and_contents(buffer, program, base, module);
        bindings.push(Binding {
            group: place.group,
            binding: place.binding,
            name: buffer.name(),
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
            in_targets: Target::ALL.into_iter().flat_map(|target| target.places(place)).collect(),
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
