//! What a script may declare, and what belongs to it inside of `eval`. One table for the messages, for
//! `jounce nodes --functions` and for `nodes/README.md`.

use super::declare::TYPES;
use super::kernel::NUMBERS;

/// Where a declaration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// A call among the declarations.
    Alone,
    /// Behind a call of `input` or `output`.
    Behind,
    /// No call among the declarations: a function of the script, or a word of `eval`.
    Inside,
}

pub struct Declaration {
    pub name: &'static str,
    pub stands: Stands,
    /// As it is written.
    pub written: &'static str,
    pub doc: &'static str,
    /// What to do where it was written otherwise.
    pub usage: &'static str,
}

const fn row(
    stands: Stands,
    name: &'static str,
    written: &'static str,
    doc: &'static str,
    usage: &'static str,
) -> Declaration {
    Declaration { name, stands, written, doc, usage }
}

const fn inside(name: &'static str, written: &'static str, doc: &'static str) -> Declaration {
    row(Stands::Inside, name, written, doc, "")
}

use Stands::{Alone, Behind};

const BEHIND_AN_INPUT: &str = "write it behind an input, as in input(…).help(\"text\")";

/// In the order of the manual.
#[rustfmt::skip]
pub const DECLARATIONS: [Declaration; 22] = [
    row(Alone, "node", "node(\"Name\", \"Category\");",
        "The node's name, and where the library lists it.",
        "write node(\"Name\", \"Category\");"),
    row(Alone, "also", "also(\"word\", \"other word\");",
        "What else people may search for.",
        "write also(\"word\", \"other word\");"),
    row(Alone, "input", "input(\"name\", TYPE, default);",
        "An input; `eval` takes it by its name, blanks as _. Without a default it is 0; a default may be data such as SKINNED_POSITION.",
        "write input(\"name\", FLOAT, 0.5); or input(\"name\", VEC3, SKINNED_POSITION);"),
    row(Behind, "soft", "input(…).soft(from, to)",
        "Where its slider ends.",
        "write input(…).soft(0, 1), two numbers, behind an input"),
    row(Behind, "hard", "input(…).hard(from, to)",
        "What it may be at all.",
        "write input(…).hard(0, 1), two numbers, behind an input"),
    row(Behind, "unit", "input(…).unit(\"s\")",
        "What it is measured in.",
        BEHIND_AN_INPUT),
    row(Behind, "help", "input(…).help(\"text\")",
        "A line of the manual; also behind an output.",
        BEHIND_AN_INPUT),
    row(Behind, "choices", "input(…).choices([\"one\", \"other\"])",
        "Of a CHOICE: what may be chosen.",
        "write input(…).choices([\"one\", \"other\"]), behind an input"),
    row(Behind, "adds", "input(…).adds()",
        "Several wires may end there, and are added.",
        BEHIND_AN_INPUT),
    row(Alone, "output", "output(\"name\", TYPE);",
        "An output; with several of them `eval` returns a map, #{ name: value, other: value }.",
        "write output(\"name\", VEC3);"),
    row(Behind, "sum", "output(…).sum()",
        "Added up over the bones of each vertex, weighted by how much a bone and all below it move it.",
        "write output(…).sum(), behind an output"),
    row(Behind, "sum", "output(…).sum(FLESH)",
        "The same over the flesh elements of the character.",
        "write output(…).sum(), behind an output"),
    row(Alone, "state", "state(\"name\", TYPE, begins);",
        "A value that is kept from step to step: read by its name, kept by assigning to it. It begins as said, as `start` says, or with 0.",
        "write state(\"name\", VEC3);"),
    row(Behind, "place", "state(…).place()",
        "Of a VEC3: it is a point of the scene, and is taken along where its bone is put elsewhere or a loop begins anew.",
        "write state(\"at\", VEC3).place(), behind a state"),
    row(Alone, "history", "history(\"name\", TYPE, seconds);",
        "A value whose past can be asked for, so many seconds back, at most 10: `name = …;` says what it is now.",
        "write history(\"name\", VEC3, 0.5);"),
    inside("ago", "name.ago(seconds)",
        "In `eval`: what the history `name` was."),
    inside("dt", "dt",
        "In `eval`: seconds since what the node remembers was kept, above 0 and at most a step, about 1/240; also DT."),
    inside("time", "time",
        "In `eval`: seconds since the start of the clip; also TIME."),
    inside("eval", "fn eval(inputs) { … }",
        "What the node computes; its last value is the result."),
    inside("start", "fn start(inputs) { #{ state: value } }",
        "What states begin with."),
    inside("const", "const NAME = 0.5;",
        "A number for all functions of the script."),
    inside("//!", "//! text",
        "At the top: the first sentence is the tooltip, the rest the manual."),
];

/// What is called among the declarations, each name once.
pub fn calls() -> impl Iterator<Item = &'static Declaration> + Clone {
    let is_first = |(place, row): &(usize, &Declaration)| {
        let before = &DECLARATIONS[..*place];
        row.stands != Stands::Inside && before.iter().all(|known| known.name != row.name)
    };
    DECLARATIONS.iter().enumerate().filter(is_first).map(|(_, row)| row)
}

/// The words for types, as TYPE above.
pub fn types() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|(name, _)| *name)
}

/// Numbers that have names.
pub fn numbers() -> impl Iterator<Item = (&'static str, f64)> {
    NUMBERS.into_iter()
}
