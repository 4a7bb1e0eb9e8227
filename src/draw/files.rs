//! Pictures as files.

use super::DrawError;
use super::palette::Palette;
use image::RgbaImage;
use jounce_files::{FillError, write_atomically};
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

pub fn save_png(path: impl AsRef<Path>, image: &RgbaImage) -> Result<(), DrawError> {
    write_atomically(path.as_ref(), |out| {
        write_png(out, image).map_err(|error| FillError::Write(other(error)))
    })
}

/// Row by row: the whole file is never in memory.
fn write_png(writer: impl Write, image: &RgbaImage) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(writer, image.width(), image.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::Adaptive);
    let mut encoder = encoder.write_header()?;
    let mut rows = encoder.stream_writer()?;
    rows.write_all(image)?;
    rows.finish()?;
    encoder.finish()
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> std::io::Error {
    std::io::Error::other(error)
}

/// An endless GIF. All frames share one palette, so that what stands still does not flicker, and
/// only what changes between frames is stored.
pub fn save_gif(path: impl AsRef<Path>, frames: &[RgbaImage], fps: f64) -> Result<(), DrawError> {
    let path = path.as_ref();
    let first = frames.first().ok_or(DrawError::NoMoments)?;
    let side = |pixels: u32| u16::try_from(pixels).map_err(|_| DrawError::FrameSizes);
    let (width, height) = (side(first.width())?, side(first.height())?);
    if frames.iter().any(|f| f.dimensions() != first.dimensions()) {
        return Err(DrawError::FrameSizes);
    }
    write_atomically(path, |out| {
        let written = write_gif(out, frames, [width, height], fps);
        written.map_err(|error| FillError::Write(other(error)))
    })
}

fn write_gif(
    writer: impl Write,
    frames: &[RgbaImage],
    [width, height]: [u16; 2],
    fps: f64,
) -> Result<(), gif::EncodingError> {
    let mut palette = Palette::of(frames);
    let mut encoder = gif::Encoder::new(writer, width, height, &palette.rgb_bytes())?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    let mut shown: Vec<u8> = Vec::new();
    for (frame, delay) in frames.iter().zip(delays_centisecs(fps)) {
        let indices = palette.indices(frame);
        let patch = Patch::between(&shown, &indices, usize::from(width));
        encoder.write_frame(&gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(Palette::UNCHANGED),
            left: patch.left as u16,
            top: patch.top as u16,
            width: patch.width as u16,
            height: patch.height as u16,
            buffer: Cow::Borrowed(&patch.pixels),
            ..Default::default()
        })?;
        shown = indices;
    }
    Ok(())
}

/// Frame `n` is shown until time (n + 1) / fps rounded to 1/100 s: single delays are uneven where
/// they must be, but errors never add up.
fn delays_centisecs(fps: f64) -> impl Iterator<Item = u16> {
    // Viewers slow down anything below 2/100 s.
    let fps = if fps.is_finite() { fps.clamp(0.01, 50.0) } else { 24.0 };
    let end = move |frame: u32| (f64::from(frame) * 100.0 / fps).round();
    (0..).map(move |frame| (end(frame + 1) - end(frame)) as u16)
}

/// The rectangle in which a frame differs from the one before.
struct Patch {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Patch {
    fn between(before: &[u8], after: &[u8], row: usize) -> Patch {
        let whole = Patch {
            left: 0,
            top: 0,
            width: row,
            height: after.len() / row.max(1),
            pixels: after.to_vec(),
        };
        if before.is_empty() {
            return whole;
        }
        let (mut left, mut right, mut top, mut bottom) = (row, 0, usize::MAX, 0);
        for (at, _) in before.iter().zip(after).enumerate().filter(|(_, (b, a))| a != b) {
            (left, right) = (left.min(at % row), right.max(at % row));
            (top, bottom) = (top.min(at / row), bottom.max(at / row));
        }
        if top == usize::MAX {
            // Nothing has moved, but a frame must hold at least one pixel.
            (left, right, top, bottom) = (0, 0, 0, 0);
        }
        let mut pixels = Vec::with_capacity((right - left + 1) * (bottom - top + 1));
        for y in top..=bottom {
            for at in y * row + left..=y * row + right {
                let changed = before[at] != after[at];
                pixels.push(if changed { after[at] } else { Palette::UNCHANGED });
            }
        }
        Patch { left, top, width: right - left + 1, height: bottom - top + 1, pixels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_do_not_drift() {
        for fps in [12.0, 24.0, 29.97, 30.0, 48.0] {
            let total: u32 = delays_centisecs(fps).take(1000).map(u32::from).sum();
            let exact = 1000.0 * 100.0 / fps;
            assert!((f64::from(total) - exact).abs() <= 0.5, "{fps}: {total}");
        }
    }

    #[test]
    fn a_patch_holds_exactly_what_changed() {
        let before = vec![0; 20];
        let mut after = before.clone();
        after[7] = 3; // row 1, column 2 of 5
        after[13] = 4; // row 2, column 3
        let patch = Patch::between(&before, &after, 5);
        assert_eq!((patch.left, patch.top, patch.width, patch.height), (2, 1, 2, 2));
        let same = Palette::UNCHANGED;
        assert_eq!(patch.pixels, [3, same, same, 4]);
    }
}
