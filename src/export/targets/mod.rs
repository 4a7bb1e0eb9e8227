//! What a graph can be exported to: a file or a folder here for each, and a row in [`Target::ALL`].
//!
//! ```text
//! program ─► shader::wgsl ─► module: the generated core, over accessors that read storage buffers
//! module, bindings ─► ShaderTarget::translate ─► files, and the names of entry points in them
//! ```
//! The module's accessors (`jn_bone`, `jn_weight_…`, `jn_map_…`) are one *profile*: see
//! `src/shader/wgsl/profiles/`. A target that finds its data elsewhere asks for a module of its own,
//! from [`ToTranslate::export`]. All but WGSL is written by naga: clip space stays as WGSL has it, and loops
//! and indices are not guarded, because what is exported is meant to be read, and its indices come
//! from tables that were checked.

mod glsl;
mod hlsl;
mod msl;
mod program;
mod spirv;
mod wgsl;

use crate::shader::{Binding, ExportedFile, ShaderExport, graph_notes};
use jounce_ir::Program;
use jounce_shader::wgsl::{Module, NO_NEIGHBOURS, WgslError};
use naga::ResourceBinding;
use serde::Serialize;

/// One of those in [`Target::ALL`]: what command line, manifest and editor know of it.
#[derive(Clone, Copy)]
pub struct Target(&'static dyn ShaderTarget);

/// What each target says of itself and does.
trait ShaderTarget: Sync {
    /// On the command line and in manifests.
    fn name(&self) -> &'static str;

    /// What else people call it.
    fn known_as(&self) -> &'static [&'static str];

    /// With its version.
    fn language(&self) -> &'static str;

    /// How much this target was tried, and what its compiler adds.
    fn note(&self) -> &'static str;

    /// Endings of its files, without the dot; a name that ends so means a file, not a folder.
    fn endings(&self) -> &'static [&'static str];

    /// In advance, without printing anything.
    fn refusals(&self, program: &Program) -> Vec<Refusal> {
        let neighbours = Refusal { what: "vertex", why: NO_NEIGHBOURS };
        program.has_relaxations().then_some(neighbours).into_iter().collect()
    }

    /// Where it finds what WGSL has at this place, by the names of manifests; empty where it is the same.
    fn places(&self, _place: ResourceBinding) -> Vec<(&'static str, u32)> {
        Vec::new()
    }

    fn translate(&self, from: &ToTranslate) -> Result<Translated, WgslError>;
}

/// What a target is made from.
pub struct ToTranslate<'a> {
    pub export: &'a ShaderExport<'a>,
    /// Validated, with storage buffers.
    pub module: &'a Module,
    pub bindings: &'a [Binding],
}

pub struct Translated {
    pub files: Vec<ExportedFile>,
    /// Entry points as they are called here, in the order of the module's.
    pub entry_names: Vec<String>,
}

/// What a target cannot do for a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The entry point that is missing.
    pub what: &'static str,
    /// A sentence.
    pub why: &'static str,
}

impl Target {
    pub const WGSL: Target = Target(&wgsl::Wgsl);

    /// In the order in which they are listed everywhere.
    pub const ALL: [Target; 6] = [
        Target::WGSL,
        Target(&glsl::Glsl),
        Target(&hlsl::Hlsl),
        Target(&msl::Msl),
        Target(&spirv::Spirv),
        Target(&program::SavedProgram),
    ];

    pub fn name(self) -> &'static str {
        self.0.name()
    }

    pub fn known_as(self) -> &'static [&'static str] {
        self.0.known_as()
    }

    pub fn language(self) -> &'static str {
        self.0.language()
    }

    pub fn note(self) -> &'static str {
        self.0.note()
    }

    pub fn endings(self) -> &'static [&'static str] {
        self.0.endings()
    }

    pub fn refusals(self, program: &Program) -> Vec<Refusal> {
        self.0.refusals(program)
    }

    /// What whoever runs the shader should know: of the target, then of the graph.
    pub fn notes(self, program: &Program) -> Vec<&'static str> {
        [self.note()].into_iter().chain(graph_notes(program)).collect()
    }

    pub(crate) fn places(self, place: ResourceBinding) -> Vec<(&'static str, u32)> {
        self.0.places(place)
    }

    pub(crate) fn translate(self, from: &ToTranslate) -> Result<Translated, WgslError> {
        self.0.translate(from)
    }
}

impl PartialEq for Target {
    fn eq(&self, other: &Target) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Target {}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl ToTranslate<'_> {
    /// All entry points in one file that is called as the graph.
    fn one_file(&self, ending: &str, bytes: Vec<u8>) -> Vec<ExportedFile> {
        vec![ExportedFile { name: format!("{}.{ending}", self.export.name), bytes }]
    }

    /// For languages in which entry points keep their names.
    fn own_entry_names(&self) -> Vec<String> {
        self.module.naga.entry_points.iter().map(|entry| entry.name.clone()).collect()
    }
}

/// What naga says, for a target.
fn failed(target: &impl ShaderTarget, error: impl std::fmt::Display) -> WgslError {
    WgslError::Translation { language: target.language(), message: error.to_string() }
}

/// Where WGSL has it.
fn place_of(binding: &Binding) -> ResourceBinding {
    ResourceBinding { group: binding.group, binding: binding.binding }
}

/// For languages with one row of numbers for all groups: those of group 1 begin at 10.
fn in_one_row(place: ResourceBinding) -> u32 {
    place.binding + 10 * place.group
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name must mean one target, wherever it is typed.
    #[test]
    fn no_two_targets_have_the_same_name() {
        for (place, target) in Target::ALL.into_iter().enumerate() {
            assert!(!target.endings().is_empty(), "{target:?}");
            for other in &Target::ALL[..place] {
                assert_ne!(target, *other);
                assert_ne!(target.language(), other.language());
                assert!(!other.known_as().contains(&target.name()), "{target:?}, {other:?}");
            }
        }
    }
}
