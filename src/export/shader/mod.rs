//! A graph as a shader in the languages of engines, with a manifest that says how to feed it.
//!
//! ```text
//! graph.wgsl                 printed by us
//! graph.<entry>.comp .vert   GLSL 4.50, a file per entry point
//! graph.hlsl .metal .spv     all entry points in one
//! graph.program.json         what the shader is printed from, for evaluators of our own
//! manifest.json              tables, bindings, parameters: see [`Manifest`]
//! ```
//! Each language has its own file or folder in `src/export/targets/`. `docs/shaders.md` is for those who run it.

mod bindings;
mod buffers;
mod definitions;
mod folder;
mod keys;
mod manifest;
mod memory;
mod notes;
mod passes;
mod structs;

pub use bindings::Binding;
pub use folder::{FolderError, Written, check_folder, write_files};
pub use keys::key_warnings;
pub use manifest::Manifest;
use manifest::{MANIFEST_NAME, TargetEntry};
pub use notes::graph_notes;

pub use crate::targets::{Refusal, Target};

use crate::targets::ToTranslate;
use jounce_base::Base;
use jounce_base::keyed_value::MotionKeys;
use jounce_ir::Program;
use jounce_shader::wgsl::{self, WgslError};

/// A file that is to be written, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

pub struct ShaderExport<'a> {
    /// What files are called.
    pub name: &'a str,
    pub program: &'a Program,
    /// Instead of the program's own.
    pub base: Option<Base>,
    pub targets: &'a [Target],
    /// What the document keys over its clips: data for the host.
    pub keys: &'a MotionKeys,
}

/// The module that all targets are made from; `program` is one that was compiled for exports.
pub fn exported_module(
    name: &str,
    program: &Program,
    base: Base,
) -> Result<wgsl::Module, WgslError> {
    let options = wgsl::Options {
        name,
        skinning: base.into(),
        with_constants: true,
        tables: wgsl::TableMemory::Storage,
    };
    wgsl::module(program, &options)
}

/// All files of an export, the manifest last.
pub fn export_shader(export: &ShaderExport) -> Result<Vec<ExportedFile>, WgslError> {
    Ok(export_shader_while(export, &|_| true)?.unwrap_or_default())
}

/// The same, target by target, as long as it is wanted; `goes_on` is told how many are done.
pub fn export_shader_while(
    export: &ShaderExport,
    goes_on: &dyn Fn(usize) -> bool,
) -> Result<Option<Vec<ExportedFile>>, WgslError> {
    let base = export.base.unwrap_or(export.program.base);
    let module = exported_module(export.name, export.program, base)?;
    let bindings = bindings::bindings(&module, export.program, base);
    let mut files = Vec::new();
    let mut translations = Vec::new();
    for (done, &target) in export.targets.iter().enumerate() {
        if !goes_on(done) {
            return Ok(None);
        }
        let from = ToTranslate { export, module: &module, bindings: &bindings };
        let translated = target.translate(&from)?;
        translations.push(TargetEntry::new(target, export.program, &module, &translated));
        files.extend(translated.files);
    }
    let manifest = Manifest::new(export, base, &module, bindings, translations);
    files.push(ExportedFile { name: MANIFEST_NAME.to_owned(), bytes: manifest.to_json() });
    Ok(goes_on(export.targets.len()).then_some(files))
}
