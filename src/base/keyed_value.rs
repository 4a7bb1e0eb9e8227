//! A number that changes over time, by keys: an amount of a style over a clip.
//!
//! ```text
//!  value   ●───────●            step: stands still until the next key
//!                  │   ╭───●    smooth: no corner at a key, and nothing between two keys beyond both
//!                  ●───╯    ╲   linear
//!                            ●─ after the last key it stays; in a loop it goes on to the first
//! ```
//! The value at a time is a function of that time alone. Between keys a and b, at the share u of the way, it is
//! a + (b − a)·w(u); `smooth` has w = h₀₁ + α·h₁₀ + β·h₁₁ (cubic Hermite), where α and β are the slopes at both
//! ends in units of the slope from a to b. They are 0 where the neighbour goes the other way or stands still, the
//! weighted harmonic mean where it is smooth too (Fritsch and Butland 1984), and never above 3: so w rises from 0
//! to 1 without turning back.

use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A time this close to a key is at the key. Frames are counted in double precision, the lengths of clips are
/// stored in single: up to two minutes into a clip they differ by less.
pub const AT_KEY_SECS: f64 = 1e-5;

/// How far from a key is still at it: later in a clip single precision is coarser than [`AT_KEY_SECS`].
pub fn at_key_secs(key_secs: f64) -> f64 {
    AT_KEY_SECS.max(key_secs.abs() * f64::from(f32::EPSILON))
}

/// The keys of one clip, by the parameter's name.
pub type ClipKeys = BTreeMap<String, KeyedValue>;

/// The keys of a document, by the clip's name.
pub type MotionKeys = BTreeMap<String, ClipKeys>;

/// From a key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyInterpolation {
    Linear,
    #[default]
    Smooth,
    Step,
}

impl KeyInterpolation {
    pub const ALL: [KeyInterpolation; 3] =
        [KeyInterpolation::Smooth, KeyInterpolation::Linear, KeyInterpolation::Step];

    pub fn name(self) -> &'static str {
        match self {
            KeyInterpolation::Linear => "linear",
            KeyInterpolation::Smooth => "smooth",
            KeyInterpolation::Step => "step",
        }
    }
}

/// A number or three, as a file has them. One number counts for all three of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum KeyNumber {
    Float(f64),
    Vec3([f64; 3]),
}

impl KeyNumber {
    pub fn components(self) -> [f64; 3] {
        match self {
            KeyNumber::Float(x) => [x; 3],
            KeyNumber::Vec3(v) => v,
        }
    }

    pub fn is_finite(self) -> bool {
        self.components().into_iter().all(f64::is_finite)
    }
}

impl<'de> Deserialize<'de> for KeyNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KeyNumber, D::Error> {
        struct Numbers;

        impl<'de> Visitor<'de> for Numbers {
            type Value = KeyNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or [x, y, z]")
            }

            fn visit_f64<E: de::Error>(self, x: f64) -> Result<KeyNumber, E> {
                Ok(KeyNumber::Float(x))
            }

            fn visit_i64<E: de::Error>(self, x: i64) -> Result<KeyNumber, E> {
                Ok(KeyNumber::Float(x as f64))
            }

            fn visit_u64<E: de::Error>(self, x: u64) -> Result<KeyNumber, E> {
                Ok(KeyNumber::Float(x as f64))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<KeyNumber, A::Error> {
                let mut numbers = [0.0; 3];
                for (place, number) in numbers.iter_mut().enumerate() {
                    let next = list.next_element()?;
                    *number = next.ok_or_else(|| de::Error::invalid_length(place, &self))?;
                }
                match list.next_element::<de::IgnoredAny>()? {
                    None => Ok(KeyNumber::Vec3(numbers)),
                    Some(_) => Err(de::Error::invalid_length(4, &self)),
                }
            }
        }

        deserializer.deserialize_any(Numbers)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueKey {
    /// In the time of the clip.
    #[serde(rename = "time")]
    pub time_secs: f64,
    pub value: KeyNumber,
    /// To the next key.
    #[serde(default)]
    pub interpolation: KeyInterpolation,
}

/// Keys in the order of their times, no two at one. See [`KeyedValue::fault`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyedValue {
    pub keys: Vec<ValueKey>,
}

/// What keys must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFault {
    None,
    NotFinite,
    BeforeStart,
    Order,
}

