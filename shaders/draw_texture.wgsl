// What a surface is made of: the factors and textures of one material. Needs draw_scene.wgsl.

struct Material {
    // Per texture two rows of the way from texture coordinates to the image. The fourth number of the first:
    // which coordinates, of the second: 1 where there is a texture
    rows: array<vec4f, 10>,
    // How metallic, how rough, how much of the normals, how much of the occlusion
    factors: vec4f,
    // .w: 1 for a surface that shows its colour and is not lit
    emissive: vec4f,
    // From which alpha on it is solid, and from which it casts a shadow
    alpha: vec4f,
}

// Herds have what is before 4.
@group(3) @binding(4) var<uniform> material: Material;
@group(3) @binding(5) var base_color_texture: texture_2d<f32>;
@group(3) @binding(6) var base_color_sampler: sampler;
@group(3) @binding(7) var finish_texture: texture_2d<f32>;
@group(3) @binding(8) var finish_sampler: sampler;
@group(3) @binding(9) var normal_texture: texture_2d<f32>;
@group(3) @binding(10) var normal_sampler: sampler;
@group(3) @binding(11) var occlusion_texture: texture_2d<f32>;
@group(3) @binding(12) var occlusion_sampler: sampler;
@group(3) @binding(13) var emissive_texture: texture_2d<f32>;
@group(3) @binding(14) var emissive_sampler: sampler;
// What shining surfaces mirror; made by studio_image.rs. Around, from top to bottom, and by roughness.
@group(3) @binding(15) var studio_image: texture_3d<f32>;
@group(3) @binding(16) var studio_sampler: sampler;

// The order of textures, as in `materials::Slot`.
const BASE_COLOR = 0u;
const FINISH = 2u;
const NORMAL = 4u;
const OCCLUSION = 6u;
const EMISSIVE = 8u;

fn has_texture(row: u32) -> bool {
    return material.rows[row + 1u].w > 0.5;
}

// Where the image of a texture has a vertex's two pairs of texture coordinates.
fn image_place(row: u32, uvs: vec4f) -> vec2f {
    let across = material.rows[row];
    let down = material.rows[row + 1u];
    let uv = select(uvs.xy, uvs.zw, across.w > 0.5);
    return vec2f(dot(across.xy, uv) + across.z, dot(down.xy, uv) + down.z);
}

// Of the vertices and the texture together.
fn base_color(color: vec4f, uvs: vec4f) -> vec4f {
    if !has_texture(BASE_COLOR) { return color; }
    return color * textureSample(base_color_texture, base_color_sampler, image_place(BASE_COLOR, uvs));
}
