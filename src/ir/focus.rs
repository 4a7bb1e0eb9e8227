//! A program that shows one of its values in place of the position: how a difference between two
//! evaluators, or a heat map, finds its way back to a node.

use super::op::{Binary, Op, Ternary, Value};
use super::program::{Memory, Program};
use super::stages::stages;
use super::{Number, Rate, Type, semantics};
use glam::DVec3;

impl Program {
    /// Values that can be shown, with the node that each is the last word of: in the order in which
    /// they are computed.
    pub fn shown_values(&self) -> Vec<(Value, &str)> {
        let all = (0..self.ops.len()).map(|place| Value(place as u32));
        let is_shown = |value: &Value| {
            matches!(self.rate(*value), Rate::Vertex) && self.ty(*value) != Type::Bool
        };
        let mut last_of_node: Vec<(Value, &str)> = Vec::new();
        for value in all.filter(is_shown) {
            let node = self.origins[value.index()].node.as_str();
            last_of_node.retain(|(_, known)| *known != node);
            last_of_node.push((value, node));
        }
        last_of_node
    }

    /// Only what must be computed to step: nothing of it is of vertices. Its position means nothing.
    pub fn stepping(&self) -> Program {
        let roots: Vec<Value> = self.memory.values().collect();
        let (mut stepping, new_place) = self.needed_for(&roots);
        let of =
            |values: &Vec<Value>| values.iter().map(|value| new_place[value.index()]).collect();
        let Memory { initial, next, recorded } = &self.memory;
        stepping.memory = Memory { initial: of(initial), next: of(next), recorded: of(recorded) };
        stepping.ops.push(Op::constant(Number::zero(Type::Vec3)));
        stepping.types.push(Type::Vec3);
        stepping.rates.push(Rate::Frame);
        stepping.origins.push(Default::default());
        stepping.position = Value(stepping.ops.len() as u32 - 1);
        stepping.stages = stages(&stepping);
        stepping
    }

    /// The values that these need, without stages and position, and where each value stands there. The
    /// tables stay as they are: what was bound for one program fits the other.
    fn needed_for(&self, roots: &[Value]) -> (Program, Vec<Value>) {
        let mut is_needed = vec![false; self.ops.len()];
        roots.iter().for_each(|root| is_needed[root.index()] = true);
        for place in (0..self.ops.len()).rev() {
            if is_needed[place] {
                self.ops[place].operands().for_each(|operand| is_needed[operand.index()] = true);
            }
        }
        let mut needed = Program {
            ops: Vec::new(),
            types: Vec::new(),
            rates: Vec::new(),
            origins: Vec::new(),
            stages: Vec::new(),
            memory: Memory::default(),
            ..self.clone()
        };
        let mut new_place = vec![Value(0); self.ops.len()];
        for place in (0..self.ops.len()).filter(|&place| is_needed[place]) {
            new_place[place] = Value(needed.ops.len() as u32);
            needed.ops.push(self.ops[place].map_operands(|operand| new_place[operand.index()]));
            needed.types.push(self.types[place]);
            needed.rates.push(self.rates[place]);
            needed.origins.push(self.origins[place].clone());
        }
        (needed, new_place)
    }

    /// The same program with a value of the vertices, or of the frame, as its position; a float fills
    /// all three components. None for values of other rates.
    pub fn showing(&self, value: Value) -> Option<Program> {
        let rate = self.rate(value);
        if rate.has_bone() || self.ty(value) == Type::Bool {
            return None;
        }
        let (mut shown, new_place) = self.needed_for(&[value]);
        let mut push = |op: Op, rate: Rate| {
            shown.ops.push(op);
            shown.types.push(Type::Vec3);
            shown.rates.push(rate);
            shown.origins.push(self.origins[value.index()].clone());
            Value(shown.ops.len() as u32 - 1)
        };
        let mut position = new_place[value.index()];
        if self.ty(value) == Type::Float {
            position = push(Op::Ternary(Ternary::Vec3, position, position, position), rate);
        }
        // As every program ends: a position is never what a smoothing leaves, but made from it. What is
        // beyond all measure is shown as the largest number there is.
        let largest = Number::Vec3(DVec3::splat(semantics::LARGEST_SANE));
        let largest = push(Op::constant(largest), Rate::Frame);
        shown.position = push(Op::Binary(Binary::SaneOr, position, largest), rate);
        shown.stages = stages(&shown);
        Some(shown)
    }
}
