//! WGSL: the module itself.

use super::{ShaderTarget, ToTranslate, Translated};
use jounce_shader::wgsl::WgslError;

pub struct Wgsl;

impl ShaderTarget for Wgsl {
    fn name(&self) -> &'static str {
        "wgsl"
    }

    fn known_as(&self) -> &'static [&'static str] {
        &["webgpu"]
    }

    fn language(&self) -> &'static str {
        "WGSL"
    }

    fn note(&self) -> &'static str {
        "printed by Jounce, validated by naga"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["wgsl"]
    }

    fn translate(&self, from: &ToTranslate) -> Result<Translated, WgslError> {
        let files = from.one_file("wgsl", from.module.text.clone().into_bytes());
        Ok(Translated { files, entry_names: from.own_entry_names() })
    }
}
