//! A number that tells programs apart, whatever their sliders say: caches go by it.

use super::program::{MapSource, Memory, Program, Stage};
use jounce_base::Hierarchy;
use std::fmt::{self, Write};

/// FNV-1a with 128 bits: the same on all machines and in all versions.
struct Fnv(u128);

impl Fnv {
    const START: u128 = 0x6c62272e07bb014262b821756295c58d;
    const PRIME: u128 = 0x0000000001000000000000000000013b;
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(Fnv::PRIME);
        }
        Ok(())
    }
}

impl Program {
    /// Of what is computed: operations, stages, tables with the names that they ask for, and how bones
    /// are blended before. Not of the values of parameters, nor of how values and nodes are called.
    pub fn content_hash(&self) -> u128 {
        let mut hash = Fnv(Fnv::START);
        // Writing to it cannot fail.
        let _ = self.write_content(&mut hash);
        hash.0
    }

    fn write_content(&self, out: &mut impl Write) -> fmt::Result {
        writeln!(out, "base {}", self.base.name())?;
        if self.hierarchy != Hierarchy::File {
            writeln!(out, "hierarchy {}", self.hierarchy.name())?;
        }
        for parameter in &self.tables.parameters {
            writeln!(out, "parameter {}", parameter.value.ty())?;
        }
        for map in &self.tables.maps {
            match &map.source {
                MapSource::Named(name) => writeln!(out, "map {name:?}")?,
                MapSource::Derived(source) => writeln!(out, "{}", source.info().saved_name)?,
            }
        }
        for column in &self.tables.columns {
            writeln!(out, "column {column}")?;
        }
        if let Some(anchors) = &self.tables.anchors {
            writeln!(out, "anchors {:?} {}", anchors.names, anchors.whole_body)?;
        }
        for state in &self.tables.states {
            writeln!(out, "state {} {:?}", state.ty, state.rate)?;
        }
        for history in &self.tables.histories {
            let longest_secs = history.longest_secs;
            writeln!(out, "history {} {:?} {longest_secs}", history.ty, history.rate)?;
        }
        let Memory { initial, next, recorded } = &self.memory;
        for (title, values) in [("initial", initial), ("next", next), ("recorded", recorded)] {
            writeln!(out, "{title} {values:?}")?;
        }
        for stage in &self.stages {
            let (title, values, sums) = match stage {
                Stage::Frame(values) => ("frame", values.as_slice(), [].as_slice()),
                Stage::Bone(values) => ("bone", values.as_slice(), [].as_slice()),
                Stage::Vertex(values) => ("vertex", values.as_slice(), [].as_slice()),
                Stage::Influences { values, sums } => ("pairs", values.as_slice(), sums.as_slice()),
                Stage::Relax(value) => ("relax", std::slice::from_ref(value), [].as_slice()),
            };
            writeln!(out, "{title}")?;
            for &value in values.iter().chain(sums) {
                writeln!(out, "%{} {} = {}", value.0, self.ty(value), self.describe(value))?;
            }
        }
        writeln!(out, "result %{}", self.position.0)
    }
}
