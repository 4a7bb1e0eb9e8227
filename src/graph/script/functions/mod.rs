//! The functions that an `eval` may call: what artists know from shading languages, and access to
//! the character's data. All are total: no input makes a NaN.
//!
//! One table feeds the compiler, its error messages and the manual.

pub mod algebra;
mod data;
mod math;
mod noise;
mod rotation;
mod vector;

use super::error::did_you_mean;
use super::kernel::Val;
use jounce_ir::Builder;

/// What a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Float,
    Vec3,
    /// Float or vec3; where both occur, floats count for all three components.
    Any,
    Bool,
    Quat,
    Mat3,
    Text,
    /// A whole number, or true and false, known before the graph runs.
    Known,
    /// Whatever can be chosen between.
    Value,
}

pub struct Function {
    pub name: &'static str,
    pub takes: &'static [Kind],
    /// Names of the arguments, for the manual.
    pub arguments: &'static str,
    pub doc: &'static str,
    emit: fn(&mut Builder, &[Val]) -> Emitted,
}

/// None: the arguments do not fit together. Err: a sentence that says why.
type Emitted = Result<Option<Val>, String>;

const fn function(
    name: &'static str,
    takes: &'static [Kind],
    arguments: &'static str,
    doc: &'static str,
    emit: fn(&mut Builder, &[Val]) -> Emitted,
) -> Function {
    Function { name, takes, arguments, doc, emit }
}

/// Families in the order of the manual.
pub const FAMILIES: [(&str, &[Function]); 5] = [
    ("Numbers", math::FUNCTIONS),
    ("Vectors", vector::FUNCTIONS),
    ("Rotations", rotation::FUNCTIONS),
    ("Noise", noise::FUNCTIONS),
    ("The character's data", data::FUNCTIONS),
];

pub fn all() -> impl Iterator<Item = &'static Function> + Clone {
    FAMILIES.iter().flat_map(|(_, functions)| functions.iter())
}

pub fn is_known(name: &str) -> bool {
    all().any(|function| function.name == name)
}

/// How much work it is to emit it, for counting: the operations of a noise are hundreds.
pub fn cost(name: &str) -> usize {
    match name {
        "noise" => 60,
        "noise3" => 180,
        _ => 4,
    }
}

/// Calls a function of the library. `own` are the script's own functions, where a hint is wanted.
pub fn call<'a>(
    name: &str,
    builder: &mut Builder,
    arguments: &[Val],
    own: Option<impl Iterator<Item = &'a str>>,
) -> Result<Val, String> {
    let named = || all().filter(|function| function.name == name);
    let Some(first) = named().next() else {
        let known = own.map(|own| all().map(|function| function.name).chain(own));
        let hint = known.map(|known| did_you_mean(name, known)).unwrap_or_default();
        return Err(format!("there is no function `{name}`{hint}"));
    };
    let right_count = || named().filter(|function| function.takes.len() == arguments.len());
    let Some(nearest) = right_count().next() else {
        let found = match arguments.len() {
            0 => "nothing".to_owned(),
            n => count(n),
        };
        return Err(format!("`{name}` takes {}, but gets {found}", wanted(first.takes)));
    };
    let fitting = right_count().find(|function| misfit(function, arguments).is_none());
    let Some(function) = fitting else {
        let wrong = misfit(nearest, arguments).unwrap_or(0);
        let which = match arguments.len() {
            1 => "this".to_owned(),
            _ => format!("the {}", ordinal(wrong)),
        };
        let is = match nearest.takes[wrong] {
            Kind::Known if matches!(arguments[wrong], Val::Float(_) | Val::Bool(_)) => {
                "known only while the graph runs"
            }
            _ => arguments[wrong].describe(),
        };
        return Err(format!("`{name}` takes {}, but {which} is {is}", wanted(nearest.takes)));
    };
    let arguments: Vec<Val> = arguments
        .iter()
        .zip(function.takes)
        .map(|(argument, kind)| match (argument, kind) {
            (Val::Int(i), Kind::Float | Kind::Any) => Val::Float(builder.float(*i as f64)),
            _ => argument.clone(),
        })
        .collect();
    let emitted = (function.emit)(builder, &arguments)?;
    emitted.ok_or_else(|| {
        format!("the values given to `{name}` do not fit together; check their types")
    })
}

/// The first argument that does not fit.
fn misfit(function: &Function, arguments: &[Val]) -> Option<usize> {
    let fits = |(argument, kind): (&Val, &Kind)| match kind {
        Kind::Float => matches!(argument, Val::Float(_) | Val::Int(_)),
        Kind::Vec3 => matches!(argument, Val::Vec3(_)),
        Kind::Any => matches!(argument, Val::Float(_) | Val::Int(_) | Val::Vec3(_)),
        Kind::Bool => matches!(argument, Val::Bool(_)),
        Kind::Quat => matches!(argument, Val::Quat(..)),
        Kind::Mat3 => matches!(argument, Val::Mat3(_)),
        Kind::Text => matches!(argument, Val::Text(_)),
        Kind::Known => matches!(argument, Val::Int(_) | Val::Bool(_)),
        Kind::Value => !matches!(argument, Val::Unit | Val::Text(_)),
    };
    arguments.iter().zip(function.takes).position(|pair| !fits(pair))
}

/// "two vec3s", "a vec3 and a float".
fn wanted(takes: &[Kind]) -> String {
    match takes {
        [] => "nothing".to_owned(),
        [one] => one_of(*one).to_owned(),
        [first, rest @ ..] if rest.iter().all(|kind| kind == first) => {
            format!("{} {}", count(takes.len()), many_of(*first))
        }
        [start @ .., last] => {
            let start: Vec<&str> = start.iter().map(|kind| one_of(*kind)).collect();
            format!("{} and {}", start.join(", "), one_of(*last))
        }
    }
}

fn one_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Float => "a float",
        Kind::Vec3 => "a vec3",
        Kind::Any => "a float or vec3",
        Kind::Bool => "a bool",
        Kind::Quat => "a quat",
        Kind::Mat3 => "a mat3",
        Kind::Text => "a text",
        Kind::Known => "a number known before the graph runs",
        Kind::Value => "a value",
    }
}

fn many_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Float => "floats",
        Kind::Vec3 => "vec3s",
        Kind::Any => "floats or vec3s",
        Kind::Bool => "bools",
        Kind::Quat => "quats",
        Kind::Mat3 => "mat3s",
        Kind::Text => "texts",
        Kind::Known => "numbers known before the graph runs",
        Kind::Value => "values",
    }
}

fn count(n: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    words.get(n).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

fn ordinal(place: usize) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth"];
    words.get(place).map_or_else(|| format!("{}th", place + 1), |word| (*word).to_owned())
}
