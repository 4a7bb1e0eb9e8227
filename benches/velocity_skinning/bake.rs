//! A frame of a bake: a moment and all its vertices, on all threads, and into a file.

use crate::scene::{ByHand, Scene, sliders, velocity_skinning};
use crate::support::bars::Bars;
use crate::support::cases::{farthest, made};
use crate::support::clock::{program_secs, timed};
use glam::Vec3;
use jounce::eval::EvalError;
use jounce::eval::blocks::Blocks;
use jounce::eval::vm::Prepared;
use jounce::export::bakes::FORMATS;
use jounce::export::{BakeFileError, BakeSubject, WriteError, write_bake};
use jounce::motion::Frames;

/// As many as a film's hero has.
pub const BAKED_VERTICES: usize = 750_000;
pub const BAKED_BONES: usize = 57;
/// At least, and so many go into the file.
const BAKED_FRAMES: usize = 12;
/// A machine that others use too has both hands free only now and then.
const LONGEST_SECS: f64 = 4.0;

/// Seconds per frame.
pub struct Bake {
    /// Of wall time on all threads: a moment and its vertices, without the file.
    pub frame: f64,
    /// The same work as time of all processors together.
    pub processors: Option<f64>,
    /// Of wall time on all threads, with the file.
    pub written: f64,
    /// Of one thread's time.
    pub hand: f64,
    pub threads: usize,
}

impl Bake {
    pub fn judge(&self, bars: &mut Bars) {
        if let Some(processors) = self.processors {
            let what = "a bake's frame, time of all processors over one by hand";
            bars.at_most(what, Some(processors / self.hand), 1.5);
        }
        // Two threads are to halve it, nearly; more share one memory.
        let what = "a bake's frame, wall time on all threads over one by hand";
        bars.at_most(what, Some(self.frame / self.hand), 1.8 / self.threads.min(2) as f64);
    }
}

#[derive(Debug, thiserror::Error)]
enum BakeError {
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error(transparent)]
    File(#[from] BakeFileError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

pub fn bake(vertices: usize, threads: usize) -> Bake {
    let case = made(vertices, BAKED_BONES, BAKED_BONES);
    let scene = Scene::new(&case, velocity_skinning());
    let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
    let (moment, blocks) = (scene.moment(), Blocks::new(&scene.bound));
    let by_hand = ByHand::new(&case, &moment, &blocks, sliders(&scene));
    let mut hand_out = vec![Vec3::ZERO; vertices];
    let all = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let frame = |positions: &mut Vec<Vec3>| {
        prepared.positions_into(&scene.bound, &scene.moment(), positions)
    };
    let mut lists = [Vec::new(), Vec::new()];
    let least = |a: f64, b: f64| if b < a { b } else { a };
    let (mut fastest, mut hand, mut processors) = (f64::INFINITY, f64::INFINITY, None);
    let begin = std::time::Instant::now();
    for turn in 0.. {
        if turn >= BAKED_FRAMES && begin.elapsed().as_secs_f64() > LONGEST_SECS {
            break;
        }
        let (start, before) = (std::time::Instant::now(), program_secs());
        all.install(|| frame(&mut lists[turn % 2]).unwrap());
        fastest = least(fastest, start.elapsed().as_secs_f64());
        let used = program_secs().zip(before).map(|(after, before)| after - before);
        processors = processors.into_iter().chain(used).reduce(least);
        hand = least(hand, timed(|| by_hand.deform(&mut hand_out)));
    }
    let off = farthest(&hand_out, &lists[0]) / case.character.size();
    assert!(off < 1e-5, "{off:e}");
    let times_secs: Vec<f64> = (0..BAKED_FRAMES).map(|frame| frame as f64).collect();
    let frames =
        Frames { first: 0, fps: 1.0, clock_secs: times_secs.clone(), pose_secs: times_secs };
    let subject = BakeSubject { character: &case.character, frames: &frames };
    let folder = tempfile::tempdir().unwrap();
    let start = std::time::Instant::now();
    let path = folder.path().join("bake.pc2");
    let written: Result<(), BakeError> = all.install(|| {
        write_bake(&path, FORMATS[0], subject, |_, out| Ok(frame(&mut out.positions)?))
    });
    written.unwrap();
    let written = start.elapsed().as_secs_f64() / BAKED_FRAMES as f64;
    Bake { frame: fastest, processors, written, hand, threads }
}
