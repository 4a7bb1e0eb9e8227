//! The numbers at ports, computed only while somebody looks.

use crate::State;
use jounce_ir::Number;
use jounce_session::{NotKnown, PortValues, Spot};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

type Port = (String, String);

#[derive(Default)]
pub struct Watch {
    values: Option<PortValues>,
    seen: Option<Seen>,
    compile_count: usize,
}

struct Seen {
    /// None: all of them.
    wanted: Option<Port>,
    revision: u64,
    time_secs: f64,
    spot: Spot,
    numbers: BTreeMap<Port, Result<Number, NotKnown>>,
    when: Instant,
    took: Duration,
}

/// While it plays, looking may take at most this share of the time.
const SHARE: u32 = 8;

/// Reads one port, or all, at the selected vertex and bone. On large characters, values may be a few frames old.
pub fn look(state: &mut State, wanted: Option<Port>) {
    let mut watch = std::mem::take(&mut state.canvas.watch);
    let result = watch.look(state, wanted);
    state.canvas.watch = watch;
    if let Err(error) = result {
        state.session.say(jounce_session::Severity::Error, error.to_string());
    }
}

impl Watch {
    fn look(
        &mut self,
        state: &mut State,
        wanted: Option<Port>,
    ) -> Result<(), jounce_session::ShowError> {
        let is_busy = |seen: &Seen| seen.when.elapsed() < seen.took * SHARE;
        let is_same = self.seen.as_ref().is_some_and(|seen| seen.wanted == wanted);
        if is_same && self.seen.as_ref().is_some_and(is_busy) {
            return Ok(());
        }
        let began = Instant::now();
        let (revision, time_secs) = (state.session.revision(), state.playhead.time_secs);
        let bone = state.selection.bones.first().copied();
        let spot = Spot { vertex: state.selection.vertex, bone };
        let is_known = |seen: &Seen| {
            let is_now = seen.revision == revision && seen.time_secs == time_secs;
            is_now && seen.wanted == wanted && seen.spot == spot
        };
        if self.seen.as_ref().is_some_and(is_known) {
            return Ok(());
        }
        let known = self.values.take();
        let known = known.and_then(|mut it| it.update(&state.session).then_some(it));
        let values = match known {
            Some(known) => self.values.insert(known),
            None => {
                self.compile_count += 1;
                self.values.insert(PortValues::new(&state.session)?)
            }
        };
        let is_wanted = |port: &Port| wanted.as_ref().is_none_or(|wanted| wanted == port);
        let numbers = values.read(time_secs, spot, is_wanted)?;
        let when = Instant::now();
        let took = when - began;
        self.seen = Some(Seen { wanted, revision, time_secs, spot, numbers, when, took });
        Ok(())
    }

    /// How often a style was compiled for it: dragging a slider leaves it alone.
    pub fn compile_count(&self) -> usize {
        self.compile_count
    }

    /// What was seen last, as text.
    pub fn text(&self, path: &str, port: &str) -> Option<String> {
        let found = self.seen.as_ref()?.numbers.get(&(path.to_owned(), port.to_owned()))?;
        Some(match found {
            Ok(number) => number_text(*number),
            Err(why) => why.text().to_owned(),
        })
    }

    pub fn number(&self, path: &str, port: &str) -> Option<Number> {
        let key = (path.to_owned(), port.to_owned());
        self.seen.as_ref()?.numbers.get(&key)?.as_ref().ok().copied()
    }
}

pub fn number_text(number: Number) -> String {
    match number {
        Number::Float(x) => short(x),
        Number::Bool(on) => on.to_string(),
        Number::Vec3(v) => format!("{}, {}, {}", short(v.x), short(v.y), short(v.z)),
    }
}

/// Three digits that count.
fn short(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if size >= 100.0 => format!("{x:.0}"),
        size if size >= 1.0 => format!("{x:.2}"),
        size if size >= 0.001 => format!("{x:.4}"),
        _ => format!("{x:.1e}"),
    }
}
