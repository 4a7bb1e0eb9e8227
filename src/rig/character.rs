//! The character: what a loader or a maker hands over, checked once and completed.

use super::centroid::ClosedFormCentroids;
use super::facing::Facing;
use super::hierarchy::{MotionHierarchy, SkinAreas, carriers};
use super::polar::polar_rotation;
use super::roles::RoleAnalysis;
use super::shape_diameter::NoThickness;
use super::skinning::{Skinned, skinned};
use super::softness::Softness;
use super::{Clip, Influences, Material, Mesh, Pose, Skeleton, SkeletonError, Surface, weights};
use glam::{DAffine3, DMat3, DVec3, Vec3};
use jounce_base::Base;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use thiserror::Error;

/// How one joint of one skin (or one rigid mesh) hangs on a node.
///
/// Two skins may bind the same joint differently, so there can be more bindings than bones.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The node whose transform carries the vertices.
    pub node: usize,
    /// The bone whose velocity they feel: `node` itself, or the joint that carries a rigid mesh.
    pub bone: usize,
    /// The inverse bind matrix.
    pub node_from_bind: DAffine3,
}

/// A named number per vertex: painted, from the file, or derived. May be negative.
#[derive(Clone, Debug)]
pub struct Map {
    pub name: String,
    /// The glTF attribute it came from, such as `_FLOPPY`.
    pub attribute: String,
    pub values: Vec<f32>,
}

/// What makes a character, before it is checked.
#[derive(Clone, Debug)]
pub struct CharacterParts {
    pub name: String,
    pub skeleton: Skeleton,
    pub bindings: Vec<Binding>,
    pub mesh: Mesh,
    /// Per vertex: (binding, weight). Weights are used as they are, not normalised here.
    pub skin: Influences,
    pub rest_morph_weights: Vec<f64>,
    pub maps: Vec<Map>,
    pub clips: Vec<Clip>,
    /// What was unusual about the file, one sentence each.
    pub notes: Vec<String>,
}

/// A checked character. Its parts are readable; changing them means building a new one.
///
/// What everything needs is derived at once, the rest when first asked for.
#[derive(Debug)]
pub struct Character {
    /// In place of the one among the parts, which stays as the file has it: the same, or with other
    /// parents of bones, see [`Character::with_parents`]. Who asks for a bone's parent asks here.
    pub skeleton: Skeleton,
    body: Arc<Body>,
    upward: Influences,
    downward: OnceLock<Result<Influences, CharacterError>>,
    centroids: OnceLock<ClosedFormCentroids>,
    carriers: OnceLock<Vec<bool>>,
    /// The last one that was asked for. Of a character with the file's parents only.
    hung: Mutex<Option<Arc<Character>>>,
}

/// What is the same whichever bone hangs on which.
#[derive(Debug)]
struct Body {
    parts: CharacterParts,
    rest_pose: Pose,
    rest: Skinned,
    rest_bounds: (Vec3, Vec3),
    surface: OnceLock<Surface>,
    softness: OnceLock<Softness>,
    roles: OnceLock<RoleAnalysis>,
    areas: OnceLock<SkinAreas>,
    motion_hierarchy: OnceLock<MotionHierarchy>,
    facing: OnceLock<Facing>,
}

impl std::ops::Deref for Character {
    type Target = CharacterParts;
    fn deref(&self) -> &CharacterParts {
        &self.body.parts
    }
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CharacterError {
    #[error("the {what} has {found} entries, but {expected} are needed")]
    Count { what: &'static str, found: usize, expected: usize },
    #[error("the {what} refers to {index}, but there are only {count}")]
    OutOfRange { what: &'static str, index: usize, count: usize },
    #[error(
        "it has more than {limit} pairs of a vertex and a bone that moves it; use fewer joints in a row, or a smaller mesh"
    )]
    TooManyPairs { limit: u64 },
    #[error("the parents of its bones make no tree: {0}")]
    Parents(#[from] SkeletonError),
    #[error(
        "its bones have other parents than the program asks for; bind the program to the character again"
    )]
    OtherParents,
    #[error("its transforms put vertices absurdly far away; check the scales in the file")]
    Absurd,
}

/// A vertex farther from the origin than this is a mistake.
const FARTHEST: f32 = jounce_base::LARGEST_NUMBER as f32;

