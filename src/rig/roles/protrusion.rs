//! Parts that stand out from the body without bones of their own: ears, a tail, stalks.
//!
//! How far each point of the surface is from the bones that move it has a peak at the tip of every such part.
//! Going down from the peaks, the skin above the level falls into pieces, one around each peak, that grow until
//! they meet. A piece of area A whose rim is h away from its peak is slender while h² ≥ s A: a cone as high as wide
//! has h²/A ≈ 0.7, half a ball 0.3, and an ear 1 or more. The lowest level at which a piece is slender is where
//! the part begins. Pieces that have met may be slender together, as feathers make a wing.

use super::limbs::TOUCHES;
use super::structure::Structure;
use crate::{Character, Influence, Surface};
use glam::{DVec3, Vec3};
use jounce_base::Role;
use jounce_base::parallel::*;

const LEAST_SLENDERNESS: f64 = 0.6;
/// How much farther from the bones a tip is than where its part begins, in sizes of the character.
const LEAST_HEIGHT: f64 = 0.03;
/// A part that leans is longer than its tip is farther from the bones, but not by more than this.
const MOST_LEANING: f64 = 1.6;
/// Parts of parts of parts are looked at so many times.
const MOST_NESTED: usize = 16;
/// Of bones that carry more, only the largest children count.
const MOST_SEGMENTS: usize = 8;
/// Bones that move a vertex less do not say where it belongs.
const LEAST_WEIGHT: f32 = 0.1;
/// A bone at the end of a chain goes through its skin this far beyond the middle of it, in parts of the way there.
const BEYOND_CENTER: f64 = 0.7;

/// What stands out.
#[derive(Debug)]
pub struct Protrusions {
    /// Per vertex from 0, where a part begins, to 1 at its tip; 0 on everything else.
    pub heights: Vec<f32>,
    /// Per vertex the middle of where its part begins, in the rest pose, in the scene; None on everything else.
    pub roots: Vec<Option<Vec3>>,
}

/// A part begins up to this height.
const ROOT_HEIGHT: f32 = 0.2;

pub fn find_protrusions(character: &Character, structure: &Structure) -> Protrusions {
    let surface = character.surface();
    let positions = point_positions(character);
    let distances = surface_distances(character, structure);
    let order = highest_first(&distances);
    let pieces = Pieces::grown(surface, &positions, &distances, &order, Limits::of(structure));
    let of_point = |point: usize| pieces.highest_part(point, distances[point]);
    let of_points: Vec<Option<InPart>> = (0..distances.len()).map(of_point).collect();
    let roots = pieces.roots(&of_points, &positions, &surface.point_areas);
    let height = |part: &Option<InPart>| part.map_or(0.0, |part| part.height);
    let root = |part: &Option<InPart>| part.map(|part| roots[part.piece as usize]);
    Protrusions {
        heights: surface.to_vertices(&of_points.iter().map(height).collect::<Vec<_>>()),
        roots: surface.to_vertices(&of_points.iter().map(root).collect::<Vec<_>>()),
    }
}

/// Feet and hands have toes and fingers, which are no such parts.
pub fn without_toes(character: &Character, values: &[f32], roles: &[Role]) -> Vec<f32> {
    const ENDS: [Role; 4] = [Role::Leg, Role::Foot, Role::Hand, Role::Finger];
    let role = |binding: u32| roles[character.bindings[binding as usize].bone];
    let left = |(value, list): (&f32, &[Influence])| {
        let of_ends = list.iter().filter(|influence| ENDS.contains(&role(influence.index)));
        let share: f32 = of_ends.map(|influence| influence.weight.max(0.0)).sum();
        value * (1.0 - share).clamp(0.0, 1.0)
    };
    values.iter().zip(character.skin.lists()).map(left).collect()
}

fn point_positions(character: &Character) -> Vec<Vec3> {
    let points = &character.surface().points;
    let mut positions = vec![Vec3::ZERO; points.point_count];
    for (&point, &position) in points.point_of_vertex.iter().zip(&character.rest().positions) {
        positions[point as usize] = position;
    }
    positions
}

