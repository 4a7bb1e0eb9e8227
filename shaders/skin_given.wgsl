// Vertices that were skinned before: they stand where bind positions would.

fn jn_skinned_position() -> vec3f {
    return jn_bind_position();
}

fn jn_skinned_normal() -> vec3f {
    return jn_bind_normal();
}
