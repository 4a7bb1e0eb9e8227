//! γ_r(u): how much of a vertex counts from an anchor while it is planted. Per anchor one number per vertex; over the
//! anchors they add up to 1 at most.

use super::path;
use glam::DVec3;
use jounce_rig::Character;
use jounce_rig::hierarchy::is_at_or_above;

/// A limb has less of the skin than this; what has more is a trunk.
const LARGEST_LIMB: f64 = 0.3;

/// Only the limb that is planted: all of what the anchor carries, fading along the limb towards the trunk, which counts
/// from the root as before. So a clip that walks on the spot, whose planted foot slides back with the ground, does not
/// push its body forward by that.
pub fn of_limbs(
    character: &Character,
    parents: &[Option<usize>],
    anchors: &[usize],
    skin_shares: &[f64],
) -> Vec<Vec<f64>> {
    let pose = character.rest_pose();
    let joint = |bone: usize| character.bone_origin(pose, bone);
    let limbs = anchors.iter().map(|&anchor| {
        let (mut limb, mut length) = (anchor, 0.0);
        while let Some(parent) = parents[limb] {
            let is_shared = anchors
                .iter()
                .any(|&other| other != anchor && is_at_or_above(parents, parent, other));
            if is_shared || skin_shares[parent] > LARGEST_LIMB {
                break;
            }
            length += joint(limb).distance(joint(parent));
            limb = parent;
        }
        let of_vertex = |vertex: usize| {
            let (up_anchor, up_limb) = (up(character, vertex, anchor), up(character, vertex, limb));
            let away = character.rest().positions[vertex].as_dvec3().distance(joint(anchor));
            let fade = if length > 0.0 { 1.0 - smoothstep(away / length) } else { 0.0 };
            (fade * up_limb).max(up_anchor)
        };
        (0..character.vertex_count()).map(of_vertex).collect()
    });
    at_most_one(limbs.collect())
}

/// The whole body: g_r(i) ∝ (distance along the skeleton from bone i to r)⁻², adding up to 1, and 1 for what r carries;
/// γ_r(u) = Σ_i a_i g_r(i). Skin under another root is left alone.
pub fn of_body(
    character: &Character,
    parents: &[Option<usize>],
    anchors: &[usize],
    paths: &[Vec<usize>],
) -> Vec<Vec<f64>> {
    let pose = character.rest_pose();
    let joint = |bone: usize| character.bone_origin(pose, bone);
    let mut of_bones = vec![vec![0.0; parents.len()]; anchors.len()];
    for bone in 0..parents.len() {
        let own = path(parents, bone);
        let inside: Vec<bool> = anchors.iter().map(|anchor| own.contains(anchor)).collect();
        let mut shares: Vec<f64> = (paths.iter().zip(&inside))
            .map(|(path, &is_inside)| match (inside.contains(&true), own[0] == path[0]) {
                (true, _) => f64::from(u8::from(is_inside)),
                (false, true) => 1.0 / distance(&own, path, joint).powi(2).max(1e-12),
                (false, false) => 0.0,
            })
            .collect();
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum.max(1e-30));
        of_bones.iter_mut().zip(shares).for_each(|(of_anchor, share)| of_anchor[bone] = share);
    }
    let of_anchor = |of_bones: Vec<f64>| {
        let of_vertex = |vertex: usize| {
            let list = character.skin.of(vertex).iter();
            let share = |index: u32| of_bones[character.bindings[index as usize].bone];
            list.map(|it| f64::from(it.weight) * share(it.index)).sum()
        };
        (0..character.vertex_count()).map(of_vertex).collect()
    };
    at_most_one(of_bones.into_iter().map(of_anchor).collect())
}

fn at_most_one(mut reach: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for vertex in 0..reach.first().map_or(0, Vec::len) {
        let sum: f64 = reach.iter().map(|of_anchor| of_anchor[vertex]).sum();
        if sum > 1.0 {
            reach.iter_mut().for_each(|of_anchor| of_anchor[vertex] /= sum);
        }
    }
    reach
}

/// Along the bones, from the last of one path to the last of another, both from the same root.
fn distance(a: &[usize], b: &[usize], joint: impl Fn(usize) -> DVec3) -> f64 {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let length = |path: &[usize]| -> f64 {
        path[common - 1..].windows(2).map(|two| joint(two[0]).distance(joint(two[1]))).sum()
    };
    length(a) + length(b)
}

fn up(character: &Character, vertex: usize, bone: usize) -> f64 {
    let list = character.upward().of(vertex);
    let known = list.binary_search_by_key(&(bone as u32), |pair| pair.index);
    known.map_or(0.0, |at| f64::from(list[at].weight))
}

fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
