//! draw_surface.wgsl: the shaded surface of a model.

use super::instance::Instance;
use super::light::Light;
use super::material::{Fragment, Tangents, material_color};
use super::scene::{smoothstep, soften_highlights, stored, xyz};
use super::texture::{Lining, Spot};
use crate::materials::{SOLID_ALPHA, Slot};
use crate::uniforms::SceneUniform;
use glam::{Vec3, Vec4};

/// A triangle in unit space, ready to say where a ray of the camera meets it.
///
/// For corners p, p + e₁, p + e₂, the eye at p + t and a ray d: with N = e₂ × e₁, the point
/// p + u e₁ + v e₂ has u = d · (e₂ × t) / d · N and v = d · (t × e₁) / d · N (Möller and Trumbore 1997).
pub struct Facet {
    corners: [Vec3; 3],
    across: Vec3,
    to_u: Vec3,
    to_v: Vec3,
}

impl Facet {
    pub fn new(corners: [Vec3; 3], eye: Vec3) -> Facet {
        let (e1, e2, t) = (corners[1] - corners[0], corners[2] - corners[0], eye - corners[0]);
        Facet { corners, across: e2.cross(e1), to_u: e2.cross(t), to_v: t.cross(e1) }
    }

    /// How much of each corner is where the ray meets the triangle's plane. May be negative; in the
    /// middle where the ray lies in the plane.
    pub fn parts(&self, ray: Vec3) -> Vec3 {
        let inverse = 1.0 / ray.dot(self.across);
        let (u, v) = (ray.dot(self.to_u) * inverse, ray.dot(self.to_v) * inverse);
        let parts = Vec3::new(1.0 - u - v, u, v);
        if parts.is_finite() { parts } else { Vec3::splat(1.0 / 3.0) }
    }

    /// The same at the nearest point inside, roughly: pixels at an edge have their middle outside.
    pub fn parts_inside(&self, ray: Vec3) -> Vec3 {
        let parts = self.parts(ray).max(Vec3::ZERO);
        parts / parts.element_sum()
    }

    /// The same for a picture's rays: through a pixel, the one to its right and the one above.
    pub fn spot(&self, rays: [Vec3; 3]) -> Spot {
        let [middle, right, above] = rays.map(|ray| self.parts(ray));
        let inside = middle.max(Vec3::ZERO);
        Spot { parts: inside / inside.element_sum(), beside: [right, above], middle }
    }

    pub fn mix(parts: Vec3, values: &[Vec3; 3]) -> Vec3 {
        values[0] * parts.x + values[1] * parts.y + values[2] * parts.z
    }

    pub fn point(&self, parts: Vec3) -> Vec3 {
        Facet::mix(parts, &self.corners)
    }
}

/// A triangle of a model with what its fragments are made of.
pub struct Surface<'a> {
    pub facet: Facet,
    finish: Option<Finish<'a>>,
    normals: [Vec3; 3],
    colors: [Vec3; 3],
    flat_normal: Vec3,
    opacity: f32,
    unlit: f32,
}

/// What a triangle with a material has more.
struct Finish<'a> {
    lining: Lining<'a>,
    tangents: Option<Tangents>,
    tint: [f32; 4],
}

