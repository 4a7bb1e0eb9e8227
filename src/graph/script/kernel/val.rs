//! What names and expressions of an `eval` stand for while it is compiled.

use jounce_base::text::counted;
use jounce_ir::{Builder, Number, Source, Type, Value, source::Shape};
use std::collections::BTreeMap;

/// Known now (numbers to count with, texts, lists, maps) or computed by the program (the rest). A
/// number that is known is a constant of the program, and `if` and `for` can use it.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// Nothing: what a statement without value gives.
    Unit,
    /// Not known, because of a mistake that was already reported.
    Unknown,
    Int(i64),
    Text(String),
    List(Vec<Val>),
    Map(BTreeMap<String, Val>),
    Float(Value),
    Bool(Value),
    Vec3(Value),
    /// (x, y, z) and w.
    Quat(Value, Value),
    /// Three columns.
    Mat3([Value; 3]),
}

impl Val {
    /// For messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Val::Unit => "nothing",
            Val::Unknown => "something unknown",
            Val::Int(_) => "an int",
            Val::Text(_) => "a text",
            Val::List(_) => "a list",
            Val::Map(_) => "a map",
            Val::Float(_) => "a float",
            Val::Bool(_) => "a bool",
            Val::Vec3(_) => "a vec3",
            Val::Quat(..) => "a quat",
            Val::Mat3(_) => "a mat3",
        }
    }

    /// A value of the IR, by its type.
    pub fn of(builder: &Builder, value: Value) -> Val {
        match builder.ty(value) {
            Type::Float => Val::Float(value),
            Type::Bool => Val::Bool(value),
            Type::Vec3 => Val::Vec3(value),
        }
    }

    pub fn source(builder: &mut Builder, source: Source) -> Val {
        let value = builder.source(source);
        match source.info().shape {
            Shape::Float => Val::Float(value),
            Shape::Vec3 => Val::Vec3(value),
            Shape::Quat { w } => Val::Quat(value, builder.source(w)),
        }
    }

    /// As a float: an int becomes one.
    pub fn float(&self, builder: &mut Builder) -> Option<Value> {
        match *self {
            Val::Int(i) => Some(builder.float(i as f64)),
            Val::Float(x) => Some(x),
            _ => None,
        }
    }

    /// As a vec3: a float becomes three equal components.
    pub fn vec3(&self, builder: &mut Builder) -> Option<Value> {
        match *self {
            Val::Vec3(v) => Some(v),
            Val::Int(_) | Val::Float(_) => {
                let x = self.float(builder)?;
                Some(builder.splat(x))
            }
            _ => None,
        }
    }

    /// The IR value of a float, vec3 or bool.
    pub fn single(&self, builder: &mut Builder) -> Option<Value> {
        match *self {
            Val::Vec3(v) | Val::Bool(v) => Some(v),
            _ => self.float(builder),
        }
    }

    /// All IR values in it.
    pub fn parts(&self) -> Vec<Value> {
        match self {
            Val::Unit | Val::Unknown | Val::Int(_) | Val::Text(_) => Vec::new(),
            Val::List(list) => list.iter().flat_map(Val::parts).collect(),
            Val::Map(map) => map.values().flat_map(Val::parts).collect(),
            Val::Float(v) | Val::Bool(v) | Val::Vec3(v) => vec![*v],
            Val::Quat(v, w) => vec![*v, *w],
            Val::Mat3(columns) => columns.to_vec(),
        }
    }

    /// How much is copied with it: 1 for a number, more for lists, maps and long texts.
    pub(super) fn size(&self) -> usize {
        1 + match self {
            Val::Text(text) => text.len() / 64,
            Val::List(list) => list.iter().map(Val::size).sum(),
            Val::Map(map) => map.values().map(Val::size).sum(),
            _ => 0,
        }
    }

    pub fn known_bool(&self, builder: &Builder) -> Option<bool> {
        match self {
            Val::Bool(value) => match builder.as_constant(*value) {
                Some(Number::Bool(b)) => Some(b),
                _ => None,
            },
            _ => None,
        }
    }

    /// A whole number that is known now.
    pub fn known_int(&self, builder: &Builder) -> Option<i64> {
        match self {
            Val::Int(i) => Some(*i),
            Val::Float(value) => match builder.as_constant(*value) {
                Some(Number::Float(x)) if x.fract() == 0.0 && x.abs() < 1e9 => Some(x as i64),
                _ => None,
            },
            _ => None,
        }
    }
}

