//! draw_material.wgsl: the surface of a model that has materials, lit by the studio and mirroring it.

use super::light::Light;
use super::scene::soften_highlights;
use super::surface::{StudioLight, studio_light};
use super::texture::{Lining, Spot};
use crate::materials::Slot;
use crate::studio_image::{STUDIO_IMAGE_SIZE, studio_image};
use crate::uniforms::SceneUniform;
use glam::{Vec2, Vec3, Vec4};
use std::f32::consts::{PI, TAU};

/// What of the key light a mirror shows.
const KEY_IMAGE: Vec3 = Vec3::new(5.2, 5.05, 4.8);

/// How the three corners of a triangle lie in space as the texture of normals lies on it: in which directions
/// its rows and columns run.
pub struct Tangents {
    across: Vec3,
    down: Vec3,
}

impl Tangents {
    /// None where the texture has no direction.
    pub fn new(lining: &Lining, corners: &[Vec3; 3]) -> Option<Tangents> {
        let places = lining.places(lining.material.texture(Slot::Normal)?);
        let (a, b) = (places[1] - places[0], places[2] - places[0]);
        let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
        let turn = a.perp_dot(b).signum();
        let (across, down) = ((p * b.y - q * a.y) * turn, (q * a.x - p * b.x) * turn);
        let lengths = across.length().min(down.length());
        (lengths > 0.0 && lengths.is_finite()).then_some(Tangents { across, down })
    }

    /// Red points along the rows of the image, green against its columns, blue out of it.
    fn normal(&self, texel: Vec4, scale: f32, smooth: Vec3) -> Vec3 {
        let across = (self.across - smooth * smooth.dot(self.across)).normalize_or_zero();
        let up = smooth.cross(across);
        let up = if up.dot(self.down) > 0.0 { -up } else { up };
        let [x, y, z, _] = (texel * 2.0 - 1.0).to_array();
        let mapped = across * (x * scale) + up * (y * scale) + smooth * z;
        mapped.try_normalize().unwrap_or(smooth)
    }
}

/// A fragment before it is lit.
pub struct Fragment {
    pub point: Vec3,
    pub normal: Vec3,
    pub to_eye: Vec3,
    /// With the colour of the vertices and the tint.
    pub albedo: Vec3,
}

pub fn material_color(
    scene: &SceneUniform,
    light: &Light,
    lining: &Lining,
    tangents: Option<&Tangents>,
    spot: &Spot,
    fragment: Fragment,
) -> Vec3 {
    let Fragment { point, normal, to_eye, albedo } = fragment;
    let material = lining.material;
    if material.is_unlit {
        return albedo;
    }
    let finish = lining.texel(Slot::MetallicRoughness, spot).unwrap_or(Vec4::ONE);
    let metallic = material.metallic * finish.z;
    let roughness = (material.roughness * finish.y).clamp(0.0, 1.0);
    let hollow = lining.texel(Slot::Occlusion, spot).map_or(1.0, |texel| texel.x);
    let occlusion = 1.0 + material.occlusion_strength * (hollow - 1.0);
    let texel = lining.texel(Slot::Normal, spot);
    let normal = match (tangents, texel) {
        (Some(tangents), Some(texel)) => tangents.normal(texel, material.normal_scale, normal),
        _ => normal,
    };
    let glow = lining.texel(Slot::Emissive, spot).unwrap_or(Vec4::ONE).truncate();
    let lit = studio_light(scene, light, point, normal);
    let lit = material_light(scene, &lit, albedo, [metallic, roughness, occlusion], normal, to_eye);
    soften_highlights(lit + Vec3::from(material.emissive) * glow)
}

fn material_light(
    scene: &SceneUniform,
    light: &StudioLight,
    albedo: Vec3,
    [metallic, roughness, occlusion]: [f32; 3],
    normal: Vec3,
    to_eye: Vec3,
) -> Vec3 {
    let facing = normal.dot(to_eye).clamp(0.0, 1.0);
    let reflected = reflectance(Vec3::splat(0.04).lerp(albedo, metallic), roughness, facing);
    let away = normal * (2.0 * normal.dot(to_eye)) - to_eye;
    let image = image_of_studio(scene, away, roughness);
    let open = specular_occlusion(light.sky * occlusion, roughness, facing);
    let key = light.shadow * (light.key_facing * 4.0).clamp(0.0, 1.0);
    let mirrored = image.truncate() * open + KEY_IMAGE * (image.w * key);
    let diffuse = light.key + (light.fill + light.ambient) * occlusion;
    albedo * (1.0 - reflected) * (1.0 - metallic) * diffuse + reflected * mirrored
}

/// How much of what is around is mirrored (Lazarov 2013, as Karis fitted it).
fn reflectance(at_front: Vec3, roughness: f32, facing: f32) -> Vec3 {
    let r =
        Vec4::new(-1.0, -0.0275, -0.572, 0.022) * roughness + Vec4::new(1.0, 0.0425, 1.04, -0.04);
    let a = (r.x * r.x).min((-9.28 * facing).exp2()) * r.x + r.y;
    at_front * (-1.04 * a + r.z) + (1.04 * a + r.w)
}

/// Light that comes from a hollow is mirrored less, too (Lagarde 2014).
fn specular_occlusion(open: f32, roughness: f32, facing: f32) -> f32 {
    ((facing + open).powf((-16.0 * roughness - 1.0).exp2()) - 1.0 + open).clamp(0.0, 1.0)
}

/// The studio stands around the viewer: its directions are counted from the fill light.
fn image_of_studio(scene: &SceneUniform, from: Vec3, roughness: f32) -> Vec4 {
    let fill = Vec2::new(scene.fill_dir[0], scene.fill_dir[2]).normalize_or_zero();
    let (x, z) = (from.x * fill.y - from.z * fill.x, from.x * fill.x + from.z * fill.y);
    let around = x.atan2(z) / TAU + 0.5;
    let down = from.y.clamp(-1.0, 1.0).acos() / PI;
    let [width, height, levels] = STUDIO_IMAGE_SIZE;
    let level = roughness * (levels - 1) as f32;
    let at = Vec2::new(around * width as f32, down * height as f32) - 0.5;
    let (low, part) = (at.floor(), at - at.floor());
    let texel = |level: usize, x: i32, y: i32| {
        let x = x.rem_euclid(width as i32) as usize;
        let y = y.clamp(0, height as i32 - 1) as usize;
        studio_image()[(level * height + y) * width + x]
    };
    let (x, y) = (low.x as i32, low.y as i32);
    let read = |level: usize| {
        let row = |y: i32| texel(level, x, y).lerp(texel(level, x + 1, y), part.x);
        row(y).lerp(row(y + 1), part.y)
    };
    let sharp = (level as usize).min(levels - 1);
    read(sharp).lerp(read((sharp + 1).min(levels - 1)), level - sharp as f32)
}
