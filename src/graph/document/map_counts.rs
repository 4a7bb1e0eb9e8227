//! How many numbers the painted maps of a file say they hold. A few letters can stand for many of them, so that is
//! summed up before memory is asked for.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The sum of everything that is called `count`, however deep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapCounts {
    pub sum: u64,
    /// What is counted is itself a number.
    own: u64,
}

impl<'de> Deserialize<'de> for MapCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MapCounts, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = MapCounts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_bool<E>(self, _: bool) -> Result<MapCounts, E> {
        Ok(MapCounts::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<MapCounts, E> {
        Ok(MapCounts::default())
    }

    fn visit_u64<E>(self, own: u64) -> Result<MapCounts, E> {
        Ok(MapCounts { own, sum: 0 })
    }

    fn visit_f64<E>(self, _: f64) -> Result<MapCounts, E> {
        Ok(MapCounts::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<MapCounts, E> {
        Ok(MapCounts::default())
    }

    fn visit_unit<E>(self) -> Result<MapCounts, E> {
        Ok(MapCounts::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<MapCounts, A::Error> {
        let mut sum: u64 = 0;
        while let Some(item) = seq.next_element::<MapCounts>()? {
            sum = sum.saturating_add(item.sum);
        }
        Ok(MapCounts { sum, own: 0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<MapCounts, A::Error> {
        let mut sum: u64 = 0;
        while let Some((key, value)) = access.next_entry::<String, MapCounts>()? {
            let own = if key == "count" { value.own } else { 0 };
            sum = sum.saturating_add(value.sum).saturating_add(own);
        }
        Ok(MapCounts { sum, own: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_counts_are_summed_and_nothing_else() {
        let text = r#"{"a": {"maps": {"x": {"count": 5, "values": [[1, 3], "AA"]}, "y": [1, 2]}},
            "b": {"count": 7, "c": [{"count": 1}, null, true, -1, 0.5]}, "d": {"count": "3"}}"#;
        assert_eq!(serde_json::from_str::<MapCounts>(text).unwrap().sum, 13);
        let huge = r#"[{"count": 18446744073709551615}, {"count": 2}]"#;
        assert_eq!(serde_json::from_str::<MapCounts>(huge).unwrap().sum, u64::MAX);
    }
}
