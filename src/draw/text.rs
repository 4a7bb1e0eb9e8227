//! Words in a picture: outlines of letters, filled by how much of each pixel they cover.

use image::{Rgba, RgbaImage};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// Letters of one size.
pub struct Lettering {
    /// None: the font cannot be read, and nothing is written.
    font: Option<FontRef<'static>>,
    size_px: f32,
}

impl Lettering {
    pub fn new(size_px: f32) -> Lettering {
        let font = FontRef::new(epaint_default_fonts::UBUNTU_LIGHT).ok();
        Lettering { font, size_px: size_px.clamp(1.0, 2000.0) }
    }

    /// The letters of a text, each with where it begins; and where the text ends.
    fn letters(&self, text: &str) -> (Vec<(GlyphId, f32)>, f32) {
        let Some(font) = &self.font else { return (Vec::new(), 0.0) };
        let charmap = font.charmap();
        let metrics = font.glyph_metrics(Size::new(self.size_px), LocationRef::default());
        let mut x = 0.0;
        let mut letters = Vec::new();
        for letter in text.chars() {
            // The first glyph of a font stands for what it does not have.
            let glyph = charmap.map(letter).unwrap_or_default();
            letters.push((glyph, x));
            x += metrics.advance_width(glyph).unwrap_or(0.5 * self.size_px);
        }
        (letters, x)
    }

    pub fn width_px(&self, text: &str) -> f32 {
        self.letters(text).1
    }

    /// As much of a text as is at most so wide; what is left out is an ellipsis.
    pub fn fitting(&self, text: &str, most_px: f32) -> String {
        if self.width_px(text) <= most_px {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while kept.pop().is_some() {
            let shorter: String = kept.iter().chain(['…'].iter()).collect();
            if self.width_px(&shorter) <= most_px {
                return shorter;
            }
        }
        String::new()
    }

    /// `x` is where it begins, `y` its base line, both in pixels from the upper left corner.
    pub fn write(&self, image: &mut RgbaImage, text: &str, x: f32, y: f32, color: [u8; 3]) {
        let Some(font) = &self.font else { return };
        let outlines = font.outline_glyphs();
        for (glyph, along) in self.letters(text).0 {
            let Some(outline) = outlines.get(glyph) else { continue };
            let mut pen = Pen::new(x + along, y);
            let settings = DrawSettings::unhinted(Size::new(self.size_px), LocationRef::default());
            if outline.draw(settings, &mut pen).is_ok() {
                fill(image, &pen.lines, color);
            }
        }
    }
}

type Point = [f32; 2];

/// Outlines as straight lines, in pixels of the picture.
struct Pen {
    origin: Point,
    start: Point,
    at: Point,
    lines: Vec<[Point; 2]>,
}

/// Lines that a curve of a letter becomes.
const CURVE_LINES: usize = 8;

impl Pen {
    fn new(x: f32, y: f32) -> Pen {
        Pen { origin: [x, y], start: [x, y], at: [x, y], lines: Vec::new() }
    }

    /// Fonts count upwards.
    fn point(&self, x: f32, y: f32) -> Point {
        [self.origin[0] + x, self.origin[1] - y]
    }

    fn line(&mut self, to: Point) {
        self.lines.push([self.at, to]);
        self.at = to;
    }

