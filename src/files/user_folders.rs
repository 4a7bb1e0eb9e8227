//! Where the system keeps what belongs to a user: below each of its folders we have one of our own.
//!
//! | | Linux | macOS | Windows |
//! |---|---|---|---|
//! | config | `$XDG_CONFIG_HOME`, else `~/.config` | `~/Library/Application Support` | `%APPDATA%` |
//! | cache | `$XDG_CACHE_HOME`, else `~/.cache` | `~/Library/Caches` | `%LOCALAPPDATA%` |
//! | state | `$XDG_STATE_HOME`, else `~/.local/state` | `~/Library/Application Support` | `%LOCALAPPDATA%` |

use directories::BaseDirs;
use std::path::{Path, PathBuf};

/// What users put there themselves, such as scripts.
pub fn config_folder() -> Option<PathBuf> {
    BaseDirs::new().and_then(|base| ours(base.config_dir()))
}

/// What can be computed again. `JOUNCE_CACHE` names another folder, or is `off`.
pub fn cache_folder() -> Option<PathBuf> {
    match std::env::var_os("JOUNCE_CACHE").filter(|set| !set.is_empty()) {
        Some(set) if set.eq_ignore_ascii_case("off") => None,
        Some(folder) => Some(PathBuf::from(folder)),
        None => BaseDirs::new().and_then(|base| ours(base.cache_dir())),
    }
}

/// What is kept between runs, such as recent files.
pub fn state_folder() -> Option<PathBuf> {
    // Only Linux tells state from data.
    BaseDirs::new().and_then(|base| ours(base.state_dir().unwrap_or(base.data_local_dir())))
}

/// A home that is relative would be another one in every folder.
fn ours(folder: &Path) -> Option<PathBuf> {
    folder.is_absolute().then(|| folder.join("jounce"))
}
