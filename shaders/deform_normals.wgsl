// Normals of a deformed surface, as src/eval/normals.rs has them: the normal of plain skinning is
// turned as the frame of the faces around its smooth corner turns.

struct Counts {
    vertices: u32,
    instances: u32,
    // Place in `around` of the first face's offset.
    first_offset: u32,
    first_face: u32,
}

@group(0) @binding(0) var<uniform> counts: Counts;
// Sections: deformed positions, skinned positions, skinned normals.
@group(0) @binding(1) var<storage, read> vertices: array<f32>;
// Per vertex its smooth corner; per corner where its faces begin; faces, each from its corner on.
@group(0) @binding(2) var<storage, read> around: array<u32>;
@group(0) @binding(3) var<storage, read_write> normals: array<f32>;

struct Corner {
    normal: vec3f,
    edge: vec3f,
}

fn vector(section: u32, instance: u32, vertex: u32) -> vec3f {
    let at = 3u * ((section * counts.instances + instance) * counts.vertices + vertex);
    return vec3f(vertices[at], vertices[at + 1u], vertices[at + 2u]);
}

fn corner_at(section: u32, instance: u32, corner: u32) -> Corner {
    var result = Corner(vec3f(0.0), vec3f(0.0));
    let first = around[counts.first_offset + corner];
    let end = around[counts.first_offset + corner + 1u];
    for (var face = first; face < end; face += 1u) {
        let at = counts.first_face + 3u * face;
        let a = vector(section, instance, around[at]);
        let b = vector(section, instance, around[at + 1u]);
        let c = vector(section, instance, around[at + 2u]);
        result.normal += cross(b - a, c - a);
        if (face == first) {
            result.edge = b - a;
        }
    }
    return result;
}

// 0 where there is no direction.
fn direction(v: vec3f) -> vec3f {
    let largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    if (!(largest > 1e-30 && largest < 1e30)) {
        return vec3f(0.0);
    }
    return normalize(v / largest);
}

// The shortest turn that brings one direction to another.
fn turned_along(start: vec3f, to: vec3f, v: vec3f) -> vec3f {
    let axis = cross(start, to);
    let cosine = dot(start, to);
    if (cosine < -0.999999) {
        return -v;
    }
    return v * cosine + cross(axis, v) + axis * (dot(axis, v) / (1.0 + cosine));
}

@compute @workgroup_size(64)
fn normals_of_vertices(@builtin(global_invocation_id) id: vec3u) {
    let vertex = id.x;
    let instance = id.y;
    if (vertex >= counts.vertices) {
        return;
    }
    let corner = around[vertex];
    let before = corner_at(1u, instance, corner);
    let after = corner_at(0u, instance, corner);
    let skinned = vector(2u, instance, vertex);
    var normal = skinned;
    let start = direction(before.normal);
    let to = direction(after.normal);
    let has_both = dot(start, start) > 0.5 && dot(to, to) > 0.5;
    if (has_both && (any(before.normal != after.normal) || any(before.edge != after.edge))) {
        let across_before = cross(start, direction(before.edge));
        let across_after = cross(to, direction(after.edge));
        // Below about 3° an edge says more about noise than about shape.
        if (min(length(across_before), length(across_after)) > 0.05) {
            let side_before = normalize(across_before);
            let side_after = normalize(across_after);
            let along_before = cross(side_before, start);
            let along_after = cross(side_after, to);
            normal = along_after * dot(along_before, skinned)
                + side_after * dot(side_before, skinned)
                + to * dot(start, skinned);
        } else {
            normal = turned_along(start, to, skinned);
        }
        normal = direction(normal);
    }
    let at = 3u * (instance * counts.vertices + vertex);
    normals[at] = normal.x;
    normals[at + 1u] = normal.y;
    normals[at + 2u] = normal.z;
}
