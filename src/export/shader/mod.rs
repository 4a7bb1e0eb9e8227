//! A graph as a shader in the languages of engines, with a manifest that says how to feed it.
//!
//! ```text
//! graph.wgsl                 printed by us
//! graph.<entry>.comp .vert   GLSL 4.50, a file per entry point
//! graph.hlsl .metal .spv     all entry points in one
//! manifest.json              tables, bindings, parameters: see [`Manifest`]
//! ```
//! All but WGSL is written by naga from the validated module. `docs/shaders.md` is for those who run it.

mod bindings;
mod buffers;
mod definitions;
mod folder;
mod manifest;
mod memory;
mod passes;
mod structs;
mod target;
mod translate;

pub use bindings::Binding;
pub use folder::{FolderError, Written, check_folder, obstacles, write_files};
use manifest::MANIFEST_NAME;
pub use manifest::Manifest;
pub use target::{Refusal, Target, graph_notes};

use crate::compile::{Compiled, Constants, compile, compile_with};
use crate::eval::Parameters;
use crate::graph::Style;
use crate::ir::{Number, Program};
use crate::rig::Base;
use crate::script::Library;
use crate::wgsl::{self, WgslError};

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
}

/// Compiles a graph as exports want it: numbers that no Parameter node shows are constants, and
/// those that make no difference (0 and 1) are left out with all that hangs on them.
pub fn compile_for_export(style: &Style, library: &Library) -> Compiled {
    let first = compile(style, library).program;
    let values = Parameters::new(&first).values;
    let hidden = first
        .tables
        .parameters
        .iter()
        .zip(values.iter().copied())
        .filter(|(p, _)| p.exposed.is_none());
    let neutral = hidden.filter(|(_, value)| is_neutral(*value));
    let constants: Constants =
        neutral.map(|(p, value)| ((p.node.clone(), p.port.clone()), value)).collect();
    let mut compiled = compile_with(style, library, &constants);
    let values = Parameters::new(&compiled.program).values;
    for (parameter, value) in
        compiled.program.tables.parameters.iter_mut().zip(values.iter().copied())
    {
        parameter.value = value;
    }
    compiled
}

fn is_neutral(number: Number) -> bool {
    let is_neutral = |x: f64| x == 0.0 || x.abs() == 1.0;
    match number {
        Number::Float(x) => is_neutral(x),
        Number::Bool(_) => true,
        Number::Vec3(v) => v.x == v.y && v.y == v.z && is_neutral(v.x),
    }
}

/// The module that all targets are made from; `program` is one of [`compile_for_export`].
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
        let translated = translate::translate(export.name, &module, &bindings, target)?;
        translations.push(translated.manifest(target, export.program, &module));
        files.extend(translated.files);
    }
    let manifest = Manifest::new(export, base, &module, bindings, translations);
    files.push(ExportedFile { name: MANIFEST_NAME.to_owned(), bytes: manifest.to_json() });
    Ok(goes_on(export.targets.len()).then_some(files))
}