impl KeyedValue {
    /// What is wrong with keys from anywhere; nothing else here is to be trusted before.
    pub fn fault(&self) -> Option<KeyFault> {
        let is_finite = |key: &ValueKey| key.time_secs.is_finite() && key.value.is_finite();
        if self.keys.is_empty() {
            return Some(KeyFault::None);
        }
        if !self.keys.iter().all(is_finite) {
            return Some(KeyFault::NotFinite);
        }
        if self.keys.iter().any(|key| key.time_secs < 0.0) {
            return Some(KeyFault::BeforeStart);
        }
        let is_in_order = self.keys.is_sorted_by(|a, b| a.time_secs < b.time_secs);
        (!is_in_order).then_some(KeyFault::Order)
    }

    /// At a time of the clip. `round_secs`: of a loop, how long it is. Then the value goes on from the last key to
    /// the first of the next round, and keys beyond the end of the loop do not count; otherwise it stays as it is
    /// before the first key and after the last. Without keys, nothing is known.
    pub fn at(&self, time_secs: f64, round_secs: Option<f64>) -> Option<KeyNumber> {
        let curve = Curve::new(&self.keys, round_secs)?;
        let place = curve.place(if time_secs.is_finite() { time_secs } else { 0.0 });
        Some(match curve.is_vector(&place) {
            true => KeyNumber::Vec3([0, 1, 2].map(|axis| curve.value(&place, axis))),
            false => KeyNumber::Float(curve.value(&place, 0)),
        })
    }

    /// The key that is at a time, as far as anybody can tell.
    pub fn key_at(&self, time_secs: f64) -> Option<usize> {
        let is_at =
            |key: &ValueKey| (key.time_secs - time_secs).abs() <= at_key_secs(key.time_secs);
        self.keys.iter().position(is_at)
    }

    /// With a key there, in place of one that was. A new one goes on like the key before it.
    pub fn with_key(&self, time_secs: f64, value: KeyNumber) -> KeyedValue {
        let mut keys = self.keys.clone();
        if let Some(place) = self.key_at(time_secs) {
            keys[place].value = value;
            return KeyedValue { keys };
        }
        let place = keys.partition_point(|key| key.time_secs < time_secs);
        let like = place.checked_sub(1).or((!keys.is_empty()).then_some(0));
        let interpolation =
            like.map_or_else(KeyInterpolation::default, |it| keys[it].interpolation);
        keys.insert(place, ValueKey { time_secs, value, interpolation });
        KeyedValue { keys }
    }

    /// Without one of them.
    pub fn without_key(&self, place: usize) -> KeyedValue {
        let mut keys = self.keys.clone();
        if place < keys.len() {
            keys.remove(place);
        }
        KeyedValue { keys }
    }

    /// One of them at another time, where it takes the place of one that is there.
    pub fn with_key_moved(&self, place: usize, time_secs: f64) -> KeyedValue {
        let Some(&key) = self.keys.get(place) else { return self.clone() };
        let rest = self.without_key(place);
        let rest = rest.key_at(time_secs).map_or(rest.clone(), |taken| rest.without_key(taken));
        let mut keys = rest.keys;
        let place = keys.partition_point(|key| key.time_secs < time_secs);
        keys.insert(place, ValueKey { time_secs, ..key });
        KeyedValue { keys }
    }

    pub fn with_interpolation(&self, place: usize, interpolation: KeyInterpolation) -> KeyedValue {
        let mut keys = self.keys.clone();
        if let Some(key) = keys.get_mut(place) {
            key.interpolation = interpolation;
        }
        KeyedValue { keys }
    }
}

/// Keys as they are played: of a loop without end, those of all rounds.
struct Curve<'a> {
    keys: &'a [ValueKey],
    round_secs: Option<f64>,
}

/// Where a time falls.
enum Place {
    /// On a key, or outside of them all.
    Still(isize),
    /// After a key, at the share in [0, 1] of the way to the next.
    After { key: isize, share: f64 },
}

impl<'a> Curve<'a> {
    fn new(keys: &'a [ValueKey], round_secs: Option<f64>) -> Option<Curve<'a>> {
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

    fn place(&self, time_secs: f64) -> Place {
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

    fn is_vector(&self, place: &Place) -> bool {
        let is_vector = |key: isize| matches!(self.number(key), KeyNumber::Vec3(_));
        match *place {
            Place::Still(key) => is_vector(key),
            Place::After { key, .. } => is_vector(key) || is_vector(key + 1),
        }
    }

    fn value(&self, place: &Place, axis: usize) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(keys: &[(f64, f64, KeyInterpolation)]) -> KeyedValue {
        let key = |&(time_secs, value, interpolation): &(f64, f64, KeyInterpolation)| ValueKey {
            time_secs,
            value: KeyNumber::Float(value),
            interpolation,
        };
        KeyedValue { keys: keys.iter().map(key).collect() }
    }

    fn number(curve: &KeyedValue, time_secs: f64, round_secs: Option<f64>) -> f64 {
        curve.at(time_secs, round_secs).unwrap().components()[0]
    }

    use KeyInterpolation::{Linear, Smooth, Step};

    /// Numbers that look random and are the same each time.
    fn numbers(seed: u64) -> impl Iterator<Item = f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        })
    }

