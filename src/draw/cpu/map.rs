//! Two-dimensional maps of numbers for computing light, read as the GPU reads textures.

use glam::Vec2;
use rayon::prelude::*;
use std::ops::{Add, Mul};

#[derive(Debug, Default)]
pub struct Map<T> {
    width: usize,
    height: usize,
    pub texels: Vec<T>,
}

impl<T: Copy + Send + Sync> Map<T> {
    /// Another size, all texels alike.
    pub fn reset(&mut self, [width, height]: [u32; 2], value: T) {
        (self.width, self.height) = (width as usize, height as usize);
        self.texels.clear();
        self.texels.resize(self.width * self.height, value);
    }

    pub fn size(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32)
    }

    pub fn size_px(&self) -> [u32; 2] {
        [self.width as u32, self.height as u32]
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// The texel at this place, if there is one.
    #[inline]
    pub fn get(&self, at: Vec2) -> Option<T> {
        // NaN becomes 0 here, and the comparison catches it.
        let is_inside = at.x >= 0.0 && at.y >= 0.0;
        let (x, y) = (at.x as usize, at.y as usize);
        (is_inside && x < self.width && y < self.height).then(|| self.texels[y * self.width + x])
    }

    /// Between the four nearest texels; beyond the border as at the border.
    pub fn smooth<V>(&self, at: Vec2, read: impl Fn(T) -> V) -> V
    where
        V: Add<Output = V> + Mul<f32, Output = V>,
    {
        let place = |at: f32, end: usize| {
            // Rounded down, as `floor` does; it saturates, and NaN becomes 0.
            let whole = (at - 0.5) as i32;
            let low = whole - i32::from((whole as f32) > at - 0.5);
            let part = at - 0.5 - low as f32;
            let last = end as i32 - 1;
            (low.clamp(0, last) as usize, low.saturating_add(1).clamp(0, last) as usize, part)
        };
        let (x0, x1, across) = place(at.x, self.width);
        let (y0, y1, down) = place(at.y, self.height);
        let texel = |x: usize, y: usize| read(self.texels[y * self.width + x]);
        let row = |y: usize| texel(x0, y) * (1.0 - across) + texel(x1, y) * across;
        row(y0) * (1.0 - down) + row(y1) * down
    }

    /// The texel at this place, beyond the border that at the border.
    #[inline]
    pub fn nearest(&self, at: Vec2) -> T {
        let place = |at: f32, end: usize| (at as i32).clamp(0, end as i32 - 1) as usize;
        self.texels[place(at.y, self.height) * self.width + place(at.x, self.width)]
    }

    /// One of `every` texels in each direction, the one in the middle.
    pub fn thinned(&self, every: usize) -> Map<T> {
        let [width, height] = [self.width, self.height].map(|side| side.div_ceil(every));
        let from = |at: usize, end: usize| (at * every + every / 2).min(end - 1);
        let texel = |at: usize| {
            let (x, y) = (from(at % width, self.width), from(at / width, self.height));
            self.texels[y * self.width + x]
        };
        Map { width, height, texels: (0..width * height).map(texel).collect() }
    }

    /// Sets every texel again, from its position.
    pub fn fill(&mut self, value: impl Fn(usize, usize) -> T + Sync) {
        let width = self.width.max(1);
        self.texels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            row.iter_mut().enumerate().for_each(|(x, texel)| *texel = value(x, y));
        });
    }

    /// The mean of the `REACH` neighbours to each side, each weighed by exp(−distance² / softness);
    /// across, then down.
    pub fn blur<const REACH: usize>(&mut self, softness: f32, between: &mut Map<T>)
    where
        T: Add<Output = T> + Mul<f32, Output = T>,
    {
        let weight = |away: usize| (-((away * away) as f32) / softness).exp();
        let sum = 1.0 + 2.0 * (1..=REACH).map(weight).sum::<f32>();
        let weights: [f32; REACH] = std::array::from_fn(|i| weight(i + 1) / sum);
        let mean = |middle: T, pair: &dyn Fn(usize) -> (T, T)| {
            (1..=REACH).zip(weights).fold(middle * (1.0 / sum), |mean, (away, weight)| {
                let (before, after) = pair(away);
                mean + (before + after) * weight
            })
        };
        let (width, height) = (self.width, self.height);
        between.reset_like(self);
        let rows = self.texels.par_chunks(width).zip(between.texels.par_chunks_mut(width));
        rows.for_each(|(from, to)| {
            for (x, to) in to.iter_mut().enumerate() {
                let pair =
                    |away: usize| (from[x.saturating_sub(away)], from[(x + away).min(width - 1)]);
                *to = mean(from[x], &pair);
            }
        });
        let from = &between.texels;
        self.texels.par_chunks_mut(width).enumerate().for_each(|(y, to)| {
            let row = |y: usize| &from[y * width..(y + 1) * width];
            let above: [&[T]; REACH] = std::array::from_fn(|i| row(y.saturating_sub(i + 1)));
            let below: [&[T]; REACH] = std::array::from_fn(|i| row((y + i + 1).min(height - 1)));
            for (x, (to, &middle)) in to.iter_mut().zip(row(y)).enumerate() {
                *to = mean(middle, &|away| (above[away - 1][x], below[away - 1][x]));
            }
        });
    }

    /// As large as another; what is in it does not matter.
    fn reset_like(&mut self, other: &Map<T>) {
        (self.width, self.height) = (other.width, other.height);
        self.texels.clear();
        self.texels.extend_from_slice(&other.texels);
    }
}

