//! What histories were, step by step.
//!
//! Rows stand in blocks that copies share: whoever keeps an old answer does not make the next step copy all
//! of the past.

use std::sync::Arc;

/// Rows of a block: a second of steps.
const BLOCK_ROWS: usize = 240;

/// Rows of histories, one for each step that has ended, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    first_step: i64,
    row_length: usize,
    /// All but the last have [`BLOCK_ROWS`] rows.
    blocks: Vec<Arc<Vec<f64>>>,
}

impl Record {
    /// `first_step` is the one that the first row will be of.
    pub fn new(first_step: i64, row_length: usize) -> Record {
        Record { first_step, row_length, blocks: Vec::new() }
    }

    pub fn row_length(&self) -> usize {
        self.row_length
    }

    fn row_count(&self) -> usize {
        let Some((last, full)) = self.blocks.split_last() else { return 0 };
        full.len() * BLOCK_ROWS + last.len().checked_div(self.row_length).unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.row_count() == 0
    }

    pub fn push(&mut self, row: &[f64]) {
        if self.row_length == 0 {
            return;
        }
        let is_full = |block: &Arc<Vec<f64>>| block.len() >= BLOCK_ROWS * self.row_length;
        if self.blocks.last().is_none_or(is_full) {
            self.blocks.push(Arc::new(Vec::with_capacity(BLOCK_ROWS * self.row_length)));
        }
        if let Some(block) = self.blocks.last_mut() {
            Arc::make_mut(block).extend_from_slice(row);
        }
    }

    /// Before the first row it was always so, and after the last it still is.
    pub fn row(&self, step: i64) -> &[f64] {
        let newest = self.row_count().max(1) as i64 - 1;
        let place = (step - self.first_step).clamp(0, newest) as usize;
        let first = place % BLOCK_ROWS * self.row_length;
        self.blocks
            .get(place / BLOCK_ROWS)
            .map_or(&[], |block| &block[first..first + self.row_length])
    }

    /// Without what came after a step.
    pub fn until(&self, step: i64) -> Record {
        let kept = (step + 1 - self.first_step).clamp(0, self.row_count() as i64) as usize;
        let mut blocks = self.blocks[..kept.div_ceil(BLOCK_ROWS)].to_vec();
        let in_last = kept % BLOCK_ROWS * self.row_length;
        if let Some(last) = blocks.last_mut()
            && in_last > 0
        {
            *last = Arc::new(last[..in_last].to_vec());
        }
        Record { blocks, ..*self }
    }

    /// Drops rows that lie before a step; some of them may stay.
    pub fn forget_before(&mut self, step: i64) {
        let blocks = (step - self.first_step) / BLOCK_ROWS as i64;
        let dropped = blocks.clamp(0, self.blocks.len().max(1) as i64 - 1) as usize;
        self.blocks.drain(..dropped);
        self.first_step += (dropped * BLOCK_ROWS) as i64;
    }

    /// The same rows, so many steps later.
    pub fn shift(&mut self, steps: i64) {
        self.first_step += steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(first_step: i64, count: usize) -> Record {
        let mut record = Record::new(first_step, 2);
        for place in 0..count {
            let x = (first_step + place as i64) as f64;
            record.push(&[x, -x]);
        }
        record
    }

    #[test]
    fn a_row_is_found_by_its_step_and_clamped() {
        let record = record(-1, 1000);
        for step in [-1, 0, 1, 238, 239, 240, 500, 998] {
            assert_eq!(record.row(step), [step as f64, -step as f64]);
        }
        assert_eq!(record.row(-50), [-1.0, 1.0]);
        assert_eq!(record.row(5000), [998.0, -998.0]);
        assert!(Record::default().row(3).is_empty());
    }

    #[test]
    fn what_is_cut_off_is_gone_and_the_rest_is_not() {
        for until in [-2, -1, 0, 238, 239, 240, 700, 998, 4000] {
            let whole = record(-1, 1000);
            let cut = whole.until(until);
            assert_eq!(cut.row_count() as i64, (until + 2).clamp(0, 1000), "{until}");
            for step in -1..until.min(998) {
                assert_eq!(cut.row(step), whole.row(step));
            }
        }
        let mut cut = record(-1, 1000);
        cut.forget_before(700);
        assert!(cut.row_count() < 700);
        (700..999).for_each(|step| assert_eq!(cut.row(step)[0], step as f64));
        cut.push(&[999.0, 0.0]);
        assert_eq!(cut.row(999), [999.0, 0.0]);
        cut.shift(10);
        assert_eq!(cut.row(1009), [999.0, 0.0]);
        cut.forget_before(100_000);
        assert_eq!(cut.row(1009), [999.0, 0.0], "the newest stay");
    }

    #[test]
    fn a_copy_does_not_see_what_comes_later() {
        let mut record = record(0, 300);
        let copy = record.clone();
        record.push(&[7.0, 7.0]);
        assert_eq!(record.row(300), [7.0, 7.0]);
        assert_eq!(copy.row(300), [299.0, -299.0]);
        assert!(Arc::ptr_eq(&record.blocks[0], &copy.blocks[0]), "what is old is shared");
    }
}