    fn random(seed: u64, kinds: &[KeyInterpolation]) -> KeyedValue {
        let mut numbers = numbers(seed);
        let mut next = || numbers.next().unwrap_or_default();
        let (mut time_secs, count) = (next() * 0.2, 2 + (next() * 5.0) as usize);
        let mut keys = Vec::new();
        for _ in 0..count {
            let kind = kinds[(next() * kinds.len() as f64) as usize];
            // Now and then two keys have one value.
            keys.push((time_secs, (next() * 6.0).floor() - 2.0, kind));
            time_secs += 0.02 + next() * 0.4;
        }
        curve(&keys)
    }

    #[test]
    fn each_kind_of_key_leads_to_the_next_in_its_own_way() {
        let line = curve(&[(0.5, 1.0, Linear), (1.5, 3.0, Linear)]);
        for (time, expected) in [(0.0, 1.0), (0.5, 1.0), (0.75, 1.5), (1.5, 3.0), (9.0, 3.0)] {
            assert_eq!(number(&line, time, None), expected, "{time}");
        }
        let step = curve(&[(0.5, 1.0, Step), (1.5, 3.0, Step)]);
        for (time, expected) in [(0.0, 1.0), (1.49, 1.0), (1.5 - 1e-7, 3.0), (1.5, 3.0)] {
            assert_eq!(number(&step, time, None), expected, "{time}");
        }
        let smooth = curve(&[(0.0, 0.0, Smooth), (1.0, 1.0, Smooth)]);
        for (time, expected) in [(0.0, 0.0), (0.25, 0.15625), (0.5, 0.5), (1.0, 1.0)] {
            assert_eq!(number(&smooth, time, None), expected, "{time}");
        }
        // What goes on in the same direction does not stop on its way.
        let on = curve(&[(0.0, 0.0, Smooth), (1.0, 1.0, Smooth), (2.0, 2.0, Smooth)]);
        let slope = (number(&on, 1.001, None) - number(&on, 0.999, None)) / 0.002;
        assert!((slope - 1.0).abs() < 2e-3, "{slope}");
    }

    #[test]
    fn smooth_curves_have_no_corners_and_never_turn_back_between_keys() {
        const H: f64 = 1e-6;
        for seed in 1..300 {
            let curve = random(seed, &[Smooth]);
            let last_secs = curve.keys.last().unwrap().time_secs;
            for round_secs in [None, Some(last_secs + 0.1)] {
                let at = |time_secs: f64| {
                    let wrapped = round_secs.map_or(time_secs, |secs| time_secs.rem_euclid(secs));
                    number(&curve, wrapped, round_secs)
                };
                for key in &curve.keys {
                    let t = key.time_secs;
                    let slopes = [(at(t) - at(t - H)) / H, (at(t + H) - at(t)) / H];
                    // The second derivative is bounded by the steepest segment over its length.
                    assert!((slopes[0] - slopes[1]).abs() < 0.5, "{seed} {t} {slopes:?}");
                }
                assert!((at(0.0) - at(round_secs.unwrap_or(0.0) - 1e-9)).abs() < 1e-5, "{seed}");
            }
        }
        for seed in 1..300 {
            let curve = random(seed, &[Smooth, Linear, Step]);
            for pair in curve.keys.windows(2) {
                let [a, b] = [0, 1].map(|place| pair[place].value.components()[0]);
                let (mut before, length) = (a, pair[1].time_secs - pair[0].time_secs);
                for step in 0..200 {
                    let now =
                        number(&curve, pair[0].time_secs + length * f64::from(step) / 200.0, None);
                    assert!(now >= a.min(b) && now <= a.max(b), "{seed}");
                    assert!((now - before) * (b - a) >= -1e-12, "{seed}: {before} {now}");
                    before = now;
                }
            }
        }
    }

