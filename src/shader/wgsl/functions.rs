//! The generated core: what a vertex computes, as functions.

use super::body::{Body, Statement, Uses, print_grouped};
use super::expression::{Expression, Level, literal};
use super::identifier::Names;
use super::operation::Operands;
use super::printer::{Described, Printer};
use super::suggest::own_name;
use super::tables::TableNames;
use jounce_ir::op::Op;
use jounce_ir::{Number, Rate, Stage, Value, any_data, any_formula, any_loop, any_memory};
use std::collections::HashSet;

/// Names that functions use for themselves, and entry points.
pub(super) const OWN_NAMES: [&str; 13] = [
    "frame",
    "bone",
    "given",
    "before",
    "after",
    "begun",
    "k",
    "deform",
    "bones",
    "vertex_value",
    "relax",
    "group",
    "lane",
];

/// Prints the function of a pass over the vertices. The last one returns the position.
pub fn print_vertex_function(
    printer: &mut Printer,
    tables: &TableNames,
    pass: usize,
    name: &str,
    described: &mut Described,
) {
    let is_last = pass + 1 == tables.schedule.passes.len();
    let result = if is_last { " -> vec3f" } else { "" };
    let head = format!("fn {name}(){result}");
    let mut body = Body::new(&tables.naming, Names::new(&OWN_NAMES));
    body.set_all(tables.of_frame());
    // First written without knowing whether it needs the frame.
    let mut inside = Printer::default();
    let mut parts = VertexPass { tables, body, pass, is_last, described };
    parts.print(&mut inside);
    printer.block(&head, |function| {
        if inside.reads("frame") {
            function.line("let frame = jn_frame();");
        }
        function.append(inside);
    });
}

struct VertexPass<'a> {
    tables: &'a TableNames<'a>,
    body: Body<'a>,
    pass: usize,
    is_last: bool,
    described: &'a mut Described,
}

