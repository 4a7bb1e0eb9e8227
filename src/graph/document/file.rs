//! `.jounce` files: a document as JSON text.
//!
//! Saving is byte-stable: what was loaded from a saved file saves as the same bytes. Loading repairs
//! nothing silently. Links, frame members and published ports of nodes that are not there (as a
//! merge of two versions may leave behind) are dropped, each with a [`Note`]; anything else that
//! breaks a rule is an error.

use super::layout::lay_out;
use super::map_counts::MapCounts;
use super::versions::{FORMAT, VERSIONS, Version, migrate, needs_migration, oldest_format_for};
use super::{
    CharacterSettings, Document, Graph, GraphRef, Link, MotionSettings, PackedFile, Published,
};
use super::{StructureError, Style, file_form};
use jounce_base::reading::{ReadError, read_file};
use jounce_files::{FillError, WriteError, write_atomically};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// No file is larger; a painted map takes at most about 11 bytes per vertex.
pub const MAX_BYTES: usize = 256 << 20;
/// Nor are its painted maps, unfolded.
const MOST_MAP_NUMBERS: u64 = MAX_BYTES as u64 / 4;

#[derive(Debug, Error)]
pub enum FileError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: ReadError },
    #[error("the document is larger than {} MB; use smaller or fewer painted maps, or save it without packing", MAX_BYTES >> 20)]
    TooLarge,
    #[error(
        "this is not JSON text ({message} at {line}:{column}); look there for a missing or extra comma or bracket (JSON has no comments, and no comma after the last entry)"
    )]
    NotJson { line: usize, column: usize, message: String },
    #[error("this is not a Jounce document, because it has no \"format\"; open a .jounce file")]
    NotJounce,
    #[error(
        "\"format\" is {found}, but this Jounce reads only {}; correct it, or open another file",
        known_formats()
    )]
    BadFormat { found: String },
    #[error(
        "this document was made by a newer Jounce (format {found}, known up to {FORMAT}); update Jounce to open it"
    )]
    Newer { found: u64 },
    #[error(
        "the document is not in the expected form: {message} at {line}:{column}; correct it there (docs/format.md explains the format)"
    )]
    Malformed { line: usize, column: usize, message: String },
    #[error("the document (format {from}) cannot be updated: {message}; open an older copy")]
    Migration { from: u64, message: String },
    #[error("the document contradicts itself: {0}")]
    Structure(#[from] StructureError),
    #[error("the document cannot be written as text: {message}; undo the last change")]
    Unwritable { message: String },
    #[error(transparent)]
    Write(#[from] WriteError),
}

fn known_formats() -> String {
    match FORMAT {
        1 => "format 1".to_owned(),
        latest => format!("formats 1 to {latest}"),
    }
}

/// What was dropped when a document was read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Note {
    #[error("{graph}: the wire {link} was dropped, because one of its nodes is missing")]
    Link { graph: GraphRef, link: Link },
    #[error("{graph}: {node:?} was dropped from the frame {frame:?}, because the node is missing")]
    Member { graph: GraphRef, frame: String, node: String },
    #[error("{graph}: the published port {name:?} was dropped, because its node is missing")]
    Published { graph: GraphRef, name: String },
}

#[derive(Debug)]
pub struct Loaded {
    pub document: Document,
    pub notes: Vec<Note>,
}

#[derive(Deserialize)]
struct Head {
    format: Option<Value>,
    #[serde(default)]
    characters: MapCounts,
}

/// Each part may be missing: a file may hold a style alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(default)]
    style: Style,
    #[serde(default, deserialize_with = "file_form::unique_map")]
    characters: BTreeMap<String, CharacterSettings>,
    #[serde(default)]
    motion: MotionSettings,
    #[serde(default, deserialize_with = "file_form::unique_map")]
    packed: BTreeMap<String, PackedFile>,
}

