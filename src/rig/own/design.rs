//! An animal as its file describes it, and the way from there to a character.

use super::bead::Bead;
use super::field::{DistanceField, Local};
use super::mesher;
use super::paint::{Color, smoothstep, srgb};
use super::shape::{Piece, Shape};
use super::weights;
use crate::{
    Binding, Character, CharacterError, CharacterParts, Clip, Influence, Influences, Map, Mesh,
    Node, Part, Skeleton, SkeletonError, Trs,
};
use glam::{DAffine3, Quat, Vec3};
use jounce_base::parallel::*;
use thiserror::Error;

/// A bone from its joint to where the next begins. At rest its axes are those of the scene.
#[derive(Clone, Debug)]
pub struct BoneSpec {
    pub name: String,
    pub parent: Option<usize>,
    pub head: Vec3,
    pub tail: Vec3,
}

impl BoneSpec {
    pub fn distance_squared(&self, point: Vec3) -> f32 {
        let axis = self.tail - self.head;
        let part = (point - self.head).dot(axis) / axis.length_squared().max(1e-12);
        point.distance_squared(self.head + axis * part.clamp(0.0, 1.0))
    }
}

pub struct Design {
    pub name: &'static str,
    pub default_vertices: usize,
    pub bones: Vec<BoneSpec>,
    pub shapes: Vec<Shape>,
    pub beads: Vec<Bead>,
    pub clips: Vec<Clip>,
}

#[derive(Debug, Error)]
pub enum DesignError {
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    #[error(transparent)]
    Character(#[from] CharacterError),
}

impl Design {
    pub fn new(name: &'static str, default_vertices: usize) -> Design {
        Design {
            name,
            default_vertices,
            bones: Vec::new(),
            shapes: Vec::new(),
            beads: Vec::new(),
            clips: Vec::new(),
        }
    }

    pub fn bone(&mut self, name: &str, parent: Option<usize>, head: Vec3, tail: Vec3) -> usize {
        self.bones.push(BoneSpec { name: name.to_string(), parent, head, tail });
        self.bones.len() - 1
    }

