//! What the shaders read, laid out as in draw_scene.wgsl, draw_model.wgsl and draw_texture.wgsl. The CPU reads the same.

use super::light::{Lights, UnitSpace};
use super::materials::{Material, Slot, TextureUse};
use super::{Background, PictureOf, PlacedOf, Style};
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct SceneUniform {
    pub clip_from_unit: Mat4,
    pub key_from_unit: Mat4,
    pub sky_from_unit: Mat4,
    pub eye: [f32; 4],
    pub ray_right: [f32; 4],
    pub ray_up: [f32; 4],
    pub ray_forward: [f32; 4],
    pub key_dir: [f32; 4],
    pub fill_dir: [f32; 4],
    pub rim_dir: [f32; 4],
    pub ground_region: [f32; 4],
    pub background_top: [f32; 4],
    pub background_bottom: [f32; 4],
    pub viewport: [f32; 4],
    pub sky: [f32; 4],
}

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct InstanceUniform {
    pub unit_from_model: Mat4,
    pub unit_from_model_normal: Mat4,
    pub tint: [f32; 4],
    pub options: [f32; 4],
}

/// Nearest distance that is still seen, in unit space.
pub const NEAR: f32 = 1e-3;

/// Linear colours of the studio's wall.
const STUDIO_TOP: [f32; 3] = [0.56, 0.575, 0.60];
const STUDIO_BOTTOM: [f32; 3] = [0.43, 0.435, 0.445];

fn with(vector: Vec3, w: f32) -> [f32; 4] {
    vector.extend(w).to_array()
}

fn flag(set: bool) -> f32 {
    f32::from(u8::from(set))
}

pub fn scene_uniform<M>(
    picture: &PictureOf<M>,
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

impl InstanceUniform {
    /// For all members of a herd, of so many vertices each. Any number that a mesh can have is exact.
    pub fn of_herd(mut self, vertices: usize) -> InstanceUniform {
        self.options[3] = vertices as f32;
        self
    }
}

pub fn instance_uniform<M>(
    placed: &PlacedOf<M>,
    unit: &UnitSpace,
    wireframe: f32,
) -> InstanceUniform {
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

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct MaterialUniform {
    pub rows: [[f32; 4]; 2 * Slot::COUNT],
    pub factors: [f32; 4],
    pub emissive: [f32; 4],
    pub alpha: [f32; 4],
}

/// From which alpha on something blended casts a shadow.
const SHADOW_ALPHA: f32 = 0.5;

impl MaterialUniform {
    pub fn of(material: &Material) -> MaterialUniform {
        let mut rows = [[0.0; 4]; 2 * Slot::COUNT];
        for (slot, texture) in material.textures.iter().enumerate() {
            if let Some(TextureUse { image_from_uv, uv_set, .. }) = texture {
                let (linear, offset) = (image_from_uv.matrix2, image_from_uv.translation);
                rows[2 * slot] = [linear.x_axis.x, linear.y_axis.x, offset.x, *uv_set as f32];
                rows[2 * slot + 1] = [linear.x_axis.y, linear.y_axis.y, offset.y, 1.0];
            }
        }
        let [red, green, blue] = material.emissive;
        let solid = material.least_solid_alpha().unwrap_or(-1.0);
        let shadow = if material.is_blended() { SHADOW_ALPHA } else { solid };
        MaterialUniform {
            rows,
            factors: [
                material.metallic,
                material.roughness,
                material.normal_scale,
                material.occlusion_strength,
            ],
            emissive: [red, green, blue, flag(material.is_unlit)],
            alpha: [solid, shadow, 0.0, 0.0],
        }
    }
}
