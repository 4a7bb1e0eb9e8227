//! Makes values: infers types and rates, folds constants, shares what is equal.
//!
//! Simplifications are local and exact for finite numbers; they happen when a value is made, so
//! nothing that needs no computing is ever stored.

use super::fuse::fuse_multiply_add;
use super::op::{Binary, MotionPart, Op, Ternary, Unary, Value};
use super::program::{
    AnchorRequest, Column, History, MapRequest, MapSource, Memory, Program, State, Tables,
    WeightKind,
};
use super::source::DataFrom;
use super::{Number, Rate, Source, Type, infer, origins, prune, semantics, stages};
use jounce_base::{Base, Hierarchy};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Constants are asked for by everyone; a few askers are enough to find an origin.
const MOST_ASKERS: usize = 8;

/// Operands are of types that fit: callers have checked what people wrote.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    pub tables: Tables,
    pub(super) entries: Vec<Entry>,
    known: HashMap<Op, Value>,
    /// The node whose code is being compiled.
    node: Arc<str>,
    titles: BTreeMap<String, String>,
    kinds: BTreeMap<String, String>,
    sentences: BTreeMap<String, String>,
    /// Of each entry of the tables, as far as it is known.
    memory: Memory,
    /// Of all values, see [`Op::work`].
    work: usize,
    /// How much rows of anchors count, once a node has asked for anchors.
    anchor_gain: Option<Value>,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub op: Op,
    pub ty: Type,
    pub rate: Rate,
    /// Does it depend on a velocity that is counted from anchors?
    pub is_anchored: bool,
    /// The nodes that asked for it, and what they call it; never empty.
    pub askers: Vec<Asker>,
}

#[derive(Clone, Debug)]
pub(super) struct Asker {
    pub node: Arc<str>,
    pub name: Option<Arc<str>>,
    pub note: Option<Arc<str>>,
}

impl Builder {
    /// Values made from now on belong to this node.
    pub fn enter_node(&mut self, node: &str) {
        self.node = node.into();
    }

    /// What people call the node whose code is being compiled, and its type.
    pub fn name_node(&mut self, title: &str, kind: &str) {
        self.titles.insert(self.node.to_string(), title.to_owned());
        self.kinds.insert(self.node.to_string(), kind.to_owned());
    }

    /// What that node does, in a sentence.
    pub fn describe_node(&mut self, sentence: String) {
        self.sentences.insert(self.node.to_string(), sentence);
    }

