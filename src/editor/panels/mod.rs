//! One module per panel.

pub mod canvas;
pub mod code;
mod diamond;
pub mod inspector;
pub mod messages;
pub mod outliner;
mod role_menu;
pub mod timeline;
pub mod viewport;
