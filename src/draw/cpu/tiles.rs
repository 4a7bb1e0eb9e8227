//! Which triangles may be seen in which part of a picture.

use super::triangles::Triangle;
use std::ops::Range;

/// Triangles of each tile, in their order. What covers many tiles is not repeated in each: a file of a
/// few triangles must not become gigabytes.
pub struct Tiles {
    columns: u32,
    /// Where the list of a tile begins; one more than there are tiles.
    starts: Vec<u32>,
    list: Vec<u32>,
    /// The nearest first: what they hide need not be looked at.
    large: Vec<Large>,
}

/// A triangle that covers many tiles.
struct Large {
    index: u32,
    /// In tiles.
    columns: Range<u32>,
    rows: Range<u32>,
}

const MOST_TILES_OF_ONE: u32 = 16;

impl Tiles {
    pub fn new(triangles: &[Triangle], size_px: [u32; 2], tile_px: [u32; 2]) -> Tiles {
        let columns = size_px[0].div_ceil(tile_px[0]);
        let tiles = columns as usize * size_px[1].div_ceil(tile_px[1]) as usize;
        let covered = |triangle: &Triangle| {
            let [x, y] = triangle.pixels(size_px);
            let tile = |px: u32, axis: usize| px / tile_px[axis];
            [
                tile(x.start, 0)..tile(x.end.max(1) - 1, 0) + 1,
                tile(y.start, 1)..tile(y.end.max(1) - 1, 1) + 1,
            ]
        };
        let mut starts = vec![0_u32; tiles + 1];
        let mut large = Vec::new();
        let each = |triangle: &Triangle, work: &mut dyn FnMut(usize)| {
            let [x, y] = covered(triangle);
            if x.len() as u32 * y.len() as u32 > MOST_TILES_OF_ONE {
                return false;
            }
            for row in y {
                x.clone().for_each(|column| work((row * columns + column) as usize));
            }
            true
        };
        for (triangle, index) in triangles.iter().zip(0..) {
            if !each(triangle, &mut |tile| starts[tile + 1] += 1) {
                let [columns, rows] = covered(triangle);
                large.push(Large { index, columns, rows });
            }
        }
        for tile in 0..tiles {
            starts[tile + 1] += starts[tile];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[tiles] as usize];
        for (triangle, index) in triangles.iter().zip(0..) {
            each(triangle, &mut |tile| {
                list[next[tile] as usize] = index;
                next[tile] += 1;
            });
        }
        let nearest = |large: &Large| triangles[large.index as usize].nearest();
        large.sort_by(|a, b| nearest(b).total_cmp(&nearest(a)).then(a.index.cmp(&b.index)));
        Tiles { columns, starts, list, large }
    }

    /// The small triangles of the tile at this column and row.
    pub fn small(&self, column: u32, row: u32) -> &[u32] {
        let tile = (row * self.columns + column) as usize;
        &self.list[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }

    /// The large triangles of the same tile.
    pub fn large(&self, column: u32, row: u32) -> impl Iterator<Item = u32> {
        let covers = move |it: &&Large| it.columns.contains(&column) && it.rows.contains(&row);
        self.large.iter().filter(covers).map(|it| it.index)
    }
}
