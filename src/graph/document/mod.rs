//! The document: nodes, links and values, and what was done to them.
//!
//! ```text
//! model      what a document is            reference   how its parts are named
//! invariants what is true of every one     command     what can be done to it
//! apply      doing a command, its inverse  history     undo, redo, drags
//! operations what the editor does: commands made of commands; grouping, clipboard
//! solo       one node's result alone       keying      what is keyed over a clip
//! ports      the ports of any node         types       what links carry
//! check      what is wrong with a graph    problem     said as sentences
//! hints      what works, but is perhaps not intended
//! packed     files inside a document
//! file       .jounce                       layout      its text; file_form its values
//! versions   formats of files, old and new    map_counts  how much a file unfolds to
//! ```
//! Node types are looked up, never stored: a document is complete without any of them.

mod apply;
mod arrange;
mod bone_paths;
mod check;
mod clipboard;
mod colors;
mod command;
mod file;
mod file_form;
mod grouping;
mod hints;
mod history;
mod invariants;
mod keying;
mod layout;
mod map_counts;
mod model;
mod operations;
mod packed;
mod ports;
mod problem;
mod reference;
mod solo;
mod styles;
mod types;
mod versions;

pub use apply::CommandError;
pub use arrange::{NodeShape, arrange};
pub use check::{LinkRules, can_link, check, check_style};
pub use clipboard::{Edit, Fragment, PasteError, Selection};
pub use colors::{color_of_category, color_of_type};
pub use command::Command;
pub use file::{FileError, Loaded, Note};
pub use grouping::{make_group, ungroup};
pub use hints::{UNLINKED, hints, is_unlinked};
pub use history::{History, Owner};
pub use invariants::{MAX_NESTING, MAX_NODES, StructureError};
pub use jounce_base::Role;
pub use jounce_base::character_settings::{
    BoneSetting, CharacterSettings, FleshCurve, FleshSetting,
};
pub use keying::{exposed_name, keyed_name, keys_of_name, rename_keys, set_keys};
pub use model::{
    Comment, Document, EXPRESSION_TYPE, GROUP_PREFIX, Graph, Group, MotionSettings, Node,
    NodeFrame, OUTPUT_TYPE, PARAMETER_TYPE, Style,
};
pub use operations::{
    OperationError, delete, delete_and_rewire, duplicate, insert_on_link, rename_group,
};
pub use packed::PackedFile;
pub use ports::{PortTable, Ports, PortsError, node_type_of, ports_of, script_error_of};
pub use problem::{Problem, Reason};
pub use reference::{GraphRef, Link, PortRef, Published, is_name, is_node_id};
pub use solo::{is_solo, solo};
pub use styles::{BuiltInStyle, STYLES, StyleKind, built_in_style, style_names};
pub use types::resolved_output_type;
