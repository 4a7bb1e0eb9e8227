//! SPIR-V, with names in it.

use super::{ShaderTarget, ToTranslate, Translated, failed};
use jounce_shader::wgsl::WgslError;
use naga::back::spv;

pub struct Spirv;

impl ShaderTarget for Spirv {
    fn name(&self) -> &'static str {
        "spirv"
    }

    fn known_as(&self) -> &'static [&'static str] {
        &["spir-v", "spv", "vulkan"]
    }

    fn language(&self) -> &'static str {
        "SPIR-V 1.3"
    }

    fn note(&self) -> &'static str {
        "written by naga"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["spv"]
    }

    /// Vulkan 1.1 takes 1.3, the first version with storage buffers of their own kind.
    fn translate(&self, from: &ToTranslate) -> Result<Translated, WgslError> {
        let options = spv::Options {
            lang_version: (1, 3),
            flags: spv::WriterFlags::LABEL_VARYINGS | spv::WriterFlags::DEBUG,
            force_loop_bounding: false,
            ..spv::Options::default()
        };
        let words = spv::write_vec(&from.module.naga, &from.module.info, &options, None);
        let words = words.map_err(|error| failed(self, error))?;
        let bytes = words.into_iter().flat_map(u32::to_le_bytes).collect();
        Ok(Translated { files: from.one_file("spv", bytes), entry_names: from.own_entry_names() })
    }
}
