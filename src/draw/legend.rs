//! What the colours of a heat map mean, and which picture is which, written into pictures.
//!
//! ```text
//!  ┌───────────────────────────────────┐
//!  │ trail.floppiness  −0.4 ▒▒▒│▒▒▒▒ 1 │   from the least number to the most;
//!  └───────────────────────────────────┘   zero is marked where numbers are signed
//! ```

use super::heat::Ramp;
use super::text::Lettering;
use image::{Rgba, RgbaImage};
use jounce_base::srgb::bytes_from_linear;
use jounce_eval::heat::HeatRange;

#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    pub title: String,
    pub range: HeatRange,
}

pub(super) const INK: [u8; 3] = [30, 32, 36];
const PANEL: [u8; 3] = [250, 250, 250];
const PANEL_OPACITY: f32 = 0.82;

/// Where the parts of a legend are, in pixels.
struct Layout {
    letter: f32,
    margin: f32,
    pad: f32,
    title: String,
    /// Where the parts begin.
    least: f32,
    bar: f32,
    bar_width: f32,
    most: f32,
    /// Where it ends.
    right: f32,
}

/// In letters: what is around a legend, inside its edge, and the height and width of its bar.
const MARGIN: f32 = 0.6;
const PAD: f32 = 0.55;
const BAR: [f32; 2] = [0.75, 9.0];
const LEAST_BAR: f32 = 3.0;
/// From the top of letters without a tail to their base line.
const LETTER_HEIGHT: f32 = 0.7;

/// As large as the picture bears it.
fn letter_px([width, height]: [u32; 2]) -> f32 {
    (height as f32 / 32.0).min(width as f32 / 36.0).clamp(11.0, 30.0)
}

fn box_height(letter: f32) -> f32 {
    letter * (BAR[0] + 2.0 * PAD)
}

impl Legend {
    /// The least and the most, as they are written.
    pub fn labels(&self) -> [String; 2] {
        [self.range.least, self.range.most].map(number)
    }

    /// What it takes of the bottom of a picture, as a fraction of its height; 0 where it has no room.
    pub fn height(&self, size_px: [u32; 2]) -> f32 {
        let letter = letter_px(size_px);
        let part = (box_height(letter) + letter * MARGIN) / size_px[1].max(1) as f32;
        if self.layout(size_px).is_some() { part } else { 0.0 }
    }

    /// None where a picture is too small.
    fn layout(&self, size_px: [u32; 2]) -> Option<Layout> {
        let letter = letter_px(size_px);
        let letters = Lettering::new(letter);
        let [low, high] = self.labels().map(|label| letters.width_px(&label));
        let (margin, pad, gap) = (letter * MARGIN, letter * PAD, letter * 0.45);
        // All but the title and the bar.
        let others = 2.0 * (margin + pad) + low + high + 4.0 * gap;
        let room = size_px[0] as f32 - others;
        let is_high_enough = box_height(letter) + 2.0 * margin < 0.5 * size_px[1] as f32;
        if room < letter * (LEAST_BAR + 2.0) || !is_high_enough {
            return None;
        }
        let title = letters.fitting(&self.title, room - letter * LEAST_BAR);
        let title_width = letters.width_px(&title);
        let bar_width = (room - title_width).min(letter * BAR[1]);
        let least = margin + pad + title_width + 2.0 * gap;
        let bar = least + low + gap;
        let most = bar + bar_width + gap;
        let right = most + high + pad;
        Some(Layout { letter, margin, pad, title, least, bar, bar_width, most, right })
    }

