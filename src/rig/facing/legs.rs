//! What a character stands on: pieces of its skin near the ground, each below a thin shaft.

use super::{Mean, horizontal};
use crate::Character;
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, HashMap};

/// A leg as far as it matters here.
pub struct Leg {
    /// The bone that moves most of its sole.
    pub bone: usize,
    /// The middle of its sole at rest, in the scene.
    pub sole: DVec3,
    /// From the shaft above to the middle of the foot, in lengths of the foot.
    pub foot_reach: DVec2,
}

// Heights above the lowest point, as fractions of the character's height.
/// Below this is a foot.
const FOOT: f64 = 0.05;
/// Between these is the shaft that it hangs on.
const SHAFT: std::ops::Range<f64> = 0.085..0.14;
/// A shaft is at most so wide, in sizes of the character: a belly on the ground is no leg.
const WIDEST_SHAFT: f64 = 0.22;
/// One piece of a foot and its shaft, by how much they are apart, in sizes: more is a tail.
const FARTHEST_FOOT: f64 = 0.2;
/// A sole this small, as a fraction of the largest one's area, is a claw or a hem.
const LEAST_AREA: f64 = 0.15;

/// Points of a triangle that stand for it, so that coarse legs have a shaft too.
const SAMPLES: usize = 5;

/// One connected piece of low skin.
#[derive(Default)]
struct Piece {
    foot: Mean,
    shaft: Mean,
    foot_box: Option<(DVec2, DVec2)>,
    shaft_box: Option<(DVec2, DVec2)>,
    foot_height: f64,
    by_bone: HashMap<usize, f64>,
}

pub fn legs(character: &Character) -> Vec<Leg> {
    let (lowest, highest) = character.rest_bounds();
    let (ground, height) = (f64::from(lowest.y), f64::from(highest.y - lowest.y));
    let size = character.size();
    if !(height > 0.0) {
        return Vec::new();
    }
    let positions = &character.rest().positions;
    let level = |vertex: u32| (f64::from(positions[vertex as usize].y) - ground) / height;
    let is_low = |corners: &&[u32; 3]| corners.iter().any(|&vertex| level(vertex) < SHAFT.end);
    let low: Vec<[u32; 3]> = character.mesh.triangles.iter().filter(is_low).copied().collect();
    // Sums of floats have an order, so the pieces have one too.
    let mut pieces: BTreeMap<u32, Piece> = BTreeMap::new();
    let mut joined = Joined::new(character, &low);
    for corners in &low {
        let piece = pieces.entry(joined.root(corners[0])).or_default();
        let [a, b, c] = corners.map(|vertex| positions[vertex as usize].as_dvec3());
        let area = 0.5 * (b - a).cross(c - a).length();
        for (i, j) in (0..SAMPLES).flat_map(|i| (0..SAMPLES - i).map(move |j| (i, j))) {
            let [u, v] = [i, j].map(|it| (it as f64 + 1.0 / 3.0) / SAMPLES as f64);
            let point = a + (b - a) * u + (c - a) * v;
            let level = (point.y - ground) / height;
            if level < FOOT {
                piece.foot.add(horizontal(point), area);
                piece.foot_height += point.y * area;
                grow(&mut piece.foot_box, horizontal(point));
            } else if SHAFT.contains(&level) {
                piece.shaft.add(horizontal(point), area);
                grow(&mut piece.shaft_box, horizontal(point));
            }
        }
        for &vertex in corners.iter().filter(|&&vertex| level(vertex) < FOOT) {
            for influence in character.skin.of(vertex as usize) {
                let bone = character.bindings[influence.index as usize].bone;
                *piece.by_bone.entry(bone).or_default() += f64::from(influence.weight) * area;
            }
        }
    }
    let loose: Vec<Piece> =
        pieces.extract_if(.., |_, piece| piece.is_shaft_alone()).map(|it| it.1).collect();
    pieces.values_mut().for_each(|piece| piece.take_shaft_of(&loose));
    let largest = pieces.values().map(|piece| piece.foot.weight).fold(0.0, f64::max);
    let is_foot = |piece: &&Piece| piece.foot.weight >= LEAST_AREA * largest;
    let mut legs: Vec<Leg> =
        pieces.values().filter(is_foot).filter_map(|piece| piece.leg(size)).collect();
    // However the file numbers its vertices.
    let place = |leg: &Leg| [leg.sole.x, leg.sole.z];
    legs.sort_by(|a, b| place(a).partial_cmp(&place(b)).unwrap_or(std::cmp::Ordering::Equal));
    legs
}

