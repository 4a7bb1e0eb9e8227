//! Files inside a document, as "Save Packed" stores them.
//!
//! In a file it is base64 text in lines of one length.

use super::{Document, MotionSettings};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// The bytes of a file. Cheap to clone, as documents are.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedFile(pub Arc<[u8]>);

const LINE_CHARS: usize = 120;

impl fmt::Debug for PackedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedFile({} bytes)", self.0.len())
    }
}

impl Serialize for PackedFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = STANDARD.encode(&self.0);
        let lines = text.as_bytes().chunks(LINE_CHARS);
        serializer.collect_seq(lines.map(|line| std::str::from_utf8(line).unwrap_or_default()))
    }
}

impl<'de> Deserialize<'de> for PackedFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PackedFile, D::Error> {
        let lines = Vec::<String>::deserialize(deserializer)?;
        let bytes = STANDARD.decode(lines.concat());
        let wrong = |error| D::Error::custom(format!("a packed file is not base64 text ({error})"));
        Ok(PackedFile(bytes.map_err(wrong)?.into()))
    }
}

impl MotionSettings {
    /// The files it names; a built-in character is not a file, but nothing of that name is packed either.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.character.as_deref().into_iter().chain(self.clips.as_deref())
    }
}

impl Document {
    /// Does all that its motion names travel inside it?
    pub fn is_packed(&self) -> bool {
        !self.packed.is_empty()
            && self.motion.character.as_ref().is_some_and(|name| self.packed.contains_key(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(bytes: usize) -> Document {
        let bytes: Vec<u8> = (0..bytes).map(|i| (i * 7 % 256) as u8).collect();
        let mut document = Document::default();
        document.motion.character = Some("Fox.glb".to_owned());
        document.packed.insert("Fox.glb".to_owned(), PackedFile(bytes.into()));
        document
    }

    #[test]
    fn it_comes_back_as_it_was_and_only_what_is_named_is_written() {
        for bytes in [0, 1, 2, 3, 89, 90, 91, 1000] {
            let document = packed(bytes);
            let text = document.to_text().unwrap();
            assert!(text.lines().all(|line| line.len() < 140), "{text}");
            assert_eq!(Document::from_bytes(text.as_bytes()).unwrap().document, document);
        }
        let mut other = packed(10);
        other.motion.character = Some("cow".to_owned());
        assert!(!other.to_text().unwrap().contains("packed"));
    }

    #[test]
    fn what_is_no_base64_is_said() {
        let text = r#"{"format": 1, "packed": {"a.glb": ["AA$="]}}"#;
        let error = Document::from_bytes(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("a packed file is not base64 text"), "{error}");
    }
}
