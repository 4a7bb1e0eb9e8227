//! Compiles `fn eval` by evaluating its syntax tree with IR values in place of numbers.
//!
//! What is known now is decided now: loops unroll, an `if` on a known condition takes one branch.
//! An `if` on a value of the program computes both branches and selects, for its own value and for
//! every variable that one of them changed; a `return` inside becomes a select at the end. Calls of
//! the script's own functions are compiled where they stand.
//!
//! Work is counted in steps, so that no script can hold the program up.

mod assigned;
mod choices;
mod expr;
mod memory;
mod operators;
mod outputs;
mod stmt;
mod val;

pub use expr::NUMBERS;
pub use memory::{EvaluateError, evaluate_node};
pub use val::{Val, select, told_apart};

use super::broken::Broken;
use super::error::{Fail, FailKind, Fails, ScriptError, SourcePosition, did_you_mean};
use super::node_type::{InputPort, StatePort};
use super::parse::{Comments, Constant, Function, Parsed};
use super::shared::{Linked, seen_from_outside};
use jounce_base::text::listed;
use jounce_ir::{Builder, Value};
use memory::Remembered;
use rhai::Position;
use std::collections::HashSet;
use std::sync::Arc;

/// One step is one expression or statement. A large node takes a few hundred.
const MOST_STEPS: usize = 20_000;
/// What one node may give to compute, in plain values.
const MOST_WORK: usize = 20_000;
/// Expressions and statements inside others, through all calls. Keeps the stack small.
const DEEPEST: usize = 160;

/// A node's `eval`, its helper functions and its constants, checked as far as names of ports go.
#[derive(Clone, Debug, Default)]
pub struct Kernel(Arc<KernelParts>);

#[derive(Debug, Default)]
struct KernelParts {
    file: String,
    functions: Vec<Function>,
    constants: Vec<Constant>,
    /// Variables of the declarations; for a hint.
    outside: Vec<String>,
    /// Names of inputs, then of states and histories, that may be written in `eval`.
    port_names: Vec<String>,
    input_count: usize,
    comments: Comments,
    /// What its libraries have.
    linked: Linked,
    /// It is a library itself, which is only rehearsed.
    is_library: bool,
}

impl KernelParts {
    /// Of the script itself, or of one of its libraries.
    fn functions_of(&self, home: Home) -> &[Function] {
        home.map_or(&self.functions, |place| &self.linked.all[place].functions)
    }

    fn constants_of(&self, home: Home) -> &[Constant] {
        home.map_or(&self.constants, |place| &self.linked.all[place].constants)
    }

    fn comments_of(&self, home: Home) -> &Comments {
        home.map_or(&self.comments, |place| &self.linked.all[place].comments)
    }

    /// Where names are looked for: first at home, then in what is used there.
    fn reach(&self, home: Home) -> impl Iterator<Item = Home> + Clone + '_ {
        std::iter::once(home).chain(self.linked.used_by(home).iter().map(|place| Some(*place)))
    }

    /// A constant that can be read from somewhere, and where it is at home.
    fn constant(&self, home: Home, name: &str) -> Option<(&Constant, Home)> {
        self.reach(home).find_map(|at| {
            let constant = self.constants_of(at).iter().find(|constant| constant.name == name)?;
            Some((constant, at))
        })
    }

    fn input_names(&self) -> &[String] {
        &self.port_names[..self.input_count]
    }
}

/// Whose function is running: one of the linked libraries, or None for the script itself.
type Home = Option<usize>;

/// A port's name as it is written in a script.
pub fn identifier(port: &str) -> String {
    port.replace([' ', '-'], "_")
}

impl Kernel {
    pub(super) fn new(
        parsed: &Parsed,
        file: &str,
        inputs: &[InputPort],
        (states, state_places): (&[StatePort], &[SourcePosition]),
        linked: Linked,
        broken: &mut Broken,
        fails: &mut Fails,
    ) -> Option<Kernel> {
        let names = inputs.iter().map(|input| &input.name);
        let names = names.chain(states.iter().map(|state| &state.name));
        let port_names: Vec<String> = names.map(|name| identifier(name)).collect();
        let Some(eval) = parsed.functions.iter().find(|f| f.name == "eval") else {
            let message = "the script has no `fn eval(…)`; that is where the node computes";
            fails.push(Fail::new(SourcePosition::default(), message));
            return None;
        };
        // Without anything to remember, `start` is a function like any other.
        let is_start = |f: &&Function| f.name == "start" && !states.is_empty();
        for function in [eval].into_iter().chain(parsed.functions.iter().find(is_start)) {
            let is_known = |name: &String| port_names.contains(name) || broken.has(name);
            let unknown = function.parameters.iter().filter(|name| !is_known(name));
            let unknown: Vec<String> = unknown.cloned().collect();
            if !unknown.is_empty() {
                fails.push(Fail::new(function.place, wants(&function.name, &unknown, &port_names)));
                broken.names.extend(unknown);
            }
        }
        // What is remembered wrongly would be missed again where it is read.
        broken.rest |= !assigned::check(eval, states, state_places, fails);
        choices::check(eval, inputs, fails);
        Some(Kernel(Arc::new(KernelParts {
            file: file.to_owned(),
            functions: parsed.functions.clone(),
            constants: parsed.constants.clone(),
            outside: parsed.variables.clone(),
            port_names,
            input_count: inputs.len(),
            comments: parsed.comments.clone(),
            linked,
            is_library: false,
        })))
    }

