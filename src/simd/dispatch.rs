//! Which loop an instruction runs: asked once, when code is made ready.

use super::code::{Instruction, Kind};
use super::execute::At;
use super::operations::*;
use super::rows::{Binary, OnVectors, Quaternary, Ternary, Unary};
use super::width::Width;

/// # Safety
/// The CPU has the width's features; everything that the instruction touches is there.
pub type Run = unsafe fn(&At, &Instruction);

pub(super) fn unary<W: Width, O: Unary>(it: &Instruction) -> Run {
    match (it.rows, it.is_uniform(0)) {
        (1, false) => W::unary::<O, 1, false>,
        (1, true) => W::unary::<O, 1, true>,
        (_, false) => W::unary::<O, 3, false>,
        (_, true) => W::unary::<O, 3, true>,
    }
}

pub(super) fn binary<W: Width, O: Binary>(it: &Instruction) -> Run {
    match (it.rows, it.uniform & 3) {
        (1, 0) => W::binary::<O, 1, false, false>,
        (1, 2) => W::binary::<O, 1, false, true>,
        (1, _) => W::binary::<O, 1, true, false>,
        (_, 0) => W::binary::<O, 3, false, false>,
        (_, 2) => W::binary::<O, 3, false, true>,
        (_, _) => W::binary::<O, 3, true, false>,
    }
}

/// Operations that are too rare to have loops with uniforms; on one row.
pub(super) fn rare<W: Width, O: Binary>() -> Run {
    W::binary::<O, 1, false, false>
}

fn ternary<W: Width, O: Ternary>(it: &Instruction) -> Run {
    match (it.rows, it.uniform & 6) {
        (1, 0) => W::ternary::<O, 1, false, false>,
        (1, 2) => W::ternary::<O, 1, true, false>,
        (1, 4) => W::ternary::<O, 1, false, true>,
        (1, _) => W::ternary::<O, 1, true, true>,
        (_, 0) => W::ternary::<O, 3, false, false>,
        (_, 2) => W::ternary::<O, 3, true, false>,
        (_, 4) => W::ternary::<O, 3, false, true>,
        (_, _) => W::ternary::<O, 3, true, true>,
    }
}

fn quaternary<W: Width, O: Quaternary>(it: &Instruction) -> Run {
    match (it.rows, it.is_uniform(1)) {
        (1, false) => W::quaternary::<O, 1, false>,
        (1, true) => W::quaternary::<O, 1, true>,
        (_, false) => W::quaternary::<O, 3, false>,
        (_, true) => W::quaternary::<O, 3, true>,
    }
}

/// Three rows to one or to three.
pub(super) fn vectors<W: Width, O: OnVectors>(it: &Instruction) -> Run {
    match it.uniform & 3 {
        0 => W::on_vectors::<O, false, false>,
        2 => W::on_vectors::<O, false, true>,
        _ => W::on_vectors::<O, true, false>,
    }
}

/// dst += weight · a.
fn sum<W: Width>(it: &Instruction) -> Run {
    match (it.rows, it.is_uniform(0)) {
        (1, false) => W::sum::<1, false>,
        (1, true) => W::sum::<1, true>,
        (_, false) => W::sum::<3, false>,
        (_, true) => W::sum::<3, true>,
    }
}

/// dst += weight · O(a, b).
fn sum2<W: Width, O: Binary>(it: &Instruction) -> Run {
    match (it.rows, it.uniform & 3) {
        (1, 0) => W::sum2::<O, 1, false, false>,
        (1, 2) => W::sum2::<O, 1, false, true>,
        (1, _) => W::sum2::<O, 1, true, false>,
        (_, 0) => W::sum2::<O, 3, false, false>,
        (_, 2) => W::sum2::<O, 3, false, true>,
        (_, _) => W::sum2::<O, 3, true, false>,
    }
}

// Safety of all that follow: what the caller promised.

unsafe fn load(at: &At, it: &Instruction, from: impl Fn(usize) -> *const f32) {
    for row in 0..usize::from(it.rows) {
        let dst = at.row(it.dst[row]);
        // The block's data is no register.
        unsafe { std::ptr::copy_nonoverlapping(from(row), dst, at.lanes) }
    }
}

