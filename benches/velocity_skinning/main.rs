//! What a vertex costs: velocity skinning and plain skinning, by hand and by the VM.
//!
//! `cargo bench` prints one table, with what the paper measured on a laptop's GPU beside it, and writes
//! `bench.json` into the target folder. Everything runs on one thread, by its processor time. In a round
//! all contenders of a case take turns, and the 10th percentile of each counts; of several rounds a row
//! shows the one in which the code by hand was fastest, so all its figures and ratios are of one time.
//! At the end each bar is a line that says whether it is kept; with `JOUNCE_BENCH_BARS=1` in the environment
//! one that is missed makes the program fail.
//!
//! `-- --code` prints what the VM runs instead; `-- --profile CASE` and `-- --profile-lbs CASE` run the VM
//! alone for a profiler to watch, with velocity and with plain skinning.

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    eprintln!("SKIPPED: the hand-written kernel needs AVX2 and FMA");
}

#[cfg(target_arch = "x86_64")]
mod bake;
#[cfg(target_arch = "x86_64")]
mod scene;
#[cfg(target_arch = "x86_64")]
#[path = "../support/mod.rs"]
mod support;
#[cfg(target_arch = "x86_64")]
mod table;

#[cfg(target_arch = "x86_64")]
fn main() -> std::process::ExitCode {
    if !is_x86_feature_detected!("avx2") || !is_x86_feature_detected!("fma") {
        eprintln!("SKIPPED: the hand-written kernel needs AVX2 and FMA");
        return std::process::ExitCode::SUCCESS;
    }
    table::run()
}
