//! Runs the program as a user would, and reads what it writes.

use glam::Vec3;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where the program is. Cargo tells the tests of its own package; for the others it stands two
/// folders above them.
pub fn path() -> PathBuf {
    if let Some(path) = option_env!("CARGO_BIN_EXE_jounce") {
        return path.into();
    }
    let test = std::env::current_exe().unwrap();
    let name = format!("jounce{}", std::env::consts::EXE_SUFFIX);
    let path = test.parent().unwrap().parent().unwrap().join(name);
    assert!(path.exists(), "{} is not there: run `cargo build` first", path.display());
    path
}

/// The program, which keeps nothing in the cache of whoever runs the tests.
pub fn command() -> Command {
    let mut command = Command::new(path());
    without_cache(&mut command);
    command
}

/// The same of a command that starts the program in its turn.
pub fn without_cache(command: &mut Command) -> &mut Command {
    command.env("JOUNCE_CACHE", "off")
}

/// The command then finds no driver and no display.
pub fn without_drivers(command: &mut Command) -> &mut Command {
    for drivers in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(drivers, "/nowhere.json");
    }
    command
        .env("LIBGL_DRIVERS_PATH", "/nowhere")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
}

pub fn jounce(args: &[&str]) -> Output {
    command().args(args).output().unwrap()
}

/// What the program said, whether it succeeded or not.
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn jounce_says(args: &[&str]) -> Said {
    said(jounce(args))
}

/// The same with arguments that need not be UTF-8.
pub fn jounce_says_to(args: &[&OsStr]) -> Said {
    said(command().args(args).output().unwrap())
}

pub fn said(output: Output) -> Said {
    Said {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs it, expects success, and gives stdout.
pub fn jounce_ok(args: &[&str]) -> String {
    let output = jounce(args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "jounce {args:?}: {message}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs it, expects that exit code, and gives stderr.
pub fn jounce_fails(args: &[&str], code: i32) -> String {
    let output = jounce(args);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "jounce {args:?}: {message}");
    message
}

#[derive(Debug, PartialEq)]
pub struct Cache {
    pub start_frame: f32,
    pub frames: Vec<Vec<Vec3>>,
}

pub fn read_pc2(path: &Path) -> Cache {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(&bytes[..12], b"POINTCACHE2\0");
    let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
    assert_eq!(i32::from_le_bytes(word(12)), 1, "version");
    let points = i32::from_le_bytes(word(16)) as usize;
    assert_eq!(f32::from_le_bytes(word(24)), 1.0, "rate");
    let frames = i32::from_le_bytes(word(28)) as usize;
    assert_eq!(bytes.len(), 32 + frames * points * 12);
    let number = |at: usize| f32::from_le_bytes(word(at));
    Cache { start_frame: number(20), frames: positions(32, frames, points, number) }
}

/// The cache and the time of each frame.
pub fn read_mdd(path: &Path) -> (Cache, Vec<f32>) {
    let bytes = std::fs::read(path).unwrap();
    let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
    let frames = i32::from_be_bytes(word(0)) as usize;
    let points = i32::from_be_bytes(word(4)) as usize;
    let number = |at: usize| f32::from_be_bytes(word(at));
    let first = 8 + frames * 4;
    assert_eq!(bytes.len(), first + frames * points * 12);
    let cache = Cache { start_frame: 0.0, frames: positions(first, frames, points, number) };
    (cache, (0..frames).map(|frame| number(8 + frame * 4)).collect())
}

fn positions(
    first: usize,
    frames: usize,
    points: usize,
    number: impl Fn(usize) -> f32,
) -> Vec<Vec<Vec3>> {
    let point = |frame: usize, point: usize| {
        let at = first + (frame * points + point) * 12;
        Vec3::new(number(at), number(at + 4), number(at + 8))
    };
    (0..frames).map(|f| (0..points).map(|p| point(f, p)).collect()).collect()
}

/// What a run took beside what it said.
#[cfg(unix)]
pub struct Measured {
    pub said: Said,
    /// Of all its threads.
    pub cpu_secs: f64,
}

/// Runs it with so much memory and no more, and ends it when it takes longer than a minute on the wall.
///
/// What the kernel says of the memory that it had begins with what this test had when it was started, so a
/// limit is set in place of looking; a program that meets it is ended by a signal.
#[cfg(unix)]
pub fn measured(command: &mut Command, most_bytes: u64) -> Measured {
    use std::io::{Read, Seek};
    use std::os::unix::process::CommandExt;
    use std::time::{Duration, Instant};
    // Files, not pipes: nobody reads while it runs.
    let (mut stdout, mut stderr) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command.stdout(stdout.try_clone().unwrap()).stderr(stderr.try_clone().unwrap());
    command.stdin(std::process::Stdio::null());
    let limit = libc::rlimit { rlim_cur: most_bytes, rlim_max: most_bytes };
    // Safety: between fork and exec only the limit is set.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_DATA, &limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    let mut child = command.spawn().unwrap();
    let (pid, started) = (child.id() as libc::pid_t, Instant::now());
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // Safety: the child is ours and not waited for yet, and both places are.
        match unsafe { libc::wait4(pid, &mut status, libc::WNOHANG, usage.as_mut_ptr()) } {
            0 if started.elapsed() > Duration::from_secs(60) => {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{command:?} takes longer than a minute");
            }
            0 => std::thread::sleep(Duration::from_millis(5)),
            _ => break,
        }
    }
    // Safety: all zeros are a sound value, and the kernel has filled it.
    let usage = unsafe { usage.assume_init() };
    let secs = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    let text = |file: &mut std::fs::File| {
        let mut text = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    };
    Measured {
        said: Said {
            // −1: it was ended by a signal.
            code: if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 },
            stdout: text(&mut stdout),
            stderr: text(&mut stderr),
        },
        cpu_secs: secs(usage.ru_utime) + secs(usage.ru_stime),
    }
}