    /// Into the lower left corner; into a picture that is too small for it, not at all.
    pub fn draw(&self, image: &mut RgbaImage) {
        let (width, height) = image.dimensions();
        let Some(layout) = self.layout([width, height]) else { return };
        let Layout { letter, margin, pad, .. } = layout;
        let bottom = height as f32 - margin;
        let top = bottom - box_height(letter);
        fill(image, [margin, top], [layout.right, bottom], |_| PANEL, PANEL_OPACITY);
        let letters = Lettering::new(letter);
        let base_line = 0.5 * (top + bottom + LETTER_HEIGHT * letter);
        let mut write = |text: &str, x: f32| letters.write(image, text, x, base_line, INK);
        write(&layout.title, margin + pad);
        let [low, high] = self.labels();
        write(&low, layout.least);
        write(&high, layout.most);
        let HeatRange { least, most } = self.range;
        let ramp = Ramp::new(self.range.is_signed());
        let color = |part: f32| {
            // Not least + part · (most − least): the difference of huge numbers may overflow.
            let value = least * (1.0 - part) + most * part;
            bytes_from_linear(ramp.at(self.range.place(value)))
        };
        let (low, high) = ([layout.bar, top + pad], [layout.bar + layout.bar_width, bottom - pad]);
        fill(image, low, high, color, 1.0);
        if least < 0.0 && most > 0.0 {
            let zero = layout.bar + layout.bar_width * (-least / (most - least));
            let over = 0.3 * pad;
            fill(image, [zero, low[1] - over], [zero + 1.0, high[1] + over], |_| INK, 1.0);
        }
    }
}

/// A few words into the upper left corner of a picture; into one that is too small, not at all.
pub fn write_label(image: &mut RgbaImage, text: &str) {
    let (width, height) = image.dimensions();
    let letter = letter_px([width, height]);
    let (margin, letters) = (letter * MARGIN, Lettering::new(letter));
    if letter * (1.0 + 2.0 * MARGIN) > 0.5 * height as f32 {
        return;
    }
    let text = letters.fitting(text, width as f32 - 2.0 * margin);
    letters.write(image, &text, margin, margin + letter, INK);
}

/// Words with their colours, in the upper right corner of a picture; into one that is too small, not at all.
pub fn write_key(image: &mut RgbaImage, entries: &[(&str, [u8; 3])]) {
    let (width, height) = image.dimensions();
    let letter = letter_px([width, height]);
    let letters = Lettering::new(letter);
    let [margin, pad, swatch, gap] = [MARGIN, PAD, 1.4, 0.4].map(|part| part * letter);
    let entry_px = |text: &str| swatch + gap + letters.width_px(text);
    let between = 1.2 * letter;
    let all_px: f32 = entries.iter().map(|(text, _)| entry_px(text)).sum::<f32>()
        + between * (entries.len().max(1) - 1) as f32;
    let (left, top) = (width as f32 - margin - 2.0 * pad - all_px, margin);
    let high = letter + pad;
    if entries.is_empty() || left < margin || 2.0 * margin + high > 0.5 * height as f32 {
        return;
    }
    let right = width as f32 - margin;
    fill(image, [left, top], [right, top + high], |_| PANEL, PANEL_OPACITY);
    let (mut x, middle) = (left + pad, top + 0.5 * high);
    for (text, color) in entries {
        let thick = 0.14 * letter;
        fill(image, [x, middle - thick - 1.0], [x + swatch, middle + thick + 1.0], |_| INK, 1.0);
        fill(image, [x + 1.0, middle - thick], [x + swatch - 1.0, middle + thick], |_| *color, 1.0);
        letters.write(image, text, x + swatch + gap, middle + 0.35 * letter, INK);
        x += entry_px(text) + between;
    }
}

/// The height of labels in a picture, in pixels.
pub(super) fn label_height(size_px: [u32; 2]) -> f32 {
    letter_px(size_px)
}

/// A few words at the top, that end or begin at a column; where they have no room, shorter or not at all.
pub(super) fn write_beside(image: &mut RgbaImage, text: &str, column: f32, ends_there: bool) {
    let (width, height) = image.dimensions();
    let letter = letter_px([width, height]);
    let letters = Lettering::new(letter);
    let margin = letter * MARGIN;
    if letter * (1.0 + 2.0 * MARGIN) > 0.5 * height as f32 {
        return;
    }
    let room = if ends_there { column } else { width as f32 - column } - margin;
    let text = letters.fitting(text, room);
    let x = if ends_there { column - letters.width_px(&text) } else { column };
    letters.write(image, &text, x, margin + letter, INK);
}

