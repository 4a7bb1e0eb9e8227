//! The form that some values take in a file, where serde's own would lose something.

use crate::script::Setting;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Number, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// How deep a value may be nested: well below what the parser itself refuses.
const MAX_DEPTH: usize = 32;

/// A map in which a key that stands twice is refused: after a bad merge, the first one would
/// otherwise be lost without a word.
pub fn unique_map<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct Unique<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Unique<V> {
        type Value = BTreeMap<String, V>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
            let mut map = BTreeMap::new();
            while let Some((key, value)) = access.next_entry::<String, V>()? {
                if map.contains_key(&key) {
                    return Err(A::Error::custom(format!("{key:?} appears twice")));
                }
                map.insert(key, value);
            }
            Ok(map)
        }
    }

    deserializer.deserialize_map(Unique(PhantomData))
}

/// A map of such maps.
pub fn unique_maps<'de, D, V>(
    deserializer: D,
) -> Result<BTreeMap<String, BTreeMap<String, V>>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct Inner<V>(BTreeMap<String, V>);

    impl<'de, V: Deserialize<'de>> Deserialize<'de> for Inner<V> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Inner<V>, D::Error> {
            unique_map(deserializer).map(Inner)
        }
    }

    let maps: BTreeMap<String, Inner<V>> = unique_map(deserializer)?;
    Ok(maps.into_iter().map(|(key, Inner(map))| (key, map)).collect())
}

pub fn settings<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Setting>, D::Error> {
    let values: BTreeMap<String, Value> = unique_map(deserializer)?;
    let settings = values.into_iter().map(|(port, value)| match setting(value) {
        Some(setting) => Ok((port, setting)),
        None => Err(D::Error::custom(format!("the setting {port:?} is nested too deeply"))),
    });
    settings.collect()
}

/// The setting that a file's value is; None if it is nested too deeply to be written again.
pub fn setting(value: Value) -> Option<Setting> {
    let value = canonical(value, MAX_DEPTH)?;
    Some(match &value {
        Value::Bool(on) => Setting::Bool(*on),
        Value::String(text) => Setting::Text(text.clone()),
        Value::Number(number) => match exact(number) {
            Some(number) => Setting::Float(number),
            None => Setting::Other(value),
        },
        Value::Array(items) => {
            let exact = |item: &Value| item.as_number().and_then(exact);
            let numbers: Option<Vec<f64>> = items.iter().map(exact).collect();
            match numbers.as_deref() {
                Some(&[x, y, z]) => Setting::Vec3([x, y, z]),
                Some(&[x, y, z, w]) => Setting::Quat([x, y, z, w]),
                _ => Setting::Other(value),
            }
        }
        _ => Setting::Other(value),
    })
}

/// One spelling per value: whole numbers as integers, which is how they are written.
fn canonical(value: Value, depth: usize) -> Option<Value> {
    Some(match value {
        Value::Number(number) => Value::Number(whole(number)),
        Value::Array(items) => {
            let depth = depth.checked_sub(1)?;
            Value::Array(
                items.into_iter().map(|item| canonical(item, depth)).collect::<Option<_>>()?,
            )
        }
        Value::Object(entries) => {
            let depth = depth.checked_sub(1)?;
            let entries =
                entries.into_iter().map(|(key, value)| Some((key, canonical(value, depth)?)));
            Value::Object(entries.collect::<Option<_>>()?)
        }
        other => other,
    })
}

/// Integers up to here are exact in f64.
const EXACT: f64 = (1_u64 << 53) as f64;

/// A whole number as an integer, if that says the same.
pub fn whole(number: Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && is_whole(float) => Number::from(float as i64),
        _ => number,
    }
}

fn is_whole(number: f64) -> bool {
    let minus_zero = number == 0.0 && number.is_sign_negative();
    number.fract() == 0.0 && number.abs() < EXACT && !minus_zero
}

/// The number, if an f64 can hold it.
fn exact(number: &Number) -> Option<f64> {
    let float = number.as_f64()?;
    (number.is_f64() || float.abs() < EXACT).then_some(float)
}

/// A text as a list of its lines, so that version control shows which one changed.
pub mod lines {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(
        text: &Option<String>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        text.as_ref().map(|text| text.split('\n').collect::<Vec<_>>()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<String>, D::Error> {
        /// One text is as good as its lines.
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "the script as a text, or as a list of its lines")]
        enum Text {
            Lines(Vec<String>),
            Whole(String),
        }
        Ok(Option::<Text>::deserialize(deserializer)?.map(|text| match text {
            Text::Lines(lines) => lines.join("\n"),
            Text::Whole(text) => text,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_value_has_one_form() {
        assert_eq!(setting(json!(3)), Some(Setting::Float(3.0)));
        assert_eq!(setting(json!([1, 2.5, 3])), Some(Setting::Vec3([1.0, 2.5, 3.0])));
        assert_eq!(setting(json!("up")), Some(Setting::Text("up".to_owned())));
        assert_eq!(setting(json!({"a": 1.0})), Some(Setting::Other(json!({"a": 1}))));
        assert_eq!(setting(json!(u64::MAX)), Some(Setting::Other(json!(u64::MAX))));
        assert_eq!(whole(Number::from_f64(-0.0).unwrap()).to_string(), "-0.0");
    }

    #[test]
    fn nesting_is_limited() {
        let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(setting(deep), None);
    }
}
