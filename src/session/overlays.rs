//! What is drawn over a character, in the viewport and in pictures: its bones, their axes and centroids, the
//! trajectories of vertices, the path of one over the motion, vectors of a port.
//!
//! The skeleton is that of the file, which poses follow: its sticks are what a hand grabs and turns. Centroids are those
//! of the bones as the style hangs them: there, and only there, does it matter whom a bone moves relative to.

use super::{Trajectories, VertexPath};
use glam::{DVec3, Vec3};
use jounce_draw::{Facing, Mark, Shape};
use jounce_rig::centroid::offset_centroids;
use jounce_rig::motion::BoneMotion;
use jounce_rig::{Character, Pose};

// sRGB.
const AXES: [[u8; 3]; 3] = [[235, 84, 84], [110, 200, 90], [84, 146, 245]];
const LIGHT: [u8; 3] = [212, 214, 218];
const GREY: [u8; 3] = [140, 144, 152];
const CHOSEN: [u8; 3] = [255, 158, 74];
const DARK: [u8; 3] = [24, 25, 28];
const TRACE: [u8; 3] = [20, 96, 160];
/// Of a path: as plain skinning has it, and as the style has it.
pub const PLAIN_PATH: [u8; 3] = [112, 190, 255];
pub const STYLED_PATH: [u8; 3] = CHOSEN;

/// The length of a bone's axes, as a fraction of the character's size.
pub const AXIS_LENGTH: f32 = 0.045;
/// What is left of traces where the surface looks away.
const AWAY: f32 = 0.22;
/// The longest arrow, as a fraction of the character's size.
const LONGEST_ARROW: f32 = 0.10;
/// Vertices that have an arrow.
pub const ARROWS: usize = 300;

/// A stick needs somewhere to point to.
fn leaves(character: &Character) -> Vec<usize> {
    let bones = &character.skeleton.bones;
    let mut is_leaf = vec![true; bones.len()];
    bones.iter().filter_map(|bone| bone.parent).for_each(|parent| is_leaf[parent] = false);
    (0..bones.len()).filter(|&bone| is_leaf[bone]).collect()
}

/// The parent of each bone's joint, then of a tip for every bone without children.
pub fn joint_parents(character: &Character) -> Vec<Option<usize>> {
    let joints = character.skeleton.bones.iter().map(|bone| bone.parent);
    joints.chain(leaves(character).into_iter().map(Some)).collect()
}

/// Bones without children point at the centre of what they move.
pub fn joints(character: &Character, pose: &Pose) -> Vec<Vec3> {
    let centroids = character.centroids().evaluate(character, pose);
    let joints = (0..centroids.len()).map(|bone| character.bone_origin(pose, bone));
    let tips = leaves(character).into_iter().map(|bone| centroids[bone]);
    joints.chain(tips).map(|joint| joint.as_vec3()).collect()
}

/// x, y and z of each bone, red, green and blue.
pub fn axes(character: &Character, pose: &Pose) -> Vec<Mark> {
    let length = character.size() as f32 * AXIS_LENGTH;
    let of_bone = |bone: usize| {
        let origin = character.bone_origin(pose, bone).as_vec3();
        let rotation = character.bone_rotation(pose, bone).as_mat3();
        let axes = [rotation.x_axis, rotation.y_axis, rotation.z_axis];
        let mark = move |(axis, color): (Vec3, [u8; 3])| {
            Mark::line(origin, origin + axis * length, 1.8, color)
        };
        axes.into_iter().zip(AXES).map(mark)
    };
    (0..character.skeleton.bones.len()).flat_map(of_bone).collect()
}

/// Where the centroids are in a pose, moved by what a document has set; see [`jounce_eval::Bound`].
pub fn centroids_of(character: &Character, pose: &Pose, offsets: &[DVec3]) -> Vec<Vec3> {
    let mut centroids = character.centroids().evaluate(character, pose);
    offset_centroids(character, pose, &mut centroids, offsets);
    centroids.iter().map(|centroid| centroid.as_vec3()).collect()
}

/// The centre of what each bone moves, with a line from its joint. Chosen bones stand out, and so do
/// centroids that were moved.
pub fn centroids(
    character: &Character,
    pose: &Pose,
    offsets: &[DVec3],
    chosen: &[usize],
) -> Vec<Mark> {
    let of_bone = |(bone, centroid): (usize, Vec3)| {
        let joint = character.bone_origin(pose, bone).as_vec3();
        let is_chosen = chosen.contains(&bone);
        let is_moved = offsets.get(bone).is_some_and(|offset| offset.length_squared() > 0.0);
        let color = if is_chosen { CHOSEN } else { LIGHT };
        let shade = Mark { opacity: 0.5, ..Mark::line(joint, centroid, 3.0, DARK) };
        let line = Mark { opacity: 0.8, ..Mark::line(joint, centroid, 1.5, color) };
        let at_centroid = if is_moved || is_chosen { CHOSEN } else { GREY };
        [shade, line, Mark::dot(joint, 2.0, color), Mark::dot(centroid, 4.5, at_centroid)]
    };
    centroids_of(character, pose, offsets).into_iter().enumerate().flat_map(of_bone).collect()
}

/// From each joint to those below it; a bone without any ends at its centroid. With whose bone each is.
pub fn sticks(character: &Character, pose: &Pose, offsets: &[DVec3]) -> Vec<(usize, Vec3, Vec3)> {
    let skeleton = &character.skeleton;
    let centroids = centroids_of(character, pose, offsets);
    let joint = |bone: usize| character.bone_origin(pose, bone).as_vec3();
    let mut sticks = Vec::new();
    for (bone, of) in skeleton.bones.iter().enumerate() {
        if let Some(parent) = of.parent {
            sticks.push((parent, joint(parent), joint(bone)));
        }
    }
    for bone in leaves(character) {
        sticks.push((bone, joint(bone), centroids.get(bone).copied().unwrap_or(joint(bone))));
    }
    sticks
}

