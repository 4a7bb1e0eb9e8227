//! Lamps and the maps their shadows are drawn in, all in unit space (see draw_scene.wgsl).

use super::{Bounds, PictureOf, Stage, View};
use glam::{Mat4, Vec2, Vec3, Vec4};

/// Scene space, moved to the middle of the stage's floor and divided by the subject's size.
#[derive(Clone, Copy, Debug)]
pub struct UnitSpace {
    pub origin: Vec3,
    pub length: f32,
    /// The stage in unit space.
    pub bounds: Bounds,
    pub ground_height: Option<f32>,
}

impl UnitSpace {
    pub fn of(stage: &Stage) -> UnitSpace {
        let bounds = stage.bounds.made_visible();
        let longest = bounds.longest_side();
        // A subject far smaller than its stage would ask for endless shadow maps.
        let length = if stage.subject_size.is_finite() {
            stage.subject_size.clamp(longest * 0.005, longest * 10.0)
        } else {
            longest
        };
        let center = bounds.center();
        let ground = stage.ground_height.filter(|height| height.is_finite());
        let origin = Vec3::new(center.x, ground.unwrap_or(bounds.min.y), center.z);
        let unit_from_scene =
            Mat4::from_scale(Vec3::splat(1.0 / length)) * Mat4::from_translation(-origin);
        UnitSpace {
            origin,
            length,
            bounds: bounds.transformed(unit_from_scene),
            ground_height: ground.map(|_| 0.0),
        }
    }

    pub fn unit_from_scene(&self) -> Mat4 {
        Mat4::from_scale(Vec3::splat(1.0 / self.length)) * Mat4::from_translation(-self.origin)
    }
}

/// An orthographic map: `from_unit` gives (u, v, depth), all 0 to 1 inside.
#[derive(Clone, Copy, Debug)]
pub struct MapSpace {
    pub from_unit: Mat4,
    /// What 1 in u, v and depth is in unit space.
    pub extent: Vec3,
}

/// Where the light comes from in this picture, and what it is computed in.
#[derive(Clone, Copy, Debug)]
pub struct Lights {
    pub key_dir: Vec3,
    pub fill_dir: Vec3,
    pub rim_dir: Vec3,
    pub key: MapSpace,
    pub sky: MapSpace,
    /// The rectangle of the ground (x, z) that can be in shadow.
    pub ground_min: Vec2,
    pub ground_size: Vec2,
}

/// How far things dim the sky around them; equal to `reach` in draw_light.wgsl.
pub const SKY_REACH: f32 = 0.42;

/// Where the lamps stand, in degrees around the subject from where the viewer is, and above the ground.
pub const KEY_DEG: [f32; 2] = [-42.0, 52.0];
pub const FILL_DEG: [f32; 2] = [62.0, 12.0];
pub const RIM_DEG: [f32; 2] = [158.0, 30.0];

impl Lights {
    /// The lamps stand around the viewer: key upper left, fill right, rim behind.
    pub fn of<M>(picture: &PictureOf<M>, unit: &UnitSpace) -> Lights {
        let yaw = picture.camera.view.yaw_rad.to_degrees();
        let lamp = |[around, height]: [f32; 2]| View::from_degrees(yaw + around, height);
        let key_view = lamp(KEY_DEG);
        let key_dir = key_view.axes().z_axis;
        let (ground_min, ground_size) = ground_region(unit, key_dir);
        Lights {
            key_dir,
            fill_dir: lamp(FILL_DEG).axes().z_axis,
            rim_dir: lamp(RIM_DEG).axes().z_axis,
            key: map_around(&unit.bounds, key_view, 0.02),
            // From straight above; its up axis is −Z so that v grows with z.
            sky: map_around(&unit.bounds, View::from_degrees(0.0, 90.0), 0.05),
            ground_min,
            ground_size,
        }
    }
}

fn map_around(bounds: &Bounds, view: View, margin: f32) -> MapSpace {
    let axes = view.axes();
    let seen = Bounds::of(&bounds.corners().map(|corner| axes.transpose() * corner));
    let min = seen.min - Vec3::splat(margin);
    let extent = seen.size() + Vec3::splat(2.0 * margin);
    // u = (x − min) / extent, v = (max − y) / extent, depth = (max − z) / extent: z is towards the light.
    let max = min + extent;
    let map_from_seen = Mat4::from_cols(
        Vec4::new(1.0 / extent.x, 0.0, 0.0, 0.0),
        Vec4::new(0.0, -1.0 / extent.y, 0.0, 0.0),
        Vec4::new(0.0, 0.0, -1.0 / extent.z, 0.0),
        Vec4::new(-min.x / extent.x, max.y / extent.y, max.z / extent.z, 1.0),
    );
    MapSpace { from_unit: map_from_seen * Mat4::from_mat3(axes.transpose()), extent }
}

/// The footprint of the stage and of its shadow, with room for their soft edges.
fn ground_region(unit: &UnitSpace, key_dir: Vec3) -> (Vec2, Vec2) {
    let ground = unit.ground_height.unwrap_or(unit.bounds.min.y);
    let mut region = Bounds::EMPTY;
    for corner in unit.bounds.corners() {
        let height = (corner.y - ground).max(0.0);
        region.add(corner);
        region.add(corner - key_dir * (height / key_dir.y.max(0.1)));
    }
    let min = Vec2::new(region.min.x, region.min.z) - SKY_REACH;
    let max = Vec2::new(region.max.x, region.max.z) + SKY_REACH;
    (min, max - min)
}

/// Pixels for an area of that extent at `px_per_unit`, within what is affordable.
fn map_size_px(extent: Vec2, px_per_unit: f32, longest_px: u32) -> [u32; 2] {
    let longest = extent.max_element().max(1e-6);
    let density = px_per_unit.min(longest_px as f32 / longest);
    let side = |length: f32| ((length * density).ceil() as u32).clamp(16, longest_px);
    [side(extent.x), side(extent.y)]
}

/// Sizes in pixels of the maps of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapSizes {
    pub key: [u32; 2],
    pub sky: [u32; 2],
    pub ground: [u32; 2],
}

impl MapSizes {
    pub fn of(lights: &Lights, largest_px: u32) -> MapSizes {
        let key = lights.key.extent;
        let sky = lights.sky.extent;
        MapSizes {
            key: map_size_px(Vec2::new(key.x, key.y), 1000.0, largest_px.min(4096)),
            sky: map_size_px(Vec2::new(sky.x, sky.y), 200.0, largest_px.min(1024)),
            ground: map_size_px(lights.ground_size, 170.0, largest_px.min(1536)),
        }
    }
}
