//! Which vertices painting may touch.

/// Lists are empty, or have one entry per vertex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// Empty: all.
    selected: Vec<bool>,
    /// Empty: none.
    locked: Vec<bool>,
}

impl Masks {
    pub fn allow(&self, vertex: usize) -> bool {
        self.selected.get(vertex).copied().unwrap_or(true)
            && !self.locked.get(vertex).copied().unwrap_or(false)
    }

    pub fn is_selected(&self, vertex: usize) -> bool {
        self.selected.get(vertex).copied().unwrap_or(false)
    }

    pub fn is_locked(&self, vertex: usize) -> bool {
        self.locked.get(vertex).copied().unwrap_or(false)
    }

    pub fn has_selection(&self) -> bool {
        !self.selected.is_empty()
    }

    pub fn has_locks(&self) -> bool {
        !self.locked.is_empty()
    }

    pub fn selected_count(&self) -> usize {
        self.selected.iter().filter(|is| **is).count()
    }

    pub fn locked_count(&self) -> usize {
        self.locked.iter().filter(|is| **is).count()
    }

    /// These alone, or besides those that are selected already. Of nobody: nothing is selected.
    pub fn select(&mut self, vertices: impl IntoIterator<Item = usize>, count: usize, adds: bool) {
        if !adds || self.selected.len() != count {
            self.selected = vec![false; count];
        }
        for vertex in vertices {
            if let Some(is) = self.selected.get_mut(vertex) {
                *is = true;
            }
        }
        if !self.selected.contains(&true) {
            self.selected.clear();
        }
    }

    pub fn deselect(&mut self) {
        self.selected.clear();
    }

    /// All that were not; where nothing is selected, nothing is.
    pub fn invert_selection(&mut self) {
        self.selected.iter_mut().for_each(|is| *is = !*is);
        if !self.selected.contains(&true) {
            self.selected.clear();
        }
    }

    /// What is selected cannot be painted from now on, and is selected no more.
    pub fn lock_selected(&mut self) {
        let selected = std::mem::take(&mut self.selected);
        if self.locked.len() != selected.len() {
            self.locked = vec![false; selected.len()];
        }
        self.locked.iter_mut().zip(&selected).for_each(|(locked, is)| *locked |= is);
    }

    pub fn unlock(&mut self) {
        self.locked.clear();
    }
}
