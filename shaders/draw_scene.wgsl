// What every drawing shader knows: the camera, the lights and the colours of the studio.
// This text is put in front of the other draw_*.wgsl files.
//
// Everything is computed in *unit* space: scene space moved and scaled so that the subject is about
// 1 tall and stands on its ground. All lengths below (softness of light, bias) are therefore
// fractions of the subject, and a mouse and a house give the same picture.

struct Scene {
    clip_from_unit: mat4x4f,
    // To (u, v, depth) of the two shadow maps: the key light's, and the one that looks straight down.
    key_from_unit: mat4x4f,
    sky_from_unit: mat4x4f,
    // .w: height of the ground
    eye: vec4f,
    // The view ray of ndc (x, y) is x * right + y * up + forward. .w: 1 where the ground is drawn
    ray_right: vec4f,
    // .w: 1 for a transparent background
    ray_up: vec4f,
    // .w: 1 for flat black shapes on white
    ray_forward: vec4f,
    // Towards the lights. .w of the key: length of its depth range
    key_dir: vec4f,
    // .w: u of the key map per unit
    fill_dir: vec4f,
    // .w: v of the key map per unit
    rim_dir: vec4f,
    // The rectangle of ground that has a light map: least x, least z, size x, size z
    ground_region: vec4f,
    // .w: 1 if the target does not encode sRGB by itself
    background_top: vec4f,
    background_bottom: vec4f,
    // width, height in pixels; line width in pixels; opacity of overlays
    viewport: vec4f,
    // u and v of the sky map per unit; x and z of the middle of the stage
    sky: vec4f,
}

@group(0) @binding(0) var<uniform> scene: Scene;

// Samples on a disc lie on a Vogel spiral: each is turned by the golden angle against the one before,
// at radius sqrt((i + ½) / count). Turning step by step is much cheaper than a sine per sample.
fn turned(direction: vec2f) -> vec2f {
    let golden = vec2f(-0.73736888, 0.67549029);
    return vec2f(
        direction.x * golden.x - direction.y * golden.y,
        direction.x * golden.y + direction.y * golden.x,
    );
}

// Interleaved gradient noise (Jimenez 2014): neighbours differ as much as they can.
fn pixel_noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}

// Leaves everything below the knee as it is, so that base colours stay honest, and bends what is
// brighter towards white instead of clipping it.
fn soften_highlights(color: vec3f) -> vec3f {
    let knee = 0.62;
    let room = 1.0 - knee;
    let bent = knee + room * (1.0 - exp(-(color - knee) / room));
    return select(bent, color, color <= vec3f(knee));
}

fn srgb_from_linear(color: vec3f) -> vec3f {
    let c = clamp(color, vec3f(0.0), vec3f(1.0));
    return select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, c * 12.92, c <= vec3f(0.0031308));
}

// Linear colour and opacity → what the target stores, premultiplied.
fn stored(color: vec3f, opacity: f32) -> vec4f {
    let encoded = select(color, srgb_from_linear(color), scene.background_top.w > 0.5);
    return vec4f(encoded * opacity, opacity);
}

struct Fullscreen {
    @builtin(position) position: vec4f,
    @location(0) ndc: vec2f,
}

// One triangle that covers the target.
fn fullscreen_corner(index: u32) -> Fullscreen {
    let ndc = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    return Fullscreen(vec4f(ndc, 0.0, 1.0), ndc);
}
