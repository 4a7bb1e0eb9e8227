//! Heat maps: one number per vertex, to be shown as a colour.
//!
//! ```text
//!  flesh, flesh:ELEMENT   weights of flesh elements ─┐
//!  map:NAME               a map                      ├─► Heat   one number per vertex, and their range
//!  bone:NAME              skin weights of a bone     │
//!  NODE.PORT              a port, at one moment ─────┘
//! ```
//! Of vectors the length counts. Numbers of a port are *signed* where one of them is below 0.

use super::bind::{corrected_roles, map_names, named_map};
use super::flesh::ElementError;
use super::validate::is_sane;
use super::vertex_tables::vertex_table;
use super::vm::Prepared;
use super::{Bound, EvalError, Moment};
use glam::Vec3;
use jounce_base::character_settings::CharacterSettings;
use jounce_base::text::{nearest, suggestion};
use jounce_ir::looking::ShownPort;
use jounce_ir::source::{SourceInfo, derived_maps};
use jounce_ir::{Program, Type, Value};
use jounce_rig::Character;
use jounce_rig::weights::by_bone;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What a heat map shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeatSubject {
    /// The largest weight that a vertex has in any flesh element.
    AllFlesh,
    Flesh(String),
    Map(String),
    Bone(String),
    Port(ShownPort),
}

/// One number per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    pub values: Vec<f32>,
    pub range: HeatRange,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeatRange {
    pub least: f32,
    pub most: f32,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeatError {
    #[error(
        "\"{0}\" shows nothing; write flesh, flesh:ELEMENT, map:NAME, bone:NAME, or a port as NODE.PORT"
    )]
    Text(String),
    #[error(transparent)]
    Element(#[from] ElementError),
    #[error("the character has no map \"{name}\"{}", suggestion(.nearest, "maps", .known))]
    NoMap { name: String, nearest: Option<String>, known: Vec<String> },
    #[error(
        "the painted map \"{name}\" has {found} numbers but the character has {expected} vertices; paint it again"
    )]
    MapLength { name: String, found: usize, expected: usize },
    #[error("the character has no bone \"{name}\"{}", suggestion(.nearest, "bones", .known))]
    NoBone { name: String, nearest: Option<String>, known: Vec<String> },
    #[error("{0} cannot be split by bone; leave out --heat-bone, or show a port (NODE.PORT)")]
    NoPort(String),
}

impl FromStr for HeatSubject {
    type Err = HeatError;

    fn from_str(text: &str) -> Result<HeatSubject, HeatError> {
        let named = |name: &str, make: fn(String) -> HeatSubject| match name.is_empty() {
            true => Err(HeatError::Text(text.to_owned())),
            false => Ok(make(name.to_owned())),
        };
        match text.split_once(':') {
            Some(("flesh", name)) => return named(name, HeatSubject::Flesh),
            Some(("map", name)) => return named(name, HeatSubject::Map),
            Some(("bone", name)) => return named(name, HeatSubject::Bone),
            _ => {}
        }
        match text.split_once('.') {
            _ if text == "flesh" => Ok(HeatSubject::AllFlesh),
            Some((node, port)) if !node.is_empty() && !port.is_empty() => {
                let (node, port) = (node.to_owned(), port.to_owned());
                Ok(HeatSubject::Port(ShownPort { node, port, bone: None }))
            }
            _ => Err(HeatError::Text(text.to_owned())),
        }
    }
}

impl fmt::Display for HeatSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeatSubject::AllFlesh => write!(f, "flesh"),
            HeatSubject::Flesh(name) => write!(f, "flesh:{name}"),
            HeatSubject::Map(name) => write!(f, "map:{name}"),
            HeatSubject::Bone(name) => write!(f, "bone:{name}"),
            HeatSubject::Port(ShownPort { node, port, bone: None }) => write!(f, "{node}.{port}"),
            HeatSubject::Port(ShownPort { node, port, bone: Some(bone) }) => {
                write!(f, "{node}.{port} of {bone}")
            }
        }
    }
}

