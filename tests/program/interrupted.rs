//! Programs that are ended in the middle of their work leave nothing behind.
#![cfg(target_os = "linux")]

use crate::support::program::{command, jounce_ok, path, without_cache};
use crate::support::{Lacking, skip_loudly};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longer than any machine needs; a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A bake that takes far longer than a test; it ends with the test.
struct Baking(Child);

impl Drop for Baking {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Baking {
    /// Waits until the file is being written.
    fn into(folder: &Path) -> Baking {
        Baking::by(&mut command(), folder)
    }

    fn by(command: &mut Command, folder: &Path) -> Baking {
        let before = unfinished(folder);
        let args = ["bake", "tube", "--graph", "default", "--frames", "0..900000", "-o"];
        let command = command.args(args).arg(folder.join("long.pc2"));
        let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let baking = Baking(silent.spawn().unwrap());
        let start = Instant::now();
        // The question whether it can be written makes one too; this one has content.
        let has_begun = |file: &PathBuf| {
            !before.contains(file) && file.metadata().is_ok_and(|about| about.len() > 0)
        };
        while !unfinished(folder).iter().any(has_begun) {
            assert!(start.elapsed() < PATIENCE, "nothing is written");
            std::thread::sleep(Duration::from_millis(5));
        }
        baking
    }

    fn send(&self, signal: &str) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn names(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn unfinished(folder: &Path) -> Vec<PathBuf> {
    names(folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "unfinished"))
        .collect()
}

/// Whoever runs the tests may ignore a signal, and so do those it starts.
fn is_ignored(number: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() & (1 << (number - 1)) != 0
}

#[test]
fn signals_remove_what_is_being_written() {
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        if is_ignored(number) {
            let why = format!("whoever runs the tests ignores the signal {signal}");
            skip_loudly(Lacking::Clients, &why);
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut baking = Baking::into(folder.path());
        baking.send(signal);
        // A shell shows 128 more: 143, 130 and 129.
        assert_eq!(baking.end().signal(), Some(number), "{signal}");
        assert_eq!(names(folder.path()), Vec::<PathBuf>::new(), "{signal}");
    }
}

#[test]
fn the_file_that_was_there_is_still_there_after_a_signal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.pc2");
    std::fs::write(&file, "before").unwrap();
    let mut baking = Baking::into(folder.path());
    baking.send("-TERM");
    baking.end();
    assert_eq!(names(folder.path()), std::slice::from_ref(&file));
    assert_eq!(std::fs::read_to_string(file).unwrap(), "before");
}

#[test]
fn nohup_is_respected() {
    let folder = tempfile::tempdir().unwrap();
    let mut nohup = Command::new("nohup");
    let mut baking = Baking::by(without_cache(nohup.arg(path())), folder.path());
    baking.send("-HUP");
    std::thread::sleep(Duration::from_millis(300));
    assert!(baking.0.try_wait().unwrap().is_none(), "it goes on");
    assert_eq!(unfinished(folder.path()).len(), 1, "and writes on");
}

#[test]
fn the_next_write_removes_what_a_killed_process_left_and_spares_who_still_writes() {
    let folder = tempfile::tempdir().unwrap();
    let glb = folder.path().join("a.glb").to_str().unwrap().to_owned();
    let mut killed = Baking::into(folder.path());
    killed.send("-KILL");
    killed.end();
    let left = unfinished(folder.path());
    assert_eq!(left.len(), 1, "nothing can be done at that moment");
    let mine = [".jounce-mine", ".jounce-abc.unfinished"].map(|name| folder.path().join(name));
    mine.iter().for_each(|path| std::fs::write(path, "mine").unwrap());
    let living = Baking::into(folder.path());
    assert!(!left[0].exists(), "whoever came next removed it");
    jounce_ok(&["characters", "tube", "-o", &glb]);
    assert_eq!(unfinished(folder.path()).len(), 2, "one is written, one is not ours");
    assert!(mine.iter().all(|path| path.exists()));
    drop(living);
}
