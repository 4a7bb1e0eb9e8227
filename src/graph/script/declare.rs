//! Runs a script's declarations: `node`, `input`, `output`, `also`, `state`, `history`.

use super::broken::Broken;
use super::declare_errors::run_error;
use super::error::{Fail, FailKind, Fails, SourcePosition};
use super::kernel::{self, Kernel, NUMBERS, identifier};
use super::node_type::{
    DefaultInput, InputPort, NodeType, OutputPort, PortType, ScriptOrigin, Setting, StatePort,
};
use super::parse::{Parsed, engine};
use super::shared::{Linked, SharedScript, Use};
use jounce_ir::op::MotionPart;
use jounce_ir::{Column, source};
use rhai::{AST, Array, Dynamic, Engine, EvalAltResult, NativeCallContext, Scope, Stmt};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const MOST_PORTS: usize = 64;
/// The limit of steps for all declarations together, when they are run one by one.
const MOST_STEPS: usize = 20_000;

/// What a script said about its node.
#[derive(Default)]
pub struct Declared {
    name: Option<(String, String)>,
    also: Vec<String>,
    inputs: Vec<InputPort>,
    outputs: Vec<OutputPort>,
    states: Vec<StatePort>,
    /// Where they are declared.
    state_places: Vec<SourcePosition>,
    /// It is a library, of this name.
    pub library: Option<String>,
    pub uses: Vec<Use>,
    /// What was meant to be declared and is wrong.
    pub broken: Broken,
}

type SharedDeclarations = Arc<Mutex<Declared>>;
type Answer<T> = Result<T, Box<EvalAltResult>>;
/// Says where a declaration stands.
type Call<'a> = NativeCallContext<'a>;

/// A port that was just declared, to say more about it.
#[derive(Clone)]
struct InputHandle(SharedDeclarations, usize);
#[derive(Clone)]
struct OutputHandle(SharedDeclarations, usize);

#[derive(Clone)]
struct StateHandle(SharedDeclarations, usize);

/// A script constant such as `SKINNED_POSITION`, as a default of an input.
#[derive(Clone)]
struct SourceConstant(DefaultInput, PortType);

pub(super) const TYPES: [(&str, PortType); 9] = [
    ("FLOAT", PortType::Float),
    ("INT", PortType::Int),
    ("BOOL", PortType::Bool),
    ("VEC3", PortType::Vec3),
    ("QUAT", PortType::Quat),
    ("MAT3", PortType::Mat3),
    ("ANY", PortType::Any),
    ("CHOICE", PortType::Choice),
    ("TEXT", PortType::Text),
];

/// Runs all declarations; if one of them is wrong, once more and each by itself, to find what else is.
pub fn declare(parsed: &Parsed, fails: &mut Fails) -> Declared {
    let declared = SharedDeclarations::default();
    let mut engine = engine();
    register(&mut engine, &declared);
    let ran = engine.run_ast_with_scope(&mut scope(), &parsed.ast);
    match ran {
        Ok(()) => std::mem::take(&mut *lock(&declared)),
        Err(error) => {
            let first = run_error(&error, None);
            declare_one_by_one(parsed, first, fails)
        }
    }
}

/// `first` is what stopped them all.
fn declare_one_by_one(parsed: &Parsed, first: Fail, fails: &mut Fails) -> Declared {
    let declared = SharedDeclarations::default();
    let mut engine = engine();
    register(&mut engine, &declared);
    // One limit for all of them together.
    let steps = AtomicUsize::new(0);
    engine
        .on_progress(move |_| (steps.fetch_add(1, Relaxed) > MOST_STEPS).then_some(Dynamic::UNIT));
    let (mut scope, mut broken) = (scope(), Broken::default());
    let mut found = Fails::default();
    for statement in parsed.ast.statements() {
        let alone = AST::new([statement.clone()], parsed.ast.shared_lib().clone());
        let Err(error) = engine.run_ast_with_scope(&mut scope, &alone) else {
            continue;
        };
        let fail = run_error(&error, Some(statement));
        let is_limit = fail.kind == FailKind::Limit;
        found.push(fail);
        broken.add(statement);
        // What comes behind a variable that is not there would be wrong because of it.
        if is_limit || found.is_full() || matches!(statement, Stmt::Var(..)) {
            broken.rest = true;
            break;
        }
    }
    if found.is_empty() {
        found.push(first);
        broken.rest = true;
    }
    fails.append(found);
    let mut declared = std::mem::take(&mut *lock(&declared));
    declared.broken = broken;
    declared
}

