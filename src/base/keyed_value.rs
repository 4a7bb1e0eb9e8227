//! A number that changes over time, by keys: an amount of a style over a clip.
//!
//! ```text
//!  value   ●───────●            step: stands still until the next key
//!                  │   ╭───●    smooth: no corner at a key, and nothing between two keys beyond both
//!                  ●───╯    ╲   linear
//!                            ●─ after the last key it stays; in a loop it goes on to the first
//! ```
//! The value at a time is a function of that time alone: see [`curve`].

use curve::Curve;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

mod curve;
#[cfg(test)]
mod tests;

/// A time this close to a key is at the key. Frames are counted in double precision, the lengths of clips are
/// stored in single: up to two minutes into a clip they differ by less.
pub const AT_KEY_SECS: f64 = 1e-5;

/// How far from a key is still at it: later in a clip single precision is coarser than [`AT_KEY_SECS`].
pub fn at_key_secs(key_secs: f64) -> f64 {
    AT_KEY_SECS.max(key_secs.abs() * f64::from(f32::EPSILON))
}

/// The keys of one clip, by the parameter's name.
pub type ClipKeys = BTreeMap<String, KeyedValue>;

/// The keys of a document, by the clip's name.
pub type MotionKeys = BTreeMap<String, ClipKeys>;

/// From a key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyInterpolation {
    Linear,
    #[default]
    Smooth,
    Step,
}

impl KeyInterpolation {
    pub const ALL: [KeyInterpolation; 3] =
        [KeyInterpolation::Smooth, KeyInterpolation::Linear, KeyInterpolation::Step];

    pub fn name(self) -> &'static str {
        match self {
            KeyInterpolation::Linear => "linear",
            KeyInterpolation::Smooth => "smooth",
            KeyInterpolation::Step => "step",
        }
    }
}

/// A number or three, as a file has them. One number counts for all three of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum KeyNumber {
    Float(f64),
    Vec3([f64; 3]),
}

impl KeyNumber {
    pub fn components(self) -> [f64; 3] {
        match self {
            KeyNumber::Float(x) => [x; 3],
            KeyNumber::Vec3(v) => v,
        }
    }

    pub fn is_finite(self) -> bool {
        self.components().into_iter().all(f64::is_finite)
    }
}

impl<'de> Deserialize<'de> for KeyNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KeyNumber, D::Error> {
        struct Numbers;

        impl<'de> Visitor<'de> for Numbers {
            type Value = KeyNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or [x, y, z]")
            }

            fn visit_f64<E: de::Error>(self, x: f64) -> Result<KeyNumber, E> {
                Ok(KeyNumber::Float(x))
            }

            fn visit_i64<E: de::Error>(self, x: i64) -> Result<KeyNumber, E> {
                Ok(KeyNumber::Float(x as f64))
            }

            fn visit_u64<E: de::Error>(self, x: u64) -> Result<KeyNumber, E> {
                Ok(KeyNumber::Float(x as f64))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<KeyNumber, A::Error> {
                let mut numbers = [0.0; 3];
                for (place, number) in numbers.iter_mut().enumerate() {
                    let next = list.next_element()?;
                    *number = next.ok_or_else(|| de::Error::invalid_length(place, &self))?;
                }
                match list.next_element::<de::IgnoredAny>()? {
                    None => Ok(KeyNumber::Vec3(numbers)),
                    Some(_) => Err(de::Error::invalid_length(4, &self)),
                }
            }
        }

        deserializer.deserialize_any(Numbers)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueKey {
    /// In the time of the clip.
    #[serde(rename = "time")]
    pub time_secs: f64,
    pub value: KeyNumber,
    /// To the next key.
    #[serde(default)]
    pub interpolation: KeyInterpolation,
}

/// Keys in the order of their times, no two at one. See [`KeyedValue::fault`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyedValue {
    pub keys: Vec<ValueKey>,
}

/// What keys must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFault {
    /// There are no keys.
    Empty,
    NotFinite,
    BeforeStart,
    Order,
}

impl KeyedValue {
    /// What is wrong with keys from anywhere; nothing else here is to be trusted before.
    pub fn fault(&self) -> Option<KeyFault> {
        let is_finite = |key: &ValueKey| key.time_secs.is_finite() && key.value.is_finite();
        if self.keys.is_empty() {
            return Some(KeyFault::Empty);
        }
        if !self.keys.iter().all(is_finite) {
            return Some(KeyFault::NotFinite);
        }
        if self.keys.iter().any(|key| key.time_secs < 0.0) {
            return Some(KeyFault::BeforeStart);
        }
        let is_in_order = self.keys.is_sorted_by(|a, b| a.time_secs < b.time_secs);
        (!is_in_order).then_some(KeyFault::Order)
    }

    /// At a time of the clip. `round_secs`: of a loop, how long it is. Then the value goes on from the last key to
    /// the first of the next round, and keys beyond the end of the loop do not count; otherwise it stays as it is
    /// before the first key and after the last. Without keys, nothing is known.
    pub fn at(&self, time_secs: f64, round_secs: Option<f64>) -> Option<KeyNumber> {
        let curve = Curve::new(&self.keys, round_secs)?;
        let place = curve.place(if time_secs.is_finite() { time_secs } else { 0.0 });
        Some(match curve.is_vector(&place) {
            true => KeyNumber::Vec3([0, 1, 2].map(|axis| curve.value(&place, axis))),
            false => KeyNumber::Float(curve.value(&place, 0)),
        })
    }

    /// The key that is at a time, as far as anybody can tell.
    pub fn key_at(&self, time_secs: f64) -> Option<usize> {
        let is_at =
            |key: &ValueKey| (key.time_secs - time_secs).abs() <= at_key_secs(key.time_secs);
        self.keys.iter().position(is_at)
    }

    /// With a key there, in place of one that was. A new one goes on like the key before it.
    pub fn with_key(&self, time_secs: f64, value: KeyNumber) -> KeyedValue {
        let mut keys = self.keys.clone();
        if let Some(place) = self.key_at(time_secs) {
            keys[place].value = value;
            return KeyedValue { keys };
        }
        let place = keys.partition_point(|key| key.time_secs < time_secs);
        let like = place.checked_sub(1).or((!keys.is_empty()).then_some(0));
        let interpolation =
            like.map_or_else(KeyInterpolation::default, |it| keys[it].interpolation);
        keys.insert(place, ValueKey { time_secs, value, interpolation });
        KeyedValue { keys }
    }

    /// Without one of them.
    pub fn without_key(&self, place: usize) -> KeyedValue {
        let mut keys = self.keys.clone();
        if place < keys.len() {
            keys.remove(place);
        }
        KeyedValue { keys }
    }

    /// One of them at another time, where it takes the place of one that is there.
    pub fn with_key_moved(&self, place: usize, time_secs: f64) -> KeyedValue {
        let Some(&key) = self.keys.get(place) else { return self.clone() };
        let rest = self.without_key(place);
        let rest = rest.key_at(time_secs).map_or(rest.clone(), |taken| rest.without_key(taken));
        let mut keys = rest.keys;
        let place = keys.partition_point(|key| key.time_secs < time_secs);
        keys.insert(place, ValueKey { time_secs, ..key });
        KeyedValue { keys }
    }

    pub fn with_interpolation(&self, place: usize, interpolation: KeyInterpolation) -> KeyedValue {
        let mut keys = self.keys.clone();
        if let Some(key) = keys.get_mut(place) {
            key.interpolation = interpolation;
        }
        KeyedValue { keys }
    }
}
