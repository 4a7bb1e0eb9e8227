//! Who carries whom, in the form that the analysis needs.

/// Bones as a forest, in any order.
#[derive(Clone, Debug)]
pub struct Tree {
    pub parents: Vec<Option<usize>>,
    pub children: Vec<Vec<usize>>,
    pub roots: Vec<usize>,
    pub parents_first: Vec<usize>,
}

impl Tree {
    /// There is no cycle among the parents: a bone in one would be left out of the order.
    pub fn new(parents: &[Option<usize>]) -> Tree {
        let count = parents.len();
        let mut children = vec![Vec::new(); count];
        for (bone, parent) in parents.iter().enumerate() {
            parent.iter().for_each(|&parent| children[parent].push(bone));
        }
        let roots: Vec<usize> = (0..count).filter(|&bone| parents[bone].is_none()).collect();
        let mut parents_first = Vec::with_capacity(count);
        let mut open: Vec<usize> = roots.iter().rev().copied().collect();
        while let Some(bone) = open.pop() {
            parents_first.push(bone);
            open.extend(children[bone].iter().rev());
        }
        Tree { parents: parents.to_vec(), children, roots, parents_first }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The bone and all above it.
    pub fn and_above(&self, bone: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(bone), |&bone| self.parents[bone])
    }

    /// The bone and all below it, parents first.
    pub fn and_below(&self, bone: usize) -> Vec<usize> {
        let mut found = vec![bone];
        let mut next = 0;
        while let Some(&bone) = found.get(next) {
            found.extend(&self.children[bone]);
            next += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_whatever_their_numbers() {
        let tree = Tree::new(&[Some(2), Some(0), None, None]);
        assert_eq!(tree.parents_first, [2, 0, 1, 3]);
        assert_eq!(tree.roots, [2, 3]);
        assert_eq!(tree.and_above(1).collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!(tree.and_below(2), [2, 0, 1]);
    }
}