/// An arrow shows how far a point gets in this many seconds.
pub const SECS_PER_ARROW: f32 = 0.25;

/// Of velocities that were made up: as arrows, of a turn at the end of the bone. None is longer than the
/// longest.
pub fn velocities(
    character: &Character,
    pose: &Pose,
    offsets: &[DVec3],
    by_bone: impl Iterator<Item = (usize, BoneMotion)>,
    longest: f32,
) -> Vec<Mark> {
    let sticks = sticks(character, pose, offsets);
    let mut marks = Vec::new();
    for (bone, motion) in by_bone.filter(|(_, motion)| *motion != BoneMotion::ZERO) {
        let joint = character.bone_origin(pose, bone).as_vec3();
        let tip = sticks.iter().find(|(of, ..)| *of == bone).map_or(joint, |(_, _, tip)| *tip);
        let of_turn = motion.angular.as_vec3().cross(tip - joint);
        let velocity = (motion.linear.as_vec3() + of_turn) * SECS_PER_ARROW;
        let from = if motion.angular.length_squared() > 0.0 { tip } else { joint.midpoint(tip) };
        let to = from + velocity.clamp_length_max(longest);
        marks.push(Mark::new(Shape::Arrow { from, to, width: 2.5, head: 9.0 }, CHOSEN));
    }
    marks
}

/// Where vertices go as a velocity grows, faint where the surface looks away; displacements drawn so many
/// times as large.
pub fn traces(trajectories: &Trajectories, normals: &[Vec3], exaggeration: f32) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (path, &vertex) in trajectories.paths.iter().zip(&trajectories.vertices) {
        let (Some(&first), normal) = (path.first(), normals.get(vertex)) else { continue };
        let points: Vec<Vec3> =
            path.iter().map(|point| first + (*point - first) * exaggeration).collect();
        let Some(&end) = points.last().filter(|end| **end != first) else { continue };
        let facing = normal.map(|&normal| Facing { normal, when_away: AWAY });
        let line = |width| Shape::Line { points: points.clone(), width };
        let dot = |radius| Shape::Dot { at: end, radius, has_edge: false };
        // A light edge, so that they are seen on dark skin too.
        let edge =
            [line(3.4), dot(3.3)].map(|shape| Mark { opacity: 0.55, ..Mark::new(shape, LIGHT) });
        let trace = [line(1.6), dot(2.2)].map(|shape| Mark::new(shape, TRACE));
        marks.extend(edge.into_iter().chain(trace).map(|mark| Mark { facing, ..mark }));
    }
    marks
}

/// The way of a vertex with a tick for each frame; plain skinning's below the styled one. `now` is where it is
/// at present, plain and styled; displacements are drawn so many times as large.
pub fn path(path: &VertexPath, now: Option<[Vec3; 2]>, exaggeration: f32) -> Vec<Mark> {
    let larger = |plain: Vec3, styled: Vec3| plain + (styled - plain) * exaggeration;
    let styled: Vec<Vec3> = path
        .plain
        .iter()
        .zip(&path.styled)
        .map(|(plain, styled)| larger(*plain, *styled))
        .collect();
    let mut marks = Vec::new();
    for (points, color) in [(&path.plain, PLAIN_PATH), (&styled, STYLED_PATH)] {
        let mut line = points.clone();
        line.extend(points.first().filter(|_| path.is_closed));
        let stroke = |width| Shape::Line { points: line.clone(), width };
        marks.push(Mark { opacity: 0.45, ..Mark::new(stroke(3.0), DARK) });
        marks.push(Mark::new(stroke(1.4), color));
        marks.extend(points.iter().map(|point| Mark::dot(*point, 2.1, color)));
    }
    if let Some([plain, to]) = now {
        let to = larger(plain, to);
        if !styled.is_empty() {
            marks.push(Mark::line(plain, to, 1.4, LIGHT));
            marks.push(Mark::dot(to, 4.2, STYLED_PATH));
        }
        marks.push(Mark::dot(plain, 4.2, PLAIN_PATH));
    }
    marks
}

/// A vector at each of some vertices; `longest` is the length of the longest of all. Where the surface looks
/// away there is none.
pub fn arrows(
    vertices: &[usize],
    positions: &[Vec3],
    normals: &[Vec3],
    vectors: &[Vec3],
    longest: f32,
    size: f64,
) -> Vec<Mark> {
    if !(longest > 0.0) {
        return Vec::new();
    }
    let scale = size as f32 * LONGEST_ARROW / longest;
    let at = |&vertex: &usize| {
        let (&from, &vector) = (positions.get(vertex)?, vectors.get(vertex)?);
        let to = from + vector * scale;
        let facing = normals.get(vertex).map(|&normal| Facing { normal, when_away: 0.0 });
        let arrow = |width, head| Shape::Arrow { from, to, width, head };
        let is_seen = (to - from).length() > LEAST_ARROW * size as f32;
        let edge = Mark { facing, opacity: 0.6, ..Mark::new(arrow(2.8, 6.5), DARK) };
        is_seen.then(|| [edge, Mark { facing, ..Mark::new(arrow(1.2, 5.0), LIGHT) }])
    };
    vertices.iter().filter_map(at).flatten().collect()
}

/// What is shorter is a speck; as a fraction of the character's size.
const LEAST_ARROW: f32 = 0.004;
