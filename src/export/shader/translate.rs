//! From the validated module to other languages, by naga.
//!
//! Clip space stays as WGSL has it, and loops and indices are not guarded: what is exported is meant
//! to be read, and its indices come from tables that were checked.

use super::bindings::Binding;
use super::manifest::TargetEntry;
use super::{ExportedFile, Target};
use jounce_ir::Program;
use jounce_shader::wgsl::{Module, WgslError};
use naga::back::{glsl, hlsl, msl, spv};
use naga::proc::BoundsCheckPolicies;
use naga::{ResourceBinding, ShaderStage};

pub struct Translated {
    pub files: Vec<ExportedFile>,
    /// Entry points as they are called here, in the order of the module's.
    entry_names: Vec<String>,
}

impl Translated {
    pub fn manifest(&self, target: Target, program: &Program, module: &Module) -> TargetEntry {
        let entries = module.naga.entry_points.iter().map(|entry| entry.name.clone());
        TargetEntry::new(
            target,
            program,
            self.files.iter().map(|file| file.name.clone()).collect(),
            entries.zip(self.entry_names.iter().cloned()).collect(),
        )
    }
}

pub fn translate(
    name: &str,
    module: &Module,
    bindings: &[Binding],
    target: Target,
) -> Result<Translated, WgslError> {
    let own_names = || module.naga.entry_points.iter().map(|entry| entry.name.clone()).collect();
    let one = |extension: &str, bytes: Vec<u8>| {
        vec![ExportedFile { name: format!("{name}.{extension}"), bytes }]
    };
    let (files, entry_names) = match target {
        Target::Wgsl => (one("wgsl", module.text.clone().into_bytes()), own_names()),
        Target::Glsl => {
            let entries = module.naga.entry_points.iter();
            let files = entries.map(|entry| to_glsl(name, module, bindings, entry));
            let files = files.collect::<Result<Vec<_>, _>>()?;
            let names = files.iter().map(|_| "main".to_owned()).collect();
            (files, names)
        }
        Target::Hlsl => {
            let (text, names) = to_hlsl(module, bindings)?;
            (one("hlsl", text.into_bytes()), names)
        }
        Target::Msl => {
            let (text, names) = to_msl(module, bindings)?;
            (one("metal", text.into_bytes()), names)
        }
        Target::Spirv => (one("spv", to_spirv(module)?), own_names()),
    };
    Ok(Translated { files, entry_names })
}

fn failed(target: Target, error: impl std::fmt::Display) -> WgslError {
    WgslError::Translation { language: target.language(), message: error.to_string() }
}

fn place_of(binding: &Binding) -> ResourceBinding {
    ResourceBinding { group: binding.group, binding: binding.binding }
}

