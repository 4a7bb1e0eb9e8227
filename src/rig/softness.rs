//! The automatic softness of a character: thin parts are soft. Computed once, and kept on disk, so that
//! a large character does not cost a second at every start.
//!
//! ```text
//! FOLDER/softness-ALGORITHM-HASH.bin    "JNSOFT\0\0"  u64 vertices  u64 why unknown  f32 … per vertex  u128 hash of all that
//! ```
//! The name is the hash of everything that the softness follows from. A file that is not exactly as it
//! should be counts as none, and is written anew. Nothing is kept until somebody names a folder: the
//! program does, the library by itself does not.

use super::Character;
use super::shape_diameter::{
    ALGORITHM, EVEN_SOFTNESS, NoThickness, shape_diameter, softness_from_diameter,
};
use jounce_base::files::{WriteError, write_atomically};
use jounce_base::reading::read_file;
use jounce_base::user_folders::cache_folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

#[derive(Debug, PartialEq)]
pub(super) struct Softness {
    /// Per vertex in [0, 1].
    pub values: Vec<f32>,
    pub unknown: Option<NoThickness>,
}

/// Set once per program.
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// From now on softness is kept in this folder, which is made when it is needed.
pub fn keep_softness_in(folder: PathBuf) {
    // A second folder would be a mistake of the program: the first one stays.
    let _ = FOLDER.set(folder);
}

/// Where a user's programs keep what they can compute again. `JOUNCE_CACHE` names another folder, or is `off`.
pub fn user_cache_folder() -> Option<PathBuf> {
    match std::env::var_os("JOUNCE_CACHE").filter(|set| !set.is_empty()) {
        Some(set) if set.eq_ignore_ascii_case("off") => None,
        Some(folder) => Some(PathBuf::from(folder)),
        None => cache_folder(),
    }
}

/// Below this it is computed faster than anybody would notice.
const FEWEST_VERTICES: usize = 2_000;
/// Of all kept files together: the oldest are removed first.
const MOST_BYTES: u64 = 64 << 20;
/// A file that is used is as good as new; but that is noted at most so often.
const TOUCHED_EVERY: Duration = Duration::from_secs(24 * 3600);

const MAGIC: &[u8; 8] = b"JNSOFT\0\0";
const HEAD_BYTES: usize = 24;
const HASH_BYTES: usize = 16;

impl Softness {
    pub fn of(character: &Character) -> Softness {
        match FOLDER.get() {
            Some(folder) if character.vertex_count() >= FEWEST_VERTICES => {
                Softness::kept(character, folder)
            }
            _ => Softness::computed(character),
        }
    }

    fn computed(character: &Character) -> Softness {
        let (surface, rest) = (character.surface(), character.rest());
        let triangles = &character.mesh.triangles;
        let diameters = shape_diameter(surface, triangles, &rest.positions, &rest.normals);
        match diameters {
            Ok(diameters) => {
                let of_points = softness_from_diameter(&diameters, &surface.point_areas);
                Softness { values: surface.to_vertices(&of_points), unknown: None }
            }
            Err(unknown) => {
                let values = vec![EVEN_SOFTNESS; character.vertex_count()];
                Softness { values, unknown: Some(unknown) }
            }
        }
    }

    fn kept(character: &Character, folder: &Path) -> Softness {
        let path =
            folder.join(format!("softness-{ALGORITHM}-{:032x}.bin", content_hash(character)));
        if let Some(known) = read(&path, character.vertex_count()) {
            touch(&path);
            return known;
        }
        let softness = Softness::computed(character);
        // Where nothing can be kept, it is computed again next time.
        let bytes = softness.to_bytes();
        let _ = fs::create_dir_all(folder);
        let written =
            write_atomically::<WriteError>(&path, |out| Ok(out.write_all(&bytes)?)).is_ok();
        if written {
            remove_oldest(folder, &path);
        }
        softness
    }

    fn to_bytes(&self) -> Vec<u8> {
        let unknown: u64 = match self.unknown {
            None => 0,
            Some(NoThickness::NoSurface) => 1,
            Some(NoThickness::Tangled) => 2,
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.values.len() as u64).to_le_bytes());
        bytes.extend(unknown.to_le_bytes());
        self.values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        let mut hash = ContentHash::new();
        hash.add(&bytes);
        bytes.extend(hash.0.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8], vertices: usize) -> Option<Softness> {
        let (content, told) = bytes.split_last_chunk::<HASH_BYTES>()?;
        let mut hash = ContentHash::new();
        hash.add(content);
        let (head, numbers) = content.split_first_chunk::<HEAD_BYTES>()?;
        let word =
            |place: usize| u64::from_le_bytes(std::array::from_fn(|at| head[8 * place + at]));
        let is_whole = hash.0.to_le_bytes() == *told
            && head.starts_with(MAGIC)
            && word(1) == vertices as u64
            && numbers.len() == 4 * vertices;
        let unknown = match word(2) {
            0 => None,
            1 => Some(NoThickness::NoSurface),
            2 => Some(NoThickness::Tangled),
            _ => return None,
        };
        let number = |four: &[u8; 4]| f32::from_le_bytes(*four);
        let values: Vec<f32> = numbers.as_chunks().0.iter().map(number).collect();
        let is_sound = is_whole && values.iter().all(|value| (0.0..=1.0).contains(value));
        is_sound.then_some(Softness { values, unknown })
    }
}

