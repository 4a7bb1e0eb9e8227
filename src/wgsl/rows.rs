//! Rows of the tables that hosts and shaders share, as structs.

use super::expression::{Expression, Level, type_name};
use super::identifier::{Names, letters};
use super::printer::{Printer, for_comment, node_heading};
use super::suggest::{owner, suggestion};
use crate::ir::schedule::RowLayout;
use crate::ir::{Program, Type, Value};

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
    pub fn new(program: &Program, values: &[Value]) -> Row {
        let types: Vec<Type> = values.iter().map(|&value| program.ty(value)).collect();
        let layout = RowLayout::new(&types);
        let mut names = Names::default();
        let field = |(&value, offset): (&Value, usize)| Field {
            name: names.unique(&suggestion(program, value), &owner(program, value)),
            value,
            ty: program.ty(value),
            offset,
            comment: comment(program, value),
        };
        let fields = values.iter().zip(layout.offsets).map(field).collect();
        Row { fields, stride: layout.stride }
    }

    pub fn field(&self, value: Value) -> Option<&Field> {
        self.fields.iter().find(|field| field.value == value)
    }

    /// Fields by offset; what they leave free is padding, so that every host sees the same struct.
    pub fn print(&self, printer: &mut Printer, name: &str) {
        let mut fields: Vec<&Field> = self.fields.iter().collect();
        fields.sort_by_key(|field| field.offset);
        let (mut at, mut paddings) = (0, 0);
        let mut pad_to = |printer: &mut Printer, offset: usize, at: &mut usize| {
            while *at < offset {
                printer.line(&format!("padding_{}: f32,", letters(paddings)));
                paddings += 1;
                *at += 1;
            }
        };
        printer.block(&format!("struct {name}"), |body| {
            for field in fields {
                pad_to(body, field.offset, &mut at);
                let ty = if field.ty == Type::Bool { "u32" } else { type_name(field.ty) };
                body.line(&format!("{}: {ty},{}", field.name, field.comment));
                at = field.offset + if field.ty == Type::Vec3 { 3 } else { 1 };
            }
            pad_to(body, self.stride, &mut at);
        });
    }
}

impl Field {
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

/// Which node made it, where it has one.
fn comment(program: &Program, value: Value) -> String {
    let node = &program.origins[value.index()].node;
    match for_comment(&node_heading(program, node)) {
        heading if heading.is_empty() => String::new(),
        heading => format!(" // {heading}"),
    }
}
