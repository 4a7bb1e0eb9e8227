//! Modes TRIANGLES and INDICES: vertex indices, as triangle lists and as any sequence.

use super::Reason;
use super::reader::{Reader, TOO_SHORT};

const TRIANGLES_HEADER: u8 = 0xe1;
const SEQUENCE_HEADER: u8 = 0xd1;

/// Indices of 2 bytes keep the low half, as the specification says.
pub(super) fn to_bytes(indices: Vec<u32>, stride: usize) -> Vec<u8> {
    match stride {
        2 => indices.iter().flat_map(|i| (*i as u16).to_le_bytes()).collect(),
        _ => indices.iter().flat_map(|i| i.to_le_bytes()).collect(),
    }
}

/// Two interleaved runs: the lowest bit of each number says which one it continues.
pub(super) fn sequence(bytes: &[u8], count: usize) -> Result<Vec<u32>, Reason> {
    let (mut reader, _, _) = Reader::between(bytes, &[SEQUENCE_HEADER], |_| 4)?;
    if count > reader.remaining() {
        return Err(TOO_SHORT);
    }
    let mut last = [0_u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let code = reader.varint()?;
        let last = &mut last[(code & 1) as usize];
        *last = last.wrapping_add(unzigzag(code >> 1));
        indices.push(*last);
    }
    reader.finish()?;
    Ok(indices)
}

/// One code byte per triangle; what does not fit into it follows after all codes.
pub(super) fn triangles(bytes: &[u8], count: usize) -> Result<Vec<u32>, Reason> {
    let (mut reader, _, table) = Reader::between(bytes, &[TRIANGLES_HEADER], |_| 16)?;
    let codes = reader.take(count / 3)?;
    let mut decoder = Triangles {
        reader,
        next: 0,
        last: 0,
        edges: Recent::new([0; 2]),
        vertices: Recent::new(0),
    };
    let mut indices = Vec::with_capacity(count);
    for code in codes {
        indices.extend(decoder.triangle(*code, table)?);
    }
    decoder.reader.finish()?;
    Ok(indices)
}

fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// The last 16 of something; reading one that was never pushed is an error.
struct Recent<T> {
    ring: [T; 16],
    pushed: usize,
}

impl<T: Copy> Recent<T> {
    fn new(unused: T) -> Recent<T> {
        Recent { ring: [unused; 16], pushed: 0 }
    }

    fn push(&mut self, item: T) {
        self.ring[self.pushed % 16] = item;
        self.pushed += 1;
    }

    /// `age` 0 is the newest; it comes from four bits and is below 16.
    fn get(&self, age: u8) -> Result<T, Reason> {
        let place = self.pushed.checked_sub(1 + usize::from(age));
        let place = place.ok_or("a triangle refers to one that does not exist yet")?;
        Ok(self.ring[place % 16])
    }
}

struct Triangles<'a> {
    reader: Reader<'a>,
    /// The smallest index that has not been seen.
    next: u32,
    /// The last index that was stored as a difference.
    last: u32,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
}

impl Triangles<'_> {
    fn triangle(&mut self, code: u8, table: &[u8]) -> Result<[u32; 3], Reason> {
        match (code >> 4, code & 0xf) {
            (0xf, 0xe) => self.explicit(true),
            (0xf, 0xf) => self.explicit(false),
            (0xf, entry) => {
                let pair = table[usize::from(entry)];
                if pair >> 4 == 0xf || pair & 0xf == 0xf {
                    return Err("its table of vertex pairs is damaged");
                }
                let a = self.fresh();
                self.around(a, pair)
            }
            (edge, vertex) => self.beside(edge, vertex),
        }
    }

    /// A triangle on an edge that was just drawn.
    fn beside(&mut self, edge: u8, vertex: u8) -> Result<[u32; 3], Reason> {
        let [a, b] = self.edges.get(edge)?;
        let c = match vertex {
            0 => self.fresh(),
            0xd => self.moved(1_u32.wrapping_neg()),
            0xe => self.moved(1),
            0xf => self.stored()?,
            age => self.vertices.get(age)?,
        };
        if vertex == 0 || vertex >= 0xd {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// A triangle that shares no recent edge, with its vertex pair in the stream.
    fn explicit(&mut self, a_is_fresh: bool) -> Result<[u32; 3], Reason> {
        let pair = self.reader.byte()?;
        if pair == 0 {
            // A stream may be several, one after the other, that each begin at vertex 0.
            self.next = 0;
        }
        let a = if a_is_fresh { self.fresh() } else { self.stored()? };
        self.around(a, pair)
    }

    /// The triangle of `a` and the vertices that the two halves of `pair` name: 0 for a fresh
    /// one, 15 for a stored one, a recent one otherwise.
    fn around(&mut self, a: u32, pair: u8) -> Result<[u32; 3], Reason> {
        let (z, w) = (pair >> 4, pair & 0xf);
        let b = self.named(z)?;
        let c = self.named(w)?;
        self.vertices.push(a);
        for (vertex, name) in [(b, z), (c, w)] {
            if name == 0 || name == 0xf {
                self.vertices.push(vertex);
            }
        }
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    fn named(&mut self, name: u8) -> Result<u32, Reason> {
        match name {
            0 => Ok(self.fresh()),
            0xf => self.stored(),
            name => self.vertices.get(name - 1),
        }
    }

    fn fresh(&mut self) -> u32 {
        let fresh = self.next;
        self.next = fresh.wrapping_add(1);
        fresh
    }

    fn stored(&mut self) -> Result<u32, Reason> {
        let delta = unzigzag(self.reader.varint()?);
        Ok(self.moved(delta))
    }

    fn moved(&mut self, delta: u32) -> u32 {
        self.last = self.last.wrapping_add(delta);
        self.last
    }
}
