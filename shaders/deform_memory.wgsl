// What nodes remember of each bone, from step to step.

// Which run of `bones` this is.
struct JnStep {
    // 0: a look ahead from the last step, nothing is kept. 1: a step ends, and is kept. 2: all begins.
    kind: u32,
    // Seconds since the last step that was kept: above 0, at most 1/240; 0 where all begins.
    secs: f32,
    padding_a: u32,
    padding_b: u32,
}

const JN_STEP_IS_KEPT = 1u;
const JN_ALL_BEGINS = 2u;
// From step to step.
const JN_STEP_SECS = 0.004166666667;

@group(1) @binding(3) var<uniform> jn_step: JnStep;
// The past of values that nodes ask it of. Per row, that is per instance and bone: where the newest
// stands; then for each number a ring of JN_PAST_STEPS.
@group(1) @binding(5) var<storage, read_write> jn_bone_past: array<f32>;

// The row at work.
var<private> jn_row: u32;

fn jn_past_at() -> u32 {
    return jn_row * (1u + JN_PAST_NUMBERS * JN_PAST_STEPS);
}

fn jn_past(number: u32, steps_ago: u32) -> f32 {
    let at = jn_past_at();
    let back = min(steps_ago, JN_PAST_STEPS - 1u);
    let place = (u32(jn_bone_past[at]) + JN_PAST_STEPS - back) % JN_PAST_STEPS;
    return jn_bone_past[at + 1u + number * JN_PAST_STEPS + place];
}

fn jn_past_vector(number: u32, steps_ago: u32) -> vec3f {
    return vec3f(
        jn_past(number, steps_ago),
        jn_past(number + 1u, steps_ago),
        jn_past(number + 2u, steps_ago),
    );
}

// Where some seconds ago lies: between which steps, counted back from the last one that was kept, and
// how far from the newer to the older. The step before the last one is this very moment.
struct JnAgo {
    is_now: bool,
    is_in_this_step: bool,
    steps: u32,
    part: f32,
}

fn jn_find_ago(secs: f32) -> JnAgo {
    // Nobody sees into the future, and before the beginning there was nothing else.
    if (!(secs > 0.0) || jn_step.kind == JN_ALL_BEGINS) {
        return JnAgo(true, false, 0u, 0.0);
    }
    if (secs <= jn_step.secs) {
        return JnAgo(false, true, 0u, secs / jn_step.secs);
    }
    let steps = (secs - jn_step.secs) / JN_STEP_SECS;
    return JnAgo(false, false, u32(steps), fract(steps));
}

// What a number was some seconds ago, where it is `now` now: straight between steps.
fn jn_ago(number: u32, secs: f32, now: f32) -> f32 {
    let ago = jn_find_ago(secs);
    if (ago.is_now) {
        return now;
    }
    if (ago.is_in_this_step) {
        return mix(now, jn_past(number, 0u), ago.part);
    }
    return mix(jn_past(number, ago.steps), jn_past(number, ago.steps + 1u), ago.part);
}

fn jn_ago_vector(number: u32, secs: f32, now: vec3f) -> vec3f {
    let ago = jn_find_ago(secs);
    if (ago.is_now) {
        return now;
    }
    if (ago.is_in_this_step) {
        return mix(now, jn_past_vector(number, 0u), ago.part);
    }
    return mix(jn_past_vector(number, ago.steps), jn_past_vector(number, ago.steps + 1u), ago.part);
}

// Makes place in the rings for the step that has ended: the oldest is written over.
fn jn_turn_past() {
    let at = jn_past_at();
    let newest = select(u32(jn_bone_past[at]) + 1u, 0u, jn_step.kind == JN_ALL_BEGINS);
    jn_bone_past[at] = f32(newest % JN_PAST_STEPS);
}

fn jn_record(number: u32, x: f32) {
    let at = jn_past_at();
    let first = at + 1u + number * JN_PAST_STEPS;
    jn_bone_past[first + u32(jn_bone_past[at])] = x;
    if (jn_step.kind == JN_ALL_BEGINS) {
        // Before the beginning it was always so.
        for (var place = 0u; place < JN_PAST_STEPS; place += 1u) {
            jn_bone_past[first + place] = x;
        }
    }
}

fn jn_record_vector(number: u32, v: vec3f) {
    jn_record(number, v.x);
    jn_record(number + 1u, v.y);
    jn_record(number + 2u, v.z);
}
