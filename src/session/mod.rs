//! What a user has open, without a window: a document and what was done to it, a character that plays,
//! and what the document makes of it.
//!
//! ```text
//! Session    the document, its history, its file, the node library; everything changes through it
//! Cast       the character and clips that a document names, or that were dropped
//! Playhead   time: playing, looping, in and out
//! Show       the document compiled, bound to the cast, evaluated at a time
//! fit        how strong a style must be on a character
//! Autosave   what a crash must not take along; RecentFiles what was open lately
//! ```
//! The editor's panels are views of these; so are its tests, and anything that works without a window.

pub mod bake;
mod cast;
pub mod fit;
mod incoming;
mod lively;
mod paths;
mod playhead;
mod progress;
mod recent;
mod recovery;
mod session;
mod show;

pub use cast::{Cast, CastError, DEFAULT_CHARACTER, beside, character_key, is_path, settings_for};
pub use incoming::{Incoming, read_incoming};
pub use paths::{name_of_file, user_state_folder};
pub use playhead::Playhead;
pub use progress::{Cancelled, Progress};
pub use recent::RecentFiles;
pub use recovery::{AUTOSAVE_EVERY, Autosave, Recoverable, recoverable};
pub use session::{Message, OpenError, Opened, SavePackedError, Session, Severity};
pub use show::{Changed, Show, ShowError, Shown};
