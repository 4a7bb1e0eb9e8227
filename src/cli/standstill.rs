//! What is said of a graph after the last frame: that it moves nothing, which is not an error, but hardly ever
//! intended, or that its loop has a seam.

use super::scene::Scene;
use super::staging::GraphFile;
use jounce_eval::BindWarning;
use jounce_rig::motion::BoneMotion;

/// `times_secs` are the moments that were made.
pub fn say_what_was_seen(scene: &Scene, times_secs: &[f64]) {
    scene.say_if_it_has_a_seam();
    let Some(graph) = scene.graph.as_ref().filter(|_| !scene.has_moved()) else {
        return;
    };
    let frames = match times_secs {
        [_] => "in this one frame".to_owned(),
        times => format!("in any of these {} frames", times.len()),
    };
    let reason = reason(scene, graph, times_secs);
    say!("{}: the graph did not move any vertex {frames}; {reason}", graph.name);
}

/// The likeliest, with what to do about it.
fn reason(scene: &Scene, graph: &GraphFile, times_secs: &[f64]) -> String {
    let now = moving(scene, times_secs);
    let is_one_moment = times_secs.len() == 1;
    // Whatever else is wrong, where no bone ever moves nothing can be seen of it.
    if now == Moving::Nothing && !(is_one_moment && moves_more_elsewhere(scene, now)) {
        return "no bone moves, so choose another motion with --clip or --motion".to_owned();
    }
    if let Some(obstacle) = graph.obstacle {
        return obstacle.to_owned();
    }
    let missing: Vec<String> = scene.warnings().iter().filter_map(missing).collect();
    if !missing.is_empty() {
        return format!(
            "it names things that this character does not have: {}; choose another character, or change the names",
            missing.join(", ")
        );
    }
    if scene.lacks_flesh() {
        return "no flesh element is set for this character, so set one up in the file's `characters` (docs/format.md)"
            .to_owned();
    }
    if graph.lacks_settings {
        return "its bone values and maps are for other characters, so give this one its own"
            .to_owned();
    }
    match now {
        Moving::Nothing | Moving::Roots if is_one_moment && moves_more_elsewhere(scene, now) => {
            let what = if now == Moving::Nothing { "no bone moves" } else { "only the root moves" };
            let (clip, length_secs) = (&scene.clip().name, scene.duration_secs());
            format!(
                "{what} at this moment of the clip \"{clip}\", so choose another one with --at SECONDS, from 0 to {length_secs:.2}"
            )
        }
        Moving::Nothing | Moving::Roots => {
            "only the root moves, and no other bone moves relative to its parent, so choose a motion that moves the body, with --clip or --motion"
                .to_owned()
        }
        Moving::Bones if is_one_moment => {
            "the bones move, but perhaps too slowly for this graph; choose another moment with --at SECONDS, or look for sliders and maps that are 0 (`jounce check` lists the sliders)"
                .to_owned()
        }
        Moving::Bones => {
            "the bones move, but perhaps too slowly for this graph; look for sliders and maps that are 0 (`jounce check` lists the sliders)"
                .to_owned()
        }
    }
}

/// Does the clip move more at some other moment?
fn moves_more_elsewhere(scene: &Scene, now: Moving) -> bool {
    let length_secs = scene.duration_secs();
    let at = |step: usize| length_secs * step as f64 / MOMENTS as f64;
    let others: Vec<f64> = (0..MOMENTS).map(at).collect();
    moving(scene, &others) > now
}

/// How many moments of a clip are looked at.
const MOMENTS: usize = 24;

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

/// A part of the size, or radians, per second; smaller values are rounding errors.
const SLOWEST: f64 = 1e-6;

fn moving(scene: &Scene, times_secs: &[f64]) -> Moving {
    let (bones, size) = (&scene.hung().skeleton.bones, scene.character().size());
    let moves = |motion: &BoneMotion| {
        motion.linear.length() > SLOWEST * size || motion.angular.length() > SLOWEST
    };
    let at = |&time_secs: &f64| {
        let velocities = scene.performer().velocities(time_secs, 0.0);
        let moved = bones.iter().zip(&velocities).filter(|(_, motion)| moves(motion));
        let kinds = moved.map(|(bone, _)| match bone.parent {
            None if bones.len() > 1 => Moving::Roots,
            _ => Moving::Bones,
        });
        kinds.max().unwrap_or(Moving::Nothing)
    };
    times_secs.iter().map(at).max().unwrap_or(Moving::Nothing)
}
