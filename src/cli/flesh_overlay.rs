//! Flesh elements as sticks and balls over a picture: the virtual bone, the frame at its middle, and the
//! spring to where the mass is, with the frame that it carries.

use super::scene::Scene;
use glam::{DVec3, Vec3};
use jounce_eval::flesh::{elongations, flesh_movers};
use jounce_eval::{Bound, EvalError, Moment};
use jounce_ir::Program;

/// Joints of one element, as [`joints`] gives them.
const JOINTS: usize = 10;
/// Each joint's parent among them.
const PARENTS: [Option<usize>; JOINTS] =
    [None, Some(0), None, Some(2), Some(2), Some(2), Some(2), Some(6), Some(6), Some(6)];
/// How long the axes of frames are, as a fraction of the character's size.
const AXIS: f64 = 0.05;

/// The parents of the joints of this many elements, after `first` other joints.
pub fn parents(elements: usize, first: usize) -> impl Iterator<Item = Option<usize>> {
    (0..elements).flat_map(move |element| {
        PARENTS.map(|parent| parent.map(|parent| first + element * JOINTS + parent))
    })
}

pub fn joints(scene: &Scene, time_secs: f64) -> Result<Vec<Vec3>, EvalError> {
    let performer = scene.performer();
    performer
        .with_moment(time_secs, |moment| of_moment(performer.program(), performer.bound(), moment))
}

fn of_moment(program: &Program, bound: &Bound, moment: &Moment) -> Result<Vec<Vec3>, EvalError> {
    let movers = elongations(program, &flesh_movers(program), bound, moment)?;
    let mut joints = Vec::with_capacity(bound.flesh.len() * JOINTS);
    for (element, flesh) in bound.flesh.iter().enumerate() {
        let bone = flesh.virtual_bone(&moment.bone_origins);
        let frame = flesh.frame(&moment.bone_origins, &moment.bone_rotations);
        let swings = movers.iter().filter_map(|of_elements| of_elements.get(element));
        let mass = frame.origin + swings.sum::<DVec3>();
        let axes =
            [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| frame.rotation * axis * AXIS * bound.size);
        joints.extend([bone.from, bone.to, frame.origin]);
        joints.extend(axes.map(|axis| frame.origin + axis));
        joints.push(mass);
        joints.extend(axes.map(|axis| mass + axis));
    }
    Ok(joints.into_iter().map(|joint| joint.as_vec3()).collect())
}
