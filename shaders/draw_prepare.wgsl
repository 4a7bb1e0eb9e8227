// Two small textures made once per picture: the height map of the sky's light, and the light map of
// the ground. Needs draw_scene.wgsl.

@group(3) @binding(0) var sky_map: texture_depth_2d;

@vertex
fn fullscreen_vertex(@builtin(vertex_index) index: u32) -> Fullscreen {
    return fullscreen_corner(index);
}

// Depth from above → blurred height. The blur keeps the few taps of sky_visibility from showing.
@fragment
fn sky_height_fragment(in: Fullscreen) -> @location(0) vec4f {
    let size = vec2i(textureDimensions(sky_map));
    let uv = in.ndc * vec2f(0.5, -0.5) + 0.5;
    let middle = vec2i(uv * vec2f(size));
    var depth = 0.0;
    var weights = 0.0;
    for (var y = -4; y <= 4; y++) {
        for (var x = -4; x <= 4; x++) {
            let weight = exp(-f32(x * x + y * y) / 9.0);
            let texel = clamp(middle + vec2i(x, y), vec2i(0), size - 1);
            depth += weight * textureLoad(sky_map, texel, 0);
            weights += weight;
        }
    }
    // sky_from_unit maps height y to depth = a y + b.
    let a = scene.sky_from_unit[1].z;
    let b = scene.sky_from_unit[3].z;
    return vec4f((depth / weights - b) / a, 0.0, 0.0, 1.0);
}
