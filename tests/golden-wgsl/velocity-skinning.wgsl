// velocity-skinning: a deformer on top of linear blend skinning, written by Jounce 0.1.0.
//
// Read jn_deform_vertex first: it is the graph, node by node, for one vertex. It touches no
// resource; what it reads comes through the jn_ functions above it, which can be replaced to
// suit an engine. jn_compute_bone is what happens once per bone. Positions and velocities are
// those of the scene; velocities of a bone are relative to its parent. Times are in seconds.
//
// How to fill the buffers: docs/shaders.md of Jounce, and the manifest.json of this export.

// The same for all vertices of an instance.
struct JnFrame {
    centroid_offset: vec3f,           // Squash (stretch)
    root_motion: f32,                 // Velocity Extract (velocity)
    given_axis: vec3f,                // jn_normalize(axis); Squash (stretch)
    smoothing: f32,                   // Velocity Extract (velocity)
    squash_times_move: f32,           // squash * move_value; Squash (stretch)
    impact: f32,                      // Squash (stretch)
    size: f32,                        // The reference length
    largest_stretch: f32,             // jn_max(max_stretch, 1.0) - 1.0; Squash (stretch)
    medial_axis_condition: u32,       // dot(given_axis, given_axis) > 0.5; Squash (stretch)
    around_centroid: f32,             // Squash (stretch)
    counts_less_around_centroid: f32, // 1.0 - around_centroid; Squash (stretch)
    floppy_times_move: f32,           // floppy * move_value_of_trail; Floppy (trail)
    squash_times_turn: f32,           // squash * turn; Squash (stretch)
    floppy_times_turn: f32,           // floppy * turn_of_trail; Floppy (trail)
    limit: f32,                       // jn_clamp(max_angle, 0.0, 180.0) * 0.017453292; Floppy (trail)
    minus_limit: f32,                 // -limit; Floppy (trail)
}

// The same for all vertices that a bone moves.
struct JnBone {
    origin: vec3f,                     // Where the bone's joint is
    lengthening: f32,                  // travel stretch − thinning; Squash (stretch)
    angular_velocity: vec3f,           // Relative to the parent, in radians per second, mean over smoothing
    thinning: f32,                     // Squash (stretch)
    middle: vec3f,                     // Squash (stretch)
    is_travelling: u32,                // Squash (stretch)
    along: vec3f,                      // Direction of linear velocity; Squash (stretch)
    fade: f32,                         // Squash (stretch)
    x_term: vec3f,                     // Squash (stretch)
    jn_padding_a: f32,
    sweep_direction: vec3f,            // Direction of sweep axis; Squash (stretch)
    jn_padding_b: f32,
    thin_direction: vec3f,             // medial axis × sweep direction; Squash (stretch)
    jn_padding_c: f32,
    angular_velocity_direction: vec3f, // Direction of angular velocity; Squash (stretch)
    jn_padding_d: f32,
    scaled_linear_velocity: vec3f,     // Floppy (trail)
    jn_padding_e: f32,
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
    var displacement_of_trail = vec3f(0.0);
    for (var k = 0u; k < jn_pair_count(); k += 1u) {
        let bone = jn_bone(k);
        let upward_weight = jn_weight_upward(k);

        // Squash (stretch): Stretches the skin along its motion and thins it across, keeping its
        // volume (Rohmer 2021, section 4.1, eq. 14 and 15: by 1 + s along, s = k |v| / ℓ; 1/√(1
        // + s) across a travel, 1/(1 + s) across a turn).
        let arm = skinned_position - bone.origin;
        let angular_velocity_cross_arm = cross(bone.angular_velocity, arm);
        let reach = skinned_position - bone.middle;
        let reach_along = dot(bone.along, reach);
        let travelling = bone.along * (reach_along * bone.lengthening) + reach * bone.thinning;
        let by_travel = select(vec3f(0.0), travelling, bone.is_travelling != 0u);
        let angular_velocity_cross_arm_length = length(angular_velocity_cross_arm);
        let turn_stretch_product = frame.squash_times_turn * angular_velocity_cross_arm_length;
        let turn_stretch_ratio = jn_divide(turn_stretch_product, frame.size);
        let turn_stretch = jn_clamp(turn_stretch_ratio, -0.8, frame.largest_stretch);
        let turn_thinning = jn_divide(1.0, turn_stretch + 1.0) - 1.0;
        let x = skinned_position - bone.x_term;
        let thinned = bone.thin_direction * (turn_thinning * dot(bone.thin_direction, x));
        let scaled_turn_stretch = turn_stretch * dot(bone.sweep_direction, x);
        let displacement_factor = bone.sweep_direction * scaled_turn_stretch + thinned;
        displacement += upward_weight * (displacement_factor * bone.fade + by_travel);

        // Floppy (trail): Lets the skin trail behind the bone that carries it (Rohmer 2021,
        // section 4.2, eq. 16 and 17: −k v, and a turn about ω by −k |ω × (p − p_j)| / ℓ).
        let angle_product = angular_velocity_cross_arm_length * frame.floppy_times_turn;
        let angle_ratio = jn_divide(angle_product, frame.size);
        let angle = jn_clamp(angle_ratio, frame.minus_limit, frame.limit);
        let radius_factor = dot(arm, bone.angular_velocity_direction);
        // Turning the part across ω by −θ: its end moves by r (cos θ − 1) − ω × r sin θ, and cos
        // θ − 1 = −2 sin² θ/2 keeps small angles exact.
        let radius = arm - bone.angular_velocity_direction * radius_factor;
        let half_angle_sine = sin(angle * 0.5);
        let bend_term = jn_normalize(angular_velocity_cross_arm) * (length(radius) * sin(angle));
        let bend = radius * (half_angle_sine * (half_angle_sine * -2.0)) - bend_term;
        displacement_of_trail += upward_weight * (bend - bone.scaled_linear_velocity);
    }

