//! Statements: `let`, assignment, `if`, `for`, `return`.

use super::super::error::Fail;
use super::assigned::Written;
use super::{Evaluation, Val, Variable, identifier, select, told_apart};
use jounce_ir::{Binary, Unary, Value};
use rhai::{ASTFlags, BinaryExpr, Expr, FlowControl, OpAssignment, Position, Stmt};

/// Rounds of one loop.
const MOST_ROUNDS: i64 = 1024;
/// Lists and maps that are larger are tables of numbers, whose parts have no names.
const MOST_NAMED: usize = 16;

/// How a statement ended.
pub(super) enum Flow {
    Value(Val),
    Return(Val),
    Break,
    Continue,
}

impl<'k> Evaluation<'_, 'k> {
    /// The value of a function: of its `return`s, else of its last expression. Mistakes are reported, and make
    /// it unknown.
    pub(super) fn function_body(&mut self, body: &'k [Stmt]) -> Result<Val, Fail> {
        let mut result = match self.statements(body)? {
            Flow::Value(value) => match self.used(value) {
                Ok(value) => value,
                Err(fail) => {
                    self.tell(fail)?;
                    Val::Unknown
                }
            },
            Flow::Return(value) => value,
            Flow::Break | Flow::Continue => Val::Unit,
        };
        let place = body.last().map_or(Position::NONE, Stmt::position);
        while let Some((condition, returned)) = self.frame().returns.pop() {
            result = match select(self.builder, condition, &returned, &result) {
                Some(value) => value,
                None => {
                    let (a, b) = told_apart(&returned, &result);
                    self.tell(Fail::new(place, format!("the function returns {a} in one case and {b} in another; make them the same")))?;
                    Val::Unknown
                }
            };
        }
        Ok(result)
    }

    /// Variables of a block end with it.
    pub(super) fn block(&mut self, statements: &'k [Stmt]) -> Result<Flow, Fail> {
        let outside = self.frame().variables.len();
        let flow = self.statements(statements)?;
        self.frame().variables.truncate(outside);
        Ok(flow)
    }

    fn statements(&mut self, statements: &'k [Stmt]) -> Result<Flow, Fail> {
        let mut last = Val::Unit;
        for statement in statements {
            self.mismatch = None;
            match self.statement(statement) {
                Ok(Flow::Value(value)) => last = value,
                Ok(other) => return Ok(other),
                Err(fail) => {
                    self.tell(fail)?;
                    self.leave_out(statement);
                    last = Val::Unknown;
                    if matches!(statement, Stmt::Return(..)) {
                        return Ok(Flow::Return(Val::Unknown));
                    }
                }
            }
        }
        Ok(Flow::Value(last))
    }

    /// What a statement with a mistake would have set is not known.
    fn leave_out(&mut self, statement: &'k Stmt) {
        self.mismatch = None;
        if let Stmt::Var(parts, ..) = statement {
            self.declare(parts.0.as_str(), Val::Unknown, false);
            return;
        }
        let mut written = Written::default();
        written.look_through(statement);
        for name in written.assigned {
            if let Some(variable) = self.variable(&name) {
                self.frame().variables[variable].value = Val::Unknown;
            }
        }
    }

    fn statement(&mut self, statement: &'k Stmt) -> Result<Flow, Fail> {
        self.go_deeper(statement.position())?;
        let flow = self.shallow_statement(statement);
        self.depth -= 1;
        flow.or_else(|fail| self.leaves.take().ok_or(fail))
    }

    fn shallow_statement(&mut self, statement: &'k Stmt) -> Result<Flow, Fail> {
        let place = statement.position();
        let value = match statement {
            Stmt::Noop(_) => Val::Unit,
            Stmt::Expr(expr) => self.expr(expr)?,
            Stmt::FnCall(call, place) => self.call(call, *place)?,
            Stmt::Block(block) => return self.block(block.statements()),
            Stmt::If(flow, place) => return self.if_else(flow, *place),
            Stmt::For(parts, _) => {
                let (name, counter, flow) = &**parts;
                let counter = counter.as_ref().map(|ident| ident.as_str());
                return self.for_each(name.as_str(), counter, flow);
            }
            Stmt::Var(parts, flags, _) => {
                let value = self.expr(&parts.1)?;
                self.note(place, &value);
                self.declare(parts.0.as_str(), value, flags.contains(ASTFlags::CONSTANT));
                Val::Unit
            }
            Stmt::Assignment(parts) => {
                self.assign(&parts.0, &parts.1)?;
                Val::Unit
            }
            Stmt::Return(_, flags, _) if flags.contains(ASTFlags::BREAK) => {
                let message = "`throw` has no meaning in a node; use 0 or a default instead";
                return Err(Fail::new(place, message));
            }
            Stmt::Return(value, ..) => {
                return Ok(Flow::Return(match value {
                    Some(expr) => self.expr(expr)?,
                    None => Val::Unit,
                }));
            }
            Stmt::BreakLoop(_, flags, _) => {
                let is_break = flags.contains(ASTFlags::BREAK);
                return Ok(if is_break { Flow::Break } else { Flow::Continue });
            }
            Stmt::While(..) | Stmt::Do(..) => {
                let message = "`while` and `loop` may never end; write `for i in 0..8 { … }`";
                return Err(Fail::new(place, message));
            }
            Stmt::Switch(..) => {
                let message = "`switch` cannot be compiled; write `if … else if … else …`";
                return Err(Fail::new(place, message));
            }
            Stmt::TryCatch(..) => {
                let message = "`try` has no meaning in a node: nothing here can fail";
                return Err(Fail::new(place, message));
            }
            Stmt::Import(..) | Stmt::Export(..) => {
                let message = super::super::declare_errors::CANNOT_IMPORT;
                return Err(Fail::new(place, message));
            }
            _ => return Err(Fail::new(place, "this cannot be compiled; write it more simply")),
        };
        Ok(Flow::Value(value))
    }

    pub(super) fn declare(&mut self, name: &str, value: Val, is_constant: bool) {
        self.name_parts(name, &value);
        let (frame, name) = (self.frame(), name.to_owned());
        if !frame.names.contains(&name) {
            frame.names.insert(name.clone());
        }
        frame.variables.push(Variable { name, value, is_constant });
    }

    /// So that people who read the program find what the script says.
    fn name_parts(&mut self, name: &str, value: &Val) {
        if value.size() > MOST_NAMED {
            return;
        }
        match value {
            Val::Unit | Val::Unknown | Val::Int(_) | Val::Text(_) => {}
            Val::Float(v) | Val::Bool(v) | Val::Vec3(v) => self.builder.name(*v, name),
            Val::Quat(v, w) => {
                self.builder.name(*v, name);
                self.builder.name(*w, &format!("{name} w"));
            }
            Val::Mat3(columns) => {
                for (column, axis) in columns.iter().zip(["x", "y", "z"]) {
                    self.builder.name(*column, &format!("{name} {axis}"));
                }
            }
            Val::List(list) => {
                for (place, value) in list.iter().enumerate() {
                    self.name_parts(&format!("{name} {place}"), value);
                }
            }
            Val::Map(map) => {
                for (key, value) in map {
                    self.name_parts(&format!("{name} {key}"), value);
                }
            }
        }
    }

    /// The comment above a statement goes with what it makes.
    fn note(&mut self, place: Position, value: &Val) {
        let comment = place.line().and_then(|line| self.kernel.comments_of(self.home()).get(&line));
        if let (Some(comment), Some(&first)) = (comment, value.parts().first()) {
            self.builder.note(first, comment);
        }
    }

    /// The variable's place in the running call.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        let frame = self.frames.last().filter(|frame| frame.names.contains(name))?;
        frame.variables.iter().rposition(|variable| variable.name == name)
    }

    fn assign(&mut self, op: &OpAssignment, sides: &'k BinaryExpr) -> Result<(), Fail> {
        let (target, fields) = target(&sides.lhs)?;
        let (name, place) = target;
        let Some(variable) = self.variable(name) else {
            if self.kernel.constant(self.home(), name).is_some() {
                return Err(Fail::new(place, changes_constant(name)));
            }
            if self.frame().missing.contains(name) {
                return Err(Fail::echo(place));
            }
            let known = self.frames.last().map(|frame| &frame.variables[..]).unwrap_or_default();
            let hint = self.hint(name, known.iter().map(|variable| variable.name.as_str()));
            let first = if fields.is_empty() {
                format!("let {name} = …")
            } else {
                format!("let {name} = vec3(0)")
            };
            let message =
                format!("there is no variable `{name}` yet; write `{first}` the first time{hint}");
            self.frame().missing.insert(name.to_owned());
            if let Err(fail) = self.expr(&sides.rhs)
                && self.leaves.is_none()
            {
                self.tell(fail)?;
            }
            return Err(Fail::new(place, message));
        };
        let mut value = self.expr(&sides.rhs)?;
        if self.frame().variables[variable].is_constant {
            return Err(Fail::new(place, changes_constant(name)));
        }
        let whole = self.frame().variables[variable].value.clone();
        let is_part = !fields.is_empty() || op.get_op_assignment_info().is_some();
        if whole == Val::Unknown && is_part {
            return Err(Fail::echo(place));
        }
        if let Some((_, _, _, _, _, symbol)) = op.get_op_assignment_info() {
            let before = self.read_path(&whole, &fields)?;
            value = self.binary_operator(symbol, &before, &value, op.position())?;
        }
        let changed = self.write_path(whole, &fields, value)?;
        self.work(changed.size(), place)?;
        self.note(place, &changed);
        self.name_parts(name, &changed);
        self.frame().variables[variable].value = changed;
        Ok(())
    }

    fn read_path(&mut self, whole: &Val, fields: &[&'k Expr]) -> Result<Val, Fail> {
        let mut value = whole.clone();
        for field in fields {
            value = self.member(&value, field)?;
        }
        Ok(value)
    }

    /// `whole` with what `fields` lead to replaced.
    fn write_path(&mut self, whole: Val, fields: &[&'k Expr], value: Val) -> Result<Val, Fail> {
        let Some((first, rest)) = fields.split_first() else {
            return Ok(value);
        };
        let place = first.position();
        let inner = match (&whole, first) {
            // A new entry of a map.
            (Val::Map(_), Expr::Property(..)) if rest.is_empty() => Val::Unit,
            _ => self.member(&whole, first)?,
        };
        let inner = self.write_path(inner, rest, value)?;
        match (whole, first) {
            (Val::Map(mut map), Expr::Property(name, _)) => {
                map.insert(name.2.to_string(), inner);
                Ok(Val::Map(map))
            }
            (Val::List(mut list), index) => {
                let place_in_list = self.list_place(list.len(), index)?;
                list[place_in_list] = inner;
                Ok(Val::List(list))
            }
            (Val::Vec3(v), Expr::Property(name, _)) => {
                let x = inner.float(self.builder).ok_or_else(|| {
                    let found = inner.describe();
                    Fail::new(
                        place,
                        format!("`.{}` of a vec3 is a float, but this is {found}", name.2),
                    )
                })?;
                let axis = ["x", "y", "z"].iter().position(|axis| *axis == name.2.as_str());
                let part = |i: usize, b: &mut jounce_ir::Builder| match axis == Some(i) {
                    true => x,
                    false => b.component(v, i as u8),
                };
                let parts = [0, 1, 2].map(|i| part(i, self.builder));
                Ok(Val::Vec3(self.builder.vec3(parts[0], parts[1], parts[2])))
            }
            (Val::Vec3(_), _) => {
                let message = "a part of a vec3 is changed by its name, as in v.x = 1";
                Err(Fail::new(place, message))
            }
            (other, _) => {
                let message = format!("parts of {} cannot be changed one by one", other.describe());
                Err(Fail::new(place, message))
            }
        }
    }

    fn if_else(&mut self, flow: &'k FlowControl, place: Position) -> Result<Flow, Fail> {
        let condition = self.expr(&flow.expr)?;
        if let Some(known) = condition.known_bool(self.builder) {
            let branch = if known { &flow.body } else { &flow.branch };
            return self.block(branch.statements());
        }
        let Val::Bool(condition) = condition else {
            let found = condition.describe();
            let message = format!("`if` needs a condition such as `x > 0`, but this is {found}");
            return Err(Fail::new(flow.expr.position(), message));
        };
        self.run_time_if(condition, flow, place)
    }

    /// Both branches are computed; every variable that differs afterwards is selected.
    fn run_time_if(
        &mut self,
        condition: Value,
        flow: &'k FlowControl,
        place: Position,
    ) -> Result<Flow, Fail> {
        let size = self.frame().variables.iter().map(|variable| variable.value.size()).sum();
        self.work(size, place)?;
        let before = self.frame().variables.clone();
        let not = self.builder.unary(Unary::Not, condition);
        let yes = self.branch(condition, flow.body.statements())?;
        let after_yes = std::mem::replace(&mut self.frame().variables, before);
        let no = self.branch(not, flow.branch.statements())?;
        let (yes, no) = match (yes, no) {
            (Flow::Break | Flow::Continue, _) | (_, Flow::Break | Flow::Continue) => {
                let message = "`break` and `continue` cannot depend on a value that is known only while the graph runs; compute all rounds and choose with `if`";
                return Err(Fail::new(place, message));
            }
            (Flow::Return(_), _) | (_, Flow::Return(_)) if self.refuse_return(place).is_err() => {
                self.refuse_return(place)?;
                return Ok(Flow::Value(Val::Unit));
            }
            (Flow::Return(a), Flow::Return(b)) => {
                let value = self.choose(condition, &a, &b, place)?;
                return Ok(Flow::Return(value));
            }
            // The function has returned under this condition; the rest goes on without it.
            (Flow::Return(value), Flow::Value(rest)) => {
                self.frame().returns.push((condition, value));
                return Ok(Flow::Value(rest));
            }
            (Flow::Value(rest), Flow::Return(value)) => {
                self.frame().returns.push((not, value));
                self.frame().variables = after_yes;
                return Ok(Flow::Value(rest));
            }
            (Flow::Value(yes), Flow::Value(no)) => (yes, no),
        };
        for (i, was_yes) in after_yes.into_iter().enumerate() {
            let was_no = self.frame().variables[i].value.clone();
            let name = was_yes.name;
            let joined = select(self.builder, condition, &was_yes.value, &was_no).ok_or_else(|| {
                let (a, b) = told_apart(&was_yes.value, &was_no);
                let message = format!("after this `if`, `{name}` is {a} in one case and {b} in the other; make them the same");
                Fail::new(place, message)
            })?;
            if joined != was_no && joined != was_yes.value {
                self.name_parts(&name, &joined);
            }
            self.frame().variables[i].value = joined;
        }
        // An `if` used as a statement may have branches of any kind.
        Ok(Flow::Value(match self.choose(condition, &yes, &no, place) {
            Ok(value) => value,
            Err(fail) => {
                self.mismatch.get_or_insert(fail);
                Val::Unit
            }
        }))
    }

    /// The value of a block, where it is used.
    pub(super) fn used(&mut self, value: Val) -> Result<Val, Fail> {
        match self.mismatch.take() {
            Some(fail) if value == Val::Unit => Err(fail),
            _ => Ok(value),
        }
    }

    /// A branch that runs under a condition, with its returns.
    fn branch(&mut self, condition: Value, statements: &'k [Stmt]) -> Result<Flow, Fail> {
        let returns_before = self.frame().returns.len();
        let flow = self.block(statements)?;
        for i in returns_before..self.frame().returns.len() {
            let inner = self.frame().returns[i].0;
            let both = self.builder.binary(Binary::And, condition, inner);
            self.frame().returns[i].0 = both;
        }
        Ok(flow)
    }

    fn choose(
        &mut self,
        condition: Value,
        yes: &Val,
        no: &Val,
        place: Position,
    ) -> Result<Val, Fail> {
        select(self.builder, condition, yes, no).ok_or_else(|| {
            let (a, b) = told_apart(yes, no);
            Fail::new(
                place,
                format!("this `if` gives {a} in one case and {b} in the other; make them the same"),
            )
        })
    }

    fn for_each(
        &mut self,
        name: &str,
        counter: Option<&str>,
        flow: &'k FlowControl,
    ) -> Result<Flow, Fail> {
        let place = flow.expr.position();
        let rounds = match self.expr(&flow.expr)? {
            Val::List(list) => list,
            other => {
                let found = other.describe();
                let message =
                    format!("`for` goes over a range such as 0..8 or a list, but this is {found}");
                return Err(Fail::new(place, message));
            }
        };
        for (i, value) in rounds.into_iter().enumerate() {
            self.work(1, place)?;
            let outside = self.frame().variables.len();
            self.declare(name, value, false);
            if let Some(counter) = counter {
                self.declare(counter, Val::Int(i as i64), false);
            }
            let flow = self.block(flow.body.statements())?;
            self.frame().variables.truncate(outside);
            match flow {
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Value(_) | Flow::Continue => {}
            }
        }
        self.mismatch = None;
        Ok(Flow::Value(Val::Unit))
    }

    /// `from..to`, as a list.
    pub(super) fn range(
        &mut self,
        from: &Val,
        to: &Val,
        inclusive: bool,
        place: Position,
    ) -> Result<Val, Fail> {
        let known = (from.known_int(self.builder), to.known_int(self.builder));
        let (Some(from), Some(to)) = known else {
            let message =
                "the ends of a range must be whole numbers known before the graph runs, as in 0..8";
            return Err(Fail::new(place, message));
        };
        let to = if inclusive { to.saturating_add(1) } else { to };
        if to.saturating_sub(from) > MOST_ROUNDS {
            let message =
                format!("a loop has at most {MOST_ROUNDS} rounds, because it is unrolled");
            return Err(Fail::new(place, message));
        }
        Ok(Val::List((from..to).map(Val::Int).collect()))
    }

    /// Names that `eval` may use for its ports.
    pub(super) fn is_port(&self, name: &str) -> bool {
        self.kernel.port_names.iter().any(|port| *port == identifier(name))
    }
}

fn changes_constant(name: &str) -> String {
    format!("`{name}` is a constant; declare it with `let` inside the function to change it")
}

/// `a.b[2].c = …` → the variable, and the way to the part.
pub(super) fn target(expr: &Expr) -> Result<((&str, Position), Vec<&Expr>), Fail> {
    let mut fields = Vec::new();
    let mut rest = expr;
    let mut variable = None;
    loop {
        match rest {
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                match (&variable, &pair.lhs) {
                    (None, Expr::Variable(parts, _, place)) => {
                        variable = Some((parts.1.as_str(), *place));
                    }
                    (Some(_), field) => fields.push(field),
                    _ => break,
                }
                rest = &pair.rhs;
            }
            Expr::Variable(parts, _, place) if variable.is_none() => {
                return Ok(((parts.1.as_str(), *place), fields));
            }
            field => {
                fields.push(field);
                break;
            }
        }
    }
    match variable {
        Some(variable) => Ok((variable, fields)),
        None => Err(Fail::new(expr.start_position(), "only a variable can be assigned to")),
    }
}
