//! The inside of a function: values as statements, short ones inside the expressions that use them.
//!
//! Statements are grouped by node. What a script calls by a name has that name here; what has none
//! and is used once stands where it is used, as long as lines stay short.

use super::expression::Expression;
use super::identifier::Names;
use super::memory::BoneMemory;
use super::operation::{Operands, operation};
use super::printer::{Described, Printer};
use super::rows::Field;
use super::suggest::{Naming, own_name};
use jounce_ir::op::{Binary, Op, Ternary, Unary};
use jounce_ir::{Program, Type, Value, any_data, any_formula, any_loop, any_memory};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A longer expression is cut in two.
const LONGEST_EXPRESSION: usize = 72;
/// The longest statement, without its indentation.
const LONGEST_LINE: usize = 90;
/// What is shorter is not worth a line.
const SHORT_OPERAND: usize = 16;

pub struct Statement {
    pub text: String,
    /// Its path; empty for nobody's.
    pub node: String,
    /// What the script says above it.
    pub note: Option<String>,
    /// The value that has a name from here on.
    pub makes: Option<Value>,
    /// The named values it reads.
    pub needs: Vec<Value>,
}

/// What a function knows of the past of histories.
#[derive(Clone, Copy)]
pub enum Past<'a> {
    /// Nothing: who asks for it is told by the host.
    Unknown,
    /// There is none: it was always as it is now.
    Begins,
    /// What the shader has kept.
    Ring(&'a BoneMemory),
}

pub struct Body<'a> {
    program: &'a Program,
    naming: &'a Naming<'a>,
    pub names: Names,
    /// How each value is written at the place that is being printed.
    written: HashMap<Value, Expression>,
    /// The name of a value stays the same from loop to loop.
    given_names: HashMap<Value, String>,
    has_statement: HashSet<Value>,
    /// Values whose script name is wanted for something else.
    pub unnamed: HashSet<Value>,
    /// Values that are written into a field of this variable.
    targets: HashMap<Value, (&'static str, Field)>,
    pub past: Past<'a>,
    /// Names of values that one script calls alike.
    versions: HashMap<Value, String>,
    /// Fields that a choice reads by a name of its own: (choice, field).
    copies: HashMap<(Value, Value), Expression>,
    copies_made: usize,
}

/// How often the values of one run of statements are used.
#[derive(Default)]
pub struct Uses {
    /// By statements of the same run.
    pub here: HashMap<Value, u32>,
    /// Also by others.
    pub elsewhere: HashSet<Value>,
}

impl Operands for Body<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn written(&self, value: Value) -> Expression {
        let known = self.written.get(&value).cloned();
        // Constants are written where they stand, whichever stage they belong to.
        let written = known.or_else(|| {
            let number = self.program.op(value).as_constant()?;
            Some(super::expression::literal(number))
        });
        written.unwrap_or_else(|| Expression::primary(format!("jn_missing_{}_value", value.0)))
    }

    fn chosen(&self, choice: Value, operand: Value) -> Expression {
        let copy = self.copies.get(&(choice, operand)).cloned();
        copy.unwrap_or_else(|| self.written(operand))
    }

    fn past(&self) -> Past<'_> {
        self.past
    }

    fn is_inline(&self, value: Value) -> bool {
        !self.has_statement.contains(&value) && self.written.contains_key(&value)
    }
}

