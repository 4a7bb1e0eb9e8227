//! What leaves a node that is muted or broken.

use super::walk::Values;
use crate::document::{Graph, PortRef, Ports};
use crate::script::{PortType, Val};
use std::collections::BTreeMap;

/// `linked` is what arrives over wires, by input.
pub fn bypass(ports: &Ports, linked: &BTreeMap<String, Val>) -> Vec<(String, Val)> {
    let any = || {
        let mut any = ports.inputs.iter().filter(|input| input.ty == PortType::Any);
        any.find_map(|input| linked.get(&input.name))
    };
    let through = |output: &crate::script::OutputPort| {
        let same_name = ports.input(&output.name).filter(|input| input.ty.fits(output.ty));
        let value = same_name.and_then(|input| linked.get(&input.name));
        let value = value.or_else(|| any().filter(|_| output.ty == PortType::Any));
        Some((output.name.clone(), value?.clone()))
    };
    ports.outputs.iter().filter_map(through).collect()
}

/// A node whose ports nobody knows lets through what arrives at the port of the same name.
pub fn pass_by_name(
    graph: &Graph,
    id: &str,
    wires: &BTreeMap<&PortRef, Vec<&PortRef>>,
    values: &Values,
) -> Vec<(PortRef, Val)> {
    let through = graph.links_out_of(id).filter_map(|link| {
        let value = wires.get(&link.from)?.iter().find_map(|from| values.get(*from))?;
        Some((link.from.clone(), value.clone()))
    });
    through.collect()
}
