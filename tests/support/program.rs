//! Runs the program as a user would, and reads what it writes.

use glam::Vec3;
use std::path::Path;
use std::process::{Command, Output};

pub fn jounce(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jounce")).args(args).output().unwrap()
}

/// What the program said, whether it succeeded or not.
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn jounce_says(args: &[&str]) -> Said {
    let output = jounce(args);
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
