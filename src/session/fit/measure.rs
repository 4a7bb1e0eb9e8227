//! What a style does to a character over a whole motion.

use super::FitError;
use super::parts::{Part, PartOfSkin, parts, vertex_areas};
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
    /// How far each of [`Part::ALL`] moves in its liveliest moments; None for what the character does not have.
    pub parts: [Option<f64>; Part::ALL.len()],
    /// How much higher or lower than plain skinning has it the trunk becomes, as a fraction of its height.
    pub height_change: f64,
    /// The farthest that anything goes while it touches the ground.
    pub feet: f64,
    /// In the worst moment, which part of the surface looks the other way.
    pub flipped: f64,
    /// Which part of all edges, over all moments, is shorter than 0.7 times or longer than 1.5 times its length in
    /// plain skinning.
    pub torn_edges: f64,
    /// How far the ground of the motion is above that of the rest pose.
    pub ground_lift: f64,
}

impl Measured {
    pub fn part(&self, part: Part) -> Option<f64> {
        self.parts[part as usize]
    }
}

/// This close to the lowest point of the motion, a vertex counts as standing.
const TOUCHING: f32 = 0.02;
/// A triangle that looks further away than this (cosine) has turned over.
const FLIPPED_COSINE: f32 = -0.5;
/// Vertices that are looked at, over all moments.
const MOST_VERTICES: usize = 1_200_000;
/// What a look is judged by are its liveliest moments: this part of all.
const LIVELIEST: f64 = 0.1;
/// An edge that is shorter, or longer, in parts of its length in plain skinning, looks torn.
const WHOLE_EDGES: std::ops::Range<f32> = 0.7..1.5;

/// What is measured on one character, known once.
pub struct Gauge {
    character: Arc<Character>,
    parts: Vec<PartOfSkin>,
    vertex_areas: Vec<f32>,
}

impl Gauge {
    pub fn new(character: &Arc<Character>, settings: &CharacterSettings) -> Gauge {
        let (parts, vertex_areas) = (parts(character, settings), vertex_areas(character));
        Gauge { character: character.clone(), parts, vertex_areas }
    }

    pub fn measure(&self, show: &Show, progress: &Progress) -> Result<Measured, EvalError> {
        let vertices = self.character.vertex_count().max(1);
        let duration_secs = show.duration_secs();
        let count = match duration_secs > 0.0 {
            true => (MOST_VERTICES / vertices).clamp(8, 48),
            false => 1,
        };
        let mut frames = Vec::with_capacity(count);
        for index in 0..count {
            if progress.is_cancelled() {
                break;
            }
            let time_secs = duration_secs * index as f64 / count as f64;
            let deformed = show.performer().deformed_at(time_secs)?;
            frames
                .push(Sample { skinned: deformed.skinned.positions, deformed: deformed.positions });
        }
        Ok(self.judge(&frames, show.bound().size as f32))
    }

    fn judge(&self, samples: &[Sample], size: f32) -> Measured {
        let lowest = samples.iter().flat_map(|sample| &sample.skinned).map(|p| p.y);
        let ground = lowest.fold(f32::INFINITY, f32::min);
        let mut measured = Measured {
            ground_lift: f64::from(ground - self.character.rest_bounds().0.y) / f64::from(size),
            ..Measured::default()
        };
        let mut lengths = Vec::with_capacity(self.vertex_areas.len() * samples.len());
        let mut of_parts: Vec<Vec<f32>> = vec![Vec::new(); self.parts.len()];
        let mut heights = Vec::new();
        let (mut torn, mut edges) = (0_usize, 0_usize);
        for Sample { skinned, deformed } in samples {
            let length = |vertex: usize| skinned[vertex].distance(deformed[vertex]) / size;
            for (vertex, area) in self.vertex_areas.iter().enumerate() {
                let length = length(vertex);
                lengths.push((length, *area));
                if skinned[vertex].y - ground < TOUCHING * size {
                    measured.feet = measured.feet.max(length.into());
                }
            }
            for (part, means) in self.parts.iter().zip(&mut of_parts) {
                means.push(part.mean(length));
                if part.part == Part::Trunk {
                    heights.push((spread(part, deformed) / spread(part, skinned) - 1.0).abs());
                }
            }
            let worn = self.surface(skinned, deformed, size);
            measured.flipped = measured.flipped.max(worn.flipped);
            torn += worn.torn_edges;
            edges += worn.edges;
        }
        for (part, means) in self.parts.iter().zip(&mut of_parts) {
            measured.parts[part.part as usize] = Some(liveliest(means).into());
        }
        measured.height_change = liveliest(&mut heights).into();
        measured.torn_edges = torn as f64 / edges.max(1) as f64;
        measured.p95 = percentile_of_area(&mut lengths, 0.95).into();
        measured
    }

    fn surface(&self, plain: &[Vec3], moved: &[Vec3], size: f32) -> Worn {
        // Slivers look anywhere, and dots have any length.
        let (least_area, least_length) = ((size * 1e-4).powi(2), size * 1e-3);
        let (mut flipped, mut all) = (0.0_f64, 0.0_f64);
        let (mut torn_edges, mut edges) = (0, 0);
        for triangle in &self.character.mesh.triangles {
            let corners = |at: &[Vec3]| triangle.map(|corner| at[corner as usize]);
            let ([a, b, c], [x, y, z]) = (corners(plain), corners(moved));
            for ((from, to), (new_from, new_to)) in
                [((a, b), (x, y)), ((b, c), (y, z)), ((c, a), (z, x))]
            {
                let length = from.distance(to);
                if length > least_length {
                    edges += 1;
                    let ratio = new_from.distance(new_to) / length;
                    torn_edges += usize::from(!WHOLE_EDGES.contains(&ratio));
                }
            }
            let (was, is) = ((b - a).cross(c - a), (y - x).cross(z - x));
            if was.length() < least_area {
                continue;
            }
            all += f64::from(was.length());
            let cosine = was.dot(is) / (was.length() * is.length()).max(f32::MIN_POSITIVE);
            if cosine < FLIPPED_COSINE {
                flipped += f64::from(was.length());
            }
        }
        Worn { flipped: flipped / all.max(f64::MIN_POSITIVE), torn_edges, edges }
    }
}

/// Both forms of the character at one moment.
struct Sample {
    skinned: Vec<Vec3>,
    deformed: Vec<Vec3>,
}

struct Worn {
    flipped: f64,
    torn_edges: usize,
    edges: usize,
}

/// How high a part is: the deviation of its heights, by area. Its box would be decided by two vertices.
fn spread(part: &PartOfSkin, positions: &[Vec3]) -> f32 {
    let mean = part.mean(|vertex| positions[vertex].y);
    part.mean(|vertex| (positions[vertex].y - mean).powi(2)).sqrt().max(f32::MIN_POSITIVE)
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

/// How far the skin still is from plain skinning, at most, when the motion has ended and its last pose has been
/// held for a moment; as a fraction of the size.
pub fn after_hold(session: &Session) -> Result<f64, FitError> {
    let mut session = session.snapshot();
    let motion = MotionSettings { looped: false, ..session.document().motion.clone() };
    session.perform("Hold", Command::SetMotion(motion));
    let show = Show::new(&session)?;
    let held = show.performer().deformed_at(show.duration_secs() + HELD_SECS)?;
    let lengths = held.skinned.positions.iter().zip(&held.positions).map(|(a, b)| a.distance(*b));
    Ok(f64::from(lengths.fold(0.0, f32::max)) / show.bound().size)
}
