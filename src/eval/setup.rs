//! A program on one character, and a motion that it is played in: what everything that evaluates is handed.

use super::timeline::Played;
use super::{Bound, Parameters};
use jounce_ir::Program;
use jounce_rig::{Base, Character};

/// A program on one character: all that stays the same while it plays.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    pub program: &'a Program,
    /// With the parents of bones that the program wants: see [`super::hierarchy`].
    pub character: &'a Character,
    /// What the program reads of the character.
    pub bound: &'a Bound,
    /// In place of the program's own.
    pub base: Option<Base>,
}

impl<'a> Setup<'a> {
    pub fn new(program: &'a Program, character: &'a Character, bound: &'a Bound) -> Setup<'a> {
        Setup { program, character, bound, base: None }
    }

    /// How vertices are skinned before the program displaces them.
    pub fn base(&self) -> Base {
        self.base.unwrap_or(self.program.base)
    }
}

/// The same in a motion, with sliders.
#[derive(Clone, Copy)]
pub struct Playing<'a> {
    pub setup: Setup<'a>,
    pub parameters: &'a Parameters,
    pub played: &'a dyn Played,
}