    /// What stands above `fn eval`.
    pub fn comment(&self) -> Option<&str> {
        let eval = self.0.functions.iter().find(|f| f.name == "eval")?;
        self.0.comments.get(&eval.place.line).map(String::as_str)
    }
}

/// `eval` has parameters that are not inputs.
fn wants(function: &str, unknown: &[String], known: &[String]) -> String {
    let names = list(unknown, "and");
    let no_such = if unknown.len() == 1 { "is no such input" } else { "are no such inputs" };
    let hint = match unknown {
        [one] => did_you_mean(one, known.iter().map(String::as_str)),
        _ => String::new(),
    };
    let hint = match (&hint[..], known) {
        ("", []) => format!("; declare one with input(\"{}\", FLOAT, 0);", unknown[0]),
        ("", [one]) => format!("; the only input is `{one}`"),
        ("", known) => format!("; the inputs are {}", list(known, "and")),
        _ => hint,
    };
    format!("`{function}` wants {names}, but there {no_such}{hint}")
}

/// Names that are listed in a message, at most.
const MOST_LISTED: usize = 8;

/// `a`, `b` and `c`
pub(super) fn list(names: &[String], and: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.len() > MOST_LISTED {
        true => format!("{} …", quoted[..MOST_LISTED].join(", ")),
        false => listed(&quoted, and),
    }
}

/// Compiles a kernel into `builder`. `variables` are the inputs by their names in the script, then from
/// `first_state` on what it remembers; what that becomes is given back too.
fn evaluate_with(
    kernel: &Kernel,
    builder: &mut Builder,
    variables: Vec<(String, Val)>,
    first_state: usize,
    memory: &[Remembered],
) -> Result<(Val, Vec<Val>), ScriptError> {
    let Some(eval) = kernel.0.functions.iter().find(|f| f.name == "eval") else {
        return Ok((Val::Unit, Vec::new()));
    };
    let (value, variables) = run(&kernel.0, "eval", &eval.body, builder, variables, memory)?;
    Ok((value, memory::after(&variables, first_state, memory.len())))
}

/// Runs one function of the script: its value, and its variables when it is done.
fn run(
    kernel: &KernelParts,
    function: &str,
    body: &[rhai::Stmt],
    builder: &mut Builder,
    variables: Vec<(String, Val)>,
    memory: &[Remembered],
) -> Result<(Val, Vec<Variable>), ScriptError> {
    let mut evaluation = evaluation(kernel, function, builder, variables, memory);
    let value = evaluation.function_body(body).unwrap_or_else(|limit| {
        evaluation.fails.push(limit);
        Val::Unknown
    });
    let fails = std::mem::take(&mut evaluation.fails);
    match fails.into_error(&kernel.file) {
        Some(error) => Err(error),
        None => Ok((value, std::mem::take(&mut evaluation.frame().variables))),
    }
}

/// Compiles the functions of a library, of whose arguments nothing is known: names that are not there are found,
/// and functions without arguments are judged as a whole.
pub(super) fn rehearse_library(parsed: &Parsed, file: &str, linked: Linked, fails: &mut Fails) {
    let kernel = KernelParts {
        file: file.to_owned(),
        functions: parsed.functions.clone(),
        constants: parsed.constants.clone(),
        outside: parsed.variables.clone(),
        comments: Comments::new(),
        linked,
        is_library: true,
        ..KernelParts::default()
    };
    for function in &kernel.functions {
        let unknown = function.parameters.iter().map(|name| (name.clone(), Val::Unknown));
        let mut builder = Builder::default();
        if let Err(error) =
            run(&kernel, &function.name, &function.body, &mut builder, unknown.collect(), &[])
        {
            fails.take(&error);
        }
    }
}

fn evaluation<'b, 'k>(
    kernel: &'k KernelParts,
    function: &'k str,
    builder: &'b mut Builder,
    variables: Vec<(String, Val)>,
    memory: &'k [Remembered],
) -> Evaluation<'b, 'k> {
    let work_before = builder.work();
    Evaluation {
        builder,
        kernel,
        memory,
        work_before,
        steps: 0,
        depth: 0,
        frames: vec![CallFrame::new(function, None, variables)],
        mismatch: None,
        leaves: None,
        fails: Fails::default(),
    }
}

