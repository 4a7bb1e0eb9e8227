//! Compiles a new node with stand-ins for its inputs, each choice in all its positions, so that a mistake is found when the
//! script is read, not when somebody uses the node.

use super::broken::Broken;
use super::error::{Fails, ScriptError};
use super::kernel::{EvaluateError, Val, evaluate_node, identifier};
use super::node_type::{DefaultInput, InputPort, NodeType, PortType, Setting};
use jounce_ir::{Builder, Number, Op, Parameter, Source, Type, Value};

/// Nodes that make more values than this are tried with their defaults only: a script must not hold
/// up the program by having many choices.
const MOST_VALUES_FOR_CHOICES: usize = 1000;
const MOST_TRIALS: usize = 32;

pub fn rehearse(node_type: &NodeType, broken: &Broken, fails: &mut Fails) {
    if broken.rest {
        return;
    }
    let mut trial = |any_is_vec3: bool, other: Option<(&InputPort, Setting)>| {
        // As many mistakes as are reported were already found: what else is wrong with other inputs can wait.
        if fails.is_full() && (any_is_vec3 || other.is_some()) {
            return false;
        }
        let tried = try_once(node_type, broken, any_is_vec3, other);
        if let Err(error) = &tried {
            fails.take(error);
        }
        match tried {
            Ok(values) => values <= MOST_VALUES_FOR_CHOICES,
            // What is too large takes long.
            Err(error) => !error.all().any(|error| error.is_limit),
        }
    };
    let mut goes_on = trial(false, None);
    if node_type.inputs.iter().any(|input| input.ty == PortType::Any) {
        goes_on &= trial(true, None);
    }
    for other in other_settings(node_type).into_iter().take(MOST_TRIALS) {
        goes_on = goes_on && trial(false, Some(other));
    }
}

/// Each choice and switch in its other positions, one at a time.
fn other_settings(node_type: &NodeType) -> Vec<(&InputPort, Setting)> {
    let mut others = Vec::new();
    for input in &node_type.inputs {
        let choices = input.choices.iter().map(|word| Setting::Text(word.clone()));
        let switches = [true, false].map(Setting::Bool).into_iter();
        let all: Vec<Setting> = match input.ty {
            PortType::Choice => choices.collect(),
            PortType::Bool => switches.collect(),
            _ => continue,
        };
        let is_other = |setting: &Setting| input.default != DefaultInput::Setting(setting.clone());
        others.extend(all.into_iter().filter(is_other).map(|setting| (input, setting)));
    }
    others
}

/// How many values it makes.
fn try_once(
    node_type: &NodeType,
    broken: &Broken,
    any_is_vec3: bool,
    other: Option<(&InputPort, Setting)>,
) -> Result<usize, ScriptError> {
    let mut builder = Builder::default();
    let mut ports = Vec::with_capacity(node_type.inputs.len());
    for input in &node_type.inputs {
        let set = other.as_ref().filter(|(port, _)| port.name == input.name);
        let set = set.map(|(_, setting)| DefaultInput::Setting(setting.clone()));
        let value = match (set.as_ref().unwrap_or(&input.default), input.ty) {
            (_, PortType::Any) if any_is_vec3 => stand_in(&mut builder, PortType::Vec3),
            (DefaultInput::Setting(setting), ty) if ty.is_compile_time() => {
                known(&mut builder, ty, setting)
            }
            (_, ty) => stand_in(&mut builder, ty),
        };
        ports.push((identifier(&input.name), value));
    }
    let is_known = |name: &String| ports.iter().any(|(known, _)| known == name);
    let unknown = broken.names.iter().filter(|name| !is_known(name));
    let unknown: Vec<_> = unknown.map(|name| (name.clone(), Val::Unknown)).collect();
    ports.extend(unknown);
    let result = match evaluate_node(node_type, &mut builder, &ports, any_is_vec3) {
        Ok(result) => result,
        // Stand-ins are the same for all vertices; what the node is fed with is seen in a graph.
        Err(EvaluateError::PerVertex { name }) => {
            return Err(node_type.kernel.remembers_vertices(&name));
        }
        Err(EvaluateError::Script(error)) => return Err(error),
    };
    if !broken.has_outputs() {
        node_type.kernel.outputs(&mut builder, node_type, result, any_is_vec3)?;
    }
    Ok(builder.len())
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

/// Something that is known only while the graph runs.
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
