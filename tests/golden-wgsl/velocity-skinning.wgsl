// velocity-skinning: a deformer on top of linear blend skinning, written by Jounce 0.1.0.
//
// Read jn_deform_vertex first: it is the graph, node by node, for one vertex. It touches no
// resource; what it reads comes through the jn_ functions above it, which can be replaced to
// suit an engine. jn_compute_bone is what happens once per bone. Positions and velocities are
// those of the scene; velocities of a bone are relative to its parent. Times are in seconds.

// The same for all vertices of an instance.
struct JnFrame {
    centroid_offset: vec3f, // Squash (stretch)
    root_motion: f32,       // Velocity Extract (velocity)
    given: vec3f,           // Squash (stretch)
    smoothing: f32,         // Velocity Extract (velocity)
    squash_times_move: f32, // Squash (stretch)
    impact: f32,            // Squash (stretch)
    size: f32,              // The reference length
    s_limit: f32,           // Squash (stretch)
    m_condition: u32,       // Squash (stretch)
    floppy_times_move: f32, // Floppy (trail)
    squash_times_turn: f32, // Squash (stretch)
    around_centroid: f32,   // Squash (stretch)
    floppy_times_turn: f32, // Floppy (trail)
    limit: f32,             // Floppy (trail)
    minus_limit: f32,       // Floppy (trail)
    padding_a: f32,
}

// The same for all vertices that feel a bone.
struct JnBone {
    origin: vec3f,                     // Where the bone's joint is
    travelling_factor: f32,            // Squash (stretch)
    angular_velocity: vec3f,           // Radians per second, mean over smoothing
    travelling_term: f32,              // Squash (stretch)
    center_value: vec3f,               // Squash (stretch)
    by_travel_condition: u32,          // Squash (stretch)
    along: vec3f,                      // Squash (stretch)
    fade: f32,                         // Squash (stretch)
    e: vec3f,                          // Squash (stretch)
    padding_a: f32,
    q: vec3f,                          // Squash (stretch)
    padding_b: f32,
    angular_velocity_direction: vec3f, // Squash (stretch)
    padding_c: f32,
    scaled_linear: vec3f,              // Floppy (trail)
    padding_d: f32,
}

const JN_WEIGHT_COLUMNS = 1u;

// … what it uses of shaders/ …

fn jn_weight_upward(k: u32) -> f32 {
    return jn_weight(k, 0u);
}

// Where the graph puts the vertex.
fn jn_deform_vertex() -> vec3f {
    let frame = jn_frame();
    let skinned_position = jn_skinned_position();

    var displacement = vec3f(0.0);
    var displacement_of_floppy = vec3f(0.0);
    for (var k = 0u; k < jn_pair_count(); k += 1u) {
        let bone = jn_bone(k);
        let upward_weight = jn_weight_upward(k);

        // Squash (stretch)
        let arm = skinned_position - bone.origin;
        let angular_velocity_cross_arm = cross(bone.angular_velocity, arm);
        let reach = skinned_position - bone.center_value;
        let travelling_factor = dot(bone.along, reach) * bone.travelling_factor;
        let travelling = bone.along * travelling_factor + reach * bone.travelling_term;
        let by_travel = select(vec3f(0.0), travelling, bone.by_travel_condition != 0u);
        let angular_velocity_cross_arm_length = length(angular_velocity_cross_arm);
        let t_product = frame.squash_times_turn * angular_velocity_cross_arm_length;
        let t = jn_clamp(jn_divide(t_product, frame.size), -0.8, frame.s_limit);
        let x = (reach - arm) * frame.around_centroid + arm;
        let scaled_q = bone.q * ((jn_divide(1.0, t + 1.0) - 1.0) * dot(bone.q, x));
        let displacement_factor = bone.e * (t * dot(bone.e, x)) + scaled_q;
        let displacement_per_bone = displacement_factor * bone.fade + by_travel;
        displacement += upward_weight * displacement_per_bone;

        // Floppy (trail)
        let angle_product = angular_velocity_cross_arm_length * frame.floppy_times_turn;
        let angle_ratio = jn_divide(angle_product, frame.size);
        let angle = jn_clamp(angle_ratio, frame.minus_limit, frame.limit);
        let radius_factor = dot(arm, bone.angular_velocity_direction);
        let radius = arm - bone.angular_velocity_direction * radius_factor;
        let half_value = sin(angle * 0.5);
        let bend_term = jn_normalize(angular_velocity_cross_arm) * (length(radius) * sin(angle));
        let bend = radius * (half_value * (half_value * -2.0)) - bend_term;
        displacement_of_floppy += upward_weight * (bend - bone.scaled_linear);
    }

    // Output
    let position = skinned_position + (displacement + displacement_of_floppy);
    return jn_sane_or_vector(position, skinned_position);
}

