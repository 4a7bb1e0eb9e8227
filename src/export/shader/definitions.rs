//! What each datum is, exactly enough to compute it in an engine.

use jounce_ir::op::{MotionPart, Op};
use jounce_ir::{Number, Program, Source, Value};
use jounce_shader::wgsl::Module;

/// What data it is, in words.
pub fn source_text(program: &Program, module: &Module, value: Value) -> String {
    let tables = &program.tables;
    match *program.op(value) {
        Op::Source(source) => match source.info().name {
            Some(name) => format!("{name}: {}", of_source(source)),
            None => of_source(source).to_owned(),
        },
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
                "\"{}\" of the node {}, as it was when the last step ended",
                state.name, state.node
            ),
            None => "what a node remembers".to_owned(),
        },
        Op::Ago { history, .. } => match tables.histories.get(history as usize) {
            Some(history) => format!(
                "\"{}\" of the node {}, as it was some seconds ago",
                history.name, history.node
            ),
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
        _ => String::new(),
    }
}

/// Of a mean; None for this very moment.
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

/// Positions are in the scene, where the skinned mesh is.
fn of_source(source: Source) -> &'static str {
    match source {
        Source::FleshReach => {
            "of a flesh element: how far it may swing before it would cross its virtual bone; 0 for bones"
        }
        Source::StepSecs => "seconds since the last step of what nodes remember",
        Source::Time => "seconds since the start of the clip",
        Source::CharacterSize => {
            "the reference length ℓ > 0: the largest side of the rest pose's bounding box, or what the character's settings say"
        }
        Source::CharacterHeight => "from the lowest to the highest point of the rest pose",
        Source::GroundHeight => "y of the lowest point of the rest pose",
        Source::BoneOrigin => {
            "where the bone's joint is: the translation of its matrix from bone to scene"
        }
        Source::BoneRotation => {
            "x, y, z of the unit quaternion of the bone's matrix from bone to scene, without scale"
        }
        Source::BoneRotationW => "the w of BONE_ROTATION",
        Source::BoneParentRotation => {
            "x, y, z of the same of the parent bone; 0, 0, 0 for a bone without parent"
        }
        Source::BoneParentRotationW => "the w of BONE_PARENT_ROTATION; 1 for a bone without parent",
        Source::BoneCentroid => {
            "the centre of what the bone and all below it move, in closed form: Σ over joints i of M_i h_i, M_i the joint's matrix from bind space to the scene, h_i (x, y, z, w) made once from the rest mesh, as docs/shaders.md says; BONE_ORIGIN where the bone moves nothing. An offset that the document sets for a bone is turned by BONE_ROTATION and added"
        }
        Source::BoneExactCentroid => {
            "the centre of the posed triangles, each weighted by its area times the sum of its corners' upward weights of the bone"
        }
        Source::BoneIsRoot => "1 for bones without a parent bone, 0 for all others",
        Source::BoneDepth => "how many bones are above this one",
        Source::SkinnedPosition
        | Source::SkinnedNormal
        | Source::RestPosition
        | Source::RestNormal => source.info().doc,
    }
}

/// The parent is the nearest bone above; plain nodes between belong to the relative transform.
/// `window` is in words, None for this very moment.
fn of_motion(part: MotionPart, window: Option<&str>) -> String {
    const LINEAR_AXES: &str = "turned and scaled into the scene by the parent's 3×3 matrix of this moment (a bone without parent: the scene itself)";
    const ANGULAR_AXES: &str = "turned into the scene by the parent's rotation of this moment (a bone without parent: the scene itself)";
    match (part, window) {
        (MotionPart::LinearVelocity, None) => format!(
            "how fast the bone's joint moves in the frame of its parent bone, the parent's own motion left out: d/dt of the relative translation, {LINEAR_AXES}; units per second"
        ),
        (MotionPart::LinearVelocity, Some(s)) => format!(
            "how fast the bone's joint moves in the frame of its parent bone, the parent's own motion left out: (x(t) − x(t − s)) / s of the relative translation x, {LINEAR_AXES}; units per second; s = {s}"
        ),
        (MotionPart::AngularVelocity, None) => format!(
            "how the bone turns in the frame of its parent bone, the parent's own turn left out: angular velocity of the relative rotation, axis times rate by the right-hand rule, {ANGULAR_AXES}; radians per second"
        ),
        (MotionPart::AngularVelocity, Some(s)) => format!(
            "how the bone turns in the frame of its parent bone, the parent's own turn left out: log(q(t) q(t − s)⁻¹) / s of the relative rotation q on the short way, axis times angle by the right-hand rule, {ANGULAR_AXES}; radians per second; s = {s}"
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