impl Document {
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded, FileError> {
        let path = path.as_ref();
        let bytes = read_file(path, MAX_BYTES as u64).map_err(|source| match source {
            ReadError::TooLarge { .. } => FileError::TooLarge,
            source => FileError::Read { path: path.to_owned(), source },
        })?;
        Document::from_bytes(&bytes)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Loaded, FileError> {
        if bytes.len() > MAX_BYTES {
            return Err(FileError::TooLarge);
        }
        // Some editors put a byte order mark in front.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let Parts { style, characters, motion, packed, .. } = parts_of(bytes, &VERSIONS)?;
        let mut document = Document { style, characters, motion, packed };
        let notes = drop_dangling(&mut document.style);
        for settings in document.characters.values_mut() {
            settings.bone_values.retain(|_, bones| !bones.is_empty());
        }
        document.characters.retain(|_, settings| !settings.is_empty());
        document.motion.keys.retain(|_, keys| !keys.is_empty());
        document.validate_invariants()?;
        Ok(Loaded { document, notes })
    }

    /// The text of a file.
    pub fn to_text(&self) -> Result<String, FileError> {
        self.validate_invariants()?;
        let unwritable =
            |error: serde_json::Error| FileError::Unwritable { message: error.to_string() };
        let mut value = serde_json::to_value(self).map_err(unwritable)?;
        if let Value::Object(parts) = &mut value {
            // What the motion named once may be named again after an undo; a file needs it no more.
            let is_named = |name: &str| self.motion.files().any(|named| named == name);
            if let Some(Value::Object(packed)) = parts.get_mut("packed") {
                packed.retain(|name, _| is_named(name));
            }
            let is_bare = |packed: &Value| packed.as_object().is_some_and(|it| it.is_empty());
            if parts.get("packed").is_some_and(is_bare) {
                parts.remove("packed");
            }
        }
        let format = oldest_format_for(&value, &VERSIONS);
        if let Value::Object(parts) = &mut value {
            parts.insert("format".to_owned(), Value::from(format));
        }
        let text = lay_out(&value, "format");
        if text.len() > MAX_BYTES { Err(FileError::TooLarge) } else { Ok(text) }
    }

    /// Writes a file that is complete or not there.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let text = self.to_text()?;
        write_atomically(path.as_ref(), |out| {
            out.write_all(text.as_bytes()).map_err(FillError::Write)
        })
    }
}

/// Where formats differ in keys alone, the text is read as it is: errors then know their place in it.
fn parts_of(bytes: &[u8], versions: &[Version]) -> Result<Parts, FileError> {
    let format = format_of(bytes, versions.len() as u64 + 1)?;
    if !needs_migration(format, versions) {
        return serde_json::from_slice(bytes).map_err(malformed);
    }
    let value = serde_json::from_slice(bytes).map_err(malformed)?;
    let failed = |(from, message)| FileError::Migration { from, message };
    let value = migrate(value, format, versions).map_err(failed)?;
    serde_json::from_value(value).map_err(|error| failed((format, without_place(&error))))
}

fn format_of(bytes: &[u8], newest: u64) -> Result<u64, FileError> {
    let head: Head = serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => FileError::NotJounce,
        _ => {
            let (line, column) = (error.line(), error.column());
            FileError::NotJson { line, column, message: without_place(&error) }
        }
    })?;
    let format = head.format.ok_or(FileError::NotJounce)?;
    if head.characters.sum > MOST_MAP_NUMBERS {
        return Err(FileError::TooLarge);
    }
    match format.as_u64() {
        Some(found) if found > newest => Err(FileError::Newer { found }),
        Some(found) if found > 0 => Ok(found),
        _ => {
            let found: String = format.to_string().chars().take(40).collect();
            Err(FileError::BadFormat { found })
        }
    }
}

fn malformed(error: serde_json::Error) -> FileError {
    let (line, column) = (error.line(), error.column());
    FileError::Malformed { line, column, message: without_place(&error) }
}

/// The place is told by our own words.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

fn drop_dangling(style: &mut Style) -> Vec<Note> {
    let mut notes = Vec::new();
    drop_in_graph(&GraphRef::Top, &mut style.graph, &mut notes);
    for (name, group) in &mut style.groups {
        let graph = GraphRef::Group(name.clone());
        drop_in_graph(&graph, &mut group.graph, &mut notes);
        let nodes = &group.graph.nodes;
        let mut known = |port: &Published| {
            let known = nodes.contains_key(&port.inner.node);
            if !known {
                notes.push(Note::Published { graph: graph.clone(), name: port.name.clone() });
            }
            known
        };
        group.inputs.retain(&mut known);
        group.outputs.retain(&mut known);
    }
    notes
}

