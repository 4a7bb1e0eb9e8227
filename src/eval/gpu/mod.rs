//! Runs programs on the GPU.

mod character;
mod tables;
