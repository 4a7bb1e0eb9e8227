//! A finished program: values in stages, and the tables they refer to.

use super::op::{Op, TableKind, Value};
use super::semantics::LARGEST_SANE;
use super::{Number, Rate, Source, Type};
use glam::DVec3;
use jounce_base::{Base, Hierarchy};
use std::collections::BTreeMap;

/// Where a value came from: how errors, heat maps, costs and shader comments find their way back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The node in the document; a node inside a group is `group/node`. Empty: nobody's.
    pub node: String,
    /// The name it has in the node's script: a variable or a port.
    pub name: Option<String>,
    /// The comment above the line of the script that makes it.
    pub note: Option<String>,
}

/// A number that can change without compiling: a slider, or an unconnected input.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub node: String,
    pub port: String,
    /// The name under which a Parameter node shows it to users of the style.
    pub exposed: Option<String>,
    /// What the document says.
    pub value: Number,
    /// Where its slider ends.
    pub soft: Option<(f64, f64)>,
    /// What it may be.
    pub hard: Option<(f64, f64)>,
}

impl Parameter {
    /// `node.port`, as it is named where nobody shows it under a name.
    pub fn path(&self) -> String {
        format!("{}.{}", self.node, self.port)
    }

    /// What the document says, or 0 where that is no usable number; limited to what it may be.
    pub fn usable_value(&self) -> Number {
        let is_usable = self.value.largest() <= LARGEST_SANE;
        self.limited(if is_usable { self.value } else { Number::zero(self.value.ty()) })
    }

    pub fn limited(&self, value: Number) -> Number {
        let Some((least, most)) = self.hard else {
            return value;
        };
        // Not f64::clamp, which panics where the limits are in the wrong order.
        let limit = |x: f64| x.min(most).max(least);
        match value {
            Number::Float(x) => Number::Float(limit(x)),
            Number::Vec3(v) => Number::Vec3(DVec3::new(limit(v.x), limit(v.y), limit(v.z))),
            Number::Bool(_) => value,
        }
    }
}

/// A number per vertex that a character has, or from which it can be made.
#[derive(Clone, Debug, PartialEq)]
pub struct MapRequest {
    /// The node that asked first, for warnings.
    pub node: String,
    pub source: MapSource,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MapSource {
    /// Painted, or in the file, under this name.
    Named(String),
    /// Made from the character: a source of [`super::source::DataFrom::VertexTable`].
    Derived(Source),
}

/// A number per bone, or none, set by bone or by branch in the character's settings for one node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoneTable {
    pub node: String,
}

/// Bones by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoneSet {
    /// The node that asked first, for warnings.
    pub node: String,
    pub names: Vec<String>,
    /// With all bones below them.
    pub branches: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WeightKind {
    /// up_j: skin weights added up over the bones below (eq. 8).
    Upward,
    /// down_j: skin weights added up over the bones above.
    Downward,
    /// The skin weights themselves.
    Skin,
    /// Of flesh elements, which are further rows behind the bones.
    Flesh,
    /// Upward, and those of the rows that anchors add behind flesh: velocities counted from planted bones.
    Anchored,
}

/// Bones that may be planted, so that velocities are counted from them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnchorRequest {
    /// The node that asked, for warnings.
    pub node: String,
    /// Empty: what a character stands on, found when it is bound.
    pub names: Vec<String>,
    /// Does the whole body count from them, and not only the limb that is planted?
    pub whole_body: bool,
}

/// A program asks for no more: each is a key of the Anchor node.
pub const MOST_ANCHORS: usize = 4;

/// One weight per pair of a vertex and a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    pub kind: WeightKind,
    /// Keep only so many of the largest weights of a vertex, scaled to the same sum.
    pub keep: Option<u32>,
}

impl Column {
    pub const UPWARD: Column = Column { kind: WeightKind::Upward, keep: None };
    pub const FLESH: Column = Column { kind: WeightKind::Flesh, keep: None };
}

/// Steps of what is remembered, per second; of a loop about so many.
pub const STEPS_PER_SEC: f64 = 240.0;

/// A value that is kept from step to step.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub node: String,
    pub name: String,
    pub ty: Type,
    /// Frame or bone.
    pub rate: Rate,
    /// A point of the scene near the bone: where the bone is put elsewhere, it is taken along.
    pub is_place: bool,
}

/// A value whose past can be asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    pub node: String,
    pub name: String,
    pub ty: Type,
    /// Frame or bone.
    pub rate: Rate,
    /// How far back it reaches.
    pub longest_secs: f64,
}

/// How a program remembers: values of it, one per entry of the tables. Empty in programs that are made
/// from another one to show something: they recall, but do not step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Per state what it begins with. These read no state.
    pub initial: Vec<Value>,
    /// Per state what it is when a step ends.
    pub next: Vec<Value>,
    /// Per history what goes into it when a step ends.
    pub recorded: Vec<Value>,
}

