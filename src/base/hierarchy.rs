//! Whom bones move relative to.

/// Whose parents the bones of a character have: velocities, propagated weights and centroids follow from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hierarchy {
    /// The file's: the nearest bone above. What the papers mean.
    #[default]
    File,
    /// How the body hangs together and moves, as far as the file's is not that, or as the settings of the
    /// character have it.
    Motion,
}

impl Hierarchy {
    pub const ALL: [Hierarchy; 2] = [Hierarchy::File, Hierarchy::Motion];

    pub fn name(self) -> &'static str {
        match self {
            Hierarchy::File => "file",
            Hierarchy::Motion => "motion",
        }
    }
}