/// What is true of the neighbourhood of each square of texels, so that a single look can spare many.
#[derive(Debug, Default)]
pub struct Overview {
    width: usize,
    height: usize,
    most: Vec<f32>,
    side: usize,
}

impl Overview {
    /// The largest value within `reach` texels (across, down) of each square of `side` texels.
    pub fn of<T: Copy + Send + Sync>(
        map: &Map<T>,
        side: usize,
        reach: Vec2,
        value: impl Fn(T) -> f32 + Sync,
    ) -> Overview {
        let (width, height) = (map.width.div_ceil(side), map.height.div_ceil(side));
        let mut most = vec![f32::NEG_INFINITY; width * height];
        most.par_chunks_mut(width.max(1)).enumerate().for_each(|(row, most)| {
            for y in row * side..((row + 1) * side).min(map.height) {
                let texels = &map.texels[y * map.width..(y + 1) * map.width];
                for (most, texels) in most.iter_mut().zip(texels.chunks(side)) {
                    *most = texels.iter().fold(*most, |most, &texel| most.max(value(texel)));
                }
            }
        });
        // One more on each side, for the texels beside the one that is hit.
        let squares = |reach: f32| (reach / side as f32).ceil().clamp(0.0, 4096.0) as usize + 1;
        let (across, down) = (squares(reach.x), squares(reach.y));
        let widen = |from: &[f32], reach: usize, along: usize, end: usize, at: usize| {
            let place = at / along % end;
            let (low, high) = (place.saturating_sub(reach), (place + reach).min(end - 1));
            let first = at - place * along;
            (low..=high).map(|p| from[first + p * along]).fold(f32::NEG_INFINITY, f32::max)
        };
        let wide: Vec<f32> = (0..most.len()).map(|at| widen(&most, across, 1, width, at)).collect();
        let most = (0..wide.len()).map(|at| widen(&wide, down, width, height, at)).collect();
        Overview { width, height, most, side }
    }

    /// At least as much as the largest value near this texel.
    pub fn at(&self, texel: Vec2) -> f32 {
        let place = |at: f32, end: usize| (at.max(0.0) as usize / self.side).min(end - 1);
        self.most[place(texel.y, self.height) * self.width + place(texel.x, self.width)]
    }
}