impl Memory {
    pub fn values(&self) -> impl Iterator<Item = Value> {
        self.initial.iter().chain(&self.next).chain(&self.recorded).copied()
    }
}

/// What operations refer to by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    pub parameters: Vec<Parameter>,
    pub maps: Vec<MapRequest>,
    pub bone_tables: Vec<BoneTable>,
    pub bone_sets: Vec<BoneSet>,
    pub columns: Vec<Column>,
    pub states: Vec<State>,
    pub histories: Vec<History>,
    pub anchors: Option<AnchorRequest>,
}

impl Tables {
    pub fn count(&self, kind: TableKind) -> usize {
        match kind {
            TableKind::Parameters => self.parameters.len(),
            TableKind::Maps => self.maps.len(),
            TableKind::BoneTables => self.bone_tables.len(),
            TableKind::BoneSets => self.bone_sets.len(),
            TableKind::Columns => self.columns.len(),
            TableKind::States => self.states.len(),
            TableKind::Histories => self.histories.len(),
        }
    }
}

/// A run of values that are computed together. Stages run in the order of [`Program::stages`].
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// Once.
    Frame(Vec<Value>),
    /// For each bone.
    Bone(Vec<Value>),
    /// For each vertex.
    Vertex(Vec<Value>),
    /// For each bone of each vertex. Adds up `sums`, which are [`Op::Sum`]s of these values or of
    /// values of rate bone.
    Influences { values: Vec<Value>, sums: Vec<Value> },
    /// An [`Op::Relax`]: passes over the whole surface. All vertices must have come so far before,
    /// and none goes on until it is done.
    Relax(Value),
}

/// Values of rate influence that sums at different depths need are computed in each loop that
/// needs them.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub ops: Vec<Op>,
    pub types: Vec<Type>,
    pub rates: Vec<Rate>,
    pub origins: Vec<Origin>,
    pub tables: Tables,
    pub stages: Vec<Stage>,
    pub memory: Memory,
    /// What people call the nodes that values came from, by [`Origin::node`].
    pub titles: BTreeMap<String, String>,
    /// Their types, by name.
    pub kinds: BTreeMap<String, String>,
    /// What those nodes do, in a sentence, and in a second line the comment above `fn eval`; for people
    /// who read the program, as titles are.
    pub sentences: BTreeMap<String, String>,
    pub base: Base,
    /// Whom bones move relative to.
    pub hierarchy: Hierarchy,
    /// The deformed position of a vertex: a vec3 of rate vertex or frame.
    pub position: Value,
}

impl Program {
    pub fn op(&self, value: Value) -> &Op {
        &self.ops[value.index()]
    }

    pub fn ty(&self, value: Value) -> Type {
        self.types[value.index()]
    }

    pub fn rate(&self, value: Value) -> Rate {
        self.rates[value.index()]
    }

    /// The parameters that a name means, by their places in the table. Exposed names go before paths, exact names
    /// before those in another case. Several parameters may be exposed under one name; they are set together.
    pub fn parameters_named(&self, name: &str) -> Vec<usize> {
        let find = |same: &dyn Fn(&Parameter) -> bool| -> Vec<usize> {
            let parameters = self.tables.parameters.iter().enumerate();
            parameters.filter(|(_, parameter)| same(parameter)).map(|(place, _)| place).collect()
        };
        let searches: [&dyn Fn(&Parameter) -> bool; 4] = [
            &|p| p.exposed.as_deref() == Some(name),
            &|p| p.path() == name,
            &|p| p.exposed.as_ref().is_some_and(|exposed| exposed.eq_ignore_ascii_case(name)),
            &|p| p.path().eq_ignore_ascii_case(name),
        ];
        let found = searches.into_iter().map(find);
        found.into_iter().find(|places| !places.is_empty()).unwrap_or_default()
    }

    /// The exposed parameters: name and place in the table.
    pub fn exposed(&self) -> impl Iterator<Item = (&str, usize)> {
        let parameters = self.tables.parameters.iter().enumerate();
        parameters.filter_map(|(index, p)| Some((p.exposed.as_deref()?, index)))
    }

    /// How often each value is used, the result once more.
    pub fn use_counts(&self) -> Vec<u32> {
        let mut uses = vec![0; self.ops.len()];
        for op in &self.ops {
            op.operands().for_each(|operand| uses[operand.index()] += 1);
        }
        for value in self.memory.values().chain([self.position]) {
            uses[value.index()] += 1;
        }
        uses
    }

    /// Does it move the flesh elements of a character?
    pub fn has_flesh(&self) -> bool {
        self.tables.columns.iter().any(|column| column.kind == WeightKind::Flesh)
    }

    /// Does the result depend on what was before, so that it must be stepped through time?
    pub fn remembers(&self) -> bool {
        !self.tables.states.is_empty() || !self.tables.histories.is_empty()
    }

    /// Does any value read this?
    pub fn reads(&self, source: Source) -> bool {
        self.ops.contains(&Op::Source(source))
    }
}
