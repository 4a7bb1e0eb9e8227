//! Two pictures of one thing in one: the left of a line is of the one, the right of the other.

use super::legend::{INK, label_height, write_beside};
use image::{GenericImage, GenericImageView, Rgba, RgbaImage};

/// `part` of the width, 0 to 1, is of the left one; at 0 and at 1 there is no line, only the other picture or
/// the one. Both are of one size.
pub fn split_picture(
    left: &RgbaImage,
    mut right: RgbaImage,
    part: f32,
    labels: [&str; 2],
) -> RgbaImage {
    let (width, height) = right.dimensions();
    let columns = (width as f32 * part.clamp(0.0, 1.0)).round() as u32;
    if columns == 0 || left.dimensions() != right.dimensions() {
        return right;
    }
    let half = left.view(0, 0, columns, height).to_image();
    // Both are as high, and it is no wider.
    let _ = right.copy_from(&half, 0, 0);
    if columns == width {
        return right;
    }
    let thick = (height / LINE_PART).max(1);
    let line = columns.saturating_sub(thick / 2)..(columns + thick.div_ceil(2)).min(width);
    for x in line {
        for y in 0..height {
            right.put_pixel(x, y, Rgba([INK[0], INK[1], INK[2], 255]));
        }
    }
    let gap = 0.5 * label_height([width, height]);
    write_beside(&mut right, labels[0], columns as f32 - gap, true);
    write_beside(&mut right, labels[1], columns as f32 + gap, false);
    right
}

/// The line is so many times thinner than the picture is high.
const LINE_PART: u32 = 320;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_is_of_its_own_picture() {
        let [left, right] = [[200, 0, 0, 255], [0, 200, 0, 255]]
            .map(|color| RgbaImage::from_pixel(300, 200, Rgba(color)));
        let split = |part| split_picture(&left, right.clone(), part, ["one", "other"]);
        assert_eq!(split(0.0), right);
        assert_eq!(split(1.0), left);
        let half = split(0.5);
        for y in 100..200 {
            assert_eq!(half.get_pixel(140, y), left.get_pixel(140, y));
            assert_eq!(half.get_pixel(160, y), right.get_pixel(160, y));
        }
        assert_ne!(half.get_pixel(150, 150).0, [0, 200, 0, 255], "there is a line");
        for odd in [f32::NAN, -3.0, 7.0] {
            split(odd);
        }
        split_picture(&RgbaImage::new(1, 1), right.clone(), 0.5, ["", ""]);
    }
}
