//! Nodes that remember: what goes in and what comes out, so that it can be looked at.

use crate::script::{NodeType, PortType, Val, identifier};
use jounce_ir::looking::{Filter, FilterPort};
use jounce_ir::{Builder, Rate};

/// The filter of the node that was just compiled; None if it does not filter values of bones.
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
