//! Work on many threads: rayon's iterators with the feature `threads`, and the same names on one thread
//! without it, for browsers and for games that keep their threads to themselves. Results are the same
//! bits either way: nothing here sums or reduces across threads.
//!
//! The rest of the runtime says `use jounce_base::parallel::*`, and never names rayon or `std::thread`.

#![cfg_attr(
    feature = "threads",
    expect(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        reason = "threads begin here only"
    )
)]

#[cfg(feature = "threads")]
pub use rayon::prelude::*;

#[cfg(not(feature = "threads"))]
pub use one_thread::*;

/// Work that goes on in the background. Without threads it is done when it is begun.
pub struct Background<T> {
    #[cfg(feature = "threads")]
    thread: std::thread::JoinHandle<T>,
    #[cfg(not(feature = "threads"))]
    result: T,
}

impl<T: Send + 'static> Background<T> {
    #[cfg(feature = "threads")]
    pub fn begin(work: impl FnOnce() -> T + Send + 'static) -> Background<T> {
        Background { thread: std::thread::spawn(work) }
    }

    #[cfg(not(feature = "threads"))]
    pub fn begin(work: impl FnOnce() -> T) -> Background<T> {
        Background { result: work() }
    }

    pub fn is_finished(&self) -> bool {
        #[cfg(feature = "threads")]
        return self.thread.is_finished();
        #[cfg(not(feature = "threads"))]
        true
    }

    /// Waits for the end. A panic of the work goes on here.
    pub fn finish(self) -> T {
        #[cfg(feature = "threads")]
        return self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        #[cfg(not(feature = "threads"))]
        self.result
    }
}

#[cfg(not(feature = "threads"))]
mod one_thread {
    //! The part of rayon's prelude that the runtime uses, as plain iterators.

    pub trait IntoParallelIterator: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    /// What may be asked of an iterator that has a length. Here all of them may.
    pub trait IndexedParallelIterator: Iterator {}

    impl<I: Iterator> IndexedParallelIterator for I {}

    pub trait ParallelIterator: Iterator + Sized {
        fn with_min_len(self, _least: usize) -> Self {
            self
        }

        fn map_init<T, R>(
            self,
            init: impl FnOnce() -> T,
            mut map: impl FnMut(&mut T, Self::Item) -> R,
        ) -> impl Iterator<Item = R> {
            let mut scratch = init();
            self.map(move |item| map(&mut scratch, item))
        }

        fn for_each_init<T>(
            self,
            init: impl FnOnce() -> T,
            mut work: impl FnMut(&mut T, Self::Item),
        ) {
            let mut scratch = init();
            self.for_each(|item| work(&mut scratch, item));
        }

        fn collect_into_vec(self, list: &mut Vec<Self::Item>) {
            list.clear();
            list.extend(self);
        }

        fn flat_map_iter<I: IntoIterator>(
            self,
            map: impl FnMut(Self::Item) -> I,
        ) -> impl Iterator<Item = I::Item> {
            self.flat_map(map)
        }
    }

    impl<I: Iterator> ParallelIterator for I {}

    pub trait ParallelSlice<T> {
        fn par_iter(&self) -> std::slice::Iter<'_, T>;
        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T>;
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T>;
        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T>;
        fn par_sort_unstable(&mut self)
        where
            T: Ord;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> std::slice::Iter<'_, T> {
            self.iter()
        }

        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
            self.iter_mut()
        }

        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T> {
            self.chunks(size)
        }

        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T> {
            self.chunks_mut(size)
        }

        fn par_sort_unstable(&mut self)
        where
            T: Ord,
        {
            self.sort_unstable();
        }
    }
}
