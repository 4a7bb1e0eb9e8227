// Where the generated code finds its data, and where the result goes.
//
// Vertices stand in lanes, 32 to a group. All lanes of a group hang on the same joints and bones,
// so what is read of a bone is the same for the whole group. Lanes without a vertex do nothing.

struct JnCounts {
    // Of one character; every instance has as many.
    lanes: u32,
    vertex_count: u32,
    bones: u32,
    joints: u32,
    // 16 or 32: how skin weights are stored.
    skin_weight_bits: u32,
    // Rows of jn_vertex_data: bind positions and normals are rows 0 to 5.
    first_rest_row: u32,
    first_map_row: u32,
    // Places in jn_lists.
    first_vertex_of_lane: u32,
    first_neighbour_list: u32,
    kept_slots: u32,
    // 1: plain skinning is written too: its positions are section 1 of jn_positions, its normals 2.
    writes_skinned: u32,
    instances: u32,
    // Where this dispatch begins.
    first_group: u32,
    first_instance: u32,
}

// A group of 32 lanes.
struct JnGroup {
    first_lane: u32,
    // Its pairs: place in jn_lists, and how many. Of each the bone, then a word per weight column.
    first_pair: u32,
    pair_count: u32,
    // Its joints: place in jn_lists, and how many.
    first_joint: u32,
    joint_count: u32,
    // Its skin weights: place of lane 0 of the first joint, and how far from joint to joint.
    first_skin_weight: u32,
    weight_stride: u32,
    // Lanes of its block that stand before it: rows of stored weights are as long as the block.
    first_in_block: u32,
}

@group(0) @binding(0) var<uniform> jn_counts: JnCounts;
// Per group 8 words, then the joints of all blocks, the pairs, the vertex of each lane, neighbours.
@group(0) @binding(4) var<storage, read> jn_lists: array<u32>;
// Skin weights, then weights of pairs that cannot be made from them.
@group(0) @binding(5) var<storage, read> jn_weights: array<u32>;
// Rows of one number per lane.
@group(0) @binding(6) var<storage, read> jn_vertex_data: array<f32>;
// Three numbers per vertex and instance.
@group(0) @binding(7) var<storage, read_write> jn_positions: array<f32>;
// Numbers per lane that later passes read.
@group(0) @binding(8) var<storage, read_write> jn_kept_numbers: array<f32>;

// The vertex at work.
var<private> jn_lane: u32;
var<private> jn_instance: u32;
var<private> jn_group: JnGroup;

fn jn_enter(group_of_dispatch: u32, lane_in_group: u32, instance_of_dispatch: u32) {
    let group = jn_counts.first_group + group_of_dispatch;
    jn_lane = group * 32u + lane_in_group;
    jn_instance = jn_counts.first_instance + instance_of_dispatch;
    let at = group * 8u;
    jn_group = JnGroup(
        group * 32u,
        jn_lists[at],
        jn_lists[at + 1u],
        jn_lists[at + 2u],
        jn_lists[at + 3u],
        jn_lists[at + 4u],
        jn_lists[at + 5u],
        jn_lists[at + 6u],
    );
}

fn jn_frame() -> JnFrame {
    return jn_frames[jn_instance];
}

// The bones that this vertex' group feels.
fn jn_pair_count() -> u32 {
    return jn_group.pair_count;
}

fn jn_pair_at(k: u32) -> u32 {
    return jn_group.first_pair + k * (1u + JN_WEIGHT_COLUMNS);
}

fn jn_bone(k: u32) -> JnBone {
    return jn_bones[jn_instance * jn_counts.bones + jn_lists[jn_pair_at(k)]];
}

// Of the group's joint i.
fn jn_skin_weight(i: u32) -> f32 {
    let at = jn_group.first_skin_weight + i * jn_group.weight_stride + jn_lane - jn_group.first_lane;
    if (jn_counts.skin_weight_bits == 32u) {
        return bitcast<f32>(jn_weights[at]);
    }
    let two = unpack2x16unorm(jn_weights[at / 2u]);
    return select(two.x, two.y, at % 2u == 1u);
}

// A propagated weight is a sum of skin weights (eq. 8): the word says of which joints, one bit
// each. Where its highest bit is set, the weight is stored, and the rest is its place.
fn jn_weight(k: u32, column: u32) -> f32 {
    let word = jn_lists[jn_pair_at(k) + 1u + column];
    if (word >= 0x80000000u) {
        let lane_in_block = jn_group.first_in_block + jn_lane - jn_group.first_lane;
        return bitcast<f32>(jn_weights[(word & 0x7fffffffu) + lane_in_block]);
    }
    var weight = 0.0;
    for (var left = word; left != 0u; left &= left - 1u) {
        weight += jn_skin_weight(firstTrailingBit(left));
    }
    return weight;
}

fn jn_vertex_row(row: u32) -> f32 {
    return jn_vertex_data[row * jn_counts.lanes + jn_lane];
}

fn jn_vertex_rows(row: u32) -> vec3f {
    return vec3f(jn_vertex_row(row), jn_vertex_row(row + 1u), jn_vertex_row(row + 2u));
}

// A map.
fn jn_vertex_number(row: u32) -> f32 {
    return jn_vertex_row(jn_counts.first_map_row + row);
}

fn jn_bind_position() -> vec3f {
    return jn_vertex_rows(0u);
}

fn jn_bind_normal() -> vec3f {
    return jn_vertex_rows(3u);
}

fn jn_rest_position() -> vec3f {
    return jn_vertex_rows(jn_counts.first_rest_row);
}

fn jn_rest_normal() -> vec3f {
    return jn_vertex_rows(jn_counts.first_rest_row + 3u);
}

fn jn_kept_at(slot: u32, lane: u32) -> f32 {
    return jn_kept_numbers[(jn_instance * jn_counts.kept_slots + slot) * jn_counts.lanes + lane];
}

fn jn_kept(slot: u32) -> f32 {
    return jn_kept_at(slot, jn_lane);
}

fn jn_keep(slot: u32, number: f32) {
    jn_kept_numbers[(jn_instance * jn_counts.kept_slots + slot) * jn_counts.lanes + jn_lane] = number;
}

// The vertices around this one on the surface.
fn jn_neighbour_count() -> u32 {
    let at = jn_counts.first_neighbour_list + jn_lane;
    return jn_lists[at + 1u] - jn_lists[at];
}

// The lane of one of them.
fn jn_neighbour(i: u32) -> u32 {
    return jn_lists[jn_lists[jn_counts.first_neighbour_list + jn_lane] + i];
}

// False in lanes without a vertex.
fn jn_has_vertex() -> bool {
    return jn_lists[jn_counts.first_vertex_of_lane + jn_lane] < jn_counts.vertex_count;
}

// A section has three numbers for each vertex of each instance.
fn jn_write(section: u32, v: vec3f) {
    let own_vertex = jn_lists[jn_counts.first_vertex_of_lane + jn_lane];
    if (own_vertex < jn_counts.vertex_count) {
        let at = 3u * ((section * jn_counts.instances + jn_instance) * jn_counts.vertex_count + own_vertex);
        jn_positions[at] = v.x;
        jn_positions[at + 1u] = v.y;
        jn_positions[at + 2u] = v.z;
    }
}

fn jn_write_position(position: vec3f) {
    jn_write(0u, position);
}
