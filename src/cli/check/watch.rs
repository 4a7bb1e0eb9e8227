//! `jounce check --watch`: the same again after every change, until the user ends it.

use super::super::graph::{script_folders, scripts_around, tell_of_scripts};
use super::super::{CliError, reader_is_gone};
use super::{CheckArgs, check};
use jounce_files::{folder_of, is_same_place};
use jounce_graph::script::FolderWatch;
use std::io::Write;
use std::path::Path;
use std::time::SystemTime;

pub fn check_again_and_again(args: &CheckArgs) -> Result<(), CliError> {
    let file = args.file.as_path();
    let mut scripts = match args.is_script() {
        true => scripts_around(file, &args.scripts)?,
        false => script_folders(&args.scripts)?,
    };
    let folders = scripts.folders().iter().cloned().chain([folder_of(file).to_owned()]);
    // Watching starts before the first look, so that nothing falls between the two.
    let mut watch = FolderWatch::new(folders)?;
    say!("watching {} and its scripts; press Ctrl+C to stop", file.display());
    let mut is_news = true;
    loop {
        if is_news {
            let _ = writeln!(std::io::stderr(), "── {} UTC ──", time_of_day(SystemTime::now()));
            tell_of_scripts(&scripts);
            if let Err(problem) = check(args, scripts.library()) {
                say!("{problem}");
            }
        }
        if reader_is_gone() {
            return Ok(());
        }
        let paths = watch.wait();
        let reloaded = scripts.reload(&paths, SystemTime::now());
        is_news = !reloaded.is_empty() || paths.iter().any(|path| is_this_file(path, file));
    }
}

/// So that people see which lines are new.
fn time_of_day(now: SystemTime) -> String {
    let secs = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    format!("{:02}:{:02}:{:02}", secs / 3600 % 24, secs / 60 % 60, secs % 60)
}

/// Also while the file is gone: then only its folder can be looked up.
fn is_this_file(path: &Path, file: &Path) -> bool {
    let is_in_folder = |folder: &Path| is_same_place(folder, folder_of(file));
    let is_file = path.file_name() == file.file_name() && is_in_folder(folder_of(path));
    is_file || is_in_folder(path)
}

#[cfg(test)]
mod tests {
    use super::time_of_day;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_time_of_day_has_hours_minutes_and_seconds() {
        let since_1970 = Duration::from_secs(20_000 * 86_400 + 7 * 3600 + 5 * 60 + 59);
        assert_eq!(time_of_day(SystemTime::UNIX_EPOCH + since_1970), "07:05:59");
    }
}
