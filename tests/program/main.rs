//! What a user runs and reads: commands, pictures, other programs' opinion, documents.

#[path = "../support/mod.rs"]
mod support;

mod arrows;
mod blender;
mod commands;
mod commands_gpu;
mod commands_graph;
mod commands_keys;
mod commands_time;
mod demo;
mod documents;
mod hints;
mod interrupted;
mod looks;
mod maps;
mod materials;
mod outputs;
mod overlays;
mod painters;
mod pictures;
mod settings;
mod terminal;
mod user_folders;
mod watch;
mod writing_nodes;
