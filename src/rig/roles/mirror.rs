//! The plane between left and right, found in the rest pose.
//!
//! Whoever hangs beside one another with about as much skin proposes a plane, and so do the axes; the mesh
//! and the bones themselves say how well each mirrors them.

use super::measures::Measures;
use super::tree::Tree;
use glam::DVec3;

/// n · p = offset, n horizontal.
#[derive(Clone, Copy, Debug)]
pub struct Mirror {
    pub normal: DVec3,
    pub offset: f64,
}

impl Mirror {
    /// To which side, and how far.
    pub fn side(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    pub fn image(&self, point: DVec3) -> DVec3 {
        point - self.normal * (2.0 * self.side(point))
    }
}

/// Two bones that may be left and right of each other.
struct Siblings {
    centers: [DVec3; 2],
    area: f64,
}

/// Of those beside one another only the largest are looked at.
const MOST_SIBLINGS: usize = 16;
const MOST_PAIRS: usize = 2_000;
const MOST_PROPOSALS: usize = 10;
/// Two sides of one body have about as much skin.
const LEAST_AREA_RATIO: f64 = 0.6;
/// In sizes of the character.
const SAME_PLACE: f64 = 0.05;
const LEAST_APART: f64 = 0.03;
/// What files are made along: it wins where others are no better.
const AXIS_BONUS: f64 = 0.05;

pub fn find(tree: &Tree, measures: &Measures, positions: &[glam::Vec3]) -> Mirror {
    let occupied = Occupied::new(positions, measures.size);
    let mut pairs = siblings(tree, measures);
    pairs.sort_by(|a, b| b.area.total_cmp(&a.area));
    pairs.truncate(MOST_PAIRS);
    let middle = occupied.middle;
    let along = |normal: DVec3| Mirror { normal, offset: normal.dot(middle) };
    let axes = [DVec3::X, DVec3::Z].map(|axis| (along(axis), AXIS_BONUS));
    let proposals = pairs.iter().take(MOST_PROPOSALS).map(|pair| (pair.mirror(), 0.0));
    let score = |mirror: &Mirror| {
        let matched = pairs.iter().filter(|pair| pair.is_mirrored_by(mirror, measures.size));
        let share = 2.0 * matched.map(|pair| pair.area).sum::<f64>() / measures.total_area;
        occupied.symmetry(mirror) + share.min(1.0)
    };
    let all = axes.into_iter().chain(proposals);
    let scored = all.map(|(mirror, bonus)| (mirror, score(&mirror) + bonus));
    // The first of equals, so that x goes before z.
    let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map_or(along(DVec3::X), |(mirror, _)| mirror)
}

impl Siblings {
    fn mirror(&self) -> Mirror {
        let [a, b] = self.centers;
        let across = DVec3::new(a.x - b.x, 0.0, a.z - b.z).normalize_or(DVec3::X);
        let is_backwards = across.x < 0.0 || (across.x == 0.0 && across.z < 0.0);
        let normal = if is_backwards { -across } else { across };
        Mirror { normal, offset: normal.dot(0.5 * (a + b)) }
    }

    fn is_mirrored_by(&self, mirror: &Mirror, size: f64) -> bool {
        let [a, b] = self.centers;
        mirror.image(a).distance(b) <= SAME_PLACE * size
    }
}

fn siblings(tree: &Tree, measures: &Measures) -> Vec<Siblings> {
    let mut found = Vec::new();
    for group in tree.children.iter().chain([&tree.roots]) {
        let mut group: Vec<usize> =
            group.iter().copied().filter(|&bone| measures.has_skin(bone)).collect();
        let area = |bone: usize| measures.bones[bone].branch.area;
        group.sort_by(|&a, &b| area(b).total_cmp(&area(a)));
        group.truncate(MOST_SIBLINGS);
        for (place, &one) in group.iter().enumerate() {
            for &other in &group[place + 1..] {
                let centers = [one, other].map(|bone| measures.bones[bone].branch.center);
                let apart = centers[0] - centers[1];
                let is_level = apart.y.abs() <= 0.3 * apart.length();
                let is_apart = apart.length() >= LEAST_APART * measures.size;
                if is_level && is_apart && area(other) >= LEAST_AREA_RATIO * area(one) {
                    found.push(Siblings { centers, area: area(other) });
                }
            }
        }
    }
    found
}

/// Cells along the largest side.
const CELLS: usize = 50;
/// Vertices that are mirrored.
const MOST_SAMPLES: usize = 1_000;

/// Where there is skin at all, in cells.
struct Occupied {
    lowest: DVec3,
    middle: DVec3,
    cell: f64,
    is_full: Vec<bool>,
    samples: Vec<DVec3>,
}

impl Occupied {
    fn new(positions: &[glam::Vec3], size: f64) -> Occupied {
        let (lowest, highest) = crate::bounds(positions);
        let (lowest, highest) = (lowest.as_dvec3(), highest.as_dvec3());
        let step = positions.len().div_ceil(MOST_SAMPLES).max(1);
        let samples = positions.iter().step_by(step).map(|p| p.as_dvec3()).collect();
        let cell = (size / CELLS as f64).max(f64::MIN_POSITIVE);
        let is_full = vec![false; (CELLS + 1).pow(3)];
        let middle = 0.5 * (lowest + highest);
        let mut occupied = Occupied { lowest, middle, cell, is_full, samples };
        for position in positions {
            if let Some(place) = occupied.place(occupied.cell_of(position.as_dvec3())) {
                occupied.is_full[place] = true;
            }
        }
        occupied
    }

    fn cell_of(&self, point: DVec3) -> [i64; 3] {
        ((point - self.lowest) / self.cell).to_array().map(|x| x.floor() as i64)
    }

    fn place(&self, cell: [i64; 3]) -> Option<usize> {
        let is_inside = cell.iter().all(|x| (0..=CELLS as i64).contains(x));
        let [x, y, z] = cell.map(|x| x as usize);
        is_inside.then(|| (x * (CELLS + 1) + y) * (CELLS + 1) + z)
    }

    /// The share of mirrored vertices that come to lie on skin, or in the cell beside it.
    fn symmetry(&self, mirror: &Mirror) -> f64 {
        let is_near = |point: &&DVec3| {
            let [x, y, z] = self.cell_of(mirror.image(**point));
            let around = -1..=1_i64;
            around.clone().any(|dx| {
                around.clone().any(|dy| {
                    around.clone().any(|dz| {
                        let cell =
                            [x.saturating_add(dx), y.saturating_add(dy), z.saturating_add(dz)];
                        self.place(cell).is_some_and(|place| self.is_full[place])
                    })
                })
            })
        };
        self.samples.iter().filter(is_near).count() as f64 / self.samples.len().max(1) as f64
    }
}
