//! The numbers that sliders set, and keys over time.

use super::parameter_keys::{BoundKeys, KeyWarning, bind, followed};
use super::validate::is_sane_number;
use glam::DVec3;
use jounce_base::keyed_value::{ClipKeys, KeyedValue};
use jounce_base::text::{either, nearest};
use jounce_ir::{Number, Parameter, Program, Type};
use jounce_rig::motion::Playback;
use std::sync::Arc;
use thiserror::Error;

/// One number per entry of the program's table of parameters. Some may be keyed: then what they are at a time is
/// [`Parameters::at`], which every moment asks for.
///
/// Copies share them: every step of every instance has one.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// Those of keyed ones are what they would be without keys.
    pub values: Arc<Vec<Number>>,
    keys: Option<Arc<BoundKeys>>,
}

impl PartialEq for Parameters {
    fn eq(&self, other: &Parameters) -> bool {
        let has_same_keys = match (&self.keys, &other.keys) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            (a, b) => a.is_none() && b.is_none(),
        };
        has_same_keys && (Arc::ptr_eq(&self.values, &other.values) || self.values == other.values)
    }
}

#[derive(Clone, Debug, Error, PartialEq)]
pub enum ParameterError {
    #[error("there is no parameter \"{name}\"{}", hint(.near))]
    Unknown { name: String, near: Vec<String> },
    #[error("\"{name}\" is a {expected}; {found} is a {}", .found.ty())]
    Type { name: String, expected: Type, found: Number },
    #[error("\"{name}\" cannot be set to {found}")]
    Number { name: String, found: Number },
}

fn hint(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; did you mean {}?", either(near)),
    }
}

impl Parameters {
    /// As the document says.
    pub fn new(program: &Program) -> Parameters {
        let parameters = program.tables.parameters.iter();
        let values: Vec<Number> = parameters.map(Parameter::usable_value).collect();
        Parameters::from_values(values)
    }

    pub(super) fn from_values(values: Vec<Number>) -> Parameters {
        Parameters { values: Arc::new(values), keys: None }
    }

    /// The same with the keys of a clip that is played like this, in place of those before. Keys that cannot be
    /// followed are left out.
    pub fn with_keys(
        &self,
        program: &Program,
        keys: &ClipKeys,
        playback: Playback,
    ) -> (Parameters, Vec<KeyWarning>) {
        let (keys, warnings) = bind(program, keys, playback);
        (Parameters { values: self.values.clone(), keys }, warnings)
    }

    /// The keys of a clip that a program can follow, each with its place in the program's table and limited to what the
    /// parameter may be; and why it cannot follow the others.
    pub fn followed_keys(
        program: &Program,
        keys: &ClipKeys,
    ) -> (Vec<(usize, KeyedValue)>, Vec<KeyWarning>) {
        followed(program, keys)
    }

    pub fn are_keyed(&self) -> bool {
        self.keys.is_some()
    }

    /// What they are at a time of the motion, without keys. Where nothing is keyed, they stay themselves.
    pub fn at(&self, time_secs: f64) -> Parameters {
        match &self.keys {
            Some(keys) => keys.apply(&self.values, time_secs),
            None => self.clone(),
        }
    }

    /// Which entries of the program's table a name means, as in [`Self::set`]. None: no parameter has it.
    pub fn places(program: &Program, name: &str) -> Vec<usize> {
        program.parameters_named(name)
    }

    /// What a parameter is set to, found as in [`Self::set`].
    pub fn get(&self, program: &Program, name: &str) -> Option<Number> {
        self.values.get(*program.parameters_named(name).first()?).copied()
    }

    /// Sets a parameter by the name it is exposed under, or by `node.port`; limited to what it may
    /// be. A float sets all three components of a vec3. `program` is the one `self` was made for.
    pub fn set(
        &mut self,
        program: &Program,
        name: &str,
        value: Number,
    ) -> Result<(), ParameterError> {
        let places = program.parameters_named(name);
        if places.is_empty() {
            let near = near_names(program, name);
            return Err(ParameterError::Unknown { name: name.to_owned(), near });
        }
        if !is_sane_number(value) {
            return Err(ParameterError::Number { name: name.to_owned(), found: value });
        }
        for place in places {
            let parameter = &program.tables.parameters[place];
            let value = match (parameter.value.ty(), value) {
                (Type::Vec3, Number::Float(x)) => Number::Vec3(DVec3::splat(x)),
                (expected, found) if expected != found.ty() => {
                    return Err(ParameterError::Type { name: name.to_owned(), expected, found });
                }
                _ => value,
            };
            if let Some(slot) = Arc::make_mut(&mut self.values).get_mut(place) {
                *slot = parameter.limited(value);
            }
        }
        Ok(())
    }
}

/// More are no help.
const MOST_NEAR_NAMES: usize = 3;
/// Less is a part of too many names.
const LEAST_LETTERS: usize = 3;

/// Names that this one is a part of, then the one that is written most like it; else inputs of
/// that name, of whatever node.
fn near_names(program: &Program, name: &str) -> Vec<String> {
    let parameters = &program.tables.parameters;
    let exposed = program.exposed().map(|(name, _)| name.to_owned());
    let known: Vec<String> = exposed.chain(parameters.iter().map(Parameter::path)).collect();
    let wanted = name.to_lowercase();
    let is_word = wanted.chars().count() >= LEAST_LETTERS;
    let is_part = |known: &&String| is_word && known.to_lowercase().contains(&wanted);
    let alike = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    let mut near: Vec<String> = Vec::new();
    for name in known.iter().filter(is_part).cloned().chain(alike) {
        if !near.contains(&name) {
            near.push(name);
        }
    }
    if near.is_empty() {
        let port = name.split_once('.').map_or(name, |(_, port)| port);
        let port = nearest(port, parameters.iter().map(|p| p.port.as_str()));
        let alike = parameters.iter().filter(|parameter| Some(parameter.port.as_str()) == port);
        near.extend(alike.map(Parameter::path));
    }
    near.truncate(MOST_NEAR_NAMES);
    near
}
