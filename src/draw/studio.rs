//! Moments of one moving character: alone, side by side, or overlaid.
//!
//! ```no_run
//! # use jounce_draw::*;
//! # fn f(subject: Subject, moments: Vec<DrawnMoment>) -> Result<(), DrawError> {
//! let mut studio = Studio::new(Box::new(CpuPainter::default()), &subject);
//! let shot = Shot::of(&moments, [800, 600]);          // frames the whole motion
//! save_png("still.png", &studio.still(&moments[0], &shot)?)?;
//! let frames: Result<Vec<_>, _> = moments.iter().map(|m| studio.still(m, &shot)).collect();
//! save_gif("motion.gif", &frames?, 24.0)?;
//! save_png("strip.png", &studio.strip(&moments, &StripLayout::default(), &shot)?)?;
//! # Ok(()) }
//! ```

use super::marks::{draw_marks, usual_scale};
use super::{
    Bones, Bounds, Camera, DrawError, Framing, Geometry, HerdOf, HerdSource, Look, Margins, Mark,
    Materials, Mesh, OnDevice, PAINTED_UNLIT, Painter, PictureOf, PlacedOf, Stage, View,
};
use glam::{Mat4, Vec3};
use image::RgbaImage;
use std::sync::Arc;

/// What stays the same while a character moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Subject<'a> {
    pub triangles: &'a [[u32; 3]],
    /// Linear, one per vertex; empty for clay.
    pub colors: &'a [[f32; 4]],
    /// One per joint; empty if no skeleton is drawn.
    pub joint_parents: &'a [Option<usize>],
    /// None: clay of these colours.
    pub materials: Option<&'a Arc<Materials>>,
}

/// A character at one time, in scene space.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrawnMoment<'a> {
    pub positions: &'a [Vec3],
    /// Empty for flat shading.
    pub normals: &'a [Vec3],
    /// Empty if no skeleton is drawn.
    pub joints: &'a [Vec3],
    /// Linear, one per vertex, as of a heat map: in place of the subject's, and hardly lit, so that
    /// they can be read. Empty for the subject's own.
    pub colors: &'a [[f32; 4]],
    /// Drawn in place of the lists, which then only say what the camera must see.
    pub on_device: Option<OnDevice<'a>>,
    /// What it is compared with: a ghost behind it.
    pub behind: Option<Behind<'a>>,
    /// Drawn over it.
    pub marks: &'a [Mark],
    /// Points that must be seen too, such as ends of marks.
    pub also_seen: &'a [Vec3],
}

/// The same moment in another way, with the same triangles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Behind<'a> {
    pub positions: &'a [Vec3],
    pub normals: &'a [Vec3],
}

/// A linear colour and how much of it, and the opacity, of what is compared with and stands behind.
/// Dark, because most characters are light.
pub const COMPARED_TINT: [f32; 4] = [0.04, 0.09, 0.2, 0.85];
pub const COMPARED_OPACITY: f32 = 0.5;

impl<'a> DrawnMoment<'a> {
    /// Its vertices, and those of what it is compared with.
    fn vertices(&self) -> impl Iterator<Item = &'a Vec3> + Clone + use<'a> {
        let behind = self.behind.map_or(&[][..], |behind| behind.positions);
        self.positions.iter().chain(behind)
    }

    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.positions)
    }
}

/// How a picture is taken. Use one shot for all frames of a film, so that camera and light stand still.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    pub size_px: [u32; 2],
    pub view: View,
    pub look: Look,
    pub stage: Stage,
    pub vertical_fov_rad: f32,
    /// Where the picture is taken from; without it from where the whole stage is seen.
    pub framed: Option<Camera>,
    /// What stays free at the bottom, for a legend, as a fraction of the picture's height.
    pub legend: f32,
}

/// What stays free on each side of points that are framed, as a fraction of the picture.
const FRAMING_MARGIN: f32 = 0.07;

impl Shot {
    /// A stage that holds all the moments, seen from the default view.
    pub fn of(moments: &[DrawnMoment], size_px: [u32; 2]) -> Shot {
        Shot::around(moments.iter().map(DrawnMoment::bounds), size_px)
    }

    /// The same from the bounds of every moment, for motions too long to be kept.
    pub fn around(bounds: impl IntoIterator<Item = Bounds>, size_px: [u32; 2]) -> Shot {
        let mut all = Bounds::EMPTY;
        let mut subject_size = 0.0_f32;
        for bounds in bounds {
            all = all.union(bounds);
            if !bounds.is_empty() {
                subject_size = subject_size.max(bounds.longest_side());
            }
        }
        let stage = Stage::around(all);
        Shot {
            size_px,
            view: View::default(),
            look: Look::default(),
            stage: Stage {
                subject_size: if subject_size > 0.0 { subject_size } else { stage.subject_size },
                ..stage
            },
            vertical_fov_rad: Camera::FOV_RAD,
            framed: None,
            legend: 0.0,
        }
    }

