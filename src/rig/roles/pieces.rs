//! Rigid pieces: eyes, helmets, rivets, plates. A piece of the surface that hangs on nothing else and on one
//! bone only.

use super::skin_below;
use crate::polar::proper_rotation;
use crate::{Character, Surface};
use glam::{DQuat, DVec3};
use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub struct RigidPieces {
    /// Per vertex the piece it belongs to.
    pub of_vertices: Vec<Option<u32>>,
    pub all: Vec<RigidPiece>,
    /// Per piece.
    pub vertices: Vec<Vec<u32>>,
    /// Per piece some vertices of the skin, or of the larger piece, that it sits on; none where it sits on nothing
    /// of its bone.
    skin_below: Vec<Vec<u32>>,
    /// Per piece the one that it moves with: itself, or the one that it sits on, as a rivet sits on a plate.
    moves_with: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidPiece {
    pub bone: usize,
    pub area: f64,
    /// The middle of its surface in the rest pose, in the scene.
    pub center: DVec3,
}

/// Of all skin: a larger piece is the body, whatever it hangs on.
const LARGEST_SHARE: f64 = 0.6;
/// What is inside of a piece of so many times its area belongs to it.
const LARGER: f64 = 4.0;
/// How many pieces of a bone others may be inside of.
const MOST_LARGEST: usize = 8;
/// In sizes of the character: what is so near to a piece is inside of it.
const AROUND: f64 = 0.01;
/// Weights that add up to less than this besides the largest come from rounding.
const ROUNDING: f32 = 1e-3;

impl RigidPieces {
    pub fn new(character: &Character) -> RigidPieces {
        let surface = character.surface();
        let component_of_points = components(surface);
        let count = component_of_points.iter().max().map_or(0, |&last| last as usize + 1);
        let total: f64 = surface.point_areas.iter().map(|&area| f64::from(area)).sum();
        let mut found = vec![Component::default(); count];
        let positions = &character.rest().positions;
        let mut is_counted = vec![false; surface.points.point_count];
        for (vertex, &point) in surface.points.point_of_vertex.iter().enumerate() {
            if std::mem::replace(&mut is_counted[point as usize], true) {
                continue;
            }
            let component = &mut found[component_of_points[point as usize] as usize];
            component.hangs = component.hangs.and(only_bone(character, vertex));
            let area = f64::from(surface.point_areas[point as usize]);
            component.area += area;
            component.sum += positions[vertex].as_dvec3() * area;
        }
        let mut all = Vec::new();
        let piece_of_components: Vec<Option<u32>> = found
            .iter()
            .map(|component| {
                let Hangs::OnOne(bone) = component.hangs else { return None };
                let is_piece = component.area > 0.0 && component.area < LARGEST_SHARE * total;
                is_piece.then(|| {
                    let center = component.sum / component.area;
                    all.push(RigidPiece { bone, area: component.area, center });
                    all.len() as u32 - 1
                })
            })
            .collect();
        let of_points: Vec<Option<u32>> = component_of_points
            .iter()
            .map(|&component| piece_of_components[component as usize])
            .collect();
        let of_vertices = surface.to_vertices(&of_points);
        let mut vertices = vec![Vec::new(); all.len()];
        for (vertex, piece) in of_vertices.iter().enumerate() {
            piece.iter().for_each(|&piece| vertices[piece as usize].push(vertex as u32));
        }
        let (skin_below, moves_with) = (Vec::new(), Vec::new());
        let mut pieces = RigidPieces { of_vertices, all, vertices, skin_below, moves_with };
        pieces.skin_below = skin_below::find(character, &pieces);
        pieces.moves_with = pieces.carriers(character);
        pieces
    }

    /// The larger ones first, so that what they move with is known.
    fn largest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by(|&a, &b| self.all[b].area.total_cmp(&self.all[a].area));
        order
    }

    /// What sits on a piece with most of what is looked at moves with it; so does what is inside of one of the
    /// largest of its bone, for on plates of few triangles no vertex need be near.
    fn carriers(&self, character: &Character) -> Vec<u32> {
        let mut moves_with: Vec<u32> = (0..self.all.len() as u32).collect();
        let mut largest_of_bones: HashMap<usize, Vec<(usize, Bounds)>> = HashMap::new();
        for piece in self.largest_first() {
            let RigidPiece { bone, area, center } = self.all[piece];
            let largest = largest_of_bones.entry(bone).or_default();
            let is_inside = |(larger, bounds): &&(usize, Bounds)| {
                self.all[*larger].area > LARGER * area && bounds.holds(center)
            };
            // The smallest of them is the nearest.
            if let Some((larger, _)) = largest.iter().rev().find(is_inside) {
                moves_with[piece] = moves_with[*larger];
            }
            if largest.len() < MOST_LARGEST {
                let bounds = Bounds::of(character, &self.vertices[piece]);
                largest.push((piece, bounds));
            }
            let below: Vec<Option<u32>> =
                self.skin_below[piece].iter().map(|&it| self.of_vertices[it as usize]).collect();
            let share = |other: u32| below.iter().filter(|it| **it == Some(other)).count();
            let most = below.iter().flatten().copied().max_by_key(|&other| share(other));
            if let Some(carrier) = most.filter(|&other| share(other) * 2 > below.len()) {
                moves_with[piece] = moves_with[carrier as usize];
            }
        }
        moves_with
    }

    /// Per vertex, in the frame of its bone: where the middle of its piece is, or of the one that its piece sits on,
    /// seen from it; 0 outside of pieces.
    pub fn offsets_to_centers(&self, character: &Character) -> Vec<DVec3> {
        let rest = character.rest_pose();
        let rotation = |piece: &RigidPiece| {
            let node = character.skeleton.bones[piece.bone].node;
            proper_rotation(rest.scene_from_node[node].matrix3).inverse()
        };
        let bone_from_scene: Vec<DQuat> = self.all.iter().map(rotation).collect();
        let positions = &character.rest().positions;
        let offset = |(vertex, piece): (usize, &Option<u32>)| match piece {
            Some(piece) => {
                let carrier = self.moves_with[*piece as usize];
                let away = self.all[carrier as usize].center - positions[vertex].as_dvec3();
                bone_from_scene[*piece as usize] * away
            }
            None => DVec3::ZERO,
        };
        self.of_vertices.iter().enumerate().map(offset).collect()
    }

    /// Gives each piece one number: that of the skin it sits on, so that an eye moves as its face does, or else
    /// the mean over its own vertices.
    pub fn even_out(&self, values: &mut [f32], vertex_areas: &[f64]) {
        // The larger ones first: what a pupil sits on is an eye, which sits in a face.
        for piece in self.largest_first() {
            let value = |vertex: &u32| f64::from(values[*vertex as usize]);
            let (skin, own) = (&self.skin_below[piece], &self.vertices[piece]);
            let (sum, total) = match skin.is_empty() {
                true => own.iter().fold((0.0, 0.0), |(sum, total), vertex| {
                    let area = vertex_areas[*vertex as usize];
                    (sum + value(vertex) * area, total + area)
                }),
                false => (skin.iter().map(value).sum(), skin.len() as f64),
            };
            if total > 0.0 {
                let even = (sum / total) as f32;
                own.iter().for_each(|&vertex| values[vertex as usize] = even);
            }
        }
    }
}

