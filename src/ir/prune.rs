//! Entries of the tables that no value refers to any more are dropped, the rest renumbered.

use super::builder::Entry;
use super::op::Op;
use super::op::Value;
use super::program::{Memory, Tables};

pub(super) fn prune(entries: &mut [Entry], tables: &mut Tables, memory: &mut Memory) {
    // Sliders that people see stay, even if nothing depends on them at the moment.
    let exposed: Vec<bool> = tables.parameters.iter().map(|p| p.exposed.is_some()).collect();
    let shown = |place: u32| exposed[place as usize];
    let none = |_: u32| false;
    renumber(entries, &mut tables.parameters, shown, |op| match op {
        Op::Parameter(place, _) => Some(place),
        _ => None,
    });
    renumber(entries, &mut tables.maps, none, |op| match op {
        Op::Map(place) | Op::MapIsThere(place) => Some(place),
        _ => None,
    });
    renumber(entries, &mut tables.bone_tables, none, |op| match op {
        Op::BoneTable(place) | Op::BoneTableIsSet(place) => Some(place),
        _ => None,
    });
    renumber(entries, &mut tables.bone_sets, none, |op| match op {
        Op::BoneSet(place) => Some(place),
        _ => None,
    });
    renumber(entries, &mut tables.columns, none, |op| match op {
        Op::Weight(place) | Op::Sum { column: place, .. } => Some(place),
        _ => None,
    });
    let used = renumber(entries, &mut tables.states, none, |op| match op {
        Op::State(place) => Some(place),
        _ => None,
    });
    keep_used(&mut memory.initial, &used);
    keep_used(&mut memory.next, &used);
    let used = renumber(entries, &mut tables.histories, none, |op| match op {
        Op::Ago { history: place, .. } => Some(place),
        _ => None,
    });
    keep_used(&mut memory.recorded, &used);
}

fn keep_used(values: &mut Vec<Value>, used: &[bool]) {
    let mut used = used.iter();
    values.retain(|_| used.next() == Some(&true));
}

/// Says which entries are used.
fn renumber<T>(
    entries: &mut [Entry],
    table: &mut Vec<T>,
    keep: impl Fn(u32) -> bool,
    place_in: impl Fn(&mut Op) -> Option<&mut u32>,
) -> Vec<bool> {
    let mut used: Vec<bool> = (0..table.len() as u32).map(keep).collect();
    for entry in entries.iter_mut() {
        if let Some(place) = place_in(&mut entry.op) {
            used[*place as usize] = true;
        }
    }
    let mut next = 0;
    let new_places: Vec<u32> = used
        .iter()
        .map(|used| {
            next += u32::from(*used);
            next.saturating_sub(1)
        })
        .collect();
    for entry in entries.iter_mut() {
        if let Some(place) = place_in(&mut entry.op) {
            *place = new_places[*place as usize];
        }
    }
    let mut place = 0;
    table.retain(|_| {
        place += 1;
        used[place - 1]
    });
    used
}
