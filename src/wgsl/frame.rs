//! What the host computes once per frame, as text for people who write hosts.

use super::body::{Body, Uses};
use super::expression::{Expression, literal};
use super::identifier::Names;
use super::operation::Operands;
use super::suggest::own_name;
use super::tables::{NamedConstant, TableNames};
use crate::ir::op::Op;
use crate::ir::{Program, Stage, Value};

/// In the notation of WGSL; functions that begin with `jn_` are in the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameText {
    /// Data and sliders that the expressions read, with their values in the program.
    pub inputs: Vec<(String, Value)>,
    /// Settings that nobody changes and that only these expressions read; others are constants of
    /// the module.
    pub constants: Vec<NamedConstant>,
    /// `let name = expression;`, in order.
    pub steps: Vec<String>,
    /// Per field of `JnFrame`.
    pub fields: Vec<String>,
}

pub fn frame_text(tables: &TableNames) -> FrameText {
    let program = tables.program;
    let mut body = Body::new(&tables.naming, Names::default());
    body.set_all(tables.constants.iter().map(|c| (c.value, Expression::primary(&c.name))));
    for (&value, &number) in &tables.known {
        if !body.knows(value) {
            body.set(value, literal(number));
        }
    }
    let no_values = Vec::new();
    let values = program.stages.iter().find_map(|stage| match stage {
        Stage::Frame(values) => Some(values),
        _ => None,
    });
    let values = needed_values(tables, values.unwrap_or(&no_values));
    let mut text = FrameText::default();
    for &value in &values {
        let is_input = matches!(
            program.op(value),
            Op::Source(_) | Op::Parameter(..) | Op::MapIsThere(_) | Op::State(_) | Op::Ago { .. }
        );
        let is_constant = tables.constants.iter().any(|constant| constant.value == value);
        if !is_input || is_constant || own_name(program, value).is_none() {
            continue;
        }
        let same = text.inputs.iter().find(|(_, known)| is_same_slider(program, *known, value));
        let name = same.map_or_else(|| body.name(value), |(name, _)| name.clone());
        let is_new = same.is_none();
        body.set(value, Expression::named(&name, value));
        match tables.known.get(&value) {
            Some(&number) => text.constants.push(NamedConstant { name, value, number }),
            None if is_new => text.inputs.push((name, value)),
            None => {}
        }
    }
    let mut uses = Uses::default();
    let operands = values.iter().flat_map(|value| program.op(*value).operands());
    let fields = tables.frame.fields.iter().map(|field| field.value);
    operands.chain(fields).for_each(|value| *uses.here.entry(value).or_default() += 1);
    let statements = body.statements(&values, &uses, |_| None);
    text.steps = statements.into_iter().map(|statement| statement.text).collect();
    let fields = tables.frame.fields.iter();
    text.fields = fields.map(|field| body.written(field.value).text).collect();
    text
}

/// Parameters that are exposed under one name are set together.
fn is_same_slider(program: &Program, a: Value, b: Value) -> bool {
    let slider = |value: Value| match *program.op(value) {
        Op::Parameter(place, _) => {
            let parameter = program.tables.parameters.get(place as usize)?;
            Some((parameter.exposed.as_deref()?, parameter.value.ty()))
        }
        _ => None,
    };
    slider(a).is_some() && slider(a) == slider(b)
}

/// What the fields follow from, without what only constants need.
fn needed_values(tables: &TableNames, values: &[Value]) -> Vec<Value> {
    let program = tables.program;
    let mut needed = vec![false; program.ops.len()];
    tables.frame.fields.iter().for_each(|field| needed[field.value.index()] = true);
    for &value in values.iter().rev() {
        if needed[value.index()] && !tables.known.contains_key(&value) {
            program.op(value).operands().for_each(|operand| needed[operand.index()] = true);
        }
    }
    values.iter().copied().filter(|value| needed[value.index()]).collect()
}
