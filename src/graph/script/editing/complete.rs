//! What may be meant where the cursor is.
//!
//! Where a word stands decides what it can be: a declaration at the top level, a type or data of the character
//! among the arguments of one, a detail after its dot; in functions inputs, functions and data.

use super::super::declarations::{self, DECLARATIONS, Declaration, Stands};
use super::super::functions;
use super::super::{SharedScript, SharedScripts};
use super::manual::{KEYWORDS, sources, type_help, written};
use super::outline::{DeclaredPort, Outline};
use super::words::{Word, WordKind, is_in_name, words};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    Declaration,
    Detail,
    Type,
    Source,
    Function,
    Port,
    Variable,
    Keyword,
    /// The name of a library.
    Library,
}

impl CompletionKind {
    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            CompletionKind::Declaration => "declaration",
            CompletionKind::Detail => "detail",
            CompletionKind::Type => "type",
            CompletionKind::Source => "data",
            CompletionKind::Function => "function",
            CompletionKind::Port => "port",
            CompletionKind::Variable => "variable",
            CompletionKind::Keyword => "word",
            CompletionKind::Library => "library",
        }
    }
}

/// One of several things that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub name: String,
    pub kind: CompletionKind,
    /// As it is written: `mix(a, b, t)`.
    pub written: String,
    pub help: String,
    /// What takes the place of the word that was begun.
    pub insert: String,
    /// What of it is selected then, in bytes of `insert`; empty: where the cursor goes.
    pub select: Range<usize>,
}

impl Completion {
    fn plain(name: &str, kind: CompletionKind, help: impl Into<String>) -> Completion {
        let (name, end) = (name.to_owned(), name.len());
        let (written, insert) = (name.clone(), name.clone());
        Completion { name, kind, written, help: help.into(), insert, select: end..end }
    }

    fn call(
        name: &str,
        kind: CompletionKind,
        written: String,
        help: &str,
        takes_any: bool,
    ) -> Self {
        let insert = format!("{name}()");
        // Into the brackets, or behind them where nothing belongs into them.
        let cursor = if takes_any { insert.len() - 1 } else { insert.len() };
        let (name, help, select) = (name.to_owned(), help.to_owned(), cursor..cursor);
        Completion { name, kind, written, help, insert, select }
    }
}

/// What fits, best first, and the word that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// In bytes; empty if no word was begun.
    pub replaces: Range<usize>,
    /// Something is expected here, though no word was begun: behind a dot, or as a type.
    pub is_expected: bool,
    pub all: Vec<Completion>,
}

/// `shared` are the libraries there are. None: nothing can be chosen here.
pub fn completions(code: &str, cursor: usize, shared: &SharedScripts) -> Option<Completions> {
    let before = code.get(..cursor)?;
    let words = words(code);
    let start = before
        .rfind(|c| !is_in_name(c))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let inside = words.iter().find(|word| word.range.start < cursor && cursor <= word.range.end);
    let outline = Outline::of_words(code, &words);
    let earlier: Vec<&Word> = words.iter().filter(|word| word.range.end <= start).collect();
    let place = Place { code, words: &earlier };
    match inside {
        Some(word) if word.kind == WordKind::Text => {
            // At its end it is over, unless its quote is missing.
            let has_end = word.of(code).len() > 1 && word.of(code).ends_with('"');
            let is_over = cursor == word.range.end && has_end;
            let is_name = !is_over && place_of_text(code, &words, word) == Some("uses");
            let start = word.range.start + 1;
            let end = word.range.end - usize::from(has_end);
            let all: Vec<Completion> = shared.all().map(|it| library(it)).collect();
            return is_name.then(|| {
                ranked(start..end, code.get(start..cursor).unwrap_or_default(), true, all)
            });
        }
        Some(word) if word.kind == WordKind::Comment => {
            let is_line = word.of(code).starts_with("//");
            if is_line || cursor < word.range.end {
                return None;
            }
        }
        Some(word) if word.kind == WordKind::Number => return None,
        _ => {}
    }
    let query = &code[start..cursor];
    if query.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let follows = code[cursor..].find(|c| !is_in_name(c)).map_or(code.len(), |at| cursor + at);
    let function = outline.function_at(start);
    let (is_expected, all) = if place.is_after("fn")
        || place.is_after("let")
        || place.is_after("const")
        || place.is_after("for")
    {
        return None;
    } else if place.is_after(".") {
        (true, place.details(&outline, function.is_some()))
    } else if let Some(function) = function {
        let locals = outline.variables.iter();
        let locals = locals.filter(|(at, _)| function.body.contains(at) && *at < start);
        let locals = locals.map(|(_, name)| name).chain(&function.parameters);
        (false, in_function(&outline, locals, shared))
    } else {
        place.among_declarations(&outline)?
    };
    let mut found = ranked(start..follows, query, is_expected, all);
    if code[follows..].starts_with('(') {
        found.all.iter_mut().for_each(without_brackets);
    }
    Some(found)
}

