// oscillation: a deformer on top of linear blend skinning, written by Jounce 0.1.0.
//
// Read jn_deform_vertex first: it is the graph, node by node, for one vertex. It touches no
// resource; what it reads comes through the jn_ functions above it, which can be replaced to
// suit an engine. jn_compute_bone is what happens once per bone. Positions and velocities are
// those of the scene; velocities of a bone are relative to its parent. Times are in seconds.
//
// The graph remembers: the entry point bones is run once with jn_step.kind 2 to begin, once with
// kind 1 for each 1/240 s that has passed, and once with kind 0 for each frame.
//
// How to fill the buffers: docs/shaders.md of Jounce, and the manifest.json of this export.

// The same for all vertices of an instance.
struct JnFrame {
    floppy: f32,      // The parameter "floppy"
    steady_re: f32,   // jn_divide(-a, size_first); Time Filter (swing on: turns, swing-angular)
    steady_im: f32,   // jn_divide(b, size_first); Time Filter (swing on: turns, swing-angular)
    turned_re: f32,   // grown * cos(b_times_step_secs); Time Filter (swing on: turns, swing-angular)
    turned_im: f32,   // grown * sin(b_times_step_secs); Time Filter (swing on: turns, swing-angular)
    by_early_re: f32, // whole_re - late_re; Time Filter (swing on: turns, swing-angular)
    late_re: f32,     // Time Filter (swing on: turns, swing-angular)
    by_early_im: f32, // whole_im - late_im; Time Filter (swing on: turns, swing-angular)
    late_im: f32,     // Time Filter (swing on: turns, swing-angular)
    a: f32,           // jn_divide(-1.0, jn_clamp(decay, 0.001, 60.0)); Time Filter (swing on: turns, swing-angular)
    b: f32,           // jn_clamp(frequency, 0.0, 60.0) * 6.2831855; Time Filter (swing on: turns, swing-angular)
    amplitude: f32,   // The parameter "amplitude"
    size: f32,        // The reference length
    jn_padding_a: f32,
    jn_padding_b: f32,
    jn_padding_c: f32,
}

// The same for all vertices that a bone moves.
struct JnBone {
    origin: vec3f,              // Where the bone's joint is
    product: f32,               // floppy · value; Multiply (softness)
    value: vec3f,               // Time Filter (swing on: turns, swing-angular)
    jn_padding_a: f32,
    value_direction: vec3f,     // Direction of value; Floppy (trail)
    jn_padding_b: f32,
    value_times_product: vec3f, // value · product; Floppy (trail)
    jn_padding_c: f32,
}

const JN_WEIGHT_COLUMNS = 1u;

// Settings of the graph that are not sliders.
const jn_set_root_motion: f32 = 0.3;
const jn_set_smoothing: f32 = 0.04;
const jn_set_limit: f32 = 0.7853982;
const jn_set_minus_limit: f32 = -0.7853982;

// … what it uses of shaders/ …

fn jn_weight_upward(k: u32) -> f32 {
    return jn_weight(k, 0u);
}

// Where the graph puts the vertex.
fn jn_deform_vertex() -> vec3f {
    let frame = jn_frame();
    let skinned_position = jn_skinned_position();

    var displacement = vec3f(0.0);
    for (var k = 0u; k < jn_pair_count(); k += 1u) {
        let bone = jn_bone(k);

        // Floppy (trail): Lets the skin trail behind the bone that carries it (Rohmer 2021,
        // section 4.2, eq. 16 and 17: −k v, and a turn about ω by −k |ω × (p − p_j)| / ℓ).
        // θ = k |ω × (p − p_j)| / ℓ, limited on both sides.
        let arm = skinned_position - bone.origin;
        let sweep = cross(bone.value, arm);
        let angle_ratio = jn_divide(bone.product * length(sweep), frame.size);
        let angle = jn_clamp(angle_ratio, jn_set_minus_limit, jn_set_limit);
        // Turning the part across ω by −θ: its end moves by r (cos θ − 1) − ω × r sin θ, and cos
        // θ − 1 = −2 sin² θ/2 keeps small angles exact.
        let radius = arm - bone.value_direction * dot(arm, bone.value_direction);
        let half_angle_sine = sin(angle * 0.5);
        let scaled_radius = radius * (half_angle_sine * (half_angle_sine * -2.0));
        let bend = scaled_radius - jn_normalize(sweep) * (length(radius) * sin(angle));
        displacement += jn_weight_upward(k) * (bend - bone.value_times_product);
    }

    // Output: Where the result leaves the graph: the position of every vertex (Rohmer 2021,
    // eq. 4: p + Σ of the displacements).
    let position = skinned_position + displacement;
    return jn_sane_or_vector(position, skinned_position);
}

