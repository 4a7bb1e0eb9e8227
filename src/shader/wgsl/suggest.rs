//! What to call a value: its name in the script, else what it is made of, else what it is for.

use super::identifier::{is_reserved, not_reserved, part_of_name};
use jounce_ir::op::{Binary, Op, Ternary, Unary};
use jounce_ir::{MapSource, Program, Value, any_data, any_formula, any_loop, any_memory};
use std::collections::{BTreeMap, HashMap};

/// A name made of two others is no longer than this.
const MOST_LETTERS: usize = 34;

/// Names for the values of one program.
pub struct Naming<'a> {
    pub program: &'a Program,
    /// The first operation that uses each value, and as which operand.
    first_use: Vec<Option<(Value, usize)>>,
    /// What tells the nodes apart, as a part of a name.
    labels: HashMap<&'a str, String>,
}

impl<'a> Naming<'a> {
    pub fn new(program: &'a Program) -> Naming<'a> {
        let mut first_use = vec![None; program.ops.len()];
        for (place, op) in program.ops.iter().enumerate().rev() {
            for (operand, value) in op.operands().enumerate() {
                first_use[value.index()] = Some((Value(place as u32), operand));
            }
        }
        Naming { program, first_use, labels: labels(program) }
    }

    /// An identifier; several values may get the same.
    pub fn suggestion(&self, value: Value) -> String {
        let own = || own_name(self.program, value);
        let made = || made_name(self.program, value).filter(|name| name.len() <= MOST_LETTERS);
        let by_use = || self.name_by_use(value).filter(|name| name.len() <= MOST_LETTERS);
        let noun = || self.program.op(value).row().noun.to_owned();
        not_reserved(own().or_else(made).or_else(by_use).unwrap_or_else(noun))
    }

    /// What it serves, and as what: `fade_factor`, `by_travel_condition`.
    fn name_by_use(&self, value: Value) -> Option<String> {
        const FARTHEST: usize = 12;
        let (user, operand) = self.first_use[value.index()]?;
        let mut served = user;
        for _ in 0..FARTHEST {
            if let Some(name) = own_name(self.program, served) {
                let role = role(self.program.op(user), operand);
                let role = role.unwrap_or_else(|| self.program.op(value).row().noun);
                return Some(format!("{name}_{role}"));
            }
            served = self.first_use[served.index()]?.0;
        }
        None
    }

    /// The node a value belongs to, as a part of a name.
    pub fn owner(&self, value: Value) -> String {
        self.owner_of(&self.program.origins[value.index()].node)
    }

    /// The same of a node.
    pub fn owner_of(&self, node: &str) -> String {
        self.labels.get(node).cloned().unwrap_or_default()
    }

    /// Names for values that would have the same, because one script gives a variable several values
    /// in a row: the last one has the name, those before are its first, second, ….
    pub fn versions(&self, values: &[Value]) -> HashMap<Value, String> {
        let mut alike: BTreeMap<(String, &str), Vec<Value>> = BTreeMap::new();
        for &value in values {
            let is_constant = matches!(self.program.op(value), Op::Constant(..));
            let own = own_name(self.program, value).filter(|_| !is_constant);
            if let Some(own) = own {
                let node = self.program.origins[value.index()].node.as_str();
                alike.entry((not_reserved(own), node)).or_default().push(value);
            }
        }
        let mut names = HashMap::new();
        for ((name, _), values) in alike {
            for (&value, ordinal) in values.iter().take(values.len() - 1).zip(ORDINALS) {
                names.insert(value, format!("{name}_{ordinal}"));
            }
        }
        names
    }
}

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

const MOST_LETTERS_OF_LABEL: usize = 20;

/// Titles without the words that others begin with too: "swing on: turns" and "swing on: travel" are
/// `turns` and `travel`. Nodes with one title are told apart by their own names.
fn labels(program: &Program) -> HashMap<&str, String> {
    let words = |text: &str| -> Vec<String> {
        let name = part_of_name(text).unwrap_or_default();
        name.split('_').map(str::to_owned).collect()
    };
    let titles: Vec<(&str, Vec<String>)> =
        program.titles.iter().map(|(node, title)| (node.as_str(), words(title))).collect();
    let mut labels = HashMap::new();
    for (node, title) in &titles {
        let others = || titles.iter().filter(|(other, _)| other != node).map(|(_, title)| title);
        let shared =
            |other: &Vec<String>| title.iter().zip(other).take_while(|(a, b)| a == b).count();
        let told_apart = match others().any(|other| other == title) {
            true => words(node),
            false => {
                let most = others().map(shared).max().unwrap_or(0);
                title[most.min(title.len() - 1)..].to_vec()
            }
        };
        let mut label = told_apart.join("_");
        label.truncate(MOST_LETTERS_OF_LABEL);
        let label = label.trim_end_matches(|c: char| c == '_' || c.is_ascii_digit());
        labels.insert(*node, label.to_owned());
    }
    labels
}

/// What an operand is to an operation, where that says more than what it is itself.
fn role(user: &Op, operand: usize) -> Option<&'static str> {
    match (user, operand) {
        (Op::Ternary(Ternary::Select, ..), 0) => Some("condition"),
        (Op::Binary(Binary::Min | Binary::Max, ..), 1) => Some("limit"),
        (Op::Binary(Binary::Mul, ..), _) | (Op::Ternary(Ternary::Fma, ..), 0 | 1) => Some("factor"),
        (Op::Binary(Binary::Add | Binary::Sub, ..), _) | (Op::Ternary(Ternary::Fma, ..), _) => {
            Some("term")
        }
        _ => None,
    }
}