/// The words that declarations may use.
fn scope() -> Scope<'static> {
    let mut scope = Scope::new();
    for (name, ty) in TYPES {
        scope.push_constant(name, ty);
    }
    for info in source::SOURCES.iter() {
        if let Some(name) = info.name {
            let ty = match info.shape {
                source::Shape::Float => PortType::Float,
                source::Shape::Vec3 => PortType::Vec3,
                source::Shape::Quat { .. } => PortType::Quat,
            };
            scope.push_constant(name, SourceConstant(DefaultInput::Source(info.source), ty));
        }
    }
    for (name, number) in NUMBERS {
        scope.push_constant(name, number);
    }
    for part in MotionPart::ALL {
        let constant = SourceConstant(DefaultInput::Motion(part), PortType::Vec3);
        scope.push_constant(part.constant_name(), constant);
    }
    scope.push_constant("UPWARD", Column::UPWARD);
    scope.push_constant("FLESH", Column::FLESH);
    scope
}

impl Declared {
    pub fn into_node_type(
        self,
        parsed: &Parsed,
        file: &str,
        origin: ScriptOrigin,
        linked: Linked,
        broken: &mut Broken,
        fails: &mut Fails,
    ) -> Option<NodeType> {
        let mut missing = |message: &str| fails.push(Fail::new(SourcePosition::default(), message));
        if self.name.is_none() && origin != ScriptOrigin::Document && !broken.has_node() {
            missing("the script declares no node; begin with node(\"Name\", \"Category\");");
        }
        let (name, category) = self.name.unwrap_or_default();
        if self.outputs.is_empty() && !broken.has_outputs() {
            missing("the node has no output; add output(\"result\", FLOAT);");
            broken.outputs = true;
        }
        let states = (&self.states[..], &self.state_places[..]);
        let kernel = Kernel::new(parsed, file, &self.inputs, states, linked, broken, fails)?;
        let mut outputs = self.outputs;
        add_unsummed(&mut outputs);
        Some(NodeType {
            name,
            category,
            doc: parsed.doc.clone(),
            also: self.also,
            inputs: self.inputs,
            outputs,
            states: self.states,
            kernel,
            origin,
            code: parsed.text.as_str().into(),
        })
    }
}

impl Declared {
    /// A library has nothing but functions and constants.
    pub fn into_library(
        self,
        parsed: Parsed,
        file: &str,
        linked: Linked,
        broken: &Broken,
        fails: &mut Fails,
    ) -> Option<SharedScript> {
        let name = self.library?;
        let has_ports = !(self.inputs.is_empty() && self.outputs.is_empty());
        let has_eval = parsed.functions.iter().any(|function| function.name == "eval");
        if self.name.is_some() || has_ports || has_eval || !self.states.is_empty() {
            let message = format!(
                "a library has only functions and constants; put `node`, `input`, `output`, `state` and `fn eval` into a script that says uses(\"{name}\");"
            );
            fails.push(Fail::new(SourcePosition::default(), message));
        }
        if parsed.functions.is_empty() && parsed.constants.is_empty() {
            let message = "the library shares nothing yet; add a function, fn name(a, b) { a + b }";
            fails.push(Fail::new(SourcePosition::default(), message));
        }
        if fails.is_empty() && !broken.rest {
            kernel::rehearse_library(&parsed, file, linked, fails);
        }
        Some(SharedScript {
            name,
            doc: parsed.doc,
            file: file.to_owned(),
            code: parsed.text.into(),
            functions: parsed.functions,
            constants: parsed.constants,
            comments: parsed.comments,
            uses: self.uses,
        })
    }
}

