//! Every evaluator there is: what the suites run.

use jounce::eval::vm::{Simd, Vm};
use jounce::eval::{Evaluator, Interpreter};

/// An evaluator and how exact it is.
pub struct Tested {
    pub name: String,
    pub evaluator: Box<dyn Evaluator>,
    /// What one rounding may cost, relative: 2⁻⁵³ or 2⁻²⁴.
    pub rounding: f64,
}

/// The interpreter first, then every width of the VM that this machine has.
pub fn all() -> Vec<Tested> {
    let interpreter = Tested {
        name: "interpreter".to_owned(),
        evaluator: Box::new(Interpreter),
        rounding: EXACT,
    };
    let vm = |simd: Simd| Tested {
        name: format!("vm {simd:?}"),
        evaluator: Box::new(Vm(simd)),
        rounding: SINGLE,
    };
    std::iter::once(interpreter).chain(Simd::all().map(vm)).collect()
}

pub const EXACT: f64 = f64::EPSILON / 2.0;
pub const SINGLE: f64 = f32::EPSILON as f64 / 2.0;
