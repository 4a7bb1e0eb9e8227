//! A few vertices of a character, for callers that look at one of them.

use super::skinning::{Posed, Skin, Skinning};
use super::{Bound, Deformed, EvalError, Evaluator, Interpreter, Moment, Neighbours, Pairs};
use jounce_ir::{Op, Program};
use jounce_rig::{Influences, Skinned};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a program reads of a few vertices: asked for at many moments, it costs little more than the bones.
pub struct SomeVertices {
    bound: Bound,
    /// Those that were asked for come first.
    vertices: Vec<usize>,
    asked: usize,
}

impl SomeVertices {
    /// Each vertex must be one of the character's.
    pub fn of(program: &Program, bound: &Bound, vertices: &[usize]) -> SomeVertices {
        let asked = vertices.len();
        let vertices = vertices_around(program, bound, vertices);
        SomeVertices { bound: bound.of_vertices(&vertices), vertices, asked }
    }

    /// Where they are, in the order they were asked for, with plain skinning beside it.
    pub fn deform(&self, program: &Program, moment: &Moment) -> Result<Deformed, EvalError> {
        let moment = moment.clone().of_vertices(&self.vertices);
        let mut deformed = Interpreter.deform(program, &self.bound, &moment)?;
        deformed.positions.truncate(self.asked);
        deformed.skinned.positions.truncate(self.asked);
        deformed.skinned.normals.truncate(self.asked);
        Ok(deformed)
    }
}

/// Some vertices, which come first, and all whose numbers reach them when the program smooths over the surface.
pub fn vertices_around(program: &Program, bound: &Bound, asked: &[usize]) -> Vec<usize> {
    let passes = |op: &Op| {
        let Op::Relax { passes, .. } = *op else { return 0 };
        passes
    };
    let rings: u32 = program.ops.iter().map(passes).sum();
    let mut known: BTreeMap<usize, ()> = asked.iter().map(|&vertex| (vertex, ())).collect();
    let mut vertices = asked.to_vec();
    let mut ring = 0..vertices.len();
    for _ in 0..rings {
        for place in ring.clone() {
            for &other in bound.neighbours.of(vertices[place]) {
                if known.insert(other as usize, ()).is_none() {
                    vertices.push(other as usize);
                }
            }
        }
        ring = ring.end..vertices.len();
    }
    vertices
}

fn some<T: Clone>(all: &[T], vertices: &[usize]) -> Vec<T> {
    vertices.iter().filter_map(|&vertex| all.get(vertex).cloned()).collect()
}

impl Bound {
    /// The same with these vertices only, in that order. Those at the edge lack neighbours.
    pub fn of_vertices(&self, vertices: &[usize]) -> Bound {
        let mut pairs = Pairs { offsets: vec![0], bones: Vec::new() };
        let mut weights = vec![Vec::new(); self.weights.len()];
        for &vertex in vertices {
            let range = self.pairs.of(vertex);
            pairs.bones.extend(&self.pairs.bones[range.clone()]);
            pairs.offsets.push(pairs.bones.len() as u32);
            for (column, all) in weights.iter_mut().zip(&*self.weights) {
                column.extend(&all[range.clone()]);
            }
        }
        let map = |map: &Option<Arc<Vec<f64>>>| Some(Arc::new(some(map.as_ref()?, vertices)));
        Bound {
            bone_names: self.bone_names.clone(),
            bone_numbers: self.bone_numbers.clone(),
            bone_tables: self.bone_tables.clone(),
            bone_sets: self.bone_sets.clone(),
            rest_positions: some(&self.rest_positions, vertices).into(),
            rest_normals: some(&self.rest_normals, vertices).into(),
            flesh: self.flesh.clone(),
            anchors: self.anchors.clone(),
            maps: self.maps.iter().map(map).collect(),
            pairs: pairs.into(),
            weights: weights.into(),
            centroid_offsets: self.centroid_offsets.clone(),
            size: self.size,
            ground_height: self.ground_height,
            height: self.height,
            skin: self.skin.as_ref().map(|skin| skin.of_vertices(vertices).into()),
            neighbours: self.neighbours.of_vertices(vertices).into(),
            warnings: Vec::new(),
        }
    }
}

impl Skin {
    fn of_vertices(&self, vertices: &[usize]) -> Skin {
        let mut influences = Influences::with_capacity(vertices.len(), vertices.len() * 4);
        vertices.iter().for_each(|&it| influences.push(self.influences.of(it).iter().copied()));
        Skin {
            positions: some(&self.positions, vertices),
            normals: some(&self.normals, vertices),
            influences,
            binding_count: self.binding_count,
            bone_of_binding: self.bone_of_binding.clone(),
            bone_parents: self.bone_parents.clone(),
        }
    }
}

impl Neighbours {
    fn of_vertices(&self, vertices: &[usize]) -> Neighbours {
        if self.offsets.is_empty() {
            return Neighbours::default();
        }
        let places =
            vertices.iter().enumerate().map(|(place, &vertex)| (vertex as u32, place as u32));
        let places: BTreeMap<u32, u32> = places.collect();
        let mut part = Neighbours { offsets: vec![0], vertices: Vec::new() };
        for &vertex in vertices {
            part.vertices.extend(self.of(vertex).iter().filter_map(|other| places.get(other)));
            part.offsets.push(part.vertices.len() as u32);
        }
        part
    }
}

impl Moment<'_> {
    /// The same for [`Bound::of_vertices`].
    pub fn of_vertices(mut self, vertices: &[usize]) -> Self {
        self.skinning = match self.skinning {
            Skinning::Given { positions, normals } => Skinning::Given {
                positions: some(&positions, vertices),
                normals: some(&normals, vertices),
            },
            Skinning::Posed(posed) => {
                let part = |morphed: Arc<Skinned>| {
                    let positions = some(&morphed.positions, vertices);
                    Arc::new(Skinned { positions, normals: some(&morphed.normals, vertices) })
                };
                Skinning::Posed(Posed { morphed: posed.morphed.map(part), ..posed })
            }
        };
        self
    }
}
