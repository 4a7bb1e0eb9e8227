//! What outputs replace, what they keep, and what is refused before the work.

use crate::support::program::{jounce_fails, jounce_ok, jounce_says};
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Writes a small file there.
fn write(path: &Path) {
    jounce_ok(&["bake", "tube", "--at", "0", "-o", text(path)]);
}

#[cfg(unix)]
mod on_unix {
    use super::*;
    use crate::support::program::{path, without_cache};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::Command;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().mode() & 0o777
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        let real = elsewhere.join("real.pc2");
        std::fs::write(&real, "before").unwrap();
        let (near, far) = (folder.path().join("near.pc2"), folder.path().join("far.pc2"));
        symlink("elsewhere/real.pc2", &near).unwrap();
        symlink(&near, &far).unwrap();
        write(&far);
        assert!(near.is_symlink() && far.is_symlink() && !real.is_symlink());
        assert!(std::fs::read(&real).unwrap().starts_with(b"POINTCACHE2"));
        // Also where nothing is yet.
        let missing = folder.path().join("missing.pc2");
        symlink("elsewhere/new.pc2", &missing).unwrap();
        write(&missing);
        assert!(missing.is_symlink());
        assert!(elsewhere.join("new.pc2").is_file());
        assert_eq!(names(folder.path()), ["elsewhere", "far.pc2", "missing.pc2", "near.pc2"]);
        let (a, b) = (folder.path().join("a.pc2"), folder.path().join("b.pc2"));
        symlink(&b, &a).unwrap();
        symlink(&a, &b).unwrap();
        let said = jounce_fails(&["bake", "tube", "-o", text(&a)], 1);
        assert!(said.contains("cannot write"), "{said}");
    }

    #[test]
    fn modes_are_kept_and_new_files_get_what_the_umask_says() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.pc2");
        for kept in [0o600, 0o640, 0o777] {
            std::fs::write(&file, "before").unwrap();
            std::fs::set_permissions(&file, PermissionsExt::from_mode(kept)).unwrap();
            write(&file);
            assert_eq!(mode(&file), kept);
        }
        for (umask, expected) in [("022", 0o644), ("002", 0o664), ("077", 0o600)] {
            std::fs::remove_file(&file).unwrap();
            let command = format!("umask {umask}; exec \"$0\" bake tube --at 0 -o \"$1\"");
            let mut sh = Command::new("sh");
            without_cache(&mut sh).arg("-c").arg(command).arg(path()).arg(&file);
            assert!(sh.output().unwrap().status.success());
            assert_eq!(mode(&file), expected, "{umask}");
        }
    }

    #[test]
    fn of_hard_links_the_name_that_is_written_to_is_new() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("a.pc2"), folder.path().join("b.pc2"));
        std::fs::write(&file, "before").unwrap();
        std::fs::hard_link(&file, &other).unwrap();
        write(&file);
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "before");
        assert!(std::fs::read(&file).unwrap().starts_with(b"POINTCACHE2"));
    }

    #[test]
    fn what_is_no_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let null = folder.path().join("null.pc2");
        symlink("/dev/null", &null).unwrap();
        let pipe = folder.path().join("pipe.pc2");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&null, &pipe] {
            let said = jounce_fails(&["bake", "tube", "--at", "0", "-o", text(path)], 1);
            assert!(said.contains("it is a device or a pipe"), "{said}");
        }
        assert!(!Path::new("/dev/null").is_file());
        let place = folder.path().join("folder.pc2");
        std::fs::create_dir(&place).unwrap();
        let said = jounce_fails(&["bake", "tube", "-o", text(&place)], 1);
        assert!(said.contains("a folder has that name"), "{said}");
    }

    /// Root may do everything, so a file that nobody may touch is one of the kernel's.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_may_not_be_written_is_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("a.pc2");
        symlink("/proc/version", &link).unwrap();
        for path in [link.as_path(), Path::new("/proc/a.pc2")] {
            // So much work that nobody would wait for it.
            let args = ["bake", "tube", "--frames", "0..900000", "-o", text(path)];
            let said = jounce_fails(&args, 1);
            assert!(said.contains("cannot write") && !said.contains(".unfinished"), "{said}");
        }
        assert_eq!(names(folder.path()), ["a.pc2"]);
    }

    /// A limit for files stands in for a full disk.
    #[test]
    fn a_write_that_fails_half_way_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.pc2");
        std::fs::write(&file, "before").unwrap();
        let command = "trap '' XFSZ; ulimit -f 16; exec \"$0\" bake tube -o \"$1\"";
        let mut sh = Command::new("sh");
        without_cache(&mut sh).arg("-c").arg(command).arg(path()).arg(&file);
        let output = sh.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("cannot write") && said.contains("the disk is not full"), "{said}");
        assert_eq!(names(folder.path()), ["a.pc2"]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
    }
}

