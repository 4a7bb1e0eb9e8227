//! What is said where a graph moves nothing: no error, but hardly ever meant.

use super::deformer::Deformer;
use super::scene::Scene;
use jounce_eval::BindWarning;
use jounce_rig::motion::BoneMotion;

/// After the last frame; `times_secs` are the moments that were made.
pub fn say_if_nothing_moved(scene: &Scene, times_secs: &[f64]) {
    let Some(deformer) = scene.deformer.as_ref().filter(|deformer| !deformer.has_moved()) else {
        return;
    };
    let frames = match times_secs {
        [_] => "in this one frame".to_owned(),
        times => format!("in any of these {} frames", times.len()),
    };
    let reason = reason(scene, deformer, times_secs);
    say!("{}: the graph moved no vertex {frames}; {reason}", deformer.file());
}

/// The likeliest, with what to do about it.
fn reason(scene: &Scene, deformer: &Deformer, times_secs: &[f64]) -> String {
    if let Some(obstacle) = deformer.obstacle() {
        return obstacle.to_owned();
    }
    let missing: Vec<String> = deformer.warnings().iter().filter_map(missing).collect();
    if !missing.is_empty() {
        return format!(
            "it names what this character has not: {}; choose another character, or change the names",
            missing.join(", ")
        );
    }
    if deformer.lacks_flesh() {
        return "no flesh element is set for this character, so set one up in the file's `characters` (docs/format.md)"
            .to_owned();
    }
    if deformer.lacks_settings() {
        return "its bone values and maps are for other characters, so give this one its own"
            .to_owned();
    }
    match moving(scene, times_secs) {
        Moving::Nothing => {
            "no bone moves then, so choose another motion with --clip or --motion, or another moment"
                .to_owned()
        }
        Moving::Roots => {
            "no bone moves against its parent then, only the root does, so choose a motion that moves the body, with --clip or --motion"
                .to_owned()
        }
        Moving::Bones => {
            "bones do move, but perhaps too slowly for it; look for sliders and maps that are 0 (`jounce check` lists the sliders)"
                .to_owned()
        }
    }
}

fn missing(warning: &BindWarning) -> Option<String> {
    match warning {
        BindWarning::NoBone { name, .. } => Some(format!("the bone \"{name}\"")),
        BindWarning::NoMap { name, .. } => Some(format!("the map \"{name}\"")),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moving {
    Nothing,
    Roots,
    Bones,
}

/// A part of the size, or radians, per second; less is rounding.
const SLOWEST: f64 = 1e-6;

fn moving(scene: &Scene, times_secs: &[f64]) -> Moving {
    let (bones, size) = (&scene.character.skeleton.bones, scene.character.size());
    let moves = |motion: &BoneMotion| {
        motion.linear.length() > SLOWEST * size || motion.angular.length() > SLOWEST
    };
    let at = |&time_secs: &f64| {
        let velocities = scene.velocities(time_secs, 0.0);
        let moved = bones.iter().zip(&velocities).filter(|(_, motion)| moves(motion));
        let kinds = moved.map(|(bone, _)| match bone.parent {
            None if bones.len() > 1 => Moving::Roots,
            _ => Moving::Bones,
        });
        kinds.max().unwrap_or(Moving::Nothing)
    };
    times_secs.iter().map(at).max().unwrap_or(Moving::Nothing)
}