    /// For all points that must be seen; what it finds goes into `framed`. They fit more tightly than
    /// the box around them, in whose corners there may be nothing.
    pub fn framing(&self) -> Framing {
        let margins = self.margins(FRAMING_MARGIN);
        Framing::new(self.aspect(), self.view, self.vertical_fov_rad, margins)
    }

    fn margins(&self, margin: f32) -> Margins {
        let bottom = if self.legend > 0.0 { self.legend + 0.5 * margin } else { margin };
        Margins { bottom, ..Margins::even(margin) }
    }

    pub fn camera(&self) -> Camera {
        if let Some(camera) = self.framed {
            return camera;
        }
        let (bounds, view, fov) = (self.stage.bounds, self.view, self.vertical_fov_rad);
        Camera::framing_box(bounds, self.aspect(), view, fov)
    }

    fn aspect(&self) -> f32 {
        self.size_px[0] as f32 / self.size_px[1].max(1) as f32
    }
}

/// What becomes of the way a character travels, in a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Travel {
    /// Every moment keeps its distance from the common origin: leaning and jumping stay readable.
    #[default]
    Keep,
    /// Every moment is centred in its place: for walks across the scene. Heights are kept.
    Remove,
}

/// How many pixels a strip fills with a margin around it: at most so many.
pub fn strip_size_px(
    looks: &[&[DrawnMoment]],
    layout: &StripLayout,
    view: View,
    [most_wide_px, most_high_px]: [u32; 2],
) -> [u32; 2] {
    let axes = view.axes();
    let offsets = strip_offsets(looks, layout, view);
    let points = strip_points(looks, &offsets);
    // Seen from far away, which a strip nearly is.
    let mut seen = Bounds::EMPTY;
    points.for_each(|point| seen.add(axes.transpose() * point));
    let size = seen.made_visible().size();
    let aspect = with_margins((size.x / size.y).clamp(0.25, 64.0));
    let wide_px = (most_high_px as f32 * aspect).min(most_wide_px as f32);
    [wide_px, wide_px / aspect].map(|side| side.round().max(1.0) as u32)
}

#[derive(Clone, Copy, Debug)]
pub struct StripLayout {
    /// Space between moments, as a fraction of the widest one's width.
    pub gap: f32,
    pub travel: Travel,
}

impl Default for StripLayout {
    fn default() -> Self {
        StripLayout { gap: 0.12, travel: Travel::Keep }
    }
}

/// The horizontal field of view of a strip.
const STRIP_FOV_RAD: f32 = 0.14;
/// What stays free on each side of a strip, as a fraction of the picture.
const STRIP_MARGIN: f32 = 0.06;

/// The aspect of a picture whose contents have this aspect: the margin is equally wide on all sides, as a
/// fraction of the shorter one. For contents w wide and h high, h < w: (w + 2 m) / (h + 2 m) with
/// m = margin (h + 2 m).
fn with_margins(aspect: f32) -> f32 {
    let wide = |aspect: f32| aspect * (1.0 - 2.0 * STRIP_MARGIN) + 2.0 * STRIP_MARGIN;
    if aspect >= 1.0 { wide(aspect) } else { 1.0 / wide(1.0 / aspect) }
}

/// The last moment is solid, those before it fade.
#[derive(Clone, Copy, Debug)]
pub struct GhostLayout {
    pub oldest_opacity: f32,
    pub newest_opacity: f32,
    /// Linear colour of the ghosts, and how much of it replaces their own.
    pub tint: [f32; 4],
}

impl Default for GhostLayout {
    fn default() -> Self {
        GhostLayout { oldest_opacity: 0.16, newest_opacity: 0.55, tint: [0.13, 0.30, 0.58, 0.85] }
    }
}

/// A painter and what stays the same of one character.
#[derive(Debug)]
pub struct Studio {
    painter: Box<dyn Painter>,
    triangles: Vec<[u32; 3]>,
    colors: Vec<[f32; 4]>,
    joint_parents: Vec<Option<usize>>,
    materials: Option<Arc<Materials>>,
}

impl Studio {
    pub fn new(painter: Box<dyn Painter>, subject: &Subject) -> Studio {
        Studio {
            painter,
            triangles: subject.triangles.to_vec(),
            colors: subject.colors.to_vec(),
            joint_parents: subject.joint_parents.to_vec(),
            materials: subject.materials.cloned(),
        }
    }

    /// One moment. Call it once per frame for a film.
    pub fn still(&mut self, moment: &DrawnMoment, shot: &Shot) -> Result<RgbaImage, DrawError> {
        self.take(&[*moment], &[Pose::default()], shot, shot.camera())
    }

