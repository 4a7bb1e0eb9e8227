//! Flesh elements (Larboulette, Cani, Arnaldi: *Dynamic skinning*, 2005): soft parts that swing about a
//! virtual bone, each with weights that fade to its ends and to the bone.
//!
//! ```text
//!   driver ●──────────┼──────────● driven      the virtual bone; a local frame at its middle, y along it
//!            ·  · flesh · ·                    weight: (distance to it − thickness) · attenuation(y) ÷ max
//! ```
//! The largest of the weights before they are divided is how far the element may swing: then no vertex
//! can cross the bone, because it moves by less than it is away from it. That is of the rest shape: a pose
//! that folds skin onto the bone is not seen.

use super::{Character, Pose};
use glam::{DQuat, DVec3};
use thiserror::Error;

/// How flesh fades towards the ends of its virtual bone, y from −1 to 1 along it.
#[derive(Clone, Debug, PartialEq)]
pub enum Attenuation {
    /// 1 − y².
    Parabola,
    /// 1 + (−4y⁶ + 17y⁴ − 22y²)/9: flat at the ends (Wyvill).
    Wyvill,
    /// Straight between points (y, how much), in the order of y; what is outside is as at the nearest.
    Curve(Vec<[f64; 2]>),
}

impl Attenuation {
    /// 0 to 1; 0 beyond the ends.
    pub fn at(&self, y: f64) -> f64 {
        if !(-1.0..=1.0).contains(&y) {
            return 0.0;
        }
        let square = y * y;
        let value = match self {
            Attenuation::Parabola => 1.0 - square,
            Attenuation::Wyvill => 1.0 + square * (-22.0 + square * (17.0 - 4.0 * square)) / 9.0,
            Attenuation::Curve(points) => on_curve(points, y),
        };
        value.clamp(0.0, 1.0)
    }
}

fn on_curve(points: &[[f64; 2]], y: f64) -> f64 {
    let after = points.iter().position(|point| point[0] >= y);
    match (after, points.last()) {
        (_, None) => 0.0,
        (Some(0), _) => points[0][1],
        (None, Some(last)) => last[1],
        (Some(after), _) => {
            let ([x0, y0], [x1, y1]) = (points[after - 1], points[after]);
            let t = if x1 > x0 { (y - x0) / (x1 - x0) } else { 1.0 };
            y0 + (y1 - y0) * t
        }
    }
}

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FleshError {
    #[error("it has no driven bones; name at least one")]
    NoDriven,
    #[error("its virtual bone has no length: driver and driven bones stand at one point")]
    NoLength,
    #[error(
        "no vertex of it is away from its virtual bone; choose other vertices, or less thickness"
    )]
    NoVertices,
}

/// One element on one character.
#[derive(Clone, Debug, PartialEq)]
pub struct Flesh {
    pub driver: usize,
    pub driven: Vec<usize>,
    /// Vertex and weight, 0 < weight ≤ 1, in the order of vertices.
    pub weights: Vec<(u32, f64)>,
    /// How far it may swing: no vertex crosses the virtual bone.
    pub reach: f64,
    /// From the frame at rest to the driver's frame at rest.
    driver_from_local: DQuat,
}

/// The virtual bone of a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VirtualBone {
    pub from: DVec3,
    pub to: DVec3,
}

impl VirtualBone {
    fn new(driver: usize, driven: &[usize], origin: impl Fn(usize) -> DVec3) -> VirtualBone {
        let sum: DVec3 = driven.iter().map(|&bone| origin(bone)).sum();
        VirtualBone { from: origin(driver), to: sum / driven.len().max(1) as f64 }
    }

    pub fn middle(&self) -> DVec3 {
        (self.from + self.to) * 0.5
    }

    /// None where it has no length.
    pub fn direction(&self) -> Option<DVec3> {
        (self.to - self.from).try_normalize()
    }

    /// Where a point is along it, −1 at its start to 1 at its end, and how far from its line.
    fn seen(&self, direction: DVec3, p: DVec3) -> (f64, f64) {
        let arm = p - self.from;
        let along = arm.dot(direction);
        let y = 2.0 * along / (self.to - self.from).length() - 1.0;
        (y, (arm - direction * along).length())
    }
}

/// Where an element is in a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FleshFrame {
    pub origin: DVec3,
    /// y along the virtual bone; turns about it with the driver.
    pub rotation: DQuat,
}

