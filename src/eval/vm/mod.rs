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
mod code;
mod combine;
mod emit;
mod frame;
mod fusion;
mod inputs;
mod lower;
mod relax;
mod simd;
mod simplify;
mod still;
mod uniforms;
mod values;

pub use simd::Simd;

use super::blocks::Blocks;
use super::door::BoundSizes;
use super::plan::{Place, Plan};
use super::{Bound, Deformed, EvalError, Evaluator, Moment, Neighbours, Skinning, door};
use crate::ir::{Program, Source, Value, semantics};
use crate::rig::Skinned;
use frame::Frame;
use glam::Vec3;
use inputs::Inputs;
use lower::{Lowered, ResultPlace, SKINNED_NORMAL, SKINNED_POSITION, Segment, lower};
use simd::{Bank, LaneMap, Normals, RowFile, SkinWork, Skinner, Work, for_each_block};
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
    reads_normals: bool,
    /// Empty where nothing is smoothed.
    neighbours: Neighbours,
    sizes: BoundSizes,
}

/// Well below what is absurd, whatever rounding adds.
const SURELY_SANE: f64 = 0.1 * semantics::LARGEST_SANE;

/// Where lists stand in what a block writes.
const POSITIONS: usize = 0;
const SKINNED_POSITIONS: usize = 1;
const SKINNED_NORMALS: usize = 2;

impl Prepared {
    pub fn new(program: &Program, bound: &Bound) -> Result<Prepared, EvalError> {
        Prepared::with_simd(program, bound, Simd::best())
    }

