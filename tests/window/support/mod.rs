//! What these tests share. Each file uses its part of it.
#![allow(dead_code)]

pub mod canvas;
#[path = "../../support/clock.rs"]
pub mod clock;
pub mod editor;
#[path = "../../support/program.rs"]
pub mod program;
#[path = "../../support/skipped.rs"]
pub mod skipped;
