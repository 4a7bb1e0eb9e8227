//! The profile of buffers that a host fills: storage, and uniforms for tables that are small
//! ([`super::super::Options::tables`]).

use super::AccessorProfile;
use super::declared::declares_only;
use crate::wgsl::library::ShaderFile;
use crate::wgsl::printer::Printer;
use crate::wgsl::tables::TableNames;
use crate::wgsl::{Options, Row, ShaderSkinning, TableMemory, UNIFORM_BYTES};
use naga::ResourceBinding;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The enum of all buffers, and a row for each: its name in generated code, and where it is bound.
macro_rules! buffers {
    ($($(#[$doc:meta])* $buffer:ident = $name:literal at $group:literal, $binding:literal;)*) => {
        /// A buffer that a module may have. What is in it is told in manifests, for each of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Buffer {
            $($(#[$doc])* $buffer,)*
        }

        impl Buffer {
            pub const ALL: &'static [Buffer] = &[$(Buffer::$buffer),*];
            const NAMES: &'static [&'static str] = &[$($name),*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Buffer::$buffer => $name,)*
                }
            }

            pub const fn binding(self) -> ResourceBinding {
                match self {
                    $(Buffer::$buffer => ResourceBinding { group: $group, binding: $binding },)*
                }
            }
        }
    };
}

buffers! {
    /// How many there are of everything.
    Counts = "jn_counts" at 0, 0;
    /// The table of frames.
    Frames = "jn_frames" at 0, 1;
    /// The table of bones.
    Bones = "jn_bones" at 0, 2;
    Joints = "jn_joints" at 0, 3;
    /// Groups of lanes, their joints and pairs, vertices and neighbours.
    Lists = "jn_lists" at 0, 4;
    Weights = "jn_weights" at 0, 5;
    VertexData = "jn_vertex_data" at 0, 6;
    /// The result.
    Positions = "jn_positions" at 0, 7;
    /// What one pass leaves to the next.
    KeptNumbers = "jn_kept_numbers" at 0, 8;
    /// Of the entry point `vertex`.
    View = "jn_view" at 1, 0;
    /// What `bones` reads.
    BoneInputs = "jn_bone_inputs" at 1, 1;
    /// What `bones` writes: the table of bones.
    ComputedBones = "jn_computed_bones" at 1, 2;
    /// Of the entry points that smooth.
    Relax = "jn_relax" at 1, 3;
    /// Of `bones`, where it remembers.
    Step = "jn_step" at 1, 3;
    BoneMemory = "jn_bone_memory" at 1, 4;
    BonePast = "jn_bone_past" at 1, 5;
}

impl Buffer {
    /// None for a name that no row has.
    pub fn named(name: &str) -> Option<Buffer> {
        Buffer::ALL.iter().copied().find(|buffer| buffer.name() == name)
    }

    fn declaration(self, access: &str, ty: &str) -> String {
        let ResourceBinding { group, binding } = self.binding();
        format!("@group({group}) @binding({binding}) var<{access}> {}: {ty};", self.name())
    }
}

/// Files of `shaders/`. Each buffer that one declares must have a row above.
macro_rules! shader_files {
    ($($name:ident = $file:literal;)*) => {
        $(static $name: LazyLock<ShaderFile> =
            LazyLock::new(|| ShaderFile::new(include_str!(concat!("../../shaders/", $file))));
        const _: () = assert!(
            declares_only(include_str!(concat!("../../shaders/", $file)), Buffer::NAMES),
            concat!($file, " declares a buffer without a row"),
        );)*
    };
}

shader_files! {
    MATH = "deform_math.wgsl";
    TABLES = "deform_tables.wgsl";
    UNIFORM_TABLES = "deform_tables_uniform.wgsl";
    DATA = "deform_data.wgsl";
    NORMAL = "skin_normal.wgsl";
    LBS = "skin_lbs.wgsl";
    DQS = "skin_dqs.wgsl";
    GIVEN = "skin_given.wgsl";
    RELAX = "deform_relax.wgsl";
    MEMORY = "deform_memory.wgsl";
    VERTEX = "deform_vertex.wgsl";
}

pub struct BufferProfile {
    tables: TableMemory,
    skinning: ShaderSkinning,
}

impl AccessorProfile for BufferProfile {
    fn libraries(&self) -> Vec<&'static ShaderFile> {
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
            .to_vec()
    }

    fn print_libraries(
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

    fn print_named(&self, printer: &mut Printer, tables: &TableNames) {
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

    fn print_bone_tables(&self, printer: &mut Printer) {
        let inputs = Buffer::BoneInputs.declaration("storage, read", "array<JnBoneInput>");
        let bones = Buffer::ComputedBones.declaration("storage, read_write", "array<JnBone>");
        printer.line(&inputs);
        printer.line(&bones);
    }

    fn print_bone_memory(&self, printer: &mut Printer) {
        let ty = "array<JnBoneMemory>";
        printer.line(&Buffer::BoneMemory.declaration("storage, read_write", ty));
    }
}

impl BufferProfile {
    pub fn of(options: &Options) -> BufferProfile {
        BufferProfile { tables: options.tables, skinning: options.skinning }
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
}

/// Stands in `shaders/deform_tables*.wgsl` for what [`BufferProfile::joint_layout`] says.
const JOINT_PLACEHOLDER: &str = "JOINT_LAYOUT";

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of `shaders/` have these numbers too.
    #[test]
    fn buffers_stand_where_their_rows_say() {
        let profiles = [TableMemory::Storage, TableMemory::Uniform]
            .map(|tables| BufferProfile { tables, skinning: ShaderSkinning::Lbs });
        let mut printed = Printer::default();
        profiles[0].print_bone_tables(&mut printed);
        profiles[0].print_bone_memory(&mut printed);
        let mut texts = vec![printed.text().to_owned()];
        let names = Buffer::ALL.iter().map(|buffer| buffer.name().to_owned()).collect();
        for library in profiles.iter().flat_map(|profile| profile.libraries()) {
            texts.push(library.text_of(&names));
        }
        for &buffer in Buffer::ALL {
            assert_eq!(Buffer::named(buffer.name()), Some(buffer));
            let ResourceBinding { group, binding } = buffer.binding();
            let (place, name) = (
                format!("@group({group}) @binding({binding}) var<"),
                format!(" {}: ", buffer.name()),
            );
            let lines = texts.iter().flat_map(|text| text.lines());
            let mut lines = lines.filter(|line| line.starts_with('@') && line.contains(&name));
            assert!(lines.next().is_some_and(|line| line.starts_with(&place)), "{name}");
            assert!(lines.all(|line| line.starts_with(&place)), "{name}");
        }
    }
}