impl Piece {
    fn is_shaft_alone(&self) -> bool {
        self.foot.weight <= 0.0
    }

    /// A foot that is a piece of its own, as of a robot, hangs on the shafts that stand over it.
    fn take_shaft_of(&mut self, loose: &[Piece]) {
        let Some((low, high)) = self.foot_box.filter(|_| self.shaft.weight <= 0.0) else { return };
        let around = DVec2::splat(0.5 * (high - low).length());
        let stands_over = |at: DVec2| at.cmpge(low - around).all() && at.cmple(high + around).all();
        for other in loose {
            if other.shaft.value().is_some_and(stands_over) {
                self.shaft.sum += other.shaft.sum;
                self.shaft.weight += other.shaft.weight;
                let corners = other.shaft_box.into_iter().flat_map(|(low, high)| [low, high]);
                corners.for_each(|corner| grow(&mut self.shaft_box, corner));
            }
        }
    }

    fn leg(&self, size: f64) -> Option<Leg> {
        let (foot, shaft) = (self.foot.value()?, self.shaft.value()?);
        let extent = |of: Option<(DVec2, DVec2)>| of.map(|(low, high)| (high - low).length());
        let (length, width) = (extent(self.foot_box)?, extent(self.shaft_box)?);
        let by_weight =
            |a: &(&usize, &f64), b: &(&usize, &f64)| a.1.total_cmp(b.1).then_with(|| b.0.cmp(a.0));
        let (&bone, _) = self.by_bone.iter().max_by(by_weight)?;
        let is_leg = width < WIDEST_SHAFT * size
            && foot.distance(shaft) < FARTHEST_FOOT * size
            && length > 0.0;
        let sole = DVec3::new(foot.x, self.foot_height / self.foot.weight, foot.y);
        is_leg.then(|| Leg { bone, sole, foot_reach: (foot - shaft) / length })
    }
}

fn grow(around: &mut Option<(DVec2, DVec2)>, point: DVec2) {
    let (low, high) = around.unwrap_or((point, point));
    *around = Some((low.min(point), high.max(point)));
}

/// Which corners hang together by triangles; corners at one place are one.
struct Joined {
    parents: HashMap<u32, u32>,
}

impl Joined {
    fn new(character: &Character, triangles: &[[u32; 3]]) -> Joined {
        let mut joined = Joined { parents: HashMap::new() };
        let mut first_at: HashMap<[u32; 3], u32> = HashMap::new();
        for corners in triangles {
            for &vertex in corners {
                let place = character.rest().positions[vertex as usize].to_array();
                let first = *first_at.entry(place.map(f32::to_bits)).or_insert(vertex);
                joined.join(first, vertex);
            }
            joined.join(corners[0], corners[1]);
            joined.join(corners[0], corners[2]);
        }
        joined
    }

    fn root(&mut self, vertex: u32) -> u32 {
        let mut at = vertex;
        while let Some(&parent) = self.parents.get(&at).filter(|&&parent| parent != at) {
            // Halves the way for the next one.
            let above = self.parents.get(&parent).copied().unwrap_or(parent);
            self.parents.insert(at, above);
            at = above;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents.insert(a.max(b), a.min(b));
    }
}
