//! Parameters that are keyed: found in a program, and what they are at a time.

use super::Parameters;
use super::validate::is_sane_number;
use glam::DVec3;
use jounce_base::keyed_value::{ClipKeys, KeyNumber, KeyedValue, ValueKey};
use jounce_ir::{Number, Parameter, Program, Type};
use jounce_rig::motion::{Ending, Playback};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use thiserror::Error;

/// Keys of one clip that is played in one way, by the places of parameters in a program's table.
#[derive(Debug, PartialEq)]
pub(super) struct BoundKeys {
    tracks: Vec<(usize, KeyedValue)>,
    playback: Playback,
}

/// Keys that change nothing.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum KeyWarning {
    #[error(
        "the keys of \"{name}\" do nothing, because the style has no such parameter; rename or remove them"
    )]
    Unknown { name: String },
    #[error(
        "the keys of \"{name}\" do nothing, because the parameter is one number and the keys have three; give each key one \
         number"
    )]
    Type { name: String },
    #[error(
        "the keys of \"{name}\" do nothing, because there are none, their times are out of order, or a number is out of \
         range; sort them by time, from 0 s on, and keep numbers within ±1e12"
    )]
    Faulty { name: String },
    #[error(
        "the keys of \"{name}\" do nothing, because \"{other}\" is the same parameter and is keyed too; remove one of them"
    )]
    Twice { name: String, other: String },
}

impl KeyWarning {
    /// Of the parameter, as the keys have it.
    pub fn name(&self) -> &str {
        match self {
            KeyWarning::Unknown { name }
            | KeyWarning::Type { name }
            | KeyWarning::Faulty { name }
            | KeyWarning::Twice { name, .. } => name,
        }
    }
}

pub(super) fn bind(
    program: &Program,
    keys: &ClipKeys,
    playback: Playback,
) -> (Option<Arc<BoundKeys>>, Vec<KeyWarning>) {
    let (tracks, warnings) = followed(program, keys);
    let bound = (!tracks.is_empty()).then(|| Arc::new(BoundKeys { tracks, playback }));
    (bound, warnings)
}

/// See [`Parameters::followed_keys`]. Each parameter has one track, however many names mean it.
pub(super) fn followed(
    program: &Program,
    keys: &ClipKeys,
) -> (Vec<(usize, KeyedValue)>, Vec<KeyWarning>) {
    let mut tracks: BTreeMap<usize, (&str, KeyedValue)> = BTreeMap::new();
    let mut warnings = Vec::new();
    let mut named: Vec<_> =
        keys.iter().map(|(name, keyed)| (name, keyed, program.parameters_named(name))).collect();
    // What a parameter is shown as goes before its path, and that before other spellings.
    named.sort_by_key(|(name, _, places)| {
        let parameters = || places.iter().map(|&place| &program.tables.parameters[place]);
        let is_shown = parameters().any(|it| it.exposed.as_ref() == Some(*name));
        (!is_shown, !parameters().any(|it| it.path() == **name))
    });
    for (name, keyed, places) in named {
        let owned = || name.clone();
        if places.is_empty() {
            warnings.push(KeyWarning::Unknown { name: owned() });
            continue;
        }
        if keyed.fault().is_some() {
            warnings.push(KeyWarning::Faulty { name: owned() });
            continue;
        }
        for place in places {
            match limited(&program.tables.parameters[place], keyed, owned) {
                Err(warning) => warnings.push(warning),
                Ok(keyed) => match tracks.entry(place) {
                    Entry::Vacant(free) => drop(free.insert((name, keyed))),
                    Entry::Occupied(taken) => {
                        let other = taken.get().0.to_owned();
                        warnings.push(KeyWarning::Twice { name: owned(), other });
                    }
                },
            }
        }
    }
    warnings.sort_by(|a, b| a.name().cmp(b.name()));
    warnings.dedup();
    let track = |(place, (_, keyed))| (place, keyed);
    (tracks.into_iter().map(track).collect(), warnings)
}

fn limited(
    parameter: &Parameter,
    keyed: &KeyedValue,
    name: impl Fn() -> String,
) -> Result<KeyedValue, KeyWarning> {
    let limit = |key: &ValueKey| {
        let value = number(parameter.value.ty(), key.value);
        let value = value.ok_or_else(|| KeyWarning::Type { name: name() })?;
        if !is_sane_number(value) {
            return Err(KeyWarning::Faulty { name: name() });
        }
        let value = match parameter.limited(value) {
            Number::Vec3(v) => KeyNumber::Vec3(v.to_array()),
            Number::Float(x) => KeyNumber::Float(x),
            Number::Bool(_) => key.value,
        };
        Ok(ValueKey { value, ..*key })
    };
    Ok(KeyedValue { keys: keyed.keys.iter().map(limit).collect::<Result<_, _>>()? })
}

/// A key's value, as a parameter of a type has it.
fn number(ty: Type, value: KeyNumber) -> Option<Number> {
    match (ty, value) {
        (Type::Float, KeyNumber::Float(x)) => Some(Number::Float(x)),
        (Type::Vec3, value) => Some(Number::Vec3(DVec3::from_array(value.components()))),
        _ => None,
    }
}

impl BoundKeys {
    /// What these parameters are at a time of the motion. Before its start and after its end, nothing changes.
    pub fn apply(&self, values: &Arc<Vec<Number>>, time_secs: f64) -> Parameters {
        let Playback { duration_secs, ending, .. } = self.playback;
        let clip_secs = self.playback.clip_time_secs(time_secs).min(duration_secs).max(0.0);
        let round_secs = (ending == Ending::Loop).then_some(duration_secs);
        let mut values = Vec::clone(values);
        for (place, keyed) in &self.tracks {
            let Some(slot) = values.get_mut(*place) else { continue };
            let value = keyed.at(clip_secs, round_secs).and_then(|it| number(slot.ty(), it));
            *slot = value.unwrap_or(*slot);
        }
        Parameters::from_values(values)
    }
}