/// What the script calls it, or what kind of data it is: a part of a name.
pub fn own_name(program: &Program, value: Value) -> Option<String> {
    let tables = &program.tables;
    let of_data = match *program.op(value) {
        Op::Source(source) => {
            let name = source.info().accessor.trim_start_matches("jn_");
            let short = name.trim_start_matches("bone_");
            part_of_name(if is_reserved(short) { name } else { short })
        }
        Op::Motion(part, _) => part_of_name(part.saved_name()),
        Op::Parameter(place, _) => {
            let parameter = tables.parameters.get(place as usize)?;
            let exposed = parameter.exposed.as_deref().and_then(part_of_name);
            exposed.or_else(|| part_of_name(&parameter.port)).or(Some("parameter".to_owned()))
        }
        Op::Map(place) => Some(map_name(program, place)),
        Op::MapIsThere(place) => Some(format!("has_{}", map_name(program, place))),
        Op::BoneTable(place) => Some(table_name(program, place)),
        Op::BoneTableIsSet(place) => Some(format!("{}_is_set", table_name(program, place))),
        Op::BoneSet(place) => {
            let first = tables.bone_sets.get(place as usize).and_then(|set| set.names.first());
            let first = first.and_then(|name| part_of_name(name));
            Some(first.map_or("is_in_set".to_owned(), |name| format!("is_{name}")))
        }
        Op::Weight(_) => Some("weight".to_owned()),
        Op::State(place) => {
            let state = tables.states.get(place as usize)?;
            part_of_name(&format!("{}_before", state.name))
        }
        Op::Ago { history, .. } => {
            let history = tables.histories.get(history as usize)?;
            part_of_name(&format!("{}_ago", history.name))
        }
        Op::Constant(..) | any_formula!() | any_loop!() => None,
    };
    of_data.or_else(|| part_of_name(program.origins[value.index()].name.as_deref()?))
}

pub fn map_name(program: &Program, place: u32) -> String {
    let source = program.tables.maps.get(place as usize).map(|request| &request.source);
    match source {
        Some(MapSource::Derived(source)) => source.info().saved_name.to_owned(),
        Some(MapSource::Named(name)) => part_of_name(name).unwrap_or_else(|| "painted".to_owned()),
        None => "painted".to_owned(),
    }
}

fn table_name(program: &Program, place: u32) -> String {
    let node = program.tables.bone_tables.get(place as usize).map(|table| table.node.as_str());
    let title =
        node.and_then(|node| program.titles.get(node)).and_then(|title| part_of_name(title));
    title.or_else(|| part_of_name(node?)).unwrap_or_else(|| "bone_value".to_owned())
}

/// From the operation and the names of its operands.
fn made_name(program: &Program, value: Value) -> Option<String> {
    let of = |operand: Value| own_name(program, operand);
    Some(match *program.op(value) {
        Op::Unary(Unary::Neg, a) => format!("minus_{}", of(a)?),
        Op::Unary(Unary::Normalize, a) => format!("{}_direction", of(a)?),
        Op::Unary(Unary::Sqrt, a) => match *program.op(a) {
            Op::Binary(Binary::Dot, v, w) if v == w => {
                format!("{}_length", of(v).or_else(|| made_name(program, v))?)
            }
            _ => return None,
        },
        Op::Binary(Binary::Dot, a, b) if a == b => format!("{}_squared", of(a)?),
        Op::Binary(Binary::Cross, a, b) => format!("{}_cross_{}", of(a)?, of(b)?),
        Op::Binary(Binary::Mul, a, b) if a == b => format!("{}_squared", of(a)?),
        Op::Binary(Binary::Mul, a, b) => match of(b) {
            Some(b) => format!("{}_times_{b}", of(a)?),
            None => format!("scaled_{}", of(a)?),
        },
        Op::Binary(Binary::Sub, a, b) => format!("{}_less_{}", of(a)?, of(b)?),
        Op::Binary(Binary::Min | Binary::Max, a, _) => format!("limited_{}", of(a)?),
        Op::Binary(Binary::Less | Binary::LessEqual, a, b) => {
            match (program.op(a), program.op(b)) {
                (_, Op::Constant(..)) => format!("{}_is_below", of(a)?),
                (Op::Constant(..), _) => format!("{}_is_above", of(b)?),
                _ => format!("{}_is_below_{}", of(a)?, of(b)?),
            }
        }
        Op::Component(a, i) => format!("{}_{}", of(a)?, ["x", "y", "z"][usize::from(i.min(2))]),
        // Their nouns say as much, or they have names of their own.
        any_formula!() | Op::Constant(..) | any_data!() | any_memory!() | any_loop!() => {
            return None;
        }
    })
}