    pub fn add(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    /// The shape on the left, +X, and its mirror image on the right.
    /// Its bones move to their `.R` namesakes; patterns do not mirror, hides are not symmetric.
    pub fn add_pair(&mut self, shape: Shape) {
        let mut mirror = shape.clone();
        mirror.pieces.iter_mut().for_each(mirror_piece);
        mirror.flatten = mirror.flatten.map(|flatten| flatten.mirrored());
        mirror.bones = shape.bones.iter().map(|&bone| self.opposite(bone)).collect();
        mirror.fade = mirror.fade.map(|ends| ends.map(flip));
        self.add(shape);
        self.add(mirror);
    }

    /// The bone of the other side: `Wing.L` → `Wing.R`, `Leg.FL` → `Leg.FR`, or the bone itself.
    fn opposite(&self, bone: usize) -> usize {
        let Some(stem) = self.bones[bone].name.strip_suffix('L') else {
            return bone;
        };
        let wanted = format!("{stem}R");
        self.bones.iter().position(|candidate| candidate.name == wanted).unwrap_or(bone)
    }

    /// A pair of eyes: white, dark pupil, a glint above.
    pub fn add_eyes(&mut self, center: Vec3, radius: f32, gaze: Vec3, bone: usize, iris: Color) {
        let gaze = gaze.normalize();
        let glint_way = (gaze + Vec3::new(0.12, 0.42, 0.1)).normalize();
        let dark = srgb(0x17131a);
        for side in [1.0, -1.0] {
            let place = |v: Vec3| Vec3::new(v.x * side, v.y, v.z);
            self.beads.push(Bead {
                center: place(center),
                radius,
                gaze: place(gaze),
                bone,
                rings: vec![(dark, 40.0), (iris, 56.0), (srgb(0xfffdf6), 180.0)],
                anchor: place(center),
            });
            let glint = center + glint_way * (radius * 0.86);
            let glint = Bead::plain(place(glint), radius * 0.24, bone, Color::ONE);
            self.beads.push(Bead { anchor: place(center), ..glint });
        }
    }

    pub fn into_character(self, target: Option<usize>) -> Result<Character, DesignError> {
        let mut beads = Mesh::default();
        let bead_counts: Vec<usize> =
            self.beads.iter().map(|bead| bead.append_to(&mut beads)).collect();
        let bead_vertices: usize = bead_counts.iter().sum();
        let wanted = target.unwrap_or(self.default_vertices);
        let body_vertices = wanted.saturating_sub(bead_vertices).max(500);

        let field = DistanceField { shapes: self.shapes };
        let surface = mesher::mesh(&field, body_vertices);
        let painted: Vec<(Color, f32)> = surface
            .positions
            .par_iter()
            .enumerate()
            .map(|(vertex, &point)| paint(&field, surface.local(vertex), point))
            .collect();
        let mut skin = Influences::with_capacity(wanted, wanted * 2);
        for list in weights::skin(&field, &surface, &self.bones) {
            skin.push(list);
        }
        let mut softness: Vec<f32> = painted.iter().map(|&(_, softness)| softness).collect();
        let whole = field.whole();
        for (bead, count) in self.beads.iter().zip(bead_counts) {
            // As soft as the flesh it sits in, or it would be left behind.
            let bead_softness = paint(&field, &whole, bead.anchor).1;
            for _ in 0..count {
                skin.push([Influence { index: bead.bone as u32, weight: 1.0 }]);
                softness.push(bead_softness);
            }
        }
        let mut mesh = Mesh {
            colors: painted.iter().map(|&(color, _)| [color.x, color.y, color.z, 1.0]).collect(),
            positions: surface.positions,
            normals: surface.normals,
            triangles: surface.triangles,
            ..Mesh::default()
        };
        append(&mut mesh, beads);
        assemble(self.name, &self.bones, mesh, skin, softness, self.clips)
    }
}

fn flip(point: Vec3) -> Vec3 {
    Vec3::new(-point.x, point.y, point.z)
}

fn mirror_piece(piece: &mut Piece) {
    match piece {
        Piece::Cone { cone, .. } => *cone = cone.map(flip),
        Piece::Turned { center, .. } => *center = flip(*center),
        Piece::Ellipsoid { center, world_from_local, .. } => {
            *center = flip(*center);
            let [x, y, z, w] = world_from_local.to_array();
            *world_from_local = Quat::from_xyzw(x, -y, -z, w);
        }
        Piece::Triangle { corners, .. } => *corners = corners.map(flip),
    }
}

/// Colour and softness where the surface passes through `point`.
fn paint(field: &DistanceField, local: &Local, point: Vec3) -> (Color, f32) {
    let mut color = Color::ZERO;
    let (mut softness, mut rigid) = (0.0, 0.0);
    for share in local.shares(point, 1.0) {
        let shape = &field.shapes[share.shape];
        color += share.weight * (shape.pattern)(point, share.along);
        if shape.rigid {
            rigid += share.weight;
        } else {
            softness += share.weight * shape.softness_at(share.along);
        }
    }
    // Nothing is left of the softness where the rigid shape takes over.
    let left = 1.0 - smoothstep(0.0, 0.5, rigid);
    (color.clamp(Color::ZERO, Color::ONE), softness * left)
}

fn append(mesh: &mut Mesh, other: Mesh) {
    let shift = mesh.positions.len() as u32;
    mesh.positions.extend(other.positions);
    mesh.normals.extend(other.normals);
    mesh.colors.extend(other.colors);
    let shifted = other.triangles.iter().map(|t| t.map(|corner| corner + shift));
    mesh.triangles.extend(shifted);
}

fn assemble(
    name: &str,
    bones: &[BoneSpec],
    mut mesh: Mesh,
    skin: Influences,
    softness: Vec<f32>,
    clips: Vec<Clip>,
) -> Result<Character, DesignError> {
    let mut nodes: Vec<Node> = bones
        .iter()
        .map(|bone| {
            let parent_head = bone.parent.map_or(Vec3::ZERO, |parent| bones[parent].head);
            let rest = Trs::at((bone.head - parent_head).as_dvec3());
            Node::new(bone.name.clone(), bone.parent, rest)
        })
        .collect();
    // The mesh hangs on a node of its own beside the bones: a skin ignores its node's transform.
    let mut title = name.to_string();
    title[..1].make_ascii_uppercase();
    nodes.push(Node::new(title.clone(), None, Trs::IDENTITY));
    let is_bone: Vec<bool> = (0..nodes.len()).map(|node| node < bones.len()).collect();
    let skeleton = Skeleton::new(nodes, &is_bone)?;
    mesh.parts = vec![Part {
        name: title,
        node: bones.len(),
        vertices: 0..mesh.positions.len(),
        triangles: 0..mesh.triangles.len(),
        material: None,
    }];
    let bindings = bones
        .iter()
        .enumerate()
        .map(|(node, bone)| Binding {
            node,
            bone: skeleton.bone_at_or_above[node].unwrap_or(0),
            node_from_bind: DAffine3::from_translation(-bone.head.as_dvec3()),
        })
        .collect();
    Ok(Character::new(CharacterParts {
        name: name.to_string(),
        skeleton,
        bindings,
        mesh,
        skin,
        rest_morph_weights: Vec::new(),
        maps: vec![Map {
            name: "softness".to_string(),
            attribute: "_SOFTNESS".to_string(),
            values: softness,
        }],
        clips,
        notes: Vec::new(),
    })?)
}
