//! Rows of the tables that hosts and shaders share, as structs.

use super::expression::{Expression, Level, type_name};
use super::frame::FrameText;
use super::identifier::{Names, letters};
use super::printer::{Printer, for_comment, node_heading};
use super::suggest::{Naming, own_name};
use jounce_ir::op::{Binary, Family, MotionPart, Op, Unary};
use jounce_ir::schedule::RowLayout;
use jounce_ir::{Number, Program, Type, Value, any_formula, any_loop, any_memory};

/// A struct with one field per value. Its layout in memory is that of [`RowLayout`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// In the order of the values.
    pub fields: Vec<Field>,
    /// From row to row, in numbers of 4 bytes.
    pub stride: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub value: Value,
    pub ty: Type,
    /// In numbers of 4 bytes.
    pub offset: usize,
    pub comment: String,
}

impl Row {
    pub fn new(naming: &Naming, values: &[Value]) -> Row {
        let program = naming.program;
        let mut names = Names::default();
        let versions = naming.versions(values);
        let mut name = |value: Value| {
            let version = versions.get(&value).cloned();
            let wanted = version.unwrap_or_else(|| naming.suggestion(value));
            names.unique(&wanted, &naming.owner(value))
        };
        let field = |&value: &Value| Field {
            name: name(value),
            value,
            ty: program.ty(value),
            offset: 0,
            comment: comment(program, value),
        };
        Row::laid_out(values.iter().map(field).collect())
    }

    /// Gives each field its place.
    pub fn laid_out(mut fields: Vec<Field>) -> Row {
        let types: Vec<Type> = fields.iter().map(|field| field.ty).collect();
        let layout = RowLayout::new(&types);
        fields.iter_mut().zip(layout.offsets).for_each(|(field, offset)| field.offset = offset);
        Row { fields, stride: layout.stride }
    }

    /// Fields of the frame that are computed say how.
    pub fn explain(&mut self, program: &Program, text: &FrameText) {
        for (field, expression) in self.fields.iter_mut().zip(&text.fields) {
            let step = format!("let {expression} = ");
            let step = text.steps.iter().find_map(|line| line.strip_prefix(&step));
            let formula = step.map_or(expression.as_str(), |line| line.trim_end_matches(';'));
            let is_data = program.op(field.value).family() == Family::Data;
            if !is_data && formula != field.name && formula.len() <= LONGEST_FORMULA {
                field.comment = of_node(program, field.value, formula);
            }
        }
    }

    pub fn field(&self, value: Value) -> Option<&Field> {
        self.fields.iter().find(|field| field.value == value)
    }

    /// Fields by offset; what they leave free is padding, so that every host sees the same struct.
    pub fn print(&self, printer: &mut Printer, name: &str) {
        let mut fields: Vec<&Field> = self.fields.iter().collect();
        fields.sort_by_key(|field| field.offset);
        let width = fields.iter().map(|field| field.declaration().len()).max().unwrap_or(0);
        let (mut at, mut paddings) = (0, 0);
        let mut pad_to = |printer: &mut Printer, offset: usize, at: &mut usize| {
            while *at < offset {
                printer.line(&format!("jn_padding_{}: f32,", letters(paddings)));
                paddings += 1;
                *at += 1;
            }
        };
        printer.block(&format!("struct {name}"), |body| {
            for field in fields {
                pad_to(body, field.offset, &mut at);
                let declared = field.declaration();
                match field.comment.as_str() {
                    "" => body.line(&declared),
                    comment => body.line(&format!("{declared:<width$} // {comment}")),
                }
                at = field.offset + if field.ty == Type::Vec3 { 3 } else { 1 };
            }
            pad_to(body, self.stride, &mut at);
        });
    }
}

impl Field {
    fn declaration(&self) -> String {
        let ty = if self.ty == Type::Bool { "u32" } else { type_name(self.ty) };
        format!("{}: {ty},", self.name)
    }