fn read(path: &Path, vertices: usize) -> Option<Softness> {
    let most = HEAD_BYTES + 4 * vertices + HASH_BYTES;
    Softness::from_bytes(&read_file(path, most as u64).ok()?, vertices)
}

fn touch(path: &Path) {
    let is_old = |changed: SystemTime| changed.elapsed().is_ok_and(|ago| ago > TOUCHED_EVERY);
    let changed = fs::metadata(path).and_then(|about| about.modified());
    if changed.is_ok_and(is_old) {
        let file = fs::File::options().append(true).open(path);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }
}

/// The newest files stay, as long as all of them together are small enough; and the one just written.
fn remove_oldest(folder: &Path, newest: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_ours = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("softness-") && name.ends_with(".bin")
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

/// Of all that the softness follows from.
fn content_hash(character: &Character) -> u128 {
    let mut hash = ContentHash::new();
    let rest = character.rest();
    for list in [&character.mesh.positions, &rest.positions, &rest.normals] {
        hash.add(bytemuck::cast_slice(list.as_slice()));
    }
    hash.add(bytemuck::cast_slice(character.mesh.triangles.as_slice()));
    // Points are parted where skin weights differ.
    hash.add(bytemuck::cast_slice(character.skin.entries()));
    character.skin.lists().for_each(|list| hash.add_word(list.len() as u64));
    hash.0
}

/// As FNV-1a with 128 bits, eight bytes at a time; the high half goes back into the low one, so that
/// every bit comes to matter to every other.
struct ContentHash(u128);

impl ContentHash {
    const START: u128 = 0x6c62272e07bb014262b821756295c58d;
    const PRIME: u128 = 0x0000000001000000000000000000013b;

    fn new() -> ContentHash {
        ContentHash(ContentHash::START)
    }

    fn add_word(&mut self, word: u64) {
        let mixed = (self.0 ^ u128::from(word)).wrapping_mul(ContentHash::PRIME);
        self.0 = mixed ^ (mixed >> 64);
    }

    /// Its length is a part of it.
    fn add(&mut self, bytes: &[u8]) {
        self.add_word(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add_word(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add_word(u64::from_le_bytes(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own;

    fn files(folder: &Path) -> Vec<PathBuf> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    fn the_file(folder: &Path) -> PathBuf {
        assert_eq!(files(folder).len(), 1);
        files(folder).remove(0)
    }

    #[test]
    fn what_was_kept_is_what_was_computed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("not/there/yet");
        let character = own::built_in("cow").unwrap();
        let computed = Softness::computed(&character);
        assert_eq!(Softness::kept(&character, &cache), computed);
        let path = &the_file(&cache);
        // It is read: what stands there comes back.
        let other = Softness { values: vec![0.25; computed.values.len()], unknown: None };
        fs::write(path, other.to_bytes()).unwrap();
        assert_eq!(Softness::kept(&character, &cache), other);
        // Of another character it is another.
        let giraffe = own::built_in("giraffe").unwrap();
        assert_eq!(Softness::kept(&giraffe, &cache), Softness::computed(&giraffe));
        assert_eq!(files(&cache).len(), 2);
    }

    #[test]
    fn a_damaged_file_is_ignored_and_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let character = own::built_in("cow").unwrap();
        let computed = Softness::kept(&character, folder.path());
        let path = &the_file(folder.path());
        let good = fs::read(path).unwrap();
        let changed = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            bytes
        };
        let damaged = [
            Vec::new(),
            good[..good.len() - 1].to_vec(),
            [&good[..], &[0]].concat(),
            changed(0),
            changed(9),
            changed(17),
            changed(HEAD_BYTES + 2),
            changed(good.len() - 1),
        ];
        for bytes in damaged {
            fs::write(path, bytes).unwrap();
            assert_eq!(Softness::kept(&character, folder.path()), computed);
            assert_eq!(fs::read(path).unwrap(), good);
        }
        // A number outside of its range is none, even with the right sum.
        let absurd = Softness { values: vec![7.0; computed.values.len()], unknown: None };
        fs::write(path, absurd.to_bytes()).unwrap();
        assert_eq!(Softness::kept(&character, folder.path()), computed);
        // A folder in its place: nothing can be kept, and that is no error.
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
        assert_eq!(Softness::kept(&character, folder.path()), computed);
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
        let character = own::built_in("cow").unwrap();
        Softness::kept(&character, folder.path());
        assert_eq!(files.map(|file| file.exists()), [false, false, true, true, true]);
    }
}
