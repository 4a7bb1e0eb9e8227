//! What is at the ports of a graph, at one vertex and one bone: numbers to look at.

use super::port_on_mesh::is_kept;
use super::{Session, ShowError, Staged};
use jounce_eval::{Bound, Interpreter, Probed, vertices_around};
use jounce_graph::compile::{PortsInProgram, compile_probed};
use jounce_ir::{Number, Value};
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

/// A program like the one that is shown, in which every port can be probed.
pub struct PortValues {
    staged: Staged,
    ports: PortsInProgram,
    /// What is looked at of the character, and which vertex comes first in it; none where none is selected.
    part: Option<(Option<usize>, Vec<usize>, Bound)>,
}

/// By node path and port; inputs as [`jounce_graph::compile::input_port`] calls them.
pub type NumbersAtPorts = BTreeMap<(String, String), Result<Number, NotKnown>>;

impl PortValues {
    pub fn new(session: &Session) -> Result<PortValues, ShowError> {
        let (compiled, ports) = compile_probed(&session.document().style, session.library());
        Ok(PortValues { staged: Staged::of(session, compiled)?, ports, part: None })
    }

    /// Takes over what has changed since, if it can be without compiling. False: make it again.
    pub fn update(&mut self, session: &Session) -> bool {
        is_kept(self.staged.update(session))
    }

    /// Of those that are wanted. Of all vertices only the selected one is computed, and those that it is
    /// smoothed with.
    pub fn read(
        &mut self,
        time_secs: f64,
        spot: Spot,
        is_wanted: impl Fn(&(String, String)) -> bool,
    ) -> Result<NumbersAtPorts, ShowError> {
        let performer = self.staged.performer();
        let (program, bound) = (performer.program(), performer.bound());
        let vertex = spot.vertex.filter(|&vertex| vertex < bound.vertex_count());
        if self.part.as_ref().is_none_or(|(known, ..)| *known != vertex) {
            let vertices = vertex.map(|vertex| vertices_around(program, bound, &[vertex]));
            let vertices = vertices.unwrap_or_default();
            let part = bound.of_vertices(&vertices);
            self.part = Some((vertex, vertices, part));
        }
        let Some((_, vertices, part)) = &self.part else { return Ok(NumbersAtPorts::new()) };
        let wanted = self.ports.iter().filter(|(port, _)| is_wanted(port));
        let (ports, values): (Vec<_>, Vec<Value>) =
            wanted.map(|(port, value)| (port, *value)).unzip();
        let probed = performer.with_moment(time_secs, |moment| {
            Interpreter::probe(program, part, &moment.clone().of_vertices(vertices), &values)
        })?;
        let spot = Spot { vertex, ..spot };
        let numbers = probed.iter().map(|probed| at(part, probed, spot));
        Ok(ports.into_iter().cloned().zip(numbers).collect())
    }
}

/// The spot's vertex is the first of the part.
fn at(part: &Bound, probed: &Probed, spot: Spot) -> Result<Number, NotKnown> {
    match probed {
        Probed::Frame(number) => Ok(*number),
        Probed::Bones(numbers) => {
            let bone = spot.bone.ok_or(NotKnown::SelectBone)?;
            numbers.get(bone).copied().ok_or(NotKnown::SelectBone)
        }
        Probed::Vertices(numbers) => {
            spot.vertex.and(numbers.first()).copied().ok_or(NotKnown::SelectVertex)
        }
        Probed::Pairs(numbers) => {
            let (Some(_), Some(bone)) = (spot.vertex, spot.bone) else {
                return Err(NotKnown::SelectVertexAndBone);
            };
            let mut pairs = part.pairs.of(0);
            let pair = pairs.find(|&pair| part.pairs.bones[pair] as usize == bone);
            pair.and_then(|pair| numbers.get(pair)).copied().ok_or(NotKnown::NoPair)
        }
    }
}