/// `yes` where `condition` holds, else `no`. None if their types cannot be one.
pub fn select(builder: &mut Builder, condition: Value, yes: &Val, no: &Val) -> Option<Val> {
    if yes == no {
        return Some(yes.clone());
    }
    Some(match (yes, no) {
        (Val::Unknown, _) | (_, Val::Unknown) => Val::Unknown,
        (Val::Bool(a), Val::Bool(b)) => Val::Bool(builder.select(condition, *a, *b)),
        (Val::Quat(a, aw), Val::Quat(b, bw)) => {
            Val::Quat(builder.select(condition, *a, *b), builder.select(condition, *aw, *bw))
        }
        (Val::Mat3(a), Val::Mat3(b)) => {
            Val::Mat3([0, 1, 2].map(|i| builder.select(condition, a[i], b[i])))
        }
        (Val::Vec3(_), _) | (_, Val::Vec3(_)) => {
            let (a, b) = (yes.vec3(builder)?, no.vec3(builder)?);
            Val::Vec3(builder.select(condition, a, b))
        }
        (Val::Map(a), Val::Map(b)) if a.keys().eq(b.keys()) => {
            let mut chosen = BTreeMap::new();
            for (key, yes) in a {
                chosen.insert(key.clone(), select(builder, condition, yes, &b[key])?);
            }
            Val::Map(chosen)
        }
        (Val::List(a), Val::List(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b);
            let chosen: Option<Vec<Val>> =
                pairs.map(|(a, b)| select(builder, condition, a, b)).collect();
            Val::List(chosen?)
        }
        _ => {
            let (a, b) = (yes.float(builder)?, no.float(builder)?);
            Val::Float(builder.select(condition, a, b))
        }
    })
}

/// Two values that cannot be one, so that a reader sees why.
pub fn told_apart(a: &Val, b: &Val) -> (String, String) {
    let plain = || (a.describe().to_owned(), b.describe().to_owned());
    match (a, b) {
        (Val::Map(a), Val::Map(b)) if !a.keys().eq(b.keys()) => {
            let with = |map: &BTreeMap<String, Val>| {
                let names: Vec<String> = map.keys().cloned().collect();
                match &names[..] {
                    [] => "a map without entries".to_owned(),
                    names => format!("a map with {}", super::list(names, "and")),
                }
            };
            (with(a), with(b))
        }
        (Val::Map(a), Val::Map(b)) => {
            let differs = a.iter().map(|(key, a)| (key, told_apart(a, &b[key])));
            let differs = differs.into_iter().find(|(_, (a, b))| a != b);
            differs.map_or_else(plain, |(key, (a, b))| {
                (format!("a map whose `{key}` is {a}"), format!("a map whose `{key}` is {b}"))
            })
        }
        (Val::List(a), Val::List(b)) if a.len() != b.len() => {
            let of = |list: &[Val]| format!("a list of {}", counted(list.len(), "value"));
            (of(a), of(b))
        }
        (Val::List(a), Val::List(b)) => {
            let mut differs = a.iter().zip(b).map(|(a, b)| told_apart(a, b)).enumerate();
            let differs = differs.find(|(_, (a, b))| a != b);
            differs.map_or_else(plain, |(place, (a, b))| {
                (
                    format!("a list whose element {place} is {a}"),
                    format!("a list whose element {place} is {b}"),
                )
            })
        }
        (Val::Text(a), Val::Text(b)) => (format!("the text \"{a}\""), format!("the text \"{b}\"")),
        _ => plain(),
    }
}
