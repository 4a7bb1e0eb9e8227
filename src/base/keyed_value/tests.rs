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
                    assert!(number(&curve, time, round).is_finite(), "{kind:?} {time} {round:?}");
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
        (vec![], KeyFault::Empty),
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
