//! Ctrl+C and similar signals: unfinished files are removed before the program ends.

/// From now on a signal that ends the program first removes unfinished files. The program then dies of that
/// very signal: a shell sees 130 for Ctrl+C and 143 for a kill, and ends its loop, which it would not do
/// for a program that merely exits.
#[cfg(unix)]
pub fn clean_up_at_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    // Without handlers signals end the program as ever, and the next write cleans up.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
    let wait = move || {
        for signal in signals.forever() {
            jounce_files::remove_unfinished();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Did whoever started the program want it to ignore a signal, as `nohup` does? Only Linux tells without
/// changing it; elsewhere that is taken for granted of the signal that `nohup` is about.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    match mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        Some(mask) => mask & (1 << (signal - 1)) != 0,
        None => signal == signal_hook::consts::SIGHUP,
    }
}

/// Elsewhere the next write beside them removes unfinished files.
#[cfg(not(unix))]
pub fn clean_up_at_signals() {}
