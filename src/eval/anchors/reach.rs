//! γ_r(u): how much of a vertex counts from an anchor while it is planted. Per anchor one number per vertex; over the
//! anchors they add up to 1 at most.

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
) -> Vec<Vec<f64>> {
    let order = parents_first(parents);
    let ways: Vec<Vec<Way>> =
        anchors.iter().map(|&anchor| ways_to(character, parents, &order, anchor)).collect();
    let mut of_bones = vec![vec![0.0; parents.len()]; anchors.len()];
    for bone in 0..parents.len() {
        let is_carried = ways.iter().any(|ways| ways[bone] == Way::Carried);
        let share = |ways: &Vec<Way>| match ways[bone] {
            Way::Carried => 1.0,
            Way::Along(length) if !is_carried => 1.0 / length.powi(2).max(1e-12),
            _ => 0.0,
        };
        let mut shares: Vec<f64> = ways.iter().map(share).collect();
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

/// From a bone to an anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// The anchor carries the bone.
    Carried,
    /// So far along the bones.
    Along(f64),
    /// They are under different roots.
    None,
}

/// One way per bone, each from that of its parent, so that long chains take no longer than others.
fn ways_to(
    character: &Character,
    parents: &[Option<usize>],
    order: &[usize],
    anchor: usize,
) -> Vec<Way> {
    let pose = character.rest_pose();
    let joint = |bone: usize| character.bone_origin(pose, bone);
    let mut ways = vec![Way::None; parents.len()];
    let (mut at, mut length) = (anchor, 0.0);
    while let Some(parent) = parents[at] {
        length += joint(at).distance(joint(parent));
        ways[parent] = Way::Along(length);
        at = parent;
    }
    ways[anchor] = Way::Carried;
    for &bone in order {
        if let (Way::None, Some(parent)) = (ways[bone], parents[bone]) {
            ways[bone] = match ways[parent] {
                Way::Along(length) => Way::Along(length + joint(bone).distance(joint(parent))),
                other => other,
            };
        }
    }
    ways
}

/// All bones, each after its parent.
fn parents_first(parents: &[Option<usize>]) -> Vec<usize> {
    let mut children = vec![Vec::new(); parents.len()];
    for (bone, parent) in parents.iter().enumerate() {
        parent.iter().for_each(|&parent: &usize| children[parent].push(bone));
    }
    let mut order: Vec<usize> =
        (0..parents.len()).filter(|&bone| parents[bone].is_none()).collect();
    let mut done = 0;
    while let Some(&bone) = order.get(done) {
        order.extend(&children[bone]);
        done += 1;
    }
    order
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
