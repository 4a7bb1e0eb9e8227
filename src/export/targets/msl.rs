//! The Metal Shading Language.

use super::{ShaderTarget, ToTranslate, Translated, failed, in_one_row, place_of};
use crate::shader::Binding;
use jounce_shader::wgsl::WgslError;
use naga::ResourceBinding;
use naga::back::msl;

pub struct Msl;

/// naga's MSL always asks for the sizes of the storage buffers; the last place is free.
const SIZES_BUFFER: u8 = 30;

impl ShaderTarget for Msl {
    fn name(&self) -> &'static str {
        "msl"
    }

    fn known_as(&self) -> &'static [&'static str] {
        &["metal"]
    }

    fn language(&self) -> &'static str {
        "MSL 2.0"
    }

    fn note(&self) -> &'static str {
        "written by naga, not compiled here; buffer 30 must hold the sizes of the storage buffers in bytes, in the order of _mslBufferSizes"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["msl", "metal"]
    }

    fn places(&self, place: ResourceBinding) -> Vec<(&'static str, u32)> {
        vec![("msl_buffer", in_one_row(place))]
    }

    fn translate(&self, from: &ToTranslate) -> Result<Translated, WgslError> {
        let place = |binding: &Binding| msl::BindTarget {
            buffer: Some(in_one_row(place_of(binding)) as u8),
            mutable: binding.is_written(),
            ..msl::BindTarget::default()
        };
        let resources = msl::EntryPointResources {
            resources: from.bindings.iter().map(|b| (place_of(b), place(b))).collect(),
            sizes_buffer: Some(SIZES_BUFFER),
            ..msl::EntryPointResources::default()
        };
        let entries = from.module.naga.entry_points.iter();
        let options = msl::Options {
            lang_version: (2, 0),
            per_entry_point_map: entries.map(|e| (e.name.clone(), resources.clone())).collect(),
            fake_missing_bindings: false,
            force_loop_bounding: false,
            zero_initialize_workgroup_memory: false,
            ..msl::Options::default()
        };
        let pipeline = msl::PipelineOptions::default();
        let written = msl::write_string(&from.module.naga, &from.module.info, &options, &pipeline);
        let (text, info) = written.map_err(|error| failed(self, error))?;
        let names: Result<Vec<String>, _> = info.entry_point_names.into_iter().collect();
        let entry_names = names.map_err(|error| failed(self, error))?;
        Ok(Translated { files: from.one_file("metal", text.into_bytes()), entry_names })
    }
}
