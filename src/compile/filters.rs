//! Nodes that remember: what goes in and what comes out, so that it can be looked at.

use crate::ir::{Builder, Rate, Value};
use crate::script::{NodeType, PortType, Val, identifier};

/// A node that remembers and is fed with a value of bones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// As in [`crate::ir::Origin::node`].
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
    pub(super) fn ports(&mut self) -> impl Iterator<Item = &mut FilterPort> {
        self.inputs.iter_mut().chain(&mut self.outputs)
    }
}

/// Of the node that was just compiled; None if it filters nothing that bones have.
pub(super) fn filter_of(
    builder: &Builder,
    node_type: &NodeType,
    inputs: &[(String, Val)],
    outputs: &[(String, Val)],
) -> Option<Filter> {
    if node_type.states.is_empty() {
        return None;
    }
    let port = |name: &str, value: &Val| match *value {
        Val::Float(value) | Val::Vec3(value) if builder.rate(value) == Rate::Bone => {
            Some(FilterPort { name: name.to_owned(), value, giver: None })
        }
        _ => None,
    };
    // A float is a setting, such as a frequency that differs from bone to bone, unless it comes out again.
    let is_filtered = |name: &str, ty: PortType| {
        matches!(ty, PortType::Any | PortType::Vec3) || node_type.output(name).is_some()
    };
    let filtered = node_type.inputs.iter().filter(|input| is_filtered(&input.name, input.ty));
    let inputs: Vec<FilterPort> = filtered
        .filter_map(|input| {
            let called = identifier(&input.name);
            let (_, value) = inputs.iter().find(|(name, _)| *name == called)?;
            port(&input.name, value)
        })
        .collect();
    let outputs: Vec<FilterPort> =
        outputs.iter().filter_map(|(name, value)| port(name, value)).collect();
    let is_filter = !inputs.is_empty() && !outputs.is_empty();
    is_filter.then(|| Filter { node: builder.node().to_owned(), inputs, outputs })
}
