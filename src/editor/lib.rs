//! The desktop program: views of a [`jounce_session::Session`] in panels.
//!
//! ```text
//!  window   opens it; says what is missing where there is no display or adapter
//!  app      one frame: input → actions → panels → picture
//!  state    all that panels share: session, show, playhead, selection, what is in progress
//!  action   everything a user can do, as tables: menus, shortcuts and Ctrl+P are made of them
//!  theme    colours and spacing             layout   which panel stands where
//!  menu     the bar at the top              palette  the searchable list of actions
//!  files/   documents, dropped characters, what is written for others
//!  jobs     background work: progress, cancel, result
//!  device   the renderer of `draw` in a texture that egui shows
//!  panels/  one module per panel: `show(ui, state)`, its own state, its own table of actions
//! ```
//! The document is the source of truth: a panel keeps nothing that is in it, and changes it by commands only.
//! The only crate that knows windows; it may know all others but the command line.

mod action;
mod app;
mod device;
pub mod files;
pub mod jobs;
mod layout;
mod menu;
mod palette;
pub mod panels;
mod state;
mod theme;
mod window;

pub use action::{Action, Menu, all_actions};
pub use app::Editor;
pub use device::Device;
pub use layout::Panel;
pub use palette::{Entry, found as found_actions};
pub use state::{Selection, State};
pub use window::{OpenWindowError, open_window, wgpu_options};