/// Behind each summed output the same value before the sum: "per bone", or "NAME per bone" if
/// there are several.
fn add_unsummed(outputs: &mut Vec<OutputPort>) {
    let summed: Vec<usize> = (0..outputs.len()).filter(|&i| outputs[i].sum.is_some()).collect();
    for &place in &summed {
        let name = match summed.len() {
            1 => "per bone".to_owned(),
            _ => format!("{} per bone", outputs[place].name),
        };
        outputs.push(OutputPort {
            name,
            ty: outputs[place].ty,
            help: "one value per bone and vertex, before they are summed".to_owned(),
            sum: None,
            per_bone_of: Some(place),
        });
    }
}

fn lock(shared: &SharedDeclarations) -> MutexGuard<'_, Declared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn register(engine: &mut Engine, declared: &SharedDeclarations) {
    let shared = declared.clone();
    engine.register_fn("node", move |name: &str, category: &str| -> Answer<()> {
        let mut declared = lock(&shared);
        if declared.name.is_some() {
            return refuse("a script declares one node; put the other into a separate file");
        }
        declared.name = Some((port_name(name)?, port_name(category)?));
        Ok(())
    });
    let shared = declared.clone();
    engine.register_fn("library", move |name: &str| -> Answer<()> {
        let mut declared = lock(&shared);
        if declared.library.is_some() {
            return refuse("a script is one library; put the other into a separate file");
        }
        declared.library = Some(port_name(name)?);
        Ok(())
    });
    let shared = declared.clone();
    engine.register_fn("uses", move |call: Call, name: &str| -> Answer<()> {
        let mut declared = lock(&shared);
        let name = port_name(name)?;
        if declared.uses.iter().any(|used| used.name == name) {
            return refuse(&format!("the library \"{name}\" is used already; remove this line"));
        }
        if declared.uses.len() >= MOST_PORTS {
            return refuse(&format!("a script uses at most {MOST_PORTS} libraries"));
        }
        declared.uses.push(Use { name, place: call.call_position().into() });
        Ok(())
    });
    for count in 1..=12 {
        let shared = declared.clone();
        let words = vec![std::any::TypeId::of::<rhai::ImmutableString>(); count];
        engine.register_raw_fn("also", words, move |_, words| {
            let words = words.iter().map(|word| word.to_string());
            lock(&shared).also.extend(words);
            Ok(())
        });
    }
    let shared = declared.clone();
    engine.register_fn("input", move |name: &str, ty: PortType| {
        declare_input(&shared, name, ty, no_default(ty))
    });
    let shared = declared.clone();
    engine.register_fn("input", move |name: &str, ty: PortType, default: Dynamic| {
        declare_input(&shared, name, ty, read_default(name, ty, &default)?)
    });
    let shared = declared.clone();
    engine.register_fn("output", move |name: &str, ty: PortType| -> Answer<OutputHandle> {
        if ty.is_compile_time() {
            return refuse(&format!("an output cannot be a {ty}; use FLOAT, VEC3, QUAT or MAT3"));
        }
        let mut declared = lock(&shared);
        let name = port_name(name)?;
        let names = declared.outputs.iter().map(|output| output.name.as_str());
        check_new("outputs", &name, names)?;
        if name.ends_with("per bone") {
            return refuse(
                "\"per bone\" is the name of a summed output before its sum; choose another name",
            );
        }
        let help = String::new();
        declared.outputs.push(OutputPort { name, ty, help, sum: None, per_bone_of: None });
        Ok(OutputHandle(shared.clone(), declared.outputs.len() - 1))
    });
    let shared = declared.clone();
    engine.register_fn("state", move |call: Call, name: &str, ty: PortType| {
        let state = StatePort::new(port_name(name)?, ty);
        declare_state(&shared, &call, state)
    });
    let shared = declared.clone();
    engine.register_fn("state", move |call: Call, name: &str, ty: PortType, initial: Dynamic| {
        let initial = match read_default(name, ty, &initial)? {
            DefaultInput::Setting(Setting::Float(x)) => [x; 3],
            DefaultInput::Setting(Setting::Vec3(v)) => v,
            _ => return refuse("a state begins with a number or vec3(x, y, z); for more write `fn start(…) { #{ … } }`"),
        };
        let initial = Some(initial);
        let state = StatePort { initial, ..StatePort::new(port_name(name)?, ty) };
        declare_state(&shared, &call, state)
    });
    let shared = declared.clone();
    engine.register_fn("history", move |call: Call, name: &str, ty: PortType, secs: Dynamic| {
        let secs = number(&secs).filter(|secs| (0.0..=10.0).contains(secs));
        let Some(secs) = secs else {
            return refuse(
                "a history reaches back 0 to 10 seconds; give the seconds as the third argument",
            );
        };
        let history_secs = Some(secs);
        let state = StatePort { history_secs, ..StatePort::new(port_name(name)?, ty) };
        declare_state(&shared, &call, state)
    });
    engine.register_fn("vec3", |x: Dynamic, y: Dynamic, z: Dynamic| vec![x, y, z]);
    register_details(engine);
}

