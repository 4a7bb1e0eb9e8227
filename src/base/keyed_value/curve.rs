//! What a keyed number is between its keys.
//!
//! Between keys a and b, at the share u of the way, it is
//! a + (b − a)·w(u); `smooth` has w = h₀₁ + α·h₁₀ + β·h₁₁ (cubic Hermite), where α and β are the slopes at both
//! ends in units of the slope from a to b. They are 0 where the neighbour goes the other way or stands still, the
//! weighted harmonic mean where it is smooth too (Fritsch and Butland 1984), and never above 3: so w rises from 0
//! to 1 without turning back.

use super::{KeyInterpolation, KeyNumber, ValueKey, at_key_secs};

/// Keys as they are played: of a loop without end, those of all rounds.
pub struct Curve<'a> {
    keys: &'a [ValueKey],
    round_secs: Option<f64>,
}

/// Where a time falls.
pub enum Place {
    /// On a key, or outside of them all.
    Still(isize),
    /// After a key, at the share in [0, 1] of the way to the next.
    After { key: isize, share: f64 },
}

impl<'a> Curve<'a> {
    pub fn new(keys: &'a [ValueKey], round_secs: Option<f64>) -> Option<Curve<'a>> {
        let round_secs = round_secs.filter(|secs| *secs > 0.0 && secs.is_finite());
        let within = |round_secs: f64| keys.partition_point(|key| key.time_secs <= round_secs);
        // A loop that ends before its first key has that.
        let count = round_secs.map_or(keys.len(), |secs| within(secs).max(1));
        let keys = keys.get(..count)?;
        let round_secs = round_secs.filter(|_| keys.len() > 1);
        (!keys.is_empty()).then_some(Curve { keys, round_secs })
    }

    /// The key's time; before the first and after the last those of other rounds. None where there is none.
    fn key(&self, place: isize) -> Option<(f64, &ValueKey)> {
        let count = self.keys.len() as isize;
        let key = &self.keys[place.rem_euclid(count) as usize];
        match (place.div_euclid(count), self.round_secs) {
            (0, _) => Some((key.time_secs, key)),
            (_, None) => None,
            (round, Some(secs)) => Some((key.time_secs + round as f64 * secs, key)),
        }
    }

    pub fn place(&self, time_secs: f64) -> Place {
        let last = self.keys.len() as isize - 1;
        let key = self.keys.partition_point(|key| key.time_secs <= time_secs) as isize - 1;
        let (Some((from_secs, from)), Some((to_secs, _))) = (self.key(key), self.key(key + 1))
        else {
            return Place::Still(key.clamp(0, last));
        };
        // What jumps at a key is past the jump there: rounding must not show what was before.
        if from.interpolation == KeyInterpolation::Step {
            let is_next = time_secs >= to_secs - at_key_secs(to_secs);
            return Place::Still(if is_next { key + 1 } else { key });
        }
        match to_secs - from_secs {
            length if length > 0.0 => {
                Place::After { key, share: ((time_secs - from_secs) / length).clamp(0.0, 1.0) }
            }
            _ => Place::Still(key),
        }
    }

    /// A key of any round.
    fn number(&self, place: isize) -> KeyNumber {
        self.keys[place.rem_euclid(self.keys.len() as isize) as usize].value
    }

    pub fn is_vector(&self, place: &Place) -> bool {
        let is_vector = |key: isize| matches!(self.number(key), KeyNumber::Vec3(_));
        match *place {
            Place::Still(key) => is_vector(key),
            Place::After { key, .. } => is_vector(key) || is_vector(key + 1),
        }
    }

    pub fn value(&self, place: &Place, axis: usize) -> f64 {
        let number = |key: isize| self.number(key).components()[axis];
        let (key, share) = match *place {
            Place::Still(key) => return number(key),
            Place::After { key, share } => (key, share),
        };
        let (from, to) = (number(key), number(key + 1));
        let weight = self.weight(key, share, axis);
        let value = match to - from {
            way if way.is_finite() => from + way * weight,
            // From one end of all numbers to the other.
            _ => from * (1.0 - weight) + to * weight,
        };
        value.max(from.min(to)).min(from.max(to))
    }

    /// How much of the way to the next key is gone; 0 to 1.
    fn weight(&self, key: isize, u: f64, axis: usize) -> f64 {
        let Some(segment) = self.segment(key, axis) else { return 0.0 };
        if segment.interpolation == KeyInterpolation::Linear {
            return u;
        }
        let before = segment.slope_beside(self.segment(key - 1, axis));
        let after = segment.slope_beside(self.segment(key + 1, axis));
        let v = 1.0 - u;
        (u * u * (3.0 - 2.0 * u) + before * u * v * v - after * u * u * v).clamp(0.0, 1.0)
    }

    fn segment(&self, key: isize, axis: usize) -> Option<Segment> {
        let ((from_secs, from), (to_secs, to)) = (self.key(key)?, self.key(key + 1)?);
        let way = to.value.components()[axis] - from.value.components()[axis];
        let length_secs = to_secs - from_secs;
        Some(Segment { interpolation: from.interpolation, way, length_secs })
    }
}

/// From one key to the next.
struct Segment {
    interpolation: KeyInterpolation,
    way: f64,
    length_secs: f64,
}

impl Segment {
    /// Of a smooth one, the slope at the key that it shares with its neighbour, in units of its own mean slope: 0
    /// to 3. Without a neighbour the value stands still there.
    fn slope_beside(&self, neighbour: Option<Segment>) -> f64 {
        let Some(other) = neighbour else { return 0.0 };
        // The neighbour's slope in units of our own.
        let ratio = (other.way / self.way) * (self.length_secs / other.length_secs);
        let is_onward = ratio > 0.0 && ratio.is_finite() && other.length_secs > 0.0;
        match other.interpolation {
            _ if !is_onward => 0.0,
            KeyInterpolation::Step => 0.0,
            KeyInterpolation::Linear => ratio.min(3.0),
            KeyInterpolation::Smooth => {
                let total = self.length_secs + other.length_secs;
                let (own, others) = (total + other.length_secs, total + self.length_secs);
                (own + others) / (own + others / ratio)
            }
        }
    }
}
