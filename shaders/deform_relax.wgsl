// Smoothing over the surface: x ← x + amount · (mean of x over the neighbours − x), all vertices at
// once, so it reads one place of the kept numbers and writes another.

struct JnRelax {
    from_slot: u32,
    to_slot: u32,
    padding_a: u32,
    padding_b: u32,
}

@group(1) @binding(3) var<uniform> jn_relax: JnRelax;

fn jn_relax_step(amount: f32, components: u32) {
    let count = jn_neighbour_count();
    for (var i = 0u; i < components; i += 1u) {
        let own = jn_kept(jn_relax.from_slot + i);
        var sum = 0.0;
        for (var n = 0u; n < count; n += 1u) {
            sum += jn_kept_at(jn_relax.from_slot + i, jn_neighbour(n));
        }
        let mean = select(own, sum / f32(max(count, 1u)), count > 0u);
        jn_keep(jn_relax.to_slot + i, own + amount * (mean - own));
    }
}

fn jn_kept_vector(slot: u32) -> vec3f {
    return vec3f(jn_kept(slot), jn_kept(slot + 1u), jn_kept(slot + 2u));
}

fn jn_keep_vector(slot: u32, v: vec3f) {
    jn_keep(slot, v.x);
    jn_keep(slot + 1u, v.y);
    jn_keep(slot + 2u, v.z);
}
