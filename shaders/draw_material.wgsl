// The surface of a model that has materials, lit by the studio and mirroring it. Needs draw_scene.wgsl,
// draw_model.wgsl, draw_light.wgsl, draw_shadow.wgsl, draw_surface.wgsl and draw_texture.wgsl.

struct MaterialCorner {
    @builtin(position) @invariant position: vec4f,
    @location(0) point: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
}

@vertex
fn material_vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
) -> MaterialCorner {
    var out: MaterialCorner;
    out.point = unit_position(position);
    out.position = scene.clip_from_unit * vec4f(out.point, 1.0);
    out.normal = (instance.unit_from_model_normal * vec4f(normal, 0.0)).xyz;
    out.color = color;
    out.uvs = uvs;
    return out;
}

struct ShadowCorner {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
    @location(1) uvs: vec4f,
}

@vertex
fn key_material_vertex(
    @location(0) position: vec3f,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
) -> ShadowCorner {
    return ShadowCorner(map_position(scene.key_from_unit * vec4f(unit_position(position), 1.0)), color, uvs);
}

@vertex
fn sky_material_vertex(
    @location(0) position: vec3f,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
) -> ShadowCorner {
    return ShadowCorner(map_position(scene.sky_from_unit * vec4f(unit_position(position), 1.0)), color, uvs);
}

// Light falls through holes.
@fragment
fn material_shadow_fragment(in: ShadowCorner) {
    if base_color(in.color, in.uvs).a < material.alpha.y { discard; }
}

// For passes that only write depth; their colour is masked out.
@fragment
fn material_depth_fragment(in: MaterialCorner) -> @location(0) vec4f {
    if base_color(in.color, in.uvs).a < material.alpha.x { discard; }
    return vec4f(0.0);
}

// The texture's normal, in the space that the texture's rows and columns have on the triangle: a deformed
// surface needs no tangents of its own (Schüler 2013). Red points along the rows, green against the columns,
// blue out of the surface.
fn mapped_normal(in: MaterialCorner, smooth_normal: vec3f) -> vec3f {
    let place = image_place(NORMAL, in.uvs);
    let texel = textureSample(normal_texture, normal_sampler, place).xyz * 2.0 - 1.0;
    let p = dpdx(in.point);
    let q = dpdy(in.point);
    let a = dpdx(place);
    let b = dpdy(place);
    let turn = sign(a.x * b.y - a.y * b.x);
    let rows = (p * b.y - q * a.y) * turn;
    let columns = (q * a.x - p * b.x) * turn;
    let along = rows - smooth_normal * dot(smooth_normal, rows);
    let length_squared = dot(along, along);
    let across = along * inverseSqrt(max(length_squared, 1e-30));
    var up = cross(smooth_normal, across);
    up *= select(1.0, -1.0, dot(up, columns) > 0.0);
    let scale = material.factors.z;
    let mapped = across * (texel.x * scale) + up * (texel.y * scale) + smooth_normal * texel.z;
    let mapped_squared = dot(mapped, mapped);
    let has_direction = length_squared > 0.0 && dot(columns, columns) > 0.0 && mapped_squared > 0.0;
    return select(smooth_normal, mapped * inverseSqrt(mapped_squared), has_direction);
}

// What of the key light a mirror shows.
const KEY_IMAGE = vec3f(5.2, 5.05, 4.8);

// How much of what is around is mirrored (Lazarov 2013, as Karis fitted it).
fn reflectance(at_front: vec3f, roughness: f32, facing: f32) -> vec3f {
    let r = vec4f(-1.0, -0.0275, -0.572, 0.022) * roughness + vec4f(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * facing)) * r.x + r.y;
    return at_front * (-1.04 * a + r.z) + (1.04 * a + r.w);
}

// Light that comes from a hollow is mirrored less, too (Lagarde 2014).
fn specular_occlusion(open: f32, roughness: f32, facing: f32) -> f32 {
    return clamp(pow(facing + open, exp2(-16.0 * roughness - 1.0)) - 1.0 + open, 0.0, 1.0);
}

