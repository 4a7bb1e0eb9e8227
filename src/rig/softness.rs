//! The automatic softness of a character: thin parts are soft. Computed once, and kept for next time, so
//! that a large character does not cost a second at every start.
//!
//! ```text
//! ALGORITHM-HASH    "JNSOFT\0\0"  u64 vertices  u64 why unknown  f32 … per vertex  u128 hash of all that
//! ```
//! The name is the hash of everything that the softness follows from. Bytes that are not exactly as they
//! should be are ignored, and replaced. Nothing is kept until somebody says where: the program does, the
//! library by itself does not.

use super::Character;
use super::shape_diameter::{
    ALGORITHM, EVEN_SOFTNESS, NoThickness, shape_diameter, softness_from_diameter,
};
use jounce_base::KeptResults;
use std::sync::OnceLock;

#[derive(Debug, PartialEq)]
pub(super) struct Softness {
    /// Per vertex in [0, 1].
    pub values: Vec<f32>,
    pub unknown: Option<NoThickness>,
}

/// Set once per program.
static KEPT: OnceLock<Box<dyn KeptResults>> = OnceLock::new();

/// From now on softness is kept there.
pub fn keep_softness_in(place: impl KeptResults + 'static) {
    // A second place would be a mistake of the program: the first one stays.
    let _ = KEPT.set(Box::new(place));
}

/// Below this it is computed faster than anybody would notice.
const FEWEST_VERTICES: usize = 2_000;

const MAGIC: &[u8; 8] = b"JNSOFT\0\0";
const HEAD_BYTES: usize = 24;
const HASH_BYTES: usize = 16;

impl Softness {
    pub fn of(character: &Character) -> Softness {
        match KEPT.get() {
            Some(place) if character.vertex_count() >= FEWEST_VERTICES => {
                Softness::kept(character, place.as_ref())
            }
            _ => Softness::computed(character),
        }
    }

    fn computed(character: &Character) -> Softness {
        let (surface, rest) = (character.surface(), character.rest());
        let triangles = &character.mesh.triangles;
        let diameters = shape_diameter(surface, triangles, &rest.positions, &rest.normals);
        match diameters {
            Ok(diameters) => {
                let of_points = softness_from_diameter(&diameters, &surface.point_areas);
                Softness { values: surface.to_vertices(&of_points), unknown: None }
            }
            Err(unknown) => {
                let values = vec![EVEN_SOFTNESS; character.vertex_count()];
                Softness { values, unknown: Some(unknown) }
            }
        }
    }

    fn kept(character: &Character, place: &dyn KeptResults) -> Softness {
        let name = format!("{ALGORITHM}-{:032x}", content_hash(character));
        let vertices = character.vertex_count();
        let most_bytes = HEAD_BYTES + 4 * vertices + HASH_BYTES;
        let bytes = place.get(&name, most_bytes);
        if let Some(known) = bytes.and_then(|bytes| Softness::from_bytes(&bytes, vertices)) {
            return known;
        }
        let softness = Softness::computed(character);
        place.put(&name, &softness.to_bytes());
        softness
    }

    fn to_bytes(&self) -> Vec<u8> {
        let unknown: u64 = match self.unknown {
            None => 0,
            Some(NoThickness::NoSurface) => 1,
            Some(NoThickness::Tangled) => 2,
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.values.len() as u64).to_le_bytes());
        bytes.extend(unknown.to_le_bytes());
        self.values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        let mut hash = ContentHash::new();
        hash.add(&bytes);
        bytes.extend(hash.0.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8], vertices: usize) -> Option<Softness> {
        let (content, told) = bytes.split_last_chunk::<HASH_BYTES>()?;
        let mut hash = ContentHash::new();
        hash.add(content);
        let (head, numbers) = content.split_first_chunk::<HEAD_BYTES>()?;
        let word =
            |place: usize| u64::from_le_bytes(std::array::from_fn(|at| head[8 * place + at]));
        let is_whole = hash.0.to_le_bytes() == *told
            && head.starts_with(MAGIC)
            && word(1) == vertices as u64
            && numbers.len() == 4 * vertices;
        let unknown = match word(2) {
            0 => None,
            1 => Some(NoThickness::NoSurface),
            2 => Some(NoThickness::Tangled),
            _ => return None,
        };
        let number = |four: &[u8; 4]| f32::from_le_bytes(*four);
        let values: Vec<f32> = numbers.as_chunks().0.iter().map(number).collect();
        let is_sound = is_whole && values.iter().all(|value| (0.0..=1.0).contains(value));
        is_sound.then_some(Softness { values, unknown })
    }
}