fn register_details(engine: &mut Engine) {
    type Input = InputHandle;
    fn with(
        handle: &mut Input,
        change: impl FnOnce(&mut InputPort) -> Answer<()>,
    ) -> Answer<Input> {
        let mut declared = lock(&handle.0);
        change(&mut declared.inputs[handle.1])?;
        Ok(handle.clone())
    }
    engine.register_fn("soft", |input: &mut Input, from: Dynamic, to: Dynamic| {
        with(input, |port| {
            port.soft = Some(range(port, &from, &to)?);
            Ok(())
        })
    });
    engine.register_fn("hard", |input: &mut Input, from: Dynamic, to: Dynamic| {
        with(input, |port| {
            let (from, to) = range(port, &from, &to)?;
            if let DefaultInput::Setting(Setting::Float(x)) = port.default
                && !(from..=to).contains(&x)
            {
                let name = &port.name;
                return refuse(&format!(
                    "the default of \"{name}\", {x}, is outside {from} to {to}; change one of them"
                ));
            }
            port.hard = Some((from, to));
            Ok(())
        })
    });
    engine.register_fn("unit", |input: &mut Input, unit: &str| {
        with(input, |port| {
            port.unit = unit.to_owned();
            Ok(())
        })
    });
    engine.register_fn("help", |input: &mut Input, help: &str| {
        with(input, |port| {
            port.help = help.to_owned();
            Ok(())
        })
    });
    engine.register_fn("adds", |input: &mut Input| {
        with(input, |port| match port.ty {
            PortType::Float | PortType::Vec3 | PortType::Any => {
                port.adds = true;
                Ok(())
            }
            ty => refuse(&format!(
                "only FLOAT and VEC3 inputs can add up wires, but this one is a {ty}"
            )),
        })
    });
    engine.register_fn("choices", |input: &mut Input, words: Array| {
        with(input, |port| {
            let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
            if port.ty != PortType::Choice || words.is_empty() {
                return refuse("only CHOICE inputs have choices: choices([\"one\", \"other\"])");
            }
            match &port.default {
                DefaultInput::Setting(Setting::Text(word)) if word.is_empty() => {
                    port.default = DefaultInput::Setting(Setting::Text(words[0].clone()));
                }
                DefaultInput::Setting(Setting::Text(word)) if !words.contains(word) => {
                    return refuse(&format!(
                        "the default \"{word}\" is not one of the choices; use one of them"
                    ));
                }
                _ => {}
            }
            port.choices = words;
            Ok(())
        })
    });
    engine.register_fn("help", |output: &mut OutputHandle, help: &str| {
        lock(&output.0).outputs[output.1].help = help.to_owned();
        output.clone()
    });
    engine.register_fn("place", |state: &mut StateHandle| {
        let mut declared = lock(&state.0);
        let port = &mut declared.states[state.1];
        if port.ty != PortType::Vec3 || port.history_secs.is_some() {
            return refuse("only a VEC3 state can be a place: state(\"at\", VEC3).place()");
        }
        port.is_place = true;
        Ok(())
    });
    engine.register_fn("sum", |output: &mut OutputHandle| sum_over(output, Column::UPWARD));
    engine.register_fn("sum", |output: &mut OutputHandle, column: Column| sum_over(output, column));
}

