// Depth of the models as the key light sees them, and as seen from straight above.

fn map_position(map_coordinate: vec4f) -> vec4f {
    return vec4f(map_coordinate.x * 2.0 - 1.0, 1.0 - map_coordinate.y * 2.0, map_coordinate.z, 1.0);
}

@vertex
fn key_vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return map_position(scene.key_from_unit * vec4f(unit_position(position), 1.0));
}

@vertex
fn sky_vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return map_position(scene.sky_from_unit * vec4f(unit_position(position), 1.0));
}
