//! Vertices that never left the device they were computed on.

use std::any::Any;

/// Some vertices on a device. What they are is known to who computed them and who draws there, and to
/// nobody else.
#[derive(Clone, Copy, Debug)]
pub struct OnDevice<'a> {
    pub vertices: &'a (dyn Any + Send + Sync),
    /// Which of the moments that were computed together.
    pub moment: usize,
}
