//! What a user has open, without a window: a document and what was done to it, a character that plays,
//! and what the document makes of it.
//!
//! ```text
//! Session    the document, its history, its file, the node library; everything changes through it
//! Cast       the character and clips that a document names, or that were dropped
//! Playhead   time: playing, looping, in and out
//! Show       the document compiled, bound to the cast, evaluated at a time
//! Hand       a bone that is dragged, and springs back       Slots    two whole settings to compare
//! Frozen     one pose with made-up velocities, and the trajectories as they grow
//! PortOnMesh     a port of the graph as a number or vector per vertex
//! VertexReport   what moves a vertex, and what holds it back
//! ```
//! The editor's panels are views of these; so are its tests, and anything that works without a window.

mod cast;
mod crowd;
mod frozen;
mod hand;
mod playhead;
mod port_on_mesh;
mod session;
mod show;
mod slots;
mod vertex_report;

pub use cast::{Cast, CastError, DEFAULT_CHARACTER, beside, character_key, is_path, settings_for};
pub use frozen::{FrozenScene, Trajectories, spread_vertices};
pub use hand::{Hand, Pull};
pub use playhead::Playhead;
pub use port_on_mesh::{PortOnMesh, PortOnMeshError, is_per_bone};
pub use session::{Message, OpenError, Session, Severity};
pub use show::{Changed, Show, ShowError, Shown};
pub use slots::{Slot, SlotName, Slots};
pub use vertex_report::{Asked, Share, VertexReport, report};
