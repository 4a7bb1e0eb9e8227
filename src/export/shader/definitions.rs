//! What each datum is, exactly enough to compute it in an engine.

use jounce_ir::op::{MotionPart, Op};
use jounce_ir::source::SourceInfo;
use jounce_ir::{Number, Program, Value, any_formula, any_loop};
use jounce_shader::wgsl::Module;

/// What data it is, in words.
pub fn source_text(program: &Program, module: &Module, value: Value) -> String {
    let tables = &program.tables;
    match *program.op(value) {
        Op::Source(source) => {
            let SourceInfo { name, export_text, .. } = source.info();
            name.map_or(export_text.to_string(), |name| format!("{name}: {export_text}"))
        }
        Op::Parameter(place, _) => {
            let parameter = tables.parameters.get(place as usize);
            let name = parameter.and_then(|p| p.exposed.clone()).unwrap_or_default();
            format!("the parameter \"{name}\"")
        }
        Op::MapIsThere(place) => match module.maps.get(place as usize) {
            Some(map) => format!("does the character have the map of {map}?"),
            None => "does the character have the map?".to_owned(),
        },
        Op::Motion(part, window) => {
            let window = window_text(program, module, window);
            format!("{}: {}", part.constant_name(), of_motion(part, window.as_deref()))
        }
        Op::State(place) => match tables.states.get(place as usize) {
            Some(state) => format!(
                "\"{}\" of the node {}, at the end of the last step",
                state.name, state.node
            ),
            None => "what a node remembers".to_owned(),
        },
        Op::Ago { history, .. } => match tables.histories.get(history as usize) {
            Some(history) => {
                format!("\"{}\" of the node {}, some seconds ago", history.name, history.node)
            }
            None => "what a node remembers".to_owned(),
        },
        Op::BoneTable(_) => "the number set for the bone, or 0".to_owned(),
        Op::BoneTableIsSet(_) => "is a number set for the bone?".to_owned(),
        Op::BoneSet(place) => match tables.bone_sets.get(place as usize) {
            Some(set) => format!(
                "1 for the bones {}{}, else 0",
                set.names.join(", "),
                if set.branches { " and all below them" } else { "" }
            ),
            None => "1 for bones of a set, else 0".to_owned(),
        },
        // Hosts are told of these elsewhere: maps and weights have lists of their own, the rest is computed.
        Op::Constant(..) | Op::Map(_) | Op::Weight(_) | any_formula!() | any_loop!() => {
            String::new()
        }
    }
}

/// The window of a mean, in words; None for the current moment.
fn window_text(program: &Program, module: &Module, window: Value) -> Option<String> {
    let constant = module.constants.iter().find(|c| c.value == window).map(|c| c.number);
    match constant.or_else(|| program.op(window).as_constant()) {
        Some(Number::Float(secs)) if secs > 0.0 => Some(format!("{secs} seconds")),
        Some(_) => None,
        None => {
            let field = module.frame.field(window)?;
            Some(format!("JnFrame.{} seconds (at 0: the limit of it)", field.name))
        }
    }
}

/// The parent is the nearest bone above; plain nodes between belong to the relative transform.
/// `window` is in words, None for this very moment.
fn of_motion(part: MotionPart, window: Option<&str>) -> String {
    const LINEAR_AXES: &str = "turned and scaled into the scene by the parent's 3×3 matrix of this moment (a bone without parent: the scene itself)";
    const ANGULAR_AXES: &str = "turned into the scene by the parent's rotation of this moment (a bone without parent: the scene itself)";
    match (part, window) {
        (MotionPart::LinearVelocity, None) => format!(
            "how fast the bone's joint moves in the frame of its parent bone, without the parent's own motion: d/dt of the relative translation, {LINEAR_AXES}; units per second"
        ),
        (MotionPart::LinearVelocity, Some(s)) => format!(
            "how fast the bone's joint moves in the frame of its parent bone, without the parent's own motion: (x(t) − x(t − s)) / s of the relative translation x, {LINEAR_AXES}; units per second; s = {s}"
        ),
        (MotionPart::AngularVelocity, None) => format!(
            "how the bone turns in the frame of its parent bone, without the parent's own turn: angular velocity of the relative rotation, axis times rate by the right-hand rule, {ANGULAR_AXES}; radians per second"
        ),
        (MotionPart::AngularVelocity, Some(s)) => format!(
            "how the bone turns in the frame of its parent bone, without the parent's own turn: log(q(t) q(t − s)⁻¹) / s of the relative rotation q on the short way, axis times angle by the right-hand rule, {ANGULAR_AXES}; radians per second; s = {s}"
        ),
        (MotionPart::LinearAcceleration, s) => format!(
            "(v(t) − v(t − s)) / s, v the mean velocity over s seconds, (x(t) − x(t − s)) / s, of the joint in the frame of its parent bone; {LINEAR_AXES}; s = {}",
            s.unwrap_or("0.1 seconds")
        ),
        (MotionPart::AngularAcceleration, s) => format!(
            "(ω(t) − ω(t − s)) / s, ω the mean angular velocity over s seconds, log(q(t) q(t − s)⁻¹) / s, of the bone in the frame of its parent bone; {ANGULAR_AXES}; s = {}",
            s.unwrap_or("0.1 seconds")
        ),
    }
}
