//! Scripts, and graphs made of them, up to the program that they are compiled to.

#[path = "../support/mod.rs"]
mod support;

mod compile;
mod editing;
mod exact_functions;
mod libraries;
mod nodes;
mod reload;
mod script_errors;
mod script_functions;
mod script_hostile;
mod script_language;
mod sliders;
