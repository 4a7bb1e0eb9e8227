//! How large every buffer is and what is in it, in words.

use super::memory::past_bytes;
use jounce_base::Base;
use jounce_eval::character_data::reads_rest;
use jounce_ir::Program;
use jounce_shader::wgsl::{Buffer, Module, Row};

/// Bytes, and contents.
pub fn size_and_contents(
    buffer: Buffer,
    program: &Program,
    base: Base,
    module: &Module,
) -> (String, &'static str) {
    let row = |row: &Row, rest: &str| format!("{} × {rest}", 4 * row.stride);
    match buffer {
        Buffer::Counts => ("64".to_owned(), "a JnCounts"),
        Buffer::Frames => (row(&module.frame, "instances"), "a JnFrame per instance; changes each frame"),
        Buffer::Bones => (
            row(&module.bone, "bones × instances"),
            "per instance a JnBone for each bone; changes each frame; written by the entry point bones as jn_computed_bones, or computed by the host",
        ),
        Buffer::ComputedBones => (
            row(&module.bone, "bones × instances"),
            "the same buffer that is bound as jn_bones in later passes",
        ),
        Buffer::BoneInputs => (
            row(&module.bone_input, "bones × instances"),
            "per instance a JnBoneInput for each bone; changes each frame",
        ),
        Buffer::BoneMemory => {
            let stride = module.memory.as_ref().map_or(0, |memory| 4 * memory.row.stride);
            (
                format!("{stride} × bones × instances"),
                "per instance a JnBoneMemory for each bone; is kept from frame to frame, and need not be filled: a run with kind 2 does that",
            )
        }
        Buffer::BonePast => {
            let bytes = module.memory.as_ref().map_or(0, past_bytes);
            (
                format!("{bytes} × bones × instances"),
                "per instance and bone the past of values that nodes read it of; is kept from frame to frame, and need not be filled",
            )
        }
        Buffer::Step => ("16".to_owned(), "a JnStep; a different one for each kind of run"),
        Buffer::Joints => {
            let (bytes, contents) = match base {
                Base::Lbs => (
                    48,
                    "per instance and joint three rows of the matrix from bind space to the scene, the translation in w; changes each frame",
                ),
                Base::Dqs => (
                    80,
                    "per instance and joint the real and the dual part of a unit dual quaternion (x, y, z, w), then three columns of the stretch before it; changes each frame",
                ),
            };
            (format!("{bytes} × joints × instances"), contents)
        }
        Buffer::Lists => {
            let pair = 4 * (1 + module.columns.len());
            let neighbours = match program.has_relaxations() {
                true => " + 4 × (lanes + 1 + neighbours of all vertices)",
                false => "",
            };
            (
                format!(
                    "32 × groups + 4 × joints of all blocks + {pair} × bones of all blocks + 4 × lanes{neighbours}"
                ),
                "groups, then the joints, then the pairs of all blocks, then the vertex of each lane, then neighbours",
            )
        }
        Buffer::Weights => (
            "skin_weight_bits / 8 × Σ over blocks of joints × lanes, + 4 × lanes of the block for each stored weight row".to_owned(),
            "skin weights, per block and joint a row of the block's lanes; then rows of weights that are not sums of skin weights",
        ),
        Buffer::VertexData => {
            let has_rest = reads_rest(program, Some(base));
            let rows = 6 + if has_rest { 6 } else { 0 } + module.maps.len();
            let contents = match (has_rest, module.maps.is_empty()) {
                (false, true) => "rows of one f32 per lane: bind position x y z, bind normal x y z",
                (false, false) => "rows of one f32 per lane: bind position x y z, bind normal x y z, then maps",
                (true, true) => {
                    "rows of one f32 per lane: bind position x y z, bind normal x y z, rest position x y z, rest normal x y z"
                }
                (true, false) => {
                    "rows of one f32 per lane: bind position x y z, bind normal x y z, rest position x y z, rest normal x y z, then maps"
                }
            };
            (format!("4 × {rows} × lanes"), contents)
        }
        Buffer::Positions => (
            "12 × vertex_count × instances; three times that where writes_skinned is 1".to_owned(),
            "the result: x y z per instance and vertex, in the order of the vertices; then skinned positions, then skinned normals",
        ),
        Buffer::KeptNumbers => (
            format!("4 × {} × lanes × instances", module.kept.count),
            "per instance and slot one f32 per lane, kept between passes; need not be filled",
        ),
        Buffer::View => ("64".to_owned(), "a JnView, for the entry point vertex"),
        Buffer::Relax => (
            "16 for each step".to_owned(),
            "a JnRelax; a different one for each step of smoothing, as listed in passes",
        ),
    }
}
