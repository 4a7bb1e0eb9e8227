//! What of a graph can be looked at, said of its program: ports as values of the vertices, and what goes
//! into nodes that remember and comes out.

use super::Value;

/// A port to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPort {
    /// As in [`super::Origin::node`].
    pub node: String,
    /// An output, or else an input, of that name; with [`input_port`] always the input.
    pub port: String,
    /// Of what differs from bone to bone, only the part of this bone or flesh element.
    pub bone: Option<String>,
}

/// What an input is called where an output may have the same name.
pub fn input_port(name: &str) -> String {
    format!("{INPUT}{name}")
}

/// In front of an input's name, see [`input_port`].
pub const INPUT: &str = "in:";

impl ShownPort {
    /// As it is written at the pin, and whether it is an input for sure.
    pub fn named(&self) -> (&str, bool) {
        match self.port.strip_prefix(INPUT) {
            Some(name) => (name, true),
            None => (&self.port, false),
        }
    }
}

/// A node that remembers and is fed with a value of bones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// As in [`super::Origin::node`].
    pub node: String,
    pub inputs: Vec<FilterPort>,
    pub outputs: Vec<FilterPort>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterPort {
    pub name: String,
    /// A float or vec3 of rate bone.
    pub value: Value,
    /// The node path and output that it comes from; of an output its own, unless the node only hands on
    /// what it was given. None where several wires are added, or no wire leads there.
    pub giver: Option<(String, String)>,
}

impl Filter {
    pub fn ports(&mut self) -> impl Iterator<Item = &mut FilterPort> {
        self.inputs.iter_mut().chain(&mut self.outputs)
    }
}
