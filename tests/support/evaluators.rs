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
}

/// All but the interpreter: every width of the VM that this machine has.
pub fn others() -> Vec<Tested> {
    let vm = |simd: Simd| Tested { name: format!("vm {simd:?}"), evaluator: Box::new(Vm(simd)) };
    Simd::all().map(vm).collect()
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
    for Tested { name, mut evaluator } in others() {
        let found = evaluator.deform(program, bound, moment).unwrap();
        let found: Vec<DVec3> = found.positions.iter().map(|p| p.as_dvec3()).collect();
        if let Some(complaint) = judged.complaint(&found) {
            panic!("{name}: {complaint}\n{program}");
        }
    }
    exact
}