impl VertexPass<'_> {
    fn print(&mut self, printer: &mut Printer) {
        let (tables, program) = (self.tables, self.tables.program);
        let pass = &tables.schedule.passes[self.pass];
        for &place in &pass.loads {
            let value = tables.schedule.kept[place];
            let name = self.body.name(value);
            printer.line(&format!("let {name} = {};", tables.read_kept(place)));
            self.body.set(value, Expression::named(&name, value));
        }
        for &stage in &pass.stages {
            match &program.stages[stage] {
                Stage::Vertex(values) => {
                    let uses = self.uses(stage, values, &[]);
                    let read = |value| read_vertex(tables, value);
                    let statements = self.body.statements(values, &uses, read);
                    print_grouped(printer, program, &statements, self.described);
                }
                Stage::Influences { values, sums } => self.print_loop(printer, stage, values, sums),
                _ => {}
            }
        }
        if !pass.stores.is_empty() {
            printer.blank();
        }
        for &place in &pass.stores {
            let kept = self.body.written(tables.schedule.kept[place]);
            printer.line(&tables.keep(place, &kept));
        }
        if self.is_last {
            let node = &program.origins[program.position.index()].node;
            let position = self.body.written(program.position);
            printer.line_of(node, &format!("return {};", position.text));
        }
    }

    fn print_loop(
        &mut self,
        printer: &mut Printer,
        stage: usize,
        values: &[Value],
        sums: &[Value],
    ) {
        let (tables, program) = (self.tables, self.tables.program);
        printer.blank();
        for &value in values {
            self.body.forget(value);
        }
        for field in &tables.bone.fields {
            self.body.set(field.value, field.read("bone"));
        }
        for &sum in sums {
            let name = self.body.name(sum);
            let zero = literal(Number::zero(program.ty(sum)));
            let node = &program.origins[sum.index()].node;
            printer.line_of(node, &format!("var {name} = {};", zero.text));
            if let Op::Sum { value, .. } = *program.op(sum)
                && own_name(program, value) == own_name(program, sum)
            {
                self.body.unnamed.insert(value);
            }
        }
        let uses = self.uses(stage, values, sums);
        let mut statements = self.weights(values, sums);
        let read = |_: Value| None;
        statements.extend(self.body.statements(values, &uses, read));
        for &sum in sums {
            self.add_up(sum, &mut statements);
        }
        let mut inside = Printer::default();
        print_grouped(&mut inside, program, &statements, self.described);
        printer.block("for (var k = 0u; k < jn_pair_count(); k += 1u)", |body| {
            if inside.reads("bone") {
                body.line("let bone = jn_bone(k);");
            }
            body.append(inside);
        });
        for &sum in sums {
            let name = self.body.name(sum);
            self.body.set(sum, Expression::named(&name, sum));
        }
    }

    /// A column that is read more than once is read into a variable.
    fn weights(&mut self, values: &[Value], sums: &[Value]) -> Vec<Statement> {
        let (tables, program) = (self.tables, self.tables.program);
        let column_of = |value: &Value| match *program.op(*value) {
            Op::Weight(column) | Op::Sum { column, .. } => Some(column as usize),
            _ => None,
        };
        let mut statements = Vec::new();
        for (column, accessor) in tables.columns.iter().enumerate() {
            let of_column = |value: &&Value| column_of(value) == Some(column);
            let readers: Vec<Value> =
                values.iter().chain(sums).filter(of_column).copied().collect();
            let Some(&first) = readers.first() else { continue };
            let call = format!("{accessor}(k)");
            let weight = match readers.len() {
                1 => Expression::primary(call),
                _ => {
                    let name = self.weight_name(column);
                    statements.push(Statement {
                        text: format!("let {name} = {call};"),
                        node: String::new(),
                        note: None,
                        makes: Some(first),
                        needs: Vec::new(),
                    });
                    Expression::named(&name, first)
                }
            };
            for reader in readers {
                // Until the loop is done, a sum stands for the weight it is made with.
                self.body.set(reader, weight.clone());
            }
        }
        statements
    }

    fn weight_name(&mut self, column: usize) -> String {
        let wanted = self.tables.columns[column].trim_start_matches("jn_weight_");
        self.body.names.unique(&format!("{wanted}_weight"), "")
    }

    fn add_up(&mut self, sum: Value, statements: &mut Vec<Statement>) {
        let program = self.tables.program;
        let Op::Sum { value, .. } = *program.op(sum) else {
            return;
        };
        let weight = self.body.written(sum);
        let name = self.body.name(sum);
        let mut product = Expression::product(&weight, "*", &self.body.written(value));
        if product.text.len() > LONGEST_SUMMAND && self.body.is_inline(value) {
            self.body.give_statement(value, statements);
            product = Expression::product(&weight, "*", &self.body.written(value));
        }
        statements.push(Statement {
            text: format!("{name} += {};", product.text),
            node: program.origins[sum.index()].node.clone(),
            note: None,
            makes: None,
            needs: product.reads,
        });
    }

    /// How often the values of one stage are used. The position and kept values are used once more, at the end.
    fn uses(&self, stage: usize, values: &[Value], sums: &[Value]) -> Uses {
        let (schedule, program) = (&self.tables.schedule, self.tables.program);
        let pass = &schedule.passes[self.pass];
        let mut uses = Uses::default();
        let mut count = |value: Value| *uses.here.entry(value).or_default() += 1;
        for value in values.iter().chain(sums) {
            program.op(*value).operands().for_each(&mut count);
        }
        pass.stores.iter().for_each(|place| count(schedule.kept[*place]));
        if self.is_last {
            count(program.position);
        }
        for &other in pass.stages.iter().filter(|other| **other != stage) {
            let (values, sums) = match &program.stages[other] {
                Stage::Vertex(values) => (values.as_slice(), [].as_slice()),
                Stage::Influences { values, sums } => (values.as_slice(), sums.as_slice()),
                _ => continue,
            };
            for value in values.iter().chain(sums) {
                uses.elsewhere.extend(program.op(*value).operands());
            }
        }
        // What a loop computes, every loop computes for itself.
        let own: HashSet<Value> = values.iter().copied().collect();
        uses.elsewhere.retain(|value| !own.contains(value) || program.rate(*value) == Rate::Vertex);
        uses
    }
}

/// A longer summand gets a line of its own.
const LONGEST_SUMMAND: usize = 80;

fn read_vertex(tables: &TableNames, value: Value) -> Option<Expression> {
    let accessor = match *tables.program.op(value) {
        Op::Map(place) => tables.maps.get(place as usize)?,
        Op::Source(source) if source.info().rate == Rate::Vertex => source.info().accessor,
        // Data of the frame, of bones or of pairs; or no data.
        any_data!() | any_memory!() | Op::Constant(..) | any_formula!() | any_loop!() => {
            return None;
        }
    };
    Some(Expression::primary(format!("{accessor}()")))
}

/// The amount of a smoothing, as a vertex reads it: limited to 0 … 1.
pub fn relax_amount(tables: &TableNames, amount: Value) -> Expression {
    let program = tables.program;
    let kept = tables.schedule.kept.iter().position(|&kept| kept == amount);
    let of_frame = || tables.of_frame().find(|(value, _)| *value == amount).map(|(_, read)| read);
    let constant = || program.op(amount).as_constant().map(literal);
    let read = match kept {
        Some(place) => Expression::at_level(tables.read_kept(place), Level::Primary, &[]),
        None => of_frame().or_else(constant).unwrap_or_else(|| literal(Number::Float(0.0))),
    };
    let [zero, one] = [0.0, 1.0].map(|x| literal(Number::Float(x)));
    Expression::call("jn_clamp", &[&read, &zero, &one])
}
