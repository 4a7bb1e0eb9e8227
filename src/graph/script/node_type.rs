//! What a node script declares: typed ports, words for people, and a kernel.

use jounce_ir::{Column, Source};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PortType {
    Float,
    Int,
    Bool,
    Vec3,
    Quat,
    Mat3,
    /// Float or vec3: all ports of this type on one node are vec3 if any of them is fed with one.
    Any,
    /// One of a list of words; decided before compiling.
    Choice,
    /// A name; decided before compiling.
    Text,
}

impl PortType {
    /// Set before compiling: it cannot be linked, and changing it compiles again.
    pub fn is_compile_time(self) -> bool {
        matches!(self, PortType::Int | PortType::Bool | PortType::Choice | PortType::Text)
    }

    /// May a link go from an output of this type to an input of the other? A float broadcasts.
    pub fn fits(self, input: PortType) -> bool {
        use PortType::{Any, Float, Vec3};
        match (self, input) {
            (a, b) if a.is_compile_time() || b.is_compile_time() => false,
            (a, b) if a == b => true,
            (Float | Vec3 | Any, Any) | (Any | Float, Vec3) => true,
            // Whether an ANY output is a float is seen when the graph is checked.
            (Any, Float) => true,
            _ => false,
        }
    }
}

impl fmt::Display for PortType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PortType::Float => "float",
            PortType::Int => "int",
            PortType::Bool => "bool",
            PortType::Vec3 => "vec3",
            PortType::Quat => "quat",
            PortType::Mat3 => "mat3",
            PortType::Any => "float or vec3",
            PortType::Choice => "choice",
            PortType::Text => "text",
        })
    }
}

/// A setting of an input, as a document keeps it. In JSON: a number, a word, true or false, or a
/// list of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    Bool(bool),
    Float(f64),
    Vec3([f64; 3]),
    /// x, y, z, w.
    Quat([f64; 4]),
    /// A choice's word, or a name.
    Text(String),
    /// What only a node type that is not known here understands; kept as it is.
    Other(serde_json::Value),
}

/// What an unconnected input is.
#[derive(Clone, Debug, PartialEq)]
pub enum DefaultInput {
    /// A value that people can set.
    Setting(Setting),
    /// Data of the character.
    Source(Source),
    /// A bone's velocity or acceleration, as it is, unsmoothed.
    Motion(jounce_ir::op::MotionPart),
}

#[derive(Clone, Debug, PartialEq)]
pub struct InputPort {
    pub name: String,
    pub ty: PortType,
    pub default: DefaultInput,
    /// Where the slider ends; typing may pass it.
    pub soft: Option<(f64, f64)>,
    /// What it may be.
    pub hard: Option<(f64, f64)>,
    pub unit: String,
    pub help: String,
    /// Only for a choice.
    pub choices: Vec<String>,
    /// Takes several wires, and adds them.
    pub adds: bool,
}

impl InputPort {
    /// Is the setting of the right kind, and one of the choices?
    pub fn accepts(&self, setting: &Setting) -> bool {
        match (self.ty, setting) {
            (PortType::Float, Setting::Float(_)) => true,
            (PortType::Int, Setting::Float(x)) => x.fract() == 0.0,
            (PortType::Any, Setting::Float(_) | Setting::Vec3(_)) => true,
            (PortType::Vec3, Setting::Vec3(_)) => true,
            (PortType::Bool, Setting::Bool(_)) => true,
            (PortType::Quat | PortType::Mat3, Setting::Quat(_)) => true,
            (PortType::Choice, Setting::Text(word)) => self.choices.contains(word),
            (PortType::Text, Setting::Text(_)) => true,
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct OutputPort {
    pub name: String,
    pub ty: PortType,
    pub help: String,
    /// Leaves the node summed over the vertex's bones. The value before is another output; see
    /// `per_bone_of`.
    pub sum: Option<Column>,
    /// This is the value of the output of that place before it was summed.
    pub per_bone_of: Option<usize>,
}

/// A value kept from step to step.
#[derive(Clone, Debug, PartialEq)]
pub struct StatePort {
    pub name: String,
    pub ty: PortType,
    /// For a history: how many seconds it reaches back.
    pub history_secs: Option<f64>,
    /// For a state: what it begins with; None is 0. A float has the same number three times.
    pub initial: Option<[f64; 3]>,
    /// For a state: it is a point in the scene, see [`jounce_ir::State::is_place`].
    pub is_place: bool,
}

impl StatePort {
    /// A state that begins with 0.
    pub fn new(name: String, ty: PortType) -> StatePort {
        StatePort { name, ty, history_secs: None, initial: None, is_place: false }
    }
}

/// Where a script was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptOrigin {
    BuiltIn,
    File(PathBuf),
    /// In an Expression node of a document.
    Document,
}

/// A kind of node.
#[derive(Clone, Debug)]
pub struct NodeType {
    pub name: String,
    pub category: String,
    /// Paragraphs; the first sentence stands alone.
    pub doc: String,
    /// Other words under which people look for it.
    pub also: Vec<String>,
    pub inputs: Vec<InputPort>,
    pub outputs: Vec<OutputPort>,
    pub states: Vec<StatePort>,
    pub kernel: super::Kernel,
    pub origin: ScriptOrigin,
    /// The script itself, for people to read and to go on from.
    pub code: Arc<str>,
}

impl NodeType {
    pub fn input(&self, name: &str) -> Option<&InputPort> {
        self.inputs.iter().find(|port| port.name == name)
    }

    pub fn output(&self, name: &str) -> Option<(usize, &OutputPort)> {
        self.outputs.iter().enumerate().find(|(_, port)| port.name == name)
    }

    /// The first sentence of the documentation, with formulas and papers in brackets.
    pub fn first_sentence(&self) -> String {
        let paragraph = self.doc.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        let mut depth = 0;
        let mut was_stop = false;
        // In brackets a full stop may end a shortened word.
        let goes_on = |c: &char| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            let ends = was_stop && *c == ' ';
            was_stop = *c == '.' && depth == 0;
            !ends
        };
        paragraph.chars().take_while(goes_on).collect::<String>().trim().to_owned()
    }

    /// The same without what stands in brackets.
    pub fn summary(&self) -> String {
        let sentence = self.first_sentence();
        let mut depth = 0;
        let plain = sentence.chars().filter(|c| {
            depth += i32::from(*c == '(');
            let is_outside = depth == 0;
            depth -= i32::from(*c == ')');
            is_outside
        });
        plain.collect::<String>().replace(" .", ".").replace(" :", ":").trim().to_owned()
    }
}
