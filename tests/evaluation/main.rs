//! Programs on characters in motion: every evaluator, against equations, laws and golden data.

#[path = "../support/mod.rs"]
mod support;

mod anchors;
mod crowd;
mod fit;
mod flesh;
mod golden;
mod gpu;
mod heat;
mod hierarchy;
mod holding;
mod interpreter;
mod interpreter_speed;
mod joined_turns;
mod keyed_at_frames;
mod keyed_parameters;
mod live;
mod performer;
mod rigid_pieces;
mod saved;
mod styles;
mod time;
mod velocity_skinning;
mod vm;