impl Flesh {
    /// `share` says how much of each vertex belongs to it, 0 to 1.
    pub fn new(
        character: &Character,
        driver: usize,
        driven: Vec<usize>,
        share: impl Fn(usize) -> f64,
        attenuation: &Attenuation,
        thickness: f64,
    ) -> Result<Flesh, FleshError> {
        if driven.is_empty() {
            return Err(FleshError::NoDriven);
        }
        let rest = character.rest_pose();
        let bone = VirtualBone::new(driver, &driven, |bone| character.bone_origin(rest, bone));
        let direction = bone.direction().ok_or(FleshError::NoLength)?;
        let thickness = thickness.max(0.0);
        let weight = |(vertex, p): (usize, &glam::Vec3)| {
            let (y, distance) = bone.seen(direction, p.as_dvec3());
            let share = share(vertex).clamp(0.0, 1.0);
            let weight = (distance - thickness).max(0.0) * attenuation.at(y) * share;
            (vertex as u32, weight)
        };
        let positions = character.rest().positions.iter().enumerate();
        let mut weights: Vec<(u32, f64)> =
            positions.map(weight).filter(|(_, weight)| *weight > 0.0).collect();
        let reach = weights.iter().fold(0.0, |most: f64, (_, weight)| most.max(*weight));
        if !(reach > 0.0) {
            return Err(FleshError::NoVertices);
        }
        weights.iter_mut().for_each(|(_, weight)| *weight /= reach);
        let scene_from_local = DQuat::from_rotation_arc(DVec3::Y, direction);
        let driver_from_local = rest_rotation(character, rest, driver).inverse() * scene_from_local;
        Ok(Flesh { driver, driven, weights, reach, driver_from_local })
    }

    pub fn virtual_bone(&self, origins: &[DVec3]) -> VirtualBone {
        VirtualBone::new(self.driver, &self.driven, |bone| origins[bone])
    }

    /// Where it is, from where bones are and how they are turned.
    pub fn frame(&self, origins: &[DVec3], rotations: &[DQuat]) -> FleshFrame {
        let bone = self.virtual_bone(origins);
        let carried = rotations[self.driver] * self.driver_from_local;
        let rotation = match bone.direction() {
            Some(direction) => DQuat::from_rotation_arc(carried * DVec3::Y, direction) * carried,
            None => carried,
        };
        FleshFrame { origin: bone.middle(), rotation: rotation.normalize() }
    }
}

fn rest_rotation(character: &Character, rest: &Pose, bone: usize) -> DQuat {
    let node = character.skeleton.bones[bone].node;
    super::polar::proper_rotation(rest.scene_from_node[node].matrix3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own;

    fn all_attenuations() -> [Attenuation; 3] {
        let curve = vec![[-1.0, 0.0], [-0.2, 1.0], [1.0, 0.0]];
        [Attenuation::Parabola, Attenuation::Wyvill, Attenuation::Curve(curve)]
    }

    #[test]
    fn attenuation_is_1_somewhere_0_at_the_ends_and_never_more() {
        for attenuation in all_attenuations() {
            let samples = (-120..=120).map(|i| attenuation.at(f64::from(i) / 100.0));
            let most = samples.clone().fold(0.0, f64::max);
            assert!((most - 1.0).abs() < 1e-12, "{attenuation:?} {most}");
            assert!(samples.clone().all(|a| (0.0..=1.0).contains(&a)));
            for end in [-1.0, 1.0, -1.01, 7.0, f64::NAN] {
                assert!(attenuation.at(end).abs() < 1e-12, "{attenuation:?} {end}");
            }
        }
    }

    #[test]
    fn weights_are_0_to_1_and_no_vertex_can_cross_the_bone() {
        let cow = own::built_in("cow").unwrap();
        for attenuation in all_attenuations() {
            for thickness in [0.0, 0.05] {
                let flesh = Flesh::new(&cow, 1, vec![2], |_| 1.0, &attenuation, thickness).unwrap();
                let rest = cow.rest_pose();
                let origins: Vec<DVec3> =
                    (0..cow.skeleton.bones.len()).map(|b| cow.bone_origin(rest, b)).collect();
                let bone = flesh.virtual_bone(&origins);
                let direction = bone.direction().unwrap();
                let most = flesh.weights.iter().map(|(_, w)| *w).fold(0.0, f64::max);
                assert_eq!(most, 1.0);
                for &(vertex, weight) in &flesh.weights {
                    assert!(weight > 0.0 && weight <= 1.0);
                    let p = cow.rest().positions[vertex as usize].as_dvec3();
                    let (_, distance) = bone.seen(direction, p);
                    assert!(weight * flesh.reach <= distance - thickness + 1e-12);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_an_element_is_said() {
        let cow = own::built_in("cow").unwrap();
        let make = |driven: Vec<usize>, share: f64, thickness: f64| {
            Flesh::new(&cow, 1, driven, |_| share, &Attenuation::Parabola, thickness).unwrap_err()
        };
        assert_eq!(make(vec![], 1.0, 0.0), FleshError::NoDriven);
        assert_eq!(make(vec![1], 1.0, 0.0), FleshError::NoLength);
        assert_eq!(make(vec![2], 0.0, 0.0), FleshError::NoVertices);
        assert_eq!(make(vec![2], 1.0, 1e9), FleshError::NoVertices);
    }
}
