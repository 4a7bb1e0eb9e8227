//! `jounce check --watch`: the same again after every change, until the user ends it.

use super::super::CliError;
use super::super::graph::{script_folders, tell_of_scripts};
use super::{CheckArgs, check};
use crate::files::{folder_of, is_same_place};
use crate::script::FolderWatch;
use std::path::Path;
use std::time::SystemTime;

pub fn check_again_and_again(args: &CheckArgs) -> Result<(), CliError> {
    let file = args.file.as_path();
    let mut scripts = script_folders(&args.scripts)?;
    let folders = scripts.folders().iter().cloned().chain([folder_of(file).to_owned()]);
    // Watching starts before the first look, so that nothing falls between the two.
    let mut watch = FolderWatch::new(folders)?;
    eprintln!("jounce: watching {} and its scripts; Ctrl+C ends it", file.display());
    let mut is_news = true;
    loop {
        if is_news {
            tell_of_scripts(&scripts);
            if let Err(problem) = check(args, scripts.library()) {
                eprintln!("jounce: {problem}");
            }
        }
        let paths = watch.wait();
        let reloaded = scripts.reload(&paths, SystemTime::now());
        is_news = !reloaded.is_empty() || paths.iter().any(|path| is_this_file(path, file));
    }
}

/// Also while the file is gone: then only its folder can be looked up.
fn is_this_file(path: &Path, file: &Path) -> bool {
    let is_in_folder = |folder: &Path| is_same_place(folder, folder_of(file));
    let is_file = path.file_name() == file.file_name() && is_in_folder(folder_of(path));
    is_file || is_in_folder(path)
}
