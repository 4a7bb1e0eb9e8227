//! What a document keys over its clips.

use jounce_base::keyed_value::{KeyNumber, MotionKeys, ValueKey};
use jounce_export::shader::key_warnings;
use jounce_ir::Program;

/// Keys that the style cannot follow, in whatever clip.
pub fn warnings(keys: &MotionKeys, program: &Program) -> Vec<String> {
    let warnings = key_warnings(program, keys).into_iter();
    warnings.map(|(clip, warning)| format!("clip \"{clip}\": {warning}")).collect()
}

/// A line for each parameter, under a heading for each clip.
pub fn lines(keys: &MotionKeys) -> Vec<String> {
    let mut lines = Vec::new();
    for (clip, keys) in keys {
        lines.push(format!("Keys in clip \"{clip}\""));
        for (name, keyed) in keys {
            let keys: Vec<String> = keyed.keys.iter().map(key_text).collect();
            lines.push(format!("  {name}: {}", keys.join(", ")));
        }
    }
    lines
}

fn key_text(key: &ValueKey) -> String {
    let value = match key.value {
        KeyNumber::Float(x) => x.to_string(),
        KeyNumber::Vec3([x, y, z]) => format!("{x},{y},{z}"),
    };
    format!("{value} at {} s ({})", key.time_secs, key.interpolation.name())
}