    pub fn node(&self) -> &str {
        &self.node
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// How much there is to compute, counted in plain values.
    pub fn work(&self) -> usize {
        self.work
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn ty(&self, value: Value) -> Type {
        self.entries[value.index()].ty
    }

    pub fn rate(&self, value: Value) -> Rate {
        self.entries[value.index()].rate
    }

    /// Does it depend on a velocity that is counted from anchors?
    pub fn is_anchored(&self, value: Value) -> bool {
        self.entries[value.index()].is_anchored
    }

    pub fn op(&self, value: Value) -> Op {
        self.entries[value.index()].op
    }

    pub fn as_constant(&self, value: Value) -> Option<Number> {
        self.op(value).as_constant()
    }

    /// Gives a value the name that this node's script gives it, unless it has one there.
    pub fn name(&mut self, value: Value, name: &str) {
        let askers = &mut self.entries[value.index()].askers;
        if let Some(asker) = askers.iter_mut().find(|asker| asker.node == self.node)
            && asker.name.is_none()
        {
            asker.name = Some(name.into());
        }
    }

    /// What this node's script says above the line that makes a value.
    pub fn note(&mut self, value: Value, note: &str) {
        let askers = &mut self.entries[value.index()].askers;
        if let Some(asker) = askers.iter_mut().find(|asker| asker.node == self.node) {
            asker.note.get_or_insert_with(|| note.into());
        }
    }

    pub fn constant(&mut self, number: Number) -> Value {
        self.share(Op::constant(number))
    }

    pub fn float(&mut self, x: f64) -> Value {
        self.constant(Number::Float(x))
    }

    pub fn source(&mut self, source: Source) -> Value {
        match source.info().from {
            DataFrom::VertexTable(_) => {
                let request =
                    MapRequest { node: String::new(), source: MapSource::Derived(source) };
                let place = Builder::table_entry(&mut self.tables.maps, request);
                self.share(Op::Map(place))
            }
            DataFrom::Clock
            | DataFrom::Step
            | DataFrom::Character
            | DataFrom::Pose
            | DataFrom::Skinning(_)
            | DataFrom::RestPose(_) => self.share(Op::Source(source)),
        }
    }

    /// The mean velocity or acceleration of each bone over `window` seconds.
    pub fn motion(&mut self, part: MotionPart, window: Value) -> Value {
        self.share(Op::Motion(part, window))
    }

    /// An entry of a table; equal entries are one.
    pub fn table_entry<T: PartialEq>(table: &mut Vec<T>, entry: T) -> u32 {
        let place = table.iter().position(|known| *known == entry).unwrap_or_else(|| {
            table.push(entry);
            table.len() - 1
        });
        place as u32
    }

    pub fn leaf(&mut self, op: Op) -> Value {
        self.share(op)
    }

    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        match (op, self.op(a)) {
            (Unary::Neg, Op::Unary(Unary::Neg, inner))
            | (Unary::Not, Op::Unary(Unary::Not, inner)) => inner,
            (Unary::Neg, Op::Binary(Binary::Sub, x, y)) => self.binary(Binary::Sub, y, x),
            (Unary::Abs | Unary::Floor, Op::Unary(inner, _)) if inner == op => a,
            (Unary::Abs, Op::Unary(Unary::Neg, inner)) => self.unary(Unary::Abs, inner),
            // As it is: there is nothing shorter.
            (op, _) => self.fold(Op::Unary(op, a)),
        }
    }

    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let (a, b) = self.in_order(op, a, b);
        let (x, y) = (self.as_constant(a), self.as_constant(b));
        if x.is_some() && y.is_some() {
            return self.fold(Op::Binary(op, a, b));
        }
        let zero = |n: Option<Number>| n.is_some_and(is_zero);
        let one = |n: Option<Number>| n.is_some_and(is_one);
        match op {
            Binary::Add if zero(y) => a,
            Binary::Sub if zero(y) => a,
            Binary::Sub if zero(x) => self.unary(Unary::Neg, b),
            Binary::Sub if a == b => self.constant(Number::zero(self.ty(a))),
            // −b + a, which people write as often.
            Binary::Add => match (self.op(a), self.op(b)) {
                (Op::Unary(Unary::Neg, n), _) => self.binary(Binary::Sub, b, n),
                (_, Op::Unary(Unary::Neg, n)) => self.binary(Binary::Sub, a, n),
                _ => self.share(Op::Binary(op, a, b)),
            },
            Binary::Mul if zero(y) || zero(x) => self.constant(Number::zero(self.ty(a))),
            Binary::Mul | Binary::Div if one(y) => a,
            Binary::Mul if y == Some(Number::Float(-1.0)) => self.unary(Unary::Neg, a),
            Binary::Div if zero(x) || zero(y) => self.constant(Number::zero(self.ty(a))),
            Binary::Cross if zero(x) || zero(y) => self.constant(Number::zero(Type::Vec3)),
            Binary::Dot if zero(x) || zero(y) => self.float(0.0),
            Binary::Min | Binary::Max | Binary::And | Binary::Or | Binary::SaneOr if a == b => a,
            Binary::And if x == Some(Number::Bool(true)) => b,
            Binary::And if y == Some(Number::Bool(true)) => a,
            Binary::Or if x == Some(Number::Bool(false)) => b,
            Binary::Or if y == Some(Number::Bool(false)) => a,
            Binary::And if x.or(y) == Some(Number::Bool(false)) => {
                self.constant(Number::Bool(false))
            }
            Binary::Or if x.or(y) == Some(Number::Bool(true)) => self.constant(Number::Bool(true)),
            Binary::Pow if one(y) => {
                let zero = self.float(0.0);
                self.binary(Binary::Max, a, zero)
            }
            // As it is: there is nothing shorter.
            op => self.share(Op::Binary(op, a, b)),
        }
    }

    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        if yes == no {
            return yes;
        }
        match (self.op(condition), self.as_constant(condition)) {
            (_, Some(Number::Bool(true))) => yes,
            (_, Some(_)) => no,
            (Op::Unary(Unary::Not, inner), _) => self.select(inner, no, yes),
            _ => self.share(Op::Ternary(Ternary::Select, condition, yes, no)),
        }
    }

    pub fn vec3(&mut self, x: Value, y: Value, z: Value) -> Value {
        match (self.op(x), self.op(y), self.op(z)) {
            (Op::Component(a, 0), Op::Component(b, 1), Op::Component(c, 2)) if a == b && b == c => {
                a
            }
            _ => self.fold(Op::Ternary(Ternary::Vec3, x, y, z)),
        }
    }

    pub fn splat(&mut self, x: Value) -> Value {
        self.vec3(x, x, x)
    }

    pub fn component(&mut self, v: Value, i: u8) -> Value {
        match self.op(v) {
            Op::Ternary(Ternary::Vec3, x, y, z) => [x, y, z][usize::from(i.min(2))],
            _ => self.fold(Op::Component(v, i)),
        }
    }

    /// Σ over the vertex's bones; a value with no bone in it is taken once. What is made from velocities
    /// that are counted from anchors is summed over the rows of those too, each as much as it is planted.
    pub fn sum(&mut self, value: Value, column: Column) -> Value {
        if !self.rate(value).has_bone() {
            return value;
        }
        let is_anchored = self.is_anchored(value) && column.keep.is_none();
        let (value, column) = match (column.kind, self.anchor_gain) {
            (WeightKind::Upward, Some(gain)) if is_anchored => {
                let counted = self.binary(Binary::Mul, value, gain);
                (counted, Column { kind: WeightKind::Anchored, ..column })
            }
            _ => (value, column),
        };
        let column = Builder::table_entry(&mut self.tables.columns, column);
        self.share(Op::Sum { value, column })
    }

    /// A velocity of bones as counted from anchors, which are planted by so much; both are values of bones.
    /// Rows that reverse a bone carry what is not below it, the other way round; those of anchors that are
    /// not planted are at rest. None where other anchors were asked for before.
    pub fn counted_from_anchors(
        &mut self,
        velocity: Value,
        planted: Value,
        request: AnchorRequest,
    ) -> Option<Value> {
        let row = self.source(Source::BoneAnchor);
        let (zero, half, one) = (self.float(0.0), self.float(0.5), self.float(1.0));
        let is_of_anchor = self.binary(Binary::Less, half, row);
        let gain = self.select(is_of_anchor, planted, one);
        let is_other = |known: &AnchorRequest| *known != request;
        if self.anchor_gain.is_some_and(|known| known != gain)
            || self.tables.anchors.as_ref().is_some_and(is_other)
        {
            return None;
        }
        self.name(gain, "planted");
        self.anchor_gain = Some(gain);
        self.tables.anchors = Some(request);
        let is_planted = self.binary(Binary::Less, zero, gain);
        let sign = self.source(Source::BoneAnchorSign);
        let sign = self.select(is_planted, sign, zero);
        Some(self.binary(Binary::Mul, velocity, sign))
    }

    /// A value of each vertex smoothed over the surface. One that is the same at all vertices is
    /// smooth already.
    pub fn relax(&mut self, value: Value, amount: Value, passes: u32) -> Value {
        let is_still = self.as_constant(amount).is_some_and(|amount| amount.largest() == 0.0);
        match self.rate(value) {
            Rate::Vertex if passes > 0 && !is_still => {
                self.share(Op::Relax { value, amount, passes })
            }
            _ => value,
        }
    }

    /// A new value that is kept from step to step. [`Builder::keep`] says what it becomes.
    pub fn state(&mut self, state: State) -> Value {
        let place = self.tables.states.len() as u32;
        let nothing = self.constant(Number::zero(state.ty));
        self.tables.states.push(state);
        self.memory.initial.push(nothing);
        let value = self.share(Op::State(place));
        self.memory.next.push(value);
        value
    }

    /// What a [`Builder::state`] begins with, and what it is when a step ends.
    pub fn keep(&mut self, state: Value, initial: Value, next: Value) {
        if let Op::State(place) = self.op(state) {
            self.memory.initial[place as usize] = initial;
            self.memory.next[place as usize] = next;
        }
    }

    /// A new history. [`Builder::record`] says what goes into it.
    pub fn history(&mut self, history: History) -> u32 {
        let nothing = self.constant(Number::zero(history.ty));
        self.tables.histories.push(history);
        self.memory.recorded.push(nothing);
        self.tables.histories.len() as u32 - 1
    }

    /// What goes into a history when a step ends.
    pub fn record(&mut self, history: u32, now: Value) {
        self.memory.recorded[history as usize] = now;
    }

    /// What a history was some seconds ago, where `now` is what it is.
    pub fn ago(&mut self, history: u32, secs: Value, now: Value) -> Value {
        self.share(Op::Ago { history, secs, now })
    }

    /// The program that computes `position`: only what it needs, fused and in stages. Its bones have the
    /// file's parents, unless its maker says otherwise.
    pub fn finish(self, position: Value, base: Base) -> Program {
        self.finish_as(position, base, true, &[]).0
    }

    /// The same with some values more, whether the position needs them or not, and where they are.
    pub fn finish_watched(
        self,
        position: Value,
        base: Base,
        watched: &[Value],
    ) -> (Program, Vec<Value>) {
        self.finish_as(position, base, true, watched)
    }

    /// The same with tables as they are: for a program that is made from another one and reads what was
    /// bound for that.
    pub fn finish_with_all_tables(self, position: Value, base: Base) -> Program {
        self.finish_as(position, base, false, &[]).0
    }

    fn finish_as(
        mut self,
        position: Value,
        base: Base,
        prunes_tables: bool,
        watched: &[Value],
    ) -> (Program, Vec<Value>) {
        let plain = self.source(Source::SkinnedPosition);
        let position = self.binary(Binary::SaneOr, position, plain);
        if !prunes_tables {
            // It recalls what the other program keeps.
            self.memory = Memory::default();
        }
        let roots = self.roots(position, watched);
        let (mut entries, new_places) = fuse_multiply_add(self.entries, &roots);
        let new_place = |value: &mut Value| *value = new_places[value.index()];
        let (mut position, mut watched) = (position, watched.to_vec());
        watched.iter_mut().chain([&mut position]).for_each(new_place);
        let Memory { initial, next, recorded } = &mut self.memory;
        initial.iter_mut().chain(next).chain(recorded).for_each(new_place);
        if prunes_tables {
            prune::prune(&mut entries, &mut self.tables, &mut self.memory);
        }
        let origins = origins::origins(&entries);
        let named: HashSet<&str> = origins.iter().map(|origin| origin.node.as_str()).collect();
        self.titles.retain(|node, _| named.contains(node.as_str()));
        self.kinds.retain(|node, _| named.contains(node.as_str()));
        self.sentences.retain(|node, _| named.contains(node.as_str()));
        let mut program = Program {
            ops: entries.iter().map(|entry| entry.op).collect(),
            types: entries.iter().map(|entry| entry.ty).collect(),
            rates: entries.iter().map(|entry| entry.rate).collect(),
            origins,
            tables: self.tables,
            stages: Vec::new(),
            memory: self.memory,
            titles: self.titles,
            kinds: self.kinds,
            sentences: self.sentences,
            base,
            hierarchy: Hierarchy::File,
            position,
        };
        program.stages = stages::stages(&program);
        (program, watched)
    }

    /// The position, what is watched, and whatever keeps alive what these recall.
    fn roots(&self, position: Value, watched: &[Value]) -> Vec<Value> {
        let mut roots = vec![position];
        roots.extend(watched);
        let mut is_needed = vec![false; self.entries.len()];
        let mut todo = roots.clone();
        while let Some(value) = todo.pop() {
            if std::mem::replace(&mut is_needed[value.index()], true) {
                continue;
            }
            let op = self.op(value);
            todo.extend(op.operands());
            let before = roots.len();
            if let Op::State(place) = op {
                let Memory { initial, next, .. } = &self.memory;
                roots.extend([initial, next].iter().filter_map(|list| list.get(place as usize)));
            }
            if let Op::Ago { history, .. } = op {
                roots.extend(self.memory.recorded.get(history as usize));
            }
            todo.extend_from_slice(&roots[before..]);
        }
        roots
    }

    /// Constants second, else older values first, so that a·b and b·a are one value.
    fn in_order(&self, op: Binary, a: Value, b: Value) -> (Value, Value) {
        let is_constant = |value| self.as_constant(value).is_some();
        if !op.row().commutes || self.ty(a) != self.ty(b) {
            return (a, b);
        }
        match (is_constant(a), is_constant(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }

    /// Computes it now if all operands are known.
    fn fold(&mut self, op: Op) -> Value {
        let known = op.operands().all(|operand| self.as_constant(operand).is_some());
        let of = |value: Value| self.as_constant(value).unwrap_or(Number::Float(0.0));
        match known.then(|| semantics::apply(&op, of)).flatten() {
            // A larger one could not be written as single precision.
            Some(number) if number.largest() <= semantics::LARGEST => self.constant(number),
            _ => self.share(op),
        }
    }

    fn share(&mut self, op: Op) -> Value {
        let asker = || Asker { node: self.node.clone(), name: None, note: None };
        if let Some(&value) = self.known.get(&op) {
            let askers = &mut self.entries[value.index()].askers;
            let is_known = askers.iter().any(|asker| asker.node == self.node);
            if !is_known && askers.len() < MOST_ASKERS {
                askers.push(asker());
            }
            return value;
        }
        let value = Value(self.entries.len() as u32);
        let ty = infer::type_of(&op, &self.tables, |operand| self.ty(operand));
        // Callers have checked that it fits; else it is as good a guess as any.
        let ty = ty.or(op.operands().next().map(|operand| self.ty(operand))).unwrap_or(Type::Float);
        let rate = infer::rate_of(&op, &self.tables, |operand| self.rate(operand));
        let rate = rate.unwrap_or(Rate::Frame);
        self.work += op.work();
        let is_anchored = match op {
            Op::Source(source) => source == Source::BoneAnchorSign,
            Op::Sum { .. } => false,
            _ => op.operands().any(|operand| self.is_anchored(operand)),
        };
        self.entries.push(Entry { op, ty, rate, is_anchored, askers: vec![asker()] });
        self.known.insert(op, value);
        value
    }
}

fn is_zero(number: Number) -> bool {
    match number {
        Number::Float(x) => x == 0.0,
        Number::Vec3(v) => v == glam::DVec3::ZERO,
        Number::Bool(_) => false,
    }
}

fn is_one(number: Number) -> bool {
    match number {
        Number::Float(x) => x == 1.0,
        Number::Vec3(v) => v == glam::DVec3::ONE,
        Number::Bool(_) => false,
    }
}
