//! What happens once per bone: `jn_compute_bone`, and where nodes remember `jn_start_bone`.

use super::body::{Body, Past, Statement, Uses, print_grouped};
use super::expression::literal;
use super::functions::OWN_NAMES;
use super::identifier::{Names, part_of_name};
use super::memory::{BoneMemory, KeptValue};
use super::operation::Operands;
use super::printer::{Described, Printer};
use super::rows::Field;
use super::suggest::own_name;
use super::tables::TableNames;
use jounce_ir::{Number, Program, Stage, Value};
use std::collections::HashSet;

/// The function that computes one row of the bone table, and with it what is remembered.
pub fn print_bone_function(printer: &mut Printer, tables: &TableNames, described: &mut Described) {
    let mut body = new_body(tables);
    let program = tables.program;
    let mut results: Vec<Computed> = Vec::new();
    results.extend(tables.bone.fields.iter().map(|field| Computed {
        variable: "bone",
        field: field.clone(),
        node: &program.origins[field.value.index()].node,
        is_made_there: true,
    }));
    let Some(memory) = &tables.memory else {
        let head = "fn jn_compute_bone(frame: JnFrame, given: JnBoneInput) -> JnBone";
        printer.block(head, |function| {
            function.line("var bone: JnBone;");
            print_results(function, tables, body, results, described);
            function.blank();
            function.line("return bone;");
        });
        return;
    };
    body.set_all(memory.states().map(|field| (field.value, field.read("before"))));
    body.past = Past::Ring(memory);
    let after = memory.after(program).into_iter();
    results.extend(after.map(|kept| Computed::kept(program, &body, "after", kept)));
    let head = "fn jn_compute_bone(frame: JnFrame, given: JnBoneInput, before: JnBoneMemory) -> JnBoneStep";
    printer.block(head, |function| {
        function.line("var bone: JnBone;");
        function.line("var after: JnBoneMemory;");
        print_results(function, tables, body, results, described);
        function.blank();
        function.line("return JnBoneStep(bone, after);");
    });
}

/// The function that says how a bone begins. Nothing was before: states read as 0.
pub fn print_start_function(
    printer: &mut Printer,
    tables: &TableNames,
    memory: &BoneMemory,
    described: &mut Described,
) {
    let mut body = new_body(tables);
    let zero = |field: &Field| (field.value, literal(Number::zero(field.ty)));
    body.set_all(memory.states().map(zero));
    body.past = Past::Begins;
    let program = tables.program;
    let begun = memory.begun(program).into_iter();
    let results = begun.map(|kept| Computed::kept(program, &body, "begun", kept)).collect();
    let head = "fn jn_start_bone(frame: JnFrame, given: JnBoneInput) -> JnBoneMemory";
    printer.block(head, |function| {
        function.line("var begun: JnBoneMemory;");
        print_results(function, tables, body, results, described);
        function.blank();
        function.line("return jn_sane_memory(begun, JnBoneMemory());");
    });
}

fn new_body<'a>(tables: &'a TableNames) -> Body<'a> {
    let mut body = Body::new(&tables.naming, Names::new(&OWN_NAMES));
    body.set_all(tables.of_frame());
    body.set_all(tables.bone_input.fields.iter().map(|f| (f.value, f.read("given"))));
    body
}

/// A value that goes into a field of a variable.
struct Computed<'a> {
    variable: &'static str,
    field: Field,
    node: &'a str,
    /// Is it computed right there, or does it have a name of its own and is copied?
    is_made_there: bool,
}

impl<'a> Computed<'a> {
    fn kept(
        program: &Program,
        body: &Body,
        variable: &'static str,
        kept: KeptValue<'a>,
    ) -> Computed<'a> {
        let KeptValue { field, name, node } = kept;
        let own = own_name(program, field.value);
        let is_its_name = own.is_none() || own == part_of_name(name);
        let is_made_there = is_its_name && !body.knows(field.value);
        Computed { variable, field, node, is_made_there }
    }
}

/// All that the results need, and the results themselves.
fn print_results(
    printer: &mut Printer,
    tables: &TableNames,
    mut body: Body,
    results: Vec<Computed>,
    described: &mut Described,
) {
    let program = tables.program;
    let values = needed(program, results.iter().map(|result| result.field.value));
    let mut uses = Uses::default();
    let mut count = |value: Value| *uses.here.entry(value).or_default() += 1;
    values.iter().for_each(|value| program.op(*value).operands().for_each(&mut count));
    // A value that is computed goes where it is wanted first; all else is copied at the end.
    let mut has_place: HashSet<Value> = HashSet::new();
    let is_computed: HashSet<Value> = values.iter().copied().collect();
    let mut copied: Vec<Computed> = Vec::new();
    for result in results {
        let value = result.field.value;
        let is_made_there = result.is_made_there && is_computed.contains(&value);
        if is_made_there && has_place.insert(value) {
            body.set_target(result.variable, &result.field);
        } else {
            count(value);
            copied.push(result);
        }
    }
    let mut statements = body.statements(&values, &uses, |_| None);
    for Computed { variable, field, node, .. } in copied {
        let expression = body.written(field.value);
        statements.push(Statement {
            text: format!("{variable}.{} = {};", field.name, field.stored(&expression)),
            node: node.to_owned(),
            note: None,
            makes: None,
            needs: expression.reads,
        });
    }
    print_grouped(printer, program, &statements, described);
}

/// Values of the bone stage that these need, themselves included, in their order.
fn needed(program: &Program, roots: impl Iterator<Item = Value>) -> Vec<Value> {
    let of_bones = program.stages.iter().find_map(|stage| match stage {
        Stage::Bone(values) => Some(values.as_slice()),
        _ => None,
    });
    let of_bones = of_bones.unwrap_or_default();
    let mut is_needed = vec![false; program.ops.len()];
    roots.for_each(|root| is_needed[root.index()] = true);
    for value in of_bones.iter().rev() {
        if is_needed[value.index()] {
            program.op(*value).operands().for_each(|operand| is_needed[operand.index()] = true);
        }
    }
    of_bones.iter().copied().filter(|value| is_needed[value.index()]).collect()
}
