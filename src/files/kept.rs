//! What took long to compute, one file each in a folder of the user's.

use super::{WriteError, write_atomically};
use jounce_base::KeptResults;
use jounce_base::reading::read_file;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Of all kept files together: the oldest are removed first.
const MOST_BYTES: u64 = 64 << 20;
/// A file that is used is as good as new; but that is noted at most so often.
const TOUCHED_EVERY: Duration = Duration::from_secs(24 * 3600);
/// Files that end otherwise are not ours.
const ENDING: &str = ".bin";

/// The files whose names begin with `prefix`, in a folder that is made when it is needed.
pub struct KeptFiles {
    pub folder: PathBuf,
    pub prefix: &'static str,
}

impl KeptFiles {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{}{name}{ENDING}", self.prefix))
    }

    /// The newest files stay, as long as all of them together are small enough; and the one just written.
    fn remove_oldest(&self, newest: &Path) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_ours = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(self.prefix) && name.ends_with(ENDING)
        };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter(|entry| is_ours(&entry.path()) && entry.path() != newest)
            .filter_map(|entry| {
                let about = entry.metadata().ok().filter(|about| about.is_file())?;
                Some((about.modified().ok()?, about.len(), entry.path()))
            })
            .collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.0));
        let mut total = fs::metadata(newest).map_or(0, |about| about.len());
        for (_, bytes, path) in files {
            total += bytes;
            if total > MOST_BYTES {
                let _ = fs::remove_file(path);
            }
        }
    }
}

impl KeptResults for KeptFiles {
    fn get(&self, name: &str, most_bytes: usize) -> Option<Vec<u8>> {
        let path = self.path(name);
        let bytes = read_file(&path, most_bytes as u64).ok()?;
        touch(&path);
        Some(bytes)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        let _ = fs::create_dir_all(&self.folder);
        let written = write_atomically::<WriteError>(&path, |out| Ok(out.write_all(bytes)?));
        if written.is_ok() {
            self.remove_oldest(&path);
        }
    }
}

fn touch(path: &Path) {
    let is_old = |changed: SystemTime| changed.elapsed().is_ok_and(|ago| ago > TOUCHED_EVERY);
    let changed = fs::metadata(path).and_then(|about| about.modified());
    if changed.is_ok_and(is_old) {
        let file = fs::File::options().append(true).open(path);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_and_nothing_longer() {
        let folder = tempfile::tempdir().unwrap();
        let kept = KeptFiles { folder: folder.path().join("not/there/yet"), prefix: "thing-" };
        assert_eq!(kept.get("a", 100), None);
        kept.put("a", b"seven b");
        assert_eq!(kept.get("a", 7).as_deref(), Some(&b"seven b"[..]));
        assert_eq!(kept.get("a", 6), None);
        assert!(kept.folder.join("thing-a.bin").exists());
        // A folder in its place: nothing can be kept, and that is not an error.
        fs::create_dir(kept.folder.join("thing-b.bin")).unwrap();
        kept.put("b", b"x");
        assert_eq!(kept.get("b", 100), None);
    }

    #[test]
    fn the_oldest_go_when_there_is_too_much() {
        let folder = tempfile::tempdir().unwrap();
        let old = |name: &str, days: u64| {
            let path = folder.path().join(name);
            let file = fs::File::create(&path).unwrap();
            file.set_len(MOST_BYTES / 3).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(days * 24 * 3600)).unwrap();
            path
        };
        let files = [
            old("softness-1-a.bin", 4),
            old("softness-1-b.bin", 3),
            old("softness-2-c.bin", 1),
            old("softness-2-d.bin", 2),
            old("of-somebody-else.bin", 9),
        ];
        let kept = KeptFiles { folder: folder.path().to_owned(), prefix: "softness-" };
        kept.put("2-e", &[7; 1000]);
        assert_eq!(files.map(|file| file.exists()), [false, false, true, true, true]);
    }
}
