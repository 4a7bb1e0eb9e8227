// velocity-skinning: a deformer on top of linear blend skinning, written by Jounce 0.1.0.
//
// Read jn_deform_vertex first: it is the graph, node by node, for one vertex. It touches no
// resource; what it reads comes through the jn_ functions above it, which can be replaced to
// suit an engine. jn_compute_bone is what happens once per bone. Positions and velocities are
// those of the scene; velocities of a bone are relative to its parent. Times are in seconds.

// The same for all vertices of an instance.
struct JnFrame {
    squash: f32,      // The parameter "squash"
    size: f32,        // The reference length
    floppy: f32,      // The parameter "floppy"
    limit: f32,       // Floppy (trail)
    minus_limit: f32, // Floppy (trail)
    padding_a: f32,
    padding_b: f32,
    padding_c: f32,
}

// The same for all vertices that feel a bone.
struct JnBone {
    origin: vec3f,                       // Where the bone's joint is
    travelling_factor: f32,              // Squash (stretch)
    angular_velocity: vec3f,             // Radians per second
    travelling_term: f32,                // Squash (stretch)
    centroid_value: vec3f,               // The centre of what the bone moves
    by_travel_condition: u32,            // Squash (stretch)
    along: vec3f,                        // Squash (stretch)
    fade: f32,                           // Squash (stretch)
    e: vec3f,                            // Squash (stretch)
    padding_a: f32,
    q: vec3f,                            // Squash (stretch)
    padding_b: f32,
    angular_velocity_direction: vec3f,   // Squash (stretch)
    padding_c: f32,
    linear_velocity_times_floppy: vec3f, // Floppy (trail)
    padding_d: f32,
}

const JN_WEIGHT_COLUMNS = 1u;

// Settings of the graph that are no sliders.
const jn_s_limit: f32 = 99.0;

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
        let reach = skinned_position - bone.centroid_value;
        let travelling_factor = dot(bone.along, reach) * bone.travelling_factor;
        let travelling = bone.along * travelling_factor + reach * bone.travelling_term;
        let by_travel = select(vec3f(0.0), travelling, bone.by_travel_condition != 0u);
        let angular_velocity_cross_arm_length = length(angular_velocity_cross_arm);
        let t_ratio = jn_divide(frame.squash * angular_velocity_cross_arm_length, frame.size);
        let t = jn_clamp(t_ratio, -0.8, jn_s_limit);
        let scaled_q = bone.q * ((jn_divide(1.0, t + 1.0) - 1.0) * dot(arm, bone.q));
        let displacement_factor = bone.e * (t * dot(arm, bone.e)) + scaled_q;
        let displacement_per_bone = displacement_factor * bone.fade + by_travel;
        displacement += upward_weight * displacement_per_bone;

        // Floppy (trail)
        let angle_ratio = jn_divide(frame.floppy * angular_velocity_cross_arm_length, frame.size);
        let angle = jn_clamp(angle_ratio, frame.minus_limit, frame.limit);
        let radius_factor = dot(arm, bone.angular_velocity_direction);
        let radius = arm - bone.angular_velocity_direction * radius_factor;
        let half_value = sin(angle * 0.5);
        let bend_term = jn_normalize(angular_velocity_cross_arm) * (length(radius) * sin(angle));
        let bend = radius * (half_value * (half_value * -2.0)) - bend_term;
        displacement_of_floppy += upward_weight * (bend - bone.linear_velocity_times_floppy);
    }

    // Output
    let position = skinned_position + (displacement + displacement_of_floppy);
    return jn_sane_or_vector(position, skinned_position);
}

// What is known of a bone before the graph begins.
struct JnBoneInput {
    linear_velocity: vec3f,  // Relative to the parent
    padding_a: f32,
    angular_velocity: vec3f, // Radians per second
    padding_b: f32,
    origin: vec3f,           // Where the bone's joint is
    padding_c: f32,
    centroid_value: vec3f,   // The centre of what the bone moves
    padding_d: f32,
}

// What is the same for all vertices that feel this bone.
fn jn_compute_bone(frame: JnFrame, given: JnBoneInput) -> JnBone {
    var bone: JnBone;
    bone.origin = given.origin;
    bone.centroid_value = given.centroid_value;

    // Velocity Extract (velocity)
    bone.angular_velocity = given.angular_velocity;

    // Squash (stretch)
    bone.along = jn_normalize(given.linear_velocity);
    let s_ratio = jn_divide(frame.squash * length(given.linear_velocity), frame.size);
    let s = jn_clamp(s_ratio, -0.8, jn_s_limit);
    bone.travelling_term = jn_divide(1.0, jn_sqrt(s + 1.0)) - 1.0;
    bone.travelling_factor = s - bone.travelling_term;
    bone.by_travel_condition = select(0u, 1u, dot(bone.along, bone.along) > 0.5);
    let m = jn_normalize(bone.centroid_value - bone.origin);
    bone.angular_velocity_direction = jn_normalize(bone.angular_velocity);
    let sweep_axis = cross(m, bone.angular_velocity_direction);
    bone.e = jn_normalize(sweep_axis);
    bone.q = cross(m, bone.e);
    let fade_factor = jn_clamp(length(sweep_axis) / 0.1, 0.0, 1.0);
    bone.fade = fade_factor * fade_factor * (3.0 - fade_factor * 2.0);

    // Floppy (trail)
    bone.linear_velocity_times_floppy = given.linear_velocity * frame.floppy;

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
