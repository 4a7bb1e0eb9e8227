//! What leaves the nodes of a graph at one vertex and one bone: numbers to look at.

use super::{Session, Show, ShowError};
use crate::compile::{OutputValues, compile_probed};
use crate::eval::{Bound, Interpreter, Parameters, Probed};
use crate::ir::{Number, Program, Value};
use std::collections::BTreeMap;

/// Where to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    pub vertex: Option<usize>,
    pub bone: Option<usize>,
}

/// Why there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotKnown {
    SelectVertex,
    SelectBone,
    SelectVertexAndBone,
    /// The bone does not move the vertex.
    NoPair,
}

impl NotKnown {
    pub fn text(self) -> &'static str {
        match self {
            NotKnown::SelectVertex => "select a vertex to see its value",
            NotKnown::SelectBone => "select a bone to see its value",
            NotKnown::SelectVertexAndBone => "select a vertex and a bone to see its value",
            NotKnown::NoPair => "the selected bone does not move the selected vertex",
        }
    }
}

/// A program like the one that is shown, in which every output can be probed.
pub struct PortValues {
    program: Program,
    bound: Bound,
    parameters: Parameters,
    values: OutputValues,
}

/// By node path and port.
pub type NumbersAtPorts = BTreeMap<(String, String), Result<Number, NotKnown>>;

impl PortValues {
    /// None where nodes remember that lead nowhere: the show keeps nothing for them.
    pub fn new(session: &Session, show: &Show) -> Result<Option<PortValues>, ShowError> {
        let (compiled, values) = compile_probed(&session.document().style, session.library());
        let program = compiled.program;
        let (ours, shown) = (&program.tables, &show.program().tables);
        if ours.states != shown.states || ours.histories != shown.histories {
            return Ok(None);
        }
        let bound = Bound::new(&program, show.character(), &session.character_settings())?;
        let parameters = Parameters::new(&program);
        Ok(Some(PortValues { program, bound, parameters, values }))
    }

    /// By node path and port, of those that are wanted.
    pub fn read(
        &self,
        show: &mut Show,
        time_secs: f64,
        spot: Spot,
        is_wanted: impl Fn(&(String, String)) -> bool,
    ) -> Result<NumbersAtPorts, ShowError> {
        let wanted = self.values.iter().filter(|(port, _)| is_wanted(port));
        let (ports, values): (Vec<_>, Vec<Value>) =
            wanted.map(|(port, value)| (port, *value)).unzip();
        let probed = show.with_moment_of(&self.program, &self.parameters, time_secs, |moment| {
            Interpreter::probe(&self.program, &self.bound, moment, &values)
        })?;
        let numbers = probed.iter().map(|probed| self.at(probed, spot));
        Ok(ports.into_iter().cloned().zip(numbers).collect())
    }

    fn at(&self, probed: &Probed, spot: Spot) -> Result<Number, NotKnown> {
        let of = |numbers: &[Number], place: usize| numbers.get(place).copied();
        match probed {
            Probed::Frame(number) => Ok(*number),
            Probed::Bones(numbers) => {
                let bone = spot.bone.ok_or(NotKnown::SelectBone)?;
                of(numbers, bone).ok_or(NotKnown::SelectBone)
            }
            Probed::Vertices(numbers) => {
                let vertex = spot.vertex.ok_or(NotKnown::SelectVertex)?;
                of(numbers, vertex).ok_or(NotKnown::SelectVertex)
            }
            Probed::Pairs(numbers) => {
                let (Some(vertex), Some(bone)) = (spot.vertex, spot.bone) else {
                    return Err(NotKnown::SelectVertexAndBone);
                };
                if vertex >= self.bound.vertex_count() {
                    return Err(NotKnown::SelectVertexAndBone);
                }
                let mut pairs = self.bound.pairs.of(vertex);
                let pair = pairs.find(|&pair| self.bound.pairs.bones[pair] as usize == bone);
                pair.and_then(|pair| of(numbers, pair)).ok_or(NotKnown::NoPair)
            }
        }
    }
}
