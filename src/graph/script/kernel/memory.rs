//! What a node remembers while its `eval` is compiled: states and histories are variables of it.
//!
//! A state begins as what was kept when the last step ended, and whatever is assigned to it last is kept
//! when this one ends. A history is assigned first; then `x.ago(secs)` gives what it was.

use super::super::error::{Fail, ScriptError, SourcePosition, did_you_mean};
use super::super::node_type::{NodeType, PortType, StatePort};
use super::{Evaluation, Kernel, KernelParts, Val, Variable, identifier};
use glam::DVec3;
use jounce_ir::{Builder, History, Number, Rate, State, Type, Value};
use rhai::{Expr, FnCallExpr, Position};

/// Values kept from step to step differ from bone to bone, or are one for the whole character.
const MEMORY_RATES: [Rate; 2] = [Rate::Frame, Rate::Bone];

/// Why a node could not be compiled.
pub enum EvaluateError {
    Script(ScriptError),
    /// It would have to remember something of every vertex.
    PerVertex {
        name: String,
    },
}

impl From<ScriptError> for EvaluateError {
    fn from(error: ScriptError) -> EvaluateError {
        EvaluateError::Script(error)
    }
}

/// Compiles a node with all it remembers. `any_is_vec3` is what its ANY ports turned out to be.
pub fn evaluate_node(
    node_type: &NodeType,
    builder: &mut Builder,
    ports: &[(String, Val)],
    any_is_vec3: bool,
) -> Result<Val, EvaluateError> {
    // What is kept depends on what was kept, so its rate is the least that holds itself.
    let mut rates = vec![Rate::Frame; node_type.states.len()];
    loop {
        let memory = NodeMemory::new(node_type, builder, &rates, any_is_vec3);
        let (result, found) = memory.evaluate(node_type, builder, ports)?;
        if found == rates || result == Val::Unknown {
            return Ok(result);
        }
        rates = rates.into_iter().zip(found).map(|(a, b)| a.join(b)).collect();
        if let Some(place) = rates.iter().position(|rate| !MEMORY_RATES.contains(rate)) {
            let name = node_type.states[place].name.clone();
            return Err(EvaluateError::PerVertex { name });
        }
    }
}

/// One state or history of the node that is being compiled.
#[derive(Clone, Debug)]
pub(super) struct Remembered {
    /// As it is written in `eval`.
    name: String,
    ty: PortType,
    /// Only for a history.
    history: Option<Vec<u32>>,
    /// For a state: its value before this step.
    before: Val,
}

struct NodeMemory {
    all: Vec<Remembered>,
}

impl NodeMemory {
    fn new(
        node_type: &NodeType,
        builder: &mut Builder,
        rates: &[Rate],
        any_is_vec3: bool,
    ) -> NodeMemory {
        let node = builder.node().to_owned();
        let mut all = Vec::with_capacity(rates.len());
        for (port, &rate) in node_type.states.iter().zip(rates) {
            let ty = match (port.ty, any_is_vec3) {
                (PortType::Any, true) => PortType::Vec3,
                (PortType::Any, false) => PortType::Float,
                (ty, _) => ty,
            };
            let (name, node) = (identifier(&port.name), node.clone());
            let mut remembered =
                Remembered { name: name.clone(), ty, history: None, before: Val::Unit };
            match port.history_secs {
                Some(longest_secs) => {
                    let parts = part_types(ty).iter().map(|&(ty, part)| {
                        let (node, name) = (node.clone(), format!("{name}{part}"));
                        builder.history(History { node, name, ty, rate, longest_secs })
                    });
                    remembered.history = Some(parts.collect());
                }
                None => {
                    let parts = part_types(ty).iter().map(|&(ty, part)| {
                        let (node, name) = (node.clone(), format!("{name}{part}"));
                        let state = builder.state(State {
                            node,
                            name: name.clone(),
                            ty,
                            rate,
                            is_place: port.is_place,
                        });
                        builder.name(state, &format!("{name} before"));
                        state
                    });
                    let parts: Vec<Value> = parts.collect();
                    remembered.before = from_parts(ty, &parts);
                }
            }
            all.push(remembered);
        }
        NodeMemory { all }
    }

