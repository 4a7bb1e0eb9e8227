//! The window, driven by hand and through its accessibility tree.

mod support;

mod canvas;
mod curves;
mod files;
mod panels;
mod viewport;
mod whole;
