//! Who carries whom, in the form that the analysis needs.

/// Bones as a forest. Whoever says which bone carries which may do so in any order.
#[derive(Clone, Debug)]
pub struct Tree {
    pub parents: Vec<Option<usize>>,
    pub children: Vec<Vec<usize>>,
    pub roots: Vec<usize>,
    pub parents_first: Vec<usize>,
}

impl Tree {
    /// A bone that would be below itself, or below one that does not exist, becomes a root.
    pub fn new(parents: &[Option<usize>]) -> Tree {
        let count = parents.len();
        let mut parents: Vec<Option<usize>> =
            parents.iter().map(|parent| parent.filter(|&parent| parent < count)).collect();
        let mut children = vec![Vec::new(); count];
        for (bone, parent) in parents.iter().enumerate() {
            parent.iter().for_each(|&parent| children[parent].push(bone));
        }
        let mut is_reached = vec![false; count];
        let mut parents_first = Vec::with_capacity(count);
        let roots: Vec<usize> = (0..count).filter(|&bone| parents[bone].is_none()).collect();
        let mut reach = |root: usize, order: &mut Vec<usize>| {
            let mut open = vec![root];
            while let Some(bone) = open.pop() {
                if !std::mem::replace(&mut is_reached[bone], true) {
                    order.push(bone);
                    open.extend(children[bone].iter().rev());
                }
            }
        };
        roots.iter().for_each(|&root| reach(root, &mut parents_first));
        if parents_first.len() == count {
            return Tree { parents, children, roots, parents_first };
        }
        let mut is_known = vec![false; count];
        parents_first.iter().for_each(|&bone| is_known[bone] = true);
        for bone in 0..count {
            if !is_known[bone] {
                parents[bone] = None;
            }
        }
        Tree::new(&parents)
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
    fn any_order_will_do_and_circles_are_cut() {
        let tree = Tree::new(&[Some(2), Some(0), None, Some(9)]);
        assert_eq!(tree.parents_first, [2, 0, 1, 3]);
        assert_eq!(tree.and_above(1).collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!(tree.and_below(2), [2, 0, 1]);
        let circle = Tree::new(&[Some(1), Some(0), None]);
        assert_eq!(circle.parents, [None, None, None]);
        assert_eq!(circle.parents_first.len(), 3);
    }
}
