//! What a style does to a character over a whole motion, in three numbers.

use crate::{Progress, Show};
use glam::Vec3;
use jounce_eval::EvalError;

/// Lengths are fractions of the character's size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// 95 of 100 vertices, over all moments, go less far than this.
    pub p95: f64,
    /// The farthest that anything goes while it touches the ground.
    pub feet: f64,
    /// In the worst moment, which part of the triangles looks the other way.
    pub flipped: f64,
    /// How far the ground of the motion is above that of the rest pose.
    pub ground_lift: f64,
}

/// This close to the lowest point of the motion, a vertex counts as standing.
const TOUCHING: f32 = 0.02;
/// A triangle that looks further away than this (cosine) has turned over.
const FLIPPED_COSINE: f32 = -0.5;
/// Vertices that are looked at, over all moments.
const MOST_VERTICES: usize = 600_000;

/// Both forms of the character at one moment.
struct Sample {
    skinned: Vec<Vec3>,
    deformed: Vec<Vec3>,
}

pub fn measure(show: &Show, progress: &Progress) -> Result<Measured, EvalError> {
    let character = show.character().clone();
    let vertices = character.vertex_count().max(1);
    let count = (MOST_VERTICES / vertices).clamp(8, 32);
    let duration_secs = show.duration_secs();
    let count = if duration_secs > 0.0 { count } else { 1 };
    let mut samples = Vec::with_capacity(count);
    for index in 0..count {
        if progress.is_cancelled() {
            break;
        }
        let time_secs = duration_secs * index as f64 / count as f64;
        let deformed = show.performer().deformed_at(time_secs)?;
        samples.push(Sample { skinned: deformed.skinned.positions, deformed: deformed.positions });
    }
    let size = show.bound().size as f32;
    let lowest = samples.iter().flat_map(|sample| &sample.skinned).map(|p| p.y);
    let ground = lowest.fold(f32::INFINITY, f32::min);
    let mut lengths = Vec::with_capacity(vertices * samples.len());
    let (mut feet, mut flipped) = (0.0_f32, 0.0_f64);
    for Sample { skinned, deformed } in &samples {
        for (plain, moved) in skinned.iter().zip(deformed) {
            let length = plain.distance(*moved) / size;
            lengths.push(length);
            if plain.y - ground < TOUCHING * size {
                feet = feet.max(length);
            }
        }
        flipped = flipped.max(flipped_part(&character.mesh.triangles, skinned, deformed, size));
    }
    let ground_lift = f64::from(ground - character.rest_bounds().0.y) / f64::from(size);
    let p95 = percentile(&mut lengths, 0.95);
    Ok(Measured { p95: p95.into(), feet: feet.into(), flipped, ground_lift })
}

fn flipped_part(triangles: &[[u32; 3]], before: &[Vec3], after: &[Vec3], size: f32) -> f64 {
    // Slivers look anywhere.
    let least_area = (size * 1e-4).powi(2);
    let (mut flipped, mut counted) = (0_usize, 0_usize);
    for triangle in triangles {
        let normal = |at: &[Vec3]| {
            let [a, b, c] = triangle.map(|corner| at[corner as usize]);
            (b - a).cross(c - a)
        };
        let (plain, moved) = (normal(before), normal(after));
        if plain.length() < least_area {
            continue;
        }
        counted += 1;
        let cosine = plain.dot(moved) / (plain.length() * moved.length()).max(f32::MIN_POSITIVE);
        flipped += usize::from(cosine < FLIPPED_COSINE);
    }
    flipped as f64 / counted.max(1) as f64
}

fn percentile(values: &mut [f32], part: f64) -> f32 {
    let Some(last) = values.len().checked_sub(1) else { return 0.0 };
    let place = (last as f64 * part).round() as usize;
    *values.select_nth_unstable_by(place, f32::total_cmp).1
}
