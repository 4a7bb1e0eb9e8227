//! Files that lie. A program of its own, because it counts all memory in use.

#[path = "../support/mod.rs"]
mod support;

mod files;
mod images;
mod saved_programs;
#[cfg(unix)]
mod stalls;
