//! The structs that a host fills by hand, as they lie in memory. Offsets are those of the validated
//! module, so they cannot go stale; what a field means is said here.

use jounce_shader::wgsl::Module;
use naga::{Type, TypeInner};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StructEntry {
    #[serde(rename = "struct")]
    pub name: String,
    pub bytes: u32,
    pub fields: Vec<StructField>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StructField {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    pub offset_bytes: u32,
    pub what: String,
}

/// Those that the generated tables do not describe.
const HAND_WRITTEN: [&str; 4] = ["JnCounts", "JnView", "JnRelax", "JnStep"];

/// Those of them that the module has.
pub fn structs(module: &Module) -> Vec<StructEntry> {
    let find = |name: &&str| {
        let types = module.naga.types.iter().map(|(_, ty)| ty);
        types.into_iter().find(|ty| ty.name.as_deref() == Some(*name))
    };
    HAND_WRITTEN.iter().filter_map(find).filter_map(|ty| entry(module, ty)).collect()
}

fn entry(module: &Module, ty: &Type) -> Option<StructEntry> {
    let TypeInner::Struct { members, span } = &ty.inner else {
        return None;
    };
    let name = ty.name.clone()?;
    let field = |member: &naga::StructMember| {
        let field = member.name.clone().unwrap_or_default();
        StructField {
            what: meaning(module, &name, &field),
            ty: super::bindings::type_text(&module.naga, member.ty),
            offset_bytes: member.offset,
            name: field,
        }
    };
    let fields = members.iter().map(field).collect();
    // A uniform is a multiple of 16 bytes.
    Some(StructEntry { bytes: span.next_multiple_of(16), fields, name })
}

/// Empty for a field that nobody has explained; a test asks for all of them.
fn meaning(module: &Module, name: &str, field: &str) -> String {
    let plain = match (name, field) {
        ("JnCounts", "kept_slots") => {
            let count = module.kept.count;
            return format!("numbers kept per lane between passes: {count} for this graph");
        }
        ("JnCounts", "lanes") => "lanes of the character, a multiple of 32",
        ("JnCounts", "vertex_count") => "vertices of the character",
        ("JnCounts", "bones") => "bones of the character: rows of jn_bones per instance",
        ("JnCounts", "joints") => {
            "joints that skin weights refer to: entries of jn_joints per instance"
        }
        ("JnCounts", "skin_weight_bits") => {
            "32: a skin weight is a word with the bits of an f32; 16: a word holds two weights, each times 65535, the even one in the low half"
        }
        ("JnCounts", "first_rest_row") => {
            "first of six rows of jn_vertex_data with rest positions and normals; 0 if there are none"
        }
        ("JnCounts", "first_map_row") => "first row of jn_vertex_data with a map",
        ("JnCounts", "first_vertex_of_lane") => "where jn_lists has the vertex of each lane",
        ("JnCounts", "first_neighbour_list") => {
            "where jn_lists has the neighbour lists; only read by graphs that smooth"
        }
        ("JnCounts", "writes_skinned") => {
            "1: the last pass also writes plain skinning, as sections 1 and 2 of jn_positions; else 0"
        }
        ("JnCounts", "instances") => "instances of the character in the buffers",
        ("JnCounts", "first_group") => "added to the x of the workgroup; 0 for a whole character",
        ("JnCounts", "first_instance") => {
            "added to the y of the workgroup, or to instance_index; 0 for all"
        }
        ("JnView", "clip_from_scene_x") => {
            "first column of the matrix from the scene to clip space (0 ≤ z ≤ w)"
        }
        ("JnView", "clip_from_scene_y") => "second column",
        ("JnView", "clip_from_scene_z") => "third column",
        ("JnView", "clip_from_scene_w") => "fourth column: the translation",
        ("JnRelax", "from_slot") => "slot of jn_kept_numbers that this step reads",
        ("JnRelax", "to_slot") => "slot that this step writes",
        ("JnStep", "kind") => {
            "0: looks ahead from the last stored step, for a frame; 1: a step ends, and the memory is stored; 2: everything begins, and no bone table is written"
        }
        ("JnStep", "secs") => {
            "seconds since the last stored step: 1/240 where kind is 1, above 0 and at most 1/240 where it is 0, 0 where it is 2; the same as DT"
        }
        ("JnRelax" | "JnStep", "padding_a" | "padding_b") => "not read",
        _ => "",
    };
    plain.to_owned()
}
