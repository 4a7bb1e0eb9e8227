//! What somebody who writes a script is helped with: colours, and words to choose from.
//!
//! ```text
//! words      text → words, numbers, signs        outline   what a script declares, as far as it can be read
//! highlight  colours                             complete  what may be meant where the cursor is
//! manual     the words of the language with their help, from the tables that the compiler uses
//! naming     the name that a script gives its node, and its file
//! templates  scripts to begin with               indent    how far the next line is moved in
//! ```
//! All of these are for texts that are being typed: none needs a script that can be read, and none fails.

mod complete;
mod highlight;
mod indent;
mod manual;
mod naming;
mod outline;
mod templates;
mod words;

pub use complete::{Completion, CompletionKind, Completions, completions};
pub use highlight::{Highlight, highlight};
pub use indent::indentation_after;
pub use manual::{Explained, explain};
pub use naming::{declares_library, file_name, with_node_name};
pub use outline::{DeclaredPort, Outline};
pub use templates::{EXPRESSION_START, TEMPLATES, Template};
