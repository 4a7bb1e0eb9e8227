//! Characters: files, our own, and what is derived from them before anything moves.

#[path = "../support/mod.rs"]
mod support;

mod binding;
mod compressed;
mod derived;
mod facing;
mod geodesic;
mod hierarchy;
mod loading;
mod materials;
mod own_characters;
mod roles;
mod velocities;
