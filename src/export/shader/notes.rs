//! What a graph leaves to the host, in every language.

use jounce_base::Hierarchy;
use jounce_ir::{Program, Rate, Source};

/// Sentences for whoever runs an exported shader.
pub fn graph_notes(program: &Program) -> Vec<&'static str> {
    let exact = "the graph reads exact centroids, which need a pass over the posed mesh; the shader does not do this, so the host must compute them, or choose closed-form centroids in the Skeleton node";
    let of_bones = "the graph remembers from step to step: run the entry point `bones` once to begin, once for every 1/240 s, and once for each frame, as docs/shaders.md explains under \"Graphs that remember\"; `vertex` and `deform` only read what it writes";
    let of_frame = "the graph remembers something of the whole character, which the host must keep: `frame.memory` in the manifest has the formulas, `begins` once, `becomes` and `records` at the end of each step of 1/240 s";
    let exact = program.reads(Source::BoneExactCentroid).then_some(exact);
    let remembers = |rate: Rate| {
        let states = program.tables.states.iter().map(|state| state.rate);
        states.chain(program.tables.histories.iter().map(|it| it.rate)).any(|it| it == rate)
    };
    let of_bones = remembers(Rate::Bone).then_some(of_bones);
    let of_frame = remembers(Rate::Frame).then_some(of_frame);
    let motion = "the graph uses the motion hierarchy: give each bone the parent that `jounce inspect CHARACTER --json` has as `motion_parent`, or that the document sets for it, wherever docs/shaders.md speaks of a parent, of upward or downward weights, or of what is below a bone";
    let motion = (program.hierarchy == Hierarchy::Motion).then_some(motion);
    exact.into_iter().chain(of_bones).chain(of_frame).chain(motion).collect()
}
