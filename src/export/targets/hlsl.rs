//! HLSL of shader model 6.0.

use super::{ShaderTarget, ToTranslate, Translated, failed, place_of};
use crate::shader::Binding;
use jounce_shader::wgsl::WgslError;
use naga::ResourceBinding;
use naga::back::hlsl;

pub struct Hlsl;

impl ShaderTarget for Hlsl {
    fn name(&self) -> &'static str {
        "hlsl"
    }

    fn known_as(&self) -> &'static [&'static str] {
        &["directx", "dxil", "d3d"]
    }

    fn language(&self) -> &'static str {
        "HLSL, shader model 6.0"
    }

    fn note(&self) -> &'static str {
        "written by naga"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["hlsl"]
    }

    fn places(&self, place: ResourceBinding) -> Vec<(&'static str, u32)> {
        vec![("hlsl_register", place.binding), ("hlsl_space", place.group)]
    }

    fn translate(&self, from: &ToTranslate) -> Result<Translated, WgslError> {
        let place = |binding: &Binding| hlsl::BindTarget {
            space: binding.group as u8,
            register: binding.binding,
            ..hlsl::BindTarget::default()
        };
        let options = hlsl::Options {
            shader_model: hlsl::ShaderModel::V6_0,
            binding_map: from.bindings.iter().map(|b| (place_of(b), place(b))).collect(),
            fake_missing_bindings: false,
            restrict_indexing: false,
            force_loop_bounding: false,
            ..hlsl::Options::default()
        };
        let pipeline = hlsl::PipelineOptions { entry_point: None };
        let mut text = String::new();
        let mut writer = hlsl::Writer::new(&mut text, &options, &pipeline);
        let written = writer.write(&from.module.naga, &from.module.info, None);
        let names = written.map_err(|error| failed(self, error))?.entry_point_names;
        let names: Result<Vec<String>, _> = names.into_iter().collect();
        let entry_names = names.map_err(|error| failed(self, error))?;
        Ok(Translated { files: from.one_file("hlsl", text.into_bytes()), entry_names })
    }
}
