//! Images of files become pixels. Files are not trusted: their size is known before anything is decoded,
//! and what is larger than a texture may be is made smaller at once.

use image::{DynamicImage, ImageFormat, ImageReader, Limits, RgbaImage};
use std::io::Cursor;
use thiserror::Error;

/// Why an image is not used; goes behind "the image NAME ".
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ImageError {
    #[error("is not a PNG, JPEG or WebP image")]
    Format,
    #[error("is damaged ({0})")]
    Damaged(String),
    #[error(
        "has {width} × {height} pixels, and images of more than {MOST_SIDE_PX} pixels per side are not read"
    )]
    TooLarge { width: u32, height: u32 },
    #[error("needs too much memory to decode; save it with 8 bits per channel, or smaller")]
    TooMuch,
}

/// What is larger is not even decoded: this is 256 MB.
pub const MOST_SIDE_PX: u32 = 8192;
/// What a decoder may ask for.
const MOST_DECODER_BYTES: u64 = 400 << 20;

const FORMATS: [ImageFormat; 3] = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];

fn reader(bytes: &[u8]) -> Result<ImageReader<Cursor<&[u8]>>, ImageError> {
    // By its first bytes: names and types in files are often wrong.
    let format = image::guess_format(bytes).ok().filter(|format| FORMATS.contains(format));
    let format = format.ok_or(ImageError::Format)?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MOST_DECODER_BYTES);
    reader.limits(limits);
    Ok(reader)
}

/// As its header tells: nothing is decoded.
pub fn image_size(bytes: &[u8]) -> Result<[u32; 2], ImageError> {
    let (width, height) = reader(bytes)?.into_dimensions().map_err(damaged)?;
    if width == 0 || height == 0 {
        return Err(ImageError::Damaged("it has no pixels".to_owned()));
    }
    if width.max(height) > MOST_SIDE_PX {
        return Err(ImageError::TooLarge { width, height });
    }
    Ok([width, height])
}

/// Its pixels, of 8 bits per channel, as they are stored.
pub fn read_image(bytes: &[u8]) -> Result<RgbaImage, ImageError> {
    image_size(bytes)?;
    let decoded = reader(bytes)?.decode().map_err(damaged)?;
    Ok(match decoded {
        DynamicImage::ImageRgba8(image) => image,
        other => other.into_rgba8(),
    })
}

/// In one line, and short: decoders quote what they find.
fn damaged(error: image::ImageError) -> ImageError {
    if matches!(error, image::ImageError::Limits(_)) {
        return ImageError::TooMuch;
    }
    let text: String = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    ImageError::Damaged(text.chars().filter(|c| !c.is_control()).take(120).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(image: &RgbaImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let image = DynamicImage::ImageRgba8(image.clone());
        match format {
            ImageFormat::Jpeg => image.to_rgb8().write_to(&mut bytes, format).unwrap(),
            _ => image.write_to(&mut bytes, format).unwrap(),
        }
        bytes.into_inner()
    }

    #[test]
    fn all_three_formats_are_read() {
        let image = RgbaImage::from_fn(9, 5, |_, y| image::Rgba([200, 40 * y as u8, 10, 255]));
        for format in FORMATS {
            let bytes = encoded(&image, format);
            assert_eq!(image_size(&bytes), Ok([9, 5]), "{format:?}");
            let read = read_image(&bytes).unwrap();
            let off = read.iter().zip(image.iter()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(off <= Some(if format == ImageFormat::Jpeg { 24 } else { 0 }), "{format:?}");
        }
    }

    #[test]
    fn size_comes_before_content() {
        // A header that claims 2 000 000 000 pixels, and nothing behind it.
        let mut huge = encoded(&RgbaImage::new(1, 1), ImageFormat::Png);
        huge[16..24].copy_from_slice(&[0, 0, 0xb5, 0, 0, 0, 0xb5, 0]);
        let header = crc32(&huge[12..29]);
        huge[29..33].copy_from_slice(&header.to_be_bytes());
        let refused = read_image(&huge).unwrap_err();
        assert_eq!(refused, ImageError::TooLarge { width: 46336, height: 46336 });
        assert!(refused.to_string().contains("46336 × 46336"), "{refused}");
    }

    /// Of a PNG chunk.
    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
            })
        })
    }

    #[test]
    fn damaged_images_are_refused_in_one_line() {
        let noise =
            |x: u32, y: u32| image::Rgba([(x * 31) as u8, (y * 57) as u8, (x ^ y) as u8, 255]);
        let image = RgbaImage::from_fn(40, 40, noise);
        for format in FORMATS {
            let bytes = encoded(&image, format);
            for length in (0..bytes.len()).step_by(7) {
                if let Err(error) = read_image(&bytes[..length]) {
                    let text = error.to_string();
                    assert!(!text.contains('\n') && text.len() < 200, "{text:?}");
                }
            }
            for place in (0..bytes.len()).step_by(3) {
                let mut broken = bytes.clone();
                broken[place] ^= 0x5a;
                let _ = read_image(&broken);
            }
        }
        assert_eq!(read_image(b"GIF89a and so on"), Err(ImageError::Format));
        assert_eq!(read_image(b""), Err(ImageError::Format));
    }
}
