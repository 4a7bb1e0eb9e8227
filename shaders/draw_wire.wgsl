// Triangle edges as thin lines over the surface. Corners are fetched by number, so that each knows
// its place in the triangle; polygon line mode is not available everywhere.
// Needs draw_scene.wgsl and draw_model.wgsl.

@group(3) @binding(0) var<storage, read> positions: array<f32>;
@group(3) @binding(1) var<storage, read> corners: array<u32>;

struct WireCorner {
    @builtin(position) position: vec4f,
    // Barycentric: each component is 0 on one edge.
    @location(0) from_edges: vec3f,
}

@vertex
fn wire_vertex(@builtin(vertex_index) index: u32) -> WireCorner {
    let first = corners[index] * 3u;
    let position = vec3f(positions[first], positions[first + 1u], positions[first + 2u]);
    return wire_corner(unit_position(position), index % 3u);
}

// `point` is in unit space; `corner` is its place in the triangle.
fn wire_corner(point: vec3f, corner: u32) -> WireCorner {
    var out: WireCorner;
    out.position = scene.clip_from_unit * vec4f(point, 1.0);
    // Depth grows towards the eye: lift the lines off the surface they lie in.
    out.position.z *= 1.0004;
    out.from_edges = vec3f(f32(corner == 0u), f32(corner == 1u), f32(corner == 2u));
    return out;
}

@fragment
fn wire_fragment(in: WireCorner) -> @location(0) vec4f {
    let per_pixel = max(fwidth(in.from_edges), vec3f(1e-9));
    let pixels = in.from_edges / per_pixel;
    let nearest = min(pixels.x, min(pixels.y, pixels.z));
    // Two triangles share an edge: each draws half of the line.
    let half_width = scene.viewport.z * 0.5;
    let line = 1.0 - smoothstep(half_width - 0.5, half_width + 0.6, nearest);
    // Triangles of a few pixels would turn into a solid coat: fade the lines out as they crowd.
    let smallest_height = 1.0 / max(per_pixel.x, max(per_pixel.y, per_pixel.z));
    let room = clamp((smallest_height - 1.0) / 7.0, 0.12, 1.0);
    let opacity = line * room * instance.options.y;
    // Darker than light skin and lighter than dark skin: seen on both.
    return stored(vec3f(0.05, 0.12, 0.26), opacity);
}
