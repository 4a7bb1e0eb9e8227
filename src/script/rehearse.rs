//! Compiles a new node once with stand-ins for its inputs, so that a mistake is found when the
//! script is read, not when somebody uses the node.

use super::error::ScriptError;
use super::kernel::{Val, evaluate, identifier};
use super::node_type::{DefaultInput, NodeType, PortType, Setting};
use crate::ir::{Builder, Number, Op, Parameter, Source, Type, Value};

pub fn rehearse(node_type: &NodeType) -> Result<(), ScriptError> {
    if !node_type.states.is_empty() {
        // Names of states have no meaning yet.
        return Ok(());
    }
    let has_any = node_type.inputs.iter().any(|input| input.ty == PortType::Any);
    rehearse_with(node_type, false)?;
    if has_any { rehearse_with(node_type, true) } else { Ok(()) }
}

fn rehearse_with(node_type: &NodeType, any_is_vec3: bool) -> Result<(), ScriptError> {
    let mut builder = Builder::default();
    let ports: Vec<(String, Val)> = node_type
        .inputs
        .iter()
        .map(|input| {
            let value = match (&input.default, input.ty) {
                (_, PortType::Any) if any_is_vec3 => stand_in(&mut builder, PortType::Vec3),
                (DefaultInput::Setting(setting), ty) if ty.is_compile_time() => {
                    known(&mut builder, ty, setting)
                }
                (_, ty) => stand_in(&mut builder, ty),
            };
            (identifier(&input.name), value)
        })
        .collect();
    let result = evaluate(&node_type.kernel, &mut builder, ports)?;
    node_type.kernel.outputs(&mut builder, node_type, result, any_is_vec3)?;
    Ok(())
}

/// A setting that is decided before compiling, as `eval` sees it.
pub fn known(builder: &mut Builder, ty: PortType, setting: &Setting) -> Val {
    match (ty, setting) {
        (PortType::Int, Setting::Float(x)) => Val::Int(x.round() as i64),
        (PortType::Bool, Setting::Bool(b)) => Val::Bool(builder.constant(Number::Bool(*b))),
        (_, Setting::Text(text)) => Val::Text(text.clone()),
        _ => Val::Unit,
    }
}

/// Something that is only known while running.
fn stand_in(builder: &mut Builder, ty: PortType) -> Val {
    match ty {
        PortType::Vec3 => Val::Vec3(slider(builder, Type::Vec3)),
        PortType::Quat => Val::source(builder, Source::BoneRotation),
        PortType::Mat3 => {
            let column = slider(builder, Type::Vec3);
            Val::Mat3([column; 3])
        }
        _ => Val::Float(slider(builder, Type::Float)),
    }
}

fn slider(builder: &mut Builder, ty: Type) -> Value {
    let place = builder.tables.parameters.len() as u32;
    builder.tables.parameters.push(Parameter {
        node: String::new(),
        port: String::new(),
        exposed: None,
        value: Number::zero(ty),
        soft: None,
        hard: None,
    });
    builder.leaf(Op::Parameter(place, ty))
}
