// Linear blend skinning: p = Σ a_i M_i r. A joint is three rows of its matrix from bind space to
// the scene, with the translation in w.

struct JnBlend {
    row_x: vec4f,
    row_y: vec4f,
    row_z: vec4f,
}

fn jn_blend() -> JnBlend {
    var blend = JnBlend(vec4f(0.0), vec4f(0.0), vec4f(0.0));
    for (var i = 0u; i < jn_group.joint_count; i += 1u) {
        let weight = jn_skin_weight(i);
        let at = 3u * (jn_instance * jn_counts.joints + jn_lists[jn_group.first_joint + i]);
        blend.row_x += weight * jn_joints[at];
        blend.row_y += weight * jn_joints[at + 1u];
        blend.row_z += weight * jn_joints[at + 2u];
    }
    return blend;
}

fn jn_skinned_position() -> vec3f {
    let blend = jn_blend();
    let r = vec4f(jn_bind_position(), 1.0);
    return vec3f(dot(blend.row_x, r), dot(blend.row_y, r), dot(blend.row_z, r));
}

// A normal is carried by the cofactors, det(M) M⁻ᵀ: their rows are products of the other rows.
fn jn_skinned_normal() -> vec3f {
    let blend = jn_blend();
    return jn_turned_normal(blend.row_x.xyz, blend.row_y.xyz, blend.row_z.xyz, jn_bind_normal());
}
