// Bones and joints, drawn over everything. Their geometry is made in unit space.
// Needs draw_scene.wgsl.

struct BoneCorner {
    @builtin(position) @invariant position: vec4f,
    @location(0) normal: vec3f,
    @location(1) color: vec3f,
}

@vertex
fn bone_vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
) -> BoneCorner {
    return BoneCorner(scene.clip_from_unit * vec4f(position, 1.0), normal, color.rgb);
}

@fragment
fn bone_fragment(in: BoneCorner) -> @location(0) vec4f {
    let facing = dot(normalize(in.normal), normalize(scene.key_dir.xyz * 0.7 - scene.ray_forward.xyz));
    let shade = 0.42 + 0.58 * clamp(facing * 0.6 + 0.4, 0.0, 1.0);
    return stored(in.color * shade, scene.viewport.w);
}

// For the pass that only writes depth; its colour is masked out.
@fragment
fn depth_fragment() -> @location(0) vec4f {
    return vec4f(0.0);
}
