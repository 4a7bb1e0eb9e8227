//! What moves a vertex, and what holds it back.
//!
//! A node's share is what would be missing without it: the style is evaluated again with that node muted.
//! A bone's is what would be missing if it went with its parent: the pose stays, its velocity is left out.
//! A limit's is how much further the vertex would go without the limit. Each takes a compilation, so a
//! window asks for it on a thread of its own.

use super::without_bone::WithoutBone;
use super::{ShowError, Staged};
use glam::DVec3;
use jounce_eval::{Deformed, Performer};
use jounce_graph::compile::{Compiled, compile};
use jounce_graph::document::{Graph, GraphRef, Link, Node, Style, node_type_of};
use jounce_graph::script::{NodeType, PortType, Setting};
use jounce_ir::Rate;
use jounce_rig::weights::by_bone;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Everything an answer is made from; a thread can keep it.
#[derive(Clone)]
pub struct Asked {
    pub vertex: usize,
    pub time_secs: f64,
    staged: Arc<Staged>,
}

/// A name and how much it is of the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    pub name: String,
    pub percent: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexReport {
    pub vertex: usize,
    pub time_secs: f64,
    /// Whose skin it is, most first.
    pub bones: Vec<Share>,
    /// Whose motion displaces it, most first.
    pub movers: Vec<Share>,
    /// What displaces it, most first.
    pub nodes: Vec<Share>,
    /// What holds it back now, and how much of the displacement that takes away.
    pub limits: Vec<Share>,
    /// How far it is from plain skinning, in sizes of the character.
    pub displacement_sizes: f64,
}

/// What changes less than this part of the displacement does nothing.
const LEAST_PART: f64 = 1e-3;
/// What is displaced by less, in sizes of the character, is not displaced.
const LEAST_SIZES: f64 = 1e-7;

impl Asked {
    pub fn of(staged: &Staged, vertex: usize, time_secs: f64) -> Result<Asked, ShowError> {
        Ok(Asked { vertex, time_secs, staged: Arc::new(staged.another()?) })
    }

    /// From plain skinning to where a program has the vertex.
    fn displacement(&self, performer: &Performer) -> Result<DVec3, ShowError> {
        Ok(self.moved(&performer.deformed_at(self.time_secs)?))
    }

    fn moved(&self, deformed: &Deformed) -> DVec3 {
        let at = |list: &[glam::Vec3]| list.get(self.vertex).map_or(DVec3::ZERO, |p| p.as_dvec3());
        at(&deformed.positions) - at(&deformed.skinned.positions)
    }

    fn displacement_with(
        &self,
        graph: &GraphRef,
        id: &str,
        change: impl FnOnce(&mut Node),
    ) -> Result<DVec3, ShowError> {
        let mut style = self.staged.style().clone();
        let graph: Option<&mut Graph> = match graph {
            GraphRef::Top => Some(&mut style.graph),
            GraphRef::Group(name) => style.groups.get_mut(name).map(|group| &mut group.graph),
        };
        if let Some(node) = graph.and_then(|graph| graph.nodes.get_mut(id)) {
            change(node);
        }
        let Compiled { program, .. } = compile(&style, self.staged.library());
        self.displacement(&self.staged.performer().with_program(program)?)
    }
}

pub fn report(asked: &Asked) -> Result<VertexReport, ShowError> {
    let staged = &*asked.staged;
    let whole = asked.displacement(staged.performer())?;
    let size = staged.character().size();
    let least = (whole.length() * LEAST_PART).max(LEAST_SIZES * size);
    let (mut nodes, mut limits) = (Vec::new(), Vec::new());
    let held_back = |free: DVec3| {
        let (free, held) = (free.length(), whole.length());
        (free - held > least).then(|| 100.0 * (1.0 - held / free))
    };
    for (graph_ref, graph) in staged.style().graphs() {
        for (id, node) in graph.nodes.iter().filter(|(_, node)| !node.muted) {
            let Ok(node_type) = node_type_of(node, staged.library()) else { continue };
            let muted = |node: &mut Node| node.muted = true;
            let title = node.shown_title();
            if node_type.category == "Limits" {
                let free = asked.displacement_with(&graph_ref, id, muted)?;
                let percent = held_back(free);
                limits.extend(percent.map(|percent| Share { name: title.to_owned(), percent }));
            } else if is_origin(staged, &graph_ref, graph, id) {
                let without = asked.displacement_with(&graph_ref, id, muted)?;
                let share = (whole - without).length();
                if share > least {
                    nodes.push(Share { name: title.to_owned(), percent: share });
                }
                for (port, most) in own_limits(&node_type, graph, id) {
                    let free = asked.displacement_with(&graph_ref, id, |node| {
                        node.settings.insert(port.clone(), Setting::Float(most));
                    })?;
                    let name = format!("{title}: {port}");
                    limits.extend(held_back(free).map(|percent| Share { name, percent }));
                }
            }
        }
    }
    Ok(VertexReport {
        vertex: asked.vertex,
        time_secs: asked.time_secs,
        bones: in_percent(bones_of(asked)),
        movers: in_percent(movers(asked, whole, least)?),
        nodes: in_percent(nodes),
        limits,
        displacement_sizes: whole.length() / if size > 0.0 { size } else { 1.0 },
    })
}

