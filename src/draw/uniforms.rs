//! What the shaders read, laid out as in draw_scene.wgsl and draw_model.wgsl.

use super::light::{Lights, UnitSpace};
use super::{Background, Picture, Placed, Style};
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct SceneUniform {
    clip_from_unit: Mat4,
    key_from_unit: Mat4,
    sky_from_unit: Mat4,
    eye: [f32; 4],
    ray_right: [f32; 4],
    ray_up: [f32; 4],
    ray_forward: [f32; 4],
    key_dir: [f32; 4],
    fill_dir: [f32; 4],
    rim_dir: [f32; 4],
    ground_region: [f32; 4],
    background_top: [f32; 4],
    background_bottom: [f32; 4],
    viewport: [f32; 4],
    sky: [f32; 4],
}

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct InstanceUniform {
    unit_from_model: Mat4,
    unit_from_model_normal: Mat4,
    tint: [f32; 4],
    options: [f32; 4],
}

/// Nearest distance that is still seen, in unit space.
const NEAR: f32 = 1e-3;

/// Linear colours of the studio's wall.
const STUDIO_TOP: [f32; 3] = [0.56, 0.575, 0.60];
const STUDIO_BOTTOM: [f32; 3] = [0.43, 0.435, 0.445];

fn with(vector: Vec3, w: f32) -> [f32; 4] {
    vector.extend(w).to_array()
}

fn flag(set: bool) -> f32 {
    f32::from(u8::from(set))
}

pub fn scene_uniform(
    picture: &Picture,
    unit: &UnitSpace,
    lights: &Lights,
    [width, height]: [u32; 2],
    encode_srgb: bool,
) -> SceneUniform {
    let camera = picture.camera.in_units(unit.origin, unit.length);
    let aspect = width as f32 / height as f32;
    let axes = camera.view.axes();
    let slope = (camera.vertical_fov_rad * 0.5).tan();
    let look = &picture.look;
    let silhouette = look.style == Style::Silhouette;
    let (top, bottom) = match look.background {
        Background::Gradient { top, bottom } => (top, bottom),
        Background::Studio | Background::Transparent => (STUDIO_TOP, STUDIO_BOTTOM),
    };
    let ground = look.ground && unit.ground_height.is_some();
    let center = unit.bounds.center();
    SceneUniform {
        clip_from_unit: camera.clip_from_scene(aspect, NEAR),
        key_from_unit: lights.key.from_unit,
        sky_from_unit: lights.sky.from_unit,
        eye: with(camera.eye(), unit.ground_height.unwrap_or(-1e6)),
        ray_right: with(axes.x_axis * slope * aspect, flag(ground)),
        ray_up: with(axes.y_axis * slope, flag(look.background == Background::Transparent)),
        ray_forward: with(-axes.z_axis, flag(silhouette)),
        key_dir: with(lights.key_dir, lights.key.extent.z),
        fill_dir: with(lights.fill_dir, 1.0 / lights.key.extent.x),
        rim_dir: with(lights.rim_dir, 1.0 / lights.key.extent.y),
        ground_region: [
            lights.ground_min.x,
            lights.ground_min.y,
            lights.ground_size.x,
            lights.ground_size.y,
        ],
        background_top: with(top.into(), flag(encode_srgb)),
        background_bottom: with(bottom.into(), 0.0),
        viewport: [
            width as f32,
            height as f32,
            look.line_width_px.clamp(0.1, 50.0),
            look.skeleton.clamp(0.0, 1.0),
        ],
        sky: [1.0 / lights.sky.extent.x, 1.0 / lights.sky.extent.y, center.x, center.z],
    }
}

pub fn instance_uniform(placed: &Placed, unit: &UnitSpace, wireframe: f32) -> InstanceUniform {
    let unit_from_model = unit.unit_from_scene() * placed.scene_from_model;
    let linear = glam::Mat3::from_mat4(placed.scene_from_model);
    let determinant = linear.determinant();
    // A model squashed flat has no inverse; its plain directions are the best there is.
    let normal = if determinant.is_normal() { linear.inverse().transpose() } else { linear };
    InstanceUniform {
        unit_from_model,
        unit_from_model_normal: Mat4::from_mat3(normal),
        tint: placed.tint,
        options: Vec4::new(
            placed.opacity.clamp(0.0, 1.0),
            wireframe.clamp(0.0, 1.0) * placed.opacity.clamp(0.0, 1.0),
            placed.unlit.clamp(0.0, 1.0),
            0.0,
        )
        .to_array(),
    }
}
