//! Bones by their names, in what is set for a character; and what is said of names that it does not have.

use super::warning::BindWarning;
use jounce_base::text::nearest;
use jounce_rig::Skeleton;
use std::collections::HashMap;

/// Looks up bones as [`Skeleton::bone_named`] does, in less than a pass over all of them.
pub struct BoneNames<'a> {
    pub names: Vec<&'a str>,
    exact: HashMap<&'a str, usize>,
    lower_case: HashMap<String, usize>,
    /// Of flesh elements, which have rows behind the bones.
    pub elements: Vec<String>,
}

impl<'a> BoneNames<'a> {
    pub fn new(skeleton: &'a Skeleton) -> BoneNames<'a> {
        let names: Vec<&str> = (0..skeleton.bones.len()).map(|b| skeleton.bone_name(b)).collect();
        let (mut exact, mut lower_case) = (HashMap::new(), HashMap::new());
        for (bone, name) in names.iter().enumerate() {
            exact.entry(*name).or_insert(bone);
            lower_case.entry(name.to_ascii_lowercase()).or_insert(bone);
        }
        BoneNames { names, exact, lower_case, elements: Vec::new() }
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        let exact = self.exact.get(name);
        exact.or_else(|| self.lower_case.get(&name.to_ascii_lowercase())).copied()
    }

    pub fn row_count(&self) -> usize {
        self.names.len() + self.elements.len()
    }

    /// The row of a flesh element.
    pub fn find_element(&self, name: &str) -> Option<usize> {
        let exact = self.elements.iter().position(|known| known == name);
        let alike = || self.elements.iter().position(|known| known.eq_ignore_ascii_case(name));
        exact.or_else(alike).map(|element| self.names.len() + element)
    }

    pub fn find_or_warn(&self, node: &str, name: &str, warnings: &mut Warnings) -> Option<usize> {
        let bone = self.find(name);
        // What is said of a flesh element is no mistake.
        if bone.is_none() && self.find_element(name).is_none() {
            let elements = self.elements.iter().map(String::as_str);
            let known = self.names.iter().copied().chain(elements);
            let nearest = warnings.nearest(name, known);
            let (node, name) = (node.to_owned(), name.to_owned());
            warnings.push(BindWarning::NoBone { node, name, nearest });
        }
        bone
    }
}

/// Nobody reads more.
const MOST_WARNINGS: usize = 500;
const MOST_GUESSES: usize = 50;

/// One warning each, however often something is asked for.
#[derive(Default)]
pub struct Warnings(pub Vec<BindWarning>);

impl Warnings {
    pub fn push(&mut self, warning: BindWarning) {
        if self.0.len() < MOST_WARNINGS && !self.0.contains(&warning) {
            self.0.push(warning);
        }
    }

    /// Only for the first ones: each is a look at all names.
    pub fn nearest<'n>(&self, name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
        let is_one_of_few = self.0.len() < MOST_GUESSES;
        is_one_of_few.then(|| nearest(name, known).map(str::to_owned)).flatten()
    }
}
