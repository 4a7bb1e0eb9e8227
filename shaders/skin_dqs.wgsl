// Dual quaternion skinning (Kavan 2007). A joint is the real and the dual part, then the columns of
// the stretch that comes before the turn: M x = R P x + t.

struct JnBlend {
    real: vec4f,
    dual: vec4f,
    stretch_x: vec3f,
    stretch_y: vec3f,
    stretch_z: vec3f,
    // Does anything move the vertex?
    hangs: bool,
}

fn jn_joint_at(i: u32) -> u32 {
    return 5u * (jn_instance * jn_counts.joints + jn_lists[jn_group.first_joint + i]);
}

// q and −q are one rotation: all are brought to the side of the strongest before they are added.
fn jn_blend() -> JnBlend {
    var pivot = vec4f(0.0, 0.0, 0.0, 1.0);
    var strongest = 0.0;
    for (var i = 0u; i < jn_group.joint_count; i += 1u) {
        let weight = jn_skin_weight(i);
        // Of equally strong joints the last counts.
        if (weight >= strongest && weight > 0.0) {
            strongest = weight;
            pivot = jn_joints[jn_joint_at(i)];
        }
    }
    var blend = JnBlend(vec4f(0.0), vec4f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), strongest > 0.0);
    for (var i = 0u; i < jn_group.joint_count; i += 1u) {
        let weight = jn_skin_weight(i);
        let at = jn_joint_at(i);
        let real = jn_joints[at];
        let signed_weight = select(weight, -weight, dot(real, pivot) < 0.0);
        blend.real += signed_weight * real;
        blend.dual += signed_weight * jn_joints[at + 1u];
        blend.stretch_x += weight * jn_joints[at + 2u].xyz;
        blend.stretch_y += weight * jn_joints[at + 3u].xyz;
        blend.stretch_z += weight * jn_joints[at + 4u].xyz;
    }
    return blend;
}

fn jn_stretched(blend: JnBlend, v: vec3f) -> vec3f {
    return blend.stretch_x * v.x + blend.stretch_y * v.y + blend.stretch_z * v.z;
}

fn jn_turned(real: vec4f, v: vec3f) -> vec3f {
    return v + 2.0 * cross(real.xyz, cross(real.xyz, v) + real.w * v);
}

fn jn_skinned_position() -> vec3f {
    let blend = jn_blend();
    let square = dot(blend.real, blend.real);
    if (!(square > 1e-20)) {
        // Its joints turn against each other: the rest pose has an answer.
        return select(jn_bind_position(), jn_rest_position(), blend.hangs);
    }
    let real = blend.real * inverseSqrt(square);
    let dual = blend.dual * inverseSqrt(square);
    // The translation of a unit dual quaternion is the vector part of 2 q_dual q_real*.
    let t = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
    return jn_turned(real, jn_stretched(blend, jn_bind_position())) + t;
}

fn jn_skinned_normal() -> vec3f {
    let blend = jn_blend();
    let square = dot(blend.real, blend.real);
    if (!(square > 1e-20)) {
        return select(jn_bind_normal(), jn_rest_normal(), blend.hangs);
    }
    let real = blend.real * inverseSqrt(square);
    let column_x = jn_turned(real, blend.stretch_x);
    let column_y = jn_turned(real, blend.stretch_y);
    let column_z = jn_turned(real, blend.stretch_z);
    let row_x = vec3f(column_x.x, column_y.x, column_z.x);
    let row_y = vec3f(column_x.y, column_y.y, column_z.y);
    let row_z = vec3f(column_x.z, column_y.z, column_z.z);
    return jn_turned_normal(row_x, row_y, row_z, jn_bind_normal());
}