/// From each point of the surface to the nearest of the bones that move it.
fn surface_distances(character: &Character, structure: &Structure) -> Vec<f32> {
    let surface = character.surface();
    let segments = segments(structure);
    let positions = &character.rest().positions;
    let mut vertex_of_point = vec![0; surface.points.point_count];
    for (vertex, &point) in surface.points.point_of_vertex.iter().enumerate() {
        vertex_of_point[point as usize] = vertex;
    }
    let distance = |&vertex: &usize| {
        let position = positions[vertex].as_dvec3();
        let of_list = |least: f32| {
            let list = character.skin.of(vertex).iter();
            let strong = list.filter(|influence| influence.weight > least);
            let bones = strong.map(|it| character.bindings[it.index as usize].bone);
            let distances = bones.flat_map(|bone| &segments[bone]).map(|it| it.distance(position));
            distances.reduce(f64::min)
        };
        of_list(LEAST_WEIGHT).or_else(|| of_list(0.0)).unwrap_or(0.0) as f32
    };
    vertex_of_point.par_iter().map(distance).collect()
}

struct Segment {
    start: DVec3,
    along: DVec3,
}

impl Segment {
    fn distance(&self, position: DVec3) -> f64 {
        let away = position - self.start;
        let squared = self.along.length_squared();
        let share = if squared > 0.0 { away.dot(self.along) / squared } else { 0.0 };
        away.distance(self.along * share.clamp(0.0, 1.0))
    }
}

/// Per bone the lines that stand for it: to its children, and through its own skin.
fn segments(structure: &Structure) -> Vec<Vec<Segment>> {
    let (tree, measures) = (&structure.tree, &structure.measures);
    let of = |bone: usize| {
        let own = &measures.bones[bone];
        let mut children: Vec<usize> =
            tree.children[bone].iter().copied().filter(|&child| measures.has_skin(child)).collect();
        let area = |bone: usize| measures.bones[bone].branch.area;
        children.sort_by(|&a, &b| area(b).total_cmp(&area(a)));
        children.truncate(MOST_SEGMENTS);
        let goes_on = children.iter().any(|&child| area(child) >= 0.5 * own.area);
        let reach = if goes_on { 1.0 } else { 1.0 + BEYOND_CENTER };
        let ends = children.iter().map(|&child| measures.bones[child].origin - own.origin);
        let ends = ends.chain([(own.center - own.origin) * reach]);
        ends.map(|along| Segment { start: own.origin, along }).collect()
    };
    (0..tree.len()).map(of).collect()
}

