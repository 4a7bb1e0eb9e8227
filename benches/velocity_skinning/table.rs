//! The table itself: cases, rounds, rows, and what is judged of them.

use crate::bake::{BAKED_BONES, BAKED_VERTICES, bake};
use crate::scene::{ByHand, Scene, sliders, velocity_skinning};
use crate::support::bars::Bars;
use crate::support::cases::{Case, Origin, farthest, made, own, real, turned};
use crate::support::clock::{interleaved, timed};
use crate::support::hand::{self, FLOPS_PER_BINDING, FLOPS_PER_PAIR};
use glam::Vec3;
use jounce::eval::blocks::Blocks;
use jounce::eval::vm::{Prepared, Wanted};
use jounce::eval::{ConstantMotion, Deformed, Moment, Parameters, plain_program};
use jounce::ir::{Number, Program};
use jounce::motion::BoneMotion;
use jounce::rig::Pose;
use serde_json::json;
use std::hint::black_box;
use std::process::ExitCode;

/// (vertices, moving bones) → milliseconds of plain and of velocity skinning (Rohmer 2021, table 1).
const PAPER: [(usize, usize, f64, f64); 6] = [
    (150_000, 1, 3.9, 8.0),
    (150_000, 12, 3.9, 8.7),
    (250_000, 1, 6.6, 13.9),
    (250_000, 12, 6.6, 14.4),
    (750_000, 1, 18.7, 34.8),
    (750_000, 12, 18.7, 36.7),
];
const COWS: usize = 4000;
const PAPER_COWS_MS: (f64, f64) = (17.2, 39.0);
const NOT_THE_SAME: &str = "the paper's times are frames on a laptop's GPU; not in ours, which are of \
     one CPU thread: normals, drawing";

/// One case in one round.
struct Row {
    case: String,
    vertices: usize,
    bones: usize,
    /// Of a vertex and a bone in motion.
    pairs: usize,
    /// Nanoseconds per vertex.
    hand: f64,
    vm: f64,
    lbs_hand: f64,
    lbs_vm: f64,
    /// Operations per second: fused multiply-adds in registers.
    peak: f64,
    peak_fraction: f64,
    paper: Option<(f64, f64)>,
    origin: Origin,
}

/// About so long is spent on a case in one round.
const BUDGET_SECS: f64 = 0.7;
/// A machine that others use too is slow for seconds on end.
const ROUNDS: usize = 5;

impl Row {
    fn by_hand(&self) -> f64 {
        self.hand + self.lbs_hand
    }
}

pub fn run() -> ExitCode {
    if std::env::args().any(|argument| argument == "--code") {
        let case = made(3200, 7, 7);
        let scene = Scene::new(&case, velocity_skinning());
        print!("{}", Prepared::new(&scene.program, &scene.bound).unwrap().code_text());
        return ExitCode::SUCCESS;
    }
    if let Some(name) = std::env::args().skip_while(|it| it != "--profile").nth(1) {
        profile(&name, velocity_skinning());
        return ExitCode::SUCCESS;
    }
    if let Some(name) = std::env::args().skip_while(|it| it != "--profile-lbs").nth(1) {
        profile(&name, plain_program());
        return ExitCode::SUCCESS;
    }
    // One thread, this one: its clock sees all of the VM's work.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let pool = pool.unwrap();
    warm_up();
    println!(
        "{:<18} {:>8} {:>5} {:>6} │ {:>7} {:>7} {:>6} {:>6} {:>6} │ {:>7} {:>7} {:>6} │ {:>8} {:>8} {:>6}",
        "ns per vertex",
        "vertices",
        "bones",
        "pairs",
        "hand",
        "VM",
        "ratio",
        "/pair",
        "peak",
        "LBS",
        "VM LBS",
        "ratio",
        "paper ms",
        "VM ms",
        "ratio"
    );
    let mut rows = Vec::new();
    let mut cases: Vec<(Case, Option<(f64, f64)>)> = vec![(made(3200, 7, 7), None)];
    for (vertices, moving, lbs, vs) in PAPER {
        cases.push((made(vertices, 12, moving), Some((lbs, vs))));
    }
    for file in ["spot.glb", "girafe.glb", "marine.glb", "Fox.glb"] {
        cases.extend(real(file).map(|case| (case, None)));
    }
    cases.extend(["cow", "giraffe", "dragon"].map(|name| (own(name), None)));
    for (case, paper) in &cases {
        rows.push(pool.install(|| measure(case, *paper)));
    }
    for _ in 1..ROUNDS {
        for ((case, paper), row) in cases.iter().zip(&mut rows) {
            let other = pool.install(|| measure(case, *paper));
            if other.by_hand() < row.by_hand() {
                *row = other;
            }
        }
    }
    rows.iter().for_each(print_row);
    println!("{NOT_THE_SAME}");
    let peak = rows.iter().map(|row| row.peak).fold(0.0, f64::max);
    println!("\npeak of this core: {:.1} G operations/s", peak * 1e-9);
    let [one, all] = pool.install(cows);
    println!(
        "\n{COWS} cows of 3.2 k vertices, 7 bones in motion, {HERD} of them different: {:.1} ms on one \
         thread; the paper {} ms (LBS {} ms), ratio {:.2}",
        one * 1e3,
        PAPER_COWS_MS.1,
        PAPER_COWS_MS.0,
        one * 1e3 / PAPER_COWS_MS.1
    );
    println!("  on all {} threads: {:.1} ms of wall time", threads(), all * 1e3);
    for (name, secs) in pool.install(other_costs) {
        println!("{name}: {:.3} ms", secs * 1e3);
    }
    let bake = pool.install(|| bake(BAKED_VERTICES, threads()));
    println!(
        "a bake of {} k vertices, {BAKED_BONES} bones, on {} threads: {:.1} ms of wall time per frame, \
         {:.1} ms with its file; by hand {:.1} ms on one thread",
        BAKED_VERTICES / 1000,
        threads(),
        bake.frame * 1e3,
        bake.written * 1e3,
        bake.hand * 1e3
    );
    write_json(&rows, one);
    println!();
    let mut bars = Bars::default();
    judge(&rows, &mut bars);
    bake.judge(&mut bars);
    bars.verdict()
}