unsafe fn load_input(at: &At, it: &Instruction) {
    let inputs = at.bank.inputs.as_ptr();
    unsafe { load(at, it, |row| inputs.add(it.a[row] as usize * at.lanes)) }
}

unsafe fn load_kept(at: &At, it: &Instruction) {
    unsafe { load(at, it, |row| at.kept.add(it.a[row] as usize * at.lanes)) }
}

unsafe fn load_weight(at: &At, it: &Instruction) {
    unsafe { load(at, it, |_| at.weights(it.column)) }
}

unsafe fn store_kept(at: &At, it: &Instruction) {
    for row in 0..usize::from(it.rows) {
        unsafe {
            let dst = at.kept.add(it.dst[row] as usize * at.lanes);
            if it.is_uniform(0) {
                let number = *at.operand::<true>(it.a[row]);
                std::slice::from_raw_parts_mut(dst, at.lanes).fill(number);
            } else {
                std::ptr::copy_nonoverlapping(at.operand::<false>(it.a[row]), dst, at.lanes);
            }
        }
    }
}

unsafe fn keep_if<W: Width>(at: &At, it: &Instruction) {
    unsafe {
        if (*at.operand::<true>(it.c[0])).to_bits() == 0 {
            let uniform = u8::from(it.is_uniform(1));
            let fill = Instruction { kind: Kind::Copy, a: it.b, uniform, ..*it };
            unary::<W, Copy>(&fill)(at, &fill)
        }
    }
}

pub fn run_of<W: Width>(it: &Instruction) -> Run {
    match it.kind {
        Kind::Copy => unary::<W, Copy>(it),
        Kind::LoadInput => load_input,
        Kind::LoadKept => load_kept,
        Kind::StoreKept => store_kept,
        Kind::LoadWeight => load_weight,
        Kind::Unary(op) => unary_loop::<W>(op, it),
        Kind::Binary(op) => binary_loop::<W>(op, it),
        Kind::Fma => ternary::<W, Fma>(it),
        Kind::Fnma => ternary::<W, Fnma>(it),
        Kind::Fms => ternary::<W, Fms>(it),
        Kind::Mul3 => ternary::<W, Mul3>(it),
        Kind::MulDivLength => W::ternary::<MulDivLength, 1, false, false>,
        Kind::Select => ternary::<W, Select>(it),
        Kind::KeepIf => keep_if::<W>,
        Kind::Length => vectors::<W, Length>(it),
        Kind::Reject => vectors::<W, Reject>(it),
        Kind::CrossLength => vectors::<W, CrossLength>(it),
        Kind::RejectLength => vectors::<W, RejectLength>(it),
        Kind::Stretch => W::stretch,
        Kind::NormalizeScale => vectors::<W, NormalizeScale>(it),
        Kind::DivLength => rare::<W, DivLength>(),
        Kind::SaneOr3 => vectors::<W, SaneOr3>(it),
        Kind::AddSaneOr3 => vectors::<W, AddSaneOr3>(it),
        Kind::ScaleClamp => W::scale_clamp,
        Kind::ShiftDiv => W::shift_div,
        Kind::Sum => sum::<W>(it),
        Kind::SumAdd => sum2::<W, Add>(it),
        Kind::SumSub => sum2::<W, Sub>(it),
        Kind::SumAddSub if it.rows == 1 => W::sum_add_sub::<1>,
        Kind::SumAddSub => W::sum_add_sub::<3>,
        Kind::SumFms2 => W::sum_fms2,
        Kind::Fma2Fma => W::fma2_fma,
        Kind::Fma2 => quaternary::<W, Fma2>(it),
        Kind::Fms2 => quaternary::<W, Fms2>(it),
        Kind::DotScale => match it.uniform & 6 {
            0 => W::dot_scale::<false, false>,
            2 => W::dot_scale::<true, false>,
            4 => W::dot_scale::<false, true>,
            _ => W::dot_scale::<true, true>,
        },
    }
}
