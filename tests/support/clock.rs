//! Processor time of this thread, so that other programs on the machine do not count.

#[cfg(unix)]
pub fn thread_secs() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // Safety: the structure is ours, and the clock is there on every Unix.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(not(unix))]
pub fn thread_secs() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
