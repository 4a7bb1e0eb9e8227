//! Moments before they are drawn, and pictures that become one.

use glam::Vec3;
use jounce_draw::{Behind, DrawnMoment, Mark, RgbaImage, heat_colors};
use jounce_eval::heat::{Heat, HeatRange};
#[cfg(feature = "gpu")]
use jounce_gpu::eval::OnDeviceMoments;
use jounce_rig::Skinned;
use jounce_session::overlays;
#[cfg(feature = "gpu")]
use std::rc::Rc;

/// One moment, with everything it needs to be drawn.
#[derive(Default)]
pub struct PreparedFrame {
    pub skinned: Skinned,
    pub joints: Vec<Vec3>,
    /// Only of what is shown as a heat map, and its colours once all moments are known.
    pub heat: Option<Heat>,
    pub colors: Vec<[f32; 4]>,
    /// One per vertex, where they are drawn as arrows.
    pub vectors: Vec<Vec3>,
    /// What it is compared with.
    pub behind: Option<Skinned>,
    pub marks: Vec<Mark>,
    /// Ends of marks that must be in the picture.
    pub also_seen: Vec<Vec3>,
    /// Drawn in place of `skinned`, which then only says what the camera must see: which of them.
    #[cfg(feature = "gpu")]
    pub on_device: Option<(Rc<OnDeviceMoments>, usize)>,
}

impl PreparedFrame {
    pub fn moment(&self) -> DrawnMoment<'_> {
        let behind = self.behind.as_ref();
        DrawnMoment {
            positions: &self.skinned.positions,
            normals: &self.skinned.normals,
            joints: &self.joints,
            colors: &self.colors,
            #[cfg(feature = "gpu")]
            on_device: self.on_device.as_ref().map(|(moments, place)| moments.get(*place)),
            #[cfg(not(feature = "gpu"))]
            on_device: None,
            behind: behind.map(|Skinned { positions, normals }| Behind { positions, normals }),
            marks: &self.marks,
            also_seen: &self.also_seen,
        }
    }
}

/// Vertices that have an arrow, and the size that arrows are measured by.
pub struct Arrows {
    pub vertices: Vec<usize>,
    pub size: f64,
}

/// Gives frames the colours and arrows of their heat, in the given range or in that of them all.
pub fn paint(
    looks: &mut [Vec<PreparedFrame>],
    range: Option<HeatRange>,
    arrows: Option<&Arrows>,
) -> Option<HeatRange> {
    let frames = || looks.iter().flatten();
    let ranges = frames().filter_map(|frame| Some(frame.heat.as_ref()?.range));
    let range = range.or_else(|| ranges.reduce(HeatRange::union))?;
    for frame in looks.iter_mut().flatten() {
        if let Some(heat) = &frame.heat {
            frame.colors = heat_colors(&heat.values, &range);
        }
        if let Some(Arrows { vertices, size }) = arrows {
            let Skinned { positions, normals } = &frame.skinned;
            let (vectors, longest) = (&frame.vectors, range.most);
            let arrows = overlays::arrows(vertices, positions, normals, vectors, longest, *size);
            frame.marks.extend(arrows);
        }
    }
    Some(range)
}

/// All of one size, from left to right.
pub fn side_by_side(images: Vec<RgbaImage>) -> RgbaImage {
    join(images, |i, width, _| (i * width, 0))
}

/// All of one size, from top to bottom.
pub fn stacked(images: Vec<RgbaImage>) -> RgbaImage {
    join(images, |i, _, height| (0, i * height))
}

fn join(images: Vec<RgbaImage>, place: impl Fn(u32, u32, u32) -> (u32, u32)) -> RgbaImage {
    // A single picture need not be copied, and may be large.
    let images = match <[RgbaImage; 1]>::try_from(images) {
        Ok([image]) => return image,
        Err(images) => images,
    };
    let (width, height) = images.first().map_or((1, 1), |image| image.dimensions());
    let last = place(images.len().max(1) as u32 - 1, width, height);
    let mut joined = RgbaImage::new(last.0 + width, last.1 + height);
    for (i, image) in images.into_iter().enumerate() {
        let (x, y) = place(i as u32, width, height);
        image::imageops::replace(&mut joined, &image, x.into(), y.into());
    }
    joined
}
