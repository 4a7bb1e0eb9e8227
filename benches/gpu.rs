//! `cargo bench --bench gpu`: velocity skinning against plain skinning on the graphics adapter.
//!
//! One interleaved run; the 10th percentile of the CPU time of the whole process per vertex, which on
//! a software adapter is all there is, and of the time on the wall. Then what a vertex costs in
//! memory, and how long pipelines take.

use jounce::compile::compile;
use jounce::eval::{Moment, Performer, plain_program};
use jounce::gpu::eval::{GpuEvaluator, PreparedOnGpu};
use jounce::gpu::{Gpu, wgpu};
use jounce::graph::{CharacterSettings, Document, built_in_style};
use jounce::ir::Program;
use jounce::motion::{Playback, TestMotion};
use jounce::rig::{Character, Clip, load, own};
use jounce::script::Library;
use jounce::wgsl::ShaderSkinning;
use std::path::Path;
use std::slice::from_ref;
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: usize = 15;

fn main() {
    let gpu = match Gpu::new() {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("SKIPPED: {error}");
            return;
        }
    };
    println!("adapter: {}", gpu.adapter);
    measure_pipelines(&gpu);
    println!(
        "\n{:<16}{:>9}{:>7}{:>7} │{:>10}{:>10}{:>7} │{:>10}{:>10}{:>7} │{:>8}{:>8}{:>7}",
        "character",
        "vertices",
        "bones",
        "pairs",
        "VS cpu-ns",
        "LBS",
        "ratio",
        "VS wall",
        "LBS",
        "ratio",
        "VS B/v",
        "LBS",
        "ratio"
    );
    for (name, character) in characters() {
        measure(&gpu, &name, character);
    }
}

fn characters() -> Vec<(String, Character)> {
    let mut found = vec![
        ("cow".to_owned(), own::built_in("cow").unwrap()),
        ("giraffe".to_owned(), own::built_in("giraffe").unwrap()),
        ("cow 150k".to_owned(), own::make("cow", Some(150_000)).unwrap()),
    ];
    for file in ["spot", "girafe", "marine", "Fox"] {
        let path = format!("{}/../shared/characters/{file}.glb", env!("CARGO_MANIFEST_DIR"));
        if Path::new(&path).exists() {
            found.push((file.to_owned(), load::load_file(Path::new(&path)).unwrap()));
        } else {
            eprintln!("SKIPPED: {file} is not there");
        }
    }
    found
}

fn program(document: &Document) -> Program {
    let compiled = compile(&document.style, &Library::built_in());
    assert!(compiled.problems.is_empty());
    compiled.program
}

/// A program on a character that plays its first clip.
fn performer(program: Program, character: &Arc<Character>) -> Performer {
    let settings = CharacterSettings::default();
    let mut performer = Performer::new(program, character.clone(), &settings).unwrap();
    let clip = clip_of(character);
    let playback = Playback::looped(clip.duration_secs());
    performer.play(Arc::new(clip), playback).unwrap();
    performer
}

/// The same on the device.
struct Side {
    performer: Performer,
    prepared: PreparedOnGpu,
}

impl Side {
    fn new(evaluator: &mut GpuEvaluator, program: Program, character: &Arc<Character>) -> Side {
        let performer = performer(program, character);
        let (program, bound) = (performer.program(), performer.bound());
        let mut prepared = evaluator.prepare(program, bound, ShaderSkinning::Lbs).unwrap();
        prepared.write_skinned(false);
        Side { performer, prepared }
    }

    /// Uploads, computes and waits; CPU nanoseconds of the process, and on the wall.
    fn round(&mut self, gpu: &Gpu, time_secs: f64) -> [f64; 2] {
        let Side { performer, prepared } = self;
        let round = performer.with_moment(time_secs, |moment| {
            let (cpu, wall) = (process_cpu_ns(), Instant::now());
            prepared.run(performer.bound(), from_ref(moment))?;
            gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
            Ok([process_cpu_ns() - cpu, wall.elapsed().as_nanos() as f64])
        });
        round.unwrap()
    }
}

fn measure(gpu: &Gpu, name: &str, character: Character) {
    let (mut evaluator, character) = (GpuEvaluator::new(gpu), Arc::new(character));
    let style = built_in_style("velocity-skinning").unwrap();
    let mut sides = [
        Side::new(&mut evaluator, program(&style), &character),
        Side::new(&mut evaluator, plain_program(), &character),
    ];
    let time_secs = sides[0].performer.playback().duration_secs * 0.3;
    let mut times: [[Vec<f64>; 2]; 2] = Default::default();
    for _ in 0..ROUNDS {
        for (side, times) in sides.iter_mut().zip(&mut times) {
            let [cpu, wall] = side.round(gpu, time_secs);
            times[0].push(cpu);
            times[1].push(wall);
        }
    }
    let vertices = character.vertex_count() as f64;
    let [vs, lbs] = times.map(|kinds| kinds.map(|ns| low(ns) / vertices));
    let bytes = [0, 1].map(|i: usize| sides[i].prepared.bytes_per_vertex());
    println!(
        "{name:<16}{:>9}{:>7}{:>7.1} │{:>10.1}{:>10.1}{:>7.2} │{:>10.1}{:>10.1}{:>7.2} │{:>8.1}{:>8.1}{:>7.2}",
        character.vertex_count(),
        character.skeleton.bones.len(),
        sides[0].performer.bound().pairs.count() as f64 / vertices,
        vs[0],
        lbs[0],
        vs[0] / lbs[0],
        vs[1],
        lbs[1],
        vs[1] / lbs[1],
        bytes[0],
        bytes[1],
        bytes[0] / bytes[1],
    );
}

fn clip_of(character: &Character) -> Clip {
    let test = || TestMotion::default_for(character).clip(character).unwrap();
    character.clips.first().cloned().unwrap_or_else(test)
}

/// A program that the device has never seen, and one that it has.
fn measure_pipelines(gpu: &Gpu) {
    let character = Arc::new(own::built_in("cow").unwrap());
    for name in ["velocity-skinning", "default", "cow-bouncy"] {
        let mut evaluator = GpuEvaluator::new(gpu);
        let performer = performer(program(&built_in_style(name).unwrap()), &character);
        let (program, bound) = (performer.program(), performer.bound());
        // Drivers compile at the first dispatch, so that belongs to it.
        let mut prepare = |runs: bool| {
            let prepare = |moment: &Moment| {
                let start = Instant::now();
                let mut prepared = evaluator.prepare(program, bound, ShaderSkinning::Lbs)?;
                if runs {
                    prepared.run(bound, from_ref(moment))?;
                    gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
                }
                Ok(start.elapsed().as_secs_f64() * 1e3)
            };
            performer.with_moment(0.1, prepare).unwrap()
        };
        let (first, cached) = (prepare(true), prepare(false));
        println!("{name}: first pipeline with its first run {first:.1} ms, cached {cached:.2} ms");
    }
}

/// The 10th percentile: what is left when nobody disturbs.
fn low(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 10]
}

fn process_cpu_ns() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on all systems that have it declared, and the pointer is to a local.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
