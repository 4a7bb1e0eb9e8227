// A model's place in the picture. Goes between draw_scene.wgsl and the shaders that draw models.

struct Instance {
    unit_from_model: mat4x4f,
    // Inverse transpose of the above; normalised after use.
    unit_from_model_normal: mat4x4f,
    // A linear colour, and how much of it replaces the model's own.
    tint: vec4f,
    // .x opacity, .y opacity of the wireframe, .z how much of the colour is not lit, .w vertices of a
    // member of a herd
    options: vec4f,
}

@group(1) @binding(0) var<uniform> instance: Instance;

fn unit_position(model_position: vec3f) -> vec3f {
    return (instance.unit_from_model * vec4f(model_position, 1.0)).xyz;
}