    /// A width that this machine does not have is replaced by the best that it has.
    pub fn with_simd(program: &Program, bound: &Bound, simd: Simd) -> Result<Prepared, EvalError> {
        let simd = if simd.is_there() { simd } else { Simd::best() };
        door::check_bound(program, bound)?;
        // The program as it is: what is wrong with it is said in its own terms.
        let plan = Plan::new(program, &[])?;
        let position = program.position;
        let is_known = program.ops.len() > position.index()
            && program.ty(position) == crate::ir::Type::Vec3
            && matches!(plan.place(position), Place::Frame | Place::Vertex);
        if !is_known {
            return Err(EvalError::Program { value: position, why: "a position must be a vec3" });
        }
        let program = &simplify::simplify(program);
        let motions = still::motions(program);
        let plan = Plan::new(program, motions.as_deref().unwrap_or_default())?;
        let table = &plan.schedule.bone_table;
        let place = |motion: &Value| table.iter().position(|value| value == motion);
        let still = motions.and_then(|motions| motions.iter().map(place).collect());
        let blocks = Blocks::new(bound);
        let broken = EvalError::Program { value: Value(0), why: "blocks share a vertex" };
        let lane_map = LaneMap::new(&blocks, bound.vertex_count()).ok_or(broken)?;
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
            neighbours: bound.neighbours.clone(),
            sizes: BoundSizes::of(bound),
        })
    }

    /// Other values for a map, by its place in the program's table; none: the character has no such map.
    pub fn set_map(&mut self, map: usize, values: Option<&[f64]>) -> Result<(), EvalError> {
        door::check_map(&self.program, self.vertex_count(), map, values)?;
        self.inputs.set_map(&self.blocks, map, values);
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

    /// Everything about one moment.
    pub fn deform(&self, bound: &Bound, moment: &Moment) -> Result<Deformed, EvalError> {
        let mut deformed = [Deformed::default()];
        self.deform_into(bound, std::slice::from_ref(moment), Wanted::ALL, &mut deformed)?;
        let [deformed] = deformed;
        Ok(deformed)
    }

    /// Many instances of one character at once, each at its own moment. Lists that are long enough are
    /// used again. `bound` is what this was prepared for; its sizes and bone tables may have changed.
    pub fn deform_into(
        &self,
        bound: &Bound,
        moments: &[Moment],
        wanted: Wanted,
        out: &mut [Deformed],
    ) -> Result<(), EvalError> {
        let (found, expected) = (out.len(), moments.len());
        if found != expected {
            return Err(EvalError::Count { what: "list of results", found, expected });
        }
        use rayon::prelude::*;
        let prepare = |moment: &Moment| self.frame(bound, moment);
        let frames: Vec<Frame> = match moments {
            [moment] => vec![prepare(moment)?],
            _ => moments.par_iter().map(prepare).collect::<Result<_, _>>()?,
        };
        let vertices = bound.vertex_count();
        for deformed in out.iter_mut() {
            let Deformed { positions, skinned } = deformed;
            let Skinned { positions: skinned_positions, normals } = skinned;
            let wanted = [true, wanted.skinned_positions, wanted.skinned_normals];
            for (list, is_wanted) in [positions, skinned_positions, normals].into_iter().zip(wanted)
            {
                list.resize(if is_wanted { vertices } else { 0 }, Vec3::ZERO);
            }
        }
        match self.lowered.passes.len() {
            0 | 1 => self.run_single_pass(moments, &frames, wanted, out),
            _ => {
                for ((moment, frame), out) in moments.iter().zip(&frames).zip(out) {
                    self.run_passes(moment, frame, wanted, out);
                }
            }
        }
        Ok(())
    }

    fn frame(&self, bound: &Bound, moment: &Moment) -> Result<Frame, EvalError> {
        self.sizes.check(bound)?;
        door::check_moment(&self.program, bound, moment)?;
        let still = self.still.as_deref();
        Frame::new(&self.program, &self.plan, &self.uniforms, still, bound, moment)
    }

    fn run_single_pass(
        &self,
        moments: &[Moment],
        frames: &[Frame],
        wanted: Wanted,
        out: &mut [Deformed],
    ) {
        let instances = out.iter_mut().map(lists);
        for_each_block(
            &self.lane_map,
            instances,
            self.lowered.rows,
            |rows, instance, block, out| {
                let (moment, frame) = (&moments[instance], &frames[instance]);
                self.skin_block(moment, frame, wanted, block, rows, out);
                self.run_block(frame, 0, block, rows, &mut [], out);
            },
        );
    }

    fn skin_block(
        &self,
        moment: &Moment,
        frame: &Frame,
        wanted: Wanted,
        block: usize,
        rows: &mut RowFile,
        out: &mut simd::BlockOut,
    ) {
        let needs_normals = wanted.skinned_normals || self.reads_normals;
        let vertices = self.lane_map.vertices(block);
        let block = &self.blocks.blocks[block];
        let lanes = block.lanes;
        match (&moment.skinning, &frame.skin) {
            (Skinning::Posed(posed), Some(parts)) => {
                let inputs = self.inputs.of_block(block);
                let input = |row: usize| &inputs[row * lanes..(row + 3) * lanes];
                let morphed = posed.morphed.as_ref().map(|skinned| {
                    [&skinned.positions, &skinned.normals]
                        .map(|list| in_lanes(vertices, lanes, |v| list[v]))
                });
                let (bind_positions, bind_normals) = match &morphed {
                    None => (self.inputs.bind_positions(block), input(Inputs::BIND_NORMAL)),
                    Some([positions, normals]) => (&positions[..], &normals[..]),
                };
                let bindings = block.first_binding..block.first_binding + block.binding_count;
                let most = parts.largest * self.inputs.reach();
                let work = SkinWork {
                    base: parts.base,
                    is_surely_sane: posed.morphed.is_none() && most < SURELY_SANE,
                    parts: &parts.parts,
                    bindings: &self.blocks.bindings[bindings],
                    weights: &self.blocks.skin_weights[block.first_skin_weight..],
                    bind_positions,
                    rest_positions: input(Inputs::REST_POSITION),
                    normals: needs_normals
                        .then(|| Normals { bind: bind_normals, rest: input(Inputs::REST_NORMAL) }),
                    pivots: &inputs[Inputs::PIVOT * lanes..][..lanes],
                    lanes,
                };
                self.skinner.skin(&work, rows);
            }
            (Skinning::Given { positions, normals }, _) => {
                for (list, places) in [(positions, SKINNED_POSITION), (normals, SKINNED_NORMAL)] {
                    for (i, place) in places.into_iter().enumerate() {
                        let row = rows.row_mut(place as usize, lanes);
                        row.fill(0.0);
                        for (x, &vertex) in row.iter_mut().zip(vertices) {
                            *x = list[vertex as usize][i] as f32;
                        }
                    }
                }
            }
            (Skinning::Posed(_), None) => unreachable!("a posed moment's frame has matrices"),
        }
        if wanted.skinned_positions {
            out.write(SKINNED_POSITIONS, rows, SKINNED_POSITION.map(|place| place as usize));
        }
        if wanted.skinned_normals {
            out.write(SKINNED_NORMALS, rows, SKINNED_NORMAL.map(|place| place as usize));
        }
    }

    fn run_block(
        &self,
        frame: &Frame,
        pass: usize,
        block: usize,
        rows: &mut RowFile,
        kept: &mut [f32],
        out: &mut simd::BlockOut,
    ) {
        let block = &self.blocks.blocks[block];
        let lanes = block.lanes;
        let inputs = self.inputs.of_block(block);
        let common = self.uniforms.common(&frame.uniforms);
        let bones = &self.blocks.bones[block.first_bone..block.first_bone + block.bone_count];
        for segment in &self.lowered.passes[pass].segments {
            match segment {
                Segment::Vertices(code) => {
                    let bank = Bank { inputs, ..Bank::default() };
                    code.run(&mut Work { rows, lanes, uniforms: common, bank, kept });
                }
                Segment::Pairs { code, sums } => {
                    for &sum in sums {
                        rows.row_mut(sum as usize, lanes).fill(0.0);
                    }
                    for (row, &bone) in bones.iter().enumerate() {
                        if frame.is_still(bone) {
                            continue;
                        }
                        let bank = Bank {
                            inputs,
                            weights: &self.blocks.weights,
                            first_weight: block.first_weight + row * lanes,
                        };
                        let uniforms = self.uniforms.of_bone(&frame.uniforms, bone as usize);
                        code.run(&mut Work { rows, lanes, uniforms, bank, kept });
                    }
                }
            }
        }
        match self.lowered.result {
            ResultPlace::Rows { pass: of_pass, places } if of_pass == pass => {
                out.write(POSITIONS, rows, places.map(|place| place as usize));
            }
            ResultPlace::Uniform(places) if pass + 1 == self.lowered.passes.len() => {
                out.fill(POSITIONS, Vec3::from_array(places.map(|place| common[place as usize])));
            }
            _ => {}
        }
    }

    /// Several walks over all vertices, with smoothings between them.
    fn run_passes(&self, moment: &Moment, frame: &Frame, wanted: Wanted, out: &mut Deformed) {
        let kept_rows = self.lowered.kept_rows;
        let mut kept = vec![0.0; self.blocks.lane_count() * kept_rows];
        let mut relaxed = 0;
        for (pass, planned) in self.plan.passes.iter().enumerate() {
            let of_blocks = self.split(&mut kept);
            let instances = std::iter::once(lists(out));
            for_each_block(&self.lane_map, instances, self.lowered.rows, |rows, _, block, out| {
                if pass == 0 {
                    self.skin_block(moment, frame, wanted, block, rows, out);
                }
                let mut kept = of_blocks[block].lock().expect("each is locked only once");
                self.run_block(frame, pass, block, rows, &mut kept, out);
            });
            drop(of_blocks);
            for relaxation in &planned.relaxations {
                let layout = (&self.blocks, kept_rows);
                let amount = frame.amounts[relaxed];
                let neighbours = &self.neighbours;
                relax::relax(relaxation, &self.lowered.kept, amount, layout, neighbours, &mut kept);
                relaxed += 1;
            }
        }
    }

    /// What is kept, block by block. Each is locked by one thread only, and once.
    fn split<'a>(&self, kept: &'a mut [f32]) -> Vec<std::sync::Mutex<&'a mut [f32]>> {
        let mut rest = kept;
        let mut parts = Vec::with_capacity(self.blocks.blocks.len());
        for block in &self.blocks.blocks {
            let (part, after) =
                std::mem::take(&mut rest).split_at_mut(block.lanes * self.lowered.kept_rows);
            parts.push(std::sync::Mutex::new(part));
            rest = after;
        }
        parts
    }
}

fn lists(deformed: &mut Deformed) -> [&mut [Vec3]; 3] {
    let Skinned { positions: skinned, normals } = &mut deformed.skinned;
    [&mut deformed.positions, skinned, normals]
}

/// Three rows of a list of vertices.
fn in_lanes(vertices: &[u32], lanes: usize, of: impl Fn(usize) -> Vec3) -> Vec<f32> {
    let mut rows = vec![0.0; 3 * lanes];
    for (lane, &vertex) in vertices.iter().enumerate() {
        for (i, x) in of(vertex as usize).to_array().into_iter().enumerate() {
            rows[i * lanes + lane] = x;
        }
    }
    rows
}

/// The VM behind the common door: prepares for every call.
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