fn highest_first(distances: &[f32]) -> Vec<u32> {
    // The bits of positive numbers are in the order of the numbers; where they are equal, places decide.
    let key =
        |(place, distance): (usize, &f32)| u64::from(!distance.to_bits()) << 32 | place as u64;
    let mut keys: Vec<u64> = distances.par_iter().enumerate().map(key).collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

#[derive(Clone, Copy)]
struct Limits {
    height: f64,
    /// What goes below it stands there: a leg without bones.
    ground: f64,
}

impl Limits {
    fn of(structure: &Structure) -> Limits {
        let measures = &structure.measures;
        let ground = measures.ground + TOUCHES * measures.height;
        Limits { height: LEAST_HEIGHT * measures.size, ground }
    }
}

/// The skin above a falling level, one piece for each peak.
struct Pieces {
    all: Vec<Piece>,
    /// The piece that each point came to first.
    of_points: Vec<u32>,
}

struct Piece {
    peak: Vec3,
    /// Its distance from the bones.
    top: f64,
    /// The height of its lowest point above the scene's origin.
    lowest: f32,
    area: f64,
    /// The lowest level at which it was slender and high enough.
    base: Option<f64>,
    /// The higher piece that it came to, and the level where they met.
    joined: Option<(u32, f64)>,
}

impl Pieces {
    fn grown(
        surface: &Surface,
        positions: &[Vec3],
        distances: &[f32],
        order: &[u32],
        limits: Limits,
    ) -> Pieces {
        const NONE: u32 = u32::MAX;
        let mut pieces = Pieces { all: Vec::new(), of_points: vec![NONE; distances.len()] };
        // For each piece the one it belongs to by now, by ways that get shorter as they are gone.
        let mut owner: Vec<u32> = Vec::new();
        for &point in order {
            let point = point as usize;
            let level = f64::from(distances[point]);
            let mut own: Option<u32> = None;
            for &neighbour in surface.neighbours_of(point) {
                let of_neighbour = pieces.of_points[neighbour as usize];
                if of_neighbour == NONE {
                    continue;
                }
                let found = find(&mut owner, of_neighbour);
                own = Some(match own {
                    None => found,
                    Some(own) if own == found => own,
                    Some(own) => {
                        for piece in [own, found] {
                            pieces.all[piece as usize].reach(positions[point], level, limits);
                        }
                        // Pieces are numbered from the highest peak on.
                        let (higher, lower) = (own.min(found), own.max(found));
                        let Piece { area, lowest, .. } = pieces.all[lower as usize];
                        pieces.all[lower as usize].joined = Some((higher, level));
                        let joined = &mut pieces.all[higher as usize];
                        joined.area += area;
                        joined.lowest = joined.lowest.min(lowest);
                        owner[lower as usize] = higher;
                        higher
                    }
                });
            }
            let own = own.unwrap_or_else(|| {
                pieces.all.push(Piece {
                    peak: positions[point],
                    top: level,
                    lowest: f32::INFINITY,
                    area: 0.0,
                    base: None,
                    joined: None,
                });
                owner.push(owner.len() as u32);
                owner.len() as u32 - 1
            });
            pieces.of_points[point] = own;
            let piece = &mut pieces.all[own as usize];
            piece.area += f64::from(surface.point_areas[point]);
            piece.lowest = piece.lowest.min(positions[point].y);
            piece.reach(positions[point], level, limits);
        }
        pieces
    }

    /// How far up a point is in the part it belongs to; where parts belong to larger ones, in the one where it is
    /// highest.
    fn highest_part(&self, point: usize, distance: f32) -> Option<InPart> {
        let distance = f64::from(distance);
        let mut highest: Option<InPart> = None;
        let (mut place, mut level) = (self.of_points[point], f64::INFINITY);
        for _ in 0..MOST_NESTED {
            let piece = &self.all[place as usize];
            if let Some(base) = piece.base.filter(|&base| base <= level) {
                let share = (distance - base) / (piece.top - base);
                let height = share.clamp(0.0, 1.0) as f32;
                if height > highest.map_or(0.0, |part| part.height) {
                    highest = Some(InPart { piece: place, height });
                }
            }
            let Some((joined, met)) = piece.joined else { break };
            (place, level) = (joined, level.min(met));
        }
        highest
    }

    /// Per piece the middle of its lowest skin, by area; of one without skin so low, that of its peak.
    fn roots(&self, of_points: &[Option<InPart>], positions: &[Vec3], areas: &[f32]) -> Vec<Vec3> {
        let mut sums = vec![(DVec3::ZERO, 0.0); self.all.len()];
        for ((part, position), area) in of_points.iter().zip(positions).zip(areas) {
            let Some(InPart { piece, height }) = *part else { continue };
            // Least where the part goes on upward.
            let weight = f64::from((ROOT_HEIGHT - height).max(0.0) * area);
            let (sum, total) = &mut sums[piece as usize];
            (*sum, *total) = (*sum + position.as_dvec3() * weight, *total + weight);
        }
        let root = |((sum, total), piece): ((DVec3, f64), &Piece)| match total > 0.0 {
            true => (sum / total).as_vec3(),
            false => piece.peak,
        };
        sums.into_iter().zip(&self.all).map(root).collect()
    }
}

/// Where a point is in a part.
#[derive(Clone, Copy, Debug)]
struct InPart {
    piece: u32,
    height: f32,
}

impl Piece {
    /// Now that it reaches down to a point of this level.
    fn reach(&mut self, position: Vec3, level: f64, limits: Limits) {
        let rise = self.top - level;
        let way = f64::from(self.peak.distance(position));
        let length = way.min(MOST_LEANING * rise);
        let is_slender = length * length >= LEAST_SLENDERNESS * self.area;
        let stands = f64::from(self.lowest) <= limits.ground;
        if is_slender && rise >= limits.height && self.area > 0.0 && !stands {
            self.base = Some(level);
        }
    }
}

fn find(owner: &mut [u32], piece: u32) -> u32 {
    let mut at = piece;
    while owner[at as usize] != at {
        owner[at as usize] = owner[owner[at as usize] as usize];
        at = owner[at as usize];
    }
    at
}