impl HeatRange {
    pub fn of(values: &[f32]) -> HeatRange {
        let around = |range: Option<HeatRange>, &value: &f32| {
            let own = HeatRange { least: value, most: value };
            Some(range.map_or(own, |range| range.union(own)))
        };
        values.iter().fold(None, around).unwrap_or_default()
    }

    /// Of several moments: their colours mean the same then.
    pub fn union(self, other: HeatRange) -> HeatRange {
        HeatRange { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// Is 0 in the middle of the colours?
    pub fn is_signed(&self) -> bool {
        self.least < 0.0
    }

    /// Where a number is on the scale of colours: 0 to 1 from the least to the most, or −1 to 1 around 0
    /// if it is signed.
    pub fn place(&self, value: f32) -> f32 {
        if self.is_signed() {
            let reach = self.most.max(-self.least);
            return (value / reach).clamp(-1.0, 1.0);
        }
        let length = self.most - self.least;
        match length > 0.0 {
            true => ((value - self.least) / length).clamp(0.0, 1.0),
            // All are alike: nothing, or all there is.
            false => f32::from(u8::from(self.most > 0.0)),
        }
    }
}

impl Heat {
    pub fn new(values: Vec<f32>) -> Heat {
        let range = HeatRange::of(&values);
        Heat { values, range }
    }

    /// The weights of one flesh element, or the largest of all.
    pub fn of_flesh(bound: &Bound, element: Option<&str>) -> Result<Heat, HeatError> {
        if bound.flesh.is_empty() {
            return Err(ElementError::NoFlesh.into());
        }
        let chosen = element.map(|name| bound.element_named(name)).transpose()?;
        let mut values = vec![0.0_f32; bound.vertex_count()];
        for (place, flesh) in bound.flesh.iter().enumerate() {
            if chosen.is_none_or(|chosen| chosen == place) {
                for &(vertex, weight) in &flesh.weights {
                    let value = &mut values[vertex as usize];
                    *value = value.max(weight as f32);
                }
            }
        }
        Ok(Heat::new(values))
    }

    /// A map by its name, painted or in the file; and those that every character has, which go after them.
    pub fn of_map(
        character: &Character,
        settings: &CharacterSettings,
        name: &str,
    ) -> Result<Heat, HeatError> {
        let Some(map) = named_map(name, character, settings) else {
            if let Some(derived) = Heat::of_derived(character, settings, name) {
                return Ok(derived);
            }
            let is_there = |own: &&str| map_names(character, settings).any(|known| known == *own);
            let own = derived_maps().map(|(info, _)| info.saved_name).filter(|own| !is_there(own));
            let (nearest, known) = likely(name, map_names(character, settings).chain(own));
            return Err(HeatError::NoMap { name: name.to_owned(), nearest, known });
        };
        let (found, expected) = (map.len(), character.vertex_count());
        if found != expected {
            return Err(HeatError::MapLength { name: name.to_owned(), found, expected });
        }
        // As programs read it.
        let sane = |&value: &f32| if is_sane(value.into()) { value } else { 0.0 };
        Ok(Heat::new(map.iter().map(sane).collect()))
    }

    /// A map that every character has, by its name, whatever else has that name.
    pub fn of_derived(
        character: &Character,
        settings: &CharacterSettings,
        name: &str,
    ) -> Option<Heat> {
        let called = |info: &SourceInfo| name.eq_ignore_ascii_case(info.saved_name);
        let (_, map) = derived_maps().find(|(info, _)| called(info))?;
        let values = vertex_table(map, "", character, &corrected_roles(character, settings)).values;
        Some(Heat::new(values.iter().map(|&value| value as f32).collect()))
    }

    /// How much a bone moves each vertex.
    pub fn of_bone(character: &Character, name: &str) -> Result<Heat, HeatError> {
        let skeleton = &character.skeleton;
        let Some(bone) = skeleton.bone_named(name) else {
            let names = (0..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone));
            let (nearest, known) = likely(name, names);
            return Err(HeatError::NoBone { name: name.to_owned(), nearest, known });
        };
        let skin = by_bone(&character.skin, &character.bindings, &skeleton.bones);
        let weight = |vertex: usize| {
            let own = skin.of(vertex).iter().find(|influence| influence.index as usize == bone);
            own.map_or(0.0, |influence| influence.weight)
        };
        Ok(Heat::new((0..character.vertex_count()).map(weight).collect()))
    }
}

/// Is there the bone or flesh element that a [`ShownPort`] names? Without it nothing would be shown.
pub fn check_bone(bound: &Bound, port: &ShownPort) -> Result<(), HeatError> {
    let Some(name) = &port.bone else { return Ok(()) };
    let mut names = bound.bone_names.iter().map(String::as_str);
    if names.any(|known| known.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let (nearest, known) = likely(name, bound.bone_names.iter().map(String::as_str));
    Err(HeatError::NoBone { name: name.clone(), nearest, known })
}

/// The nearest name, and all.
fn likely<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> (Option<String>, Vec<String>) {
    let known: Vec<String> = known.map(str::to_owned).collect();
    let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    (nearest, known)
}

/// A port of a graph on one character, ready to be looked at.
pub struct PortHeat {
    prepared: Prepared,
    is_vector: bool,
}

impl PortHeat {
    /// `bound` and later the moments are those of the program in which `value` shows the port.
    pub fn new(program: &Program, value: Value, bound: &Bound) -> Result<PortHeat, EvalError> {
        let why = "it is not one number or vector per vertex";
        let shown = program.showing(value).ok_or(EvalError::Program { value, why })?;
        let is_vector = program.ty(value) == Type::Vec3;
        Ok(PortHeat { prepared: Prepared::new(&shown, bound)?, is_vector })
    }

    pub fn is_vector(&self) -> bool {
        self.is_vector
    }

    /// What it is at one moment: a number per vertex, and the vectors that they are the lengths of; none
    /// where it is a number.
    pub fn at(&self, bound: &Bound, moment: &Moment) -> Result<(Heat, Vec<Vec3>), EvalError> {
        let shown = self.vectors(bound, moment)?;
        let number = |v: &Vec3| if self.is_vector { v.length() } else { v.x };
        let heat = Heat::new(shown.iter().map(number).collect());
        Ok((heat, if self.is_vector { shown } else { Vec::new() }))
    }

    /// One per vertex; a number is in all three components.
    pub fn vectors(&self, bound: &Bound, moment: &Moment) -> Result<Vec<Vec3>, EvalError> {
        let mut vectors = Vec::new();
        self.prepared.positions_into(bound, moment, &mut vectors)?;
        Ok(vectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_shown_is_written_as_it_is_read() {
        let texts = [
            "flesh",
            "flesh:left cheek",
            "map:softness",
            "bone:mixamorig:Head",
            "group/trail.max angle",
        ];
        for text in texts {
            assert_eq!(text.parse::<HeatSubject>().unwrap().to_string(), text);
        }
        for text in ["", "heat", "flesh:", "bone:", ".port", "node."] {
            let error = text.parse::<HeatSubject>().unwrap_err().to_string();
            assert!(error.contains("NODE.PORT"), "{error}");
        }
    }

    #[test]
    fn places_go_from_the_least_to_the_most_or_around_zero() {
        let up = HeatRange::of(&[3.0, 1.0, 2.0]);
        assert_eq!([1.0, 2.0, 3.0, 9.0].map(|x| up.place(x)), [0.0, 0.5, 1.0, 1.0]);
        let signed = HeatRange::of(&[-1.0, 4.0]);
        assert!(signed.is_signed() && !up.is_signed());
        assert_eq!([-4.0, -1.0, 0.0, 4.0].map(|x| signed.place(x)), [-1.0, -0.25, 0.0, 1.0]);
        assert_eq!(HeatRange::of(&[0.0, 0.0]).place(0.0), 0.0);
        assert_eq!(HeatRange::of(&[2.0]).place(2.0), 1.0);
        assert_eq!(HeatRange::of(&[]), HeatRange::default());
    }
}
