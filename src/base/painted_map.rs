//! A painted map: a number per vertex, shared by all who have it.
//!
//! ```text
//! [0, 0.5, 1]                                      in a file, where nobody wrote down which mesh it is of
//! {"mesh": "9c2f…", "count": 5000,                 what was painted on a known mesh:
//!  "values": [[0, 4200], "AACAPwAAgD8…", [0, 62]]}   [number, how often] and base64 of f32, least byte first
//! ```
//! Both forms come back to the bit.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct PaintedMap {
    /// Whoever copies settings copies no numbers.
    values: Arc<Vec<f32>>,
    /// Which mesh it was painted on; None where nobody wrote it down.
    pub mesh: Option<MeshFingerprint>,
}

/// Two meshes with the same one have the same vertices in the same order, for all that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshFingerprint(pub u64);

impl PaintedMap {
    pub fn new(values: Vec<f32>, mesh: Option<MeshFingerprint>) -> PaintedMap {
        PaintedMap { values: Arc::new(values), mesh }
    }
}

impl From<Vec<f32>> for PaintedMap {
    fn from(values: Vec<f32>) -> PaintedMap {
        PaintedMap::new(values, None)
    }
}

impl Deref for PaintedMap {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.values
    }
}

/// The same numbers of the same mesh. Copies are compared in no time.
impl PartialEq for PaintedMap {
    fn eq(&self, other: &PaintedMap) -> bool {
        self.mesh == other.mesh
            && (Arc::ptr_eq(&self.values, &other.values) || self.values == other.values)
    }
}

impl fmt::Display for MeshFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// So many numbers are a line of text: 96 letters without padding.
const NUMBERS_PER_LINE: usize = 18;
/// Fewer of the same are as short as base64.
const LEAST_RUN: usize = 6;
/// A map of more vertices than any character has is refused before memory is asked for.
pub const MOST_NUMBERS: usize = 1 << 24;

impl Serialize for PaintedMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(mesh) = self.mesh else {
            return serializer.collect_seq(self.values.iter().map(|&value| short(value)));
        };
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("mesh", &mesh.to_string())?;
        map.serialize_entry("count", &self.values.len())?;
        map.serialize_entry("values", &pieces(&self.values))?;
        map.end()
    }
}

/// With as few digits as an f32 needs: 0.1, not 0.10000000149011612.
fn short(value: f32) -> f64 {
    match value.to_string().parse::<f64>() {
        // Rounded twice, it might have become its neighbour.
        Ok(short) if short as f32 == value => short,
        _ => f64::from(value),
    }
}

/// A part of the list.
enum Piece {
    Run(f32, usize),
    Text(String),
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Piece::Run(value, count) => (short(*value), count).serialize(serializer),
            Piece::Text(text) => serializer.serialize_str(text),
        }
    }
}

fn pieces(values: &[f32]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    // What is not in a piece yet begins here.
    let mut first = 0;
    let mut at = 0;
    while at < values.len() {
        let same = |value: &&f32| value.to_bits() == values[at].to_bits();
        let run = values[at..].iter().take_while(same).count();
        if run >= LEAST_RUN {
            pieces.extend(texts(&values[first..at]));
            pieces.push(Piece::Run(values[at], run));
            first = at + run;
        }
        at += run;
    }
    pieces.extend(texts(&values[first..]));
    pieces
}

fn texts(values: &[f32]) -> impl Iterator<Item = Piece> {
    values.chunks(NUMBERS_PER_LINE).map(|line| {
        let bytes: Vec<u8> = line.iter().flat_map(|value| value.to_le_bytes()).collect();
        Piece::Text(STANDARD.encode(bytes))
    })
}

impl<'de> Deserialize<'de> for PaintedMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PaintedMap, D::Error> {
        deserializer.deserialize_any(WholeMap)
    }
}

struct WholeMap;

impl<'de> Visitor<'de> for WholeMap {
    type Value = PaintedMap;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a painted map: a list of numbers, or its mesh, count and values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PaintedMap, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element::<f32>()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<PaintedMap, A::Error> {
        let (mut mesh, mut count, mut pieces) = (None, None, None::<Vec<Piece>>);
        while let Some(key) = access.next_key::<String>()? {
            match key.as_str() {
                "mesh" => mesh = Some(access.next_value::<MeshFingerprint>()?),
                "count" => count = Some(access.next_value::<usize>()?),
                "values" => pieces = Some(access.next_value()?),
                _ => return Err(A::Error::unknown_field(&key, &["mesh", "count", "values"])),
            }
        }
        let count = count.ok_or_else(|| A::Error::missing_field("count"))?;
        let pieces = pieces.ok_or_else(|| A::Error::missing_field("values"))?;
        let values = joined(&pieces, count).map_err(A::Error::custom)?;
        Ok(PaintedMap::new(values, mesh))
    }
}

