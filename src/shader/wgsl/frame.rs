//! What the host computes once per frame, as text for people who write hosts.

use super::body::{Body, Uses};
use super::expression::{Expression, literal};
use super::identifier::Names;
use super::operation::Operands;
use super::suggest::own_name;
use super::tables::{NamedConstant, TableNames};
use jounce_ir::op::{Family, Op};
use jounce_ir::{Program, Rate, Stage, Value};

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
    /// What nodes remember once for the whole character: the host keeps it.
    pub memory: Vec<FrameMemory>,
}

/// A state or a history of which there is one for the whole character.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameMemory {
    /// As the node's script calls it.
    pub name: String,
    pub node: String,
    pub recollection: Recollection,
}

/// Expressions, and the inputs that recall.
#[derive(Clone, Debug, PartialEq)]
pub enum Recollection {
    State {
        input: Option<String>,
        begins: String,
        becomes: String,
    },
    /// Each input is asked for as it was so many seconds ago.
    History {
        records: String,
        longest_secs: f64,
        inputs: Vec<(String, String)>,
    },
}

impl FrameText {
    /// All that is written in the notation of WGSL.
    pub fn formulas(&self) -> impl Iterator<Item = &str> {
        let of_memory = self.memory.iter().flat_map(|memory| match &memory.recollection {
            Recollection::State { begins, becomes, .. } => vec![begins.as_str(), becomes.as_str()],
            Recollection::History { records, inputs, .. } => {
                let asked = inputs.iter().map(|(_, ago_secs)| ago_secs.as_str());
                asked.chain([records.as_str()]).collect()
            }
        });
        self.steps.iter().chain(&self.fields).map(String::as_str).chain(of_memory)
    }
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
        let is_input = match program.op(value).family() {
            Family::Data | Family::Memory => true,
            Family::Constant | Family::Formula | Family::Loop => false,
        };
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
    let roots = fields.chain(remembered(program));
    operands.chain(roots).for_each(|value| *uses.here.entry(value).or_default() += 1);
    let statements = body.statements(&values, &uses, |_| None);
    text.steps = statements.into_iter().map(|statement| statement.text).collect();
    let fields = tables.frame.fields.iter();
    text.fields = fields.map(|field| body.written(field.value).text).collect();
    text.memory = memory(program, &text.inputs, |value| body.written(value).text);
    text
}

/// Values that the host keeps, or begins with.
fn remembered(program: &Program) -> impl Iterator<Item = Value> + '_ {
    let (tables, memory) = (&program.tables, &program.memory);
    let of_states = tables.states.iter().zip(memory.initial.iter().zip(&memory.next));
    let of_states = of_states.filter(|(state, _)| state.rate == Rate::Frame);
    let of_states = of_states.flat_map(|(_, (initial, next))| [*initial, *next]);
    let of_histories = tables.histories.iter().zip(&memory.recorded);
    let of_histories = of_histories.filter(|(history, _)| history.rate == Rate::Frame);
    of_states.chain(of_histories.map(|(_, recorded)| *recorded))
}

fn memory(
    program: &Program,
    inputs: &[(String, Value)],
    written: impl Fn(Value) -> String,
) -> Vec<FrameMemory> {
    let (tables, memory) = (&program.tables, &program.memory);
    let mut all = Vec::new();
    let of_states = tables.states.iter().zip(memory.initial.iter().zip(&memory.next));
    for (place, (state, (&initial, &next))) in of_states.enumerate() {
        let is_input =
            |(_, value): &&(String, Value)| *program.op(*value) == Op::State(place as u32);
        let input = inputs.iter().find(is_input).map(|(name, _)| name.clone());
        if state.rate == Rate::Frame {
            let (begins, becomes) = (written(initial), written(next));
            let recollection = Recollection::State { input, begins, becomes };
            let (name, node) = (state.name.clone(), state.node.clone());
            all.push(FrameMemory { name, node, recollection });
        }
    }
    for (place, (history, &recorded)) in tables.histories.iter().zip(&memory.recorded).enumerate() {
        let asked = inputs.iter().filter_map(|(name, value)| match *program.op(*value) {
            Op::Ago { history, secs, .. } if history as usize == place => {
                Some((name.clone(), written(secs)))
            }
            _ => None,
        });
        if history.rate == Rate::Frame {
            let (records, longest_secs) = (written(recorded), history.longest_secs);
            let recollection =
                Recollection::History { records, longest_secs, inputs: asked.collect() };
            let (name, node) = (history.name.clone(), history.node.clone());
            all.push(FrameMemory { name, node, recollection });
        }
    }
    all
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
    remembered(program).for_each(|value| needed[value.index()] = true);
    for &value in values.iter().rev() {
        if needed[value.index()] && !tables.known.contains_key(&value) {
            program.op(value).operands().for_each(|operand| needed[operand.index()] = true);
        }
    }
    values.iter().copied().filter(|value| needed[value.index()]).collect()
}
