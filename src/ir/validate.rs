//! Is a program what the rest of the code takes for granted? Whoever makes one with the builder need not ask;
//! evaluators ask once, where it enters, and loading asks of every file.
//!
//! What passes can be put into stages, run and printed without a look at whether operands are there, whether
//! they fit, and whether a table has the entry.

use super::op::{Op, TableKind, Value};
use super::program::{AnchorRequest, MOST_ANCHORS, Memory, Program, WeightKind};
use super::stages::stages;
use super::{MapSource, Rate, Type, infer};
use crate::any_formula;
use std::fmt;

/// Values of a program. The compiler stops at a tenth of it.
pub const MOST_VALUES: usize = 1 << 20;
/// Entries of one of its tables.
pub const MOST_ENTRIES: usize = 1 << 16;
/// Passes of all its smoothings.
pub const MOST_RELAX_PASSES: u64 = 10_000;
/// How far back a history may reach: of every step all bones are kept.
pub const LONGEST_HISTORY_SECS: f64 = 60.0;

/// What is wrong, and with which value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramError {
    pub value: Value,
    /// Half a sentence: what is said of the value.
    pub why: &'static str,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the program is broken at value {}: {}", self.value.0, self.why)
    }
}

impl std::error::Error for ProgramError {}

type Checked = Result<(), ProgramError>;

impl Program {
    /// Are all values made from values before them, of types that fit; are their rates and stages those that
    /// follow; is there every entry that they refer to; is nothing too large?
    pub fn validate(&self) -> Checked {
        self.check_sizes()?;
        self.check_tables()?;
        for (place, op) in self.ops.iter().enumerate() {
            self.check_value(Value(place as u32), op)?;
        }
        self.check_position()?;
        self.check_memory()?;
        match stages(self) == self.stages {
            true => Ok(()),
            false => broken(self.position, "the stages are not those that its values follow in"),
        }
    }

    fn check_sizes(&self) -> Checked {
        let count = self.ops.len();
        if count > MOST_VALUES {
            return broken(Value(MOST_VALUES as u32), "there are too many values");
        }
        if [self.types.len(), self.rates.len(), self.origins.len()] != [count; 3] {
            return broken(Value(count as u32), "there are values without a type, rate or origin");
        }
        let kinds = [
            TableKind::Parameters,
            TableKind::Maps,
            TableKind::BoneTables,
            TableKind::BoneSets,
            TableKind::Columns,
            TableKind::States,
            TableKind::Histories,
        ];
        match kinds.into_iter().any(|kind| self.tables.count(kind) > MOST_ENTRIES) {
            true => broken(self.position, "one of its tables has too many entries"),
            false => Ok(()),
        }
    }

    /// Entries that no value refers to as well: buffers are made for all of them.
    fn check_tables(&self) -> Checked {
        let broken_if = |is_broken: bool, why| check(!is_broken, self.position, why);
        for map in &self.tables.maps {
            let is_table = match &map.source {
                MapSource::Derived(source) => source.info().derived_map().is_some(),
                MapSource::Named(_) => true,
            };
            broken_if(!is_table, "it asks for a map that cannot be made")?;
        }
        for column in &self.tables.columns {
            broken_if(column.keep == Some(0), "it asks for weights of which none are kept")?;
            let is_lost = column.kind == WeightKind::Anchored && self.tables.anchors.is_none();
            broken_if(is_lost, "it counts from anchors, and names none")?;
            // Rows that take away what bones do are no larger or smaller: only all of them make sense.
            let is_part = column.kind == WeightKind::Anchored && column.keep.is_some();
            broken_if(is_part, "it keeps some of the weights that are counted from anchors")?;
        }
        let is_many = |it: &AnchorRequest| it.names.len() > MOST_ANCHORS;
        broken_if(self.tables.anchors.as_ref().is_some_and(is_many), "it has too many anchors")?;
        let of_histories = self.tables.histories.iter().map(|history| history.rate);
        for rate in self.tables.states.iter().map(|state| state.rate).chain(of_histories) {
            let why = "only what is of the frame or of bones can be remembered";
            broken_if(!is_kept(rate), why)?;
        }
        for history in &self.tables.histories {
            let has_end = (0.0..=LONGEST_HISTORY_SECS).contains(&history.longest_secs);
            broken_if(!has_end, "one of its histories reaches back more than a minute")?;
        }
        let passes = self.ops.iter().map(|op| {
            let Op::Relax { passes, .. } = op else { return 0 };
            u64::from(*passes)
        });
        broken_if(passes.sum::<u64>() > MOST_RELAX_PASSES, "it smooths too many times")
    }