/// A running call.
struct CallFrame<'k> {
    function: &'k str,
    home: Home,
    /// Functions of one name differ by how much they take.
    arity: usize,
    /// Innermost last; a block drops what it added.
    variables: Vec<Variable>,
    /// All names that variables of this call have had: what has none of them is not looked for.
    names: HashSet<String>,
    /// Conditions under which the function has returned already, and with what.
    returns: Vec<(Value, Val)>,
    /// Names that do not exist, and were reported as missing.
    missing: HashSet<String>,
}

#[derive(Clone)]
struct Variable {
    name: String,
    value: Val,
    is_constant: bool,
}

impl CallFrame<'_> {
    fn new(function: &str, home: Home, ports: Vec<(String, Val)>) -> CallFrame<'_> {
        let arity = ports.len();
        let names = ports.iter().map(|(name, _)| name.clone()).collect();
        let variables = ports
            .into_iter()
            .map(|(name, value)| Variable { name, value, is_constant: false })
            .collect();
        CallFrame {
            function,
            home,
            arity,
            variables,
            names,
            returns: Vec::new(),
            missing: HashSet::new(),
        }
    }
}

struct Evaluation<'b, 'k> {
    builder: &'b mut Builder,
    kernel: &'k KernelParts,
    /// What the node remembers.
    memory: &'k [Remembered],
    work_before: usize,
    steps: usize,
    depth: usize,
    frames: Vec<CallFrame<'k>>,
    /// The last statement was an `if` whose cases give different types: wrong only where its value
    /// is used.
    mismatch: Option<Fail>,
    /// A `return`, `break` or `continue` inside an expression, on its way out of it.
    leaves: Option<stmt::Flow>,
    /// Mistakes so far. A statement with one is left out, and what it would have set is not known.
    fails: Fails,
}

impl<'k> Evaluation<'_, 'k> {
    fn frame(&mut self) -> &mut CallFrame<'k> {
        // There is one from the start, and calls add and remove theirs.
        self.frames.last_mut().expect("a call is running")
    }

    /// Whose function is running.
    fn home(&self) -> Home {
        self.frames.last().and_then(|frame| frame.home)
    }

    /// Does something that stands in another script, as `function` there. What is wrong with it is wrong, for
    /// whoever reads this script, at the place that leads there.
    fn in_script<T>(
        &mut self,
        home: Home,
        function: &str,
        place: Position,
        does: impl FnOnce(&mut Self) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let Some(library) = home.filter(|_| home != self.home()) else { return does(self) };
        let library = self.kernel.linked.all[library].name.as_str();
        let outside = std::mem::take(&mut self.fails);
        let done = does(self);
        let inside = std::mem::replace(&mut self.fails, outside);
        let seen = |error: &ScriptError| seen_from_outside(error, function, library);
        let first = inside.into_error("").map(|error| seen(&error));
        let first_fail = first.map(|message| Fail::new(place, message));
        let done = done.map_err(|fail| match fail.kind {
            FailKind::Echo => Fail { place: place.into(), ..fail },
            kind => {
                let message = seen(&fail.in_file(""));
                Fail { kind, ..Fail::new(place, message) }
            }
        });
        // The first of them is told; others would stand at the same place.
        if let Some(first) = first_fail {
            self.fails.push(first);
        }
        done
    }

    /// Counts one step of work, and one more level of what is inside what.
    fn go_deeper(&mut self, place: Position) -> Result<(), Fail> {
        self.work(1, place)?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Fail::limit(place, "this is nested too deeply; split it with `let`"));
        }
        Ok(())
    }

    /// Counts steps of work: what takes long, such as copying a list, is many.
    fn work(&mut self, steps: usize, place: Position) -> Result<(), Fail> {
        self.steps += steps;
        if self.steps > MOST_STEPS || self.builder.work() - self.work_before > MOST_WORK {
            let message = "this becomes too large when loops are unrolled and functions inlined; use fewer rounds and calls";
            return Err(Fail::limit(place, message));
        }
        Ok(())
    }

    /// Reports a mistake, unless nothing can follow it.
    fn tell(&mut self, fail: Fail) -> Result<(), Fail> {
        if fail.kind == FailKind::Limit {
            return Err(fail);
        }
        self.fails.push(fail);
        Ok(())
    }

    /// What may be meant by a word, while somebody will read it: it takes a look at every name there is.
    fn hint<'a>(&self, word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
        if self.fails.is_full() { String::new() } else { did_you_mean(word, known) }
    }
}
