// What the entry point `vertex` gives to fragments.

// Columns of the matrix from the scene to clip space.
struct JnView {
    clip_from_scene_x: vec4f,
    clip_from_scene_y: vec4f,
    clip_from_scene_z: vec4f,
    clip_from_scene_w: vec4f,
}

@group(1) @binding(0) var<uniform> jn_view: JnView;

struct JnVertex {
    @builtin(position) clip_position: vec4f,
    @location(0) scene_position: vec3f,
    // Of plain skinning: normals of the deformed surface need its neighbours.
    @location(1) scene_normal: vec3f,
}

fn jn_clip_position(p: vec3f) -> vec4f {
    return jn_view.clip_from_scene_x * p.x + jn_view.clip_from_scene_y * p.y
        + jn_view.clip_from_scene_z * p.z + jn_view.clip_from_scene_w;
}