impl<'a> Body<'a> {
    pub fn new(naming: &'a Naming<'a>, names: Names) -> Body<'a> {
        Body {
            program: naming.program,
            naming,
            names,
            written: HashMap::new(),
            given_names: HashMap::new(),
            has_statement: HashSet::new(),
            unnamed: HashSet::new(),
            targets: HashMap::new(),
            past: Past::Unknown,
            versions: HashMap::new(),
            copies: HashMap::new(),
            copies_made: 0,
        }
    }

    pub fn set_all(&mut self, values: impl Iterator<Item = (Value, Expression)>) {
        values.for_each(|(value, expression)| self.set(value, expression));
    }

    /// What is computed for this field goes there, and is read from there.
    pub fn set_target(&mut self, variable: &'static str, field: &Field) {
        self.targets.insert(field.value, (variable, field.clone()));
    }

    /// From now on this value is written so.
    pub fn set(&mut self, value: Value, expression: Expression) {
        self.has_statement.insert(value);
        self.written.insert(value, expression);
    }

    pub fn knows(&self, value: Value) -> bool {
        self.written.contains_key(&value)
    }

    /// In the next loop it is computed again.
    pub fn forget(&mut self, value: Value) {
        self.written.remove(&value);
        self.has_statement.remove(&value);
        self.copies.retain(|(choice, _), _| *choice != value);
    }

    /// A name for a value in this function.
    pub fn name(&mut self, value: Value) -> String {
        if let Some(name) = self.given_names.get(&value) {
            return name.clone();
        }
        let mut wanted = match self.versions.get(&value) {
            Some(name) => name.clone(),
            None => self.naming.suggestion(value),
        };
        if self.unnamed.contains(&value) {
            wanted += "_per_bone";
        }
        let name = self.names.unique(&wanted, &self.naming.owner(value));
        self.given_names.insert(value, name.clone());
        name
    }

    /// Statements that compute these values, in their order. `read` writes what is no operation.
    pub fn statements(
        &mut self,
        values: &[Value],
        uses: &Uses,
        read: impl Fn(Value) -> Option<Expression>,
    ) -> Vec<Statement> {
        let new = values.iter().copied().filter(|value| !self.knows(*value));
        let new: Vec<Value> = new.collect();
        self.versions.extend(self.naming.versions(&new));
        let mut statements = Vec::new();
        for &value in values {
            let has_target = self.targets.contains_key(&value);
            if self.knows(value) && !has_target {
                continue;
            }
            if !self.knows(value) {
                let made = self.short_operation(value, &mut statements);
                let Some(expression) = made.or_else(|| read(value)) else { continue };
                self.written.insert(value, expression);
            }
            if has_target || !self.stands_where_it_is_used(value, uses) {
                self.give_statement(value, &mut statements);
            }
        }
        statements
    }

    /// Long operands get statements of their own until the rest is short.
    fn short_operation(
        &mut self,
        value: Value,
        statements: &mut Vec<Statement>,
    ) -> Option<Expression> {
        self.shortened(value, LONGEST_EXPRESSION, statements)
    }

    fn shortened(
        &mut self,
        value: Value,
        longest_text: usize,
        statements: &mut Vec<Statement>,
    ) -> Option<Expression> {
        self.copy_chosen_fields(value, statements);
        loop {
            let expression = operation(self, value)?;
            let operands = self.shown_operands(value).into_iter();
            let inline = operands.filter(|operand| self.is_inline(*operand));
            let length = |operand: &Value| self.written(*operand).text.len();
            let longest = inline.max_by_key(length).filter(|o| length(o) > SHORT_OPERAND);
            match longest {
                Some(operand) if expression.text.len() > longest_text => {
                    self.give_statement(operand, statements);
                }
                _ => return Some(expression),
            }
        }
    }

    /// A vector that is a field of a struct is packed in Metal, which does not choose between packed
    /// vectors and others: it becomes a variable first.
    fn copy_chosen_fields(&mut self, value: Value, statements: &mut Vec<Statement>) {
        let Op::Ternary(Ternary::Select, _, yes, no) = *self.program.op(value) else { return };
        for operand in [yes, no] {
            let written = self.written(operand);
            let is_name = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'.';
            let is_field = written.text.contains('.') && written.text.bytes().all(is_name);
            let is_copied = self.copies.contains_key(&(value, operand));
            if self.program.ty(operand) != Type::Vec3 || !is_field || is_copied {
                continue;
            }
            let field = written.text.rsplit('.').next().unwrap_or_default();
            let name = self.names.unique(field, &self.naming.owner(operand));
            // No value of the program: behind them all.
            let copy = Value((self.program.ops.len() + self.copies_made) as u32);
            self.copies_made += 1;
            statements.push(Statement {
                text: format!("let {name} = {};", written.text),
                node: self.program.origins[value.index()].node.clone(),
                note: None,
                makes: Some(copy),
                needs: written.reads,
            });
            self.copies.insert((value, operand), Expression::named(&name, copy));
        }
    }

    /// What the text of an operation is made of: `clamp` and `length` are two operations in one.
    fn shown_operands(&self, value: Value) -> Vec<Value> {
        let op = self.program.op(value);
        let inner = match *op {
            Op::Binary(Binary::Max, a, _) | Op::Unary(Unary::Sqrt, a) if self.is_inline(a) => {
                match *self.program.op(a) {
                    Op::Binary(Binary::Min | Binary::Dot, ..) => Some(a),
                    _ => None,
                }
            }
            _ => None,
        };
        let shown = op.operands().filter(|operand| Some(*operand) != inner);
        shown.chain(inner.into_iter().flat_map(|a| self.program.op(a).operands())).collect()
    }

    fn stands_where_it_is_used(&self, value: Value, uses: &Uses) -> bool {
        let op = self.program.op(value);
        let is_atom = |a: Value| {
            let written = self.written(a);
            written.text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'.')
        };
        let has_name = own_name(self.program, value).is_some() && !self.unnamed.contains(&value);
        match *op {
            Op::Constant(..) => true,
            Op::Unary(Unary::Neg | Unary::Not, a) | Op::Component(a, _) if is_atom(a) => !has_name,
            // Skinning is worth a line wherever it stands.
            Op::Source(_) => false,
            Op::Map(_) => self.is_used_once(value, uses),
            any_data!() | any_memory!() | any_formula!() | any_loop!() => {
                !has_name && self.is_used_once(value, uses)
            }
        }
    }

    fn is_used_once(&self, value: Value, uses: &Uses) -> bool {
        uses.here.get(&value) == Some(&1) && !uses.elsewhere.contains(&value)
    }

    /// `let name = …;`, or into its field, and from then on only that.
    pub fn give_statement(&mut self, value: Value, statements: &mut Vec<Statement>) {
        let place = match self.targets.get(&value) {
            Some((variable, field)) => format!("{variable}.{}", field.name),
            None => format!("let {}", self.name(value)),
        };
        let longest = LONGEST_LINE.saturating_sub(place.len() + " = ;".len());
        let shortened = self.shortened(value, longest, statements);
        let expression = shortened.unwrap_or_else(|| self.written(value));
        let (text, read) = match self.targets.get(&value) {
            Some((variable, field)) => {
                let text = format!("{place} = {};", field.stored(&expression));
                (text, Expression { reads: vec![value], ..field.read(variable) })
            }
            None => {
                let name = self.name(value);
                let text = format!("{place} = {};", expression.text);
                (text, Expression::named(&name, value))
            }
        };
        let is_source = matches!(self.program.op(value), Op::Source(_));
        let node = &self.program.origins[value.index()].node;
        statements.push(Statement {
            text,
            // Many nodes read the same data; it stands above all of them.
            node: if is_source { String::new() } else { node.clone() },
            note: self.program.origins[value.index()].note.clone().filter(|_| !is_source),
            makes: Some(value),
            needs: expression.reads,
        });
        self.set(value, read);
    }
}

