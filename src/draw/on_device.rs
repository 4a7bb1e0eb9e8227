//! Vertices that never left the device they were computed on.

use std::any::Any;

/// Some vertices on a device. Only the code that computed them and the code that draws there know what
/// they are.
#[derive(Clone, Copy, Debug)]
pub struct OnDevice<'a> {
    pub vertices: &'a (dyn Any + Send + Sync),
    /// Which of the moments that were computed together.
    pub moment: usize,
}
