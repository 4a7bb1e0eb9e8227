//! The last pass over values: dead code goes, a·b + c becomes one operation.

use super::builder::Entry;
use super::op::{Binary, Op, Ternary, Value};

/// Keeps what `roots` need, in the same order, and fuses multiplications that only an addition of
/// the same rate uses: one of a lower rate is computed less often where it is.
///
/// Gives back where everything stands now; only what is needed has a place.
pub(super) fn fuse_multiply_add(
    mut entries: Vec<Entry>,
    roots: &[Value],
) -> (Vec<Entry>, Vec<Value>) {
    let uses = count_uses(&entries, roots);
    for place in 0..entries.len() {
        let Op::Binary(Binary::Add, a, b) = entries[place].op else {
            continue;
        };
        let product = |value: Value| {
            let entry = &entries[value.index()];
            match entry.op {
                Op::Binary(Binary::Mul, x, y)
                    if uses[value.index()] == 1 && entry.rate == entries[place].rate =>
                {
                    Some((x, y))
                }
                _ => None,
            }
        };
        if let Some((x, y)) = product(a) {
            entries[place].op = Op::Ternary(Ternary::Fma, x, y, b);
        } else if let Some((x, y)) = product(b) {
            entries[place].op = Op::Ternary(Ternary::Fma, x, y, a);
        }
    }
    keep_needed(entries, roots)
}

fn count_uses(entries: &[Entry], roots: &[Value]) -> Vec<u32> {
    let mut uses = vec![0; entries.len()];
    roots.iter().for_each(|root| uses[root.index()] += 1);
    for place in (0..entries.len()).rev() {
        if uses[place] > 0 {
            entries[place].op.operands().for_each(|operand| uses[operand.index()] += 1);
        }
    }
    uses
}

fn keep_needed(entries: Vec<Entry>, roots: &[Value]) -> (Vec<Entry>, Vec<Value>) {
    let uses = count_uses(&entries, roots);
    let mut new_place = vec![Value(0); entries.len()];
    let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
    for (place, mut entry) in entries.into_iter().enumerate() {
        if uses[place] > 0 {
            entry.op = entry.op.map_operands(|operand| new_place[operand.index()]);
            new_place[place] = Value(kept.len() as u32);
            kept.push(entry);
        }
    }
    (kept, new_place)
}
