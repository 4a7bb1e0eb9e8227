//! The CPU evaluator: a register machine whose every instruction runs over a block of vertices.
//!
//! ```text
//!  Program ─► simplify ─► plan ─► lower ─► code ┐           once: [`Prepared`]
//!  Bound ───► blocks, inputs ───────────────────┤
//!  Moment ──► host stages in f64 ─► uniforms ───┴► skin, run, scatter     each frame, all threads
//! ```
//! A block's vertices hang on the same bones ([`super::blocks`]), so everything of a bone is the same in
//! all lanes: an operand is a row of lanes or one number. Nothing is gathered. Values are single
//! precision; frame and bones are computed in f64 and rounded once.
//!
//! Sliders, poses and maps are data. Only another program or another binding is prepared anew.

mod allocate;
mod combine;
mod emit;
mod frame;
mod fusion;
mod inputs;
mod lower;
mod relax;
mod run;
mod simplify;
mod still;
mod uniforms;
mod values;

pub use jounce_simd::Simd;

use super::blocks::Blocks;
use super::plan::Plan;
use super::validate::BoundSizes;
use super::{Bound, Deformed, EvalError, Evaluator, Moment, Neighbours, validate};
use inputs::Inputs;
use jounce_ir::{Program, Source, Value};
use jounce_simd::{LaneMap, Skinner};
use lower::{Lowered, Segment, lower};
use std::sync::Arc;
use uniforms::UniformLayout;

/// What to compute beside the deformed positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Plain skinning's positions.
    pub skinned_positions: bool,
    /// Plain skinning's normals.
    pub skinned_normals: bool,
}

impl Wanted {
    pub const ALL: Wanted = Wanted { skinned_positions: true, skinned_normals: true };
}

/// A program made ready for one character.
pub struct Prepared {
    skinner: Skinner,
    program: Program,
    plan: Plan,
    /// Where in the bone table is what is 0 for bones that can be left out; none: every bone counts.
    still: Option<Vec<usize>>,
    uniforms: UniformLayout,
    lowered: Lowered,
    blocks: Blocks,
    lane_map: LaneMap,
    inputs: Inputs,
    /// As they are in the inputs.
    maps: Vec<Option<Arc<Vec<f64>>>>,
    reads_normals: bool,
    /// Empty where nothing is smoothed.
    neighbours: Arc<Neighbours>,
    sizes: BoundSizes,
}

impl Prepared {
    pub fn new(program: &Program, bound: &Bound) -> Result<Prepared, EvalError> {
        Prepared::with_simd(program, bound, Simd::best())
    }

    /// A width that this machine does not have is replaced by the best that it has.
    pub fn with_simd(program: &Program, bound: &Bound, simd: Simd) -> Result<Prepared, EvalError> {
        let simd = if simd.is_there() { simd } else { Simd::best() };
        // The program as it is: what is wrong with it is said in its own terms.
        program.validate()?;
        validate::check_bound(program, bound)?;
        let program = &simplify::simplify(program);
        let motions = still::motions(program);
        let plan = Plan::of_valid(program, motions.as_deref().unwrap_or_default());
        let table = &plan.schedule.bone_table;
        let place = |motion: &Value| table.iter().position(|value| value == motion);
        let still = motions.and_then(|motions| motions.iter().map(place).collect());
        let blocks = Blocks::new(bound);
        let broken = EvalError::Program { value: Value(0), why: "blocks share a vertex" };
        let runs =
            blocks.blocks.iter().map(|block| block.first_lane..block.first_lane + block.lanes);
        let lane_map = LaneMap::new(&blocks.vertex_of_lane, runs, bound.vertex_count());
        let lane_map = lane_map.ok_or(broken)?;
        let inputs = Inputs::new(bound, &blocks);
        let uniforms = UniformLayout::new(program, &plan);
        let lowered = lower(simd, program, &plan, &uniforms, &inputs)?;
        Ok(Prepared {
            skinner: Skinner::new(simd),
            reads_normals: program.reads(Source::SkinnedNormal),
            program: program.clone(),
            plan,
            still,
            uniforms,
            lowered,
            blocks,
            lane_map,
            inputs,
            maps: bound.maps.clone(),
            neighbours: bound.neighbours.clone(),
            sizes: BoundSizes::of(bound),
        })
    }

    /// Other values for a map, by its place in the program's table; none: the character has no such map.
    pub fn set_map(&mut self, map: usize, values: Option<&[f64]>) -> Result<(), EvalError> {
        validate::check_map(&self.program, self.vertex_count(), map, values)?;
        self.inputs.set_map(&self.blocks, map, values);
        self.maps[map] = values.map(|values| Arc::new(values.to_vec()));
        Ok(())
    }

    /// Takes over the maps of a binding that differs from its own in nothing else: those that are there already cost
    /// nothing.
    pub fn follow_maps(&mut self, bound: &Bound) -> Result<(), EvalError> {
        for (place, values) in bound.maps.iter().enumerate() {
            let is_same = match (self.maps.get(place), values) {
                (Some(Some(known)), Some(values)) => Arc::ptr_eq(known, values),
                (Some(None), None) => true,
                _ => false,
            };
            if !is_same {
                self.set_map(place, values.as_ref().map(|values| values.as_slice()))?;
                self.maps[place].clone_from(values);
            }
        }
        Ok(())
    }

    fn vertex_count(&self) -> usize {
        self.sizes.vertex_count()
    }

    /// The code, for people: what each instruction does to how many rows.
    pub fn code_text(&self) -> String {
        let mut text = format!("{} registers\n", self.lowered.rows);
        for (pass, code) in self.lowered.passes.iter().enumerate() {
            for segment in &code.segments {
                let (title, code) = match segment {
                    Segment::Vertices(code) => ("for each vertex", code),
                    Segment::Pairs { code, .. } => ("for each bone of a vertex", code),
                };
                let instructions = code.code().instructions();
                text += &format!("pass {pass}, {title}: {}\n", instructions.len());
                for it in instructions {
                    text += &format!("  {it}\n");
                }
            }
        }
        text
    }
}

/// The VM as an evaluator like the others: it prepares for every call.
#[derive(Clone, Copy, Debug)]
pub struct Vm(pub Simd);

impl Default for Vm {
    fn default() -> Vm {
        Vm(Simd::best())
    }
}

impl Evaluator for Vm {
    fn deform(
        &mut self,
        program: &Program,
        bound: &Bound,
        moment: &Moment,
    ) -> Result<Deformed, EvalError> {
        Prepared::with_simd(program, bound, self.0)?.deform(bound, moment)
    }
}
