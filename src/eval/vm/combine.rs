//! One instruction in place of two or three where only one reads what another writes: the rows between
//! them are neither written nor read, which is most of what an instruction costs.
//!
//! [`super::fusion`] does the same for values, where it needs to know what they mean; here are the
//! patterns that are plain to see in code.
//!
//! What becomes a part of a later instruction reads its operands later. It is before
//! [`super::allocate`], so a row has one writer, but for [`Kind::KeepIf`] and sums, which write into rows
//! that are there: nothing is moved past the writer of a row that it reads.

use super::allocate::{Section, read_rows, touched_rows};
use jounce_ir::{Binary, Unary};
use jounce_simd::code::{Instruction, Kind, Places, is_scalar};

/// `ends` are read when all is done.
pub fn combine(sections: &mut [Section], ends: &[u32]) {
    let all = || sections.iter().flat_map(|section| &section.instructions);
    let most = all().flat_map(touched_rows).chain(ends.iter().copied()).max();
    let row_count = most.map_or(0, |row| row as usize + 1);
    let mut reads = vec![0; row_count];
    for row in all().flat_map(read_rows).chain(ends.iter().copied()) {
        reads[row as usize] += 1;
    }
    for section in sections {
        let instructions = std::mem::take(&mut section.instructions);
        let writer_of_row = vec![None; row_count];
        let mut combiner = Combiner { reads: &reads, done: Vec::new(), writer_of_row };
        for it in instructions {
            if !combiner.gives_length(&it) {
                let it = combiner.combined(it);
                combiner.push(it);
            }
        }
        section.instructions = combiner.done.into_iter().flatten().collect();
    }
}

struct Combiner<'a> {
    /// Per row how often it is read.
    reads: &'a [u32],
    /// None: it has become a part of a later one.
    done: Vec<Option<Instruction>>,
    /// Per row which of `done` was the last to write it.
    writer_of_row: Vec<Option<usize>>,
}

