// The light map of the ground: red, how much of the key light arrives; green, how much of the sky.
// Needs draw_scene.wgsl and draw_light.wgsl.

@group(3) @binding(0) var raw_light: texture_2d<f32>;

@vertex
fn fullscreen_vertex(@builtin(vertex_index) index: u32) -> Fullscreen {
    return fullscreen_corner(index);
}

fn ground_point(ndc: vec2f) -> vec3f {
    let uv = ndc * vec2f(0.5, -0.5) + 0.5;
    let xz = scene.ground_region.xy + uv * scene.ground_region.zw;
    return vec3f(xz.x, scene.eye.w, xz.y);
}

@fragment
fn ground_light_fragment(in: Fullscreen) -> @location(0) vec4f {
    let point = ground_point(in.ndc);
    let turn = pixel_noise(floor(in.position.xy)) * 6.2831853;
    let start = vec2f(cos(turn), sin(turn));
    let key = key_on_ground(point, start);
    let sky = sky_visibility(point, vec3f(0.0, 1.0, 0.0), 24u, start);
    return vec4f(key, sky, 0.0, 1.0);
}

// Takes out the noise of the turned discs.
@fragment
fn ground_smooth_fragment(in: Fullscreen) -> @location(0) vec4f {
    let size = vec2i(textureDimensions(raw_light));
    let middle = vec2i(in.position.xy);
    var light = vec2f(0.0);
    var weights = 0.0;
    for (var y = -2; y <= 2; y++) {
        for (var x = -2; x <= 2; x++) {
            let weight = exp(-f32(x * x + y * y) / 3.5);
            let texel = clamp(middle + vec2i(x, y), vec2i(0), size - 1);
            light += weight * textureLoad(raw_light, texel, 0).rg;
            weights += weight;
        }
    }
    return vec4f(light / weights, 0.0, 1.0);
}
