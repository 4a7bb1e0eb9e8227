//! The graph document: what holds for every sequence of commands, and what each operation does.
//!
//! `JOUNCE_FUZZ_ROUNDS` sets how many random sequences are tried (60 by default).

mod check;
#[path = "../support/clock.rs"]
mod clock;
mod editing;
mod files;
mod keys;
mod laws;
mod library;
mod solo;