    /// What the node gives, and the rates of what it remembers.
    fn evaluate(
        self,
        node_type: &NodeType,
        builder: &mut Builder,
        ports: &[(String, Val)],
    ) -> Result<(Val, Vec<Rate>), ScriptError> {
        let kernel = &node_type.kernel;
        let initial = self.initial(node_type, builder, ports)?;
        let variables = ports.iter().cloned().chain(
            self.all.iter().map(|remembered| (remembered.name.clone(), remembered.before.clone())),
        );
        let (result, after) =
            super::evaluate_with(kernel, builder, variables.collect(), ports.len(), &self.all)?;
        if after.contains(&Val::Unknown) {
            return Ok((Val::Unknown, Vec::new()));
        }
        let mut rates = Vec::with_capacity(self.all.len());
        for ((remembered, initial), after) in self.all.iter().zip(initial).zip(after) {
            let wrong = |found: &Val| {
                let (name, ty, found) = (&remembered.name, remembered.ty, found.describe());
                let message = format!("`{name}` remembers a {ty}, but `eval` gives it {found}");
                kernel.wrong_at_end(message)
            };
            let rate = match &remembered.history {
                Some(_) if after == Val::Unit => {
                    let name = &remembered.name;
                    let message = format!(
                        "`eval` never records a value for the history `{name}`; write `{name} = …` before `{name}.ago(…)`"
                    );
                    return Err(kernel.wrong_at_end(message));
                }
                Some(histories) => {
                    let now = fit(builder, remembered.ty, &after).ok_or_else(|| wrong(&after))?;
                    let now = now.parts();
                    for (&history, &now) in histories.iter().zip(&now) {
                        builder.record(history, now);
                    }
                    join(builder, &now)
                }
                None => {
                    let next = fit(builder, remembered.ty, &after).ok_or_else(|| wrong(&after))?;
                    let (before, next) = (remembered.before.parts(), next.parts());
                    let initial = initial.parts();
                    for ((&before, &initial), &next) in before.iter().zip(&initial).zip(&next) {
                        builder.keep(before, initial, next);
                    }
                    join(builder, &initial).join(join(builder, &next))
                }
            };
            rates.push(rate);
        }
        Ok((result, rates))
    }

    /// What `fn start` says, else what was declared.
    fn initial(
        &self,
        node_type: &NodeType,
        builder: &mut Builder,
        ports: &[(String, Val)],
    ) -> Result<Vec<Val>, ScriptError> {
        let kernel = &node_type.kernel;
        let started = match kernel.start(builder, ports)? {
            Some(Val::Map(map)) => map,
            None => Default::default(),
            Some(other) => {
                let found = other.describe();
                let message =
                    format!("`start` returns {found}; end it with #{{ state: value, … }}");
                return Err(kernel.wrong_in("start", message));
            }
        };
        let is_state = |name: &String| {
            self.all.iter().any(|known| known.history.is_none() && known.name == *name)
        };
        if let Some(extra) = started.keys().find(|name| !is_state(name)) {
            let hint = did_you_mean(extra, self.all.iter().map(|known| known.name.as_str()));
            let message = format!("`start` returns `{extra}`, which is not a state{hint}");
            return Err(kernel.wrong_in("start", message));
        }
        let mut initial = Vec::with_capacity(self.all.len());
        for (remembered, port) in self.all.iter().zip(&node_type.states) {
            let value = match started.get(&remembered.name) {
                Some(value) => fit(builder, remembered.ty, value).ok_or_else(|| {
                    let (name, ty, found) = (&remembered.name, remembered.ty, value.describe());
                    let message = format!("`{name}` remembers a {ty}, but `start` returns {found}");
                    kernel.wrong_in("start", message)
                })?,
                None => declared_initial(builder, remembered.ty, port),
            };
            initial.push(value);
        }
        Ok(initial)
    }
}

fn join(builder: &Builder, values: &[Value]) -> Rate {
    values.iter().map(|&value| builder.rate(value)).fold(Rate::Frame, Rate::join)
}

/// What the IR keeps for one value of a script, and what is added to its name.
fn part_types(ty: PortType) -> &'static [(Type, &'static str)] {
    match ty {
        PortType::Vec3 => &[(Type::Vec3, "")],
        PortType::Quat => &[(Type::Vec3, ""), (Type::Float, " w")],
        PortType::Mat3 => &[(Type::Vec3, " x"), (Type::Vec3, " y"), (Type::Vec3, " z")],
        _ => &[(Type::Float, "")],
    }
}

fn from_parts(ty: PortType, parts: &[Value]) -> Val {
    match (ty, parts) {
        (PortType::Vec3, &[v]) => Val::Vec3(v),
        (PortType::Quat, &[v, w]) => Val::Quat(v, w),
        (PortType::Mat3, &[x, y, z]) => Val::Mat3([x, y, z]),
        (_, &[x]) => Val::Float(x),
        _ => Val::Unit,
    }
}

fn fit(builder: &mut Builder, ty: PortType, value: &Val) -> Option<Val> {
    match (ty, value) {
        (PortType::Vec3, _) => value.vec3(builder).map(Val::Vec3),
        (PortType::Float, _) => value.float(builder).map(Val::Float),
        (PortType::Quat, Val::Quat(..)) | (PortType::Mat3, Val::Mat3(_)) => Some(value.clone()),
        _ => None,
    }
}

/// Zero, no turn, or what the declaration says.
fn declared_initial(builder: &mut Builder, ty: PortType, port: &StatePort) -> Val {
    let v = DVec3::from_array(port.initial.unwrap_or_default());
    match ty {
        PortType::Vec3 => Val::Vec3(builder.constant(Number::Vec3(v))),
        PortType::Quat => {
            let axis = builder.constant(Number::Vec3(DVec3::ZERO));
            Val::Quat(axis, builder.float(1.0))
        }
        PortType::Mat3 => {
            let columns = [DVec3::X, DVec3::Y, DVec3::Z];
            Val::Mat3(columns.map(|column| builder.constant(Number::Vec3(column))))
        }
        _ => Val::Float(builder.float(v.x)),
    }
}

