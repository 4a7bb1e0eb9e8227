//! `cargo bench --bench gpu`: velocity skinning against plain skinning on the graphics adapter.
//!
//! One interleaved run; the 10th percentile of the CPU time of the whole process per vertex, which on
//! a software adapter is all there is, and of the time on the wall. Then what a vertex costs in
//! memory, and how long pipelines take.

use jounce::compile::compile;
use jounce::eval::{Bound, Moment, Parameters, PlayedMotion, Setup};
use jounce::gpu::eval::{GpuEvaluator, PreparedOnGpu};
use jounce::gpu::{Gpu, wgpu};
use jounce::graph::{CharacterSettings, Document, Style, built_in_style};
use jounce::ir::Program;
use jounce::motion::{Playback, Player, TestMotion};
use jounce::rig::{Character, Clip, load, own};
use jounce::script::Library;
use jounce::wgsl::ShaderSkinning;
use std::path::Path;
use std::slice::from_ref;
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
        measure(&gpu, &name, &character);
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

fn plain_skinning() -> Program {
    compile(&Style::default(), &Library::built_in()).program
}

/// A program on a character, with one moment of it.
struct Side {
    program: Program,
    bound: Bound,
    prepared: PreparedOnGpu,
}

impl Side {
    fn new(evaluator: &mut GpuEvaluator, program: Program, character: &Character) -> Side {
        let bound = Bound::new(&program, character, &CharacterSettings::default()).unwrap();
        let mut prepared = evaluator.prepare(&program, &bound, ShaderSkinning::Lbs).unwrap();
        prepared.write_skinned(false);
        Side { program, bound, prepared }
    }

    /// Uploads, computes and waits; CPU nanoseconds of the process, and on the wall.
    fn round(&mut self, gpu: &Gpu, moment: &Moment) -> [f64; 2] {
        let (cpu, wall) = (process_cpu_ns(), Instant::now());
        self.prepared.run(&self.bound, from_ref(moment)).unwrap();
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        [process_cpu_ns() - cpu, wall.elapsed().as_nanos() as f64]
    }
}

fn measure(gpu: &Gpu, name: &str, character: &Character) {
    let mut evaluator = GpuEvaluator::new(gpu);
    let style = built_in_style("velocity-skinning").unwrap();
    let mut sides = [
        Side::new(&mut evaluator, program(&style), character),
        Side::new(&mut evaluator, plain_skinning(), character),
    ];
    let clip = clip_of(character);
    let time_secs = clip.duration_secs() * 0.3;
    let playback = Playback::looped(clip.duration_secs());
    let player = Player { character, clip: &clip, playback };
    let motion = PlayedMotion { player, time_secs };
    let mut times: [[Vec<f64>; 2]; 2] = Default::default();
    for _ in 0..ROUNDS {
        for (side, times) in sides.iter_mut().zip(&mut times) {
            let moment = Moment::new(
                Setup::new(&side.program, character, &side.bound),
                &Parameters::new(&side.program),
                &player.pose(time_secs),
                &motion,
                time_secs,
            );
            let [cpu, wall] = side.round(gpu, &moment);
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
        sides[0].bound.pairs.count() as f64 / vertices,
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
    let character = own::built_in("cow").unwrap();
    for name in ["velocity-skinning", "default", "cow-bouncy"] {
        let mut evaluator = GpuEvaluator::new(gpu);
        let program = program(&built_in_style(name).unwrap());
        let bound = Bound::new(&program, &character, &CharacterSettings::default()).unwrap();
        let clip = clip_of(&character);
        let player = Player { character: &character, clip: &clip, playback: Playback::once(1.0) };
        let motion = PlayedMotion { player, time_secs: 0.1 };
        let moment = Moment::new(
            Setup::new(&program, &character, &bound),
            &Parameters::new(&program),
            &player.pose(0.1),
            &motion,
            0.1,
        );
        // Drivers compile at the first dispatch, so that belongs to it.
        let mut prepare = |runs: bool| {
            let start = Instant::now();
            let mut prepared = evaluator.prepare(&program, &bound, ShaderSkinning::Lbs).unwrap();
            if runs {
                prepared.run(&bound, from_ref(&moment)).unwrap();
                gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
            }
            start.elapsed().as_secs_f64() * 1e3
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
