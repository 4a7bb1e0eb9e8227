//! What rigid pieces sit on: eyes in a face, pupils on eyes, buttons on a coat.

use super::pieces::RigidPieces;
use crate::Character;
use glam::Vec3;
use std::collections::HashMap;

/// In sizes of the character: nothing sits on what is farther away.
const NEAR: f32 = 0.02;
/// Vertices that are looked at: of each piece, and of all in a cell as large as `NEAR`.
const MOST_OF_PIECE: usize = 32;
const MOST_IN_CELL: usize = 16;

/// Per piece the nearest vertices of skin that is no piece, or of a larger piece on the same bone.
pub fn find(character: &Character, pieces: &RigidPieces) -> Vec<Vec<u32>> {
    let near = NEAR * character.size() as f32;
    if pieces.all.is_empty() || !(near > 0.0) {
        return vec![Vec::new(); pieces.all.len()];
    }
    let positions = &character.rest().positions;
    let cell = |position: Vec3| (position / near).floor().to_array().map(|x| x as i64);
    let mut skin: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for (vertex, &position) in positions.iter().enumerate() {
        let there = skin.entry(cell(position)).or_default();
        if there.len() < MOST_IN_CELL {
            there.push(vertex as u32);
        }
    }
    let below = |piece: usize| -> Vec<u32> {
        let own = &pieces.all[piece];
        let carries = |vertex: u32| match pieces.of_vertices[vertex as usize] {
            None => true,
            Some(other) if other as usize == piece => false,
            Some(other) => {
                let other = &pieces.all[other as usize];
                other.bone == own.bone && other.area > own.area
            }
        };
        let nearest = |&vertex: &u32| {
            let position = positions[vertex as usize];
            let [x, y, z] = cell(position);
            let around =
                (0..27).map(|place| [x + place % 3 - 1, y + place / 3 % 3 - 1, z + place / 9 - 1]);
            let there = around.filter_map(|cell| skin.get(&cell)).flatten().copied();
            let distance = |vertex: u32| positions[vertex as usize].distance(position);
            let there = there.filter(|&vertex| carries(vertex) && distance(vertex) <= near);
            there.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
        };
        pieces.vertices[piece].iter().take(MOST_OF_PIECE).filter_map(nearest).collect()
    };
    (0..pieces.all.len()).map(below).collect()
}
