//! What a user has open, without a window: a document and what was done to it, a character that plays,
//! and what the document makes of it.
//!
//! ```text
//! Session    the document, its history, its file, the node library; everything changes through it
//! Cast       the character and clips that a document names, or that were dropped
//! Playhead   time: playing, looping, in and out
//! Staged     a style compiled, and a performer that plays it; windows, bakes and the command line hold one
//! Show       what a session has staged, which follows what is done to it
//! find_nodes what could be added, for words and for a wire that ends on the empty canvas
//! PortValues what leaves nodes at one vertex and bone; cost_shares how much of the work each does
//! Hand       a bone that is dragged, and springs back       Slots    two whole settings to compare
//! trajectories   of vertices in one pose, as made-up velocities grow
//! CodeOf     the code of nodes: read, written, forked
//! parents    whom bones move relative to, and why; changing it
//! overlays   what is drawn over the character         exaggerated  its displacements, larger than they are
//! Appearance     what its surfaces are made of, with images decoded
//! NamedView      where it is looked at from, counted from its front
//! lively_moments when a style shows most
//! CrowdLayout    many of it: when and where each is; CrowdInLists what each looks like
//! PortOnMesh     a port of the graph as a number or vector per vertex
//! BoneCurves     how fast a bone moves, before and after each filter, over the motion
//! VertexPath     where a vertex goes, frame by frame, with plain skinning beside it
//! VertexReport   what moves a vertex, and what holds it back
//! painting   maps painted by hand on the character
//! fit        how strong a style must be on a character
//! Autosave   recovery copies of unsaved work; RecentFiles what was open lately
//! ```
//! The editor's panels are views of these; so are its tests, and anything that works without a window.
//! It knows no window and no device.

pub mod bake;
mod bone_curves;
mod cast;
mod choice;
mod code;
mod cost;
mod crowd;
mod crowd_in_lists;
mod default_motion;
mod exaggeration;
pub mod fit;
mod forking;
mod hand;
mod incoming;
mod last_good;
mod lively;
mod map_list;
mod materials;
mod node_search;
mod open_document;
pub mod overlays;
pub mod painting;
pub mod parents;
mod paths;
mod playhead;
mod port_on_mesh;
mod port_values;
mod progress;
mod recent;
mod recovery;
mod saving;
mod show;
mod slots;
mod staged;
mod trajectories;
mod vertex_path;
mod vertex_report;
mod views;
mod without_bone;

pub use bone_curves::{BoneCurves, Curve, CurvesAsked, CurvesError, sample as sample_curves};
pub use cast::{
    Cast, CastError, DEFAULT_CHARACTER, beside, character_key, is_path, is_path_argument,
    load_character, settings_for,
};
pub use choice::{ClipChoice, test_motion};
pub use code::CodeOf;
pub use cost::cost_shares;
pub use crowd::{CrowdLayout, HERD_FOV_DEG, HERD_VIEW_DEG, MOST_MEMBERS, MOST_ON_GRID, Room};
pub use crowd_in_lists::{CrowdInLists, CrowdLists};
pub use exaggeration::{MOST_EXAGGERATION, exaggerated};
pub use forking::ForkError;
pub use hand::{Hand, Pull};
pub use incoming::{Incoming, read_incoming};
pub use lively::lively_moments;
pub use map_list::{MapOrigin, map_list};
pub use materials::{Appearance, has_materials};
pub use node_search::{Found, WireEnd, find_nodes};
pub use open_document::{Message, OpenError, Opened, Session, Severity};
pub use paths::{name_of_file, user_state_folder};
pub use playhead::{DEFAULT_FPS, Playhead};
pub use port_on_mesh::{PortOnMesh, PortOnMeshError, is_per_bone};
pub use port_values::{NotKnown, PortValues, Spot};
pub use progress::{Cancelled, Progress};
pub use recent::RecentFiles;
pub use recovery::{AUTOSAVE_EVERY, Autosave, Recoverable, Recovered, recoverable};
pub use saving::{SavePackedError, Saved};
pub use show::{Changed, Show, ShowError, Shown};
pub use slots::{Slot, SlotName, Slots};
pub use staged::Staged;
pub use trajectories::{TRACE_STEPS, TRACES, Trajectories, spread_vertices, trajectories};
pub use vertex_path::{MOST_TICKS, PathFrames, VertexPath, outermost_vertex, paths_at};
pub use vertex_report::{Asked, Share, VertexReport, report};
pub use views::{NamedView, turned_with};
