//! What a style does to a character over a whole motion.

use super::FitError;
use super::body::BodyStretch;
use super::parts::{Part, PartsOfSkin, parts_of_skin};
use super::wear::{ByPart, wear};
use crate::{Progress, Session, Show};
use glam::Vec3;
use jounce_base::character_settings::CharacterSettings;
use jounce_eval::EvalError;
use jounce_graph::document::{Command, MotionSettings};
use jounce_rig::Character;
use std::sync::Arc;

/// Lengths are fractions of the character's size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// 95 % of the surface, over all moments, moves less than this.
    pub p95: f64,
    /// No vertex moves further than this in any moment.
    pub furthest: f64,
    /// How far each of [`Part::ALL`] moves in its liveliest moments, beside what the body does as a whole; None for
    /// what the character does not have.
    pub parts: [Option<f64>; Part::ALL.len()],
    /// How much higher or lower than plain skinning has it the trunk becomes in its liveliest moments, as a
    /// fraction of its height.
    pub height_change: f64,
    /// The farthest that anything goes while it touches the ground; 0 in motions that never do.
    pub feet: f64,
    /// In the worst moment, which part of the surface looks the other way: by what moves it.
    pub turned_by: ByPart,
    /// Which part of all edges, over all moments, is shorter than 0.7 times or longer than 1.5 times its length in
    /// plain skinning: by what moves them.
    pub torn_by: ByPart,
    /// How far the ground of the motion is above that of the rest pose.
    pub ground_lift: f64,
}

impl Measured {
    pub fn part(&self, part: Part) -> Option<f64> {
        self.parts[part as usize]
    }

    pub fn turned(&self) -> f64 {
        self.turned_by.iter().sum()
    }

    pub fn torn_edges(&self) -> f64 {
        self.torn_by.iter().sum()
    }
}

/// This close to the lowest point of the motion, a vertex counts as standing.
const TOUCHING: f32 = 0.02;
/// A motion whose lowest point is this far above the ground, in sizes, does not stand on it.
const MOST_LIFT: f64 = 0.08;
/// Vertices that are looked at, over all moments.
const MOST_VERTICES: usize = 1_200_000;
/// What a look is judged by are its liveliest moments: this part of all.
const LIVELIEST: f64 = 0.1;

/// What is measured on one character, known once.
pub struct Gauge {
    character: Arc<Character>,
    skin: PartsOfSkin,
}

impl Gauge {
    pub fn new(character: &Arc<Character>, settings: &CharacterSettings) -> Gauge {
        Gauge { character: character.clone(), skin: parts_of_skin(character, settings) }
    }

    pub fn measure(&self, show: &Show, progress: &Progress) -> Result<Measured, EvalError> {
        let vertices = self.character.vertex_count().max(1);
        let duration_secs = show.duration_secs();
        let count = match duration_secs > 0.0 {
            true => (MOST_VERTICES / vertices).clamp(8, 48),
            false => 1,
        };
        let mut samples = Vec::with_capacity(count);
        for index in 0..count {
            if progress.is_cancelled() {
                break;
            }
            let time_secs = duration_secs * index as f64 / count as f64;
            let deformed = show.performer().deformed_at(time_secs)?;
            samples
                .push(Sample { skinned: deformed.skinned.positions, deformed: deformed.positions });
        }
        Ok(self.judge(&samples, show.bound().size as f32))
    }

