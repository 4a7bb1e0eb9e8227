//! What is wrong with a script, and where.

use std::collections::HashSet;
use std::fmt;

/// A place in a script, counted from 1; 0 where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePosition {
    pub line: usize,
    pub column: usize,
}

impl From<rhai::Position> for SourcePosition {
    fn from(position: rhai::Position) -> SourcePosition {
        SourcePosition {
            line: position.line().unwrap_or(0),
            column: position.position().unwrap_or(usize::from(position.line().is_some())),
        }
    }
}

/// Sentences that say what to do, and where: the first, and all others that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The file's name as the user knows it.
    pub file: String,
    pub place: SourcePosition,
    pub message: String,
    /// Further mistakes of the same script, by line. They have no others in turn.
    pub others: Vec<ScriptError>,
    /// Nothing can be found after it.
    pub(super) is_limit: bool,
}

impl ScriptError {
    pub fn new(
        file: &str,
        place: impl Into<SourcePosition>,
        message: impl Into<String>,
    ) -> ScriptError {
        Fail::new(place, message).in_file(file)
    }

    /// One after the other, by line.
    pub fn all(&self) -> impl Iterator<Item = &ScriptError> {
        [self].into_iter().chain(&self.others)
    }

    /// As many as somebody reads, and how many there are beyond.
    pub(super) fn limited(mut self) -> ScriptError {
        let left = (1 + self.others.len()).saturating_sub(MOST_ERRORS);
        if left > 0 {
            self.others.truncate(MOST_ERRORS - 1);
            let message = format!("and {left} more; fix these first");
            self.others.push(ScriptError::new(&self.file, SourcePosition::default(), message));
        }
        self
    }

    /// What the author reads of this one alone.
    pub fn line(&self) -> String {
        let ScriptError { file, place: SourcePosition { line, column }, message, .. } = self;
        match line {
            0 => format!("{file}: {message}"),
            _ => format!("{file}:{line}:{column}: {message}"),
        }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.all().map(ScriptError::line).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for ScriptError {}

/// Letters; names in a message may be of any length.
const LONGEST_MESSAGE: usize = 400;

/// An error inside one script: a place and a sentence; the file is added at the edge.
#[derive(Clone, Debug)]
pub struct Fail {
    pub place: SourcePosition,
    pub message: String,
    pub kind: FailKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailKind {
    /// To be reported.
    Mistake,
    /// Follows from a mistake that was already reported.
    Echo,
    /// To be reported, and nothing can be found after it.
    Limit,
}

impl Fail {
    pub fn new(place: impl Into<SourcePosition>, message: impl Into<String>) -> Fail {
        Fail { place: place.into(), message: message.into(), kind: FailKind::Mistake }
    }

    /// What is here is not known, because of a mistake elsewhere.
    pub fn echo(place: impl Into<SourcePosition>) -> Fail {
        Fail { kind: FailKind::Echo, ..Fail::new(place, "this follows from another mistake") }
    }

    pub fn limit(place: impl Into<SourcePosition>, message: impl Into<String>) -> Fail {
        Fail { kind: FailKind::Limit, ..Fail::new(place, message) }
    }

    pub fn in_file(self, file: &str) -> ScriptError {
        let mut message = self.message;
        if let Some((end, _)) = message.char_indices().nth(LONGEST_MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        let is_limit = self.kind == FailKind::Limit;
        let (file, others) = (file.to_owned(), Vec::new());
        ScriptError { file, place: self.place, message, others, is_limit }
    }
}

/// More are not reported at once.
pub const MOST_ERRORS: usize = 20;

/// Mistakes as they are found. Of one place only the first counts.
#[derive(Clone, Debug, Default)]
pub struct Fails {
    all: Vec<Fail>,
    /// Places of all of them, and where the place is not known the message too: a script may have thousands.
    known: HashSet<(SourcePosition, String)>,
}

impl Fails {
    pub fn push(&mut self, fail: Fail) {
        let message = if fail.place.line > 0 { String::new() } else { fail.message.clone() };
        if fail.kind != FailKind::Echo && self.known.insert((fail.place, message)) {
            self.all.push(fail);
        }
    }

    pub fn append(&mut self, others: Fails) {
        others.all.into_iter().for_each(|fail| self.push(fail));
    }

    /// Mistakes that were already reported as an error.
    pub fn take(&mut self, error: &ScriptError) {
        error.all().for_each(|error| self.push(Fail::new(error.place, &*error.message)));
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// As many as are reported. Further ones are counted, but no hints are worked out for them.
    pub fn is_full(&self) -> bool {
        self.all.len() >= MOST_ERRORS
    }

    /// All of them, by line; None if there are none.
    pub fn into_error(mut self, file: &str) -> Option<ScriptError> {
        self.all.sort_by_key(|fail| fail.place);
        let mut errors = self.all.into_iter().map(|fail| fail.in_file(file));
        let mut first = errors.next()?;
        first.others = errors.collect();
        Some(first)
    }
}

impl From<Fail> for Fails {
    fn from(fail: Fail) -> Fails {
        let mut fails = Fails::default();
        fails.push(fail);
        fails
    }
}

/// A word this long is not a typing mistake for another.
const LONGEST_WORD_BYTES: usize = 64;

/// ", did you mean `x`?" or nothing.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    if word.len() > LONGEST_WORD_BYTES {
        return String::new();
    }
    match jounce_base::text::nearest(word, known) {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => String::new(),
    }
}
