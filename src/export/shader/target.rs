//! The languages a graph can be exported to, and what each refuses or leaves to the host.

use crate::ir::{Program, Source};
use crate::wgsl::NO_NEIGHBOURS;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Wgsl,
    Glsl,
    Hlsl,
    Msl,
    Spirv,
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
    pub const ALL: [Target; 5] =
        [Target::Wgsl, Target::Glsl, Target::Hlsl, Target::Msl, Target::Spirv];

    /// On the command line and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Target::Wgsl => "wgsl",
            Target::Glsl => "glsl-450",
            Target::Hlsl => "hlsl",
            Target::Msl => "msl",
            Target::Spirv => "spirv",
        }
    }

    pub fn language(self) -> &'static str {
        match self {
            Target::Wgsl => "WGSL",
            Target::Glsl => "GLSL 4.50",
            Target::Hlsl => "HLSL, shader model 6.0",
            Target::Msl => "MSL 2.0",
            Target::Spirv => "SPIR-V 1.3",
        }
    }

    /// How much this target was tried, and what its compiler adds.
    pub fn note(self) -> &'static str {
        match self {
            Target::Wgsl => "printed by Jounce, validated by naga",
            Target::Glsl => "written by naga; the same files are valid for Vulkan and for OpenGL",
            Target::Hlsl | Target::Spirv => "written by naga",
            Target::Msl => {
                "written by naga, not compiled here; buffer 30 wants the sizes of the storage buffers in bytes, as _mslBufferSizes names them"
            }
        }
    }

    /// What whoever runs the shader should know: of the target, then of the graph.
    pub fn notes(self, program: &Program) -> Vec<&'static str> {
        [self.note()].into_iter().chain(graph_notes(program)).collect()
    }

    /// In advance, without printing anything.
    pub fn refusals(self, program: &Program) -> Vec<Refusal> {
        let neighbours = Refusal { what: "vertex", why: NO_NEIGHBOURS };
        program.has_relaxations().then_some(neighbours).into_iter().collect()
    }
}

/// What a graph leaves to the host, in every language.
pub fn graph_notes(program: &Program) -> Vec<&'static str> {
    let exact = "the graph reads exact centroids, which need a pass over the posed mesh that shaders do not make; the host must compute them, or choose closed-form centroids in the Skeleton node";
    let memory = "the graph remembers from step to step, and shaders forget: the host must keep what `JnBoneInput` and the frame's inputs recall, and step it as the nodes' scripts do; no host code is written for that yet";
    let exact = program.reads(Source::BoneExactCentroid).then_some(exact);
    exact.into_iter().chain(program.remembers().then_some(memory)).collect()
}
