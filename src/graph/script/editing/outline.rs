//! What a script declares, read from its words: also from one that is half written.

use super::super::kernel::identifier;
use super::words::{Word, WordKind, words};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredPort {
    /// `input`, `output`, `state` or `history`.
    pub declared_by: String,
    /// As `eval` writes it.
    pub name: String,
    /// The word for its type, as far as it was written.
    pub ty: String,
}

impl DeclaredPort {
    /// May `eval` write its name?
    pub fn is_variable(&self) -> bool {
        self.declared_by != "output"
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredFunction {
    pub name: String,
    pub parameters: Vec<String>,
    /// What stands above it, without marks.
    pub comment: String,
    /// In bytes, from its `{` to its `}`, or to the end.
    pub body: Range<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub ports: Vec<DeclaredPort>,
    pub functions: Vec<DeclaredFunction>,
    pub constants: Vec<String>,
    /// Variables, and where they are declared.
    pub variables: Vec<(usize, String)>,
    /// Names of libraries.
    pub uses: Vec<String>,
}

/// A script has no more, and each is looked for to its end.
const MOST_FUNCTIONS: usize = 256;

impl Outline {
    pub fn of(code: &str) -> Outline {
        Outline::of_words(code, &words(code))
    }

    pub(super) fn of_words(code: &str, words: &[Word]) -> Outline {
        let mut outline = Outline::default();
        let all: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Comment).collect();
        let is =
            |place: usize, text: &str| all.get(place).is_some_and(|word| word.of(code) == text);
        let name = |place: usize| {
            let word = all.get(place).filter(|word| word.kind == WordKind::Name);
            word.map(|word| word.of(code).to_owned())
        };
        for (place, word) in all.iter().enumerate() {
            let quoted = || {
                let text = all.get(place + 2).filter(|word| word.kind == WordKind::Text);
                text.filter(|_| is(place + 1, "(")).map(|text| text.quoted(code).to_owned())
            };
            match word.of(code) {
                declared_by @ ("input" | "output" | "state" | "history") => {
                    let Some(port) = quoted() else { continue };
                    let ty = name(place + 4).filter(|_| is(place + 3, ",")).unwrap_or_default();
                    let (declared_by, name) = (declared_by.to_owned(), identifier(&port));
                    outline.ports.push(DeclaredPort { declared_by, name, ty });
                }
                "uses" => outline.uses.extend(quoted()),
                "const" => outline.constants.extend(name(place + 1)),
                "let" | "for" => {
                    outline.variables.extend(name(place + 1).map(|name| (word.range.start, name)));
                }
                "fn" if outline.functions.len() < MOST_FUNCTIONS => {
                    let own = function(code, &all, place);
                    let comment = comment_above(code, words, word.range.start);
                    outline.functions.extend(own.map(|own| DeclaredFunction { comment, ..own }));
                }
                _ => {}
            }
        }
        outline
    }

    /// The function whose body a place lies in.
    pub fn function_at(&self, at: usize) -> Option<&DeclaredFunction> {
        self.functions.iter().find(|function| function.body.start < at && at <= function.body.end)
    }

    pub fn port(&self, name: &str) -> Option<&DeclaredPort> {
        self.ports.iter().find(|port| port.is_variable() && port.name == name)
    }
}

fn function(code: &str, all: &[&Word], place: usize) -> Option<DeclaredFunction> {
    let name = all.get(place + 1).filter(|word| word.kind == WordKind::Name)?.of(code).to_owned();
    let rest = &all[place + 2..];
    let head = rest.iter().position(|word| matches!(word.of(code), "{" | "fn"))?;
    if rest[head].of(code) == "fn" {
        return None;
    }
    let parameters = rest[..head].iter().filter(|word| word.kind == WordKind::Name);
    let parameters = parameters.map(|word| word.of(code).to_owned()).collect();
    let (mut depth, start) = (0, rest[head].range.start);
    let end = rest[head..].iter().find_map(|word| {
        depth += i32::from(word.of(code) == "{") - i32::from(word.of(code) == "}");
        (depth == 0).then_some(word.range.start)
    });
    let body = start..end.unwrap_or(code.len());
    Some(DeclaredFunction { name, parameters, comment: String::new(), body })
}

/// Lines of comment directly above something.
fn comment_above(code: &str, words: &[Word], at: usize) -> String {
    let mut lines = Vec::new();
    let mut below = at;
    let before = words.partition_point(|word| word.range.start < at);
    for word in words[..before].iter().rev() {
        let gap = code.get(word.range.end..below).unwrap_or_default();
        let text = word.of(code);
        let is_own = text.starts_with("//") && !text.starts_with("//!");
        if !is_own || gap.matches('\n').count() != 1 || !gap.trim().is_empty() {
            break;
        }
        lines.push(text.trim_start_matches('/').trim());
        below = word.range.start;
    }
    lines.reverse();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_written_script_has_what_was_declared_so_far() {
        let code = "uses(\"waves\");\ninput(\"max angle\", FLOAT, 1);\nstate(\"at\", VEC3\noutput(\"y\", \
                    FLOAT);\nconst A = 1;\nfn help(a, b) { a }\nfn eval(x) { let k = 2; ";
        let outline = Outline::of(code);
        let ports: Vec<(&str, &str)> =
            outline.ports.iter().map(|port| (port.name.as_str(), port.ty.as_str())).collect();
        assert_eq!(ports, [("max_angle", "FLOAT"), ("at", "VEC3"), ("y", "FLOAT")]);
        assert_eq!(outline.uses, ["waves"]);
        assert_eq!(outline.constants, ["A"]);
        assert_eq!(outline.functions[0].parameters, ["a", "b"]);
        assert_eq!(outline.function_at(code.len()).unwrap().name, "eval");
        assert_eq!(outline.variables[0].1, "k");
    }
}