    fn judge(&self, samples: &[Sample], size: f32) -> Measured {
        let lowest = samples.iter().flat_map(|sample| &sample.skinned).map(|p| p.y);
        let ground = lowest.fold(f32::INFINITY, f32::min);
        let mut measured = Measured {
            ground_lift: f64::from(ground - self.character.rest_bounds().0.y) / f64::from(size),
            ..Measured::default()
        };
        // What flies has no planted feet.
        let stands = measured.ground_lift < MOST_LIFT;
        let PartsOfSkin { ears, parts, moved_by, vertex_areas } = &self.skin;
        let trunk = parts.iter().find(|part| part.part == Part::Trunk);
        let mut lengths = Vec::with_capacity(vertex_areas.len() * samples.len());
        let mut of_parts: Vec<Vec<f32>> = vec![Vec::new(); parts.len()];
        let mut stretches = Vec::new();
        let mut edges = 0.0;
        for Sample { skinned, deformed } in samples {
            for ((plain, moved), area) in skinned.iter().zip(deformed).zip(vertex_areas) {
                let length = plain.distance(*moved) / size;
                lengths.push((length, *area));
                measured.furthest = measured.furthest.max(length.into());
                if stands && plain.y - ground < TOUCHING * size {
                    measured.feet = measured.feet.max(length.into());
                }
            }
            let body = trunk
                .map(|trunk| BodyStretch::of(trunk, skinned, deformed, size))
                .unwrap_or_default();
            stretches.push(body.stretch.abs());
            for (part, means) in parts.iter().zip(&mut of_parts) {
                let alone = |vertex: usize| body.without(skinned[vertex], deformed[vertex]);
                means.push(
                    match part.part {
                        Part::Ears => {
                            ears.iter().map(|ear| ear.share * ear.bend(alone)).sum::<f32>()
                        }
                        _ => part.mean(|vertex| alone(vertex).length()),
                    } / size,
                );
            }
            let worn = wear(&self.character.mesh.triangles, moved_by, skinned, deformed, size);
            if worn.turned.iter().sum::<f64>() > measured.turned() * worn.area {
                measured.turned_by = worn.turned.map(|area| area / worn.area);
            }
            measured.torn_by.iter_mut().zip(worn.torn_edges).for_each(|(all, torn)| *all += torn);
            edges += worn.edges;
        }
        for (part, means) in parts.iter().zip(&mut of_parts) {
            measured.parts[part.part as usize] = Some(liveliest(means).into());
        }
        measured.height_change = liveliest(&mut stretches).into();
        measured.torn_by = measured.torn_by.map(|torn| torn / edges.max(1.0));
        measured.p95 = percentile_of_area(&mut lengths, 0.95).into();
        measured
    }
}

/// Both forms of the character at one moment.
struct Sample {
    skinned: Vec<Vec3>,
    deformed: Vec<Vec3>,
}

/// The mean of the largest.
fn liveliest(values: &mut [f32]) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    values.sort_unstable_by(|a, b| b.total_cmp(a));
    let count = ((values.len() as f64 * LIVELIEST).ceil() as usize).clamp(1, values.len());
    values[..count].iter().sum::<f32>() / count as f32
}

/// Of values with areas: which of them is above this part of the area.
fn percentile_of_area(values: &mut [(f32, f32)], part: f64) -> f32 {
    values.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
    let total: f64 = values.iter().map(|(_, area)| f64::from(*area)).sum();
    let mut below = 0.0;
    for (value, area) in values.iter() {
        below += f64::from(*area);
        if below >= part * total {
            return *value;
        }
    }
    0.0
}

/// A pose that has been held for so long is a pose again.
const HELD_SECS: f64 = 0.2;
/// What a style that remembers lets swing on has settled by then.
const SETTLED_SECS: f64 = 2.0;

/// How far the skin still is from plain skinning, at most, when the motion has ended and its last pose has been
/// held for a moment, or for as long as what swings on may take to settle; as a fraction of the size.
pub fn after_hold(session: &Session) -> Result<f64, FitError> {
    let mut session = session.snapshot();
    let motion = MotionSettings { looped: false, ..session.document().motion.clone() };
    session.perform("Hold", Command::SetMotion(motion));
    let show = Show::new(&session)?;
    let held_secs = if show.program().remembers() { SETTLED_SECS } else { HELD_SECS };
    let held = show.performer().deformed_at(show.duration_secs() + held_secs)?;
    let lengths = held.skinned.positions.iter().zip(&held.positions).map(|(a, b)| a.distance(*b));
    Ok(f64::from(lengths.fold(0.0, f32::max)) / show.bound().size)
}