impl<'k> Evaluation<'_, 'k> {
    /// `x.ago(secs)`, which only a history knows; None for everything else.
    pub(super) fn ago(&mut self, whole: &Expr, call: &'k Expr) -> Option<Result<Val, Fail>> {
        let Expr::Variable(parts, _, place) = whole else {
            return None;
        };
        let name = parts.1.as_str();
        let fail = |message: String| Some(Err(Fail::new(*place, message)));
        let call = match call {
            Expr::MethodCall(call, _) if call.name.as_str() == "ago" => Some(call),
            Expr::Property(property, _) if property.2.as_str() == "ago" => None,
            _ => return None,
        };
        if self.frames.len() > 1 {
            return fail("call `ago` in `eval` itself and pass its result on".to_owned());
        }
        match self.memory.iter().find(|known| known.name == name).cloned() {
            Some(remembered) if remembered.history.is_some() => match call {
                Some(call) => Some(self.ago_of(&remembered, call, *place)),
                None => fail(format!("`ago` needs a number of seconds: `{name}.ago(0.2)`")),
            },
            Some(Remembered { ty, .. }) => {
                let ty = ty.to_string().to_uppercase();
                fail(format!(
                    "`{name}` is a state, and only a history remembers past values; declare history(\"{name}\", {ty}, 1.0) instead"
                ))
            }
            None => fail(format!(
                "only a history remembers past values; declare one, as in history(\"past\", FLOAT, 1.0), write `past = {name};`, then `past.ago(0.2)`"
            )),
        }
    }

    fn ago_of(
        &mut self,
        remembered: &Remembered,
        call: &'k FnCallExpr,
        place: Position,
    ) -> Result<Val, Fail> {
        let name = &remembered.name;
        let now = match self.variable(name) {
            Some(variable) => self.frame().variables[variable].value.clone(),
            None => Val::Unit,
        };
        let Some(now) = fit(self.builder, remembered.ty, &now) else {
            let message =
                format!("record the current value first: `{name} = …;`, then `{name}.ago(…)`");
            return Err(Fail::new(place, message));
        };
        let [secs] = &call.args[..] else {
            return Err(Fail::new(place, "`ago` needs a number of seconds: `x.ago(0.2)`"));
        };
        let secs = self.expr(secs)?;
        let Some(secs) = secs.float(self.builder) else {
            let found = secs.describe();
            return Err(Fail::new(place, format!("`ago` takes seconds, but this is {found}")));
        };
        if !MEMORY_RATES.contains(&self.builder.rate(secs)) {
            let message = "the seconds of `ago` must not differ from vertex to vertex; use one value per bone, or one for the character";
            return Err(Fail::new(place, message));
        }
        let histories = remembered.history.as_deref().unwrap_or_default();
        let parts: Vec<Value> = (histories.iter().zip(now.parts()))
            .map(|(&history, now)| self.builder.ago(history, secs, now))
            .collect();
        Ok(from_parts(remembered.ty, &parts))
    }

    /// A node that remembers must say so in every case.
    pub(super) fn refuse_return(&self, place: Position) -> Result<(), Fail> {
        match self.memory.is_empty() || self.frames.len() > 1 {
            true => Ok(()),
            false => {
                let message = "a `return` inside a condition would leave it unclear what the node remembers; write `if … { … } else { … }`";
                Err(Fail::new(place, message))
            }
        }
    }
}

impl Kernel {
    fn start(
        &self,
        builder: &mut Builder,
        ports: &[(String, Val)],
    ) -> Result<Option<Val>, ScriptError> {
        let Some(start) = self.0.functions.iter().find(|function| function.name == "start") else {
            return Ok(None);
        };
        let wanted: Vec<(String, Val)> =
            ports.iter().filter(|(name, _)| start.parameters.contains(name)).cloned().collect();
        super::run(&self.0, "start", &start.body, builder, wanted, &[])
            .map(|(value, _)| Some(value))
    }

    /// Whatever is linked to it, the node reads vertices itself.
    pub fn remembers_vertices(&self, name: &str) -> ScriptError {
        let message = format!(
            "`{name}` would have to be remembered for every vertex; nodes remember one value per bone, or one for the character"
        );
        self.wrong_at_end(message)
    }

    fn wrong_at_end(&self, message: String) -> ScriptError {
        self.wrong_in("eval", message)
    }

    pub(super) fn wrong_in(&self, function: &str, message: String) -> ScriptError {
        ScriptError::new(&self.0.file, self.0.end_of(function), message)
    }
}

impl KernelParts {
    /// The last statement of a function.
    pub(super) fn end_of(&self, function: &str) -> SourcePosition {
        let function = self.functions.iter().find(|known| known.name == function);
        function.map_or(SourcePosition::default(), |function| match function.body.last() {
            Some(last) => last.position().into(),
            None => function.place,
        })
    }
}

/// Values of the states, in the order in which they were declared, when `eval` is done.
pub(super) fn after(variables: &[Variable], first: usize, count: usize) -> Vec<Val> {
    variables.iter().skip(first).take(count).map(|variable| variable.value.clone()).collect()
}
