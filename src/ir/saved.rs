//! A program as text, to be loaded by those who run programs and compile none: a game needs no scripts.
//!
//! JSON. Types, rates and stages are not in it: they follow from the operations, and are worked out again
//! when it is loaded. Names of operations and sources are those of their rows.
//!
//! ```json
//! { "format": 1, "base": "lbs", "position": 3,
//!   "values": [ { "op": "source", "is": "skinned_position" },
//!               { "op": "constant", "number": 0.5 },
//!               { "op": "mul", "of": [0, 1], "node": "half", "name": "halved" }, … ],
//!   "parameters": [ … ], … }
//! ```
//! Format 2 adds `"hierarchy": "motion"` and `anchors`; a program without either is written in format 1, and its bones
//! have the file's parents. Numbers come back to the last bit. What a later format means is not guessed: it is refused.

mod form;
mod operation;
mod tables;

use super::program::{Memory, Origin, Program};
use super::stages::stages;
use super::{ProgramError, Tables, Value, infer, validate};
use form::{FormatOnly, SavedMemory, SavedProgram, SavedValue};
use jounce_base::Hierarchy;
use operation::{operation, saved_operation};
use std::collections::BTreeSet;
use thiserror::Error;

/// The newest of what is written here. It grows when there are programs that the version before would misread;
/// programs without what is new are still saved in the format that they need.
pub const FORMAT: u64 = 2;
/// Of programs without anchors, whose bones have the file's parents: all that there were before.
const FIRST_FORMAT: u64 = 1;
/// A text that is longer is not looked at.
pub const MOST_BYTES: usize = 64 << 20;
/// Unknown names that an error lists.
const MOST_LISTED: usize = 8;

/// Why a text is no program.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SavedError {
    #[error("the saved program has {bytes} bytes, and the limit is {MOST_BYTES}")]
    TooLong { bytes: usize },
    #[error("this is not a saved program: {0}")]
    Text(String),
    #[error(
        "the program was saved by a newer Jounce, in format {found}; this one reads up to format {FORMAT}: use a \
         newer Jounce, or save it again with this one"
    )]
    Newer { found: u64 },
    #[error("this is not a saved program: there is no format {found}")]
    NoFormat { found: u64 },
    #[error("the saved program uses what this Jounce does not know: {0}")]
    Unknown(String),
    #[error("the saved program is broken at value {value}: {why}")]
    Value { value: usize, why: &'static str },
    #[error("{0}")]
    Program(#[from] ProgramError),
}

impl Program {
    /// Its text; the same program gives the same text everywhere. Only what is no valid program is refused.
    pub fn to_saved_text(&self) -> Result<String, SavedError> {
        self.validate()?;
        let values = self.ops.iter().zip(&self.origins).map(|(op, origin)| SavedValue {
            node: origin.node.clone(),
            name: origin.name.clone(),
            note: origin.note.clone(),
            ..saved_operation(op)
        });
        let places = |values: &[Value]| values.iter().map(|value| value.0).collect();
        let hierarchy = match self.hierarchy {
            Hierarchy::File => None,
            Hierarchy::Motion => Some(self.hierarchy.into()),
        };
        let is_new = hierarchy.is_some() || self.tables.anchors.is_some();
        let format = if is_new { FORMAT } else { FIRST_FORMAT };
        let saved = SavedProgram {
            format,
            base: self.base.into(),
            hierarchy,
            position: self.position.0,
            values: values.collect(),
            tables: (&self.tables).into(),
            memory: SavedMemory {
                initial: places(&self.memory.initial),
                next: places(&self.memory.next),
                recorded: places(&self.memory.recorded),
            },
            titles: self.titles.clone(),
            kinds: self.kinds.clone(),
            sentences: self.sentences.clone(),
        };
        saved.to_text().map_err(|error| SavedError::Text(error.to_string()))
    }

    /// The program of a text, which need not be trusted: what is loaded is valid.
    pub fn from_saved_text(text: &str) -> Result<Program, SavedError> {
        if text.len() > MOST_BYTES {
            return Err(SavedError::TooLong { bytes: text.len() });
        }
        let no_json = |error: serde_json::Error| SavedError::Text(one_line(&error.to_string()));
        let FormatOnly { format: found } = serde_json::from_str(text).map_err(no_json)?;
        match found {
            FIRST_FORMAT..=FORMAT => {}
            0 => return Err(SavedError::NoFormat { found }),
            _ => return Err(SavedError::Newer { found }),
        }
        let saved: SavedProgram = serde_json::from_str(text).map_err(no_json)?;
        let program = program(saved)?;
        program.validate()?;
        if program.remembers() && program.memory.values().next().is_none() {
            let why = "what it remembers is never kept: \"memory\" is missing";
            return Err(ProgramError { value: program.position, why }.into());
        }
        Ok(program)
    }
}

/// Not yet valid; only so far that types, rates and stages could be worked out.
fn program(saved: SavedProgram) -> Result<Program, SavedError> {
    let count = saved.values.len();
    if count > validate::MOST_VALUES {
        return Err(SavedError::Value { value: validate::MOST_VALUES, why: "there are too many" });
    }
    let mut unknown = BTreeSet::new();
    let tables: Tables = saved.tables.into_tables(&mut unknown);
    let mut ops = Vec::with_capacity(count);
    let mut origins = Vec::with_capacity(count);
    for (value, saved) in saved.values.into_iter().enumerate() {
        match operation(&saved, &mut unknown) {
            Ok(op) => ops.extend(op),
            Err(why) => return Err(SavedError::Value { value, why }),
        }
        origins.push(Origin { node: saved.node, name: saved.name, note: saved.note });
    }
    if !unknown.is_empty() {
        let mut listed: Vec<String> = unknown.iter().take(MOST_LISTED).cloned().collect();
        if unknown.len() > MOST_LISTED {
            listed.push(format!("and {} more", unknown.len() - MOST_LISTED));
        }
        return Err(SavedError::Unknown(one_line(&listed.join(", "))));
    }
    let values = |places: Vec<u32>| places.into_iter().map(Value).collect();
    let SavedMemory { initial, next, recorded } = saved.memory;
    let memory =
        Memory { initial: values(initial), next: values(next), recorded: values(recorded) };
    let mut program = Program {
        types: Vec::with_capacity(count),
        rates: Vec::with_capacity(count),
        ops,
        origins,
        tables,
        stages: Vec::new(),
        memory,
        titles: saved.titles,
        kinds: saved.kinds,
        sentences: saved.sentences,
        base: saved.base.into(),
        hierarchy: saved.hierarchy.map_or(Hierarchy::File, Hierarchy::from),
        position: Value(saved.position),
    };
    for (value, op) in program.ops.iter().enumerate() {
        let broken = |why| SavedError::Value { value, why };
        if op.operands().any(|operand| operand.index() >= value) {
            return Err(broken("it is made from a value that does not stand before it"));
        }
        let ty = infer::type_of(op, &program.tables, |operand| program.types[operand.index()]);
        let rate = infer::rate_of(op, &program.tables, |operand| program.rates[operand.index()]);
        let (Some(ty), Some(rate)) = (ty, rate) else {
            return Err(broken("its operands do not fit, or it refers to nothing"));
        };
        program.types.push(ty);
        program.rates.push(rate);
    }
    program.stages = stages(&program);
    Ok(program)
}

/// For a message: what a file says may be long, and may try to steer a terminal.
fn one_line(text: &str) -> String {
    const MOST_LETTERS: usize = 300;
    let shown = jounce_base::text::visible(text);
    match shown.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.into_owned(),
    }
}
