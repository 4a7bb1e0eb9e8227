//! What an input is: what is linked to it, else what is set, else its default.

use super::Constants;
use crate::document::Node;
use crate::script::functions::algebra;
use crate::script::{DefaultInput, InputPort, PortType, Setting, Val, known};
use glam::DVec3;
use jounce_ir::{Builder, Number, Op, Parameter, Value};

/// The value at an input that nothing is linked to.
pub fn unlinked(
    builder: &mut Builder,
    constants: &Constants,
    path: &str,
    node: &Node,
    input: &InputPort,
) -> Val {
    let setting = node.settings.get(&input.name);
    if let Some(value) =
        setting.and_then(|setting| set_value(builder, constants, path, input, setting))
    {
        return value;
    }
    match &input.default {
        DefaultInput::Setting(setting) => of_setting(builder, constants, path, input, setting),
        DefaultInput::Source(source) => Val::source(builder, *source),
        DefaultInput::Motion(part) => {
            let unsmoothed = builder.float(0.0);
            Val::Vec3(builder.motion(*part, unsmoothed))
        }
    }
}

/// The value of a setting; None if it is of the wrong kind.
pub fn set_value(
    builder: &mut Builder,
    constants: &Constants,
    path: &str,
    input: &InputPort,
    setting: &Setting,
) -> Option<Val> {
    input.accepts(setting).then(|| of_setting(builder, constants, path, input, setting))
}

/// Numbers become parameters, so that no slider ever compiles again; the rest is known now.
fn of_setting(
    builder: &mut Builder,
    constants: &Constants,
    path: &str,
    input: &InputPort,
    setting: &Setting,
) -> Val {
    match (input.ty, setting) {
        (ty, _) if ty.is_compile_time() => known(builder, ty, setting),
        (_, Setting::Float(x)) => {
            let value = parameter(builder, constants, path, input, Number::Float(*x));
            match input.ty {
                PortType::Vec3 => Val::Vec3(builder.splat(value)),
                _ => Val::Float(value),
            }
        }
        (_, Setting::Vec3(v)) => Val::Vec3(parameter(
            builder,
            constants,
            path,
            input,
            Number::Vec3(DVec3::from_array(*v)),
        )),
        (ty, Setting::Quat([x, y, z, w])) => {
            let q = glam::DQuat::from_xyzw(*x, *y, *z, *w);
            let q = if q.length_squared() > 0.0 { q.normalize() } else { glam::DQuat::IDENTITY };
            match ty {
                PortType::Mat3 => {
                    let columns = glam::DMat3::from_quat(q).to_cols_array_2d();
                    Val::Mat3(columns.map(|c| builder.constant(Number::Vec3(c.into()))))
                }
                _ => {
                    let xyz = builder.constant(Number::Vec3(DVec3::new(q.x, q.y, q.z)));
                    Val::Quat(xyz, builder.float(q.w))
                }
            }
        }
        _ => Val::Unit,
    }
}

fn parameter(
    builder: &mut Builder,
    constants: &Constants,
    path: &str,
    input: &InputPort,
    value: Number,
) -> Value {
    let constant = || constants.get(&(path.to_owned(), input.name.clone()));
    if !constants.is_empty()
        && let Some(constant) = constant().filter(|constant| constant.ty() == value.ty())
    {
        return builder.constant(*constant);
    }
    // Each input of each node is reached once, so there is no entry yet.
    builder.tables.parameters.push(Parameter {
        node: path.to_owned(),
        port: input.name.clone(),
        exposed: None,
        value,
        soft: input.soft,
        hard: input.hard,
    });
    let place = builder.tables.parameters.len() - 1;
    let value = builder.leaf(Op::Parameter(place as u32, value.ty()));
    builder.name(value, &input.name);
    value
}

/// What arrives over wires; None if nothing does, or only what does not fit.
pub fn linked(builder: &mut Builder, input: &InputPort, arriving: &[Val]) -> Option<Val> {
    let mut fitting =
        arriving.iter().filter_map(|val| fit(builder, input.ty, val)).collect::<Vec<_>>();
    if !input.adds {
        fitting.truncate(1);
    }
    let add = |a: Val, b: Val| algebra::add(builder, &a, &b).unwrap_or(a);
    let value = fitting.into_iter().reduce(add)?;
    // What an input may be holds for wires as for sliders.
    let Some((low, high)) = input.hard else {
        return Some(value);
    };
    let (low, high) = (Val::Float(builder.float(low)), Val::Float(builder.float(high)));
    algebra::clamp(builder, &value, &low, &high).or(Some(value))
}

/// A float counts for all components of a vec3.
fn fit(builder: &mut Builder, ty: PortType, val: &Val) -> Option<Val> {
    match (ty, val) {
        (PortType::Float, Val::Float(_))
        | (PortType::Any, Val::Float(_) | Val::Vec3(_))
        | (PortType::Quat, Val::Quat(..))
        | (PortType::Mat3, Val::Mat3(_)) => Some(val.clone()),
        (PortType::Vec3, _) => val.vec3(builder).map(Val::Vec3),
        _ => None,
    }
}
