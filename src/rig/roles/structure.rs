//! What roles and looseness follow from, made once per character.

use super::measures::Measures;
use super::tree::Tree;
use crate::Character;

#[derive(Debug)]
pub struct Structure {
    pub tree: Tree,
    pub measures: Measures,
}

impl Structure {
    pub fn new(character: &Character, parents: &[Option<usize>]) -> Structure {
        let tree = Tree::new(parents);
        let measures = Measures::new(character, &tree);
        Structure { tree, measures }
    }
}
