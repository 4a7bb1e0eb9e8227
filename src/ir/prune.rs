//! Entries of the tables that no value refers to any more are dropped, the rest renumbered.

use super::builder::Entry;
use super::op::{Op, TableKind, Value};
use super::program::{Memory, Tables, WeightKind};

pub(super) fn prune(entries: &mut [Entry], tables: &mut Tables, memory: &mut Memory) {
    // Sliders that people see stay, even if nothing depends on them at the moment.
    let exposed: Vec<bool> = tables.parameters.iter().map(|p| p.exposed.is_some()).collect();
    let shown = |place: u32| exposed[place as usize];
    let none = |_: u32| false;
    renumber(entries, &mut tables.parameters, TableKind::Parameters, shown);
    renumber(entries, &mut tables.maps, TableKind::Maps, none);
    renumber(entries, &mut tables.bone_tables, TableKind::BoneTables, none);
    renumber(entries, &mut tables.bone_sets, TableKind::BoneSets, none);
    renumber(entries, &mut tables.columns, TableKind::Columns, none);
    if !tables.columns.iter().any(|column| column.kind == WeightKind::Anchored) {
        tables.anchors = None;
    }
    let used = renumber(entries, &mut tables.states, TableKind::States, none);
    keep_used(&mut memory.initial, &used);
    keep_used(&mut memory.next, &used);
    let used = renumber(entries, &mut tables.histories, TableKind::Histories, none);
    keep_used(&mut memory.recorded, &used);
}

fn keep_used(values: &mut Vec<Value>, used: &[bool]) {
    let mut used = used.iter();
    values.retain(|_| used.next() == Some(&true));
}

fn place_in(op: &mut Op, kind: TableKind) -> Option<&mut u32> {
    op.table_entry().filter(|(of, _)| *of == kind).map(|(_, place)| place)
}

/// Says which entries are used.
fn renumber<T>(
    entries: &mut [Entry],
    table: &mut Vec<T>,
    kind: TableKind,
    keep: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let mut used: Vec<bool> = (0..table.len() as u32).map(keep).collect();
    for entry in entries.iter_mut() {
        if let Some(place) = place_in(&mut entry.op, kind) {
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
        if let Some(place) = place_in(&mut entry.op, kind) {
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
