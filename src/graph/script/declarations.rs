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

const BEHIND_AN_INPUT: &str = "write it after an input, as in input(…).help(\"text\")";

/// In the order of the manual.
#[rustfmt::skip]
pub const DECLARATIONS: [Declaration; 24] = [
    row(Alone, "node", "node(\"Name\", \"Category\");",
        "The name of the node, and the category that lists it.",
        "write node(\"Name\", \"Category\");"),
    row(Alone, "also", "also(\"word\", \"other word\");",
        "Other words that find the node in a search.",
        "write also(\"word\", \"other word\");"),
    row(Alone, "input", "input(\"name\", TYPE, default);",
        "An input; `eval` takes it by its name, with _ for spaces. The default is 0 if none is given; it may be data such as SKINNED_POSITION.",
        "write input(\"name\", FLOAT, 0.5); or input(\"name\", VEC3, SKINNED_POSITION);"),
    row(Behind, "soft", "input(…).soft(from, to)",
        "The range of its slider.",
        "write input(…).soft(0, 1), two numbers, after an input"),
    row(Behind, "hard", "input(…).hard(from, to)",
        "The range that it is limited to.",
        "write input(…).hard(0, 1), two numbers, after an input"),
    row(Behind, "unit", "input(…).unit(\"s\")",
        "The unit shown after its value.",
        BEHIND_AN_INPUT),
    row(Behind, "help", "input(…).help(\"text\")",
        "A line for the manual; outputs can have one too.",
        BEHIND_AN_INPUT),
    row(Behind, "choices", "input(…).choices([\"one\", \"other\"])",
        "For a CHOICE: the words to choose from.",
        "write input(…).choices([\"one\", \"other\"]), after an input"),
    row(Behind, "adds", "input(…).adds()",
        "Takes several wires and adds them up.",
        BEHIND_AN_INPUT),
    row(Alone, "output", "output(\"name\", TYPE);",
        "An output; with several of them `eval` returns a map, #{ name: value, other: value }.",
        "write output(\"name\", VEC3);"),
    row(Behind, "sum", "output(…).sum()",
        "Adds up the value over the bones of each vertex, weighted by how much a bone and all below it move the vertex.",
        "write output(…).sum(), after an output"),
    row(Behind, "sum", "output(…).sum(FLESH)",
        "The same over the flesh elements of the character.",
        "write output(…).sum(), after an output"),
    row(Alone, "state", "state(\"name\", TYPE, begins);",
        "A value that is kept from step to step: use its name to read it, and assign to it to change it. It begins with the value given here, with what `start` returns, or with 0.",
        "write state(\"name\", VEC3);"),
    row(Behind, "place", "state(…).place()",
        "For a VEC3: a point in the scene, which moves along when its bone jumps or a loop starts again.",
        "write state(\"at\", VEC3).place(), after a state"),
    row(Alone, "history", "history(\"name\", TYPE, seconds);",
        "A value whose past can be read, up to this many seconds back, at most 10: `name = …;` records the current value.",
        "write history(\"name\", VEC3, 0.5);"),
    row(Alone, "uses", "uses(\"name\");",
        "Functions and constants of a library, for all functions of this script.",
        "write uses(\"name\");"),
    row(Alone, "library", "library(\"name\");",
        "In place of `node`: the script is a library, whose functions and constants others may use.",
        "write library(\"name\"); with functions below it"),
    inside("ago", "name.ago(seconds)",
        "In `eval`: the value of the history `name` that many seconds ago."),
    inside("dt", "dt",
        "In `eval`: the length of this step in seconds, more than 0 and at most about 1/240; also DT."),
    inside("time", "time",
        "In `eval`: seconds since the start of the clip; also TIME."),
    inside("eval", "fn eval(inputs) { … }",
        "What the node computes; its last value is the result."),
    inside("start", "fn start(inputs) { #{ state: value } }",
        "The values that states begin with."),
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
