//! One instruction in place of two or three where only one reads what another writes: the rows between
//! them are neither written nor read, which is most of what an instruction costs.
//!
//! [`super::fusion`] does the same for values, where it needs to know what they mean; here are the
//! patterns that are plain to see in code. A row has one writer yet: it is before
//! [`super::allocate`]. Only [`Kind::KeepIf`] writes into a row that is there, which nobody else reads.

use super::allocate::{Section, read_rows};
use super::code::{Instruction, Kind, Places};

/// `ends` are read when all is done.
pub fn combine(sections: &mut [Section], ends: &[u32]) {
    let all = sections.iter().flat_map(|section| &section.instructions);
    let mut reads: Vec<u32> = Vec::new();
    for row in all.flat_map(read_rows).chain(ends.iter().copied()) {
        let row = row as usize;
        reads.resize(reads.len().max(row + 1), 0);
        reads[row] += 1;
    }
    for section in sections {
        let instructions = std::mem::take(&mut section.instructions);
        let mut combiner = Combiner { reads: &reads, done: Vec::new() };
        for it in instructions {
            if !combiner.gives_length(&it) {
                let it = combiner.combined(it);
                combiner.done.push(Some(it));
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
}

/// One row, broadcast to however many places.
fn is_scalar(places: Places, rows: u8) -> bool {
    rows == 1 || places.iter().all(|&place| place == places[0])
}

impl Combiner<'_> {
    /// What writes the row that only one instruction reads, once for each of `times` places.
    fn maker(&self, row: u32, times: u32, kind: Kind) -> Option<(usize, Instruction)> {
        let is_it = |it: &Instruction| it.kind == kind && it.rows == 1 && it.dst[0] == row;
        if self.reads.get(row as usize) != Some(&times) {
            return None;
        }
        let index = self.done.iter().rposition(|it| it.as_ref().is_some_and(is_it))?;
        self.done[index].map(|it| (index, it))
    }

    /// The same for three rows, each read once.
    fn maker3(&self, rows: Places, kind: Kind) -> Option<(usize, Instruction)> {
        let is_read_once = |row: &u32| self.reads.get(*row as usize) == Some(&1);
        rows.iter().all(is_read_once).then(|| self.writer3(rows, kind))?
    }

    /// What has written three rows.
    fn writer3(&self, rows: Places, kind: Kind) -> Option<(usize, Instruction)> {
        let is_it = |it: &Instruction| it.kind == kind && it.rows == 3 && it.dst[..3] == rows;
        let index = self.done.iter().rposition(|it| it.as_ref().is_some_and(is_it))?;
        // Somebody may have put something else into its rows since.
        let later = self.done[index + 1..].iter().flatten();
        let is_changed = |it: &Instruction| it.results().iter().any(|row| rows.contains(row));
        if later.into_iter().any(is_changed) {
            return None;
        }
        self.done[index].map(|it| (index, it))
    }

    /// The instruction, or what does its work and that of the one before it.
    fn combined(&mut self, it: Instruction) -> Instruction {
        let found = match it.kind {
            Kind::Fnma => self.reject(&it),
            Kind::Fma2 => self.stretch(&it),
            Kind::Fma => self.fma2_fma(&it),
            Kind::SaneOr3 => self.add_sane_or(&it),
            Kind::SumAddSub => self.sum_fms2(&it),
            Kind::Sub => self.shift_div(&it),
            Kind::Mul => self.mul3(&it),
            Kind::DivLength => self.mul_div_length(&it),
            Kind::Sin => self.sin(&it),
            _ => None,
        };
        found.unwrap_or(it)
    }

    /// t = a · b; a − t b.
    fn reject(&mut self, it: &Instruction) -> Option<Instruction> {
        for (t, b, operand) in [(it.a, it.b, 1), (it.b, it.a, 0)] {
            let is_t_uniform = it.is_uniform(1 - operand);
            if it.rows != 3 || !is_scalar(t, 3) || is_t_uniform || it.is_uniform(2) {
                continue;
            }
            let Some((index, dot)) = self.maker(t[0], 3, Kind::Dot) else { continue };
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
            if !is_scalar(t, 3) || dot.uniform != 0b110 || dot.a != x || dot.b != c {
                continue;
            }
            let is_read_twice = |row: &u32| self.reads.get(*row as usize) == Some(&2);
            let Some((shifted, sub)) = self.writer3(x, Kind::Sub) else { continue };
            if sub.uniform == 0b10 && x.iter().all(is_read_twice) {
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
        if it.kind != Kind::Length {
            return false;
        }
        let kinds = [(Kind::Cross, Kind::CrossLength), (Kind::Reject, Kind::RejectLength)];
        let found = kinds.into_iter().find_map(|(kind, with_length)| {
            self.writer3(it.a, kind).map(|(index, maker)| (index, maker, with_length))
        });
        if let Some((index, maker, kind)) = found {
            let [x, y, z, _] = maker.dst;
            let dst = [x, y, z, it.dst[0]];
            self.done[index] = Some(Instruction { kind, dst, ..maker });
        }
        found.is_some()
    }

    /// t = a b + c d; t e + f.
    fn fma2_fma(&mut self, it: &Instruction) -> Option<Instruction> {
        if it.rows != 3 || it.uniform != 0b10 || !is_scalar(it.b, 3) {
            return None;
        }
        let (index, both) = self.maker3(it.a, Kind::Fma2)?;
        if both.uniform != 0b1010 || !is_scalar(both.a, 3) || !is_scalar(both.c, 3) {
            return None;
        }
        self.done[index] = None;
        let (kind, uniform, dst) = (Kind::Fma2Fma, 0b1_1010, it.dst);
        Some(Instruction { kind, uniform, dst, e: it.b, f: it.c, ..both })
    }

    /// t = b c − d e; sum of a + t − f.
    fn sum_fms2(&mut self, it: &Instruction) -> Option<Instruction> {
        if it.rows != 3 {
            return None;
        }
        for (a, t) in [(it.a, it.b), (it.b, it.a)] {
            let Some((index, fms2)) = self.maker3(t, Kind::Fms2) else { continue };
            if fms2.uniform != 0 || !is_scalar(fms2.b, 3) || !is_scalar(fms2.d, 3) {
                continue;
            }
            self.done[index] = None;
            let Instruction { a: b, b: c, c: d, d: e, .. } = fms2;
            let (kind, uniform) = (Kind::SumFms2, 0b10_0000);
            return Some(Instruction { kind, uniform, a, b, c, d, e, f: it.c, ..*it });
        }
        None
    }

    /// t = a + b; t or b.
    fn add_sane_or(&mut self, it: &Instruction) -> Option<Instruction> {
        let (index, add) = self.maker3(it.a, Kind::Add)?;
        if it.uniform != 0 || add.uniform != 0 {
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
        let (divided, div) = self.maker(it.a[0], 1, Kind::Div)?;
        if div.uniform != 1 {
            return None;
        }
        let (shifted, add) = self.maker(div.b[0], 1, Kind::Add)?;
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
            if let Some((index, mul)) = self.maker(t[0], 1, Kind::Mul) {
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
        let (index, mul) = self.maker(it.a[0], 1, Kind::Mul)?;
        if it.rows != 1 || it.uniform != 0 || mul.uniform != 0 {
            return None;
        }
        self.done[index] = None;
        Some(Instruction { kind: Kind::MulDivLength, a: mul.a, b: mul.b, c: it.b, ..*it })
    }

    /// t = a · b; sin t.
    fn sin(&mut self, it: &Instruction) -> Option<Instruction> {
        let (index, mul) = self.maker(it.a[0], 1, Kind::Mul)?;
        let (a, b) = match mul.uniform {
            0b10 => (mul.a, mul.b),
            0b01 => (mul.b, mul.a),
            _ => return None,
        };
        self.done[index] = None;
        Some(Instruction { a, b, ..*it })
    }
}
