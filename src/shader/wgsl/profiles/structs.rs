//! The structs that a host fills by hand, and what each of their fields means. A field of `shaders/` without a
//! meaning here does not compile.

use super::declared::has_fields;

/// A struct of `shaders/`, by its name there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostStruct {
    pub name: &'static str,
    /// In order: names, and what they mean.
    pub fields: &'static [(&'static str, &'static str)],
}

/// A constant for each, and all of them.
macro_rules! host_structs {
    ($($constant:ident = $name:literal in $file:literal { $($field:ident: $what:literal,)* })*) => {
        impl HostStruct {
            $(pub const $constant: HostStruct =
                HostStruct { name: $name, fields: &[$((stringify!($field), $what)),*] };)*

            pub const ALL: &'static [HostStruct] = &[$(HostStruct::$constant),*];
        }

        $(const _: () = assert!(
            has_fields(
                include_str!(concat!("../../shaders/", $file)),
                concat!("struct ", $name, " {\n"),
                HostStruct::$constant.fields,
            ),
            concat!($name, " has other fields than in its shader"),
        );)*
    };
}

host_structs! {
    COUNTS = "JnCounts" in "deform_data.wgsl" {
        lanes: "lanes of the character, a multiple of 32",
        vertex_count: "vertices of the character",
        bones: "bones of the character: rows of jn_bones per instance",
        joints: "joints that skin weights refer to: entries of jn_joints per instance",
        skin_weight_bits: "32: a skin weight is a word with the bits of an f32; 16: a word holds two weights, each times 65535, the even one in the low half",
        first_rest_row: "first of six rows of jn_vertex_data with rest positions and normals; 0 if there are none",
        first_map_row: "first row of jn_vertex_data with a map",
        first_vertex_of_lane: "where jn_lists has the vertex of each lane",
        first_neighbour_list: "where jn_lists has the neighbour lists; only read by graphs that smooth",
        kept_slots: "numbers kept per lane between passes",
        writes_skinned: "1: the last pass also writes plain skinning, as sections 1 and 2 of jn_positions; else 0",
        instances: "instances of the character in the buffers",
        first_group: "added to the x of the workgroup; 0 for a whole character",
        first_instance: "added to the y of the workgroup, or to instance_index; 0 for all",
    }
    VIEW = "JnView" in "deform_vertex.wgsl" {
        clip_from_scene_x: "first column of the matrix from the scene to clip space (0 ≤ z ≤ w)",
        clip_from_scene_y: "second column",
        clip_from_scene_z: "third column",
        clip_from_scene_w: "fourth column: the translation",
    }
    RELAX = "JnRelax" in "deform_relax.wgsl" {
        from_slot: "slot of jn_kept_numbers that this step reads",
        to_slot: "slot that this step writes",
        padding_a: "not read",
        padding_b: "not read",
    }
    STEP = "JnStep" in "deform_memory.wgsl" {
        kind: "0: looks ahead from the last stored step, for a frame; 1: a step ends, and the memory is stored; 2: everything begins, and no bone table is written",
        secs: "seconds since the last stored step: 1/240 where kind is 1, above 0 and at most 1/240 where it is 0, 0 where it is 2; the same as DT",
        padding_a: "not read",
        padding_b: "not read",
    }
}
