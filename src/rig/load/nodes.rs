//! The file's nodes, and which of them carry a mesh.

use super::error::{LoadError, limit};
use crate::{Node, Trs};
use glam::{DAffine3, DMat4, DQuat, DVec3};
use gltf::json::{Root, scene};

/// Nodes in file order, with what hangs on them.
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// Nodes with a mesh that the file's scene shows, in file order.
    pub mesh_nodes: Vec<usize>,
    pub rest_morph_weights: Vec<f64>,
}

pub(super) fn read(root: &Root) -> Result<Tree, LoadError> {
    let parents = parents(root)?;
    let mut nodes = Vec::with_capacity(root.nodes.len());
    let mut rest_morph_weights = Vec::new();
    for (index, node) in root.nodes.iter().enumerate() {
        let mut read = read_transform(index, node)?;
        read.parent = parents[index];
        read.first_morph_weight = rest_morph_weights.len();
        rest_morph_weights.extend(morph_weights(root, node)?);
        limit::check("morph weights", rest_morph_weights.len() as u64, limit::MORPH_WEIGHTS)?;
        read.morph_weight_count = rest_morph_weights.len() - read.first_morph_weight;
        nodes.push(read);
    }
    let shown = shown_nodes(root, &parents);
    let mesh_nodes =
        (0..nodes.len()).filter(|&node| root.nodes[node].mesh.is_some() && shown[node]).collect();
    Ok(Tree { nodes, mesh_nodes, rest_morph_weights })
}

fn parents(root: &Root) -> Result<Vec<Option<usize>>, LoadError> {
    let mut parents = vec![None; root.nodes.len()];
    for (index, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten() {
            let Some(parent) = parents.get_mut(child.value()) else {
                return Err(LoadError::invalid(format!(
                    "node {index} has a child {} that does not exist",
                    child.value()
                )));
            };
            if parent.is_some_and(|other| other != index) {
                return Err(LoadError::invalid(format!("node {} has two parents", child.value())));
            }
            *parent = Some(index);
        }
    }
    Ok(parents)
}

fn read_transform(index: usize, node: &scene::Node) -> Result<Node, LoadError> {
    let name = match node.name.as_deref() {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("node {index}"),
    };
    let numbers = node.matrix.iter().flatten();
    let numbers = numbers.chain(node.translation.iter().flatten());
    let numbers = numbers.chain(node.scale.iter().flatten());
    let mut numbers = numbers.chain(node.rotation.iter().flat_map(|rotation| &rotation.0));
    if !numbers.all(|x| x.abs() <= limit::MAGNITUDE) {
        return Err(LoadError::invalid(format!(
            "the transform of node \"{name}\" holds a number that is not usable"
        )));
    }
    if let Some(matrix) = node.matrix {
        let matrix = DMat4::from_cols_array(&matrix.map(f64::from));
        let matrix = DAffine3::from_mat4(matrix);
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let rest = Trs { translation, rotation: unit(rotation), scale };
        let mut node = Node::new(name, None, rest);
        node.rest_matrix = Some(matrix);
        return Ok(node);
    }
    let vector =
        |v: Option<[f32; 3]>, missing| v.map_or(missing, |v| DVec3::from(v.map(f64::from)));
    let rotation = node
        .rotation
        .map_or(DQuat::IDENTITY, |rotation| DQuat::from_array(rotation.0.map(f64::from)));
    let rest = Trs {
        translation: vector(node.translation, DVec3::ZERO),
        rotation: unit(rotation),
        scale: vector(node.scale, DVec3::ONE),
    };
    Ok(Node::new(name, None, rest))
}

/// A flat matrix has no rotation, and a file may give a quaternion of zeros.
fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length > 1e-12 && length.is_finite() { rotation * (1.0 / length) } else { DQuat::IDENTITY }
}

/// As many weights as the mesh has targets; the node's own values go before the mesh's.
fn morph_weights(root: &Root, node: &scene::Node) -> Result<Vec<f64>, LoadError> {
    let Some(mesh) = node.mesh else {
        return Ok(Vec::new());
    };
    let Some(mesh) = root.get(mesh) else {
        return Err(LoadError::invalid(format!("mesh {} does not exist", mesh.value())));
    };
    let targets = mesh.primitives.iter().map(|p| p.targets.as_ref().map_or(0, Vec::len));
    let count = targets.max().unwrap_or(0);
    let given = node.weights.as_ref().or(mesh.weights.as_ref());
    let weight = |target: usize| {
        let weight = given.and_then(|weights| weights.get(target)).copied();
        weight.filter(|w| w.abs() <= limit::MAGNITUDE).map_or(0.0, f64::from)
    };
    Ok((0..count).map(weight).collect())
}

/// One flag per node: below a root of the scene the file opens with. A file without scenes is a
/// library of nodes, and shows them all.
fn shown_nodes(root: &Root, parents: &[Option<usize>]) -> Vec<bool> {
    let opened = root.scene.map_or(0, |scene| scene.value());
    let Some(scene) = root.scenes.get(opened) else {
        return vec![true; parents.len()];
    };
    let mut shown = vec![false; parents.len()];
    let mut stack: Vec<usize> = scene.nodes.iter().map(|node| node.value()).collect();
    while let Some(node) = stack.pop() {
        // Seen before: a cycle, which the skeleton refuses later with a sentence of its own.
        if node >= shown.len() || shown[node] {
            continue;
        }
        shown[node] = true;
        let children = root.nodes[node].children.iter().flatten();
        stack.extend(children.map(|child| child.value()));
    }
    shown
}
