//! What is wrong with a script, and where.

use std::fmt;

/// A place in a script, counted from 1; 0 where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl From<rhai::Position> for Place {
    fn from(position: rhai::Position) -> Place {
        Place {
            line: position.line().unwrap_or(0),
            column: position.position().unwrap_or(usize::from(position.line().is_some())),
        }
    }
}

/// One sentence that says what to do, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The file's name as the user knows it.
    pub file: String,
    pub place: Place,
    pub message: String,
}

impl ScriptError {
    pub fn new(file: &str, place: impl Into<Place>, message: impl Into<String>) -> ScriptError {
        Fail::new(place, message).in_file(file)
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScriptError { file, place: Place { line, column }, message } = self;
        match line {
            0 => write!(f, "{file}: {message}"),
            _ => write!(f, "{file}:{line}:{column}: {message}"),
        }
    }
}

impl std::error::Error for ScriptError {}

/// Letters; names in a message may be of any length.
const LONGEST_MESSAGE: usize = 400;

/// An error inside one script: a place and a sentence; the file is added at the edge.
#[derive(Clone, Debug)]
pub struct Fail {
    pub place: Place,
    pub message: String,
}

impl Fail {
    pub fn new(place: impl Into<Place>, message: impl Into<String>) -> Fail {
        Fail { place: place.into(), message: message.into() }
    }

    pub fn in_file(self, file: &str) -> ScriptError {
        let mut message = self.message;
        if let Some((end, _)) = message.char_indices().nth(LONGEST_MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        ScriptError { file: file.to_owned(), place: self.place, message }
    }
}

/// Nobody means another word by so long a one.
const LONGEST_WORD_BYTES: usize = 64;

/// ", did you mean `x`?" or nothing.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    if word.len() > LONGEST_WORD_BYTES {
        return String::new();
    }
    match crate::text::nearest(word, known) {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => String::new(),
    }
}
