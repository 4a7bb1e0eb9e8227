//! What one frame brings: bones, skinned vertices, sliders. All in f64.

use super::skinning::{Posed, Skinning};
use super::{Motion, Parameters, PlayedMotion, Setup, StateSnapshot};
use glam::{DQuat, DVec3};
use jounce_ir::Source;
use jounce_rig::centroid::exact_centroids;
use jounce_rig::polar::proper_rotation;
use jounce_rig::skinning::{Morphed, morph};
use jounce_rig::{Character, Pose, Skinned};
use std::borrow::Cow;
use std::sync::Arc;

/// Lists are in the order of bones or of vertices. Public so that anything can be evaluated;
/// [`super::validate::check`] looks at all of it before it is.
#[derive(Clone)]
pub struct Moment<'a> {
    pub time_secs: f64,
    /// As they are now: nothing of them is keyed any more.
    pub parameters: Parameters,
    pub motion: &'a dyn Motion,
    pub bone_origins: Vec<DVec3>,
    /// Unit quaternions, from the bone's frame to the scene.
    pub bone_rotations: Vec<DQuat>,
    /// Of a root bone: none.
    pub bone_parent_rotations: Vec<DQuat>,
    pub bone_centroids: Vec<DVec3>,
    /// Empty if the program does not read them: they need a pass over the mesh.
    pub bone_exact_centroids: Vec<DVec3>,
    /// What nodes remember; nothing where the program does not.
    pub snapshot: StateSnapshot,
    pub skinning: Skinning,
}

impl<'a> Moment<'a> {
    pub fn new(
        setup: Setup,
        parameters: &Parameters,
        pose: &Pose,
        motion: &'a dyn Motion,
        time_secs: f64,
    ) -> Moment<'a> {
        let skinning = Skinning::Posed(Posed {
            base: setup.base(),
            scene_from_bind: setup.character.scene_from_bind(pose),
            morphed: morphed(setup.character, pose),
        });
        Moment { skinning, ..Moment::of_bones(setup, parameters, pose, motion, time_secs) }
    }

    /// A clip at a time, with what nodes remember by then.
    pub fn played(
        setup: Setup,
        parameters: &Parameters,
        motion: &'a PlayedMotion<'a>,
        snapshot: StateSnapshot,
    ) -> Moment<'a> {
        let PlayedMotion { player, time_secs } = *motion;
        let pose = player.pose(time_secs);
        Moment { snapshot, ..Moment::new(setup, parameters, &pose, motion, time_secs) }
    }

    /// Without vertices: enough for what is remembered. What is keyed is what it is at this time.
    pub fn of_bones(
        setup: Setup,
        parameters: &Parameters,
        pose: &Pose,
        motion: &'a dyn Motion,
        time_secs: f64,
    ) -> Moment<'a> {
        let Setup { program, character, .. } = setup;
        let bones = &character.skeleton.bones;
        let bone_rotations: Vec<DQuat> =
            bones.iter().map(|bone| rotation(pose, bone.node)).collect();
        let parents = bones.iter().map(|bone| bone.parent);
        let of_parent =
            |parent: Option<usize>| parent.map_or(DQuat::IDENTITY, |p| bone_rotations[p]);
        let bone_exact_centroids = if program.reads(Source::BoneExactCentroid) {
            let mut positions = Vec::new();
            character.skin_positions(pose, setup.base(), &mut positions);
            exact_centroids(character, pose, &positions)
        } else {
            Vec::new()
        };
        let bone_centroids = if program.reads(Source::BoneCentroid) {
            character.centroids().evaluate(character, pose)
        } else {
            Vec::new()
        };
        Moment {
            time_secs,
            parameters: parameters.at(time_secs),
            motion,
            bone_origins: (0..bones.len()).map(|b| character.bone_origin(pose, b)).collect(),
            bone_parent_rotations: parents.map(of_parent).collect(),
            bone_rotations,
            bone_centroids,
            bone_exact_centroids,
            snapshot: StateSnapshot::default(),
            skinning: Skinning::Given { positions: Vec::new(), normals: Vec::new() },
        }
    }
}

/// None where no morph target moves anything.
fn morphed(character: &Character, pose: &Pose) -> Option<Arc<Skinned>> {
    match morph(&character.mesh, &pose.morph_weights) {
        Morphed { positions: Cow::Borrowed(_), .. } => None,
        Morphed { positions, normals } => Some(Arc::new(Skinned {
            positions: positions.into_owned(),
            normals: normals.into_owned(),
        })),
    }
}

/// Without scale and mirror. Of q and −q, which are one rotation, the one with w ≥ 0.
pub(super) fn rotation(pose: &Pose, node: usize) -> DQuat {
    let q = proper_rotation(pose.scene_from_node[node].matrix3);
    if q.w < 0.0 { -q } else { q }
}