fn sum_over(output: &OutputHandle, column: Column) -> Answer<OutputHandle> {
    let mut declared = lock(&output.0);
    let port = &mut declared.outputs[output.1];
    if !matches!(port.ty, PortType::Float | PortType::Vec3 | PortType::Any) {
        return refuse("only FLOAT and VEC3 outputs can be summed");
    }
    port.sum = Some(column);
    Ok(output.clone())
}

fn declare_input(
    shared: &SharedDeclarations,
    name: &str,
    ty: PortType,
    default: DefaultInput,
) -> Answer<InputHandle> {
    let mut declared = lock(shared);
    let name = port_name(name)?;
    let states = declared.states.iter().map(|state| state.name.as_str());
    check_new("inputs", &name, declared.inputs.iter().map(|input| input.name.as_str()))?;
    check_new("inputs and states", &name, states)?;
    declared.inputs.push(InputPort {
        name,
        ty,
        default,
        soft: None,
        hard: None,
        unit: String::new(),
        help: String::new(),
        choices: Vec::new(),
        adds: false,
    });
    Ok(InputHandle(shared.clone(), declared.inputs.len() - 1))
}

fn declare_state(
    shared: &SharedDeclarations,
    call: &NativeCallContext,
    state: StatePort,
) -> Answer<StateHandle> {
    if state.ty.is_compile_time() {
        return refuse("a node can remember only FLOAT, VEC3, QUAT, MAT3 or ANY");
    }
    let mut declared = lock(shared);
    let inputs = declared.inputs.iter().map(|input| input.name.as_str());
    check_new("states", &state.name, declared.states.iter().map(|state| state.name.as_str()))?;
    check_new("inputs and states", &state.name, inputs)?;
    declared.states.push(state);
    declared.state_places.push(call.call_position().into());
    Ok(StateHandle(shared.clone(), declared.states.len() - 1))
}

/// Names that are the same in `eval` are the same.
fn check_new<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Answer<()> {
    let mut count = 0;
    for known in known {
        count += 1;
        if known == name {
            return refuse(&format!("there are two {what} \"{name}\"; rename one"));
        }
        if identifier(known) == identifier(name) {
            let written = identifier(name);
            return refuse(&format!(
                "\"{known}\" and \"{name}\" are both `{written}` in `eval`; rename one"
            ));
        }
    }
    if count >= MOST_PORTS {
        return refuse(&format!("a node has at most {MOST_PORTS} {what}"));
    }
    Ok(())
}

/// Names of ports become names in `eval`, and parts of texts in files.
fn port_name(name: &str) -> Answer<String> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-');
    let starts = name.chars().next().is_some_and(char::is_alphabetic);
    if !starts || !name.chars().all(fits) || name.len() > 64 || name.ends_with(' ') {
        return refuse(&format!(
            "\"{name}\" cannot be a name; start with a letter, then use letters, digits and spaces"
        ));
    }
    Ok(name.to_owned())
}

