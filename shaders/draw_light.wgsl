// How much of the key light and of the sky reaches a point. After draw_scene.wgsl.

@group(2) @binding(0) var key_map: texture_depth_2d;
// Height (unit space) of the uppermost surface, slightly blurred.
@group(2) @binding(1) var sky_height: texture_2d<f32>;
@group(2) @binding(2) var shadow_sampler: sampler_comparison;
@group(2) @binding(3) var smooth_sampler: sampler;

// The key light is a large softbox: its half width seen from the subject, as a slope.
const KEY_SOFTNESS = 0.14;

// The map ends behind the last thing that casts a shadow; the ground may lie deeper. Where nothing
// was drawn the map holds 1, which must not hide anything.
const DEEPEST = 0.9999;

fn key_tap(uv: vec2f, depth: f32) -> f32 {
    return textureSampleCompareLevel(key_map, shadow_sampler, uv, min(depth, DEEPEST));
}

fn key_lit(at: vec3f, radius: f32, taps: u32, start: vec2f) -> f32 {
    let uv_per_unit = vec2f(scene.fill_dir.w, scene.rim_dir.w) * radius;
    var direction = start;
    var lit = 0.0;
    for (var i = 0u; i < taps; i++) {
        let out = sqrt((f32(i) + 0.5) / f32(taps));
        lit += key_tap(at.xy + direction * out * uv_per_unit, at.z);
        direction = turned(direction);
    }
    return lit / f32(taps);
}

// On a character: a narrow fixed softness. The start is lifted off the surface by the width of the
// filter, so that no tap can hit the surface itself.
fn key_on_surface(point: vec3f, normal: vec3f) -> f32 {
    let radius = 0.011;
    let lifted = point + normal * (radius * 1.1) + scene.key_dir.xyz * 0.004;
    let at = scene.key_from_unit * vec4f(lifted, 1.0);
    return key_lit(at.xyz, radius, 12u, vec2f(1.0, 0.0));
}

// On the ground: the shadow is crisp where the foot touches and softens with the height of what
// casts it (percentage-closer soft shadows, Fernando 2005).
fn key_on_ground(point: vec3f, start: vec2f) -> f32 {
    let at = (scene.key_from_unit * vec4f(point, 1.0)).xyz;
    let size = vec2f(textureDimensions(key_map));
    let uv_per_unit = vec2f(scene.fill_dir.w, scene.rim_dir.w);
    let reach = KEY_SOFTNESS * 1.2;
    var gap_sum = 0.0;
    var blockers = 0.0;
    var direction = start;
    for (var i = 0u; i < 24u; i++) {
        // Even in radius, so denser towards the middle, where low blockers are.
        let away = direction * (f32(i) + 0.5) / 24.0 * reach;
        direction = turned(direction);
        let texel = vec2i((at.xy + away * uv_per_unit) * size);
        if any(texel < vec2i(0)) || any(texel >= vec2i(size)) { continue; }
        let depth = textureLoad(key_map, texel, 0);
        let gap = (at.z - depth) * scene.key_dir.w;
        if depth < DEEPEST && gap > 0.0 && length(away) <= gap * KEY_SOFTNESS + 0.01 {
            gap_sum += gap;
            blockers += 1.0;
        }
    }
    if blockers == 0.0 { return 1.0; }
    let radius = max(gap_sum / blockers * KEY_SOFTNESS, 0.004);
    return key_lit(at, radius, 24u, start);
}

// How open the sky is above a point, 0 to 1: what stands higher around it hides a part.
fn sky_visibility(point: vec3f, normal: vec3f, taps: u32, start: vec2f) -> f32 {
    let reach = 0.42;
    let at = (scene.sky_from_unit * vec4f(point, 1.0)).xy;
    var hidden = 0.0;
    var direction = start;
    for (var i = 0u; i < taps; i++) {
        // Even in radius: near things hide more of the sky than far ones.
        let away = direction * (f32(i) + 0.5) / f32(taps) * reach;
        direction = turned(direction);
        let height = textureSampleLevel(sky_height, smooth_sampler, at + away * scene.sky.xy, 0.0).r;
        let rise = height - point.y - 0.012;
        if rise <= 0.0 { continue; }
        let toward = vec3f(away.x, rise, away.y);
        let distance = length(toward);
        let faced = max(dot(toward / distance, normal) - 0.12, 0.0) / 0.88;
        hidden += faced * smoothstep(0.0, 0.05, rise) / (1.0 + distance * distance * 6.0);
    }
    return clamp(1.0 - 1.5 * hidden / f32(taps), 0.0, 1.0);
}
