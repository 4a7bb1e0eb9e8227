//! What was promised, and whether it is kept. Bars are ratios of figures of one run, as far as they can be:
//! machines differ, and so does one from hour to hour.

use std::process::ExitCode;

/// With 1 a bar that is missed makes the program fail.
const VARIABLE: &str = "JOUNCE_BENCH_BARS";

#[derive(Default)]
pub struct Bars {
    missed: usize,
}

impl Bars {
    /// What is no number, or was not measured at all, keeps no bar.
    pub fn at_most(&mut self, what: &str, found: Option<f64>, bar: f64) {
        self.judge(what, found, &format!("at most {bar}"), |found| found <= bar);
    }

    #[allow(dead_code, reason = "not every bench has such a bar")]
    pub fn at_least(&mut self, what: &str, found: Option<f64>, bar: f64) {
        self.judge(what, found, &format!("at least {bar}"), |found| found >= bar);
    }

    fn judge(&mut self, what: &str, found: Option<f64>, bar: &str, keeps: impl Fn(f64) -> bool) {
        let is_kept = found.is_some_and(keeps);
        self.missed += usize::from(!is_kept);
        let found = found.map_or("not measured".to_owned(), |found| format!("{found:.3}"));
        println!("bar {what}: {found} ({bar}) {}", if is_kept { "kept" } else { "MISSED" });
    }

    /// How the program ends.
    pub fn verdict(&self) -> ExitCode {
        let counts = std::env::var_os(VARIABLE).is_some_and(|value| value == "1");
        if self.missed > 0 && counts { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}