/// They are there already.
fn without_brackets(completion: &mut Completion) {
    if let Some(end) = completion.insert.find('(') {
        completion.insert.truncate(end);
        completion.select = end..end;
    }
}

/// Whose argument a text is.
fn place_of_text<'a>(code: &'a str, words: &[Word], text: &Word) -> Option<&'a str> {
    let place = words.iter().position(|word| word == text)?;
    let [name, bracket] = words.get(place.checked_sub(2)?..place)? else { return None };
    (bracket.of(code) == "(").then(|| name.of(code))
}

/// Names that begin so, then those that contain it; what is being typed in full needs no completion.
fn ranked(
    replaces: Range<usize>,
    query: &str,
    is_expected: bool,
    mut all: Vec<Completion>,
) -> Completions {
    let wanted = query.to_lowercase();
    let rank = |completion: &Completion| {
        let name = completion.name.to_lowercase();
        match name.find(&wanted) {
            Some(0) if name == wanted => Some(0),
            Some(0) => Some(1),
            Some(at) if name[..at].ends_with('_') => Some(2),
            Some(_) if wanted.len() > 1 => Some(3),
            _ => None,
        }
    };
    all.retain(|completion| rank(completion).is_some());
    // Of equals the first in the tables: the sort is stable.
    all.sort_by_key(|completion| rank(completion));
    let mut known = std::collections::HashSet::new();
    all.retain(|completion| known.insert((completion.name.clone(), completion.written.clone())));
    Completions { replaces, is_expected, all }
}

fn library(script: &SharedScript) -> Completion {
    let doc = script.doc.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let help = if doc.is_empty() { "Functions that scripts share.".to_owned() } else { doc };
    Completion::plain(&script.name, CompletionKind::Library, help)
}

/// What the libraries have that a script uses.
fn of_libraries(outline: &Outline, shared: &SharedScripts) -> Vec<Completion> {
    let mut all = Vec::new();
    for script in outline.uses.iter().filter_map(|name| shared.get(name)) {
        let library = Outline::of(&script.code);
        all.extend(library.functions.iter().map(|own| {
            let written = format!("{}({})", own.name, own.parameters.join(", "));
            let help = format!("Of the library \"{}\". {}", script.name, own.comment);
            let takes_any = !own.parameters.is_empty();
            Completion::call(&own.name, CompletionKind::Function, written, help.trim(), takes_any)
        }));
        let help = format!("A constant of the library \"{}\".", script.name);
        let constant = |name| Completion::plain(name, CompletionKind::Variable, help.clone());
        all.extend(library.constants.iter().map(|name| constant(name)));
    }
    all
}

fn in_function<'a>(
    outline: &Outline,
    locals: impl Iterator<Item = &'a String>,
    shared: &SharedScripts,
) -> Vec<Completion> {
    use CompletionKind::{Function, Keyword, Source, Variable};
    let ports = outline.ports.iter().filter(|port| port.is_variable()).map(|port| {
        let help = match port.declared_by.as_str() {
            "input" => "An input of this node.",
            "history" => "Remembered: `name.ago(seconds)` reads its past.",
            _ => "Remembered from step to step.",
        };
        port_of(port, help)
    });
    let locals = locals.filter(|name| outline.port(name).is_none());
    let locals =
        locals.map(|name| Completion::plain(name, Variable, "A variable of this function."));
    let constants = outline.constants.iter();
    let constants =
        constants.map(|name| Completion::plain(name, Variable, "A constant of this script."));
    let own = outline.functions.iter().filter(|own| !matches!(own.name.as_str(), "eval" | "start"));
    let own = own.map(|own| {
        let written = format!("{}({})", own.name, own.parameters.join(", "));
        let help = format!("A function of this script. {}", own.comment);
        Completion::call(&own.name, Function, written, help.trim(), !own.parameters.is_empty())
    });
    let functions = functions::all()
        .map(|it| Completion::call(it.name, Function, written(it), it.doc, !it.takes.is_empty()));
    let words = DECLARATIONS.iter().filter(|row| matches!(row.name, "dt" | "time"));
    let words = words.map(|row| Completion::plain(row.name, Source, row.doc));
    let keywords = KEYWORDS.iter().filter(|(name, _)| !matches!(*name, "fn" | "const"));
    let keywords = keywords.map(|(name, help)| Completion::plain(name, Keyword, *help));
    let all = ports.chain(locals).chain(constants).chain(own);
    let all = all.chain(of_libraries(outline, shared)).chain(functions).chain(data());
    all.chain(words).chain(keywords).collect()
}

