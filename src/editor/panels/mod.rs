//! One module per panel.

pub mod canvas;
mod diamond;
pub mod inspector;
pub mod messages;
pub mod outliner;
pub mod timeline;
pub mod viewport;