fn to_glsl(
    name: &str,
    module: &Module,
    bindings: &[Binding],
    entry: &naga::EntryPoint,
) -> Result<ExportedFile, WgslError> {
    let extension = match entry.stage {
        ShaderStage::Vertex => "vert",
        _ => "comp",
    };
    let options = glsl::Options {
        version: glsl::Version::Desktop(450),
        writer_flags: glsl::WriterFlags::empty(),
        binding_map: bindings.iter().map(|b| (place_of(b), b.glsl_binding as u8)).collect(),
        zero_initialize_workgroup_memory: false,
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: entry.stage,
        entry_point: entry.name.clone(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = BoundsCheckPolicies::default();
    let (naga, info) = (&module.naga, &module.info);
    let mut writer = glsl::Writer::new(&mut text, naga, info, &options, &pipeline, policies)
        .map_err(|error| failed(Target::Glsl, error))?;
    writer.write().map_err(|error| failed(Target::Glsl, error))?;
    Ok(ExportedFile {
        name: format!("{name}.{}.{extension}", entry.name),
        bytes: for_both_dialects(&text).into_bytes(),
    })
}

/// Vulkan's GLSL counts vertices and instances under other names than OpenGL's, and knows no uniform
/// outside of a block. With these few words the same file is both.
fn for_both_dialects(text: &str) -> String {
    const NAMES: &str = "\
#ifdef VULKAN
#define JN_VERTEX_INDEX gl_VertexIndex
#define JN_INSTANCE_INDEX gl_InstanceIndex
#else
#define JN_VERTEX_INDEX gl_VertexID
#define JN_INSTANCE_INDEX gl_InstanceID
#endif
";
    const FIRST_INSTANCE: &str = "uniform uint naga_vs_first_instance;\n";
    if !text.contains("gl_VertexID") {
        return text.to_owned();
    }
    text.replace(FIRST_INSTANCE, NAMES)
        .replace("(uint(gl_InstanceID) + naga_vs_first_instance)", "uint(JN_INSTANCE_INDEX)")
        .replace("uint(gl_VertexID)", "uint(JN_VERTEX_INDEX)")
}

fn to_hlsl(module: &Module, bindings: &[Binding]) -> Result<(String, Vec<String>), WgslError> {
    let target = |binding: &Binding| hlsl::BindTarget {
        space: binding.hlsl_space as u8,
        register: binding.hlsl_register,
        ..hlsl::BindTarget::default()
    };
    let options = hlsl::Options {
        shader_model: hlsl::ShaderModel::V6_0,
        binding_map: bindings.iter().map(|b| (place_of(b), target(b))).collect(),
        fake_missing_bindings: false,
        restrict_indexing: false,
        force_loop_bounding: false,
        ..hlsl::Options::default()
    };
    let pipeline = hlsl::PipelineOptions { entry_point: None };
    let mut text = String::new();
    let mut writer = hlsl::Writer::new(&mut text, &options, &pipeline);
    let written = writer.write(&module.naga, &module.info, None);
    let names = written.map_err(|error| failed(Target::Hlsl, error))?.entry_point_names;
    let names: Result<Vec<String>, _> = names.into_iter().collect();
    Ok((text, names.map_err(|error| failed(Target::Hlsl, error))?))
}

/// naga's MSL always asks for the sizes of the storage buffers; the last place is free.
const MSL_SIZES_BUFFER: u8 = 30;

fn to_msl(module: &Module, bindings: &[Binding]) -> Result<(String, Vec<String>), WgslError> {
    let target = |binding: &Binding| msl::BindTarget {
        buffer: Some(binding.msl_buffer as u8),
        mutable: binding.is_written(),
        ..msl::BindTarget::default()
    };
    let resources = msl::EntryPointResources {
        resources: bindings.iter().map(|b| (place_of(b), target(b))).collect(),
        sizes_buffer: Some(MSL_SIZES_BUFFER),
        ..msl::EntryPointResources::default()
    };
    let entries = module.naga.entry_points.iter();
    let options = msl::Options {
        lang_version: (2, 0),
        per_entry_point_map: entries.map(|e| (e.name.clone(), resources.clone())).collect(),
        fake_missing_bindings: false,
        force_loop_bounding: false,
        zero_initialize_workgroup_memory: false,
        ..msl::Options::default()
    };
    let pipeline = msl::PipelineOptions::default();
    let written = msl::write_string(&module.naga, &module.info, &options, &pipeline);
    let (text, info) = written.map_err(|error| failed(Target::Msl, error))?;
    let names: Result<Vec<String>, _> = info.entry_point_names.into_iter().collect();
    Ok((text, names.map_err(|error| failed(Target::Msl, error))?))
}

/// Vulkan 1.1 takes 1.3, the first version with storage buffers of their own kind. Names stay in it.
fn to_spirv(module: &Module) -> Result<Vec<u8>, WgslError> {
    let options = spv::Options {
        lang_version: (1, 3),
        flags: spv::WriterFlags::LABEL_VARYINGS | spv::WriterFlags::DEBUG,
        force_loop_bounding: false,
        ..spv::Options::default()
    };
    let words = spv::write_vec(&module.naga, &module.info, &options, None);
    let words = words.map_err(|error| failed(Target::Spirv, error))?;
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}
