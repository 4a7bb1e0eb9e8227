//! Which columns of the bone stage are free again: they are used anew as soon as nobody asks for what is in
//! them, so that all of them stay in the nearest cache.

use jounce_ir::{Op, Program, Value};

/// Columns that nobody asks for any more: single ones, and threes that stand together.
#[derive(Default)]
pub struct FreeColumns {
    ones: Vec<usize>,
    threes: Vec<usize>,
}

impl FreeColumns {
    pub fn add(&mut self, first: usize, count: usize) {
        if count == 3 { self.threes.push(first) } else { self.ones.push(first) }
    }

    pub fn take(&mut self, count: usize) -> Option<usize> {
        if count == 3 {
            return self.threes.pop();
        }
        self.ones.pop().or_else(|| {
            let first = self.threes.pop()?;
            self.ones.extend([first + 2, first + 1]);
            Some(first)
        })
    }
}

/// Per place in `values` what has columns of its own and is read there for the last time. What is asked for
/// afterwards is not among them.
pub fn last_reads(
    program: &Program,
    values: &[Value],
    is_of_bones: &[bool],
    table: &[Value],
) -> Vec<Vec<Value>> {
    // Who reads a component reads its vector.
    let owner = |value: Value| match *program.op(value) {
        Op::Component(vector, _) if is_of_bones[value.index()] => vector,
        _ => value,
    };
    let mut is_read_later = vec![false; program.ops.len()];
    table.iter().for_each(|&value| is_read_later[owner(value).index()] = true);
    let mut last_reads = vec![Vec::new(); values.len()];
    for (place, &value) in values.iter().enumerate().rev() {
        let own = Some(value).filter(|&value| owner(value) == value);
        for read in program.op(value).operands().map(owner).chain(own) {
            if !std::mem::replace(&mut is_read_later[read.index()], true) {
                last_reads[place].push(read);
            }
        }
    }
    last_reads
}
