//! Animation as the file stores it: keys. `motion` says what they mean between keys.

/// What a track drives in its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    Translation,
    /// Unit quaternion xyzw.
    Rotation,
    Scale,
    MorphWeights,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    Step,
    /// Straight lines; along the shorter arc for rotations.
    Linear,
    /// Hermite; each key holds in-tangent, value, out-tangent.
    CubicSpline,
}

/// Keys of `width` numbers each (three times as many for `CubicSpline`), at times that never
/// decrease. Two keys at one time are a jump. There is at least one key.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys {
    pub interpolation: Interpolation,
    pub width: usize,
    pub times_secs: Vec<f32>,
    pub values: Vec<f32>,
}

impl Keys {
    /// The value of a key, without its tangents.
    pub fn value(&self, key: usize) -> &[f32] {
        let slot = match self.interpolation {
            Interpolation::CubicSpline => 3 * key + 1,
            Interpolation::Step | Interpolation::Linear => key,
        };
        &self.values[slot * self.width..(slot + 1) * self.width]
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    pub node: usize,
    pub property: Property,
    pub keys: Keys,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    pub name: String,
    pub tracks: Vec<Track>,
}

impl Clip {
    /// Nothing moves.
    pub fn rest() -> Clip {
        Clip { name: "rest".to_owned(), tracks: Vec::new() }
    }

    /// The time of the last key of all tracks.
    pub fn duration_secs(&self) -> f64 {
        self.tracks
            .iter()
            .filter_map(|track| track.keys.times_secs.last())
            .fold(0.0, |longest, &last| longest.max(f64::from(last)))
    }
}