/// Of all that the softness follows from.
fn content_hash(character: &Character) -> u128 {
    let mut hash = ContentHash::new();
    let rest = character.rest();
    for list in [&character.mesh.positions, &rest.positions, &rest.normals] {
        hash.add(bytemuck::cast_slice(list.as_slice()));
    }
    hash.add(bytemuck::cast_slice(character.mesh.triangles.as_slice()));
    // Points are parted where skin weights differ.
    hash.add(bytemuck::cast_slice(character.skin.entries()));
    character.skin.lists().for_each(|list| hash.add_word(list.len() as u64));
    hash.0
}

/// As FNV-1a with 128 bits, eight bytes at a time; the high half goes back into the low one, so that
/// every bit comes to matter to every other.
struct ContentHash(u128);

impl ContentHash {
    const START: u128 = 0x6c62272e07bb014262b821756295c58d;
    const PRIME: u128 = 0x0000000001000000000000000000013b;

    fn new() -> ContentHash {
        ContentHash(ContentHash::START)
    }

    fn add_word(&mut self, word: u64) {
        let mixed = (self.0 ^ u128::from(word)).wrapping_mul(ContentHash::PRIME);
        self.0 = mixed ^ (mixed >> 64);
    }

    /// Its length is a part of it.
    fn add(&mut self, bytes: &[u8]) {
        self.add_word(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add_word(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add_word(u64::from_le_bytes(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own;
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    #[derive(Default)]
    struct InMemory(Mutex<BTreeMap<String, Vec<u8>>>);

    impl KeptResults for InMemory {
        fn get(&self, name: &str, most_bytes: usize) -> Option<Vec<u8>> {
            let bytes = self.0.lock().unwrap().get(name).cloned();
            bytes.filter(|bytes| bytes.len() <= most_bytes)
        }

        fn put(&self, name: &str, bytes: &[u8]) {
            self.0.lock().unwrap().insert(name.to_owned(), bytes.to_vec());
        }
    }

    impl InMemory {
        fn names(&self) -> Vec<String> {
            self.0.lock().unwrap().keys().cloned().collect()
        }
    }

    #[test]
    fn what_was_kept_is_what_was_computed() {
        let place = InMemory::default();
        let character = own::built_in("cow").unwrap();
        let computed = Softness::computed(&character);
        assert_eq!(Softness::kept(&character, &place), computed);
        let [name] = &place.names()[..] else { panic!("one") };
        // It is read: what is there comes back.
        let other = Softness { values: vec![0.25; computed.values.len()], unknown: None };
        place.put(name, &other.to_bytes());
        assert_eq!(Softness::kept(&character, &place), other);
        // Of another character it is another.
        let giraffe = own::built_in("giraffe").unwrap();
        assert_eq!(Softness::kept(&giraffe, &place), Softness::computed(&giraffe));
        assert_eq!(place.names().len(), 2);
    }

    #[test]
    fn damaged_bytes_are_ignored_and_replaced() {
        let place = InMemory::default();
        let character = own::built_in("cow").unwrap();
        let computed = Softness::kept(&character, &place);
        let [name] = &place.names()[..] else { panic!("one") };
        let good = place.get(name, usize::MAX).unwrap();
        let changed = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            bytes
        };
        let damaged = [
            Vec::new(),
            good[..good.len() - 1].to_vec(),
            [&good[..], &[0]].concat(),
            changed(0),
            changed(9),
            changed(17),
            changed(HEAD_BYTES + 2),
            changed(good.len() - 1),
        ];
        for bytes in damaged {
            place.put(name, &bytes);
            assert_eq!(Softness::kept(&character, &place), computed);
            assert_eq!(place.get(name, usize::MAX).unwrap(), good);
        }
        // A number outside of its range is refused, even with the right hash.
        let absurd = Softness { values: vec![7.0; computed.values.len()], unknown: None };
        place.put(name, &absurd.to_bytes());
        assert_eq!(Softness::kept(&character, &place), computed);
    }
}