impl Character {
    pub fn new(parts: CharacterParts) -> Result<Character, CharacterError> {
        check(&parts)?;
        let rest_pose = Pose::rest(&parts.skeleton, parts.rest_morph_weights.clone());
        let rest = skinned(&parts, &rest_pose, Base::Lbs);
        let (lowest, highest) = bounds(&rest.positions);
        let farthest = lowest.abs().max(highest.abs()).max_element();
        let all_finite = rest.positions.iter().all(|p| p.is_finite());
        let skeleton = parts.skeleton.clone();
        let body = Body {
            parts,
            rest_pose,
            rest,
            rest_bounds: (lowest, highest),
            surface: OnceLock::new(),
            softness: OnceLock::new(),
            roles: OnceLock::new(),
            areas: OnceLock::new(),
            motion_hierarchy: OnceLock::new(),
            facing: OnceLock::new(),
        };
        let character = Character::hanging(Arc::new(body), skeleton)?;
        if !all_finite || farthest > FARTHEST {
            return Err(CharacterError::Absurd);
        }
        Ok(character)
    }

    fn hanging(body: Arc<Body>, skeleton: Skeleton) -> Result<Character, CharacterError> {
        Ok(Character {
            upward: weights::upward(&body.parts.skin, &body.parts.bindings, &skeleton.bones)?,
            skeleton,
            body,
            downward: OnceLock::new(),
            centroids: OnceLock::new(),
            carriers: OnceLock::new(),
            hung: Mutex::new(None),
        })
    }

    /// The same character, whose bones move relative to other parents: what follows from who hangs on whom
    /// (weights, centroids, velocities) is derived from these; all else is shared. Poses stay those of the
    /// file. The last one is kept, so that asking again costs nothing.
    pub fn with_parents(
        self: &Arc<Character>,
        parents: &[Option<usize>],
    ) -> Result<Arc<Character>, CharacterError> {
        let is_same =
            |it: &Character| it.skeleton.bones.iter().map(|b| b.parent).eq(parents.iter().copied());
        if is_same(self) {
            return Ok(self.clone());
        }
        let mut hung = self.hung.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = hung.as_ref().filter(|known| is_same(known)) {
            return Ok(known.clone());
        }
        let skeleton = self.skeleton.with_parents(parents)?;
        let other = Arc::new(Character::hanging(self.body.clone(), skeleton)?);
        *hung = Some(other.clone());
        Ok(other)
    }

    /// Which bone carries which, by how the body hangs together and moves.
    pub fn motion_hierarchy(&self) -> &MotionHierarchy {
        self.body.motion_hierarchy.get_or_init(|| MotionHierarchy::of(self))
    }

    /// Per bone: does its travel take the whole character along? See [`crate::hierarchy::carriers`].
    pub fn carriers(&self) -> &[bool] {
        self.carriers.get_or_init(|| carriers(self))
    }

    /// How much surface there is around each vertex, and on each bone.
    pub fn areas(&self) -> &SkinAreas {
        self.body.areas.get_or_init(|| SkinAreas::new(self))
    }

    pub fn rest_pose(&self) -> &Pose {
        &self.body.rest_pose
    }

    /// The vertices in the rest pose, in the scene.
    pub fn rest(&self) -> &Skinned {
        &self.body.rest
    }

    pub fn vertex_count(&self) -> usize {
        self.mesh.positions.len()
    }

    /// Lowest and highest corner of the rest pose's bounding box.
    pub fn rest_bounds(&self) -> (Vec3, Vec3) {
        self.body.rest_bounds
    }

    /// The reference length ℓ: the largest side of the rest pose's bounding box.
    pub fn size(&self) -> f64 {
        let (lowest, highest) = self.rest_bounds();
        f64::from((highest - lowest).max_element())
    }

    /// up_j(u): per vertex the bones that move it, and how much (eq. 8).
    pub fn upward(&self) -> &Influences {
        &self.upward
    }

    /// down_j(u). Its lists can be as long as there are bones, so it may be refused.
    pub fn downward(&self) -> Result<&Influences, CharacterError> {
        let compute = || {
            let own = weights::by_bone(&self.skin, &self.bindings, &self.skeleton.bones);
            weights::downward(&own, &self.skeleton)
        };
        self.downward.get_or_init(compute).as_ref().map_err(Clone::clone)
    }

    pub fn surface(&self) -> &Surface {
        let positions = &self.body.rest.positions;
        self.body.surface.get_or_init(|| Surface::new(&self.mesh, &self.skin, positions))
    }

