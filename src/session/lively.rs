//! The moments of a motion at which a style shows most, for pictures that stand for all of it.

use glam::Vec3;

/// How much it counts that a moment differs from the one shown before it, beside how much is displaced at it: in
/// a motion that repeats itself, the strongest moments are all alike.
const DIFFERENCE: f64 = 0.7;

/// Which of some moments to show, in the order of time: each part of the motion has one. Together they displace
/// as much as can be and differ as much as can be, but no two are nearer than half of an even spacing.
/// `displacements` are those of the same vertices at moments that are evenly spread. As many as are wanted, or all
/// where there are no more.
pub fn lively_moments(displacements: &[Vec<Vec3>], wanted: usize) -> Vec<usize> {
    let (count, wanted) = (displacements.len(), wanted.min(displacements.len()));
    if wanted == 0 {
        return Vec::new();
    }
    let start = |part: usize| part * count / wanted;
    let least_gap = (count / wanted).div_ceil(2).max(1);
    let lively = |moment: usize| norm(displacements[moment].iter().copied());
    let difference = |a: usize, b: usize| {
        let pairs = displacements[a].iter().zip(&displacements[b]);
        DIFFERENCE * norm(pairs.map(|(a, b)| *a - *b))
    };
    // best[m]: the most that moments up to m come to, if m is the one of its part; and the one before it.
    let mut best: Vec<(f64, usize)> = (0..count).map(|moment| (lively(moment), moment)).collect();
    for part in 1..wanted {
        for moment in start(part)..start(part + 1) {
            let before = (start(part - 1)..start(part)).filter(|other| other + least_gap <= moment);
            let sum = |before: usize| best[before].0 + difference(before, moment);
            // The earliest of equal ones.
            let before = before.rev().max_by(|a, b| sum(*a).total_cmp(&sum(*b)));
            best[moment] = match before {
                Some(before) => (sum(before) + lively(moment), before),
                None => (f64::NEG_INFINITY, moment),
            };
        }
    }
    let last = start(wanted - 1)..count;
    let Some(mut at) = last.rev().max_by(|a, b| best[*a].0.total_cmp(&best[*b].0)) else {
        return Vec::new();
    };
    let mut chosen = vec![at];
    while chosen.len() < wanted {
        at = best[at].1;
        chosen.push(at);
    }
    chosen.reverse();
    chosen
}

/// √ Σ |v|²; 0 for what is not finite.
fn norm(vectors: impl Iterator<Item = Vec3>) -> f64 {
    let sum: f64 = vectors.map(|vector| f64::from(vector.length_squared())).sum();
    if sum.is_finite() { sum.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One vertex that is displaced so far along X.
    fn moments(displacements: impl IntoIterator<Item = f32>) -> Vec<Vec<Vec3>> {
        displacements.into_iter().map(|x| vec![Vec3::X * x]).collect()
    }

    #[test]
    fn each_part_shows_its_liveliest_moment() {
        let mut displacements = [0.0; 40];
        // To and fro: peaks that are all alike would not be worth showing one after the other.
        for (peak, x) in [(3, 1.0), (16, -1.0), (22, 1.0), (39, -1.0)] {
            displacements[peak] = x;
        }
        assert_eq!(lively_moments(&moments(displacements), 4), [3, 16, 22, 39]);
        assert_eq!(lively_moments(&moments(displacements), 1), [3], "the first of equal ones");
        displacements[30] = -2.0;
        assert_eq!(lively_moments(&moments(displacements), 1), [30]);
    }

    #[test]
    fn a_beat_is_shown_from_both_sides() {
        // Up is a little stronger than down; still not all moments are up.
        let beat = |moment: i32| if moment % 4 < 2 { 1.0 } else { -0.8 };
        let displacements = moments((0..48).map(beat));
        let chosen = lively_moments(&displacements, 6);
        let up = chosen.iter().filter(|&&moment| moment % 4 < 2).count();
        assert_eq!(up, 3, "{chosen:?}");
    }

    #[test]
    fn no_two_are_nearly_the_same_moment() {
        // A peak on the border of two parts: only one of them gets it.
        let peak = |moment: i32| 1.0 / (1.0 + (moment - 10).abs() as f32);
        let chosen = lively_moments(&moments((0..20).map(peak)), 2);
        assert!(chosen[1] - chosen[0] >= 5, "{chosen:?}");
        assert!(chosen.contains(&10), "{chosen:?}");
    }

    #[test]
    fn where_nothing_is_lively_they_are_even() {
        for odd in [0.0, f32::NAN, f32::INFINITY] {
            assert_eq!(lively_moments(&moments([odd; 12]), 4), [0, 3, 6, 9]);
        }
        assert_eq!(lively_moments(&moments([1.0; 3]), 8), [0, 1, 2]);
        assert!(lively_moments(&[], 3).is_empty() && lively_moments(&moments([1.0]), 0).is_empty());
    }
}