// Data of a bone that the graph reads.
struct JnBoneInput {
    linear_velocity: vec3f,            // Velocity of the joint, relative to the parent, mean over smoothing
    how_soft_each_bone_is: f32,        // Bone Value (how soft each bone is, soft)
    angular_velocity: vec3f,           // Relative to the parent, in radians per second, mean over smoothing
    how_soft_each_bone_is_is_set: u32, // Bone Value (how soft each bone is, soft)
    origin: vec3f,                     // Where the bone's joint is
    carries: f32,                      // 1 for bones whose travel takes the whole character along
    parent_rotation: vec3f,            // The rotation of the bone's parent
    parent_rotation_w: f32,
}

// What nodes remember of a bone, at the end of the last step.
struct JnBoneMemory {
    re: vec3f,             // Time Filter (swing on: turns, swing-angular)
    jn_padding_a: f32,
    im: vec3f,             // Time Filter (swing on: turns, swing-angular)
    jn_padding_b: f32,
    last: vec3f,           // Time Filter (swing on: turns, swing-angular)
    jn_padding_c: f32,
    re_of_travel: vec3f,   // Time Filter (swing on: travel, swing-linear)
    jn_padding_d: f32,
    im_of_travel: vec3f,   // Time Filter (swing on: travel, swing-linear)
    jn_padding_e: f32,
    last_of_travel: vec3f, // Time Filter (swing on: travel, swing-linear)
    jn_padding_f: f32,
}

// The computed values of a bone, and what is remembered of it if the step is stored.
struct JnBoneStep {
    bone: JnBone,
    after: JnBoneMemory,
}

// A number that is infinite or NaN starts again, or it would stay so forever.
fn jn_sane_memory(memory: JnBoneMemory, begun: JnBoneMemory) -> JnBoneMemory {
    var sane = memory;
    sane.re = jn_sane_each(memory.re, begun.re);
    sane.im = jn_sane_each(memory.im, begun.im);
    sane.last = jn_sane_each(memory.last, begun.last);
    sane.re_of_travel = jn_sane_each(memory.re_of_travel, begun.re_of_travel);
    sane.im_of_travel = jn_sane_each(memory.im_of_travel, begun.im_of_travel);
    sane.last_of_travel = jn_sane_each(memory.last_of_travel, begun.last_of_travel);
    return sane;
}

// Values that are the same for all vertices that this bone moves.
// And what nodes remember of it, if this step is stored.
fn jn_compute_bone(frame: JnFrame, given: JnBoneInput, before: JnBoneMemory) -> JnBoneStep {
    var bone: JnBone;
    var after: JnBoneMemory;
    bone.origin = given.origin;

    // Bone Value (how soft each bone is, soft): A number for each bone, or for a bone and
    // all below it.
    let value = select(1.0, given.how_soft_each_bone_is, given.how_soft_each_bone_is_is_set != 0u);

    // Velocity Extract (velocity): How fast each bone moves relative to its parent: what
    // drives all deformers (Rohmer 2021, section 3.2: v_j and ω_j; a mean over s seconds is
    // (x(t) − x(t−s))/s).
    let travel = select(1.0, jn_set_root_motion, given.carries > 0.5);
    let linear_velocity = given.linear_velocity * travel;

    // Multiply (softness): a · b; for vectors, component by component, and a number scales a
    // vector.
    bone.product = frame.floppy * value;

    // Time Filter (swing on: turns, swing-angular): Keeps a motion swinging when it stops:
    // it goes past, comes back, and settles (Salem 2024, eq. 3 and 4).
    // z = x + i y at the end of the step, and what swings: Ω + A Im(λ z).
    let now_term = cross(-given.parent_rotation, given.angular_velocity);
    let now_total = given.angular_velocity * given.parent_rotation_w + now_term;
    let now = cross(-given.parent_rotation, now_total) * 2.0 + given.angular_velocity;
    let x_term = before.re * frame.turned_re - before.im * frame.turned_im;
    let x = now * frame.late_re + (before.last * frame.by_early_re + x_term);
    let y_term = before.re * frame.turned_im + before.im * frame.turned_re;
    let y = now * frame.late_im + (before.last * frame.by_early_im + y_term);
    let swinging = (x * frame.b + y * frame.a) * frame.amplitude + now;
    let parent_rotation_cross_swinging = cross(given.parent_rotation, swinging);
    let value_total = swinging * given.parent_rotation_w + parent_rotation_cross_swinging;
    bone.value = cross(given.parent_rotation, value_total) * 2.0 + swinging;
    after.re = x;
    after.im = y;
    after.last = now;

    // Time Filter (swing on: travel, swing-linear): Keeps a motion swinging when it stops:
    // it goes past, comes back, and settles (Salem 2024, eq. 3 and 4).
    // z = x + i y at the end of the step, and what swings: Ω + A Im(λ z).
    let now_term_of_travel = cross(-given.parent_rotation, linear_velocity);
    let now_total_of_travel = linear_velocity * given.parent_rotation_w + now_term_of_travel;
    let now_factor = cross(-given.parent_rotation, now_total_of_travel);
    let now_of_travel = now_factor * 2.0 + linear_velocity;
    let im_before_times_turned_im = before.im_of_travel * frame.turned_im;
    let x_term_of_travel = before.re_of_travel * frame.turned_re - im_before_times_turned_im;
    let x_term_of_travel_b = before.last_of_travel * frame.by_early_re + x_term_of_travel;
    let x_of_travel = now_of_travel * frame.late_re + x_term_of_travel_b;
    let im_before_times_turned_re = before.im_of_travel * frame.turned_re;
    let y_term_of_travel = before.re_of_travel * frame.turned_im + im_before_times_turned_re;
    let y_term_of_travel_b = before.last_of_travel * frame.by_early_im + y_term_of_travel;
    let y_of_travel = now_of_travel * frame.late_im + y_term_of_travel_b;
    let swinging_factor = x_of_travel * frame.b + y_of_travel * frame.a;
    let swinging_of_travel = swinging_factor * frame.amplitude + now_of_travel;
    let parent_rotation_cross_swinging_of_travel = cross(given.parent_rotation, swinging_of_travel);
    let value_total_of_travel = swinging_of_travel * given.parent_rotation_w + parent_rotation_cross_swinging_of_travel;
    let value_factor = cross(given.parent_rotation, value_total_of_travel);
    let value_of_travel = value_factor * 2.0 + swinging_of_travel;
    after.re_of_travel = x_of_travel;
    after.im_of_travel = y_of_travel;
    after.last_of_travel = now_of_travel;

    // Floppy (trail)
    bone.value_direction = jn_normalize(bone.value);
    bone.value_times_product = value_of_travel * bone.product;

    return JnBoneStep(bone, after);
}