    /// Read from a row that has this name.
    pub fn read(&self, row: &str) -> Expression {
        let text = format!("{row}.{}", self.name);
        match self.ty {
            Type::Bool => Expression::at_level(text + " != 0u", Level::Relation, &[]),
            _ => Expression::primary(text),
        }
    }

    /// As it is stored.
    pub fn stored(&self, expression: &Expression) -> String {
        match self.ty {
            Type::Bool => format!("select(0u, 1u, {})", expression.text),
            _ => expression.text.clone(),
        }
    }
}

/// In a comment.
const LONGEST_FORMULA: usize = 50;

fn of_node(program: &Program, value: Value, what: &str) -> String {
    match node_heading(program, &program.origins[value.index()].node).as_str() {
        "" => what.to_owned(),
        node => format!("{what}; {node}"),
    }
}

/// In words, where the operands have names.
fn made_of(program: &Program, value: Value) -> Option<String> {
    let of = |operand: Value| Some(own_name(program, operand)?.replace('_', " "));
    Some(match *program.op(value) {
        Op::Unary(Unary::Normalize, a) => format!("Direction of {}", of(a)?),
        Op::Unary(Unary::Sqrt, a) => match *program.op(a) {
            Op::Binary(Binary::Dot, v, w) if v == w => format!("Length of {}", of(v)?),
            _ => return None,
        },
        Op::Binary(Binary::Cross, a, b) => format!("{} × {}", of(a)?, of(b)?),
        Op::Binary(Binary::Mul, a, b) => format!("{} · {}", of(a)?, of(b)?),
        Op::Binary(Binary::Sub, a, b) => format!("{} − {}", of(a)?, of(b)?),
        _ => return None,
    })
}

/// What data it is, or which node made it.
fn comment(program: &Program, value: Value) -> String {
    let set = |place: u32| program.tables.bone_sets.get(place as usize);
    match *program.op(value) {
        Op::Source(source) => {
            let doc = source.info().doc.trim_end_matches('.');
            doc.split([':', ';', ',']).next().unwrap_or_default().to_owned()
        }
        Op::Parameter(place, _) => {
            let parameter = program.tables.parameters.get(place as usize);
            match parameter.and_then(|parameter| parameter.exposed.as_deref()) {
                Some(name) => for_comment(&format!("The parameter \"{name}\"")),
                None => node_heading(program, &program.origins[value.index()].node),
            }
        }
        Op::Motion(part, window) => motion_comment(program, part, window),
        Op::BoneSet(place) => {
            let Some(set) = set(place) else { return String::new() };
            let below = if set.branches { ", or below" } else { "" };
            for_comment(&format!("1 for {}{below}; 0 for other bones", set.names.join(", ")))
        }
        Op::Constant(..)
        | Op::Map(_)
        | Op::MapIsThere(_)
        | Op::BoneTable(_)
        | Op::BoneTableIsSet(_)
        | Op::Weight(_)
        | any_memory!()
        | any_formula!()
        | any_loop!() => {
            of_node(program, value, made_of(program, value).as_deref().unwrap_or_default())
                .trim_start_matches("; ")
                .to_owned()
        }
    }
}

fn motion_comment(program: &Program, part: MotionPart, window: Value) -> String {
    let what = match part {
        MotionPart::LinearVelocity => "Velocity of the joint, relative to the parent",
        MotionPart::AngularVelocity => "Relative to the parent, in radians per second",
        MotionPart::LinearAcceleration => "Change of the linear velocity per second",
        MotionPart::AngularAcceleration => "Change of the angular velocity per second",
    };
    match (program.op(window).as_constant(), own_name(program, window)) {
        (Some(Number::Float(secs)), _) if secs > 0.0 => format!("{what}, mean over {secs} s"),
        (Some(_), _) | (None, None) => what.to_owned(),
        (None, Some(window)) => format!("{what}, mean over {window}"),
    }
}