fn no_default(ty: PortType) -> DefaultInput {
    DefaultInput::Setting(match ty {
        PortType::Float | PortType::Int | PortType::Any => Setting::Float(0.0),
        PortType::Bool => Setting::Bool(false),
        PortType::Vec3 => Setting::Vec3([0.0; 3]),
        PortType::Quat | PortType::Mat3 => Setting::Quat([0.0, 0.0, 0.0, 1.0]),
        PortType::Choice | PortType::Text => Setting::Text(String::new()),
    })
}

fn read_default(name: &str, ty: PortType, default: &Dynamic) -> Answer<DefaultInput> {
    if let Some(SourceConstant(source, source_ty)) = default.clone().try_cast::<SourceConstant>() {
        let fits = source_ty.fits(ty);
        return if fits { Ok(source) } else { wrong_default(name, ty) };
    }
    let setting = match ty {
        PortType::Float => number(default).map(Setting::Float),
        PortType::Int => default.as_int().ok().map(|i| Setting::Float(i as f64)),
        PortType::Bool => default.as_bool().ok().map(Setting::Bool),
        PortType::Vec3 => numbers(default).map(Setting::Vec3),
        PortType::Quat | PortType::Mat3 => numbers(default).map(Setting::Quat),
        PortType::Any => {
            number(default).map(Setting::Float).or_else(|| numbers(default).map(Setting::Vec3))
        }
        PortType::Choice | PortType::Text => default.clone().into_string().ok().map(Setting::Text),
    };
    setting.map(DefaultInput::Setting).map_or_else(|| wrong_default(name, ty), Ok)
}

fn wrong_default<T>(name: &str, ty: PortType) -> Answer<T> {
    let wanted = match ty {
        PortType::Float | PortType::Any => "a number such as 0.5, at most 1e12",
        PortType::Int => "a whole number such as 4",
        PortType::Bool => "true or false",
        PortType::Vec3 => "three numbers such as [0, 1, 0], or a source such as SKINNED_POSITION",
        PortType::Quat | PortType::Mat3 => "the four numbers of a rotation, such as [0, 0, 0, 1]",
        PortType::Choice | PortType::Text => "a text in quotes",
    };
    refuse(&format!("the default of \"{name}\" does not fit its type, {ty}; give {wanted}"))
}

fn number(value: &Dynamic) -> Option<f64> {
    let number = value.as_float().ok().or_else(|| value.as_int().ok().map(|i| i as f64))?;
    (number.abs() <= jounce_base::LARGEST_NUMBER).then_some(number)
}

fn numbers<const N: usize>(value: &Dynamic) -> Option<[f64; N]> {
    let list = value.clone().try_cast::<Array>()?;
    let list: Option<Vec<f64>> = list.iter().map(number).collect();
    list?.try_into().ok()
}

fn range(port: &InputPort, from: &Dynamic, to: &Dynamic) -> Answer<(f64, f64)> {
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from < to => Ok((from, to)),
        _ => refuse(&format!(
            "the range of \"{}\" needs two numbers, the smaller first, as in (0, 1)",
            port.name
        )),
    }
}

fn refuse<T>(message: &str) -> Answer<T> {
    Err(message.to_owned().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::declarations::calls;
    use std::collections::BTreeSet;

    #[test]
    fn what_can_be_called_is_what_the_table_lists() {
        let mut engine = engine();
        register(&mut engine, &SharedDeclarations::default());
        let name = |signature: &String| signature.split('(').next().unwrap_or_default().to_owned();
        let registered: BTreeSet<String> =
            engine.gen_fn_signatures(false).iter().map(name).collect();
        let listed = calls().map(|row| row.name.to_owned());
        // A default may be a vector.
        let listed: BTreeSet<String> = listed.chain(["vec3".to_owned()]).collect();
        assert_eq!(registered, listed);
    }
}
