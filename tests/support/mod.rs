//! What tests share. Each test file uses its part of it.
#![allow(dead_code)]

pub mod clock;
pub mod conformance;
pub mod counting_allocator;
pub mod evaluators;
pub mod golden;
pub mod oracle;
pub mod program;
pub mod random;
pub mod random_graph;
pub mod rounding;
pub mod scaled;
pub mod scene;
pub mod shared;

/// A device, or `None` after saying loudly that the test was skipped.
/// With `JOUNCE_REQUIRE_GPU=1` in the environment a missing adapter fails the test instead.
#[cfg(feature = "gpu")]
pub fn gpu_or_skip() -> Option<jounce::gpu::Gpu> {
    match jounce::gpu::Gpu::new() {
        Ok(gpu) => Some(gpu),
        Err(error) if std::env::var("JOUNCE_REQUIRE_GPU").is_ok_and(|value| value == "1") => {
            panic!("JOUNCE_REQUIRE_GPU=1, but {error}")
        }
        Err(error) => {
            skip_loudly(&error.to_string());
            None
        }
    }
}

/// Says that a test was skipped, where `eprintln!` would be kept from the reader because the test
/// passes.
pub fn skip_loudly(why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}
