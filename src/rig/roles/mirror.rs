//! The plane between left and right, found in the rest pose.
//!
//! Bones that hang beside one another propose a plane, by their skin where they have about as much of it, and by
//! their joints, since one hand may hold a sword; so do the axes. The mesh, the bones and the joints say how well
//! each plane mirrors them.

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

/// Where bones with skin begin, those with most skin first.
struct Joints {
    origins: Vec<DVec3>,
    most_away: f64,
}

/// Of those beside one another only the largest are looked at.
const MOST_SIBLINGS: usize = 16;
const MOST_PAIRS: usize = 2_000;
const MOST_PROPOSALS: usize = 10;
const MOST_JOINTS: usize = 128;
/// Two sides of one body have about as much skin.
const LEAST_AREA_RATIO: f64 = 0.6;
/// In sizes of the character.
const SAME_PLACE: f64 = 0.05;
const LEAST_APART: f64 = 0.03;
const SAME_JOINT: f64 = 0.02;
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
    let joints = Joints::new(measures);
    let by_joints = joint_pairs(tree, measures).into_iter().map(|pair| (between(pair), 0.0));
    let proposals = pairs.iter().take(MOST_PROPOSALS).map(|pair| (between(pair.centers), 0.0));
    let score = |mirror: &Mirror| {
        let matched = pairs.iter().filter(|pair| pair.is_mirrored_by(mirror, measures.size));
        let share = 2.0 * matched.map(|pair| pair.area).sum::<f64>() / measures.total_area;
        occupied.symmetry(mirror) + share.min(1.0) + joints.symmetry(mirror)
    };
    let all = axes.into_iter().chain(proposals).chain(by_joints);
    let scored = all.map(|(mirror, bonus)| (mirror, score(&mirror) + bonus));
    // The first of equals, so that x goes before z.
    let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map_or(along(DVec3::X), |(mirror, _)| mirror)
}

/// The plane that mirrors one point into the other, upright.
fn between([a, b]: [DVec3; 2]) -> Mirror {
    let across = DVec3::new(a.x - b.x, 0.0, a.z - b.z).normalize_or(DVec3::X);
    let is_backwards = across.x < 0.0 || (across.x == 0.0 && across.z < 0.0);
    let normal = if is_backwards { -across } else { across };
    Mirror { normal, offset: normal.dot(0.5 * (a + b)) }
}

impl Joints {
    fn new(measures: &Measures) -> Joints {
        let bones = &measures.bones;
        let mut with_skin: Vec<usize> =
            (0..bones.len()).filter(|&bone| bones[bone].area > 0.0).collect();
        with_skin.sort_by(|&a, &b| bones[b].area.total_cmp(&bones[a].area));
        with_skin.truncate(MOST_JOINTS);
        let origins = with_skin.into_iter().map(|bone| bones[bone].origin).collect();
        Joints { origins, most_away: SAME_JOINT * measures.size }
    }

    /// The share of joints that the plane mirrors into others. One that lies in the plane counts half: all do in a
    /// plane along the body of a flat figure.
    fn symmetry(&self, mirror: &Mirror) -> f64 {
        let worth = |joint: &DVec3| {
            let image = mirror.image(*joint);
            if image.distance(*joint) <= self.most_away {
                return 0.5;
            }
            let is_other = |other: &DVec3| image.distance(*other) <= self.most_away;
            f64::from(u8::from(self.origins.iter().any(is_other)))
        };
        self.origins.iter().map(worth).sum::<f64>() / self.origins.len().max(1) as f64
    }
}

/// Joints beside one another, of the bones with most skin below them.
fn joint_pairs(tree: &Tree, measures: &Measures) -> Vec<[DVec3; 2]> {
    let bones = &measures.bones;
    let pairs = pairs_of_children(tree, measures).into_iter().filter_map(|pair| {
        let [one, other] = pair.map(|bone| bones[bone].origin);
        let area = pair.map(|bone| bones[bone].branch.area);
        is_beside(one - other, measures.size).then_some((area[0].min(area[1]), [one, other]))
    });
    let mut found: Vec<(f64, [DVec3; 2])> = pairs.collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(MOST_PROPOSALS).map(|(_, joints)| joints).collect()
}

/// Bones with skin that hang on the same bone, the one with more skin first.
fn pairs_of_children(tree: &Tree, measures: &Measures) -> Vec<[usize; 2]> {
    let area = |bone: usize| measures.bones[bone].branch.area;
    let mut pairs = Vec::new();
    for children in tree.children.iter().chain([&tree.roots]) {
        let mut children: Vec<usize> =
            children.iter().copied().filter(|&bone| measures.has_skin(bone)).collect();
        children.sort_by(|&a, &b| area(b).total_cmp(&area(a)));
        children.truncate(MOST_SIBLINGS);
        for (place, &one) in children.iter().enumerate() {
            pairs.extend(children[place + 1..].iter().map(|&other| [one, other]));
        }
    }
    pairs
}

fn is_beside(apart: DVec3, size: f64) -> bool {
    apart.y.abs() <= 0.3 * apart.length() && apart.length() >= LEAST_APART * size
}

impl Siblings {
    fn is_mirrored_by(&self, mirror: &Mirror, size: f64) -> bool {
        let [a, b] = self.centers;
        mirror.image(a).distance(b) <= SAME_PLACE * size
    }
}

fn siblings(tree: &Tree, measures: &Measures) -> Vec<Siblings> {
    let pairs = pairs_of_children(tree, measures).into_iter();
    let siblings = pairs.filter_map(|pair| {
        let centers = pair.map(|bone| measures.bones[bone].branch.center);
        let [one, other] = pair.map(|bone| measures.bones[bone].branch.area);
        let are_siblings =
            is_beside(centers[0] - centers[1], measures.size) && other >= LEAST_AREA_RATIO * one;
        are_siblings.then_some(Siblings { centers, area: other })
    });
    siblings.collect()
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
