//! One frame: what a moment brings, then block after block on all threads.

use super::frame::VmFrame;
use super::inputs::Inputs;
use super::lower::{ResultPlace, SKINNED_NORMAL, SKINNED_POSITION, Segment};
use super::{Prepared, Wanted, relax};
use crate::{Bound, Deformed, EvalError, Moment, Skinning, validate};
use glam::Vec3;
use jounce_ir::semantics;
use jounce_rig::Skinned;
use jounce_simd::{self as simd, Bank, Normals, RowFile, SkinWork, Work, for_each_block};

/// Well below what is absurd, whatever rounding adds.
const SURELY_SANE: f64 = 0.1 * semantics::LARGEST_SANE;

/// Where lists stand in what a block writes.
const POSITIONS: usize = 0;
const SKINNED_POSITIONS: usize = 1;
const SKINNED_NORMALS: usize = 2;

impl Prepared {
    /// Everything about one moment.
    pub fn deform(&self, bound: &Bound, moment: &Moment) -> Result<Deformed, EvalError> {
        let mut deformed = [Deformed::default()];
        self.deform_into(bound, std::slice::from_ref(moment), Wanted::ALL, &mut deformed)?;
        let [deformed] = deformed;
        Ok(deformed)
    }

    /// Nothing but the positions, in a list that may be used again.
    pub fn positions_into(
        &self,
        bound: &Bound,
        moment: &Moment,
        positions: &mut Vec<Vec3>,
    ) -> Result<(), EvalError> {
        let mut deformed =
            [Deformed { positions: std::mem::take(positions), ..Default::default() }];
        let moments = std::slice::from_ref(moment);
        let done = self.deform_into(bound, moments, Wanted::default(), &mut deformed);
        let [deformed] = deformed;
        *positions = deformed.positions;
        done
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
        use jounce_base::parallel::*;
        let prepare = |moment: &Moment| self.frame(bound, moment);
        let frames: Vec<VmFrame> = match moments {
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

    fn frame(&self, bound: &Bound, moment: &Moment) -> Result<VmFrame, EvalError> {
        self.sizes.check(bound)?;
        validate::check_moment(&self.program, bound, moment)?;
        let still = self.still.as_deref();
        VmFrame::new(&self.program, &self.plan, &self.uniforms, still, bound, moment)
    }

    fn run_single_pass(
        &self,
        moments: &[Moment],
        frames: &[VmFrame],
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
        frame: &VmFrame,
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
        frame: &VmFrame,
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
    fn run_passes(&self, moment: &Moment, frame: &VmFrame, wanted: Wanted, out: &mut Deformed) {
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
