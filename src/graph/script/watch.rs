//! Watches folders, and tells which paths changed once they are quiet.
//!
//! Editors save in several steps: a temporary file, a rename, often a second write. So changes are
//! collected until nothing more happens for a moment ([`Burst`], which only counts time and can be
//! tested without any passing).

use jounce_files::is_same_place;
use notify::event::ModifyKind as Modify;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Saving is over when nothing has changed for this long.
const QUIET: Duration = Duration::from_millis(80);
/// What changes all the time is told all the same.
const LONGEST_BURST: Duration = Duration::from_secs(1);
/// How often is looked whether a folder has gone or come back.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

#[derive(Debug, Error)]
#[error("cannot watch files for changes: {0}; run the command again after each change")]
pub struct WatchError(#[from] notify::Error);

/// Folders under watch, without those inside them.
pub struct FolderWatch {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    folders: Vec<Folder>,
    burst: Burst,
    looked: Instant,
}

struct Folder {
    path: PathBuf,
    is_watched: bool,
}

impl FolderWatch {
    /// A folder that does not exist is watched as soon as it does.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Result<FolderWatch, WatchError> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(move |event| {
            // Nobody listens any more when the watch is over.
            let _ = sender.send(event);
        })?;
        let mut known: Vec<Folder> = Vec::new();
        for path in folders {
            if !known.iter().any(|folder| is_same_place(&folder.path, &path)) {
                known.push(Folder { path, is_watched: false });
            }
        }
        let (burst, looked) = (Burst::default(), Instant::now());
        let mut watch = FolderWatch { watcher, events, folders: known, burst, looked };
        for folder in &mut watch.folders {
            if folder.path.is_dir() {
                watch.watcher.watch(&folder.path, RecursiveMode::NonRecursive)?;
                folder.is_watched = true;
            }
        }
        Ok(watch)
    }

    /// What has changed and is quiet now; empty if there is nothing to tell. Never waits.
    pub fn poll(&mut self) -> Vec<PathBuf> {
        while let Ok(event) = self.events.try_recv() {
            self.note(event);
        }
        let now = Instant::now();
        if now.duration_since(self.looked) >= BETWEEN_LOOKS {
            self.look(now);
        }
        self.burst.take(now)
    }

    /// Waits until something has changed and is quiet again.
    pub fn wait(&mut self) -> Vec<PathBuf> {
        loop {
            let paths = self.poll();
            if !paths.is_empty() {
                return paths;
            }
            let now = Instant::now();
            let until = self.burst.ready_at().unwrap_or(self.looked + BETWEEN_LOOKS);
            match self.events.recv_timeout(until.saturating_duration_since(now)) {
                Ok(event) => self.note(event),
                Err(RecvTimeoutError::Timeout) => {}
                // The system's watcher has ended; what is left is looking at the folders.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(BETWEEN_LOOKS),
            }
        }
    }

    fn note(&mut self, event: notify::Result<Event>) {
        let now = Instant::now();
        match event {
            // Reading a file is not a change, and we read them ourselves.
            Ok(event) if matches!(event.kind, EventKind::Access(_)) => {}
            Ok(event) if !event.need_rescan() => {
                if matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(Modify::Name(_))) {
                    self.forget(&event.paths);
                }
                self.burst.add(event.paths, now);
            }
            // Some were lost: everything may have changed.
            _ => self.burst.add(self.folders.iter().map(|folder| folder.path.clone()), now),
        }
    }

    /// A folder that went away takes its watch with it, even if another is in its place at once.
    fn forget(&mut self, gone: &[PathBuf]) {
        for folder in &mut self.folders {
            if gone.iter().any(|path| is_same_place(path, &folder.path)) {
                let _ = self.watcher.unwatch(&folder.path);
                folder.is_watched = false;
            }
        }
    }

    /// Lets go of folders that are gone, and watches those that came back.
    fn look(&mut self, now: Instant) {
        self.looked = now;
        for folder in &mut self.folders {
            let is_there = folder.path.is_dir();
            if is_there == folder.is_watched {
                continue;
            }
            folder.is_watched = match is_there {
                true => self.watcher.watch(&folder.path, RecursiveMode::NonRecursive).is_ok(),
                false => {
                    let _ = self.watcher.unwatch(&folder.path);
                    false
                }
            };
            self.burst.add([folder.path.clone()], now);
        }
    }
}

/// Changes that belong together.
#[derive(Debug, Default)]
struct Burst {
    paths: BTreeSet<PathBuf>,
    /// When the first and the last change came.
    span: Option<(Instant, Instant)>,
}

impl Burst {
    fn add(&mut self, paths: impl IntoIterator<Item = PathBuf>, now: Instant) {
        self.paths.extend(paths);
        if !self.paths.is_empty() {
            self.span = Some((self.span.map_or(now, |(first, _)| first), now));
        }
    }

    fn ready_at(&self) -> Option<Instant> {
        self.span.map(|(first, last)| (last + QUIET).min(first + LONGEST_BURST))
    }

    fn take(&mut self, now: Instant) -> Vec<PathBuf> {
        if self.ready_at().is_none_or(|ready_at| now < ready_at) {
            return Vec::new();
        }
        self.span = None;
        std::mem::take(&mut self.paths).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        PathBuf::from(name)
    }

    #[test]
    fn a_save_in_several_steps_is_told_once_when_it_is_over() {
        let start = Instant::now();
        let mut burst = Burst::default();
        assert!(burst.take(start).is_empty());
        burst.add([path("a.rhai~")], start);
        burst.add([path("a.rhai"), path("a.rhai~")], start + QUIET / 2);
        assert!(burst.take(start + QUIET).is_empty(), "it was busy a moment ago");
        let told = burst.take(start + QUIET * 2);
        assert_eq!(told, [path("a.rhai"), path("a.rhai~")]);
        assert!(burst.take(start + QUIET * 9).is_empty(), "and told once");
    }

    #[test]
    fn what_never_becomes_quiet_is_told_all_the_same() {
        let start = Instant::now();
        let mut burst = Burst::default();
        let mut told = 0;
        for step in 0..100 {
            let now = start + QUIET / 2 * step;
            burst.add([path("log.rhai")], now);
            told += burst.take(now).len();
        }
        assert!((2..10).contains(&told), "{told} times in four seconds");
    }
}
