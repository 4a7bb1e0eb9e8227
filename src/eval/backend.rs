//! What computes vertices for a performer: the CPU here, a graphics device in the crate `jounce-gpu`.

use super::vm::{Prepared, Wanted};
use super::{Bound, Deformed, EvalError, Moment, Setup};

pub trait Backend: Send {
    /// Makes a program ready for a character. What was ready before stays so if that fails.
    fn prepare(&mut self, setup: Setup) -> Result<(), EvalError>;

    /// Positions of some moments, and what else is wanted, on what was prepared last. Of the binding, sizes
    /// and bone tables may have changed since. Lists of `out` are used again.
    fn deform_into(
        &mut self,
        setup: Setup,
        moments: &[Moment],
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError>;

    /// Other values for a map, by its place in the program's table, without preparing anew.
    fn set_map(&mut self, map: usize, values: Option<&[f64]>) -> Result<(), EvalError>;
}

/// In single precision, on all threads.
#[derive(Default)]
pub struct OnCpu {
    prepared: Option<Prepared>,
}

impl OnCpu {
    fn prepared(&mut self) -> Result<&mut Prepared, EvalError> {
        self.prepared.as_mut().ok_or(EvalError::NotPrepared)
    }
}

impl Backend for OnCpu {
    fn prepare(&mut self, setup: Setup) -> Result<(), EvalError> {
        self.prepared = Some(Prepared::new(setup.program, setup.bound)?);
        Ok(())
    }

    fn deform_into(
        &mut self,
        Setup { bound, .. }: Setup,
        moments: &[Moment],
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError> {
        out.resize_with(moments.len(), Deformed::default);
        self.prepared()?.deform_into(bound, moments, wanted, out)
    }

    fn set_map(&mut self, map: usize, values: Option<&[f64]>) -> Result<(), EvalError> {
        self.prepared()?.set_map(map, values)
    }
}

/// The binding that a backend is handed must be the one it keeps lists of.
pub fn is_same_lists(a: &Bound, b: &Bound) -> bool {
    a.maps == b.maps && a.flesh == b.flesh
}
