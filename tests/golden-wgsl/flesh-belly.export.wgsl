// flesh-belly: a deformer on top of linear blend skinning, written by Jounce 0.1.0.
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
    sagging: vec3f,   // vec3f(0.0, jn_clamp(sag, -1.0, 1.0) * size, 0.0); Flesh
    scaled_size: f32, // size * 0.2; Flesh
    step_secs: f32,   // Seconds since what the node remembers was kept
    y_left: f32,      // by_c + scaled_by_s; Flesh
    by_s: f32,        // s * fade; Flesh
    w_left: f32,      // by_c - scaled_by_s; Flesh
    pull: f32,        // omega_squared * by_s; Flesh
    jn_padding_a: f32,
    jn_padding_b: f32,
    jn_padding_c: f32,
}

// The same for all vertices that a bone moves.
struct JnBone {
    origin: vec3f,         // Where the bone's joint is
    kept_length: f32,      // Length of kept; Flesh
    away_direction: vec3f, // Flesh
    jn_padding_a: f32,
    kept: vec3f,           // Flesh
    jn_padding_b: f32,
}

const JN_WEIGHT_COLUMNS = 1u;

// … what it uses of shaders/ …

fn jn_weight_flesh(k: u32) -> f32 {
    return jn_weight(k, 0u);
}

// Where the graph puts the vertex.
fn jn_deform_vertex() -> vec3f {
    let skinned_position = jn_skinned_position();

    var displacement = vec3f(0.0);
    for (var k = 0u; k < jn_pair_count(); k += 1u) {
        let bone = jn_bone(k);
        let flesh_weight = jn_weight_flesh(k);

        // Flesh: Lets soft parts swing on springs: bellies, cheeks, humps (Larboulette 2005,
        // flesh elements).
        // x'' = ω² (c + sag − x) − 2ζω (x' − c') − drag x', exactly, where the joint c is
        // straight between steps.
        let skinned_position_less_origin = skinned_position - bone.origin;
        let away_factor = dot(skinned_position_less_origin, bone.away_direction);
        let away_difference = skinned_position_less_origin - bone.away_direction * away_factor;
        // A bent pose may bring skin nearer to the bone than at rest: no vertex goes further
        // than it is away.
        let away = length(away_difference);
        let moved = flesh_weight * bone.kept_length;
        displacement += flesh_weight * (bone.kept * jn_min(1.0, jn_divide(away, jn_max(moved, 1e-9))));
    }

    // Output: Where the result leaves the graph: the position of every vertex (Rohmer 2021,
    // eq. 4: p + Σ of the displacements).
    let position = skinned_position + displacement;
    return jn_sane_or_vector(position, skinned_position);
}

// Data of a bone that the graph reads.
struct JnBoneInput {
    origin: vec3f,    // Where the bone's joint is
    flesh_reach: f32, // How far a flesh element may swing before it would cross its virtual bone
    rotation: vec3f,  // The bone's rotation
    rotation_w: f32,
}

// What nodes remember of a bone, at the end of the last step.
struct JnBoneMemory {
    at: vec3f,    // Flesh
    jn_padding_a: f32,
    speed: vec3f, // Flesh
    jn_padding_b: f32,
    last: vec3f,  // Flesh
    jn_padding_c: f32,
}

// The computed values of a bone, and what is remembered of it if the step is stored.
struct JnBoneStep {
    bone: JnBone,
    after: JnBoneMemory,
}

// A number that is infinite or NaN starts again, or it would stay so forever.
fn jn_sane_memory(memory: JnBoneMemory, begun: JnBoneMemory) -> JnBoneMemory {
    var sane = memory;
    sane.at = jn_sane_each(memory.at, begun.at);
    sane.speed = jn_sane_each(memory.speed, begun.speed);
    sane.last = jn_sane_each(memory.last, begun.last);
    return sane;
}

// Values that are the same for all vertices that this bone moves.
// And what nodes remember of it, if this step is stored.
fn jn_compute_bone(frame: JnFrame, given: JnBoneInput, before: JnBoneMemory) -> JnBoneStep {
    var bone: JnBone;
    var after: JnBoneMemory;
    bone.origin = given.origin;

    // Flesh
    let away_term = cross(given.rotation, vec3f(0.0, 1.0, 0.0));
    let away_total = vec3f(0.0, 1.0, 0.0) * given.rotation_w + away_term;
    let away_total_b = cross(given.rotation, away_total) * 2.0 + vec3f(0.0, 1.0, 0.0);
    bone.away_direction = jn_normalize(away_total_b);
    // Nothing moves so far in a step: it was put elsewhere, and takes its flesh along.
    let jump = bone.origin - before.last;
    let is_put_elsewhere = frame.scaled_size < length(jump);
    let at_first = before.at + jump;
    let at = before.at;
    let at_second = select(at, at_first, is_put_elsewhere);
    let origin = bone.origin;
    let last = before.last;
    let last_b = select(last, origin, is_put_elsewhere);
    let rate = jn_divide_vector(bone.origin - last_b, frame.step_secs);
    // From where it would rest, y is how far it is, and w how fast.
    let y = at_second - (last_b - frame.sagging);
    let w = before.speed - rate;
    let free = w * frame.by_s + (y * frame.y_left + (bone.origin - frame.sagging));
    after.speed = w * frame.w_left + rate - y * frame.pull;
    // Too far: it is pulled back, and keeps its speed.
    let out_value = free - bone.origin;
    let far = length(out_value);
    let scaled_out = out_value * jn_divide(given.flesh_reach, far);
    bone.kept = select(out_value, scaled_out, given.flesh_reach < far);
    after.at = bone.origin + bone.kept;
    bone.kept_length = length(bone.kept);
    after.last = bone.origin;

    return JnBoneStep(bone, after);
}

// What nodes remember of this bone before the first step.
fn jn_start_bone(frame: JnFrame, given: JnBoneInput) -> JnBoneMemory {
    var begun: JnBoneMemory;

    // Flesh
    begun.at = given.origin - frame.sagging;
    begun.speed = vec3f(0.0);
    begun.last = given.origin;

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
