// test: a deformer on top of linear blend skinning, written by Jounce 0.1.0.
//
// The graph smooths over the surface, so all vertices are walked over several times. In the
// order in which they run, these functions are the graph, node by node, for one vertex:
//     jn_deform_vertex
//     relax, 4 times
//     jn_deform_vertex_after_relax
// They touch no resource; what they read comes through the jn_ functions above them, which can
// be replaced to suit an engine. jn_compute_bone is what happens once per bone. Positions and
// velocities are those of the scene; velocities of a bone are relative to its parent. Times are
// in seconds.
//
// How to fill the buffers: docs/shaders.md of Jounce, and the manifest.json of this export.

// The same for all vertices of an instance.
struct JnFrame {
    floppiness_times_move: f32, // floppiness * move_value; Floppy
    floppiness_times_turn: f32, // floppiness * turn; Floppy
    size: f32,                  // The reference length
    limit: f32,                 // max_angle * 0.017453292; Floppy
    minus_limit: f32,           // -limit; Floppy
    amount: f32,                // Relax
    jn_padding_a: f32,
    jn_padding_b: f32,
}

// The same for all vertices that a bone moves.
struct JnBone {
    origin: vec3f,                     // Where the bone's joint is
    jn_padding_a: f32,
    angular_velocity: vec3f,           // Relative to the parent, in radians per second
    jn_padding_b: f32,
    angular_velocity_direction: vec3f, // Direction of angular velocity; Floppy
    jn_padding_c: f32,
    scaled_linear_velocity: vec3f,     // Floppy
    jn_padding_d: f32,
}

const JN_WEIGHT_COLUMNS = 1u;

// … what it uses of shaders/ …

fn jn_weight_upward(k: u32) -> f32 {
    return jn_weight(k, 0u);
}

// What is smoothed first.
fn jn_deform_vertex() {
    let frame = jn_frame();
    let skinned_position = jn_skinned_position();

    var displacement = vec3f(0.0);
    for (var k = 0u; k < jn_pair_count(); k += 1u) {
        let bone = jn_bone(k);

        // Floppy: Lets the skin trail behind the bone that carries it (Rohmer 2021, section 4.2,
        // eq. 16 and 17: −k v, and a turn about ω by −k |ω × (p − p_j)| / ℓ).
        // θ = k |ω × (p − p_j)| / ℓ, limited on both sides.
        let arm = skinned_position - bone.origin;
        let sweep = cross(bone.angular_velocity, arm);
        let angle_ratio = jn_divide(frame.floppiness_times_turn * length(sweep), frame.size);
        let angle = jn_clamp(angle_ratio, frame.minus_limit, frame.limit);
        let radius_factor = dot(arm, bone.angular_velocity_direction);
        // Turning the part across ω by −θ: its end moves by r (cos θ − 1) − ω × r sin θ, and cos
        // θ − 1 = −2 sin² θ/2 keeps small angles exact.
        let radius = arm - bone.angular_velocity_direction * radius_factor;
        let half_angle_sine = sin(angle * 0.5);
        let scaled_radius = radius * (half_angle_sine * (half_angle_sine * -2.0));
        let bend = scaled_radius - jn_normalize(sweep) * (length(radius) * sin(angle));
        displacement += jn_weight_upward(k) * (bend - bone.scaled_linear_velocity);
    }

    jn_keep_vector(0u, displacement);
    jn_keep_vector(6u, skinned_position);
}

// Where the graph puts the vertex.
fn jn_deform_vertex_after_relax() -> vec3f {
    let skinned_position = jn_kept_vector(6u);
    let displacement = jn_kept_vector(3u);

    // Output (out): Where the result leaves the graph: the position of every vertex (Rohmer
    // 2021, eq. 4: p + Σ of the displacements).
    let position = skinned_position + displacement;
    return jn_sane_or_vector(position, skinned_position);
}

// Data of a bone that the graph reads.
struct JnBoneInput {
    linear_velocity: vec3f,  // Velocity of the joint, relative to the parent
    jn_padding_a: f32,
    angular_velocity: vec3f, // Relative to the parent, in radians per second
    jn_padding_b: f32,
    origin: vec3f,           // Where the bone's joint is
    jn_padding_c: f32,
}

// Values that are the same for all vertices that this bone moves.
fn jn_compute_bone(frame: JnFrame, given: JnBoneInput) -> JnBone {
    var bone: JnBone;
    bone.origin = given.origin;

    // Floppy
    bone.angular_velocity = given.angular_velocity;
    bone.angular_velocity_direction = jn_normalize(bone.angular_velocity);
    bone.scaled_linear_velocity = given.linear_velocity * frame.floppiness_times_move;

    return bone;
}

@group(1) @binding(1) var<storage, read> jn_bone_inputs: array<JnBoneInput>;
@group(1) @binding(2) var<storage, read_write> jn_computed_bones: array<JnBone>;

@compute @workgroup_size(32)
fn bones(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    jn_instance = jn_counts.first_instance + group.y;
    let bone = 32u * group.x + lane;
    if (bone < jn_counts.bones) {
        let row = jn_instance * jn_counts.bones + bone;
        jn_computed_bones[row] = jn_compute_bone(jn_frame(), jn_bone_inputs[row]);
    }
}

@compute @workgroup_size(32)
fn deform(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    jn_enter(group.x, lane, group.y);
    jn_deform_vertex();
}

// Relax: Smooths a displacement over the surface, so that neighbours move alike (x ← x +
// a (mean of x over the neighbours − x), a few times).
@compute @workgroup_size(32)
fn relax(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    jn_enter(group.x, lane, group.y);
    let frame = jn_frame();
    jn_relax_step(jn_clamp(frame.amount, 0.0, 1.0), 3u);
}

@compute @workgroup_size(32)
fn deform_after_relax(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    jn_enter(group.x, lane, group.y);
    jn_write_position(jn_deform_vertex_after_relax());
    if (jn_counts.writes_skinned == 1u) {
        jn_write(1u, jn_skinned_position());
        jn_write(2u, jn_skinned_normal());
    }
}
