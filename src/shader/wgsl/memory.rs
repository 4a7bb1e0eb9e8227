//! What a module remembers of bones: a row of `JnBoneMemory` per bone, and the past of histories in
//! rings behind it.
//!
//! ```text
//! JnBoneMemory   a field per state; a field per history, with what was recorded last
//! jn_bone_past   per bone: where the newest stands, then a ring for each number of its histories
//! ```
//! What is one value for the whole character stays with the host: see [`super::FrameText::memory`].

use super::identifier::{Names, not_reserved, part_of_name};
use super::printer::{Printer, node_heading};
use super::rows::{Field, Row};
use super::suggest::Naming;
use super::tables::components;
use jounce_ir::{Op, Program, Rate, STEPS_PER_SEC, Type, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct BoneMemory {
    /// `JnBoneMemory`.
    pub row: Row,
    /// What each field of the row is.
    kept: Vec<MemoryEntry>,
    /// Numbers per bone whose past is kept.
    pub past_numbers: u32,
    /// How many steps of it.
    pub past_steps: u32,
}

/// A place in the program's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MemoryEntry {
    State(usize),
    History { place: usize, first_number: u32 },
}

/// A field of the row with the value that goes there.
pub struct KeptValue<'p> {
    pub field: Field,
    /// As the node's script calls it.
    pub name: &'p str,
    pub node: &'p str,
}

impl BoneMemory {
    pub fn new(naming: &Naming) -> Option<BoneMemory> {
        let program = naming.program;
        let mut maker = Maker { naming, names: Names::default(), fields: Vec::new() };
        let mut memory =
            BoneMemory { row: Row::default(), kept: Vec::new(), past_numbers: 0, past_steps: 0 };
        // Programs that only show a value recall, but do not step: they have no memory of their own.
        for place in 0..program.memory.next.len() {
            let state = &program.tables.states[place];
            let recalled = program.ops.iter().position(|op| *op == Op::State(place as u32));
            if let (Rate::Bone, Some(recalled)) = (state.rate, recalled) {
                maker.add(&state.name, &state.node, state.ty, Value(recalled as u32), "");
                memory.kept.push(MemoryEntry::State(place));
            }
        }
        for (place, &recorded) in program.memory.recorded.iter().enumerate() {
            let history = &program.tables.histories[place];
            if history.rate != Rate::Bone {
                continue;
            }
            let what = "the latest value; earlier ones are in jn_bone_past";
            maker.add(&history.name, &history.node, history.ty, recorded, what);
            memory.kept.push(MemoryEntry::History { place, first_number: memory.past_numbers });
            memory.past_numbers += components(history.ty);
            // A moment asks between two steps, the newest of which is a step or less ago.
            let steps = (history.longest_secs * STEPS_PER_SEC).ceil() as u32 + 2;
            memory.past_steps = memory.past_steps.max(steps);
        }
        memory.row = Row::laid_out(maker.fields);
        (!memory.kept.is_empty()).then_some(memory)
    }

    /// Does the shader itself know what this operation asks for?
    pub fn recalls(&self, op: &Op) -> bool {
        if let Op::Ago { history, .. } = *op {
            return self.first_number(history).is_some();
        }
        matches!(*op, Op::State(state) if self.kept.contains(&MemoryEntry::State(state as usize)))
    }

    /// For a history: its place among the numbers whose past is kept.
    pub fn first_number(&self, history: u32) -> Option<u32> {
        self.kept.iter().find_map(|kept| match *kept {
            MemoryEntry::History { place, first_number } if place == history as usize => {
                Some(first_number)
            }
            _ => None,
        })
    }

