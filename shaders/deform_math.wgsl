// Operations that give a finite result for all finite operands, as on the CPU.

// Not the built-in ones: what these give for numbers that are none differs from device to device.
fn jn_min(a: f32, b: f32) -> f32 {
    return select(a, b, b < a);
}

fn jn_max(a: f32, b: f32) -> f32 {
    return select(a, b, a < b);
}

fn jn_clamp(x: f32, low: f32, high: f32) -> f32 {
    return jn_max(jn_min(x, high), low);
}

fn jn_min_vector(a: vec3f, b: vec3f) -> vec3f {
    return select(a, b, b < a);
}

fn jn_max_vector(a: vec3f, b: vec3f) -> vec3f {
    return select(a, b, a < b);
}

fn jn_clamp_vector(v: vec3f, low: vec3f, high: vec3f) -> vec3f {
    return jn_max_vector(jn_min_vector(v, high), low);
}

// 0 where the divisor is.
fn jn_divide(a: f32, b: f32) -> f32 {
    if (abs(b) >= 1e-20) {
        return a / b;
    }
    return 0.0;
}

fn jn_divide_vector(v: vec3f, divisor: f32) -> vec3f {
    if (abs(divisor) >= 1e-20) {
        return v / divisor;
    }
    return vec3f(0.0);
}

fn jn_divide_each(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(jn_divide(a.x, b.x), jn_divide(a.y, b.y), jn_divide(a.z, b.z));
}

// 0 for vectors that are too short to have a direction.
fn jn_normalize(v: vec3f) -> vec3f {
    let square = dot(v, v);
    if (square >= 1e-20) {
        return v * inverseSqrt(square);
    }
    return vec3f(0.0);
}

fn jn_sqrt(x: f32) -> f32 {
    return sqrt(select(0.0, x, x > 0.0));
}

fn jn_exp(x: f32) -> f32 {
    return exp(jn_clamp(x, -69.0, 69.0));
}

fn jn_log(x: f32) -> f32 {
    return log(select(1e-30, x, x > 1e-30));
}

// 0 for x ≤ 0, 1 for y = 0, at most 1e30.
fn jn_pow(x: f32, y: f32) -> f32 {
    if (y == 0.0) {
        return 1.0;
    }
    if (!(x > 0.0)) {
        return 0.0;
    }
    if (y * log2(x) > 99.65) {
        return 1e30;
    }
    return pow(x, y);
}

// The angle of the point (x, y); 0 for the origin.
fn jn_angle_of(y: f32, x: f32) -> f32 {
    if (y == 0.0 && x == 0.0) {
        return 0.0;
    }
    return atan2(y, x);
}

// At most 1e12. Looks at the bits: compilers may take for granted that every number is one.
fn jn_is_sane(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) <= 0x5368d4a5u;
}

fn jn_sane_or(x: f32, fallback: f32) -> f32 {
    return select(fallback, x, jn_is_sane(x));
}

fn jn_sane_or_vector(v: vec3f, fallback: vec3f) -> vec3f {
    return select(fallback, v, jn_is_sane(v.x) && jn_is_sane(v.y) && jn_is_sane(v.z));
}

// Component by component.
fn jn_sane_each(v: vec3f, fallback: vec3f) -> vec3f {
    return vec3f(jn_sane_or(v.x, fallback.x), jn_sane_or(v.y, fallback.y), jn_sane_or(v.z, fallback.z));
}
