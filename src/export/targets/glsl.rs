//! GLSL 4.50, a file for each entry point.

use super::{ShaderTarget, ToTranslate, Translated, failed, in_one_row, place_of};
use crate::shader::ExportedFile;
use jounce_shader::wgsl::WgslError;
use naga::back::glsl;
use naga::proc::BoundsCheckPolicies;
use naga::{ResourceBinding, ShaderStage};

pub struct Glsl;

impl ShaderTarget for Glsl {
    fn name(&self) -> &'static str {
        "glsl-450"
    }

    fn known_as(&self) -> &'static [&'static str] {
        &["glsl", "glsl-es", "glsl-vulkan", "opengl", "webgl", "vulkan"]
    }

    fn language(&self) -> &'static str {
        "GLSL 4.50"
    }

    fn note(&self) -> &'static str {
        "written by naga; the same files are valid for Vulkan and for OpenGL"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["glsl", "vert", "frag", "comp"]
    }

    fn places(&self, place: ResourceBinding) -> Vec<(&'static str, u32)> {
        vec![("glsl_binding", in_one_row(place))]
    }

    fn translate(&self, from: &ToTranslate) -> Result<Translated, WgslError> {
        let entries = from.module.naga.entry_points.iter();
        let files = entries.map(|entry| file_of(from, entry)).collect::<Result<Vec<_>, _>>()?;
        let entry_names = files.iter().map(|_| "main".to_owned()).collect();
        Ok(Translated { files, entry_names })
    }
}

fn file_of(from: &ToTranslate, entry: &naga::EntryPoint) -> Result<ExportedFile, WgslError> {
    let ending = match entry.stage {
        ShaderStage::Vertex => "vert",
        _ => "comp",
    };
    let options = glsl::Options {
        version: glsl::Version::Desktop(450),
        writer_flags: glsl::WriterFlags::empty(),
        binding_map: from
            .bindings
            .iter()
            .map(|b| (place_of(b), in_one_row(place_of(b)) as u8))
            .collect(),
        zero_initialize_workgroup_memory: false,
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: entry.stage,
        entry_point: entry.name.clone(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = BoundsCheckPolicies::default();
    let (naga, info) = (&from.module.naga, &from.module.info);
    let mut writer = glsl::Writer::new(&mut text, naga, info, &options, &pipeline, policies)
        .map_err(|error| failed(&Glsl, error))?;
    writer.write().map_err(|error| failed(&Glsl, error))?;
    Ok(ExportedFile {
        name: format!("{}.{}.{ending}", from.export.name, entry.name),
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
