// Many of one mesh in one draw call: vertices are fetched by number from where they were computed,
// one member behind the other. Needs all other files that draw models: draw_scene.wgsl, draw_model.wgsl,
// draw_light.wgsl, draw_shadow.wgsl, draw_surface.wgsl, draw_texture.wgsl, draw_material.wgsl and draw_wire.wgsl,
// whose `positions` and `corners` are those of the herd here.

@group(3) @binding(2) var<storage, read> normals: array<f32>;
// Per member where it stands: from its own space to the scene. Turned and scaled evenly, no more, so
// that it carries normals too. What all share, and the way from the scene to unit space, is `instance`.
@group(3) @binding(3) var<storage, read> scene_from_member: array<mat4x4f>;

fn herd_place(vertex: u32, member: u32) -> u32 {
    return 3u * (member * u32(instance.options.w) + vertex);
}

fn herd_point(vertex: u32, member: u32) -> vec3f {
    let at = herd_place(vertex, member);
    let position = vec4f(positions[at], positions[at + 1u], positions[at + 2u], 1.0);
    return unit_position((scene_from_member[member] * position).xyz);
}

@vertex
fn herd_key_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) member: u32,
) -> @builtin(position) vec4f {
    return map_position(scene.key_from_unit * vec4f(herd_point(vertex, member), 1.0));
}

@vertex
fn herd_sky_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) member: u32,
) -> @builtin(position) vec4f {
    return map_position(scene.sky_from_unit * vec4f(herd_point(vertex, member), 1.0));
}

@vertex
fn herd_surface_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) member: u32,
    @location(2) color: vec4f,
) -> Corner {
    let at = herd_place(vertex, member);
    let normal = vec4f(normals[at], normals[at + 1u], normals[at + 2u], 0.0);
    var out: Corner;
    out.point = herd_point(vertex, member);
    out.position = scene.clip_from_unit * vec4f(out.point, 1.0);
    out.normal = (instance.unit_from_model_normal * (scene_from_member[member] * normal)).xyz;
    out.color = mix(color.rgb, instance.tint.rgb, instance.tint.a);
    return out;
}

@vertex
fn herd_material_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) member: u32,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
) -> MaterialCorner {
    let at = herd_place(vertex, member);
    let normal = vec4f(normals[at], normals[at + 1u], normals[at + 2u], 0.0);
    var out: MaterialCorner;
    out.point = herd_point(vertex, member);
    out.position = scene.clip_from_unit * vec4f(out.point, 1.0);
    out.normal = (instance.unit_from_model_normal * (scene_from_member[member] * normal)).xyz;
    out.color = color;
    out.uvs = uvs;
    return out;
}

@vertex
fn herd_key_material_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) member: u32,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
) -> ShadowCorner {
    let point = vec4f(herd_point(vertex, member), 1.0);
    return ShadowCorner(map_position(scene.key_from_unit * point), color, uvs);
}

@vertex
fn herd_sky_material_vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) member: u32,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
) -> ShadowCorner {
    let point = vec4f(herd_point(vertex, member), 1.0);
    return ShadowCorner(map_position(scene.sky_from_unit * point), color, uvs);
}

@vertex
fn herd_wire_vertex(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) member: u32,
) -> WireCorner {
    return wire_corner(herd_point(corners[index], member), index % 3u);
}
