//! What a module's functions read: tables of frame and bones, kept numbers, maps and weights, and
//! under which names.

use super::expression::{Expression, float, literal};
use super::identifier::Names;
use super::memory::BoneMemory;
use super::rows::Row;
use super::suggest::{Naming, map_name};
use jounce_ir::op::{Family, Op};
use jounce_ir::{Number, Program, Schedule, Type, Value, WeightKind, semantics};
use std::collections::HashMap;

pub struct TableNames<'a> {
    pub program: &'a Program,
    pub naming: Naming<'a>,
    pub schedule: Schedule,
    pub frame: Row,
    pub bone: Row,
    /// What the bone stage reads: data of one bone.
    pub bone_input: Row,
    /// What the bone stage recalls and keeps; None where nothing is remembered of bones, or where
    /// the program does not step.
    pub memory: Option<BoneMemory>,
    /// Values of the frame that are known already, because no slider that people see changes them.
    pub constants: Vec<NamedConstant>,
    /// All values of the frame that are known, also those that only others are made of.
    pub known: HashMap<Value, Number>,
    pub kept: KeptSlots,
    /// Accessors, in the order of [`jounce_ir::Tables::maps`].
    pub maps: Vec<String>,
    /// Accessors, in the order of [`jounce_ir::Tables::columns`].
    pub columns: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct NamedConstant {
    pub name: String,
    pub value: Value,
    pub number: Number,
}

/// Where each kept value stands among the numbers kept for a vertex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptSlots {
    /// In the order of [`Schedule::kept`].
    pub slots: Vec<u32>,
    /// Room for one value that is being smoothed.
    pub scratch: Option<u32>,
    /// In all.
    pub count: u32,
}

impl KeptSlots {
    fn new(program: &Program, kept: &[Value]) -> KeptSlots {
        let mut count = 0;
        let mut place = |components: u32| {
            count += components;
            count - components
        };
        let slots = kept.iter().map(|&value| place(components(program.ty(value)))).collect();
        let scratch = program.has_relaxations().then(|| place(3));
        KeptSlots { slots, scratch, count }
    }
}

pub fn components(ty: Type) -> u32 {
    if ty == Type::Vec3 { 3 } else { 1 }
}

impl<'a> TableNames<'a> {
    /// With `with_constants`, parameters that nobody sees are constants.
    pub fn new(program: &'a Program, with_constants: bool) -> TableNames<'a> {
        let schedule = program.schedule();
        let naming = Naming::new(program);
        let known = if with_constants { known_values(program) } else { HashMap::new() };
        let is_known = |value: &&Value| known.contains_key(*value);
        let (fixed, free): (Vec<&Value>, Vec<&Value>) =
            schedule.frame_table.iter().partition(is_known);
        let free: Vec<Value> = free.into_iter().copied().collect();
        let mut globals = Names::default();
        let mut constant = |value: Value| NamedConstant {
            name: globals
                .unique(&format!("jn_set_{}", naming.suggestion(value)), &naming.owner(value)),
            value,
            number: known[&value],
        };
        let constants = fixed.into_iter().map(|&value| constant(value)).collect();
        let mut accessors = Names::default();
        let map = |place: usize| accessors.unique(&map_name(program, place as u32), "");
        let maps = (0..program.tables.maps.len()).map(map);
        let maps = maps.map(|name| format!("jn_map_{name}")).collect();
        let columns = program.tables.columns.iter().map(|column| {
            let kind = match column.kind {
                WeightKind::Upward => "upward",
                WeightKind::Downward => "downward",
                WeightKind::Skin => "skin",
                WeightKind::Flesh => "flesh",
                WeightKind::Anchored => "anchored",
            };
            match column.keep {
                Some(most) => format!("jn_weight_{kind}_of_{most}_largest"),
                None => format!("jn_weight_{kind}"),
            }
        });
        let memory = BoneMemory::new(&naming);
        TableNames {
            program,
            frame: Row::new(&naming, &free),
            bone: Row::new(&naming, &schedule.bone_table),
            bone_input: Row::new(&naming, &bone_leaves(program, memory.as_ref())),
            memory,
            constants,
            known,
            kept: KeptSlots::new(program, &schedule.kept),
            maps,
            columns: columns.collect(),
            schedule,
            naming,
        }
    }

    /// How each value of the frame that other stages read is written.
    pub fn of_frame(&self) -> impl Iterator<Item = (Value, Expression)> + '_ {
        let fields = self.frame.fields.iter().map(|field| (field.value, field.read("frame")));
        let constants = self.constants.iter().map(|constant| {
            let is_plain = matches!(constant.number, Number::Bool(_));
            let name = Expression::primary(&constant.name);
            (constant.value, if is_plain { literal(constant.number) } else { name })
        });
        fields.chain(constants)
    }

    pub fn read_kept(&self, place: usize) -> String {
        let slot = self.kept.slots[place];
        match self.program.ty(self.schedule.kept[place]) {
            Type::Float => format!("jn_kept({slot}u)"),
            Type::Bool => format!("jn_kept({slot}u) != {}", float(0.0)),
            Type::Vec3 => format!("jn_kept_vector({slot}u)"),
        }
    }

    pub fn keep(&self, place: usize, expression: &Expression) -> String {
        let (slot, text) = (self.kept.slots[place], &expression.text);
        match self.program.ty(self.schedule.kept[place]) {
            Type::Float => format!("jn_keep({slot}u, {text});"),
            Type::Bool => format!("jn_keep({slot}u, select(0.0, 1.0, {text}));"),
            Type::Vec3 => format!("jn_keep_vector({slot}u, {text});"),
        }
    }
}

/// Data of bones that values of rate bone are computed from; what the shader recalls itself is not
/// among them.
fn bone_leaves(program: &Program, memory: Option<&BoneMemory>) -> Vec<Value> {
    let is_leaf = |value: &Value| {
        let op = program.op(*value);
        let is_data = match op.family() {
            Family::Data => true,
            Family::Memory => !memory.is_some_and(|memory| memory.recalls(op)),
            Family::Constant | Family::Formula | Family::Loop => false,
        };
        is_data && program.rate(*value) == jounce_ir::Rate::Bone
    };
    (0..program.ops.len()).map(|place| Value(place as u32)).filter(is_leaf).collect()
}

/// Values that follow from constants and from parameters that people do not see.
fn known_values(program: &Program) -> HashMap<Value, Number> {
    let mut known: HashMap<Value, Number> = HashMap::new();
    for (place, op) in program.ops.iter().enumerate() {
        let number = if let Op::Parameter(index, _) = *op {
            let parameter = program.tables.parameters.get(index as usize);
            parameter.filter(|parameter| parameter.exposed.is_none()).map(|p| p.value)
        } else if op.operands().all(|operand| known.contains_key(&operand)) {
            let of = |operand: Value| known.get(&operand).copied();
            semantics::apply(op, |operand| of(operand).unwrap_or(Number::Float(0.0)))
        } else {
            None
        };
        known.extend(number.map(|number| (Value(place as u32), number)));
    }
    known
}