/// A box around a piece.
struct Bounds([DVec3; 2]);

impl Bounds {
    fn of(character: &Character, vertices: &[u32]) -> Bounds {
        let positions = &character.rest().positions;
        let around = DVec3::splat(AROUND * character.size());
        let start = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let [low, high] = vertices.iter().fold(start, |[low, high], &vertex| {
            let position = positions[vertex as usize].as_dvec3();
            [low.min(position), high.max(position)]
        });
        Bounds([low - around, high + around])
    }

    fn holds(&self, position: DVec3) -> bool {
        let Bounds([low, high]) = self;
        position.cmpge(*low).all() && position.cmple(*high).all()
    }
}

#[derive(Clone, Default)]
struct Component {
    hangs: Hangs,
    area: f64,
    sum: DVec3,
}

#[derive(Clone, Copy, Default)]
enum Hangs {
    #[default]
    Unknown,
    OnOne(usize),
    OnMany,
}

impl Hangs {
    fn and(self, only: Option<usize>) -> Hangs {
        match (self, only) {
            (Hangs::Unknown, Some(bone)) => Hangs::OnOne(bone),
            (Hangs::OnOne(bone), Some(other)) if bone == other => self,
            _ => Hangs::OnMany,
        }
    }
}

/// The bone of a vertex that no other bone moves.
fn only_bone(character: &Character, vertex: usize) -> Option<usize> {
    let list = character.skin.of(vertex);
    let bone = |binding: u32| character.bindings[binding as usize].bone;
    let (only, _) = character.strongest_bone(vertex)?;
    let others = list.iter().filter(|influence| bone(influence.index) != only);
    let rest: f32 = others.map(|influence| influence.weight.max(0.0)).sum();
    (rest <= ROUNDING).then_some(only)
}

/// Per point the number of the connected piece it belongs to.
fn components(surface: &Surface) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let points = surface.points.point_count;
    let mut of_points = vec![NONE; points];
    let mut count = 0;
    let mut open = Vec::new();
    for start in 0..points {
        if of_points[start] != NONE {
            continue;
        }
        of_points[start] = count;
        open.push(start as u32);
        while let Some(point) = open.pop() {
            for &neighbour in surface.neighbours_of(point as usize) {
                if of_points[neighbour as usize] == NONE {
                    of_points[neighbour as usize] = count;
                    open.push(neighbour);
                }
            }
        }
        count += 1;
    }
    of_points
}
