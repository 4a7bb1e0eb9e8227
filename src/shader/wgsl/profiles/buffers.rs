//! Where generated code finds its data: the accessor profile of a module.
//!
//! The generated core (`jn_deform_vertex`, `jn_compute_bone`) touches no resource. It calls accessors, and a
//! profile has their bodies and the resources that those read:
//!
//! ```text
//! jn_frame() jn_bone(k) jn_weight(k, column) jn_skinned_position() …   shaders/deform_*.wgsl, skin_*.wgsl
//! jn_weight_…(k) jn_map_…()                                            the same under the graph's names
//! ```
//! There is one so far, buffers that a host fills; [`Options::tables`] says how the small ones are bound.
//! Data textures, or the attributes of an engine, are further profiles with the same functions.

use super::library::Library;
use super::printer::Printer;
use super::tables::TableNames;
use super::{Options, Row, ShaderSkinning, TableMemory, UNIFORM_BYTES};
use std::collections::HashSet;
use std::sync::LazyLock;

macro_rules! shader {
    ($name:literal) => {
        LazyLock::new(|| Library::new(include_str!(concat!("../shaders/", $name))))
    };
}

static MATH: LazyLock<Library> = shader!("deform_math.wgsl");
static TABLES: LazyLock<Library> = shader!("deform_tables.wgsl");
static UNIFORM_TABLES: LazyLock<Library> = shader!("deform_tables_uniform.wgsl");
static DATA: LazyLock<Library> = shader!("deform_data.wgsl");
static NORMAL: LazyLock<Library> = shader!("skin_normal.wgsl");
static LBS: LazyLock<Library> = shader!("skin_lbs.wgsl");
static DQS: LazyLock<Library> = shader!("skin_dqs.wgsl");
static GIVEN: LazyLock<Library> = shader!("skin_given.wgsl");
static RELAX: LazyLock<Library> = shader!("deform_relax.wgsl");
static MEMORY: LazyLock<Library> = shader!("deform_memory.wgsl");
static VERTEX: LazyLock<Library> = shader!("deform_vertex.wgsl");

/// Buffers: storage, and uniforms for tables that are small.
pub struct AccessorProfile {
    tables: TableMemory,
    skinning: ShaderSkinning,
}

impl AccessorProfile {
    pub fn of(options: &Options) -> AccessorProfile {
        AccessorProfile { tables: options.tables, skinning: options.skinning }
    }

    /// What a module may use of `shaders/`, in the order in which it stands there.
    pub fn libraries(&self) -> [&'static Library; 8] {
        let tables = match self.tables {
            TableMemory::Storage => &TABLES,
            TableMemory::Uniform => &UNIFORM_TABLES,
        };
        let skinning = match self.skinning {
            ShaderSkinning::Lbs => &LBS,
            ShaderSkinning::Dqs => &DQS,
            ShaderSkinning::Given => &GIVEN,
        };
        [&MATH, tables, &DATA, &NORMAL, skinning, &RELAX, &VERTEX, &MEMORY]
            .map(|library| &**library)
    }

    /// What is needed of the libraries, behind constants that they read.
    pub fn print_libraries(
        &self,
        printer: &mut Printer,
        tables: &TableNames,
        needed: &HashSet<String>,
    ) {
        if self.tables == TableMemory::Uniform {
            let rows = |row: &Row| UNIFORM_BYTES / (row.stride * 4);
            printer.line(&format!("const JN_MOST_FRAMES = {}u;", rows(&tables.frame)));
            printer.line(&format!("const JN_MOST_BONES = {}u;", rows(&tables.bone)));
        }
        for library in self.libraries() {
            printer.blank();
            let text = library.text_of(needed);
            printer.lines(&text.replace(JOINT_PLACEHOLDER, self.joint_layout()));
        }
    }

    /// What a joint is in `jn_joints`.
    fn joint_layout(&self) -> &'static str {
        match self.skinning {
            ShaderSkinning::Lbs => "three rows of the matrix from bind space to the scene",
            ShaderSkinning::Dqs => {
                "five vectors: real part, dual part (x, y, z, w), and three columns of the stretch"
            }
            ShaderSkinning::Given => "nothing",
        }
    }

    /// Maps and weights under the names that the graph gives them.
    pub fn print_named(&self, printer: &mut Printer, tables: &TableNames) {
        for (row, map) in tables.maps.iter().enumerate() {
            printer.block(&format!("fn {map}() -> f32"), |body| {
                body.line(&format!("return jn_vertex_number({row}u);"));
            });
            printer.blank();
        }
        for (column, weight) in tables.columns.iter().enumerate() {
            printer.block(&format!("fn {weight}(k: u32) -> f32"), |body| {
                body.line(&format!("return jn_weight(k, {column}u);"));
            });
            printer.blank();
        }
    }

    /// What the entry point `bones` reads and writes; its structs stand above.
    pub fn print_bone_tables(&self, printer: &mut Printer) {
        printer.lines(
            "@group(1) @binding(1) var<storage, read> jn_bone_inputs: array<JnBoneInput>;\n\
             @group(1) @binding(2) var<storage, read_write> jn_computed_bones: array<JnBone>;",
        );
    }
}

/// Stands in `shaders/deform_tables*.wgsl` for what [`AccessorProfile::joint_layout`] says.
const JOINT_PLACEHOLDER: &str = "JOINT_LAYOUT";
