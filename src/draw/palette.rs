//! 255 colours that stand for all colours of a film.
//!
//! Median cut over a histogram of all frames, then a few rounds of k-means. A studio picture is
//! mostly soft greys, so frequent neighbours get colours of their own and gradients stay smooth;
//! what is left of the error is spread by an ordered pattern, which stands still between frames.

use image::RgbaImage;
use std::collections::HashMap;

#[derive(Debug)]
pub struct Palette {
    colors: Vec<[u8; 3]>,
    /// Nearest palette entry of colours already asked for.
    nearest: HashMap<[u8; 3], u8>,
}

/// A colour of the histogram and how often it occurs.
#[derive(Clone, Copy)]
struct Bin {
    color: [f32; 3],
    count: f32,
}

impl Palette {
    /// Not a colour: the pixel stays as the frame before left it.
    pub const UNCHANGED: u8 = 255;

    pub fn of(frames: &[RgbaImage]) -> Palette {
        let bins = histogram(frames);
        let mut colors = median_cut(bins.clone(), usize::from(Palette::UNCHANGED));
        for _ in 0..3 {
            refine(&mut colors, &bins);
        }
        let rounded = colors.iter().map(|color| color.map(|c| c.round() as u8));
        Palette { colors: rounded.collect(), nearest: HashMap::new() }
    }

    pub fn rgb_bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.concat();
        bytes.resize(256 * 3, 0);
        bytes
    }

    /// The palette index of every pixel; translucent pixels count as they would look on white.
    pub fn indices(&mut self, frame: &RgbaImage) -> Vec<u8> {
        let width = frame.width().max(1);
        let mut indices = Vec::with_capacity(frame.len() / 4);
        for (pixel, at) in frame.pixels().zip(0u32..) {
            let color = dithered(on_white(pixel.0), at % width, at / width);
            let colors = &self.colors;
            let index = *self.nearest.entry(color).or_insert_with(|| nearest(colors, color));
            indices.push(index);
        }
        indices
    }
}

/// Shifts a colour by up to ±1 in a pattern of 4 × 4 pixels.
fn dithered(color: [u8; 3], x: u32, y: u32) -> [u8; 3] {
    const BAYER: [[i16; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    let shift = (BAYER[(y % 4) as usize][(x % 4) as usize] * 2 - 15) / 10;
    color.map(|channel| (i16::from(channel) + shift).clamp(0, 255) as u8)
}

fn on_white([r, g, b, a]: [u8; 4]) -> [u8; 3] {
    let alpha = u32::from(a);
    [r, g, b].map(|channel| ((u32::from(channel) * alpha + 255 * (255 - alpha)) / 255) as u8)
}

fn histogram(frames: &[RgbaImage]) -> Vec<Bin> {
    let pixels: usize = frames.iter().map(|frame| frame.len() / 4).sum();
    // About a million samples are plenty; a prime step avoids walking down columns.
    let step = (pixels / 1_000_000).max(1);
    let step = if step > 1 { step * 2 + 1 } else { 1 };
    let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
    for pixel in frames.iter().flat_map(|frame| frame.pixels()).step_by(step) {
        *counts.entry(on_white(pixel.0)).or_default() += 1;
    }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    // Hash maps have no order of their own; the file must not depend on it.
    sorted.sort_unstable();
    sorted
        .into_iter()
        .map(|(color, count)| Bin {
            color: color.map(f32::from),
            // The square root keeps small colourful parts from being lost in a large background.
            count: (count as f32).sqrt(),
        })
        .collect()
}

fn mean(bins: &[Bin]) -> [f32; 3] {
    let total: f32 = bins.iter().map(|bin| bin.count).sum();
    std::array::from_fn(|channel| {
        let sum: f32 = bins.iter().map(|bin| bin.color[channel] * bin.count).sum();
        sum / total.max(1e-9)
    })
}

/// The channel in which the bins differ most, and the sum of squared differences there.
fn spread(bins: &[Bin]) -> (usize, f32) {
    let middle = mean(bins);
    (0..3)
        .map(|channel| {
            let squares = bins.iter().map(|bin| {
                let away = bin.color[channel] - middle[channel];
                away * away * bin.count
            });
            (channel, squares.sum::<f32>())
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((0, 0.0))
}

/// Splits the box with the largest error at its mean until there are enough boxes.
fn median_cut(bins: Vec<Bin>, count: usize) -> Vec<[f32; 3]> {
    let first = spread(&bins);
    let mut boxes = vec![(bins, first)];
    while boxes.len() < count {
        let widest = (0..boxes.len()).max_by(|&a, &b| boxes[a].1.1.total_cmp(&boxes[b].1.1));
        let Some(widest) = widest.filter(|&at| boxes[at].1.1 > 0.0) else {
            break;
        };
        let (bins, (channel, _)) = boxes.swap_remove(widest);
        let middle = mean(&bins)[channel];
        let (low, high): (Vec<_>, Vec<_>) =
            bins.into_iter().partition(|bin| bin.color[channel] <= middle);
        for half in [low, high] {
            let spread = spread(&half);
            boxes.push((half, spread));
        }
    }
    boxes.iter().map(|(bins, _)| mean(bins)).collect()
}

/// One round of k-means: every colour moves to the middle of the bins nearest to it.
fn refine(colors: &mut [[f32; 3]], bins: &[Bin]) {
    let mut sums = vec![([0.0_f32; 3], 0.0_f32); colors.len()];
    // Most colours are frequent or alike; rare ones beyond this many do not move a palette.
    let step = (bins.len() / 20_000).max(1);
    for bin in bins.iter().step_by(step) {
        let (sum, count) = &mut sums[nearest_of(colors, bin.color)];
        for (sum, channel) in sum.iter_mut().zip(bin.color) {
            *sum += channel * bin.count;
        }
        *count += bin.count;
    }
    for (color, (sum, count)) in colors.iter_mut().zip(sums) {
        if count > 0.0 {
            *color = sum.map(|channel| channel / count);
        }
    }
}

fn nearest_of(colors: &[[f32; 3]], color: [f32; 3]) -> usize {
    let distance = |other: &[f32; 3]| {
        let [r, g, b] = std::array::from_fn(|i| (other[i] - color[i]) * (other[i] - color[i]));
        // The eye is keenest on green, dullest on blue.
        0.3 * r + 0.5 * g + 0.2 * b
    };
    (0..colors.len())
        .min_by(|&a, &b| distance(&colors[a]).total_cmp(&distance(&colors[b])))
        .unwrap_or(0)
}

fn nearest(colors: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> i32 {
        let [r, g, b] = std::array::from_fn(|i| i32::from(other[i]) - i32::from(color[i]));
        3 * r * r + 5 * g * g + 2 * b * b
    };
    let best = (0..colors.len()).min_by_key(|&index| distance(&colors[index]));
    best.unwrap_or(0) as u8
}
