//! Every evaluator there is, judged by the interpreter.

use super::rounding::judge;
use glam::DVec3;
use jounce::eval::vm::{Simd, Vm};
use jounce::eval::{Bound, Deformed, Evaluator, Interpreter, Moment, Skinning};
use jounce::ir::Program;

/// An evaluator in single precision.
pub struct Tested {
    pub name: String,
    pub evaluator: Box<dyn Evaluator>,
    /// How much less exact than rounding its operations are allowed to be.
    pub slack: f64,
    /// Of extreme numbers only finite results are asked: devices flush small numbers, and may reduce
    /// large angles as they like.
    pub everyday_only: bool,
}

/// Are all maps 0, or neither tiny nor huge there?
fn is_everyday(bound: &Bound, vertex: usize) -> bool {
    let is = |x: f64| x == 0.0 || (1e-3..=1e2).contains(&x.abs());
    bound.maps.iter().flatten().all(|map| is(map[vertex]))
}

/// Devices approximate sines and powers. So many roundings are about 1e-5, which is what a GPU may
/// differ from the CPU.
const GPU_SLACK: f64 = 32.0;

/// Every width of the VM that this machine has.
fn on_cpu() -> impl Iterator<Item = Tested> {
    Simd::all().map(|simd: Simd| Tested {
        name: format!("vm {simd:?}"),
        evaluator: Box::new(Vm(simd)),
        slack: 1.0,
        everyday_only: false,
    })
}

/// All but the interpreter: every width of the VM, and the GPU.
pub fn others() -> Vec<Tested> {
    let others = on_cpu();
    #[cfg(feature = "gpu")]
    let others = others.chain(on_gpu());
    others.collect()
}

/// One device for all tests of a file.
#[cfg(feature = "gpu")]
fn on_gpu() -> Option<Tested> {
    use jounce::gpu::Gpu;
    use jounce::gpu::eval::GpuEvaluator;
    use std::sync::OnceLock;
    static DEVICE: OnceLock<Result<Gpu, String>> = OnceLock::new();
    let made = DEVICE.get_or_init(|| Gpu::new().map_err(|error| error.to_string()));
    // Each test that compares less than it would.
    let gpu = made
        .as_ref()
        .map_err(|why| super::skip_for_lack_of_gpu(super::Lacking::GpuPart, why))
        .ok()?;
    let evaluator = Box::new(GpuEvaluator::new(gpu));
    Some(Tested { name: "gpu".to_owned(), evaluator, slack: GPU_SLACK, everyday_only: true })
}

/// What the interpreter gives, after every other evaluator has given the same as far as single precision
/// can: see [`super::rounding`].
#[track_caller]
pub fn agreed(program: &Program, bound: &Bound, moment: &Moment) -> Deformed {
    let exact = Interpreter.deform(program, bound, moment).unwrap();
    let skinning = match &moment.skinning {
        Skinning::Given { .. } => 0.0,
        Skinning::Posed(_) => 1e-6 * bound.size,
    };
    let judged = judge(program, bound, moment, skinning);
    for Tested { name, mut evaluator, slack, everyday_only } in others() {
        let found = evaluator.deform(program, bound, moment).unwrap();
        let found: Vec<DVec3> = found.positions.iter().map(|p| p.as_dvec3()).collect();
        let counts = |vertex: usize| !everyday_only || is_everyday(bound, vertex);
        if let Some(complaint) = judged.complaint(&found, slack, counts) {
            panic!("{name}: {complaint}\n{program}");
        }
    }
    exact
}