/// From one corner to the other; the colour depends on how far to the right it is, 0 to 1.
fn fill(
    image: &mut RgbaImage,
    low: [f32; 2],
    high: [f32; 2],
    color: impl Fn(f32) -> [u8; 3],
    opacity: f32,
) {
    let pixels = |axis: usize| low[axis].round() as u32..high[axis].round() as u32;
    let columns = pixels(0);
    for x in columns.clone() {
        let color = color((x - columns.start) as f32 / (columns.len().max(2) - 1) as f32);
        for y in pixels(1) {
            mix(image, x, y, color, opacity);
        }
    }
}

/// At most five digits that count, with a minus sign that is as wide as a digit.
fn number(value: f32) -> String {
    let size = value.abs();
    let text = match size {
        _ if size == 0.0 => "0".to_owned(),
        _ if !(1e-4..1e6).contains(&size) => format!("{value:.3e}"),
        _ => {
            let digits = (4.0 - size.log10().floor()).clamp(0.0, 8.0) as usize;
            let text = format!("{value:.digits$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        }
    };
    text.replace('-', "−")
}

fn mix(image: &mut RgbaImage, x: u32, y: u32, color: [u8; 3], opacity: f32) {
    let Some(Rgba(pixel)) = image.get_pixel_mut_checked(x, y) else { return };
    for (old, new) in pixel.iter_mut().zip(color.into_iter().chain([255])) {
        *old = (f32::from(*old) + opacity * (f32::from(new) - f32::from(*old))).round() as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legend(least: f32, most: f32) -> Legend {
        Legend { title: "map:softness".to_owned(), range: HeatRange { least, most } }
    }

    #[test]
    fn numbers_are_short_and_true() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (-0.4, "−0.4"),
            (0.123_456_7, "0.12346"),
            (1234.5678, "1234.6"),
            (2e-9, "2.000e−9"),
            (-5e12, "−5.000e12"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
            let read: f32 = text.replace('−', "-").parse().unwrap();
            assert!((read - value).abs() <= 1e-4 * value.abs(), "{text}");
        }
    }

    #[test]
    fn the_bar_goes_from_the_colour_of_the_least_to_that_of_the_most() {
        for (least, most) in [(0.0, 2.0), (-1.0, 3.0)] {
            let legend = legend(least, most);
            let mut image = RgbaImage::new(400, 300);
            let layout = legend.layout([400, 300]).unwrap();
            legend.draw(&mut image);
            let ramp = Ramp::new(legend.range.is_signed());
            let left = layout.bar.round() as u32;
            let right = (layout.bar + layout.bar_width).round() as u32 - 1;
            let y = (300.0 - layout.margin - 0.5 * box_height(layout.letter)) as u32;
            for (x, value) in [(left, least), (right, most)] {
                let expected = bytes_from_linear(ramp.at(legend.range.place(value)));
                let Rgba([r, g, b, _]) = *image.get_pixel(x, y);
                assert_eq!([r, g, b], expected, "{value}");
            }
            // Nothing is drawn above what it says that it needs.
            let top = 300.0 * (1.0 - legend.height([400, 300]));
            let drawn = image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0 != [0; 4]);
            assert!(drawn.map(|(_, y, _)| y).min().unwrap() as f32 >= top - 1.0);
        }
    }

    #[test]
    fn odd_ranges_and_small_pictures_do_no_harm() {
        for (width, height) in [(1, 1), (60, 40), (160, 120), (4000, 90)] {
            for (least, most) in [(0.0, 0.0), (3.0, 3.0), (-3e38, 3e38), (-1.0, 0.0)] {
                legend(least, most).draw(&mut RgbaImage::new(width, height));
            }
        }
    }
}
