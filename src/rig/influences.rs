//! Ragged per-vertex lists of (index, weight), one after the other in one array.
//!
//! ```text
//! offsets  0     2        5  …            vertex v owns entries[offsets[v] .. offsets[v + 1]]
//! entries  a  b  c  d  e  …
//! ```
//! There is no cap on the length of a list: real rigs have up to 13 influences per vertex.

/// `index` is a binding in skin weights, a bone in propagated weights.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Influence {
    pub index: u32,
    pub weight: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Influences {
    offsets: Vec<u32>,
    entries: Vec<Influence>,
}

impl Default for Influences {
    fn default() -> Self {
        Influences::with_capacity(0, 0)
    }
}

impl Influences {
    pub fn with_capacity(vertices: usize, entries: usize) -> Influences {
        let mut offsets = Vec::with_capacity(vertices + 1);
        offsets.push(0);
        Influences { offsets, entries: Vec::with_capacity(entries) }
    }

    /// Lists of known lengths, to be filled by [`Influences::chunks_mut`].
    pub(super) fn with_lengths(lengths: impl Iterator<Item = u32>) -> Influences {
        let mut offsets = vec![0];
        let mut total = 0;
        offsets.extend(lengths.map(|length| {
            total += length;
            total
        }));
        let nothing = Influence { index: 0, weight: 0.0 };
        Influences { offsets, entries: vec![nothing; total as usize] }
    }

    /// The entries of each `vertices` vertices in turn.
    pub(super) fn chunks_mut(&mut self, vertices: usize) -> Vec<&mut [Influence]> {
        let mut rest: &mut [Influence] = &mut self.entries;
        let mut chunks = Vec::new();
        let count = self.offsets.len() - 1;
        for start in (0..count).step_by(vertices) {
            let end = count.min(start + vertices);
            let length = self.offsets[end] - self.offsets[start];
            let (chunk, after) = rest.split_at_mut(length as usize);
            chunks.push(chunk);
            rest = after;
        }
        chunks
    }

    /// Appends the list of the next vertex.
    pub fn push(&mut self, list: impl IntoIterator<Item = Influence>) {
        self.entries.extend(list);
        self.offsets.push(self.entries.len() as u32);
    }

    /// Appends the lists of the next vertices.
    pub fn append(&mut self, other: Influences) {
        let shift = self.entries.len() as u32;
        self.entries.extend(other.entries);
        self.offsets.extend(other.offsets[1..].iter().map(|offset| offset + shift));
    }

    pub fn vertex_count(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn of(&self, vertex: usize) -> &[Influence] {
        &self.entries[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }

    pub fn lists(&self) -> impl ExactSizeIterator<Item = &[Influence]> {
        self.offsets.windows(2).map(|ends| &self.entries[ends[0] as usize..ends[1] as usize])
    }

    pub fn entries(&self) -> &[Influence] {
        &self.entries
    }

    pub fn longest(&self) -> usize {
        self.lists().map(<[_]>::len).max().unwrap_or(0)
    }
}