fn drop_in_graph(graph_ref: &GraphRef, graph: &mut Graph, notes: &mut Vec<Note>) {
    let nodes = &graph.nodes;
    graph.links.retain(|link| {
        let known = nodes.contains_key(&link.from.node) && nodes.contains_key(&link.to.node);
        if !known {
            notes.push(Note::Link { graph: graph_ref.clone(), link: link.clone() });
        }
        known
    });
    for (id, frame) in &mut graph.frames {
        frame.members.retain(|node| {
            let known = nodes.contains_key(node);
            if !known {
                let (graph, frame, node) = (graph_ref.clone(), id.clone(), node.clone());
                notes.push(Note::Member { graph, frame, node });
            }
            known
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error_of(text: &str) -> String {
        Document::from_bytes(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_opened_says_why_and_what_to_do() {
        let cases = [
            ("{\"format\": 1,\n oops", "not JSON text (key must be a string at 2:2)"),
            ("", "not JSON text (EOF while parsing a value at 1:0)"),
            ("[]", "not a Jounce document"),
            ("3", "not a Jounce document"),
            ("{\"asset\": {}}", "not a Jounce document"),
            ("{\"format\": 0}", "\"format\" is 0"),
            ("{\"format\": -1}", "\"format\" is -1"),
            ("{\"format\": \"1\"}", "\"format\" is \"1\""),
            ("{\"format\": 4}", "made by a newer Jounce (format 4, known up to 3); update Jounce"),
            ("{\"format\": 1, \"stile\": {}}", "unknown field `stile`"),
            ("{\"format\": 1, \"motion\": {\"fps\": 1e999}}", "number out of range"),
            ("{\"format\": 1, \"motion\": {\"fps\": 0}}", "frames per second must be more than 0"),
            (
                "{\"format\": 1, \"characters\": {\"cow\": {\"maps\": {\"soft\": [1e300]}}}}",
                "number out of range",
            ),
            (
                "{\"format\": 1, \"style\": {\"graph\": {\"nodes\": {\"a.b\": {\"type\": \"T\"}}}}}",
                "cannot name a node",
            ),
            (
                "{\"format\": 1, \"style\": {\"graph\": {\"nodes\": {\"a\": {\"type\": \"T\"}, \"a\": {\"type\": \"U\"}}}}}",
                "\"a\" appears twice",
            ),
        ];
        for (text, expected) in cases {
            let error = error_of(text);
            assert!(error.contains(expected), "{text}: {error}");
            assert!(!error.contains(" at line "), "{error}");
        }
        let start =
            r#"{"format": 1, "style": {"graph": {"nodes": {"a": {"type": "T", "settings": {"s": "#;
        let nested = |depth: usize| {
            format!("{start}{}{}{}", "[".repeat(depth), "]".repeat(depth), "}".repeat(6))
        };
        let deep = nested(100_000);
        assert!(error_of(&deep).contains("recursion limit exceeded"), "{}", error_of(&deep));
        assert!(error_of(&nested(50)).contains("nested too deeply"), "{}", error_of(&nested(50)));
    }

    #[test]
    fn what_a_merge_left_behind_is_dropped_with_a_note() {
        let text = json!({"format": 1, "style": {
            "graph": {
                "nodes": {"a": {"type": "T"}},
                "links": [["a.x", "gone.y"]],
                "frames": {"f": {"title": "", "color": [0, 0, 0], "members": ["a", "gone"]}},
            },
            "groups": {"G": {"inputs": [["in", "gone.y"]]}},
        }});
        let loaded = Document::from_bytes(text.to_string().as_bytes()).unwrap();
        assert_eq!(loaded.notes.len(), 3);
        assert!(loaded.document.style.graph.links.is_empty());
        assert_eq!(loaded.document.style.graph.frames["f"].members.len(), 1);
    }

    /// What a later format means is not known here, so it is not guessed.
    #[test]
    fn later_formats_are_refused_and_the_oldest_is_written() {
        let text = |format: u64| {
            let nodes = r#"{"graph": {"nodes": {"a": {"type": "T"}}}}"#;
            format!(r#"{{"format": {format}, "style": {nodes}}}"#)
        };
        let error = Document::from_bytes(text(FORMAT + 1).as_bytes()).unwrap_err().to_string();
        assert!(error.contains("made by a newer Jounce"), "{error}");
        let document = Document::from_bytes(text(1).as_bytes()).unwrap().document;
        let written = document.to_text().unwrap();
        assert!(written.contains("\"format\": 1,"), "{written}");
        assert_eq!(Document::from_bytes(written.as_bytes()).unwrap().document, document);
    }

    /// A table in which format 2 calls the look of format 1 a style.
    #[test]
    fn a_file_is_brought_up_to_date_before_it_is_understood() {
        fn rename_look(mut document: Value) -> Result<Value, String> {
            let parts = document.as_object_mut().ok_or("it is no object")?;
            let look = parts.remove("look").ok_or("it has no look")?;
            parts.insert("style".to_owned(), look);
            Ok(document)
        }
        let table = [Version { new_keys: &[], migration: Some(rename_look) }];
        let nodes = r#"{"graph": {"nodes": {"a": {"type": "T"}}}}"#;
        let read = |format: u64, key: &str, nodes: &str| {
            parts_of(format!(r#"{{"format": {format}, "{key}": {nodes}}}"#).as_bytes(), &table)
        };
        let error = |parts: Result<Parts, FileError>| parts.map(|_| ()).unwrap_err().to_string();
        for (format, key) in [(1, "look"), (2, "style")] {
            assert_eq!(read(format, key, nodes).unwrap().style.graph.nodes.len(), 1);
        }
        assert!(error(read(2, "look", nodes)).contains("unknown field `look`"));
        let missing = error(read(1, "style", nodes));
        assert!(missing.contains("(format 1) cannot be updated: it has no look"));
        let wrong = error(read(1, "look", "5"));
        assert!(wrong.contains("cannot be updated: invalid type"), "{wrong}");
    }
}
