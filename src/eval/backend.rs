//! What computes vertices for a performer: the CPU here, a graphics device in the crate `jounce-gpu`.

use super::vm::{Prepared, Wanted};
use super::{Bound, Deformed, EvalError, Moment, Setup};
use std::sync::{Arc, PoisonError, RwLock};

pub trait Backend: Send + Sync {
    /// Makes a program ready for a character, in place of what was ready before, which stays if that fails.
    /// Who never asks for vertices need not call it: the first question does.
    fn prepare(&self, setup: Setup) -> Result<(), EvalError>;

    /// The binding has other numbers in its maps than when it was prepared, and nothing else.
    fn repaint(&self, setup: Setup) -> Result<(), EvalError> {
        self.prepare(setup)
    }

    /// Positions of some moments, and what else is wanted, on what was prepared last. Of the binding, sizes
    /// and bone tables may have changed since, but not which rows there are. Lists of `out` are used again.
    fn deform_into(
        &self,
        setup: Setup,
        moments: &[Moment],
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError>;
}

/// In single precision, on all threads.
#[derive(Default)]
pub struct OnCpu {
    prepared: RwLock<Option<Arc<Prepared>>>,
}

impl OnCpu {
    /// No lock is held while vertices are computed: that is done on all threads, of which one may ask again.
    fn prepared(&self, setup: Setup) -> Result<Arc<Prepared>, EvalError> {
        if let Some(prepared) = &*self.prepared.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(prepared.clone());
        }
        let prepared = Arc::new(Prepared::new(setup.program, setup.bound)?);
        let mut place = self.prepared.write().unwrap_or_else(PoisonError::into_inner);
        Ok(place.insert(prepared).clone())
    }
}

impl Backend for OnCpu {
    fn prepare(&self, setup: Setup) -> Result<(), EvalError> {
        let prepared = Arc::new(Prepared::new(setup.program, setup.bound)?);
        *self.prepared.write().unwrap_or_else(PoisonError::into_inner) = Some(prepared);
        Ok(())
    }

    fn repaint(&self, setup: Setup) -> Result<(), EvalError> {
        let mut place = self.prepared.write().unwrap_or_else(PoisonError::into_inner);
        match &mut *place {
            // What was never asked for is prepared when it is.
            None => Ok(()),
            Some(prepared) => match Arc::get_mut(prepared) {
                Some(prepared) => prepared.follow_maps(setup.bound),
                // Another thread is computing with it.
                None => {
                    *place = Some(Arc::new(Prepared::new(setup.program, setup.bound)?));
                    Ok(())
                }
            },
        }
    }

    fn deform_into(
        &self,
        setup: Setup,
        moments: &[Moment],
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError> {
        out.resize_with(moments.len(), Deformed::default);
        self.prepared(setup)?.deform_into(setup.bound, moments, wanted, out)
    }
}

/// Does what was prepared with one binding fit the other?
pub fn has_same_lists(a: &Bound, b: &Bound) -> bool {
    let has_same_rows = a.flesh == b.flesh && a.anchors.rows == b.anchors.rows;
    a.maps == b.maps && has_same_rows && parents(a) == parents(b)
}

/// Weights follow from them and from the rows.
fn parents(bound: &Bound) -> Option<&[Option<usize>]> {
    bound.skin.as_ref().map(|skin| skin.bone_parents.as_slice())
}
