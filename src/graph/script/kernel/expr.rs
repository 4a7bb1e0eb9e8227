//! Expressions: names, literals, fields, calls.

use super::super::error::Fail;
use super::super::functions;
use super::{CallFrame, Evaluation, Val, stmt::Flow};
use jounce_ir::op::MotionPart;
use jounce_ir::{Number, Source, source};
use rhai::{Expr, FnCallExpr, Position};

/// Numbers with a name.
pub const NUMBERS: [(&str, f64); 3] =
    [("PI", std::f64::consts::PI), ("TAU", std::f64::consts::TAU), ("E", std::f64::consts::E)];

impl<'k> Evaluation<'_, 'k> {
    pub(super) fn expr(&mut self, expr: &'k Expr) -> Result<Val, Fail> {
        self.go_deeper(expr.position())?;
        let value = self.shallow(expr);
        self.depth -= 1;
        match value {
            Ok(Val::Unknown) => Err(Fail::echo(expr.position())),
            value => value,
        }
    }

    fn shallow(&mut self, expr: &'k Expr) -> Result<Val, Fail> {
        Ok(match expr {
            Expr::BoolConstant(b, _) => Val::Bool(self.builder.constant(Number::Bool(*b))),
            Expr::IntegerConstant(i, place) if i.unsigned_abs() > 1_000_000_000_000 => {
                return Err(Fail::new(*place, "numbers go up to 1e12"));
            }
            Expr::IntegerConstant(i, _) => Val::Int(*i),
            Expr::FloatConstant(x, place) => {
                if !(x.abs() <= jounce_base::LARGEST_NUMBER) {
                    let message = "numbers go up to 1e12";
                    return Err(Fail::new(*place, message));
                }
                Val::Float(self.builder.float(**x))
            }
            Expr::StringConstant(text, _) => Val::Text(text.to_string()),
            Expr::Unit(_) => Val::Unit,
            Expr::Array(list, _) => {
                let list: Result<Vec<Val>, Fail> = list.iter().map(|e| self.expr(e)).collect();
                Val::List(list?)
            }
            Expr::Map(entries, _) => {
                let mut map = std::collections::BTreeMap::new();
                for (name, value) in &entries.0 {
                    map.insert(name.as_str().to_owned(), self.expr(value)?);
                }
                Val::Map(map)
            }
            Expr::Variable(parts, _, place) => self.name(&parts.1, *place)?,
            Expr::Stmt(block) => match self.block(block.statements())? {
                Flow::Value(value) => self.used(value)?,
                leaves => {
                    // The statement around this expression finds it.
                    self.leaves = Some(leaves);
                    return Err(Fail::new(block.position(), "this leaves the block early"));
                }
            },
            Expr::FnCall(call, place) => self.call(call, *place)?,
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                let (first, rest) = match &pair.rhs {
                    Expr::Dot(rest, ..) | Expr::Index(rest, ..) => (&rest.lhs, Some(&rest.rhs)),
                    last => (last, None),
                };
                if let Some(value) = self.ago(&pair.lhs, first) {
                    let value = value?;
                    return rest.map_or(Ok(value.clone()), |rest| self.chain(value, rest));
                }
                let whole = self.expr(&pair.lhs)?;
                self.chain(whole, &pair.rhs)?
            }
            Expr::And(parts, place) => self.logical("&&", parts, *place)?,
            Expr::Or(parts, place) => self.logical("||", parts, *place)?,
            Expr::InterpolatedString(_, place) | Expr::CharConstant(_, place) => {
                return Err(Fail::new(*place, "a node cannot compute with texts"));
            }
            other => {
                let message = "this cannot be compiled; write it more simply";
                return Err(Fail::new(other.position(), message));
            }
        })
    }

    fn logical(&mut self, symbol: &str, parts: &'k [Expr], place: Position) -> Result<Val, Fail> {
        let mut result: Option<Val> = None;
        for part in parts {
            let value = self.expr(part)?;
            result = Some(match result {
                None => value,
                Some(before) => self.binary_operator(symbol, &before, &value, place)?,
            });
            // What is decided needs no more: `i > 0 && list[i - 1] > x`.
            let known = result.as_ref().and_then(|value| value.known_bool(self.builder));
            if known == Some(symbol == "||") {
                break;
            }
        }
        Ok(result.unwrap_or(Val::Unit))
    }

    fn name(&mut self, name: &str, place: Position) -> Result<Val, Fail> {
        if let Some(variable) = self.variable(name) {
            let size = self.frame().variables[variable].value.size();
            self.work(size, place)?;
            return Ok(self.frame().variables[variable].value.clone());
        }
        let kernel = self.kernel;
        let home = self.home();
        if let Some((constant, home)) = kernel.constant(home, name) {
            // Constants see constants, not the variables of whoever reads them.
            let value = self.in_script(home, name, place, |this| {
                this.frames.push(CallFrame::new("const", home, Vec::new()));
                let value = this.expr(&constant.value);
                this.frames.pop();
                value
            });
            if self.leaves.take().is_some() {
                return Err(Fail::new(place, format!("`{name}` is a constant and cannot return")));
            }
            return value;
        }
        if let Some((_, number)) = NUMBERS.iter().find(|(known, _)| *known == name) {
            return Ok(Val::Float(self.builder.float(*number)));
        }
        let source = match name {
            "time" => Some(Source::Time),
            "dt" => Some(Source::StepSecs),
            _ => source::named(name).map(|info| info.source),
        };
        if source == Some(Source::StepSecs) && self.memory.is_empty() && !kernel.is_library {
            let message = format!(
                "`{name}` is the length of a step, and only nodes that remember make steps; declare a `state` or `history`, and read it in `eval`"
            );
            return Err(Fail::new(place, message));
        }
        if let Some(source) = source {
            return Ok(Val::source(self.builder, source));
        }
        if let Some(part) = MotionPart::ALL.iter().find(|part| part.constant_name() == name) {
            let unsmoothed = self.builder.float(0.0);
            return Ok(Val::Vec3(self.builder.motion(*part, unsmoothed)));
        }
        if self.frames.len() > 1 && self.is_port(name) {
            let function = self.frame().function;
            let is_input = kernel.input_names().iter().any(|input| input == name);
            let what = if is_input { "an input of the node" } else { "remembered by the node" };
            let message = format!("`{name}` is {what}; pass it to `{function}` as an argument");
            return Err(Fail::new(place, message));
        }
        if home.is_none() && kernel.outside.iter().any(|outside| outside == name) {
            let message = format!(
                "`eval` can use only the constants of the script; write `const {name} = …`"
            );
            return Err(Fail::new(place, message));
        }
        if !self.frame().missing.insert(name.to_owned()) {
            return Err(Fail::echo(place));
        }
        if self.fails.is_full() {
            return Err(Fail::new(place, format!("there is no `{name}`")));
        }
        let locals = self.frames.last().map(|frame| &frame.variables[..]).unwrap_or_default();
        let known = locals.iter().map(|variable| variable.name.as_str());
        let constants = kernel.reach(home).flat_map(|at| kernel.constants_of(at));
        let known = known.chain(constants.map(|constant| constant.name.as_str()));
        let known = known.chain(NUMBERS.iter().map(|(name, _)| *name));
        let known = known.chain(source::SOURCES.iter().filter_map(|info| info.name));
        let known = known.chain(MotionPart::ALL.iter().map(|part| part.constant_name()));
        let hint = match functions::is_known(name) {
            true => format!("; `{name}` is a function, call it as `{name}(…)`"),
            false => match self.hint(name, known) {
                hint if hint.is_empty() => inputs_there_are(kernel.input_names()),
                hint => hint,
            },
        };
        Err(Fail::new(place, format!("there is no `{name}`{hint}")))
    }

    /// What follows a dot or stands in brackets, one after the other.
    fn chain(&mut self, whole: Val, rest: &'k Expr) -> Result<Val, Fail> {
        match rest {
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                let part = self.member(&whole, &pair.lhs)?;
                self.chain(part, &pair.rhs)
            }
            last => self.member(&whole, last),
        }
    }

    /// `whole.field`, `whole.method(…)` or `whole[index]`.
    pub(super) fn member(&mut self, whole: &Val, member: &'k Expr) -> Result<Val, Fail> {
        match member {
            Expr::Property(name, place) => self.field(whole, &name.2, *place),
            Expr::MethodCall(call, place) => {
                let mut arguments = vec![whole.clone()];
                for argument in &call.args {
                    arguments.push(self.expr(argument)?);
                }
                self.call_with(&call.name, arguments, *place)
            }
            index => match whole {
                Val::List(list) => {
                    let place = self.list_place(list.len(), index)?;
                    Ok(list[place].clone())
                }
                Val::Map(map) => match self.expr(index)? {
                    Val::Text(key) => map.get(&key).cloned().ok_or_else(|| {
                        let hint = self.hint(&key, map.keys().map(String::as_str));
                        Fail::new(index.position(), format!("the map has no `{key}`{hint}"))
                    }),
                    _ => Err(Fail::new(index.position(), "a map is read by name, as in map.name")),
                },
                Val::Vec3(v) => {
                    let place = self.list_place(3, index)?;
                    Ok(Val::Float(self.builder.component(*v, place as u8)))
                }
                Val::Mat3(columns) => {
                    let place = self.list_place(3, index)?;
                    Ok(Val::Vec3(columns[place]))
                }
                other => {
                    let message = format!("{} has no elements", other.describe());
                    Err(Fail::new(index.position(), message))
                }
            },
        }
    }

    pub(super) fn list_place(&mut self, length: usize, index: &'k Expr) -> Result<usize, Fail> {
        let place = index.position();
        let index = self.expr(index)?;
        let Some(index) = index.known_int(self.builder) else {
            let message =
                "the index must be known before the graph runs; use a number or a loop's counter";
            return Err(Fail::new(place, message));
        };
        usize::try_from(index).ok().filter(|index| *index < length).ok_or_else(|| {
            Fail::new(
                place,
                format!("there is no element {index}; there are {length} elements, counted from 0"),
            )
        })
    }

    fn field(&mut self, whole: &Val, name: &str, place: Position) -> Result<Val, Fail> {
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == name);
        let (fields, whole_is): (&[&str], _) = match (whole, axis) {
            (Val::Vec3(v), Some(axis)) => {
                return Ok(Val::Float(self.builder.component(*v, axis as u8)));
            }
            (Val::Quat(v, _), Some(axis)) => {
                return Ok(Val::Float(self.builder.component(*v, axis as u8)));
            }
            (Val::Quat(_, w), None) if name == "w" => return Ok(Val::Float(*w)),
            (Val::Mat3(columns), Some(axis)) => return Ok(Val::Vec3(columns[axis])),
            (Val::Map(map), _) => match map.get(name) {
                Some(value) => return Ok(value.clone()),
                None => {
                    let hint = self.hint(name, map.keys().map(String::as_str));
                    return Err(Fail::new(place, format!("the map has no `{name}`{hint}")));
                }
            },
            (Val::List(list), _) if name == "len" => return Ok(Val::Int(list.len() as i64)),
            (Val::Vec3(_) | Val::Mat3(_), None) => (&["x", "y", "z"], whole.describe()),
            (Val::Quat(..), None) => (&["x", "y", "z", "w"], whole.describe()),
            (other, _) => (&[], other.describe()),
        };
        let message = match fields {
            _ if functions::is_known(name) => {
                format!("`{name}` is a function; write `{name}(…)` or `.{name}(…)`")
            }
            [] => format!("{whole_is} has no parts, so it has no `.{name}`"),
            _ => format!("{whole_is} has no `.{name}`; it has .{}", fields.join(", .")),
        };
        Err(Fail::new(place, message))
    }

    pub(super) fn call(&mut self, call: &'k FnCallExpr, place: Position) -> Result<Val, Fail> {
        if call.is_qualified() {
            return Err(Fail::new(
                place,
                "scripts cannot import; call functions by their plain name",
            ));
        }
        let is_operator = call.is_operator_call() || matches!(call.name.as_str(), ".." | "..=");
        let mut arguments = Vec::new();
        for argument in &call.args {
            match self.expr(argument) {
                Ok(value) => arguments.push(value),
                // In the rehearsal of a library nothing is known but names.
                Err(fail) if self.kernel.is_library && !is_operator => {
                    return Err(self.unknown_function(&call.name, place).unwrap_or(fail));
                }
                Err(fail) => return Err(fail),
            }
        }
        if is_operator {
            return self.operator(&call.name, &arguments, place);
        }
        self.call_with(&call.name, arguments, place)
    }

    /// What is wrong with a name that nothing has.
    fn unknown_function(&mut self, name: &str, place: Position) -> Option<Fail> {
        let name = super::super::parse::plain(name);
        let mut all =
            self.kernel.reach(self.home()).flat_map(|home| self.kernel.functions_of(home));
        let is_known = functions::is_known(name) || all.any(|function| function.name == name);
        if is_known {
            return None;
        }
        self.call_with(name, Vec::new(), place).err()
    }

    fn call_with(&mut self, name: &str, arguments: Vec<Val>, place: Position) -> Result<Val, Fail> {
        let name = super::super::parse::plain(name);
        let kernel = self.kernel;
        let own = kernel.reach(self.home()).flat_map(|home| {
            let named = kernel.functions_of(home).iter().filter(|function| function.name == name);
            named.map(move |function| (function, home))
        });
        let fits = own.clone().find(|(function, _)| function.parameters.len() == arguments.len());
        let Some((function, home)) = fits else {
            if let Some((function, _)) = own.clone().next() {
                let (wanted, found) = (function.parameters.len(), arguments.len());
                let message = match name {
                    "eval" => "`eval` is the node itself; call a function of your own".to_owned(),
                    _ => format!("`{name}` takes {}, but gets {found}", values(wanted)),
                };
                return Err(Fail::new(place, message));
            }
            self.work(functions::cost(name), place)?;
            let all = kernel.reach(self.home()).flat_map(|home| kernel.functions_of(home));
            let names = all.map(|function| function.name.as_str());
            let names = (!self.fails.is_full()).then_some(names);
            let message = functions::call(name, self.builder, &arguments, names);
            return message.map_err(|message| Fail::new(place, message));
        };
        let is_running = |frame: &CallFrame| {
            (frame.function, frame.home, frame.arity)
                == (function.name.as_str(), home, function.parameters.len())
        };
        if self.frames.iter().any(is_running) {
            let message =
                format!("`{name}` calls itself, which a node cannot do; write a `for` loop");
            return Err(Fail::new(place, message));
        }
        let parameters = function.parameters.iter().cloned().zip(arguments).collect();
        self.in_script(home, &function.name, place, |this| {
            this.frames.push(CallFrame::new(&function.name, home, parameters));
            let result = this.function_body(&function.body);
            this.frames.pop();
            result
        })
    }
}

fn inputs_there_are(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("; the only input is `{one}`"),
        names => format!("; the inputs are {}", super::list(names, "and")),
    }
}

fn values(count: usize) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}