    #[test]
    fn a_loop_leads_from_its_last_key_to_its_first() {
        let two = curve(&[(0.25, 0.0, Linear), (0.75, 2.0, Linear)]);
        let at = |time_secs| number(&two, time_secs, Some(1.0));
        for (time, expected) in [(0.25, 0.0), (0.5, 1.0), (0.75, 2.0), (0.875, 1.5), (0.0, 1.0)] {
            assert_eq!(at(time), expected, "{time}");
        }
        assert!((at(1.0 - 1e-12) - at(0.0)).abs() < 1e-9, "no seam");
        // Keys at both ends are two values of one moment, and what lies beyond the end is never reached.
        let ends = curve(&[(0.0, 1.0, Linear), (1.0, 5.0, Linear), (3.0, 9.0, Linear)]);
        assert_eq!([number(&ends, 0.0, Some(1.0)), number(&ends, 1.0, Some(1.0))], [1.0, 5.0]);
        assert_eq!(number(&ends, 0.5, Some(1.0)), 3.0);
        let beyond = curve(&[(3.0, 9.0, Linear), (4.0, 1.0, Linear)]);
        assert_eq!(number(&beyond, 0.5, Some(1.0)), 9.0);
        assert_eq!(number(&curve(&[(0.3, 7.0, Smooth)]), 0.9, Some(1.0)), 7.0);
        // A jump at the start is past it, whatever rounding makes of the end of the round before.
        let jump = curve(&[(0.0, 1.0, Step), (0.5, 0.0, Step)]);
        assert_eq!(number(&jump, 1.0 - 1e-9, Some(1.0)), 1.0);
    }

    #[test]
    fn numbers_at_the_end_of_all_numbers_stay_numbers() {
        let far = [f64::MAX, -f64::MAX, 5e-324, 0.0, -0.0, 1e300];
        for kind in [Linear, Smooth, Step] {
            let keys: Vec<_> =
                far.iter().enumerate().map(|(i, x)| (i as f64 * 5e-324, *x, kind)).collect();
            let apart: Vec<_> =
                far.iter().enumerate().map(|(i, x)| (i as f64 * 1e307, *x, kind)).collect();
            for curve in [curve(&keys), curve(&apart)] {
                assert_eq!(curve.fault(), None);
                for time in [0.0, 5e-324, 1e-3, 1e306, f64::MAX, f64::NAN, f64::INFINITY, -1.0] {
                    for round in [None, Some(1.0), Some(1e307), Some(0.0), Some(f64::NAN)] {
                        assert!(
                            number(&curve, time, round).is_finite(),
                            "{kind:?} {time} {round:?}"
                        );
                    }
                }
            }
        }
        assert_eq!(KeyedValue::default().at(0.0, None), None);
    }

    #[test]
    fn keys_are_set_moved_and_removed() {
        let float = KeyNumber::Float;
        let one = KeyedValue::default().with_key(0.5, float(1.0));
        let two = one.with_key(0.25, float(2.0)).with_key(0.5, float(3.0));
        let times = |it: &KeyedValue| it.keys.iter().map(|key| key.time_secs).collect::<Vec<_>>();
        assert_eq!(times(&two), [0.25, 0.5]);
        assert_eq!(two.keys[1].value, float(3.0), "in place of what was there");
        let stepped = two.with_interpolation(0, Step);
        assert_eq!(stepped.with_key(0.3, float(0.0)).keys[1].interpolation, Step, "as before it");
        let moved = stepped.with_key_moved(0, 0.75);
        assert_eq!(times(&moved), [0.5, 0.75]);
        assert_eq!(moved.keys[1].interpolation, Step);
        assert_eq!(times(&stepped.with_key_moved(0, 0.5)), [0.5], "it takes the other's place");
        assert_eq!(times(&stepped.without_key(1)), [0.25]);
        for odd in [stepped.without_key(9), stepped.with_key_moved(9, 1.0)] {
            assert_eq!(odd, stepped);
        }
    }

    #[test]
    fn a_vector_is_three_curves() {
        let keys = vec![
            ValueKey { time_secs: 0.0, value: KeyNumber::Float(1.0), interpolation: Linear },
            ValueKey {
                time_secs: 1.0,
                value: KeyNumber::Vec3([3.0, 1.0, -1.0]),
                interpolation: Linear,
            },
        ];
        let middle = KeyedValue { keys }.at(0.5, None);
        assert_eq!(middle, Some(KeyNumber::Vec3([2.0, 1.0, 0.0])));
    }

    #[test]
    fn what_no_curve_may_be_is_said() {
        let faults = [
            (vec![], KeyFault::None),
            (vec![(f64::NAN, 1.0)], KeyFault::NotFinite),
            (vec![(0.0, f64::INFINITY)], KeyFault::NotFinite),
            (vec![(-0.5, 1.0), (0.0, 1.0)], KeyFault::BeforeStart),
            (vec![(0.5, 1.0), (0.25, 1.0)], KeyFault::Order),
            (vec![(0.5, 1.0), (0.5, 1.0)], KeyFault::Order),
        ];
        for (keys, fault) in faults {
            let keys: Vec<_> = keys.into_iter().map(|(t, x)| (t, x, Smooth)).collect();
            assert_eq!(curve(&keys).fault(), Some(fault));
        }
    }
}