#[test]
fn a_wrong_ending_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| text(&folder.path().join(name)).to_owned();
    let endless = ["--frames", "0..900000"];
    for (args, wanted, code) in [
        (
            &["fit", "no-such-character", "--graph", "default", "-o", &out("x.txt")][..],
            ".jounce",
            2,
        ),
        (&["fit", "no-such-character", "--graph", "default", "-o", &out("x")], ".jounce", 2),
        (&["bake", "tube", endless[0], endless[1], "-o", &out("x.txt")], ".pc2 or .mdd", 2),
        (&["join", "a.pc2", "-o", &out("x.txt")], ".pc2 or .mdd", 2),
        (&["curves", "tube", "--bone", "none", "-o", &out("x.txt")], ".svg or .csv", 2),
        (&["characters", "tube", "-o", &out("x.txt")], ".glb", 1),
        (&["export", "default", "--target", "all", "-o", &out("x.wgsl")], "takes the folder", 1),
        (
            &["export", "default", "--target", "all", "-o", &out("manifest.json")],
            "takes the folder",
            1,
        ),
    ] {
        let said = jounce_fails(args, code);
        assert!(said.contains(wanted), "{args:?}: {said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn one_folder_takes_the_export_of_one_graph() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("shaders");
    let export =
        |graph: &str| jounce_says(&["export", graph, "--target", "wgsl", "-o", text(&out)]);
    assert_eq!(export("floppy").code, 0);
    let manifest = || std::fs::read_to_string(out.join("manifest.json")).unwrap();
    let first = manifest();
    assert_eq!(export("floppy").code, 0, "the same graph again");
    assert_eq!(manifest(), first);
    let other = export("squash");
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("the export of the graph \"floppy\""), "{}", other.stderr);
    assert_eq!(manifest(), first);
    assert!(!out.join("squash.wgsl").exists(), "nothing was written");
    std::fs::write(out.join("manifest.json"), "{\"name\": \"my web page\"}").unwrap();
    let foreign = export("floppy");
    assert_eq!(foreign.code, 1);
    assert!(foreign.stderr.contains("that Jounce did not write"), "{}", foreign.stderr);
    assert!(manifest().contains("my web page"));
}

#[test]
fn an_export_for_another_target_adds_it_as_long_as_the_graph_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [by_turns, at_once] = ["by turns", "at once"].map(|name| folder.path().join(name));
    let export = |out: &Path, targets: &[&str], more: &[&str]| {
        let mut args = vec!["export", "floppy", "-o", text(out)];
        targets.iter().for_each(|target| args.extend(["--target", target]));
        args.extend(more);
        let said = jounce_says(&args);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stderr
    };
    let manifest = |out: &Path| -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap()
    };
    for target in ["hlsl", "wgsl", "hlsl"] {
        let said = export(&by_turns, &[target], &[]);
        assert!(!said.contains("earlier export"), "{said}");
    }
    export(&at_once, &["hlsl", "wgsl"], &[]);
    assert_eq!(manifest(&by_turns), manifest(&at_once));
    // Another skinning makes another shader.
    let said = export(&by_turns, &["hlsl"], &["--base", "dqs"]);
    assert!(said.contains("floppy.wgsl is left over from an earlier export"), "{said}");
    assert!(!said.contains("floppy.hlsl"), "{said}");
    let last = manifest(&by_turns);
    let targets = &last["targets"];
    assert_eq!(targets.as_array().unwrap().len(), 1, "{targets}");
    assert_eq!(targets[0]["target"], "hlsl");
}
