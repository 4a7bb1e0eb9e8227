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
pub mod skipped;
pub mod textured;

pub use skipped::{Lacking, skip_loudly};

/// A device, or `None` after saying loudly that the test was skipped.
/// With `JOUNCE_REQUIRE_GPU=1` in the environment a missing adapter fails the test instead.
#[cfg(feature = "gpu")]
pub fn gpu_or_skip() -> Option<jounce::gpu::Gpu> {
    match jounce::gpu::Gpu::new() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            skip_for_lack_of_gpu(Lacking::Gpu, &error.to_string());
            None
        }
    }
}

/// With `JOUNCE_REQUIRE_GPU=1` in the environment it fails instead.
pub fn skip_for_lack_of_gpu(lacking: Lacking, why: &str) {
    assert!(!is_required("JOUNCE_REQUIRE_GPU"), "JOUNCE_REQUIRE_GPU=1, but {why}");
    skip_loudly(lacking, why);
}

/// With `JOUNCE_REQUIRE_CLIENTS=1` in the environment it fails instead.
pub fn skip_for_lack_of_client(why: &str) {
    assert!(!is_required("JOUNCE_REQUIRE_CLIENTS"), "JOUNCE_REQUIRE_CLIENTS=1, but {why}");
    skip_loudly(Lacking::Clients, why);
}

fn is_required(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| value == "1")
}