// The studio stands around the viewer: its directions are counted from the fill light.
fn image_of_studio(from_dir: vec3f, roughness: f32) -> vec4f {
    let fill = normalize(scene.fill_dir.xz);
    let x = from_dir.x * fill.y - from_dir.z * fill.x;
    let z = from_dir.x * fill.x + from_dir.z * fill.y;
    let around = atan2(x, z) / 6.2831853 + 0.5;
    let down = acos(clamp(from_dir.y, -1.0, 1.0)) / 3.14159265;
    let levels = f32(textureDimensions(studio_image).z);
    let level = (roughness * (levels - 1.0) + 0.5) / levels;
    return textureSampleLevel(studio_image, studio_sampler, vec3f(around, down, level), 0.0);
}

fn material_light(
    light: StudioLight,
    albedo: vec3f,
    metallic: f32,
    roughness: f32,
    occlusion: f32,
    normal: vec3f,
    to_eye: vec3f,
) -> vec3f {
    let facing = clamp(dot(normal, to_eye), 0.0, 1.0);
    let reflected = reflectance(mix(vec3f(0.04), albedo, metallic), roughness, facing);
    let away = normal * (2.0 * dot(normal, to_eye)) - to_eye;
    let image = image_of_studio(away, roughness);
    let open = specular_occlusion(light.sky * occlusion, roughness, facing);
    let key = light.shadow * clamp(light.key_facing * 4.0, 0.0, 1.0);
    let mirrored = image.rgb * open + KEY_IMAGE * (image.a * key);
    let diffuse = light.key + (light.fill + light.ambient) * occlusion;
    return albedo * (1.0 - reflected) * (1.0 - metallic) * diffuse + reflected * mirrored;
}

fn material_color(in: MaterialCorner, base: vec4f) -> vec3f {
    let flat_normal = cross(dpdx(in.point), dpdy(in.point));
    let tinted = mix(base.rgb, instance.tint.rgb, instance.tint.a);
    let albedo = clamp(tinted, vec3f(0.0), vec3f(1.0));
    if material.emissive.w > 0.5 { return albedo; }
    let to_eye = normalize(scene.eye.xyz - in.point);
    let flat_length = max(length(flat_normal), 1e-20);
    var normal = facing_normal(in.normal, flat_normal / flat_length, to_eye);
    if has_texture(NORMAL) { normal = mapped_normal(in, normal); }
    var finish = vec2f(1.0);
    if has_texture(FINISH) {
        finish = textureSample(finish_texture, finish_sampler, image_place(FINISH, in.uvs)).gb;
    }
    var hollow = 1.0;
    if has_texture(OCCLUSION) {
        hollow = textureSample(occlusion_texture, occlusion_sampler, image_place(OCCLUSION, in.uvs)).r;
    }
    var glow = material.emissive.rgb;
    if has_texture(EMISSIVE) {
        glow *= textureSample(emissive_texture, emissive_sampler, image_place(EMISSIVE, in.uvs)).rgb;
    }
    let metallic = material.factors.x * finish.y;
    let roughness = clamp(material.factors.y * finish.x, 0.0, 1.0);
    let occlusion = 1.0 + material.factors.w * (hollow - 1.0);
    let light = studio_light(in.point, normal);
    let lit = material_light(light, albedo, metallic, roughness, occlusion, normal, to_eye);
    return soften_highlights(lit + glow);
}

@fragment
fn material_fragment(in: MaterialCorner) -> @location(0) vec4f {
    let base = base_color(in.color, in.uvs);
    let color = material_color(in, base);
    if base.a < material.alpha.x { discard; }
    if scene.ray_forward.w > 0.5 { return vec4f(0.0, 0.0, 0.0, 1.0); }
    return stored(color, 1.0);
}

// What is blended, where it is not solid.
@fragment
fn blended_fragment(in: MaterialCorner) -> @location(0) vec4f {
    let base = base_color(in.color, in.uvs);
    let color = material_color(in, base);
    if base.a >= material.alpha.x || base.a <= 1.0 / 255.0 { discard; }
    if scene.ray_forward.w > 0.5 { return vec4f(0.0, 0.0, 0.0, base.a); }
    return stored(color, base.a);
}
