//! The skin that rigid pieces sit on: eyes in a face, buttons on a coat.

use crate::Character;
use glam::Vec3;
use std::collections::HashMap;

/// In sizes of the character: nothing sits on what is farther away.
const NEAR: f32 = 0.02;
/// Vertices that are looked at: of each piece, and of the skin in a cell as large as `NEAR`.
const MOST_OF_PIECE: usize = 32;
const MOST_IN_CELL: usize = 16;

/// Per piece the nearest vertices of the skin that is no piece.
pub fn find(character: &Character, pieces: &[Option<u32>], count: usize) -> Vec<Vec<u32>> {
    let mut found = vec![Vec::new(); count];
    let near = NEAR * character.size() as f32;
    if count == 0 || !(near > 0.0) {
        return found;
    }
    let positions = &character.rest().positions;
    let cell = |position: Vec3| (position / near).floor().to_array().map(|x| x as i64);
    let mut skin: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for (vertex, piece) in pieces.iter().enumerate() {
        if piece.is_none() {
            let there = skin.entry(cell(positions[vertex])).or_default();
            if there.len() < MOST_IN_CELL {
                there.push(vertex as u32);
            }
        }
    }
    let mut looked_at = vec![0; count];
    for (vertex, piece) in pieces.iter().enumerate() {
        let Some(piece) = piece.map(|piece| piece as usize) else { continue };
        looked_at[piece] += 1;
        if looked_at[piece] > MOST_OF_PIECE {
            continue;
        }
        let position = positions[vertex];
        let [x, y, z] = cell(position);
        let around = (0..27).map(|place| [x + place % 3 - 1, y + place / 3 % 3 - 1, z + place / 9 - 1]);
        let there = around.filter_map(|cell| skin.get(&cell)).flatten();
        let distance = |vertex: &&u32| positions[**vertex as usize].distance(position);
        let nearest = there.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        found[piece].extend(nearest.filter(|nearest| distance(nearest) <= near));
    }
    found
}
