//! Parameters that are keyed over clips, in the manifest.

use jounce_base::keyed_value::{KeyNumber, KeyedValue, MotionKeys, ValueKey};
use jounce_eval::Parameters;
use jounce_ir::{Number, Parameter, Program};

/// The keys of parameters that the host sets, under the names that the manifest has for them and within their
/// limits.
pub fn keys(program: &Program, keys: &MotionKeys) -> MotionKeys {
    let mut known = MotionKeys::new();
    for (clip, keys) in keys {
        for (name, keyed) in keys {
            for place in Parameters::places(program, name) {
                let parameter = &program.tables.parameters[place];
                let Some(name) = parameter.exposed.clone() else { continue };
                known.entry(clip.clone()).or_default().insert(name, limited(parameter, keyed));
            }
        }
    }
    known
}

fn limited(parameter: &Parameter, keyed: &KeyedValue) -> KeyedValue {
    let limit = |key: &ValueKey| {
        let value = match key.value {
            KeyNumber::Float(x) => Number::Float(x),
            KeyNumber::Vec3(v) => Number::Vec3(v.into()),
        };
        let value = match parameter.limited(value) {
            Number::Float(x) => KeyNumber::Float(x),
            Number::Vec3(v) => KeyNumber::Vec3(v.to_array()),
            Number::Bool(_) => key.value,
        };
        ValueKey { value, ..*key }
    };
    KeyedValue { keys: keyed.keys.iter().map(limit).collect() }
}
