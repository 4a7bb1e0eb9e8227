// What each frame brings, where it is small enough to be read as uniforms, which is faster. The numbers
// are what 64 KiB hold.

// One per instance.
@group(0) @binding(1) var<uniform> jn_frames: array<JnFrame, JN_MOST_FRAMES>;
// Per instance one row for each bone.
@group(0) @binding(2) var<uniform> jn_bones: array<JnBone, JN_MOST_BONES>;
// Per instance and joint JOINT_LAYOUT.
@group(0) @binding(3) var<uniform> jn_joints: array<vec4f, 4096>;
