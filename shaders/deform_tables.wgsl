// What each frame brings, for any number of bones and instances.

// One per instance.
@group(0) @binding(1) var<storage, read> jn_frames: array<JnFrame>;
// Per instance one row for each bone.
@group(0) @binding(2) var<storage, read> jn_bones: array<JnBone>;
// Per instance and joint JOINT_LAYOUT.
@group(0) @binding(3) var<storage, read> jn_joints: array<vec4f>;