impl Combiner<'_> {
    fn push(&mut self, it: Instruction) {
        for &row in it.results() {
            self.writer_of_row[row as usize] = Some(self.done.len());
        }
        self.done.push(Some(it));
    }

    fn is_read(&self, row: u32, times: u32) -> bool {
        self.reads[row as usize] == times
    }

    /// What was the last to write a row.
    fn writer(&self, row: u32, kind: Kind) -> Option<(usize, Instruction)> {
        let index = self.writer_of_row[row as usize]?;
        let it = self.done[index].filter(|it| it.kind == kind)?;
        Some((index, it))
    }

    /// The same where it can become a part of what comes next: what it reads is still there.
    fn movable(&self, row: u32, kind: Kind) -> Option<(usize, Instruction)> {
        let (index, it) = self.writer(row, kind)?;
        let is_there = |row: u32| self.writer_of_row[row as usize].is_none_or(|by| by < index);
        read_rows(&it).all(is_there).then_some((index, it))
    }

    /// What writes the row that only one instruction reads, once for each of `times` places.
    fn maker(&self, row: u32, times: u32, kind: Kind) -> Option<(usize, Instruction)> {
        let found = self.movable(row, kind).filter(|(_, it)| it.rows == 1)?;
        self.is_read(row, times).then_some(found)
    }

    /// The same for three rows, each read so often.
    fn maker3(&self, rows: Places, times: u32, kind: Kind) -> Option<(usize, Instruction)> {
        let found = self.movable(rows[0], kind)?;
        self.are_results(rows, found.0).then_some(())?;
        rows.iter().all(|&row| self.is_read(row, times)).then_some(found)
    }

    /// What was the last to write three rows.
    fn writer3(&self, rows: Places, kind: Kind) -> Option<(usize, Instruction)> {
        let found = self.writer(rows[0], kind)?;
        self.are_results(rows, found.0).then_some(found)
    }

    /// Has it written these three, and nobody since?
    fn are_results(&self, rows: Places, index: usize) -> bool {
        self.done[index].is_some_and(|it| it.rows == 3 && it.dst[..3] == rows)
            && rows.iter().all(|&row| self.writer_of_row[row as usize] == Some(index))
    }

    /// The instruction, or what does its work and that of the one before it.
    fn combined(&mut self, it: Instruction) -> Instruction {
        let found = match it.kind {
            Kind::Fnma => self.reject(&it),
            Kind::Fma2 => self.stretch(&it),
            Kind::Fma => self.fma2_fma(&it),
            Kind::SaneOr3 => self.add_sane_or(&it),
            Kind::SumAddSub => self.sum_fms2(&it),
            Kind::Binary(Binary::Sub) => self.shift_div(&it),
            Kind::Binary(Binary::Mul) => self.mul3(&it),
            Kind::DivLength => self.mul_div_length(&it),
            Kind::Unary(Unary::Sin) => self.sin(&it),
            _ => None,
        };
        found.unwrap_or(it)
    }

    /// t = a · b; a − t b.
    fn reject(&mut self, it: &Instruction) -> Option<Instruction> {
        for (t, b, operand) in [(it.a, it.b, 1), (it.b, it.a, 0)] {
            let is_t_uniform = it.is_uniform(1 - operand);
            if it.rows != 3 || !is_scalar(t) || is_t_uniform || it.is_uniform(2) {
                continue;
            }
            let Some((index, dot)) = self.maker(t[0], 3, Kind::Binary(Binary::Dot)) else {
                continue;
            };
            let is_b = |places: Places, of_dot: usize| {
                places == b && dot.is_uniform(of_dot) == it.is_uniform(operand)
            };
            let is_a = |places: Places, of_dot: usize| places == it.c && !dot.is_uniform(of_dot);
            if (is_a(dot.a, 0) && is_b(dot.b, 1)) || (is_a(dot.b, 1) && is_b(dot.a, 0)) {
                self.done[index] = None;
                let uniform = u8::from(it.is_uniform(operand)) << 1;
                return Some(Instruction { kind: Kind::Reject, uniform, a: it.c, b, ..*it });
            }
        }
        None
    }

    /// x = a − e; t = (x · c) d; x b + t c.
    fn stretch(&mut self, it: &Instruction) -> Option<Instruction> {
        if it.rows != 3 || it.uniform != 0b1010 {
            return None;
        }
        for (t, c, x, b) in [(it.c, it.d, it.a, it.b), (it.a, it.b, it.c, it.d)] {
            let Some((index, dot)) = self.maker(t[0], 3, Kind::DotScale) else { continue };
            if !is_scalar(t) || dot.uniform != 0b110 || dot.a != x || dot.b != c {
                continue;
            }
            // By the product and by this.
            let Some((shifted, sub)) = self.maker3(x, 2, Kind::Binary(Binary::Sub)) else {
                continue;
            };
            if sub.uniform == 0b10 {
                self.done[index] = None;
                self.done[shifted] = None;
                let (kind, uniform) = (Kind::Stretch, 0b1_1110);
                let (a, d, e) = (sub.a, dot.c, sub.b);
                return Some(Instruction { kind, uniform, a, b, c, d, e, ..*it });
            }
        }
        None
    }

    /// The length of what was just computed.
    fn gives_length(&mut self, it: &Instruction) -> bool {
        if it.kind != Kind::Length || it.is_uniform(0) {
            return false;
        }
        let kinds =
            [(Kind::Binary(Binary::Cross), Kind::CrossLength), (Kind::Reject, Kind::RejectLength)];
        let found = kinds.into_iter().find_map(|(kind, with_length)| {
            self.writer3(it.a, kind).map(|(index, maker)| (index, maker, with_length))
        });
        if let Some((index, maker, kind)) = found {
            let [x, y, z, _] = maker.dst;
            let dst = [x, y, z, it.dst[0]];
            self.done[index] = Some(Instruction { kind, dst, ..maker });
            self.writer_of_row[it.dst[0] as usize] = Some(index);
        }
        found.is_some()
    }

    /// t = a b + c d; t e + f.
    fn fma2_fma(&mut self, it: &Instruction) -> Option<Instruction> {
        if it.rows != 3 || it.uniform != 0b10 || !is_scalar(it.b) {
            return None;
        }
        let (index, both) = self.maker3(it.a, 1, Kind::Fma2)?;
        if both.uniform != 0b1010 || !is_scalar(both.a) || !is_scalar(both.c) {
            return None;
        }
        self.done[index] = None;
        let (kind, uniform, dst) = (Kind::Fma2Fma, 0b1_1010, it.dst);
        Some(Instruction { kind, uniform, dst, e: it.b, f: it.c, ..both })
    }

    /// t = b c − d e; sum of a + (t − f). Not of t + (a − f): where a and f are far from the origin, only
    /// their difference is small.
    fn sum_fms2(&mut self, it: &Instruction) -> Option<Instruction> {
        let (index, fms2) = self.maker3(it.b, 1, Kind::Fms2)?;
        if fms2.uniform != 0 || !is_scalar(fms2.b) || !is_scalar(fms2.d) {
            return None;
        }
        self.done[index] = None;
        let Instruction { a: b, b: c, c: d, d: e, .. } = fms2;
        let (kind, uniform) = (Kind::SumFms2, 0b10_0000);
        Some(Instruction { kind, uniform, b, c, d, e, f: it.c, ..*it })
    }

    /// t = a + b; t or b.
    fn add_sane_or(&mut self, it: &Instruction) -> Option<Instruction> {
        if it.uniform != 0 {
            return None;
        }
        let (index, add) = self.maker3(it.a, 1, Kind::Binary(Binary::Add))?;
        if add.uniform != 0 {
            return None;
        }
        let a = match (add.a == it.b, add.b == it.b) {
            (_, true) => add.a,
            (true, _) => add.b,
            _ => return None,
        };
        self.done[index] = None;
        Some(Instruction { kind: Kind::AddSaneOr3, a, ..*it })
    }

    /// s = a + b₁; t = b₀ / s; t − b₂.
    fn shift_div(&mut self, it: &Instruction) -> Option<Instruction> {
        if it.rows != 1 || it.uniform != 0b10 {
            return None;
        }
        let (divided, div) = self.maker(it.a[0], 1, Kind::Binary(Binary::Div))?;
        if div.uniform != 1 {
            return None;
        }
        let (shifted, add) = self.maker(div.b[0], 1, Kind::Binary(Binary::Add))?;
        let (a, shift) = match add.uniform {
            0b10 => (add.a, add.b),
            0b01 => (add.b, add.a),
            _ => return None,
        };
        self.done[divided] = None;
        self.done[shifted] = None;
        let b = [div.a[0], shift[0], it.b[0]];
        Some(Instruction { kind: Kind::ShiftDiv, a, b, ..*it })
    }

    /// t = b · c; a · t.
    fn mul3(&mut self, it: &Instruction) -> Option<Instruction> {
        if it.rows != 1 || it.uniform != 0 {
            return None;
        }
        for (a, t) in [(it.a, it.b), (it.b, it.a)] {
            if let Some((index, mul)) = self.maker(t[0], 1, Kind::Binary(Binary::Mul)) {
                self.done[index] = None;
                let uniform = (mul.uniform & 3) << 1;
                return Some(Instruction {
                    kind: Kind::Mul3,
                    uniform,
                    a,
                    b: mul.a,
                    c: mul.b,
                    ..*it
                });
            }
        }
        None
    }

    /// t = a · b; t / length.
    fn mul_div_length(&mut self, it: &Instruction) -> Option<Instruction> {
        let (index, mul) = self.maker(it.a[0], 1, Kind::Binary(Binary::Mul))?;
        if it.rows != 1 || it.uniform != 0 || mul.uniform != 0 {
            return None;
        }
        self.done[index] = None;
        Some(Instruction { kind: Kind::MulDivLength, a: mul.a, b: mul.b, c: it.b, ..*it })
    }

    /// t = a · b; sin t.
    fn sin(&mut self, it: &Instruction) -> Option<Instruction> {
        let (index, mul) = self.maker(it.a[0], 1, Kind::Binary(Binary::Mul))?;
        let (a, b) = match mul.uniform {
            0b10 => (mul.a, mul.b),
            0b01 => (mul.b, mul.a),
            _ => return None,
        };
        self.done[index] = None;
        Some(Instruction { a, b, ..*it })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNTIL: Places = [40; 3];
    const ADD: Kind = Kind::Binary(Binary::Add);
    const MUL: Kind = Kind::Binary(Binary::Mul);
    const CROSS: Kind = Kind::Binary(Binary::Cross);
    const NEG: Kind = Kind::Unary(Unary::Neg);

    fn make(kind: Kind, rows: usize, first: u32, operands: &[Places]) -> Instruction {
        let dst = [0, 1, 2, 0].map(|i| first + i);
        let mut it = Instruction { dst, ..Instruction::empty(kind, rows) };
        for (operand, places) in operands.iter().enumerate() {
            *it.operand_mut(operand) = *places;
        }
        it
    }

    fn three(first: u32) -> Places {
        [first, first + 1, first + 2]
    }

    /// Something else in the rows from `first` on, if a uniform says so.
    fn keep_if(rows: usize, first: u32) -> Instruction {
        let it = make(Kind::KeepIf, rows, first, &[[0; 3], [30; 3], UNTIL]);
        Instruction { uniform: 0b100, ..it }
    }

    /// 10 = 6 · 7.
    fn product() -> Instruction {
        make(MUL, 1, 10, &[[6; 3], [7; 3]])
    }

    /// `dst` = 8 · 10.
    fn user(dst: u32) -> Instruction {
        make(MUL, 1, dst, &[[8; 3], [10; 3]])
    }

    /// 10, 11, 12 = 6, 7, 8 × 0, 1, 2.
    fn cross() -> Instruction {
        make(CROSS, 3, 10, &[three(6), three(0)])
    }

    fn sum_of_vectors() -> Instruction {
        make(ADD, 3, 10, &[three(6), three(0)])
    }

    fn sane_or() -> Instruction {
        make(Kind::SaneOr3, 3, 20, &[three(10), three(0)])
    }

    fn kinds(sections: &[&[Instruction]], ends: &[u32]) -> Vec<Vec<Kind>> {
        let section =
            |it: &&[Instruction]| Section { instructions: it.to_vec(), ..Section::default() };
        let mut sections: Vec<Section> = sections.iter().map(section).collect();
        combine(&mut sections, ends);
        let kinds = |section: &Section| section.instructions.iter().map(|it| it.kind).collect();
        sections.iter().map(kinds).collect()
    }

    #[test]
    fn what_only_one_reads_is_computed_there() {
        use Kind::*;
        assert_eq!(kinds(&[&[product(), user(11)]], &[11]), [[Mul3]]);
        assert_eq!(kinds(&[&[sum_of_vectors(), sane_or()]], &three(20)), [[AddSaneOr3]]);
        let length = make(Length, 1, 13, &[three(10)]);
        assert_eq!(kinds(&[&[cross(), length]], &[10, 13]), [[CrossLength]]);
    }

    #[test]
    fn what_others_read_stays() {
        use Kind::*;
        let (product, sum) = (product(), sum_of_vectors());
        // By two, later, at the end.
        assert_eq!(kinds(&[&[product, user(11), user(12)]], &[11, 12]), [[MUL, MUL, MUL]]);
        let sections: &[&[Instruction]] = &[&[product, user(11)], &[user(12)]];
        assert_eq!(kinds(sections, &[11, 12]), [vec![MUL, MUL], vec![MUL]]);
        assert_eq!(kinds(&[&[product, user(11)]], &[10, 11]), [[MUL, MUL]]);
        let one_of_three = make(NEG, 1, 24, &[[11; 3]]);
        assert_eq!(kinds(&[&[sum, sane_or(), one_of_three]], &[20, 24]), [[ADD, SaneOr3, NEG]]);
        assert_eq!(kinds(&[&[sum, sane_or()]], &[12, 20]), [[ADD, SaneOr3]]);
        // Written before, in another section.
        assert_eq!(kinds(&[&[product], &[user(11)]], &[11]), [[MUL], [MUL]]);
    }

    #[test]
    fn nothing_is_moved_past_who_writes_what_it_reads() {
        use Kind::*;
        let (product, sum) = (product(), sum_of_vectors());
        for row in [6, 7, 10] {
            let code = [product, keep_if(1, row), user(11)];
            assert_eq!(kinds(&[&code], &[11]), [[MUL, KeepIf, MUL]], "{row}");
        }
        for first in [6, 10] {
            let code = [sum, keep_if(3, first), sane_or()];
            assert_eq!(kinds(&[&code], &three(20)), [[ADD, KeepIf, SaneOr3]], "{first}");
        }
        // The length is of what stands there later.
        let length = make(Length, 1, 13, &[three(10)]);
        let code = [cross(), keep_if(1, 11), length];
        assert_eq!(kinds(&[&code], &[10, 13]), [[CROSS, KeepIf, Length]]);
        // A sum into a row that the product reads.
        let total = make(Sum, 1, 6, &[[9; 3]]);
        assert_eq!(kinds(&[&[product, total, user(11)]], &[6, 11]), [[MUL, Sum, MUL]]);
        // What it does not read does not matter.
        let code = [product, keep_if(1, 9), user(11)];
        assert_eq!(kinds(&[&code], &[9, 11]), [[KeepIf, Mul3]]);
    }

    #[test]
    fn far_from_the_origin_the_small_difference_comes_first() {
        let fms2 = make(Kind::Fms2, 3, 10, &[three(6), [13; 3], three(16), [14; 3]]);
        let sum = |a: Places, b: Places| {
            let it = make(Kind::SumAddSub, 3, 20, &[a, b, [41; 3]]);
            Instruction { uniform: 0b100, ..it }
        };
        assert_eq!(kinds(&[&[fms2, sum(three(0), three(10))]], &[]), [[Kind::SumFms2]]);
        let other_way = [fms2, sum(three(10), three(0))];
        assert_eq!(kinds(&[&other_way], &[]), [[Kind::Fms2, Kind::SumAddSub]]);
    }
}
