//! A program as text, for people: `jounce check --ir`.
//!
//! ```text
//! bone
//!   %12 vec3 = mul %10 %11            # floppy: lag
//! for each bone of a vertex
//!   %20 vec3 = cross %12 %14
//!   %21 vec3 = sum upward %20         # floppy: displacement
//! ```

use super::op::{Op, Value};
use super::program::{Column, MapSource, Program, Stage, WeightKind};
use jounce_base::Hierarchy;
use jounce_base::text::visible;
use std::fmt;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "base {}", self.base.name())?;
        if self.hierarchy != Hierarchy::File {
            writeln!(f, "hierarchy {}", self.hierarchy.name())?;
        }
        if !self.tables.parameters.is_empty() {
            writeln!(f, "parameters")?;
        }
        for (place, parameter) in self.tables.parameters.iter().enumerate() {
            write!(f, "  p{place} {} = {}", parameter.value.ty(), parameter.value)?;
            write!(f, "  # {}: {}", parameter.node, parameter.port)?;
            match &parameter.exposed {
                Some(name) => writeln!(f, ", exposed as \"{}\"", visible(name))?,
                None => writeln!(f)?,
            }
        }
        for stage in &self.stages {
            match stage {
                Stage::Frame(values) => self.write_stage(f, "once", values, &[])?,
                Stage::Bone(values) => self.write_stage(f, "for each bone", values, &[])?,
                Stage::Vertex(values) => self.write_stage(f, "for each vertex", values, &[])?,
                Stage::Influences { values, sums } => {
                    self.write_stage(f, "for each bone of a vertex", values, sums)?;
                }
                Stage::Relax(value) => self.write_stage(f, "over the surface", &[*value], &[])?,
            }
        }
        writeln!(f, "result %{}", self.position.0)
    }
}

impl Program {
    fn write_stage(
        &self,
        f: &mut fmt::Formatter<'_>,
        title: &str,
        values: &[Value],
        sums: &[Value],
    ) -> fmt::Result {
        writeln!(f, "{title}")?;
        for &value in values.iter().chain(sums) {
            let line = format!("  %{} {} = {}", value.0, self.ty(value), self.describe(value));
            let line = visible(&line);
            let origin = &self.origins[value.index()];
            match (&origin.name, origin.node.is_empty()) {
                (Some(name), _) => writeln!(f, "{line:<48}# {}: {}", origin.node, visible(name))?,
                (None, false) => writeln!(f, "{line:<48}# {}", origin.node)?,
                (None, true) => writeln!(f, "{line}")?,
            }
        }
        Ok(())
    }

    pub(super) fn describe(&self, value: Value) -> String {
        let op = self.op(value);
        if let Some(number) = op.as_constant() {
            return number.to_string();
        }
        let name = match op {
            Op::Constant(..) => String::new(),
            Op::Source(source) => source.info().saved_name.to_owned(),
            Op::Parameter(place, _) => format!("p{place}"),
            Op::Map(place) => match &self.tables.maps[*place as usize].source {
                MapSource::Named(name) => format!("map \"{name}\""),
                MapSource::Derived(source) => format!("map {}", source.info().saved_name),
            },
            Op::MapIsThere(place) => format!("map_is_there {place}"),
            Op::BoneTable(place) => {
                format!("bone_value {}", self.tables.bone_tables[*place as usize].node)
            }
            Op::BoneTableIsSet(place) => {
                format!("bone_value_is_set {}", self.tables.bone_tables[*place as usize].node)
            }
            Op::BoneSet(place) => {
                let set = &self.tables.bone_sets[*place as usize];
                let below = if set.branches { " and below" } else { "" };
                format!("bone_is_one_of {:?}{below}", set.names)
            }
            Op::Weight(column) => {
                format!("weight {}", self.tables.columns[*column as usize])
            }
            Op::State(place) => format!("state {}", self.tables.states[*place as usize].name),
            Op::Ago { history, .. } => {
                format!("ago {}", self.tables.histories[*history as usize].name)
            }
            Op::Motion(part, _) => part.accessor().trim_start_matches("jn_").to_owned(),
            Op::Unary(..) | Op::Binary(..) | Op::Ternary(..) => op.row().name.to_owned(),
            Op::Component(_, i) => format!("component {}", ["x", "y", "z"][usize::from(*i).min(2)]),
            Op::Sum { column, .. } => format!("sum {}", self.tables.columns[*column as usize]),
            Op::Relax { passes, .. } => format!("relax {passes} times"),
        };
        let operands = op.operands().map(|operand| format!(" %{}", operand.0));
        name + operands.collect::<String>().as_str()
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            WeightKind::Upward => "upward",
            WeightKind::Downward => "downward",
            WeightKind::Skin => "skin",
            WeightKind::Flesh => "flesh",
            WeightKind::Anchored => "anchored",
        })?;
        match self.keep {
            Some(count) => write!(f, "[{count} largest]"),
            None => Ok(()),
        }
    }
}