    /// All moments side by side from left to right, on common ground.
    pub fn strip(
        &mut self,
        moments: &[DrawnMoment],
        layout: &StripLayout,
        shot: &Shot,
    ) -> Result<RgbaImage, DrawError> {
        self.strips(&[moments], layout, shot)?.pop().ok_or(DrawError::NoMoments)
    }

    /// Strips of the same moments in different looks, each a picture: moments of one column stand
    /// at the same place, and one camera sees them all, so that nothing differs but the looks.
    pub fn strips(
        &mut self,
        looks: &[&[DrawnMoment]],
        layout: &StripLayout,
        shot: &Shot,
    ) -> Result<Vec<RgbaImage>, DrawError> {
        let offsets = strip_offsets(looks, layout, shot.view);
        let columns = offsets.len();
        let points = strip_points(looks, &offsets);
        let pose = |&offset: &Vec3| Pose {
            scene_from_model: Mat4::from_translation(offset),
            ..Pose::default()
        };
        let poses: Vec<Pose> = offsets.iter().map(pose).collect();
        let mut bounds = Bounds::EMPTY;
        points.clone().for_each(|point| bounds.add(point));
        let stage = Stage { bounds: bounds.made_visible(), ..shot.stage };
        // A very long lens: otherwise the outer moments would be seen from another side.
        let [width, height] = shot.size_px.map(|side| side.max(1) as f32);
        let vertical_fov_rad = STRIP_FOV_RAD * (height / width).min(1.0);
        let shot = Shot { stage, vertical_fov_rad, ..*shot };
        let (narrow, low) = ((height / width).min(1.0), (width / height).min(1.0));
        let margins = Margins { sides: STRIP_MARGIN * narrow, ..shot.margins(STRIP_MARGIN * low) };
        let mut framing = Framing::new(shot.aspect(), shot.view, vertical_fov_rad, margins);
        points.for_each(|point| framing.add(point));
        let camera = framing.camera();
        looks.iter().map(|moments| self.take(&moments[..columns], &poses, &shot, camera)).collect()
    }

    /// All moments where they are; the last one solid, the ones before fading.
    pub fn ghosts(
        &mut self,
        moments: &[DrawnMoment],
        layout: &GhostLayout,
        shot: &Shot,
    ) -> Result<RgbaImage, DrawError> {
        let last = moments.len().saturating_sub(1);
        let poses: Vec<Pose> = (0..moments.len())
            .map(|index| {
                if index == last {
                    return Pose::default();
                }
                let age = index as f32 / (last.max(2) - 1) as f32;
                let fade = layout.newest_opacity - layout.oldest_opacity;
                Pose {
                    opacity: (layout.oldest_opacity + fade * age).clamp(0.0, 0.999),
                    tint: layout.tint,
                    ..Pose::default()
                }
            })
            .collect();
        self.take(moments, &poses, shot, shot.camera())
    }

    /// Many of the character at once, each where it stands. The shot must see them there.
    pub fn herd(
        &mut self,
        scene_from_member: &[Mat4],
        source: &mut dyn HerdSource,
        shot: &Shot,
    ) -> Result<RgbaImage, DrawError> {
        let (triangles, colors) = (&self.triangles[..], &self.colors[..]);
        let materials = self.materials.as_ref();
        let geometry = Geometry { triangles, colors, materials, ..Geometry::default() };
        #[allow(clippy::needless_update, reason = "with the feature gpu it has more fields")]
        let model = &Mesh { geometry, ..Mesh::default() };
        let picture = PictureOf {
            camera: shot.camera(),
            stage: shot.stage,
            look: shot.look,
            models: &[],
            skeletons: &[],
        };
        let mut herd = HerdOf { model, scene_from_member, source };
        self.painter.paint_herd(&picture, &mut herd, shot.size_px)
    }

    fn take(
        &mut self,
        moments: &[DrawnMoment],
        poses: &[Pose],
        shot: &Shot,
        camera: Camera,
    ) -> Result<RgbaImage, DrawError> {
        let (moments, poses) = with_behind(moments, poses);
        if moments.is_empty() {
            return Err(DrawError::NoMoments);
        }
        let Studio { painter, triangles, colors, joint_parents, materials } = self;
        let materials = materials.as_ref();
        let meshes: Vec<Mesh> =
            moments.iter().map(|moment| mesh(moment, triangles, colors, materials)).collect();
        let models: Vec<PlacedOf<Mesh>> = (meshes.iter().zip(&moments).zip(&poses))
            .map(|((model, moment), pose)| PlacedOf {
                model,
                scene_from_model: pose.scene_from_model,
                tint: pose.tint,
                opacity: pose.opacity,
                unlit: if moment.colors.is_empty() { 0.0 } else { PAINTED_UNLIT },
            })
            .collect();
        let skeletons: Vec<Bones> = moments
            .iter()
            .zip(&poses)
            .filter(|(moment, pose)| !moment.joints.is_empty() && pose.opacity >= 1.0)
            .map(|(moment, pose)| Bones {
                joints: moment.joints,
                parents: joint_parents,
                scene_from_model: pose.scene_from_model,
            })
            .collect();
        let picture = PictureOf {
            camera,
            stage: shot.stage,
            look: shot.look,
            models: &models,
            skeletons: &skeletons,
        };
        let mut image = painter.paint(&picture, shot.size_px)?;
        for (moment, pose) in moments.iter().zip(&poses).filter(|(_, pose)| pose.opacity >= 1.0) {
            let scale = usual_scale(image.height());
            draw_marks(&mut image, &camera, pose.scene_from_model, moment.marks, scale);
        }
        Ok(image)
    }
}