    /// A Bézier curve through its first and last point.
    fn curve(&mut self, controls: &[Point]) {
        let mut all = vec![self.at];
        all.extend(controls);
        for step in 1..=CURVE_LINES {
            let t = step as f32 / CURVE_LINES as f32;
            let mut points = all.clone();
            while points.len() > 1 {
                let between = |pair: &[Point]| {
                    [0, 1].map(|axis| pair[0][axis] + t * (pair[1][axis] - pair[0][axis]))
                };
                points = points.windows(2).map(between).collect();
            }
            self.line(points[0]);
        }
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.start = self.point(x, y);
        self.at = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.line(self.point(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.curve(&[self.point(cx, cy), self.point(x, y)]);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.curve(&[self.point(cx0, cy0), self.point(cx1, cy1), self.point(x, y)]);
    }

    fn close(&mut self) {
        self.line(self.start);
    }
}

/// Rows of samples in a pixel; along a row coverage is exact.
const ROWS: i32 = 5;

/// Fills what closed lines wind around.
fn fill(image: &mut RgbaImage, lines: &[[Point; 2]], color: [u8; 3]) {
    let heights = lines.iter().flatten().map(|point| point[1]);
    let (low, high) =
        heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    if !(low < high) {
        return;
    }
    let width = image.width() as usize;
    let rows = low.floor().max(0.0) as u32..(high.ceil().max(0.0) as u32).min(image.height());
    let mut cover = vec![0.0_f32; width];
    for row in rows {
        cover.fill(0.0);
        for sample in 0..ROWS {
            let y = row as f32 + (sample as f32 + 0.5) / ROWS as f32;
            cover_row(&mut cover, lines, y);
        }
        for (x, cover) in cover.iter().enumerate().filter(|(_, cover)| **cover > 0.0) {
            let part = (cover / ROWS as f32).min(1.0);
            let Rgba(pixel) = image.get_pixel_mut(x as u32, row);
            for (old, new) in pixel.iter_mut().zip(color.into_iter().chain([255])) {
                let mixed = f32::from(*old) + part * (f32::from(new) - f32::from(*old));
                *old = mixed.round() as u8;
            }
        }
    }
}

/// Adds what lies inside along one line of samples, by the rule that windings count.
fn cover_row(cover: &mut [f32], lines: &[[Point; 2]], y: f32) {
    let crossing = |[a, b]: &[Point; 2]| {
        let is_down = a[1] <= y && y < b[1];
        let is_up = b[1] <= y && y < a[1];
        let x = || a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        (is_down || is_up).then(|| (x(), if is_down { 1 } else { -1 }))
    };
    let mut crossings: Vec<(f32, i32)> = lines.iter().filter_map(crossing).collect();
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut winding = 0;
    for pair in crossings.windows(2) {
        winding += pair[0].1;
        if winding != 0 {
            let (from, to) = (pair[0].0.max(0.0), pair[1].0.min(cover.len() as f32));
            for x in from as usize..(to.ceil().max(0.0) as usize).min(cover.len()) {
                let part = to.min(x as f32 + 1.0) - from.max(x as f32);
                cover[x] += part.max(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(image: &RgbaImage) -> f32 {
        image.pixels().map(|pixel| 1.0 - f32::from(pixel.0[0]) / 255.0).sum()
    }

    fn paper() -> RgbaImage {
        RgbaImage::from_pixel(120, 40, Rgba([255; 4]))
    }

    #[test]
    fn a_filled_square_covers_its_area_and_a_hole_stays_open() {
        let square = |at: f32, side: f32| {
            let corners = [[at, at], [at + side, at], [at + side, at + side], [at, at + side]];
            [0, 1, 2, 3].map(|i| [corners[i], corners[(i + 1) % 4]])
        };
        let mut image = paper();
        fill(&mut image, &square(3.25, 20.0), [0; 3]);
        assert!((ink(&image) - 400.0).abs() < 8.0, "{}", ink(&image));
        let hole = square(8.0, 10.0).map(|[a, b]| [b, a]);
        let mut image = paper();
        fill(&mut image, &[square(3.0, 20.0), hole].concat(), [0; 3]);
        assert!((ink(&image) - 300.0).abs() < 4.0, "{}", ink(&image));
    }

    #[test]
    fn letters_are_drawn_where_they_are_measured_and_nothing_outside_is_touched() {
        let letters = Lettering::new(20.0);
        let width = letters.width_px("0.25");
        assert!((20.0..60.0).contains(&width), "{width}");
        let mut image = paper();
        letters.write(&mut image, "0.25", 10.0, 30.0, [0; 3]);
        assert!(ink(&image) > 20.0);
        let dark = image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[0] < 128);
        let columns: Vec<u32> = dark.map(|(x, _, _)| x).collect();
        let (first, last) = (*columns.iter().min().unwrap(), *columns.iter().max().unwrap());
        assert!(first >= 10 && (last as f32) < 10.0 + width, "{first} {last}");
        for (x, y) in [(-500.0, 10.0), (5000.0, 10.0), (5.0, -90.0), (f32::NAN, 1.0), (1.0, 1e30)] {
            letters.write(&mut image, "outside € 字", x, y, [0; 3]);
        }
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let letters = Lettering::new(16.0);
        assert_eq!(letters.fitting("cap", 200.0), "cap");
        let cut = letters.fitting("a very long name of a node", 80.0);
        assert!(cut.ends_with('…') && letters.width_px(&cut) <= 80.0, "{cut}");
        assert_eq!(letters.fitting("cap", 0.0), "");
    }
}
