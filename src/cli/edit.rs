//! `jounce edit`, or `jounce` alone: the window.

use super::CliError;
use clap::Args;
use std::path::PathBuf;

/// Open the editor; `jounce` alone does the same.
#[derive(Args, Default)]
pub struct EditArgs {
    /// A .jounce document, or a character, which opens with the default style
    pub file: Option<PathBuf>,
}

#[cfg(feature = "editor")]
pub fn run(args: EditArgs) -> Result<(), CliError> {
    if let Some(file) = args.file.as_deref().filter(|file| !is_openable(file)) {
        return Err(CliError::NotOpenable(file.to_owned()));
    }
    Ok(jounce_editor::open_window(args.file.as_deref())?)
}

#[cfg(not(feature = "editor"))]
pub fn run(_args: EditArgs) -> Result<(), CliError> {
    Err(CliError::NoEditor)
}

/// A document or a character, by its name.
#[cfg(feature = "editor")]
fn is_openable(file: &std::path::Path) -> bool {
    let ending = file.extension().map(|it| it.to_ascii_lowercase());
    let is_known =
        |ending: std::ffi::OsString| ["jounce", "glb", "gltf"].iter().any(|known| ending == *known);
    ending.is_some_and(is_known) && !file.is_dir()
}

/// `jounce FILE.jounce` is `jounce edit FILE.jounce`. What has a dot or a slash is a path.
pub fn with_command(mut args: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let is_file = |arg: &std::ffi::OsString| {
        let text = arg.to_string_lossy();
        !text.starts_with('-') && text.contains(['.', '/', '\\'])
    };
    let is_alone = args.len() == 1;
    if is_alone || (args.len() == 2 && is_file(&args[1])) {
        args.insert(1, "edit".into());
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_alone_is_edited_and_commands_stay_commands() {
        let changed = |args: &[&str]| {
            let args = args.iter().map(Into::into).collect();
            with_command(args).into_iter().map(|arg| arg.into_string().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(changed(&["jounce"]), ["jounce", "edit"]);
        assert_eq!(changed(&["jounce", "a.jounce"]), ["jounce", "edit", "a.jounce"]);
        assert_eq!(changed(&["jounce", "notes.md"]), ["jounce", "edit", "notes.md"]);
        assert_eq!(changed(&["jounce", "./folder"]), ["jounce", "edit", "./folder"]);
        assert_eq!(changed(&["jounce", "nodes"]), ["jounce", "nodes"]);
        assert_eq!(changed(&["jounce", "--help"]), ["jounce", "--help"]);
        assert_eq!(changed(&["jounce", "check", "a.jounce"]), ["jounce", "check", "a.jounce"]);
    }
}
