//! A program's passes → code: stage by stage [`super::values`] makes instructions, [`super::combine`]
//! makes fewer of them, [`super::allocate`] gives them registers.

use super::allocate::{Section, allocate};
use super::combine::combine;
use super::emit::{Maker, Where};
use super::inputs::Inputs;
use super::uniforms::UniformLayout;
use crate::EvalError;
use crate::plan::Plan;
use jounce_ir::Program;
use jounce_simd::code::{Code, Places, rows_of};
use jounce_simd::{Runnable, Simd};

/// Rows that skinning fills before any code runs.
pub const SKINNED_POSITION: Places = [0, 1, 2];
pub const SKINNED_NORMAL: Places = [3, 4, 5];
pub const RESERVED: u32 = 6;

/// All code of a program.
pub struct Lowered {
    pub passes: Vec<PassCode>,
    pub result: ResultPlace,
    /// Per slot of the schedule's kept values its first row.
    pub kept: Vec<KeptSlot>,
    pub kept_rows: usize,
    /// How many registers some pass needs.
    pub rows: usize,
}

#[derive(Clone, Copy)]
pub struct KeptSlot {
    pub first_row: usize,
    pub rows: usize,
}

pub struct PassCode {
    pub segments: Vec<Segment>,
}

pub enum Segment {
    Vertices(Runnable),
    /// Once for each bone of the block; the rows of `sums` begin at 0.
    Pairs {
        code: Runnable,
        sums: Vec<u32>,
    },
}

/// Where the deformed position is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResultPlace {
    /// In registers after this pass.
    Rows {
        pass: usize,
        places: Places,
    },
    Uniform(Places),
}

pub fn lower(
    simd: Simd,
    program: &Program,
    plan: &Plan,
    uniforms: &UniformLayout,
    inputs: &Inputs,
) -> Result<Lowered, EvalError> {
    let mut first_row = 0;
    let kept: Vec<KeptSlot> = plan
        .schedule
        .kept
        .iter()
        .map(|&value| {
            let slot = KeptSlot { first_row, rows: rows_of(program.ty(value)) };
            first_row += slot.rows;
            slot
        })
        .collect();
    let mut lowered = Lowered {
        passes: Vec::new(),
        // Until it is known.
        result: ResultPlace::Uniform([0; 3]),
        kept,
        kept_rows: first_row,
        rows: RESERVED as usize,
    };
    let position = program.position;
    let mut result = uniforms.place(position).map(ResultPlace::Uniform);
    for (index, pass) in plan.schedule.passes.iter().enumerate() {
        let mut maker = Maker::new(program, uniforms, inputs);
        let mut sections: Vec<Section> = vec![Section::default()];
        for &slot in &pass.loads {
            maker.load_kept(plan.schedule.kept[slot], lowered.kept[slot]);
        }
        sections[0].instructions = std::mem::take(&mut maker.code);
        for &stage in &pass.stages {
            sections.push(maker.stage(&program.stages[stage])?);
        }
        for &slot in &pass.stores {
            maker.store_kept(plan.schedule.kept[slot], lowered.kept[slot])?;
        }
        let instructions = std::mem::take(&mut maker.code);
        sections.push(Section { instructions, ..Section::default() });
        let ends = match maker.places[position.index()] {
            Some(Where::Rows(places)) => places.to_vec(),
            _ => Vec::new(),
        };
        combine(&mut sections, &ends);
        let ends = allocate(&mut sections, RESERVED, &ends);
        if let [x, y, z] = ends[..] {
            result = Some(ResultPlace::Rows { pass: index, places: [x, y, z] });
        }
        let segments: Vec<Segment> = sections
            .into_iter()
            .filter(|section| !section.instructions.is_empty() || section.is_loop)
            .map(|section| {
                let code = Runnable::new(simd, Code::new(section.instructions));
                match section.is_loop {
                    true => Segment::Pairs { code, sums: section.starts },
                    false => Segment::Vertices(code),
                }
            })
            .collect();
        for segment in &segments {
            let rows = match segment {
                Segment::Vertices(code) => code.code().bounds().rows,
                Segment::Pairs { code, sums } => {
                    let sums = sums.iter().map(|&row| row as usize + 1).max().unwrap_or(0);
                    code.code().bounds().rows.max(sums)
                }
            };
            lowered.rows = lowered.rows.max(rows);
        }
        lowered.passes.push(PassCode { segments });
    }
    let nowhere = EvalError::Program { value: position, why: "no pass computes the position" };
    lowered.result = result.ok_or(nowhere)?;
    Ok(lowered)
}
