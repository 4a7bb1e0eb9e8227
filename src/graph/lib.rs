//! Documents, the scripts of their nodes, and the compiler that makes programs of both.
//!
//! ```text
//!  *.rhai ──► script ───► NodeType    typed ports and a kernel
//!  *.jounce ► document ─► Document    nodes, links, values; undo lives here
//!  both ────► compile ──► Program     what `jounce-ir` specifies
//! ```
//! The only crate that knows Rhai. It knows no character: a style fits any of them.

pub mod compile;
pub mod document;
pub mod script;