/// Nothing but the VM, for a profiler to watch: on `spot.glb`, `cow`, or `150000` vertices.
fn profile(name: &str, program: Program) {
    let case = match name.parse() {
        Ok(vertices) => made(vertices, 12, 12),
        Err(_) if name.contains('.') => real(name).expect("a file that is there"),
        Err(_) => own(name),
    };
    let scene = Scene::new(&case, program);
    let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
    let (moment, mut out) = (scene.moment(), [Deformed::default()]);
    let moments = std::slice::from_ref(&moment);
    let blocks = Blocks::new(&scene.bound);
    let lanes = blocks.lane_count();
    let pairs: usize = blocks.blocks.iter().map(|it| it.lanes * it.bone_count).sum();
    println!(
        "{} vertices in {} blocks of {lanes} lanes, {} pairs as {pairs} lanes",
        case.character.vertex_count(),
        blocks.blocks.len(),
        scene.bound.pairs.bones.len()
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    pool.unwrap().install(|| {
        let start = std::time::Instant::now();
        while start.elapsed().as_secs_f64() < 3.0 {
            let wanted = Wanted::default();
            prepared.deform_into(&scene.bound, moments, wanted, &mut out).unwrap();
        }
    });
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many rounds of multiply-adds in registers are timed beside each case: so the peak is that of
/// the same moment.
const PEAK_ROUNDS: usize = 20_000;

fn at_peak() {
    // Safety: `main` has looked for the features.
    black_box(unsafe { hand::fma_rounds(black_box(PEAK_ROUNDS)) });
}

/// A core that has slept needs a moment to get up to speed.
fn warm_up() {
    interleaved(0.5, &mut [&mut at_peak]);
}

fn measure(case: &Case, paper: Option<(f64, f64)>) -> Row {
    let scene = Scene::new(case, velocity_skinning());
    let plain = Scene::new(case, plain_program());
    let (moment, plain_moment) = (scene.moment(), plain.moment());
    let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
    let plain_prepared = Prepared::new(&plain.program, &plain.bound).unwrap();
    let (blocks, plain_blocks) = (Blocks::new(&scene.bound), Blocks::new(&plain.bound));
    let by_hand = ByHand::new(case, &moment, &blocks, sliders(&scene));
    let plain_by_hand = ByHand::new(case, &plain_moment, &plain_blocks, sliders(&scene));
    let vertices = case.character.vertex_count();
    let (mut hand_out, mut lbs_out) = (vec![Vec3::ZERO; vertices], vec![Vec3::ZERO; vertices]);
    let (mut vm_out, mut lbs_vm_out) = ([Deformed::default()], [Deformed::default()]);
    let moments = std::slice::from_ref(&moment);
    let plain_moments = std::slice::from_ref(&plain_moment);
    let times = interleaved(
        BUDGET_SECS,
        &mut [
            &mut || by_hand.deform(&mut hand_out),
            &mut || {
                let wanted = Wanted::default();
                prepared.deform_into(&scene.bound, moments, wanted, &mut vm_out).unwrap();
            },
            &mut || plain_by_hand.lbs(&mut lbs_out),
            &mut || {
                let (wanted, out) = (Wanted::default(), &mut lbs_vm_out);
                plain_prepared.deform_into(&plain.bound, plain_moments, wanted, out).unwrap();
            },
            &mut at_peak,
        ],
    );
    let size = case.character.size();
    let off = farthest(&hand_out, &vm_out[0].positions) / size;
    let lbs_off = farthest(&lbs_out, &lbs_vm_out[0].positions) / size;
    assert!(off < 1e-5 && lbs_off < 1e-6, "{}: by hand {off:e}, LBS {lbs_off:e}", case.name);
    let is_moving = |bone: &&u32| case.velocities[**bone as usize] != Default::default();
    let pairs = scene.bound.pairs.bones.iter().filter(is_moving).count();
    let bindings = case.character.skin.entries().len();
    let flops = pairs as f64 * FLOPS_PER_PAIR + bindings as f64 * FLOPS_PER_BINDING;
    let peak = PEAK_ROUNDS as f64 * hand::FLOPS_PER_ROUND / times[4];
    let per_vertex = |secs: f64| secs / vertices as f64 * 1e9;
    Row {
        case: case.name.clone(),
        vertices,
        bones: case.velocities.len(),
        pairs,
        hand: per_vertex(times[0]),
        vm: per_vertex(times[1]),
        lbs_hand: per_vertex(times[2]),
        lbs_vm: per_vertex(times[3]),
        peak,
        peak_fraction: flops / times[0] / peak,
        paper,
        origin: case.origin,
    }
}

fn print_row(row: &Row) {
    let per_pair = row.vm * row.vertices as f64 / row.pairs as f64;
    print!(
        "{:<18} {:>8} {:>5} {:>6.2} │ {:>7.2} {:>7.2} {:>6.2} {:>6.2} {:>5.0}% │ {:>7.2} {:>7.2} {:>6.2} │",
        row.case,
        row.vertices,
        row.bones,
        row.pairs as f64 / row.vertices as f64,
        row.hand,
        row.vm,
        row.vm / row.hand,
        per_pair,
        row.peak_fraction * 100.0,
        row.lbs_hand,
        row.lbs_vm,
        row.lbs_vm / row.lbs_hand
    );
    match row.paper {
        Some((_, paper_ms)) => {
            let ms = row.vm * row.vertices as f64 * 1e-6;
            println!(" {paper_ms:>8.1} {ms:>8.1} {:>6.2}", ms / paper_ms);
        }
        None => println!(),
    }
}

/// So many cows are computed at once, each at a moment of its own and with a result of its own.
const HERD: usize = 400;

/// Seconds of one frame of the whole herd: on one thread, and of wall time on all.
fn cows() -> [f64; 2] {
    let case = made(3200, 7, 7);
    let scene = Scene::new(&case, velocity_skinning());
    let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
    let own = |cow: usize| {
        let part = cow as f64 / HERD as f64;
        let motion = |motion: &BoneMotion| BoneMotion {
            linear: motion.linear * (0.5 + part),
            angular: motion.angular * (1.5 - part),
        };
        let velocities = case.velocities.iter().map(motion).collect();
        (turned(&case.character, 0.3 * part), ConstantMotion::steady(velocities))
    };
    let own: Vec<(Pose, ConstantMotion)> = (0..HERD).map(own).collect();
    let moments: Vec<Moment> =
        own.iter().map(|(pose, motion)| scene.moment_of(pose, motion)).collect();
    let mut out = vec![Deformed::default(); HERD];
    let mut deform = || {
        prepared.deform_into(&scene.bound, &moments, Wanted::default(), &mut out).unwrap();
    };
    let herd = (COWS / HERD) as f64;
    let one = interleaved(BUDGET_SECS, &mut [&mut deform])[0] * herd;
    let all = rayon::ThreadPoolBuilder::new().num_threads(threads()).build().unwrap();
    let once = |deform: &mut (dyn FnMut() + Send)| {
        let start = std::time::Instant::now();
        all.install(&mut *deform);
        start.elapsed().as_secs_f64()
    };
    let best = (0..12).map(|_| once(&mut deform)).fold(f64::INFINITY, f64::min);
    [one, best * herd]
}

/// What is paid beside the frame itself.
fn other_costs() -> Vec<(String, f64)> {
    let case = made(750_000, 12, 12);
    let scene = Scene::new(&case, velocity_skinning());
    let prepare = timed(|| {
        Prepared::new(&scene.program, &scene.bound).unwrap();
    });
    let mut parameters = Parameters::new(&scene.program);
    let slider = interleaved(
        0.1,
        &mut [&mut || parameters.set(&scene.program, "floppy", Number::Float(0.3)).unwrap()],
    )[0];
    let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
    let moment = scene.moment();
    let mut out = [Deformed::default()];
    let all = rayon::ThreadPoolBuilder::new().num_threads(threads()).build().unwrap();
    let mut once = || {
        let start = std::time::Instant::now();
        let moments = std::slice::from_ref(&moment);
        let wanted = Wanted::default();
        all.install(|| prepared.deform_into(&scene.bound, moments, wanted, &mut out).unwrap());
        start.elapsed().as_secs_f64()
    };
    let frame = (0..8).map(|_| once()).fold(f64::INFINITY, f64::min);
    vec![
        ("a slider moves: until the next frame can begin".to_owned(), slider),
        ("750 k vertices are prepared once".to_owned(), prepare),
        (format!("750 k vertices, 12 bones, {} threads, wall time", threads()), frame),
    ]
}

/// The larger or the smaller; what is no number is neither, and stays.
fn worse(a: f64, b: f64, is_worse: fn(f64, f64) -> bool) -> f64 {
    if a.is_nan() || is_worse(a, b) { a } else { b }
}

/// What a call of the VM may take beside its vertices: checking the moment, finding registers. A quarter of
/// the time that plain skinning takes for the 1 728 vertices of the Fox, and nothing that grows with them.
const CALL_NS: f64 = 1000.0;

/// What was promised of single characters.
fn judge(rows: &[Row], bars: &mut Bars) {
    // How many there are is said too: real rigs are files that may not be there.
    let mut judge_all = |origin: Origin, who: &str, velocity_bar: f64| {
        let some: Vec<&Row> = rows.iter().filter(|row| row.origin == origin).collect();
        let worst = |of: fn(&Row) -> f64| {
            some.iter().map(|row| of(row)).reduce(|a, b| worse(a, b, |a, b| a > b))
        };
        let count = some.len();
        if count == 0 {
            println!("bar {who}: SKIPPED, there are none (set JOUNCE_SHARED)");
            return;
        }
        let velocity = worst(|row| row.vm / row.hand);
        bars.at_most(&format!("{count} {who}, VM over by hand"), velocity, velocity_bar);
        let plain = worst(|row| (row.lbs_vm - CALL_NS / row.vertices as f64) / row.lbs_hand);
        let what = format!("{count} {who}, plain skinning, VM less 1 µs per call over by hand");
        bars.at_most(&what, plain, 1.25);
    };
    judge_all(Origin::Real, "real rigs", 1.42);
    judge_all(Origin::Own, "built-in characters", 1.42);
    judge_all(Origin::Made, "made characters", 1.5);
    let all_moving = |row: &&Row| row.origin == Origin::Made && row.pairs > 3 * row.vertices;
    let fractions = rows.iter().filter(all_moving).map(|row| row.peak_fraction);
    let least = fractions.reduce(|a, b| worse(a, b, |a, b| a < b));
    // Is the code by hand worth being compared with? Seen on idle machines: 0.34 to 0.39.
    bars.at_least("by hand, of the peak", least, 0.33);
}

fn write_json(rows: &[Row], cows_secs: f64) {
    let row = |row: &Row| {
        json!({
            "case": row.case, "vertices": row.vertices, "bones": row.bones, "pairs": row.pairs,
            "hand_ns": row.hand, "vm_ns": row.vm, "lbs_hand_ns": row.lbs_hand,
            "lbs_vm_ns": row.lbs_vm, "hand_peak_fraction": row.peak_fraction,
        })
    };
    let mut list: Vec<_> = rows.iter().map(row).collect();
    list.push(json!({
        "case": format!("{COWS} cows"), "vertices": COWS * 3200, "bones": 7,
        "pairs": rows[0].pairs * COWS, "vm_ns": cows_secs * 1e9 / (COWS * 3200) as f64,
    }));
    let folder = std::env::var_os("CARGO_TARGET_DIR").map(std::path::PathBuf::from);
    let folder =
        folder.unwrap_or_else(|| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target"));
    let file = folder.join("bench.json");
    let text = serde_json::to_string_pretty(&list).unwrap_or_default();
    match std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text + "\n")) {
        Ok(()) => println!("\nwritten: {}", file.display()),
        Err(error) => eprintln!("{}: {error}", file.display()),
    }
}