    /// What is kept when a step ends.
    pub fn after<'p>(&self, program: &'p Program) -> Vec<KeptValue<'p>> {
        self.values(program, &program.memory.next)
    }

    /// What all begins with.
    pub fn begun<'p>(&self, program: &'p Program) -> Vec<KeptValue<'p>> {
        self.values(program, &program.memory.initial)
    }

    fn values<'p>(&self, program: &'p Program, of_states: &[Value]) -> Vec<KeptValue<'p>> {
        let tables = &program.tables;
        let kept = |(field, kept): (&Field, &MemoryEntry)| {
            let (value, name, node) = match *kept {
                MemoryEntry::State(place) => {
                    let state = &tables.states[place];
                    (of_states[place], state.name.as_str(), state.node.as_str())
                }
                MemoryEntry::History { place, .. } => {
                    let history = &tables.histories[place];
                    let recorded = program.memory.recorded[place];
                    (recorded, history.name.as_str(), history.node.as_str())
                }
            };
            KeptValue { field: Field { value, ..field.clone() }, name, node }
        };
        self.row.fields.iter().zip(&self.kept).map(kept).collect()
    }

    /// Fields of states, whose values are those that recall them.
    pub fn states(&self) -> impl Iterator<Item = &Field> {
        let fields = self.row.fields.iter().zip(&self.kept);
        fields.filter(|(_, kept)| matches!(kept, MemoryEntry::State(_))).map(|(field, _)| field)
    }

    /// Declarations that `shaders/deform_memory.wgsl` is written for.
    pub fn print_constants(&self, printer: &mut Printer) {
        if self.past_numbers > 0 {
            printer.line(&format!("const JN_PAST_NUMBERS = {}u;", self.past_numbers));
            printer.line(&format!("const JN_PAST_STEPS = {}u;", self.past_steps));
        }
    }

    /// The struct, and how it is kept.
    pub fn print_row(&self, printer: &mut Printer) {
        printer.line("// What nodes remember of a bone, at the end of the last step.");
        self.row.print(printer, "JnBoneMemory");
        printer.blank();
        printer.lines(
            "// The computed values of a bone, and what is remembered of it if the step is stored.\n\
             struct JnBoneStep {\n    bone: JnBone,\n    after: JnBoneMemory,\n}",
        );
        printer.blank();
        printer
            .line("// A number that is infinite or NaN starts again, or it would stay so forever.");
        let head = "fn jn_sane_memory(memory: JnBoneMemory, begun: JnBoneMemory) -> JnBoneMemory";
        printer.block(head, |body| {
            body.line("var sane = memory;");
            for (field, kept) in self.row.fields.iter().zip(&self.kept) {
                let name = &field.name;
                let (function, zero) = match field.ty {
                    Type::Float => ("jn_sane_or", "0.0"),
                    Type::Vec3 => ("jn_sane_each", "vec3f(0.0)"),
                    Type::Bool => continue,
                };
                let fallback = match kept {
                    MemoryEntry::State(_) => format!("begun.{name}"),
                    MemoryEntry::History { .. } => zero.to_owned(),
                };
                body.line(&format!("sane.{name} = {function}(memory.{name}, {fallback});"));
            }
            body.line("return sane;");
        });
    }

    /// What writes the buffers.
    pub fn print_keeping(&self, printer: &mut Printer) {
        printer.block("fn jn_keep_memory(memory: JnBoneMemory)", |body| {
            body.line("jn_bone_memory[jn_row] = memory;");
            if self.past_numbers > 0 {
                body.line("jn_turn_past();");
            }
            for (field, kept) in self.row.fields.iter().zip(&self.kept) {
                let MemoryEntry::History { first_number, .. } = kept else { continue };
                let function = match field.ty {
                    Type::Vec3 => "jn_record_vector",
                    _ => "jn_record",
                };
                body.line(&format!("{function}({first_number}u, memory.{});", field.name));
            }
        });
    }
}

struct Maker<'a> {
    naming: &'a Naming<'a>,
    names: Names,
    fields: Vec<Field>,
}

impl Maker<'_> {
    fn add(&mut self, name: &str, node: &str, ty: Type, value: Value, what: &str) {
        let wanted = part_of_name(name).unwrap_or_else(|| "remembered".to_owned());
        let owner = self.naming.owner_of(node);
        let heading = node_heading(self.naming.program, node);
        let comment = match (heading.as_str(), what) {
            (heading, "") => heading.to_owned(),
            ("", what) => what.to_owned(),
            (heading, what) => format!("{heading}, {what}"),
        };
        let name = self.names.unique(&not_reserved(wanted), &owner);
        self.fields.push(Field { name, value, ty, offset: 0, comment });
    }
}