    fn check_value(&self, value: Value, op: &Op) -> Checked {
        if op.operands().any(|operand| operand >= value) {
            return broken(value, "it is made from a value that is not known there");
        }
        let mut own = *op;
        if let Some((kind, place)) = own.table_entry()
            && *place as usize >= self.tables.count(kind)
        {
            return broken(value, "it refers to an entry of a table that is not there");
        }
        let Some(ty) = infer::type_of(op, &self.tables, |operand| self.ty(operand)) else {
            return broken(value, "its operands do not fit");
        };
        if self.ty(value) != ty {
            return broken(value, "its type is not what its operation gives");
        }
        let rate = infer::rate_of(op, &self.tables, |operand| self.rate(operand));
        if Some(self.rate(value)) != rate {
            return broken(value, "its rate is not what its operation gives");
        }
        self.check_operation(value, op)
    }

    /// What types and rates do not tell.
    fn check_operation(&self, value: Value, op: &Op) -> Checked {
        match *op {
            Op::Constant(..) => {
                let is_finite = op.as_constant().is_some_and(|number| number.largest().is_finite());
                check(is_finite, value, "a constant must be a finite number")
            }
            Op::Source(source) => {
                let is_map = source.info().derived_map().is_some();
                check(!is_map, value, "a table of vertices is read as a map")
            }
            Op::Motion(_, window) => {
                let is_one = self.rate(window) == Rate::Frame;
                let why = "the window of a motion must be the same for the whole character";
                check(is_one, value, why)
            }
            Op::Ago { history, .. } => {
                let history = &self.tables.histories[history as usize];
                let is_kept = is_kept(self.rate(value)) && fits(history.rate, self.rate(value));
                check(is_kept, value, "only the frame and bones have a past")
            }
            Op::Relax { value: smoothed, amount, passes } => {
                let is_there = self.rate(smoothed) == Rate::Vertex && !self.rate(amount).has_bone();
                check(is_there, value, "it smooths a value that is not one per vertex")?;
                check(passes > 0, value, "it smooths zero times")
            }
            Op::Map(_)
            | Op::MapIsThere(_)
            | Op::State(_)
            | Op::Parameter(..)
            | Op::BoneTable(_)
            | Op::BoneTableIsSet(_)
            | Op::BoneSet(_)
            | Op::Weight(_)
            | any_formula!()
            | Op::Sum { .. } => Ok(()),
        }
    }

    fn check_position(&self) -> Checked {
        let position = self.position;
        check(position.index() < self.ops.len(), position, "there is no such value")?;
        let is_position = self.ty(position) == Type::Vec3 && !self.rate(position).has_bone();
        check(is_position, position, "a position must be a vec3, one per vertex")
    }

    /// A program that only shows something recalls, but does not step: then there is no memory at all.
    fn check_memory(&self) -> Checked {
        let Memory { initial, next, recorded } = &self.memory;
        let (states, histories) = (&self.tables.states, &self.tables.histories);
        let is_none = initial.is_empty() && next.is_empty() && recorded.is_empty();
        if is_none {
            return Ok(());
        }
        let lengths = [initial.len(), next.len(), recorded.len()];
        if lengths != [states.len(), states.len(), histories.len()] {
            return broken(self.position, "what is remembered is not what its tables say");
        }
        let of_states = initial.iter().zip(states).chain(next.iter().zip(states));
        let of_states = of_states.map(|(value, state)| (*value, state.ty, state.rate));
        let of_histories = recorded.iter().zip(histories);
        let of_histories = of_histories.map(|(value, history)| (*value, history.ty, history.rate));
        for (value, ty, rate) in of_states.chain(of_histories) {
            check(value.index() < self.ops.len(), value, "there is no such value")?;
            let fits = self.ty(value) == ty && is_kept(rate) && fits(self.rate(value), rate);
            check(fits, value, "it is remembered as something of another type or rate")?;
        }
        Ok(())
    }
}

/// Can what differs so often be remembered?
fn is_kept(rate: Rate) -> bool {
    matches!(rate, Rate::Frame | Rate::Bone)
}

/// Is what differs so often at most known wherever `wide` is?
fn fits(narrow: Rate, wide: Rate) -> bool {
    narrow.join(wide) == wide
}

fn check(is_so: bool, value: Value, why: &'static str) -> Checked {
    if is_so { Ok(()) } else { broken(value, why) }
}

fn broken(value: Value, why: &'static str) -> Checked {
    Err(ProgramError { value, why })
}
