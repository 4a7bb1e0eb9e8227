//! What each bone is to the body, and how loosely its skin hangs: found in the skeleton, the skin, the rest pose and,
//! on control rigs, the clips (they show which bone carries which), never in names, so that styles can speak of heads
//! and tails on any rig. Parents that a user has set do not change roles, which can be corrected themselves.
//!
//! ```text
//!  parents, skin, rest pose ─► structure ─► mirror ─► limbs ─► spine ─► assign ─► a role per bone
//!                                  │                                                  │ corrected by the user
//!                     pieces · protrusion (of the surface)                            ▼
//!                                  └──────────────────────────────────────────► looseness
//! ```
//! All lengths are compared with the size of the character, so that scaling it changes nothing. Everything is
//! computed when it is first asked for, in passes over vertices and bones: 150 000 vertices take less than 0.4 s.

mod assign;
mod limb_parts;
mod limbs;
mod looseness;
mod measures;
mod mirror;
mod pieces;
mod protrusion;
mod skin_below;
mod spine;
mod structure;
mod tree;

pub use looseness::BoneLooseness;
pub use pieces::{RigidPiece, RigidPieces};

use crate::Character;
use crate::polar::proper_rotation;
use glam::{DQuat, DVec3, Vec3};
use jounce_base::Role;
use protrusion::Protrusions;
use std::sync::OnceLock;
use structure::Structure;

/// What roles follow from, and what they are as long as nobody corrects them.
#[derive(Debug)]
pub struct RoleAnalysis {
    structure: Structure,
    automatic: Vec<Role>,
    /// Of the surface alone, whatever roles say.
    standing_out: OnceLock<Protrusions>,
    pieces: OnceLock<RigidPieces>,
}

/// How much skin a bone moves, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct SkinOfBone {
    pub area: f64,
    /// Its middle in the rest pose, in the scene.
    pub center: DVec3,
}

/// Of a vertex of a part without bones: how much of it at least one bone must move.
const LEAST_SHARE: f64 = 0.6;

/// The bone that moves a vertex most, and which part of the movement is its.
fn strongest_bone(character: &Character, vertex: usize) -> Option<(usize, f64)> {
    let list = character.skin.of(vertex);
    let total: f64 = list.iter().map(|it| f64::from(it.weight.max(0.0))).sum();
    let (bone, weight) = character.strongest_bone(vertex)?;
    Some((bone, f64::from(weight) / total))
}

/// Which bone carries which: as the body hangs together, because control rigs keep feet beside their legs.
fn parents(character: &Character) -> Vec<Option<usize>> {
    character.motion_hierarchy().parents.clone()
}

impl RoleAnalysis {
    pub(super) fn new(character: &Character) -> RoleAnalysis {
        let structure = Structure::new(character, &parents(character));
        let automatic = assign::automatic(character, &structure);
        let (standing_out, pieces) = (OnceLock::new(), OnceLock::new());
        RoleAnalysis { structure, automatic, standing_out, pieces }
    }

    /// Per bone.
    pub fn automatic(&self) -> &[Role] {
        &self.automatic
    }

    /// Per bone, without what hangs below it.
    pub fn skin_of_bones(&self) -> Vec<SkinOfBone> {
        let bones = self.structure.measures.bones.iter();
        bones.map(|bone| SkinOfBone { area: bone.area, center: bone.center }).collect()
    }

    /// With what a user says of some bones. It goes for the bone and for those below it down to where another
    /// role begins, so that a whole tail is corrected at its root; later entries go before earlier ones.
    pub fn corrected(&self, corrections: &[(usize, Role)]) -> Vec<Role> {
        let tree = &self.structure.tree;
        let mut said: Vec<Option<Role>> = vec![None; tree.len()];
        for &(bone, role) in corrections {
            if let Some(said) = said.get_mut(bone) {
                *said = Some(role);
            }
        }
        let mut roles = self.automatic.clone();
        for &bone in &tree.parents_first {
            let same = |&parent: &usize| self.automatic[parent] == self.automatic[bone];
            let above = tree.parents[bone].filter(same).and_then(|parent| said[parent]);
            said[bone] = said[bone].or(above);
            roles[bone] = said[bone].unwrap_or(roles[bone]);
        }
        roles
    }

    /// Per bone; its number is the one at its end, because that is how far its turns reach.
    pub fn looseness_of_bones(&self, roles: &[Role]) -> Vec<BoneLooseness> {
        looseness::of_bones(&self.structure, roles)
    }

    /// Per vertex: its bones', or more where it stands out; the same all over a rigid piece.
    pub fn looseness(&self, character: &Character, roles: &[Role]) -> Vec<f32> {
        let bones = self.looseness_of_bones(roles);
        let mut values = looseness::of_vertices(character, &bones);
        let standing_out = self.protrusion(character, roles);
        values.iter_mut().zip(standing_out).for_each(|(value, out)| *value = value.max(out));
        self.pieces(character).even_out(&mut values, &self.structure.measures.vertex_areas);
        values
    }

    fn standing_out(&self, character: &Character) -> &Protrusions {
        self.standing_out.get_or_init(|| protrusion::find_protrusions(character, &self.structure))
    }

    /// Per vertex: 0 where a part without bones begins to stand out, 1 at its tip; 0 on everything else.
    pub fn protrusion(&self, character: &Character, roles: &[Role]) -> Vec<f32> {
        let found = &self.standing_out(character).heights;
        let mut values = protrusion::without_toes(character, found, roles);
        self.pieces(character).even_out(&mut values, &self.structure.measures.vertex_areas);
        values
    }

    /// Per vertex the middle of where its part without bones begins, in the rest pose; None on everything else.
    pub fn protrusion_roots(&self, character: &Character) -> &[Option<Vec3>] {
        &self.standing_out(character).roots
    }

    /// Per vertex, in the frame of the bone that moves it most: from it to the middle of where its part without bones
    /// begins; 0 on everything else. It fades out where other bones move the vertex as well, for their frames are
    /// others.
    pub fn protrusion_root_offsets(&self, character: &Character) -> Vec<DVec3> {
        let rest = character.rest_pose();
        let bone_from_scene: Vec<DQuat> = character
            .skeleton
            .bones
            .iter()
            .map(|bone| proper_rotation(rest.scene_from_node[bone.node].matrix3).inverse())
            .collect();
        let positions = &character.rest().positions;
        let roots = self.protrusion_roots(character);
        let offset = |(vertex, root): (usize, &Option<Vec3>)| {
            let Some(root) = root else { return DVec3::ZERO };
            let Some((bone, share)) = strongest_bone(character, vertex) else { return DVec3::ZERO };
            let away = root.as_dvec3() - positions[vertex].as_dvec3();
            let fade = ((share - LEAST_SHARE) / (1.0 - LEAST_SHARE)).clamp(0.0, 1.0);
            bone_from_scene[bone] * away * fade
        };
        roots.iter().enumerate().map(offset).collect()
    }

    pub fn pieces(&self, character: &Character) -> &RigidPieces {
        self.pieces.get_or_init(|| RigidPieces::new(character))
    }

    /// Per vertex, in the frame of its bone: from it to the middle of its rigid piece; 0 outside of pieces.
    pub fn piece_offsets(&self, character: &Character) -> Vec<DVec3> {
        self.pieces(character).offsets_to_centers(character)
    }
}
