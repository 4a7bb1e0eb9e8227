//! What the words of a script are, for colours.

use super::super::declarations::{self, DECLARATIONS, Stands};
use super::super::functions;
use super::manual::{KEYWORDS, is_source};
use super::outline::{DeclaredFunction, Outline};
use super::words::{WordKind, words};
use std::collections::HashSet;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Highlight {
    Comment,
    /// `//!`, the manual of the node.
    Manual,
    Text,
    Number,
    Keyword,
    /// `input`, `output`, `.soft` and their like.
    Declaration,
    Type,
    /// Data of the character, and numbers that have a name.
    Source,
    /// One that can be called.
    Function,
    /// An input, a state or a history of this node.
    Port,
}

/// Where something has a colour of its own, in bytes and in the order of the text; all else is plain.
pub fn highlight(code: &str) -> Vec<(Range<usize>, Highlight)> {
    let words = words(code);
    let outline = Outline::of_words(code, &words);
    let known = Known::of(&outline);
    let mut spans = Vec::with_capacity(words.len());
    let mut is_after_dot = false;
    for word in &words {
        let text = word.of(code);
        let kind = match word.kind {
            WordKind::Comment if text.starts_with("//!") => Some(Highlight::Manual),
            WordKind::Comment => Some(Highlight::Comment),
            WordKind::Text => Some(Highlight::Text),
            WordKind::Number => Some(Highlight::Number),
            WordKind::Name => {
                let function = outline.function_at(word.range.start);
                match is_after_dot {
                    true => detail(text, function.is_some()),
                    false => known.name(text, function),
                }
            }
            WordKind::Sign => None,
        };
        spans.extend(kind.map(|kind| (word.range.clone(), kind)));
        is_after_dot = text == ".";
    }
    spans
}

fn is_declaration(name: &str, stands: Stands) -> bool {
    DECLARATIONS.iter().any(|row| row.name == name && row.stands == stands)
}

/// Behind a dot.
fn detail(name: &str, is_inside: bool) -> Option<Highlight> {
    match is_inside {
        true if functions::is_known(name) || name == "ago" => Some(Highlight::Function),
        false if is_declaration(name, Stands::Behind) => Some(Highlight::Declaration),
        _ => None,
    }
}

/// The names of a script: looked up, not searched, because there may be thousands.
struct Known<'a> {
    functions: HashSet<&'a str>,
    ports: HashSet<&'a str>,
    constants: HashSet<&'a str>,
    variables: HashSet<&'a str>,
}

impl<'a> Known<'a> {
    fn of(outline: &'a Outline) -> Known<'a> {
        let ports = outline.ports.iter().filter(|port| port.is_variable());
        Known {
            functions: outline.functions.iter().map(|own| own.name.as_str()).collect(),
            ports: ports.map(|port| port.name.as_str()).collect(),
            constants: outline.constants.iter().map(String::as_str).collect(),
            variables: outline.variables.iter().map(|(_, name)| name.as_str()).collect(),
        }
    }

    fn name(&self, name: &str, function: Option<&DeclaredFunction>) -> Option<Highlight> {
        let is_inside = function.is_some();
        if KEYWORDS.iter().any(|(known, _)| *known == name) {
            return Some(Highlight::Keyword);
        }
        if self.functions.contains(name) {
            return Some(Highlight::Function);
        }
        if self.ports.contains(name) {
            return Some(Highlight::Port);
        }
        if !is_inside && is_declaration(name, Stands::Alone) {
            return Some(Highlight::Declaration);
        }
        let mut parameters = function.iter().flat_map(|function| &function.parameters);
        if is_inside && (self.variables.contains(name) || parameters.any(|known| known == name)) {
            return None;
        }
        if declarations::types().any(|ty| ty == name) {
            return Some(Highlight::Type);
        }
        let is_source = is_source(name)
            || self.constants.contains(name)
            || (is_inside && matches!(name, "time" | "dt"))
            || (!is_inside && matches!(name, "FLESH" | "UPWARD"));
        if is_source {
            return Some(Highlight::Source);
        }
        functions::is_known(name).then_some(Highlight::Function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(code: &str, word: &str) -> Option<Highlight> {
        let at = code.rfind(word).unwrap();
        let spans = highlight(code);
        spans.iter().find(|(range, _)| range.start == at).map(|(_, kind)| *kind)
    }

    #[test]
    fn words_have_the_colour_of_what_they_are() {
        let code = "//! It lifts.\ninput(\"max angle\", FLOAT, 0.5).soft(0, 1);\noutput(\"y\", VEC3);\n\
                    fn up(x) { x }\nfn eval(max_angle) { let k = up(max_angle); mix(k, BONE_ORIGIN, 2) // so\n}";
        for (word, expected) in [
            ("//! It lifts.", Some(Highlight::Manual)),
            ("input", Some(Highlight::Declaration)),
            ("soft", Some(Highlight::Declaration)),
            ("FLOAT", Some(Highlight::Type)),
            ("\"max angle\"", Some(Highlight::Text)),
            ("let", Some(Highlight::Keyword)),
            ("k,", None),
            ("up(", Some(Highlight::Function)),
            ("max_angle)", Some(Highlight::Port)),
            ("mix", Some(Highlight::Function)),
            ("BONE_ORIGIN", Some(Highlight::Source)),
            ("2)", Some(Highlight::Number)),
            ("// so", Some(Highlight::Comment)),
        ] {
            assert_eq!(kind_of(code, word), expected, "{word}");
        }
    }
}
