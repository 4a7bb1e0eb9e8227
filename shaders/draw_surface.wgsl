// The shaded surface of a model. Needs draw_scene.wgsl, draw_model.wgsl and draw_light.wgsl.

struct Corner {
    @builtin(position) @invariant position: vec4f,
    @location(0) point: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec3f,
}

@vertex
fn surface_vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
) -> Corner {
    var out: Corner;
    out.point = unit_position(position);
    out.position = scene.clip_from_unit * vec4f(out.point, 1.0);
    out.normal = (instance.unit_from_model_normal * vec4f(normal, 0.0)).xyz;
    out.color = mix(color.rgb, instance.tint.rgb, instance.tint.a);
    return out;
}

// The smooth normal on the viewer's side. The side is taken from the flat triangle: near the outline
// the smooth normal of a coarse mesh may already point away from the viewer, although its front is seen.
fn facing_normal(smooth_normal: vec3f, flat_normal: vec3f, to_eye: vec3f) -> vec3f {
    let outside = flat_normal * select(1.0, -1.0, dot(flat_normal, to_eye) < 0.0);
    let length_squared = dot(smooth_normal, smooth_normal);
    // Written so that a normal that is not a number also falls back to the flat one.
    if !(length_squared > 1e-12 && length_squared < 1e30) { return outside; }
    let n = smooth_normal * inverseSqrt(length_squared);
    // Normals that smooth over a sharp edge lean away from their triangle by more than a right angle;
    // only clearly opposite ones belong to the other side.
    return n * select(1.0, -1.0, dot(n, outside) < -0.35);
}

// What of the studio's light arrives at a point.
struct StudioLight {
    key: vec3f,
    fill: vec3f,
    ambient: vec3f,
    // How open the sky is.
    sky: f32,
    // How much of the key light is not hidden.
    shadow: f32,
    key_facing: f32,
}

fn studio_light(point: vec3f, normal: vec3f) -> StudioLight {
    let key_facing = dot(normal, scene.key_dir.xyz);
    let sky = sky_visibility(point, normal, 14u, vec2f(1.0, 0.0));
    var shadow = 1.0;
    if key_facing > 0.0 { shadow = key_on_surface(point, normal); }
    // Where light only grazes, the flat triangles of a coarse mesh would show as shadow: let go there.
    shadow = mix(1.0, shadow, smoothstep(0.0, 0.35, key_facing));

    let key = pow(clamp((key_facing + 0.22) / 1.22, 0.0, 1.0), 1.25) * shadow;
    let fill = clamp(dot(normal, scene.fill_dir.xyz) * 0.5 + 0.5, 0.0, 1.0);
    let up = normal.y * 0.5 + 0.5;
    // Light that comes back from the floor fades where the body itself keeps the floor dark.
    let floor_open = mix(0.45, 1.0, smoothstep(0.0, 0.5, point.y - scene.eye.w));
    var light: StudioLight;
    light.key = vec3f(0.80, 0.775, 0.735) * key;
    light.fill = vec3f(0.085, 0.092, 0.105) * fill * fill * sky;
    light.ambient = mix(vec3f(0.165, 0.157, 0.152) * floor_open, vec3f(0.245, 0.258, 0.28) * sky, up);
    light.sky = sky;
    light.shadow = shadow;
    light.key_facing = key_facing;
    return light;
}

fn lit_color(albedo: vec3f, point: vec3f, normal: vec3f, to_eye: vec3f) -> vec3f {
    let key_dir = scene.key_dir.xyz;
    let light = studio_light(point, normal);
    let edge = 1.0 - clamp(dot(normal, to_eye), 0.0, 1.0);
    let rim = pow(edge, 3.0) * clamp(dot(normal, scene.rim_dir.xyz) + 0.25, 0.0, 1.0);
    let half_way = normalize(key_dir + to_eye);
    let gloss =
        pow(clamp(dot(normal, half_way), 0.0, 1.0), 38.0) * clamp(light.key_facing * 4.0, 0.0, 1.0);
    return albedo * (light.key + light.fill + light.ambient)
        + vec3f(0.26, 0.27, 0.29) * rim * light.sky * (0.25 + 0.75 * albedo)
        + vec3f(0.055) * gloss * light.shadow;
}

// How much darker a ghost is along its outline than on its face.
const EDGE_DARKNESS: f32 = 0.8;

// A ghost is dark and up to twice as dense where its surface turns away from the viewer: its outline is
// seen even before what has the same colour.
fn ghost_edge(normal: vec3f, to_eye: vec3f) -> f32 {
    return smoothstep(0.45, 0.9, 1.0 - clamp(dot(normal, to_eye), 0.0, 1.0));
}

@fragment
fn surface_fragment(in: Corner) -> @location(0) vec4f {
    let flat_normal = cross(dpdx(in.point), dpdy(in.point));
    let opacity = instance.options.x;
    if scene.ray_forward.w > 0.5 { return vec4f(0.0, 0.0, 0.0, opacity); }
    let to_eye = normalize(scene.eye.xyz - in.point);
    let flat_length = max(length(flat_normal), 1e-20);
    let normal = facing_normal(in.normal, flat_normal / flat_length, to_eye);
    let albedo = clamp(in.color, vec3f(0.0), vec3f(1.0));
    let lit = soften_highlights(lit_color(albedo, in.point, normal, to_eye));
    let color = mix(lit, albedo, instance.options.z);
    if opacity >= 1.0 { return stored(color, opacity); }
    let edge = ghost_edge(normal, to_eye);
    return stored(color * (1.0 - EDGE_DARKNESS * edge), opacity + min(opacity, 1.0 - opacity) * edge);
}

// For passes that only write depth; their colour is masked out.
@fragment
fn depth_fragment() -> @location(0) vec4f {
    return vec4f(0.0);
}