    /// The closed form of the bones' centroids.
    pub fn centroids(&self) -> &ClosedFormCentroids {
        self.centroids.get_or_init(|| ClosedFormCentroids::new(self))
    }

    /// Per vertex in [0, 1]: thin parts are soft. Computed from the local shape diameter.
    pub fn automatic_softness(&self) -> &[f32] {
        &self.softness().values
    }

    /// Why the automatic softness is the same everywhere, where that is not for the shape's sake.
    pub fn softness_is_unknown(&self) -> Option<NoThickness> {
        self.softness().unknown
    }

    fn softness(&self) -> &Softness {
        self.body.softness.get_or_init(|| Softness::of(self))
    }

    /// What each bone is to the body, and all that follows from it.
    pub fn roles(&self) -> &RoleAnalysis {
        self.body.roles.get_or_init(|| RoleAnalysis::new(self))
    }

    /// Which way it looks at rest, as far as its shape and its clips tell.
    pub fn facing(&self) -> &Facing {
        self.body.facing.get_or_init(|| Facing::of(self))
    }

    /// Where a bone's joint is, in the scene.
    pub fn bone_origin(&self, pose: &Pose, bone: usize) -> DVec3 {
        pose.scene_from_node[self.skeleton.bones[bone].node].translation
    }

    /// The bone that moves a vertex most, and its weight. None where no bone does.
    pub fn strongest_bone(&self, vertex: usize) -> Option<(usize, f32)> {
        let list = self.skin.of(vertex).iter();
        let strongest = list.max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        let bone = self.bindings.get(strongest.index as usize)?.bone;
        (strongest.weight > 0.0).then_some((bone, strongest.weight))
    }

    /// A bone's rotation R_j in the scene, without its scale; a mirror stays one.
    pub fn bone_rotation(&self, pose: &Pose, bone: usize) -> DMat3 {
        let scene_from_bone = &pose.scene_from_node[self.skeleton.bones[bone].node];
        polar_rotation(scene_from_bone.matrix3)
    }
}

/// Lowest and highest corner; both zero where there is nothing.
pub fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    let lowest = positions.iter().copied().reduce(Vec3::min);
    let highest = positions.iter().copied().reduce(Vec3::max);
    (lowest.unwrap_or_default(), highest.unwrap_or_default())
}

fn check(parts: &CharacterParts) -> Result<(), CharacterError> {
    let vertices = parts.mesh.positions.len();
    let counts = [
        ("list of normals", parts.mesh.normals.len()),
        ("list of colours", parts.mesh.colors.len()),
        ("list of skin weights", parts.skin.vertex_count()),
    ];
    for (what, found) in counts {
        if found != vertices {
            return Err(CharacterError::Count { what, found, expected: vertices });
        }
    }
    for uvs in parts.mesh.uvs.iter().filter(|uvs| !uvs.is_empty()) {
        if uvs.len() != vertices {
            let (what, found) = ("list of texture coordinates", uvs.len());
            return Err(CharacterError::Count { what, found, expected: vertices });
        }
    }
    for map in &parts.maps {
        if map.values.len() != vertices {
            let found = map.values.len();
            return Err(CharacterError::Count { what: "map", found, expected: vertices });
        }
    }
    let in_range = |what, index: usize, count: usize| {
        if index < count { Ok(()) } else { Err(CharacterError::OutOfRange { what, index, count }) }
    };
    for binding in &parts.bindings {
        in_range("binding's node", binding.node, parts.skeleton.nodes.len())?;
        in_range("binding's bone", binding.bone, parts.skeleton.bones.len())?;
    }
    for influence in parts.skin.entries() {
        in_range("skin weight's binding", influence.index as usize, parts.bindings.len())?;
    }
    let materials = &parts.mesh.materials;
    for part in &parts.mesh.parts {
        if let Some(material) = part.material {
            in_range("part's material", material, materials.list.len())?;
        }
        // What draws goes by them.
        in_range("part's last triangle", part.triangles.end, parts.mesh.triangles.len() + 1)?;
    }
    for texture in materials.list.iter().flat_map(Material::textures) {
        in_range("texture's image", texture.image, materials.images.len())?;
        in_range("texture's coordinates", texture.uv_set, parts.mesh.uvs.len())?;
    }
    for triangle in &parts.mesh.triangles {
        for &corner in triangle {
            in_range("triangle's corner", corner as usize, vertices)?;
        }
    }
    Ok(())
}