fn port_of(port: &DeclaredPort, help: &str) -> Completion {
    let mut completion = Completion::plain(&port.name, CompletionKind::Port, help);
    completion.written = format!("{} {}", port.name, port.ty.to_lowercase());
    completion
}

/// Data of the character, and numbers that have a name.
fn data() -> impl Iterator<Item = Completion> {
    use CompletionKind::Source;
    let sources = sources().map(|(name, help)| Completion::plain(name, Source, help));
    let numbers = declarations::numbers();
    let numbers = numbers.map(|(name, it)| Completion::plain(name, Source, format!("{it:.5}…")));
    sources.chain(numbers)
}

/// A declaration as it is written, with what is its own to say selected.
fn declaration(row: &Declaration, kind: CompletionKind) -> Completion {
    let mut completion = Completion::plain(row.name, kind, row.doc);
    completion.written = row.written.to_owned();
    let example = match row.name {
        "node" => "node(\"Name\", \"My nodes\");",
        "also" => "also(\"word\");",
        "input" => "input(\"name\", FLOAT, 0);",
        "output" => "output(\"name\", VEC3);",
        "state" => "state(\"name\", VEC3);",
        "history" => "history(\"name\", VEC3, 0.5);",
        "library" => "library(\"name\");",
        "uses" => "uses(\"name\");",
        "eval" => "fn eval() {\n    \n}",
        "start" => "fn start() {\n    #{ name: 0 }\n}",
        "const" => "const NAME = 0.5;",
        "soft" | "hard" => {
            return Completion {
                insert: format!("{}(0, 1)", row.name),
                ..selecting(completion, "0, 1")
            };
        }
        "unit" => {
            return Completion { insert: "unit(\"s\")".to_owned(), ..selecting(completion, "s") };
        }
        "help" => {
            return Completion {
                insert: "help(\"text\")".to_owned(),
                ..selecting(completion, "text")
            };
        }
        "choices" => {
            return Completion {
                insert: "choices([\"one\", \"other\"])".to_owned(),
                ..selecting(completion, "one")
            };
        }
        name => {
            let call = Completion::call(name, kind, row.written.to_owned(), row.doc, name == "ago");
            return Completion { help: completion.help, ..call };
        }
    };
    completion.insert = example.to_owned();
    let name = ["name", "Name", "word", "NAME"].into_iter().find(|name| example.contains(name));
    match (row.name, name) {
        ("eval", _) => {
            let at = "fn eval(".len();
            completion.select = at..at;
            completion
        }
        (_, Some(name)) => selecting(completion, name),
        _ => completion,
    }
}

/// With the first such part of what is inserted selected.
fn selecting(mut completion: Completion, part: &str) -> Completion {
    let text = match completion.insert.contains(part) {
        true => completion.insert.clone(),
        // What will be inserted is `name("part")`, or `name(part)`.
        false => match completion.name.as_str() {
            "soft" | "hard" => format!("{}({part}", completion.name),
            "choices" => format!("choices([\"{part}"),
            name => format!("{name}(\"{part}"),
        },
    };
    let at = text.find(part).unwrap_or(0);
    completion.select = at..at + part.len();
    completion
}

/// What stands before the cursor.
struct Place<'a> {
    code: &'a str,
    /// Up to the word that was begun.
    words: &'a [&'a Word],
}