/// Prints statements node by node, as far as their order allows: what a node computes stands
/// together under its title.
pub fn print_grouped(
    printer: &mut Printer,
    program: &Program,
    statements: &[Statement],
    described: &mut Described,
) {
    let mut node = "";
    let order = grouped(statements);
    for (at, &place) in order.iter().enumerate() {
        let statement = &statements[place];
        if statement.node != node {
            node = &statement.node;
            let group = order[at..].iter().take_while(|&&other| statements[other].node == node);
            printer.heading(program, node, group.count(), described);
        }
        if let Some(note) = &statement.note {
            printer.comment_of(node, note);
        }
        printer.line_of(node, &statement.text);
    }
}

/// The order: go on with the same node while one of its statements has all it needs, else with the
/// first statement that has.
fn grouped(statements: &[Statement]) -> Vec<usize> {
    let makers: HashMap<Value, usize> = statements
        .iter()
        .enumerate()
        .filter_map(|(place, statement)| Some((statement.makes?, place)))
        .collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); statements.len()];
    let mut missing = vec![0; statements.len()];
    for (place, statement) in statements.iter().enumerate() {
        let needs: BTreeSet<usize> =
            statement.needs.iter().filter_map(|value| makers.get(value).copied()).collect();
        for maker in needs.into_iter().filter(|maker| *maker != place) {
            users[maker].push(place);
            missing[place] += 1;
        }
    }
    let mut ready: BTreeSet<usize> =
        (0..statements.len()).filter(|place| missing[*place] == 0).collect();
    let mut ready_of: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    for &place in &ready {
        ready_of.entry(&statements[place].node).or_default().insert(place);
    }
    let mut order = Vec::with_capacity(statements.len());
    let mut node = "";
    loop {
        let of_node = ready_of.get(node).and_then(|places| places.first()).copied();
        let Some(place) = of_node.or_else(|| ready.first().copied()) else {
            return order;
        };
        node = &statements[place].node;
        ready.remove(&place);
        if let Some(places) = ready_of.get_mut(node) {
            places.remove(&place);
        }
        order.push(place);
        for &user in &users[place] {
            missing[user] -= 1;
            if missing[user] == 0 {
                ready.insert(user);
                ready_of.entry(&statements[user].node).or_default().insert(user);
            }
        }
    }
}
