//! `--path`: where vertices go over the motion, with one tick per frame.

use super::Take;
use crate::cli::CliError;
use crate::cli::graph::GraphError;
use crate::cli::scene::{Scene, find_bone};
use glam::Vec3;
use jounce_draw::Mark;
use jounce_rig::Character;
use jounce_session::overlays::{self, PLAIN_PATH, STYLED_PATH};
use jounce_session::{PathFrames, VertexPath, outermost_vertex, paths_at};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A vertex by its number, or the outermost one of a bone by its name.
fn vertices(character: &Character, wanted: &[String]) -> Result<Vec<usize>, CliError> {
    let count = character.vertex_count();
    let vertex = |text: &String| match text.parse::<usize>() {
        Ok(vertex) if vertex < count => Ok(vertex),
        Ok(vertex) => Err(CliError::Combination(format!(
            "there is no vertex {vertex}; the character has {count} vertices, counted from 0"
        ))),
        Err(_) => {
            let bone = find_bone(character, text)?;
            outermost_vertex(character, bone).ok_or_else(|| {
                CliError::Combination(format!(
                    "the bone \"{text}\" moves no skin of its own, so it has no path; name another bone, or a vertex"
                ))
            })
        }
    };
    wanted.iter().map(vertex).collect()
}

/// The vertices, and paths that were made: by scene, and by their first frame.
#[derive(Default)]
pub struct Paths {
    vertices: Vec<usize>,
    made: RefCell<BTreeMap<(usize, i64), Vec<VertexPath>>>,
}

impl Paths {
    /// As `--path` names them.
    pub fn new(character: &Character, wanted: &[String]) -> Result<Paths, CliError> {
        Ok(Paths { vertices: vertices(character, wanted)?, ..Paths::default() })
    }

    /// What was asked for, and which vertices that is: for people.
    pub fn said(&self, wanted: &[String]) -> String {
        let one = |(wanted, vertex): (&String, &usize)| match *wanted == vertex.to_string() {
            true => format!("; path of vertex {vertex}"),
            false => format!("; path of vertex {vertex} of {wanted}"),
        };
        wanted.iter().zip(&self.vertices).map(one).collect()
    }
}

impl Take<'_> {
    /// The paths at a moment of a scene, and what a camera must see of them.
    pub fn paths(&self, scene: &Scene, now_secs: f64) -> Result<(Vec<Mark>, Vec<Vec3>), CliError> {
        let vertices = &self.paths.vertices;
        if vertices.is_empty() {
            return Ok(Default::default());
        }
        let frames = PathFrames::of(&scene.playback(), self.args.scene.fps, now_secs);
        let key = (std::ptr::from_ref(scene) as usize, frames.frames.start);
        let known = self.paths.made.borrow().get(&key).cloned();
        let paths = match known {
            Some(paths) => paths,
            None => {
                let paths = places(scene, vertices, &frames.times_secs(), frames.is_closed)?;
                self.paths.made.borrow_mut().insert(key, paths.clone());
                paths
            }
        };
        let now = places(scene, vertices, &[now_secs], false)?;
        let (amount, mut marks, mut points) =
            (self.args.comparison.exaggerate, Vec::new(), Vec::new());
        for (path, now) in paths.iter().zip(&now) {
            let plain = now.plain.first().copied();
            let now = plain.map(|plain| [plain, now.styled.first().copied().unwrap_or(plain)]);
            let drawn = overlays::path(path, now, amount);
            points.extend(drawn.iter().flat_map(Mark::points));
            marks.extend(drawn);
        }
        Ok((marks, points))
    }

    /// What the colours of paths mean; nothing where there are none.
    pub fn path_key(&self) -> &'static [(&'static str, [u8; 3])] {
        match (self.paths.vertices.is_empty(), &self.scene().graph) {
            (true, _) => &[],
            (false, None) => &[("plain", PLAIN_PATH)],
            (false, Some(_)) => &[("plain", PLAIN_PATH), ("styled", STYLED_PATH)],
        }
    }
}

fn places(
    scene: &Scene,
    vertices: &[usize],
    times_secs: &[f64],
    is_closed: bool,
) -> Result<Vec<VertexPath>, CliError> {
    if scene.graph.is_some() {
        let performer = scene.performer();
        let made = performer
            .with_moments(times_secs, |moments| paths_at(performer, vertices, moments, is_closed));
        return Ok(made.map_err(GraphError::from)?);
    }
    let all: Vec<Vec<Vec3>> = times_secs.iter().map(|&t| scene.plain_positions(t)).collect();
    let path = |&vertex: &usize| VertexPath {
        vertex,
        plain: all.iter().map(|positions| positions[vertex]).collect(),
        styled: Vec::new(),
        is_closed,
    };
    Ok(vertices.iter().map(path).collect())
}