impl<'a> Surface<'a> {
    pub fn new(instance: &Instance<'a>, triangle: u32, eye: Vec3) -> Surface<'a> {
        let vertices = instance.geometry.triangles[triangle as usize];
        let facet = Facet::new(vertices.map(|vertex| instance.unit_position(vertex)), eye);
        let flat = facet.across;
        let finish = instance.lining(triangle).map(|lining| Finish {
            tangents: Tangents::new(&lining, &facet.corners),
            tint: instance.uniform.tint,
            lining,
        });
        Surface {
            colors: vertices.map(|vertex| match finish {
                Some(_) => instance.own_color(vertex).truncate(),
                None => instance.color(vertex),
            }),
            finish,
            flat_normal: flat / flat.length().max(1e-20),
            facet,
            normals: vertices.map(|vertex| instance.normal(vertex)),
            opacity: instance.uniform.options[0],
            unlit: instance.uniform.options[2],
        }
    }

    /// What is stored where the first of the rays meets it; the others belong to the pixels beside it.
    pub fn fragment(&self, scene: &SceneUniform, light: &Light, rays: [Vec3; 3]) -> Vec4 {
        if scene.ray_forward[3] > 0.5 {
            return Vec4::new(0.0, 0.0, 0.0, self.opacity);
        }
        if let Some(finish) = &self.finish {
            let spot = self.facet.spot(rays);
            return stored(self.material_color(scene, light, finish, &spot), self.opacity);
        }
        let parts = self.facet.parts_inside(rays[0]);
        let point = self.facet.point(parts);
        let to_eye = (xyz(scene.eye) - point).normalize_or_zero();
        let normal = facing_normal(Facet::mix(parts, &self.normals), self.flat_normal, to_eye);
        let albedo = Facet::mix(parts, &self.colors).max(Vec3::ZERO).min(Vec3::ONE);
        let lit = soften_highlights(lit_color(scene, light, albedo, point, normal, to_eye));
        let color = lit.lerp(albedo, self.unlit);
        if self.opacity >= 1.0 {
            return stored(color, self.opacity);
        }
        let edge = ghost_edge(normal, to_eye);
        let opacity = self.opacity + (self.opacity.min(1.0 - self.opacity)) * edge;
        stored(color * (1.0 - EDGE_DARKNESS * edge), opacity)
    }

    /// What is stored of a triangle that is blended, where it is not solid.
    pub fn blended_fragment(&self, scene: &SceneUniform, light: &Light, rays: [Vec3; 3]) -> Vec4 {
        let Some(finish) = &self.finish else { return Vec4::ZERO };
        let spot = self.facet.spot(rays);
        let alpha = finish.lining.alpha(&spot);
        if alpha >= SOLID_ALPHA || !(alpha > LEAST_ALPHA) {
            return Vec4::ZERO;
        }
        if scene.ray_forward[3] > 0.5 {
            return Vec4::new(0.0, 0.0, 0.0, alpha);
        }
        stored(self.material_color(scene, light, finish, &spot), alpha)
    }

    /// Is it there, where the ray meets it, or is this a hole of its texture?
    pub fn is_solid(&self, least_alpha: f32, rays: [Vec3; 3]) -> bool {
        let finish = self.finish.as_ref();
        finish.is_none_or(|finish| finish.lining.alpha(&self.facet.spot(rays)) >= least_alpha)
    }

    fn material_color(
        &self,
        scene: &SceneUniform,
        light: &Light,
        finish: &Finish,
        spot: &Spot,
    ) -> Vec3 {
        let Finish { lining, tangents, tint: [r, g, b, part] } = finish;
        let point = self.facet.point(spot.parts);
        let to_eye = (xyz(scene.eye) - point).normalize_or_zero();
        let normal = facing_normal(Facet::mix(spot.parts, &self.normals), self.flat_normal, to_eye);
        let texel = lining.texel(Slot::BaseColor, spot).unwrap_or(Vec4::ONE).truncate();
        let own = Facet::mix(spot.parts, &self.colors) * texel;
        let albedo = own.lerp(Vec3::new(*r, *g, *b), *part).max(Vec3::ZERO).min(Vec3::ONE);
        let fragment = Fragment { point, normal, to_eye, albedo };
        material_color(scene, light, lining, tangents.as_ref(), spot, fragment)
    }
}

/// What is blended and has less is not seen.
const LEAST_ALPHA: f32 = 1.0 / 255.0;

/// How much darker a ghost is along its outline than on its face.
const EDGE_DARKNESS: f32 = 0.8;

/// A ghost is dark and up to twice as dense where its surface turns away from the viewer: its outline is
/// seen even before what has the same colour.
fn ghost_edge(normal: Vec3, to_eye: Vec3) -> f32 {
    smoothstep(0.45, 0.9, 1.0 - normal.dot(to_eye).clamp(0.0, 1.0))
}

/// The smooth normal on the viewer's side; the side is taken from the flat triangle.
fn facing_normal(smooth_normal: Vec3, flat_normal: Vec3, to_eye: Vec3) -> Vec3 {
    let outside = if flat_normal.dot(to_eye) < 0.0 { -flat_normal } else { flat_normal };
    let length_squared = smooth_normal.length_squared();
    // Written so that a normal that is not a number also falls back to the flat one.
    if !(length_squared > 1e-12 && length_squared < 1e30) {
        return outside;
    }
    let n = smooth_normal / length_squared.sqrt();
    if n.dot(outside) < -0.35 { -n } else { n }
}

/// What of the studio's light arrives at a point.
pub struct StudioLight {
    pub key: Vec3,
    pub fill: Vec3,
    pub ambient: Vec3,
    /// How open the sky is.
    pub sky: f32,
    /// How much of the key light is not hidden.
    pub shadow: f32,
    pub key_facing: f32,
}

pub fn studio_light(scene: &SceneUniform, light: &Light, point: Vec3, normal: Vec3) -> StudioLight {
    let key_facing = normal.dot(xyz(scene.key_dir));
    let sky = light.sky_on_surface(point, normal);
    let mut shadow = 1.0;
    if key_facing > 0.0 {
        shadow = light.key_on_surface(point, normal);
    }
    // Where light only grazes, the flat triangles of a coarse mesh would show as shadow: let go there.
    shadow = 1.0 + (shadow - 1.0) * smoothstep(0.0, 0.35, key_facing);

    let key = ((key_facing + 0.22) / 1.22).clamp(0.0, 1.0);
    let key = key * key.sqrt().sqrt() * shadow;
    let fill = (normal.dot(xyz(scene.fill_dir)) * 0.5 + 0.5).clamp(0.0, 1.0);
    let up = normal.y * 0.5 + 0.5;
    // Light that comes back from the floor fades where the body itself keeps the floor dark.
    let floor_open = 0.45 + 0.55 * smoothstep(0.0, 0.5, point.y - scene.eye[3]);
    let floor = Vec3::new(0.165, 0.157, 0.152) * floor_open;
    StudioLight {
        key: Vec3::new(0.80, 0.775, 0.735) * key,
        fill: Vec3::new(0.085, 0.092, 0.105) * (fill * fill * sky),
        ambient: floor.lerp(Vec3::new(0.245, 0.258, 0.28) * sky, up),
        sky,
        shadow,
        key_facing,
    }
}

fn lit_color(
    scene: &SceneUniform,
    light: &Light,
    albedo: Vec3,
    point: Vec3,
    normal: Vec3,
    to_eye: Vec3,
) -> Vec3 {
    let key_dir = xyz(scene.key_dir);
    let StudioLight { key, fill, ambient, sky, shadow, key_facing } =
        studio_light(scene, light, point, normal);
    let edge = 1.0 - normal.dot(to_eye).clamp(0.0, 1.0);
    let rim = edge * edge * edge * (normal.dot(xyz(scene.rim_dir)) + 0.25).clamp(0.0, 1.0);
    let half_way = (key_dir + to_eye).normalize_or_zero();
    let gloss = normal.dot(half_way).clamp(0.0, 1.0).powi(38) * (key_facing * 4.0).clamp(0.0, 1.0);
    albedo * (key + fill + ambient)
        + Vec3::new(0.26, 0.27, 0.29) * (rim * sky) * (0.25 + 0.75 * albedo)
        + Vec3::splat(0.055) * (gloss * shadow)
}
