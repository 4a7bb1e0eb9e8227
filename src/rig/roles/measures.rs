//! What the skin says about each bone at rest: how much there is of it, where, how long and how thick.

use super::tree::Tree;
use crate::Character;
use glam::DVec3;

/// Of one bone, in the scene at rest. Skin counts as much as the bone moves it.
#[derive(Clone, Copy, Debug)]
pub struct BoneMeasures {
    pub origin: DVec3,
    /// Of its own skin.
    pub area: f64,
    /// Of its own skin; the joint where there is none.
    pub center: DVec3,
    /// How far its own skin is from its axis, on average.
    pub radius: f64,
    /// How far its own skin reaches along the axis from the joint.
    pub tip: f64,
    /// The height of the lowest and the highest skin that it moves more than any other bone does.
    pub lowest: f64,
    pub highest: f64,
    /// Of the bone and all below it:
    pub branch: BranchMeasures,
}

#[derive(Clone, Copy, Debug)]
pub struct BranchMeasures {
    pub area: f64,
    pub center: DVec3,
    pub lowest: f64,
    pub highest: f64,
    /// Along the bones to the end of the longest chain.
    pub length: f64,
    /// The mean of radius, by area.
    pub radius: f64,
    pub bones_with_skin: usize,
}

#[derive(Debug)]
pub struct Measures {
    pub bones: Vec<BoneMeasures>,
    pub vertex_areas: Vec<f64>,
    pub total_area: f64,
    /// ℓ.
    pub size: f64,
    pub ground: f64,
    pub height: f64,
}

impl Measures {
    pub fn new(character: &Character, tree: &Tree) -> Measures {
        let positions = &character.rest().positions;
        let (vertex_areas, total_area) = vertex_areas(character);
        let (lowest, highest) = character.rest_bounds();
        let mut bones: Vec<BoneMeasures> = (0..tree.len())
            .map(|bone| BoneMeasures::at(character.bone_origin(character.rest_pose(), bone)))
            .collect();
        let each_influence = |work: &mut dyn FnMut(usize, usize, f64)| {
            for (vertex, list) in character.skin.lists().enumerate() {
                for influence in list {
                    let bone = character.bindings[influence.index as usize].bone;
                    let area = f64::from(influence.weight.max(0.0)) * vertex_areas[vertex];
                    work(vertex, bone, area);
                }
            }
        };
        each_influence(&mut |vertex, bone, area| {
            bones[bone].area += area;
            bones[bone].center += positions[vertex].as_dvec3() * area;
        });
        for bone in &mut bones {
            let has_skin = bone.area > 0.0;
            bone.center = if has_skin { bone.center / bone.area } else { bone.origin };
        }
        for (vertex, position) in positions.iter().enumerate() {
            let Some((bone, _)) = character.strongest_bone(vertex) else { continue };
            let (bone, position) = (&mut bones[bone], position.as_dvec3());
            bone.lowest = bone.lowest.min(position.y);
            bone.highest = bone.highest.max(position.y);
            let axis = (bone.center - bone.origin).normalize_or_zero();
            bone.tip = bone.tip.max((position - bone.origin).dot(axis));
        }
        let axes = axes(tree, &bones);
        each_influence(&mut |vertex, bone, area| {
            let away = positions[vertex].as_dvec3() - bones[bone].center;
            bones[bone].radius += away.reject_from_normalized(axes[bone]).length() * area;
        });
        for bone in &mut bones {
            bone.radius = if bone.area > 0.0 { bone.radius / bone.area } else { 0.0 };
        }
        let mut measures = Measures {
            bones,
            vertex_areas,
            total_area,
            size: character.size(),
            ground: f64::from(lowest.y),
            height: f64::from(highest.y - lowest.y),
        };
        measures.measure_branches(tree);
        measures
    }

    fn measure_branches(&mut self, tree: &Tree) {
        for bone in &mut self.bones {
            let BoneMeasures { area, center, lowest, highest, radius, tip, .. } = *bone;
            bone.branch = BranchMeasures {
                area,
                // Weighted until all below are known.
                center: center * area,
                lowest,
                highest,
                length: tip,
                radius: radius * area,
                bones_with_skin: usize::from(area > 0.0),
            };
        }
        for &bone in tree.parents_first.iter().rev() {
            let below = self.bones[bone].branch;
            if let Some(parent) = tree.parents[bone] {
                let away = self.bones[bone].origin.distance(self.bones[parent].origin);
                let of = &mut self.bones[parent].branch;
                of.area += below.area;
                of.center += below.center;
                of.radius += below.radius;
                of.lowest = of.lowest.min(below.lowest);
                of.highest = of.highest.max(below.highest);
                of.bones_with_skin += below.bones_with_skin;
                if below.area > 0.0 {
                    of.length = of.length.max(away + below.length);
                }
            }
            let origin = self.bones[bone].origin;
            let of = &mut self.bones[bone].branch;
            let has_skin = of.area > 0.0;
            of.center = if has_skin { of.center / of.area } else { origin };
            of.radius = if has_skin { of.radius / of.area } else { 0.0 };
        }
    }

    /// Does anything hang on the bone or below it?
    pub fn has_skin(&self, bone: usize) -> bool {
        self.bones[bone].branch.area > 1e-6 * self.total_area
    }

    pub fn height_above_ground(&self, bone: usize) -> f64 {
        self.bones[bone].origin.y - self.ground
    }

    /// Length over thickness of all from a bone on.
    pub fn slenderness(&self, bone: usize) -> f64 {
        let branch = &self.bones[bone].branch;
        branch.length / (2.0 * branch.radius).max(1e-12)
    }
}

impl BoneMeasures {
    fn at(origin: DVec3) -> BoneMeasures {
        let nothing = BranchMeasures {
            area: 0.0,
            center: DVec3::ZERO,
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
            length: 0.0,
            radius: 0.0,
            bones_with_skin: 0,
        };
        BoneMeasures {
            origin,
            area: 0.0,
            center: DVec3::ZERO,
            radius: 0.0,
            tip: 0.0,
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
            branch: nothing,
        }
    }
}

/// All the same where there are no areas.
fn vertex_areas(character: &Character) -> (Vec<f64>, f64) {
    let areas = &character.areas().of_vertex;
    let total: f64 = areas.iter().sum();
    if total > 0.0 && total.is_finite() {
        return (areas.clone(), total);
    }
    let count = areas.len();
    (vec![1.0; count], count as f64)
}

/// Per bone the direction it points in: to the child that carries most, or to the middle of its skin.
fn axes(tree: &Tree, bones: &[BoneMeasures]) -> Vec<DVec3> {
    let axis = |bone: usize| {
        let of = &bones[bone];
        let area = |child: &&usize| bones[**child].area;
        let child = tree.children[bone].iter().max_by(|a, b| area(a).total_cmp(&area(b)));
        let to_child = child.filter(|child| area(child) > 0.5 * of.area);
        let end = to_child.map_or(of.center, |&child| bones[child].origin);
        let direct = (end - of.origin).normalize_or_zero();
        if direct == DVec3::ZERO { (of.center - of.origin).normalize_or_zero() } else { direct }
    };
    (0..bones.len()).map(axis).collect()
}
