//! The structs that a host fills by hand, as they lie in memory. Offsets are those of the validated
//! module, so they cannot go stale; what a field means stands beside the profile that has the struct.

use jounce_shader::wgsl::{HostStruct, Module};
use naga::{StructMember, TypeInner};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StructEntry {
    #[serde(rename = "struct")]
    pub name: &'static str,
    pub bytes: u32,
    pub fields: Vec<StructField>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StructField {
    pub name: &'static str,
    #[serde(rename = "type")]
    pub ty: String,
    pub offset_bytes: u32,
    pub what: String,
}

/// Those that the module has.
pub fn structs(module: &Module) -> Vec<StructEntry> {
    HostStruct::ALL.iter().filter_map(|own| entry(module, own)).collect()
}

fn entry(module: &Module, own: &HostStruct) -> Option<StructEntry> {
    let mut types = module.naga.types.iter().map(|(_, ty)| ty);
    let found = types.find(|ty| ty.name.as_deref() == Some(own.name))?;
    let TypeInner::Struct { members, span } = &found.inner else {
        return None;
    };
    let field = |(member, &(name, what)): (&StructMember, &(&'static str, &str))| StructField {
        name,
        ty: super::bindings::type_text(&module.naga, member.ty),
        offset_bytes: member.offset,
        what: match name {
            "kept_slots" => format!("{what}: {} for this graph", module.kept.count),
            _ => what.to_owned(),
        },
    };
    let fields = members.iter().zip(own.fields).map(field).collect();
    // A uniform is a multiple of 16 bytes.
    Some(StructEntry { name: own.name, bytes: span.next_multiple_of(16), fields })
}
