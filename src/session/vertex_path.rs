//! The path of a vertex over a motion, with one tick per frame: the animator's spacing chart. Where ticks lie
//! close the vertex is slow; plain skinning's path lies beside the styled one.

use glam::Vec3;
use jounce_eval::{EvalError, Moment, Performer, SomeVertices};
use jounce_rig::motion::{Ending, Playback};
use jounce_rig::{Character, Influence};
use std::ops::Range;

/// Where one vertex is at some frames of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexPath {
    pub vertex: usize,
    /// One place per frame.
    pub plain: Vec<Vec3>,
    /// The same as the style has it; empty where there is none.
    pub styled: Vec<Vec3>,
    /// The last frame leads to the first.
    pub is_closed: bool,
}

impl VertexPath {
    /// Everything that a camera must see of it.
    pub fn points(&self) -> impl Iterator<Item = Vec3> {
        self.plain.iter().chain(&self.styled).copied()
    }
}

/// Where vertices are at these moments: a path for each of them, in order.
pub fn paths_at(
    performer: &Performer,
    vertices: &[usize],
    moments: &[Moment],
    is_closed: bool,
) -> Result<Vec<VertexPath>, EvalError> {
    let program = performer.program();
    let part = SomeVertices::of(program, performer.bound(), vertices);
    let empty = |&vertex: &usize| VertexPath { vertex, is_closed, ..VertexPath::default() };
    let mut paths: Vec<VertexPath> = vertices.iter().map(empty).collect();
    for moment in moments {
        let deformed = part.deform(program, moment)?;
        let places = deformed.skinned.positions.into_iter().zip(deformed.positions);
        for (path, (plain, styled)) in paths.iter_mut().zip(places) {
            path.plain.push(plain);
            path.styled.push(styled);
        }
    }
    Ok(paths)
}

/// Which frames of a motion a path shows.
#[derive(Clone, Debug, PartialEq)]
pub struct PathFrames {
    /// Frames, of which those outside of a loop's round go on in the next.
    pub frames: Range<i64>,
    /// In a loop not quite what was asked for.
    pub fps: f64,
    pub is_closed: bool,
}

/// A longer motion is shown in part: so many frames, around the present one.
pub const MOST_TICKS: i64 = 120;
/// By so many frames the part moves on, so that it need not be made anew for every frame.
const PART_STEP: i64 = 24;

impl PathFrames {
    pub fn of(playback: &Playback, fps: f64, now_secs: f64) -> PathFrames {
        let duration_secs = playback.duration_secs.max(0.0);
        let is_loop = playback.ending == Ending::Loop && duration_secs > 0.0;
        // As frames are counted everywhere: a loop has a whole number of them.
        let whole = (duration_secs * fps).round().max(1.0);
        let fps = if is_loop { whole / duration_secs } else { fps };
        let count = if is_loop { whole } else { (duration_secs * fps + 1e-3).floor() + 1.0 };
        let count = count as i64;
        if count <= MOST_TICKS {
            return PathFrames { frames: 0..count, fps, is_closed: is_loop };
        }
        let now = (now_secs * fps).round() as i64;
        let middle = now.div_euclid(PART_STEP) * PART_STEP + PART_STEP / 2;
        let first = middle - MOST_TICKS / 2;
        let first = if is_loop { first } else { first.clamp(0, count - MOST_TICKS) };
        PathFrames { frames: first..first + MOST_TICKS, fps, is_closed: false }
    }

    pub fn times_secs(&self) -> Vec<f64> {
        self.frames.clone().map(|frame| frame as f64 / self.fps).collect()
    }
}

/// The vertex of a bone's skin that is farthest from its joint at rest: of the skin that it moves most, else of
/// all that it moves. None where it moves none.
pub fn outermost_vertex(character: &Character, bone: usize) -> Option<usize> {
    let positions = &character.rest().positions;
    let joint = character.bone_origin(character.rest_pose(), bone).as_vec3();
    let is_of_bone =
        |it: &&Influence| it.weight > 0.0 && character.bindings[it.index as usize].bone == bone;
    let farthest = |is_wanted: &dyn Fn(&[Influence]) -> bool| {
        let wanted = (0..positions.len()).filter(|&vertex| is_wanted(character.skin.of(vertex)));
        let distance = |vertex: &usize| positions[*vertex].distance_squared(joint);
        wanted.max_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    let strongest = |skin: &[Influence]| {
        skin.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)).filter(is_of_bone).is_some()
    };
    farthest(&strongest).or_else(|| farthest(&|skin| skin.iter().any(|it| is_of_bone(&it))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_motions_are_shown_whole_and_long_ones_around_now() {
        let looped = PathFrames::of(&Playback::looped(2.02), 24.0, 1.7);
        assert_eq!((looped.frames.clone(), looped.is_closed), (0..48, true));
        let last = looped.times_secs()[47];
        assert!(
            (last + 1.0 / looped.fps - 2.02).abs() < 1e-12,
            "the next frame is the first again"
        );
        let once = PathFrames::of(&Playback::once(2.0), 24.0, 0.0);
        assert_eq!((once.frames.clone(), once.is_closed), (0..49, false));
        assert_eq!(PathFrames::of(&Playback::once(0.0), 24.0, 0.0).frames, 0..1);
        for now_secs in [0.0, 3.0, 50.0, 99.9] {
            for playback in [Playback::once(100.0), Playback::looped(100.0)] {
                let shown = PathFrames::of(&playback, 24.0, now_secs);
                assert_eq!(shown.frames.clone().count() as i64, MOST_TICKS);
                let now = (now_secs * 24.0_f64).round() as i64;
                assert!(shown.frames.contains(&now), "{now} is in {:?}", shown.frames);
            }
        }
    }
}
