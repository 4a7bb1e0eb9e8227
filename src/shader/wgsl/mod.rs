//! A program as WGSL that people can read, paste and compile.
//!
//! ```text
//! JnFrame, JnBone           rows of the tables that the host fills; layout: [`Row`]
//! shaders/deform_math.wgsl  operations that are total
//! shaders/deform_data.wgsl  where data is found
//! shaders/skin_*.wgsl       plain skinning
//! jn_map_…, jn_weight_…     accessors with names
//! jn_deform_vertex          the generated core: no resource in it, only accessors
//! JnBoneInput, jn_compute_bone   the bone stage, for hosts with compute shaders
//! JnBoneMemory, jn_start_bone    what that remembers from step to step, where nodes do
//! bones, deform, vertex     entry points; `relax`, `deform_after_relax`, … where a graph smooths
//! ```
//! `shaders/deform_data.wgsl` stands behind JnFrame, JnBone and JN_WEIGHT_COLUMNS (how many columns of
//! weights the program has). An entry point calls jn_enter first, then the generated code, then
//! jn_write_position; and where jn_counts.writes_skinned is 1, jn_write(1u, skinned position) and
//! jn_write(2u, skinned normal).
//!
//! Inside Jounce the frame and bone stages run on the CPU. Every module is parsed and validated by
//! naga; an error says which node's lines are to blame, though there should never be one.

mod assemble;
mod body;
mod bone_code;
mod entries;
mod error;
mod expression;
mod frame;
mod functions;
mod identifier;
mod library;
mod memory;
mod operation;
mod printer;
mod profiles;
mod rows;
mod suggest;
mod tables;
mod validate;

pub use assemble::{NO_NEIGHBOURS, module};
pub use error::{WgslError, node_at};
pub use frame::{FrameMemory, FrameText, Recollection};
pub use identifier::{identifier, is_reserved};
pub use memory::BoneMemory;
pub use printer::NodeLines;
pub use profiles::buffers::Buffer;
pub use profiles::structs::HostStruct;
pub use rows::{Field, Row};
pub use tables::{KeptSlots, NamedConstant};

use jounce_base::Base;

/// Lanes of a workgroup.
pub const WORKGROUP_SIZE: u32 = 32;

pub struct Options<'a> {
    /// The graph's, for the comment at the top.
    pub name: &'a str,
    pub skinning: ShaderSkinning,
    /// Parameters that people do not see become constants with names, as in exports.
    pub with_constants: bool,
    pub tables: TableMemory,
}

/// Where the tables of frames, bones and joints are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableMemory {
    /// In storage: for any number of bones and instances.
    #[default]
    Storage,
    /// In uniforms of [`UNIFORM_BYTES`] each: for what is that small, and faster.
    Uniform,
}

/// What every device allows for a uniform.
pub const UNIFORM_BYTES: usize = 1 << 16;

/// Where a shader takes skinned vertices from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShaderSkinning {
    Lbs,
    Dqs,
    /// They were skinned before.
    Given,
}

impl From<Base> for ShaderSkinning {
    fn from(base: Base) -> ShaderSkinning {
        match base {
            Base::Lbs => ShaderSkinning::Lbs,
            Base::Dqs => ShaderSkinning::Dqs,
        }
    }
}

/// One complete module.
pub struct Module {
    pub text: String,
    /// Increasing; lines that no node is responsible for are in none.
    pub lines: Vec<NodeLines>,
    pub naga: naga::Module,
    pub info: naga::valid::ModuleInfo,
    /// What the host binds.
    pub buffers: Vec<(Buffer, naga::Handle<naga::GlobalVariable>)>,
    /// `JnFrame`: values of the frame table that are not constants.
    pub frame: Row,
    /// `JnBone`: the bone table.
    pub bone: Row,
    /// `JnBoneInput`: what `bones` computes the bone table from.
    pub bone_input: Row,
    /// `JnBoneMemory`: what `bones` keeps from step to step.
    pub memory: Option<BoneMemory>,
    pub constants: Vec<NamedConstant>,
    /// How the host fills `JnFrame`.
    pub frame_text: FrameText,
    /// Accessors of maps and weight columns, in the order of the program's tables.
    pub maps: Vec<String>,
    pub columns: Vec<String>,
    pub kept: KeptSlots,
    /// To be run in this order, all vertices of one before the next.
    pub passes: Vec<Pass>,
    pub entries: Vec<Entry>,
    /// Why there is no entry point `vertex`.
    pub no_vertex_entry: Option<&'static str>,
}

/// A walk over all vertices, then smoothings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    pub entry: String,
    pub relaxations: Vec<Relaxation>,
}

/// An [`jounce_ir::Op::Relax`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relaxation {
    pub entry: String,
    /// To be run in this order: the contents of the uniform `jn_relax` each time.
    pub steps: Vec<RelaxStep>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelaxStep {
    pub from_slot: u32,
    pub to_slot: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub stage: naga::ShaderStage,
    pub what: &'static str,
}