fn mesh<'a>(
    moment: &DrawnMoment<'a>,
    triangles: &'a [[u32; 3]],
    colors: &'a [[f32; 4]],
    materials: Option<&'a Arc<Materials>>,
) -> Mesh<'a> {
    Mesh {
        geometry: Geometry {
            positions: moment.positions,
            normals: moment.normals,
            colors: if moment.colors.is_empty() { colors } else { moment.colors },
            triangles,
            // A heat map is a surface of its own.
            materials: materials.filter(|_| moment.colors.is_empty()),
        },
        on_device: moment.on_device,
    }
}

/// How one moment stands in a picture.
#[derive(Clone, Copy)]
struct Pose {
    scene_from_model: Mat4,
    tint: [f32; 4],
    opacity: f32,
}

impl Default for Pose {
    fn default() -> Self {
        Pose { scene_from_model: Mat4::IDENTITY, tint: [0.0; 4], opacity: 1.0 }
    }
}

/// What moments are compared with, as moments of their own before them.
fn with_behind<'a>(
    moments: &[DrawnMoment<'a>],
    poses: &[Pose],
) -> (Vec<DrawnMoment<'a>>, Vec<Pose>) {
    let (mut all, mut all_poses) = (Vec::new(), Vec::new());
    for (moment, pose) in moments.iter().zip(poses) {
        if let Some(Behind { positions, normals }) = moment.behind {
            all.push(DrawnMoment { positions, normals, ..DrawnMoment::default() });
            let opacity = COMPARED_OPACITY * pose.opacity;
            all_poses.push(Pose { opacity, tint: COMPARED_TINT, ..*pose });
        }
        all.push(*moment);
        all_poses.push(*pose);
    }
    (all, all_poses)
}

/// What a moment covers along the direction of the strip.
#[derive(Clone, Copy, Default)]
struct Span {
    low: f32,
    high: f32,
}

impl Span {
    fn along(axis: Vec3, moment: &DrawnMoment) -> Span {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for position in moment.vertices().chain(moment.also_seen) {
            let at = position.dot(axis);
            if at.is_finite() {
                (low, high) = (low.min(at), high.max(at));
            }
        }
        if low > high {
            (low, high) = (0.0, 0.0);
        }
        Span { low, high }
    }

    fn width(&self) -> f32 {
        self.high - self.low
    }

    fn around(self, other: Span) -> Span {
        Span { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// How far each moment is moved: all places are equally wide.
fn strip_offsets(looks: &[&[DrawnMoment]], layout: &StripLayout, view: View) -> Vec<Vec3> {
    let right = view.axes().x_axis;
    let columns = looks.iter().map(|moments| moments.len()).min().unwrap_or(0);
    let span = |column: usize| {
        let spans = looks.iter().map(|moments| Span::along(right, &moments[column]));
        spans.reduce(Span::around).unwrap_or_default()
    };
    let spans: Vec<Span> = (0..columns).map(span).collect();
    let whole = spans.iter().copied().reduce(Span::around).unwrap_or_default();
    let widest = spans.iter().map(Span::width).fold(0.0, f32::max);
    let place = match layout.travel {
        Travel::Keep => whole.width(),
        Travel::Remove => widest,
    } + widest * layout.gap;
    let shift = |(index, span): (usize, &Span)| {
        let own = match layout.travel {
            Travel::Keep => 0.0,
            Travel::Remove => -(span.low + span.high) * 0.5,
        };
        right * (index as f32 * place + own)
    };
    spans.iter().enumerate().map(shift).collect()
}

/// All that a strip shows, where it shows it.
fn strip_points(looks: &[&[DrawnMoment]], offsets: &[Vec3]) -> impl Iterator<Item = Vec3> + Clone {
    let columns = looks.iter().flat_map(move |moments| moments.iter().zip(offsets));
    columns.flat_map(|(moment, &offset)| {
        let points = moment.vertices().chain(moment.joints).chain(moment.also_seen);
        points.map(move |&point| point + offset)
    })
}