impl Place<'_> {
    fn is_after(&self, text: &str) -> bool {
        let last = self.words.iter().rfind(|word| word.kind != WordKind::Comment);
        last.is_some_and(|word| word.of(self.code) == text)
    }

    /// Behind a dot: what a value, or a declaration, has.
    fn details(&self, outline: &Outline, is_inside: bool) -> Vec<Completion> {
        use CompletionKind::{Detail, Function, Variable};
        if !is_inside {
            let said_of = match self.declared_by() {
                Some("output") => &["sum", "help"][..],
                Some("state") => &["place"],
                Some("input") => &["soft", "hard", "unit", "help", "choices", "adds"],
                _ => &[],
            };
            let behind = || DECLARATIONS.iter().filter(|row| row.stands == Stands::Behind);
            let rows = said_of.iter().flat_map(|name| behind().filter(|row| row.name == *name));
            return rows.map(|row| declaration(row, Detail)).collect();
        }
        let before = self.words.len().checked_sub(2).map(|at| self.words[at].of(self.code));
        let port = before.and_then(|name| outline.port(name));
        let parts =
            ["x", "y", "z"].map(|part| Completion::plain(part, Variable, "A part of the vector."));
        let ago = DECLARATIONS.iter().filter(|row| row.name == "ago");
        let ago = ago.filter(|_| port.is_some_and(|port| port.declared_by == "history"));
        let functions = functions::all()
            .filter(|it| !it.takes.is_empty())
            .map(|it| Completion::call(it.name, Function, written(it), it.doc, it.takes.len() > 1));
        ago.map(|row| declaration(row, Function)).chain(parts).chain(functions).collect()
    }

    /// The declaration that the statement before the cursor begins with.
    fn declared_by(&self) -> Option<&str> {
        let is_end = |word: &&&Word| matches!(word.of(self.code), ";" | "}" | "{");
        let statement = self.words.iter().rev().take_while(|word| !is_end(word));
        statement.last().map(|word| word.of(self.code))
    }

    /// At the top level: a declaration, or an argument of one. None: something with a name of its own.
    fn among_declarations(&self, outline: &Outline) -> Option<(bool, Vec<Completion>)> {
        use CompletionKind::{Declaration as Declares, Keyword, Source, Type};
        let Some((call, commas)) = self.call() else {
            let rows = DECLARATIONS.iter().filter(|row| {
                row.stands == Stands::Alone || matches!(row.name, "eval" | "start" | "const")
            });
            let rows = rows.map(|row| declaration(row, Declares));
            let function = KEYWORDS.iter().filter(|(name, _)| *name == "fn");
            let function = function.map(|(name, help)| Completion::plain(name, Keyword, *help));
            return Some((false, rows.chain(function).collect()));
        };
        match (call, commas) {
            ("eval" | "start", _) => {
                let inputs = outline.ports.iter().filter(|port| port.declared_by == "input");
                let inputs = inputs.map(|port| port_of(port, "An input of this node."));
                Some((true, inputs.collect()))
            }
            ("input" | "output" | "state" | "history", 1) => {
                let takes_all = call == "input";
                let compile_time = ["INT", "BOOL", "CHOICE", "TEXT"];
                let types = declarations::types();
                let types = types.filter(|ty| takes_all || !compile_time.contains(ty));
                let types = types.map(|ty| Completion::plain(ty, Type, type_help(ty)));
                Some((true, types.collect()))
            }
            ("sum", 0) => {
                let flesh = "Over the flesh elements of the character.";
                Some((false, vec![Completion::plain("FLESH", Source, flesh)]))
            }
            ("input", 2) | ("vec3" | "[", _) => Some((false, data().collect())),
            _ => None,
        }
    }

    /// The call whose arguments the cursor is among, and how many commas stand before it.
    fn call(&self) -> Option<(&str, usize)> {
        let (mut depth, mut commas) = (0, 0);
        for (place, word) in self.words.iter().enumerate().rev() {
            match word.of(self.code) {
                ")" | "]" => depth += 1,
                "(" | "[" if depth > 0 => depth -= 1,
                "[" => return Some(("[", commas)),
                "(" => {
                    let name = place.checked_sub(1).map(|at| self.words[at].of(self.code));
                    return Some((name.unwrap_or_default(), commas));
                }
                "," if depth == 0 => commas += 1,
                ";" if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::script::{Script, ScriptOrigin, script};
    use std::sync::Arc;

    fn libraries() -> SharedScripts {
        let mut shared = SharedScripts::default();
        for text in [
            "library(\"waves\");\n// Up and down.\nfn pulse(rate) { sin(rate) }",
            "//! How things begin.\nlibrary(\"easing\");\nconst SOFT = 0.5;",
        ] {
            match script(text, "test", ScriptOrigin::BuiltIn, &shared).unwrap() {
                Script::Library(library) => shared.insert(Arc::new(library)),
                Script::Node(_) => panic!("a library"),
            }
        }
        shared
    }

    /// `|` is the cursor.
    fn at(text: &str) -> Option<Completions> {
        let cursor = text.find('|').unwrap();
        completions(&text.replacen('|', "", 1), cursor, &libraries())
    }

    #[test]
    fn functions_of_libraries_are_offered_with_their_comment_where_they_are_used() {
        let found = at("uses(\"waves\"); fn eval() { pul| }").unwrap();
        assert_eq!(found.all[0].written, "pulse(rate)");
        assert_eq!(found.all[0].help, "Of the library \"waves\". Up and down.");
        assert!(names("fn eval() { puls| }").is_empty());
        assert_eq!(names("uses(\"easing\"); fn eval() { SOF| }")[0], "SOFT");
    }

    fn names(text: &str) -> Vec<String> {
        at(text).map(|it| it.all.into_iter().map(|it| it.name).collect()).unwrap_or_default()
    }

    fn accepted(text: &str) -> String {
        let cursor = text.find('|').unwrap();
        let mut code = text.replacen('|', "", 1);
        let found = completions(&code, cursor, &libraries()).unwrap();
        let first = &found.all[0];
        code.replace_range(found.replaces.clone(), &first.insert);
        let at = found.replaces.start;
        code.insert(at + first.select.end, ']');
        code.insert(at + first.select.start, '[');
        code
    }

    #[test]
    fn ports_come_first_in_eval_then_functions_and_data() {
        let code =
            "input(\"max angle\", FLOAT, 1);\nstate(\"mass\", FLOAT);\nfn eval(max_angle) { ma| }";
        let found = names(code);
        assert_eq!(found[..3], ["max_angle", "mass", "max"]);
        assert!(found.contains(&"map".to_owned()), "{found:?}");
        assert_eq!(names("fn eval() { bone_lin| }")[0], "bone_linear_velocity");
        assert!(names("fn eval() { BONE_LIN| }").contains(&"BONE_LINEAR_VELOCITY".to_owned()));
        assert_eq!(names("fn eval() { let height = 1; hei| }")[0], "height");
        assert_eq!(names("fn up(a) { a } fn eval() { up| }")[0], "up");
        assert!(
            !names("fn eval() { let late = 1; } fn up() { lat| }").contains(&"late".to_owned())
        );
    }

    #[test]
    fn a_place_takes_only_what_belongs_there() {
        assert_eq!(names("inp|"), ["input"]);
        assert_eq!(names("input(\"x\", V|"), ["VEC3", "MAT3"][..1]);
        assert!(at("input(\"x\", |").unwrap().is_expected);
        assert!(!names("output(\"x\", |").contains(&"CHOICE".to_owned()));
        assert!(names("input(\"x\", VEC3, BONE_|").contains(&"BONE_ORIGIN".to_owned()));
        assert_eq!(names("input(\"x\", FLOAT, 1).so|"), ["soft"]);
        assert_eq!(names("output(\"x\", VEC3).|"), ["sum", "sum", "help"]);
        assert_eq!(names("fn eval() { let v = vec3(1,2,3); v.|")[..3], ["x", "y", "z"]);
        assert_eq!(names("input(\"a\", FLOAT);\nfn eval(|"), ["a"]);
        assert_eq!(names("uses(\"wa|"), ["waves"]);
        assert_eq!(names("uses(\"|\")"), ["easing", "waves"]);
        for nothing in ["// inp|", "input(\"na|me\")", "let v|", "fn ev|", "12|", "\"x\"|", "ä|ö"]
        {
            assert!(names(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn what_is_taken_leaves_the_cursor_where_writing_goes_on() {
        assert_eq!(accepted("inp|"), "input(\"[name]\", FLOAT, 0);");
        assert_eq!(accepted("fn eval() { smooths| }"), "fn eval() { smoothstep([]) }");
        assert_eq!(accepted("fn eval() { smooths|(a, b) }"), "fn eval() { smoothstep[](a, b) }");
        assert_eq!(accepted("input(\"x\", FLOAT).so|"), "input(\"x\", FLOAT).soft([0, 1])");
        assert_eq!(accepted("input(\"x\", FLOAT).he|"), "input(\"x\", FLOAT).help(\"[text]\")");
        assert_eq!(
            accepted("fn eval() { mi|n(a) }"),
            "fn eval() { min[](a) }",
            "a word is replaced as a whole"
        );
    }
}
