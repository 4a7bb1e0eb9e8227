//! What leaves a node that is muted or broken.

use crate::graph::Ports;
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
