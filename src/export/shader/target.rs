//! The languages a graph can be exported to, and what each refuses or leaves to the host.

use jounce_ir::{Program, Rate, Source};
use jounce_shader::wgsl::NO_NEIGHBOURS;
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

    /// What else people call it.
    pub fn known_as(self) -> &'static [&'static str] {
        match self {
            Target::Wgsl => &["webgpu"],
            Target::Glsl => &["glsl", "glsl-es", "glsl-vulkan", "opengl", "webgl", "vulkan"],
            Target::Hlsl => &["directx", "dxil", "d3d"],
            Target::Msl => &["metal"],
            Target::Spirv => &["spir-v", "spv", "vulkan"],
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
    let of_bones = "the graph remembers from step to step: run the entry point `bones` once to begin, once for every 1/240 s, and once for each frame, as docs/shaders.md says under \"Graphs that remember\"; `vertex` and `deform` only read what it leaves";
    let of_frame = "the graph remembers something of the whole character, which the host must keep: `frame.memory` in the manifest has the formulas, `begins` once, `becomes` and `records` at the end of each step of 1/240 s";
    let exact = program.reads(Source::BoneExactCentroid).then_some(exact);
    let remembers = |rate: Rate| {
        let states = program.tables.states.iter().map(|state| state.rate);
        states.chain(program.tables.histories.iter().map(|it| it.rate)).any(|it| it == rate)
    };
    let of_bones = remembers(Rate::Bone).then_some(of_bones);
    let of_frame = remembers(Rate::Frame).then_some(of_frame);
    exact.into_iter().chain(of_bones).chain(of_frame).collect()
}
