//! What took long to compute, kept for next time.

/// A place for bytes under a name. The program brings one along that keeps files; without one, things are
/// computed again.
pub trait KeptResults: Send + Sync {
    /// The bytes under this name; none where nothing is kept, or more than so many bytes.
    fn get(&self, name: &str, most_bytes: usize) -> Option<Vec<u8>>;

    /// Where nothing can be kept, nothing happens.
    fn put(&self, name: &str, bytes: &[u8]);
}