/// All numbers, or a sentence that says why there are none.
fn joined(pieces: &[Piece], count: usize) -> Result<Vec<f32>, String> {
    if count > MOST_NUMBERS {
        return Err(format!("a painted map has {count} numbers, more than {MOST_NUMBERS}"));
    }
    let mut values: Vec<f32> = Vec::with_capacity(count);
    for piece in pieces {
        let left = count - values.len();
        match piece {
            Piece::Run(value, run) if *run <= left => {
                values.extend(std::iter::repeat_n(*value, *run))
            }
            Piece::Text(text) if text.len() / 4 * 3 <= left.saturating_mul(4) + 3 => {
                let wrong = |why: &dyn fmt::Display| {
                    format!("the values of a painted map are no base64 text of numbers ({why})")
                };
                let bytes = STANDARD.decode(text).map_err(|error| wrong(&error))?;
                let (numbers, rest) = bytes.as_chunks::<4>();
                if !rest.is_empty() {
                    return Err(wrong(&"a number has four bytes"));
                }
                values.extend(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)));
            }
            _ => {
                return Err(format!(
                    "a painted map has more than the {count} numbers of its count"
                ));
            }
        }
    }
    match values.len() {
        found if found == count => Ok(values),
        found => Err(format!("a painted map has {found} numbers, but its count is {count}")),
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Piece, D::Error> {
        struct OnePiece;

        impl<'de> Visitor<'de> for OnePiece {
            type Value = Piece;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("base64 text, or [number, how often]")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Piece, E> {
                Ok(Piece::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Piece, A::Error> {
                let missing = || A::Error::invalid_length(0, &"a number and how often it comes");
                let value = seq.next_element()?.ok_or_else(missing)?;
                let count = seq.next_element()?.ok_or_else(missing)?;
                match seq.next_element::<f64>()? {
                    Some(_) => Err(missing()),
                    None => Ok(Piece::Run(value, count)),
                }
            }
        }

        deserializer.deserialize_any(OnePiece)
    }
}

impl<'de> Deserialize<'de> for MeshFingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MeshFingerprint, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = u64::from_str_radix(&text, 16).ok().map(MeshFingerprint);
        // One spelling per mesh, so that a file is saved as it was.
        number.filter(|number| number.to_string() == text).ok_or_else(|| {
            D::Error::custom(format!("{text:?} names no mesh; 16 of the digits 0 to f do"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_str, json, to_value};

    const MESH: Option<MeshFingerprint> = Some(MeshFingerprint(0x9c2f));

    fn bits(map: &PaintedMap) -> Vec<u32> {
        map.iter().map(|value| value.to_bits()).collect()
    }

    #[test]
    fn what_was_painted_on_a_known_mesh_comes_back_to_the_bit_and_is_short() {
        let wild = (1..200_u32).map(|i| f32::from_bits(i.wrapping_mul(858_993)));
        let wild = wild.filter(|value| value.is_finite());
        let values: Vec<f32> = std::iter::repeat_n(0.0, 5000)
            .chain(wild)
            .chain([-0.0; 9])
            .chain([0.1; 5])
            .chain([0.1_f32.next_up(); 700])
            .collect();
        let map = PaintedMap::new(values, MESH);
        let text = to_value(&map).unwrap().to_string();
        assert!(text.len() < 1400, "{} bytes", text.len());
        let back: PaintedMap = from_str(&text).unwrap();
        assert_eq!((bits(&back), back.mesh), (bits(&map), MESH));
        assert_eq!(to_value(&back).unwrap().to_string(), text);
        let old: PaintedMap = from_str("[0, 0.1, -2]").unwrap();
        assert_eq!((&*old, old.mesh), (&[0.0, 0.1, -2.0][..], None));
        assert_eq!(to_value(&old).unwrap(), json!([0.0, 0.1, -2.0]));
    }

    #[test]
    fn what_makes_no_map_is_said() {
        let error = |value: serde_json::Value| {
            serde_json::from_value::<PaintedMap>(value).unwrap_err().to_string()
        };
        let map = |count: u64, values: serde_json::Value| json!({"mesh": "00000000000000ff", "count": count, "values": values});
        assert!(error(map(3, json!([[0, 4]]))).contains("more than the 3 numbers"));
        assert!(error(map(3, json!([[0, 2]]))).contains("2 numbers, but its count is 3"));
        assert!(error(map(3, json!(["AAAA"]))).contains("a number has four bytes"));
        assert!(error(map(3, json!(["?"]))).contains("no base64 text"));
        assert!(error(map(3, json!([[0]]))).contains("how often"));
        assert!(error(map(1 << 40, json!([[0, 1_u64 << 40]]))).contains("more than 16777216"));
        assert!(error(json!({"mesh": "ff", "count": 0, "values": []})).contains("names no mesh"));
        assert!(error(json!({"mesh": "00000000000000ff", "values": []})).contains("count"));
        assert!(error(json!("soft")).contains("a list of numbers"));
    }
}