    // Output: Where the result leaves the graph: the position of every vertex (Rohmer 2021,
    // eq. 4: p + Σ of the displacements).
    let position = skinned_position + (displacement + displacement_of_trail);
    return jn_sane_or_vector(position, skinned_position);
}

// Data of a bone that the graph reads.
struct JnBoneInput {
    linear_velocity: vec3f,     // Velocity of the joint, relative to the parent, mean over smoothing
    carries: f32,               // 1 for bones whose travel takes the whole character along
    angular_velocity: vec3f,    // Relative to the parent, in radians per second, mean over smoothing
    rotation_w: f32,
    origin: vec3f,              // Where the bone's joint is
    jn_padding_a: f32,
    linear_acceleration: vec3f, // Change of the linear velocity per second
    jn_padding_b: f32,
    bone_centroid: vec3f,       // The centre of what the bone moves
    jn_padding_c: f32,
    rotation: vec3f,            // The bone's rotation
    jn_padding_d: f32,
}

// Values that are the same for all vertices that this bone moves.
fn jn_compute_bone(frame: JnFrame, given: JnBoneInput) -> JnBone {
    var bone: JnBone;
    bone.origin = given.origin;

    // Velocity Extract (velocity): How fast each bone moves relative to its parent: what
    // drives all deformers (Rohmer 2021, section 3.2: v_j and ω_j; a mean over s seconds is
    // (x(t) − x(t−s))/s).
    let travel = select(1.0, frame.root_motion, given.carries > 0.5);
    let linear_velocity = given.linear_velocity * travel;
    bone.angular_velocity = given.angular_velocity;

    // Squash (stretch)
    let rotation_cross_centroid_offset = cross(given.rotation, frame.centroid_offset);
    let middle_total = frame.centroid_offset * given.rotation_w + rotation_cross_centroid_offset;
    let middle_term = cross(given.rotation, middle_total) * 2.0 + frame.centroid_offset;
    bone.middle = given.bone_centroid + middle_term;
    // Travelling: s = k |v| / ℓ, less the braking; (1 + s) along v, 1/√(1 + s) across. The
    // thinning goes to all sides, so along v it is taken back.
    bone.along = jn_normalize(linear_velocity);
    let braking = jn_max(0.0, -dot(given.linear_acceleration, bone.along));
    let travel_stretch_term = frame.squash_times_move * length(linear_velocity);
    let travel_stretch_difference = travel_stretch_term - frame.impact * braking;
    let travel_stretch_ratio = jn_divide(travel_stretch_difference, frame.size);
    let travel_stretch = jn_clamp(travel_stretch_ratio, -0.8, frame.largest_stretch);
    bone.thinning = jn_divide(1.0, jn_sqrt(travel_stretch + 1.0)) - 1.0;
    bone.lengthening = travel_stretch - bone.thinning;
    // Without travel there is no direction, and nothing to stretch.
    bone.is_travelling = select(0u, 1u, dot(bone.along, bone.along) > 0.5);
    let given_axis = frame.given_axis;
    let medial_axis_direction = jn_normalize(bone.middle - bone.origin);
    let medial_axis = select(medial_axis_direction, given_axis, frame.medial_axis_condition != 0u);
    bone.angular_velocity_direction = jn_normalize(bone.angular_velocity);
    let sweep_axis = cross(medial_axis, bone.angular_velocity_direction);
    bone.sweep_direction = jn_normalize(sweep_axis);
    bone.thin_direction = cross(medial_axis, bone.sweep_direction);
    let fade_factor = jn_clamp(length(sweep_axis) / 0.1, 0.0, 1.0);
    bone.fade = fade_factor * fade_factor * (3.0 - fade_factor * 2.0);
    let middle_times_around_centroid = bone.middle * frame.around_centroid;
    bone.x_term = bone.origin * frame.counts_less_around_centroid + middle_times_around_centroid;

    // Floppy (trail)
    bone.scaled_linear_velocity = linear_velocity * frame.floppy_times_move;

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
