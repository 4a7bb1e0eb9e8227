//! The members of a crowd as lists, part by part, computed by whatever the performer has.

use super::{Staged, exaggerated};
use glam::Vec3;
use jounce_base::parallel::*;
use jounce_draw::{DrawError, HerdSource, HerdVertices, MOST_LIST_BYTES, members_in};
use jounce_eval::Deformed;
use jounce_eval::vm::Wanted;
use jounce_rig::Skinned;

/// Lists that are used again from picture to picture.
#[derive(Default)]
pub struct CrowdLists {
    deformed: Vec<Deformed>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

/// All of them as they are at one time.
pub struct CrowdInLists<'a> {
    pub staged: &'a Staged,
    /// When the first of them is.
    pub time_secs: f64,
    /// How far each is ahead of the first.
    pub offsets_secs: &'a [f64],
    /// How many times as large as they are displacements are drawn.
    pub amount: f32,
    pub lists: &'a mut CrowdLists,
}

/// Members whose normals are made at the same time.
const TOGETHER: usize = 64;

impl HerdSource for CrowdInLists<'_> {
    fn vertex_count(&self) -> usize {
        self.staged.character().vertex_count()
    }

    fn part_size(&self) -> usize {
        members_in(MOST_LIST_BYTES, self.vertex_count())
    }

    fn part(&mut self, members: &[usize]) -> Result<HerdVertices<'_>, DrawError> {
        let CrowdLists { deformed, positions, normals } = &mut *self.lists;
        let performer = self.staged.performer();
        let offsets_secs: Vec<f64> = members.iter().map(|&it| self.offsets_secs[it]).collect();
        performer
            .crowd_into(self.time_secs, &offsets_secs, Wanted::ALL, deformed)
            .map_err(|error| DrawError::Herd(error.to_string()))?;
        let (turner, amount) = (performer.normals(), self.amount);
        let drawn = |it: &Deformed| exaggerated(&it.skinned, &it.positions, amount, turner);
        positions.clear();
        normals.clear();
        for some in deformed.chunks(TOGETHER) {
            let drawn: Vec<Skinned> = some.par_iter().map(drawn).collect();
            for member in drawn {
                positions.extend(member.positions);
                normals.extend(member.normals);
            }
        }
        Ok(HerdVertices::Lists { positions, normals })
    }
}
