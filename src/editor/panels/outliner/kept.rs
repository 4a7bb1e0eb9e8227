//! What is listed of all bones, made anew when the document or the character is another one.

use crate::State;
use std::sync::Arc;

pub struct Kept<T> {
    made_for: Option<(u64, usize)>,
    rows: Arc<T>,
}

impl<T: Default> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept { made_for: None, rows: Arc::default() }
    }
}

impl<T> Kept<T> {
    /// `of` says where in the state it is kept.
    pub fn get(
        state: &mut State,
        of: fn(&mut State) -> &mut Kept<T>,
        make: impl FnOnce(&State) -> T,
    ) -> Arc<T> {
        let character = Arc::as_ptr(&state.session.cast().character) as usize;
        let now = Some((state.session.revision(), character));
        if of(state).made_for != now {
            let rows = Arc::new(make(state));
            *of(state) = Kept { made_for: now, rows };
        }
        of(state).rows.clone()
    }
}
