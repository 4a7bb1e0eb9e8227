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
