//! What is written down, exactly: the fields of formats 1 and 2. Nothing here may change its meaning.

use super::tables::SavedTables;
use crate::program::WeightKind;
use crate::{Number, Type};
use glam::DVec3;
use jounce_base::{Base, Hierarchy};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is read of a text first.
#[derive(Deserialize)]
pub struct FormatOnly {
    pub format: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedProgram {
    pub format: u64,
    pub base: SavedBase,
    /// Since format 2; without it, bones have the file's parents.
    #[serde(default)]
    pub hierarchy: Option<SavedHierarchy>,
    pub position: u32,
    pub tables: SavedTables,
    #[serde(default)]
    pub memory: SavedMemory,
    #[serde(default)]
    pub titles: BTreeMap<String, String>,
    #[serde(default)]
    pub kinds: BTreeMap<String, String>,
    #[serde(default)]
    pub sentences: BTreeMap<String, String>,
    pub values: Vec<SavedValue>,
}

impl SavedProgram {
    /// A line for each value, so that people and version control can read it.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let head = SavedHead {
            format: self.format,
            base: self.base,
            hierarchy: self.hierarchy,
            position: self.position,
            tables: &self.tables,
            memory: &self.memory,
            titles: &self.titles,
            kinds: &self.kinds,
            sentences: &self.sentences,
        };
        let mut text = serde_json::to_string_pretty(&head)?;
        // The values stand where the closing brace was.
        text.truncate(text.strip_suffix("\n}").map_or(0, str::len));
        text.push_str(",\n  \"values\": [");
        for (place, value) in self.values.iter().enumerate() {
            text.push_str(if place == 0 { "\n    " } else { ",\n    " });
            text.push_str(&serde_json::to_string(value)?);
        }
        text.push_str("\n  ]\n}\n");
        Ok(text)
    }
}

/// All but the values.
#[derive(Serialize)]
struct SavedHead<'a> {
    format: u64,
    base: SavedBase,
    #[serde(skip_serializing_if = "Option::is_none")]
    hierarchy: Option<SavedHierarchy>,
    position: u32,
    tables: &'a SavedTables,
    memory: &'a SavedMemory,
    titles: &'a BTreeMap<String, String>,
    kinds: &'a BTreeMap<String, String>,
    sentences: &'a BTreeMap<String, String>,
}

/// Places of values.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedMemory {
    pub initial: Vec<u32>,
    pub next: Vec<u32>,
    pub recorded: Vec<u32>,
}

/// A value: its operation, and where it came from.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedValue {
    pub op: String,
    /// Places of the values that it is made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<u32>,
    /// Which source, or which part of a motion.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub is: String,
    /// Which entry of a table, which component, or how often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
    /// Of a parameter.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub ty: Option<SavedType>,
    /// Of a constant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<SavedNumber>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub node: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// JSON knows no infinity; limits of sliders may be one.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SavedFloat {
    Number(f64),
    Word(String),
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SavedNumber {
    Bool(bool),
    Vec3([SavedFloat; 3]),
    Float(SavedFloat),
}

/// A small enum under its own names, both ways; a variant without a name does not compile.
macro_rules! saved_names {
    ($(#[$doc:meta])* $saved:ident for $of:ty { $($variant:ident),* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum $saved {
            $($variant,)*
        }

        impl From<$of> for $saved {
            fn from(it: $of) -> $saved {
                match it {
                    $(<$of>::$variant => $saved::$variant,)*
                }
            }
        }

        impl From<$saved> for $of {
            fn from(it: $saved) -> $of {
                match it {
                    $($saved::$variant => <$of>::$variant,)*
                }
            }
        }
    };
}

saved_names! { SavedBase for Base { Lbs, Dqs } }
saved_names! { SavedHierarchy for Hierarchy { File, Motion } }
saved_names! { SavedType for Type { Float, Bool, Vec3 } }
saved_names! { SavedWeight for WeightKind { Upward, Downward, Skin, Flesh, Anchored } }

impl From<f64> for SavedFloat {
    fn from(x: f64) -> SavedFloat {
        if x.is_finite() { SavedFloat::Number(x) } else { SavedFloat::Word(x.to_string()) }
    }
}

impl SavedFloat {
    /// A text that is not a number reads as NaN: nothing that must be sane takes it.
    pub fn float(&self) -> f64 {
        match self {
            SavedFloat::Number(x) => *x,
            SavedFloat::Word(word) => match word.as_str() {
                "inf" => f64::INFINITY,
                "-inf" => f64::NEG_INFINITY,
                _ => f64::NAN,
            },
        }
    }
}

impl From<Number> for SavedNumber {
    fn from(number: Number) -> SavedNumber {
        match number {
            Number::Bool(is) => SavedNumber::Bool(is),
            Number::Float(x) => SavedNumber::Float(x.into()),
            Number::Vec3(v) => SavedNumber::Vec3(v.to_array().map(SavedFloat::from)),
        }
    }
}

impl SavedNumber {
    pub fn number(&self) -> Number {
        match self {
            SavedNumber::Bool(is) => Number::Bool(*is),
            SavedNumber::Float(x) => Number::Float(x.float()),
            SavedNumber::Vec3([x, y, z]) => {
                Number::Vec3(DVec3::new(x.float(), y.float(), z.float()))
            }
        }
    }
}
