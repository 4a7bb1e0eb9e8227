// The studio: a calm gradient, and a ground that is only seen by the light and shadow on it.
// Needs draw_scene.wgsl.

@group(3) @binding(0) var ground_light: texture_2d<f32>;
@group(3) @binding(1) var ground_sampler: sampler;

@vertex
fn fullscreen_vertex(@builtin(vertex_index) index: u32) -> Fullscreen {
    return fullscreen_corner(index);
}

// What the ground does to the background behind it: (factor of light, 0 to 1 presence of ground).
fn ground_shade(ray: vec3f) -> vec2f {
    let height = scene.eye.y - scene.eye.w;
    if scene.ray_right.w < 0.5 || ray.y >= 0.0 || height <= 0.0 { return vec2f(1.0, 0.0); }
    let point = scene.eye.xyz - ray * (height / ray.y);
    let uv = (point.xz - scene.ground_region.xy) / scene.ground_region.zw;
    var light = vec2f(1.0);
    if all(uv > vec2f(0.0)) && all(uv < vec2f(1.0)) {
        light = textureSampleLevel(ground_light, ground_sampler, uv, 0.0).rg;
        // Nothing may be cut off at the border of the map.
        let inside = min(uv, 1.0 - uv);
        light = mix(vec2f(1.0), light, smoothstep(0.0, 0.06, min(inside.x, inside.y)));
    }
    let half_stage = scene.ground_region.zw * 0.5;
    let away = length((point.xz - scene.sky.zw) / half_stage);
    return vec2f(0.46 * light.x + 0.54 * light.y, exp(-away * away * 1.4));
}

// Up to half a step of 8 bits, in a pattern of 4 × 4 pixels (Bayer), so that the gradient does not
// show as bands. A pattern rather than noise: it survives compression better.
fn dithered(color: vec3f, pixel: vec2f) -> vec3f {
    let at = vec2u(pixel) % 4u;
    let low = at % 2u;
    let high = at / 2u;
    let rank = 4u * ((low.x ^ low.y) * 2u + low.y) + (high.x ^ high.y) * 2u + high.y;
    let step = 2.2 * pow(color, vec3f(1.0 - 1.0 / 2.2)) / 255.0;
    return color + step * ((f32(rank) + 0.5) / 16.0 - 0.5);
}

@fragment
fn background_fragment(in: Fullscreen) -> @location(0) vec4f {
    if scene.ray_forward.w > 0.5 {
        return vec4f(1.0) * (1.0 - scene.ray_up.w);
    }
    let ray = in.ndc.x * scene.ray_right.xyz + in.ndc.y * scene.ray_up.xyz + scene.ray_forward.xyz;
    let ground = ground_shade(ray);
    if scene.ray_up.w > 0.5 {
        return vec4f(0.0, 0.0, 0.0, 1.0 - ground.x);
    }
    let rise = smoothstep(-1.0, 1.0, in.ndc.y);
    var color = mix(scene.background_bottom.rgb, scene.background_top.rgb, rise);
    color *= 1.0 - 0.07 * dot(in.ndc * 0.7, in.ndc * 0.7);
    // A pool of light where the subject stands; shadows are a little cool, as the sky fills them.
    color *= 1.0 + 0.10 * ground.y;
    color *= mix(vec3f(0.03, 0.035, 0.045), vec3f(1.0), ground.x);
    return stored(dithered(color, in.position.xy), 1.0);
}
