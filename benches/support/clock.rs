//! Fair timing: contenders run in turn, by the processor time of this thread.

#[path = "../../tests/support/clock.rs"]
mod thread_clock;

use thread_clock::thread_secs;

/// How long something takes.
pub fn timed(work: impl FnOnce()) -> f64 {
    let start = thread_secs();
    work();
    thread_secs() - start
}

/// Processor time of all threads of this program; None where the system does not tell.
#[allow(dead_code, reason = "not every bench runs on all threads")]
pub fn program_secs() -> Option<f64> {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // Safety: the structure is ours, and the clock is there on every Unix.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
        Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
    }
    #[cfg(not(unix))]
    None
}

/// A measurement takes at least this long: reading the clock takes a good part of a microsecond.
const LONG_ENOUGH_SECS: f64 = 200e-6;

/// Runs all contenders in turn, again and again for about so long; the 10th percentile of each. What is
/// over soon is run several times in its turn.
pub fn interleaved(budget_secs: f64, contenders: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut repeats = Vec::new();
    for contender in contenders.iter_mut() {
        // Not the first time: it fills caches.
        contender();
        repeats.push((LONG_ENOUGH_SECS / timed(&mut *contender).max(1e-9)).ceil().clamp(1.0, 1e6));
    }
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); contenders.len()];
    let start = std::time::Instant::now();
    while times[0].len() < 7 || start.elapsed().as_secs_f64() < budget_secs {
        for ((times, contender), &repeats) in times.iter_mut().zip(&mut *contenders).zip(&repeats) {
            let secs = timed(|| (0..repeats as usize).for_each(|_| contender()));
            times.push(secs / repeats);
        }
        if times[0].len() >= 2000 {
            break;
        }
    }
    let percentile = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 10]
    };
    times.into_iter().map(percentile).collect()
}
