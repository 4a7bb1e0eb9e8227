//! The words of the language with their help, for whoever writes one of them.

use super::super::declarations::{self, DECLARATIONS, Stands};
use super::super::functions::{self, Function};
use jounce_ir::op::MotionPart;
use jounce_ir::source::{self, SourceInfo};

/// A word of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// As it is written: `mix(a, b, t)`.
    pub written: String,
    pub help: String,
}

/// Words that make statements.
pub const KEYWORDS: [(&str, &str); 12] = [
    ("let", "A variable: let x = 1; it can be assigned to."),
    ("const", "A number for all functions of the script."),
    ("fn", "A function: fn name(a, b) { a + b }"),
    (
        "if",
        "One of two values: if x > 0 { a } else { b }. Of a value, both sides are computed and one is chosen.",
    ),
    ("else", "The other side of an `if`."),
    ("for", "A loop over a range or a list: for i in 0..8 { … }. It is unrolled."),
    ("in", "Stands between the variable and the range of a `for`."),
    ("return", "Ends the function, with a value."),
    ("break", "Ends a loop."),
    ("continue", "Goes on with the next round of a loop."),
    ("true", "A switch that is on."),
    ("false", "A switch that is off."),
];

/// Is it a source of data, or a number that has a name?
pub fn is_source(name: &str) -> bool {
    source::named(name).is_some()
        || MotionPart::ALL.iter().any(|part| part.constant_name() == name)
        || declarations::numbers().any(|(known, _)| known == name)
}

/// Sources of data: name and help.
pub fn sources() -> impl Iterator<Item = (&'static str, String)> {
    let of_table = |info: &'static SourceInfo| Some((info.name?, info.doc.to_owned()));
    let motions = MotionPart::ALL.iter().map(|part| {
        let help = format!("Each bone's {} relative to its parent, unsmoothed.", part.label());
        (part.constant_name(), help)
    });
    source::SOURCES.iter().filter_map(of_table).chain(motions)
}

pub fn written(function: &Function) -> String {
    format!("{}({})", function.name, function.arguments)
}

/// What a type is, for a newcomer.
pub fn type_help(name: &str) -> &'static str {
    match name {
        "FLOAT" => "A number, with a slider.",
        "VEC3" => "A vector of three numbers, such as a position or a displacement.",
        "ANY" => "A number or a vector, depending on the wires.",
        "INT" => "A whole number, chosen before the graph is compiled.",
        "BOOL" => "A switch, chosen before the graph is compiled.",
        "CHOICE" => "One of a list of words: add .choices([\"one\", \"other\"]).",
        "TEXT" => "A name, such as that of a bone.",
        "QUAT" => "A rotation.",
        "MAT3" => "A matrix of three columns.",
        _ => "",
    }
}

/// What a word means. `is_inside`: in a function.
pub fn explain(name: &str, is_inside: bool) -> Option<Explained> {
    let declared = || {
        let fits = |stands: Stands| is_inside == (stands == Stands::Inside);
        let of_name = || DECLARATIONS.iter().filter(|row| row.name == name);
        let row = of_name().find(|row| fits(row.stands)).or(of_name().next())?;
        Some(Explained { written: row.written.to_owned(), help: row.doc.to_owned() })
    };
    let function = || {
        let function = functions::all().find(|function| function.name == name)?;
        Some(Explained { written: written(function), help: function.doc.to_owned() })
    };
    let named = |help: String| Explained { written: name.to_owned(), help };
    let source = || sources().find(|(known, _)| *known == name).map(|(_, help)| named(help));
    let number = || {
        let (_, number) = declarations::numbers().find(|(known, _)| *known == name)?;
        Some(named(format!("{number:.5}…")))
    };
    let ty = || declarations::types().find(|ty| *ty == name).map(|ty| named(type_help(ty).into()));
    let keyword = || {
        let (_, help) = KEYWORDS.iter().find(|(known, _)| *known == name)?;
        Some(named((*help).to_owned()))
    };
    let found = if is_inside { function().or_else(declared) } else { declared().or_else(function) };
    found.or_else(source).or_else(number).or_else(ty).or_else(keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_tables_is_explained() {
        let names = functions::all().map(|function| function.name);
        let names = names.chain(DECLARATIONS.iter().map(|row| row.name));
        let names =
            names.chain(declarations::types()).chain(declarations::numbers().map(|it| it.0));
        for name in names.chain(sources().map(|it| it.0)).chain(KEYWORDS.map(|it| it.0)) {
            for is_inside in [false, true] {
                let explained = explain(name, is_inside).unwrap_or_else(|| panic!("{name}"));
                assert!(!explained.help.is_empty() && !explained.written.is_empty(), "{name}");
            }
        }
        assert_eq!(explain("floppiness", true), None);
    }
}
