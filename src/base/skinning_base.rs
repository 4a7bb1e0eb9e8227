//! The two ways of skinning that everything else is added to.

/// How the bones' transforms are blended at a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// Linear blend skinning: the average of the matrices.
    #[default]
    Lbs,
    /// Dual quaternion skinning (Kavan 2007): keeps the volume of twisted and bent limbs.
    Dqs,
}

impl Base {
    pub fn name(self) -> &'static str {
        match self {
            Base::Lbs => "lbs",
            Base::Dqs => "dqs",
        }
    }
}
