//! What a user has open, without a window: a document and what was done to it, a character that plays,
//! and what the document makes of it.
//!
//! ```text
//! Session    the document, its history, its file, the node library; everything changes through it
//! Cast       the character and clips that a document names, or that were dropped
//! Playhead   time: playing, looping, in and out
//! Show       the document compiled, bound to the cast, evaluated at a time
//! find_nodes what could be added, for words and for a wire that ends in the void
//! PortValues what leaves nodes at one vertex and bone; cost_shares how much of the work each does
//! ```
//! The editor's panels are views of these; so are its tests, and anything that works without a window.

mod cast;
mod cost;
mod node_search;
mod playhead;
mod port_values;
mod session;
mod show;

pub use cast::{Cast, CastError, DEFAULT_CHARACTER, beside, character_key, is_path, settings_for};
pub use cost::cost_shares;
pub use node_search::{Found, WireEnd, find_nodes};
pub use playhead::Playhead;
pub use port_values::{NotKnown, PortValues, Spot};
pub use session::{Message, OpenError, Session, Severity};
pub use show::{Changed, Show, ShowError, Shown};