/// The bones whose skin it is, and their weights.
fn skin_of(asked: &Asked) -> Vec<(usize, f64)> {
    let character = asked.staged.character();
    if asked.vertex >= character.vertex_count() {
        return Vec::new();
    }
    let skin = by_bone(&character.skin, &character.bindings, &character.skeleton.bones);
    let influences = skin.of(asked.vertex).iter().filter(|it| it.weight > 0.0);
    influences.map(|it| (it.index as usize, it.weight.into())).collect()
}

fn bones_of(asked: &Asked) -> Vec<Share> {
    let skeleton = &asked.staged.character().skeleton;
    let name = |bone: usize| skeleton.bone_name(bone).to_owned();
    let shares = skin_of(asked).into_iter();
    shares.map(|(bone, percent)| Share { name: name(bone), percent }).collect()
}

/// What would be missing if a bone went with its parent: of every bone that carries the vertex.
fn movers(asked: &Asked, whole: DVec3, least: f64) -> Result<Vec<Share>, ShowError> {
    let performer = asked.staged.performer();
    let skeleton = &performer.setup().character.skeleton;
    let parent = |&bone: &usize| skeleton.bones[bone].parent;
    let bones = skin_of(asked).into_iter().map(|(bone, _)| bone);
    let carriers = bones.flat_map(|bone| std::iter::successors(Some(bone), parent));
    let carriers: BTreeSet<usize> = carriers.collect();
    let mut shares = Vec::new();
    for bone in carriers {
        let played = WithoutBone { played: &performer.player(), bone };
        let without =
            performer.in_motion(&played, asked.time_secs, |moment| performer.deform(moment))?;
        let without = asked.moved(&without);
        let percent = (whole - without).length();
        let name = skeleton.bone_name(bone).to_owned();
        shares.extend((percent > least).then_some(Share { name, percent }));
    }
    Ok(shares)
}

/// What nodes of these kinds give is no displacement of their own.
const NO_ORIGINS: [&str; 5] = ["Motion", "Input", "Math", "Limits", "Output"];
/// What comes from these is no displacement at all.
const NO_DISPLACEMENTS: [&str; 2] = ["Motion", "Input"];

/// Displaces vertices by itself: a vector per vertex comes out, and no displacement goes in.
fn is_origin(staged: &Staged, graph_ref: &GraphRef, graph: &Graph, id: &str) -> bool {
    let displaces = |id: &str, others: &[&str]| {
        let node_type = graph.nodes.get(id).map(|node| node_type_of(node, staged.library()));
        let category = node_type.and_then(Result::ok).map(|it| it.category.clone());
        let is_other = category.is_some_and(|category| others.contains(&category.as_str()));
        let has_vectors = staged.compiled().outputs.iter().any(|((path, _), (ty, rate))| {
            let (group, own) = path.rsplit_once('/').map_or(("", path.as_str()), |it| it);
            let is_it = || own == id && graph_at(staged.style(), group).as_ref() == Some(graph_ref);
            is_it() && *ty == PortType::Vec3 && *rate == Rate::Vertex
        });
        has_vectors && !is_other
    };
    let goes_in = |link: &Link| displaces(&link.from.node, &NO_DISPLACEMENTS);
    displaces(id, &NO_ORIGINS) && !graph.links_into(id).any(goes_in)
}

/// The graph that a path of group nodes leads to.
fn graph_at(style: &Style, path: &str) -> Option<GraphRef> {
    let mut graph = GraphRef::Top;
    for id in path.split('/').filter(|id| !id.is_empty()) {
        let node = style.graph(&graph)?.nodes.get(id)?;
        graph = GraphRef::Group(node.group()?.to_owned());
    }
    Some(graph)
}

/// Inputs such as "max angle" that are set and not linked, and the most they may be.
fn own_limits(node_type: &NodeType, graph: &Graph, id: &str) -> Vec<(String, f64)> {
    let is_linked = |port: &str| graph.links_into(id).any(|link| link.to.port == port);
    let inputs = node_type.inputs.iter().filter(|input| {
        input.ty == PortType::Float && input.name.starts_with("max ") && !is_linked(&input.name)
    });
    inputs.filter_map(|input| Some((input.name.clone(), input.hard?.1))).collect()
}

/// Each as a fraction of their sum, most first.
fn in_percent(mut shares: Vec<Share>) -> Vec<Share> {
    let sum: f64 = shares.iter().map(|share| share.percent).sum();
    if sum > 0.0 {
        shares.iter_mut().for_each(|share| share.percent *= 100.0 / sum);
    }
    shares.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    shares
}
