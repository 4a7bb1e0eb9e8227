//! Clips and live motion → the pose and the velocity of every bone at any time.
//!
//! ```text
//!  keys ─► sample ─► joint (local transforms, and each bone relative to its parent) ─► Pose
//!                      │
//!                      └► velocity (analytic, or the mean over a window) ─► BoneMotion per bone
//!  hand ─► live ────────────────────────────────────────────────────────┘
//!  test_motion makes clips, retarget borrows them from another file
//! ```
//! Velocities are those of a bone *relative to its parent*, expressed in the scene (`method.md`):
//! v_j = P · d/dt(relative translation), with P the linear part of the parent's transform, scale
//! included; ω_j = rot(P) · (relative angular velocity). All of it is f64.
//!
//! The result at time t is a function of t alone: nothing here remembers the last frame, except
//! [`live`], where there is no other way.

pub mod frames;
pub mod joint;
pub mod live;
pub mod playback;
pub mod retarget;
pub mod sample;
pub mod test_motion;
pub mod velocity;

pub use frames::{FrameRange, Frames, TooManyFrames};
pub use live::LiveMotion;
pub use playback::{BeforeStart, Ending, Playback};
pub use test_motion::{TestMotion, TestMotionKind};
pub use velocity::{BoneMotion, Player};
