//! Parameters that are keyed: found in a program, and what they are at a time.

use super::Parameters;
use super::parameters::named;
use super::validate::is_sane_number;
use glam::DVec3;
use jounce_base::keyed_value::{ClipKeys, KeyNumber, KeyedValue, ValueKey};
use jounce_ir::{Number, Parameter, Program, Type};
use jounce_rig::motion::{Ending, Playback};
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
        "the keys of \"{name}\" do nothing, because it is one number and they have three; give them one each"
    )]
    Type { name: String },
    #[error(
        "the keys of \"{name}\" do nothing, because they are not in order or have numbers that no parameter may have"
    )]
    Faulty { name: String },
}

impl KeyWarning {
    /// Of the parameter, as the keys have it.
    pub fn name(&self) -> &str {
        match self {
            KeyWarning::Unknown { name }
            | KeyWarning::Type { name }
            | KeyWarning::Faulty { name } => name,
        }
    }
}

/// The keys of a clip that a program can follow, and why it cannot follow the others. A key is limited to what its
/// parameter may be, as a slider is.
pub(super) fn bind(
    program: &Program,
    keys: &ClipKeys,
    playback: Playback,
) -> (Option<Arc<BoundKeys>>, Vec<KeyWarning>) {
    let (mut tracks, mut warnings) = (Vec::new(), Vec::new());
    for (name, keyed) in keys {
        let name = || name.clone();
        let places = named(program, &name());
        if places.is_empty() {
            warnings.push(KeyWarning::Unknown { name: name() });
        } else if keyed.fault().is_some() {
            warnings.push(KeyWarning::Faulty { name: name() });
        }
        for place in places.into_iter().filter(|_| keyed.fault().is_none()) {
            match limited(&program.tables.parameters[place], keyed, name) {
                Ok(keyed) => tracks.push((place, keyed)),
                Err(warning) => warnings.push(warning),
            }
        }
    }
    let bound = (!tracks.is_empty()).then(|| Arc::new(BoundKeys { tracks, playback }));
    (bound, warnings)
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
