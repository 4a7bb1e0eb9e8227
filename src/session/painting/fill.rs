//! Filling: the brush's tool on many vertices at once, by amounts that are found rather than drawn.

use super::{Brush, BrushTool, Masks, PaintSurface};
use jounce_rig::weights::by_bone;

/// Where the amounts of a fill come from, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillFrom {
    /// 1 everywhere; masks say where.
    Everywhere,
    /// How much a bone moves the vertex.
    Bone(usize),
    /// How much a bone and all below it move the vertex.
    Branch(usize),
    /// 1 on the connected piece that a vertex is in.
    Piece(usize),
    /// 1 where the mesh is of this material; None: of none.
    Material(Option<usize>),
    /// Thin parts.
    Softness,
}

impl FillFrom {
    /// Per vertex. What is not there fills nothing.
    pub fn amounts(self, surface: &PaintSurface) -> Vec<f32> {
        let character = surface.character();
        let vertices = 0..character.vertex_count();
        let of_bones = |is_in: &dyn Fn(usize) -> bool| {
            let bones = &character.skeleton.bones;
            let skin = by_bone(&character.skin, &character.bindings, bones);
            let amount = |vertex: usize| {
                let own = skin.of(vertex).iter().filter(|it| is_in(it.index as usize));
                own.map(|it| it.weight).sum::<f32>().clamp(0.0, 1.0)
            };
            vertices.clone().map(amount).collect()
        };
        match self {
            FillFrom::Everywhere => vec![1.0; vertices.len()],
            FillFrom::Bone(bone) => of_bones(&|it| it == bone),
            FillFrom::Branch(bone) => {
                let mut is_in = vec![false; character.skeleton.bones.len()];
                for &it in &character.skeleton.bones_parents_first {
                    let parent = character.skeleton.bones[it].parent;
                    is_in[it] = it == bone || parent.is_some_and(|parent| is_in[parent]);
                }
                of_bones(&|it| is_in[it])
            }
            FillFrom::Piece(vertex) => {
                let (pieces, points) = (surface.pieces(), &character.surface().points);
                let piece = |vertex: usize| {
                    points.point_of_vertex.get(vertex).map(|&point| pieces[point as usize])
                };
                let wanted = piece(vertex);
                let is_in = |it: usize| wanted.is_some() && piece(it) == wanted;
                vertices.map(|it| f32::from(u8::from(is_in(it)))).collect()
            }
            FillFrom::Material(material) => {
                let mut amounts = vec![0.0; vertices.len()];
                for part in character.mesh.parts.iter().filter(|part| part.material == material) {
                    if let Some(own) = amounts.get_mut(part.vertices.clone()) {
                        own.fill(1.0);
                    }
                }
                amounts
            }
            FillFrom::Softness => character.automatic_softness().to_vec(),
        }
    }
}

/// A map, filled. Smoothing and flooding have no value of their own: they bring the map to the brush's.
pub fn filled(brush: &Brush, masks: &Masks, values: &[f32], amounts: &[f32]) -> Vec<f32> {
    let tool = match brush.tool {
        BrushTool::Smooth | BrushTool::Flood => BrushTool::Replace,
        tool => tool,
    };
    let fill = |(vertex, (&x, &amount)): (usize, (&f32, &f32))| {
        let amount = amount * brush.strength as f32;
        if !masks.allow(vertex) || !(amount > 0.0) {
            return x;
        }
        let new = brush.limited(tool.applied(x, amount, brush.value, x), x);
        if new.is_finite() { new } else { x }
    };
    values.iter().zip(amounts).enumerate().map(fill).collect()
}