// What is known of a bone before the graph begins.
struct JnBoneInput {
    linear_velocity: vec3f,     // Relative to the parent, mean over smoothing
    is_root: f32,               // 1 for bones without a parent
    angular_velocity: vec3f,    // Radians per second, mean over smoothing
    rotation_w: f32,
    origin: vec3f,              // Where the bone's joint is
    padding_a: f32,
    linear_acceleration: vec3f, // Change of the velocity
    padding_b: f32,
    centroid_value: vec3f,      // The centre of what the bone moves
    padding_c: f32,
    rotation: vec3f,            // The bone's rotation
    padding_d: f32,
}

// What is the same for all vertices that feel this bone.
fn jn_compute_bone(frame: JnFrame, given: JnBoneInput) -> JnBone {
    var bone: JnBone;
    bone.origin = given.origin;

    // Velocity Extract (velocity)
    let travel = select(1.0, frame.root_motion, given.is_root > 0.5);
    let linear_value = given.linear_velocity * travel;
    bone.angular_velocity = given.angular_velocity;

    // Squash (stretch)
    let rotation_cross_centroid_offset = cross(given.rotation, frame.centroid_offset);
    let center_total = frame.centroid_offset * given.rotation_w + rotation_cross_centroid_offset;
    let center_term = cross(given.rotation, center_total) * 2.0 + frame.centroid_offset;
    bone.center_value = given.centroid_value + center_term;
    bone.along = jn_normalize(linear_value);
    let braking = jn_max(0.0, -dot(given.linear_acceleration, bone.along));
    let s_term = frame.squash_times_move * length(linear_value);
    let s_difference = s_term - frame.impact * braking;
    let s = jn_clamp(jn_divide(s_difference, frame.size), -0.8, frame.s_limit);
    bone.travelling_term = jn_divide(1.0, jn_sqrt(s + 1.0)) - 1.0;
    bone.travelling_factor = s - bone.travelling_term;
    bone.by_travel_condition = select(0u, 1u, dot(bone.along, bone.along) > 0.5);
    let m_direction = jn_normalize(bone.center_value - bone.origin);
    let m = select(m_direction, frame.given, frame.m_condition != 0u);
    bone.angular_velocity_direction = jn_normalize(bone.angular_velocity);
    let sweep_axis = cross(m, bone.angular_velocity_direction);
    bone.e = jn_normalize(sweep_axis);
    bone.q = cross(m, bone.e);
    let fade_factor = jn_clamp(length(sweep_axis) / 0.1, 0.0, 1.0);
    bone.fade = fade_factor * fade_factor * (3.0 - fade_factor * 2.0);

    // Floppy (trail)
    bone.scaled_linear = linear_value * frame.floppy_times_move;

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
    jn_write_position(jn_deform_vertex());
    if (jn_counts.writes_skinned == 1u) {
        jn_write(1u, jn_skinned_position());
        jn_write(2u, jn_skinned_normal());
    }
}

@vertex
fn vertex(
    @builtin(vertex_index) vertex_index: u32,
    @builtin(instance_index) instance_index: u32,
) -> JnVertex {
    jn_enter(vertex_index / 32u, vertex_index % 32u, instance_index);
    let position = jn_deform_vertex();
    return JnVertex(jn_clip_position(position), position, jn_skinned_normal());
}
