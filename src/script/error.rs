//! What is wrong with a script, and where.

use std::fmt;

/// A place in a script, counted from 1; 0 where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// One sentence that says what to do, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The file's name as the user knows it.
    pub file: String,
    pub place: Place,
    pub message: String,
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
