//! Gives rows of the register file to the rows that code names, and takes them back when nobody reads
//! them any more: the fewer rows, the nearer the cache they stay in.

use jounce_simd::code::Instruction;

/// A run of instructions; a loop runs again and again.
#[derive(Default)]
pub struct Section {
    pub instructions: Vec<Instruction>,
    pub is_loop: bool,
    /// Rows that are there when it begins and live through all rounds: sums.
    pub starts: Vec<u32>,
}

/// Rows below `reserved` stay where they are. `ends` are read when all is done. Renames all rows in
/// place; gives back the new names of `ends`.
pub fn allocate(sections: &mut [Section], reserved: u32, ends: &[u32]) -> Vec<u32> {
    let last_reads = last_reads(sections, ends);
    let count = last_reads.len();
    let mut rows = Rows { new_names: vec![None; count], free: Vec::new(), next: reserved };
    for row in 0..count.min(reserved as usize) {
        rows.new_names[row] = Some(row as u32);
    }
    let mut time = 0;
    for section in sections {
        for start in &mut section.starts {
            *start = rows.name(*start);
        }
        for it in &mut section.instructions {
            let ends_here = |row: &u32| *row >= reserved && last_reads[*row as usize] <= time;
            let read: Vec<u32> = read_rows(it).filter(ends_here).collect();
            let written: Vec<u32> = it.results().iter().copied().filter(ends_here).collect();
            it.rename_reads(|row| rows.known(row));
            // All operands of a lane are read before its results are written, so those may stand
            // where an operand ends.
            read.iter().for_each(|&row| rows.give_back(row));
            let results = it.results().len();
            it.dst[..results].iter_mut().for_each(|place| *place = rows.name(*place));
            // What nobody reads.
            written.iter().for_each(|&row| rows.give_back(row));
            time += 2;
        }
        // What a loop reads in every round ends with it.
        for (row, &last) in last_reads.iter().enumerate().skip(reserved as usize) {
            if last < time {
                rows.give_back(row as u32);
            }
        }
    }
    ends.iter().map(|&row| rows.known(row)).collect()
}

pub fn read_rows(it: &Instruction) -> impl Iterator<Item = u32> {
    let kept = if it.adds_to_result() { it.results() } else { &[] };
    let reads = it.reads().filter(|(_, is_uniform)| !is_uniform).map(|(place, _)| place);
    reads.chain(kept.iter().copied())
}

/// All rows that it reads or writes.
pub fn touched_rows(it: &Instruction) -> impl Iterator<Item = u32> {
    read_rows(it).chain(it.results().iter().copied())
}

/// Per row the time of the last instruction that touches it; instructions stand at even times. What a
/// loop has from before it lasts until after its last instruction.
fn last_reads(sections: &[Section], ends: &[u32]) -> Vec<usize> {
    let of_section = |section: &Section| {
        let starts = section.starts.iter().copied();
        starts.chain(section.instructions.iter().flat_map(touched_rows)).max()
    };
    let most = sections.iter().filter_map(of_section).chain(ends.iter().copied()).max();
    let count = most.map_or(0, |row| row as usize + 1);
    let (mut last, mut is_made) = (vec![0; count], vec![false; count]);
    let mut time = 0;
    for section in sections {
        for &row in &section.starts {
            is_made[row as usize] = true;
        }
        let before = is_made.clone();
        let end = time + 2 * section.instructions.len();
        for it in &section.instructions {
            for row in touched_rows(it) {
                let row = row as usize;
                let lasts = section.is_loop && before[row];
                last[row] = last[row].max(if lasts { end - 1 } else { time });
            }
            it.results().iter().for_each(|&row| is_made[row as usize] = true);
            time += 2;
        }
    }
    for &row in ends {
        last[row as usize] = usize::MAX;
    }
    last
}

struct Rows {
    /// Per old name the new one, while it is needed.
    new_names: Vec<Option<u32>>,
    free: Vec<u32>,
    next: u32,
}

impl Rows {
    fn known(&self, row: u32) -> u32 {
        self.new_names[row as usize].expect("a row is written before it is read")
    }

    fn name(&mut self, row: u32) -> u32 {
        if let Some(known) = self.new_names[row as usize] {
            return known;
        }
        let new = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        self.new_names[row as usize] = Some(new);
        new
    }

    fn give_back(&mut self, row: u32) {
        if let Some(new) = self.new_names[row as usize].take() {
            self.free.push(new);
        }
    }
}