// What nodes remember of this bone before the first step.
fn jn_start_bone(frame: JnFrame, given: JnBoneInput) -> JnBoneMemory {
    var begun: JnBoneMemory;

    // Velocity Extract (velocity)
    let travel = select(1.0, jn_set_root_motion, given.carries > 0.5);
    let linear_velocity = given.linear_velocity * travel;

    // Time Filter (swing on: turns, swing-angular)
    let now_term = cross(-given.parent_rotation, given.angular_velocity);
    let now_total = given.angular_velocity * given.parent_rotation_w + now_term;
    let now = cross(-given.parent_rotation, now_total) * 2.0 + given.angular_velocity;
    begun.re = now * frame.steady_re;
    begun.im = now * frame.steady_im;
    begun.last = now;

    // Time Filter (swing on: travel, swing-linear)
    let now_term_of_travel = cross(-given.parent_rotation, linear_velocity);
    let now_total_of_travel = linear_velocity * given.parent_rotation_w + now_term_of_travel;
    let now_factor = cross(-given.parent_rotation, now_total_of_travel);
    let now_of_travel = now_factor * 2.0 + linear_velocity;
    begun.re_of_travel = now_of_travel * frame.steady_re;
    begun.im_of_travel = now_of_travel * frame.steady_im;
    begun.last_of_travel = now_of_travel;

    return jn_sane_memory(begun, JnBoneMemory());
}

@group(1) @binding(1) var<storage, read> jn_bone_inputs: array<JnBoneInput>;
@group(1) @binding(2) var<storage, read_write> jn_computed_bones: array<JnBone>;

@group(1) @binding(4) var<storage, read_write> jn_bone_memory: array<JnBoneMemory>;

fn jn_keep_memory(memory: JnBoneMemory) {
    jn_bone_memory[jn_row] = memory;
}

@compute @workgroup_size(32)
fn bones(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    jn_instance = jn_counts.first_instance + group.y;
    let bone = 32u * group.x + lane;
    if (bone < jn_counts.bones) {
        jn_row = jn_instance * jn_counts.bones + bone;
        let frame = jn_frame();
        let given = jn_bone_inputs[jn_row];
        if (jn_step.kind == JN_ALL_BEGINS) {
            jn_keep_memory(jn_start_bone(frame, given));
        } else {
            let computed = jn_compute_bone(frame, given, jn_bone_memory[jn_row]);
            jn_computed_bones[jn_row] = computed.bone;
            if (jn_step.kind == JN_STEP_IS_KEPT) {
                jn_keep_memory(jn_sane_memory(computed.after, jn_start_bone(frame, given)));
            }
        }
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
