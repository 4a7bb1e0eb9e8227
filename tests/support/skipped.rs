//! Tests that cannot run here say so, where people see it and where it can be counted.
//!
//! A line per test and kind goes to stderr, and to the end of the file that `JOUNCE_SKIPPED_LIST` names:
//!
//! ```text
//! gpu<TAB>pictures::a_triangle_is_drawn<TAB>no graphics adapter was found
//! ```

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// What is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lacking {
    /// A graphics adapter: the test does not run.
    Gpu,
    /// A graphics adapter: the test runs on the CPU alone.
    GpuPart,
    /// An adapter for the window.
    Window,
    /// A program that reads what we write.
    Clients,
    /// Data beside the project.
    Shared,
}

impl Lacking {
    fn name(self) -> &'static str {
        match self {
            Lacking::Gpu => "gpu",
            Lacking::GpuPart => "gpu-part",
            Lacking::Window => "window",
            Lacking::Clients => "clients",
            Lacking::Shared => "shared",
        }
    }
}

/// Says that a test was skipped, or a part of it; once, however often it asks. Not by `eprintln!`, which
/// is kept from the reader because the test passes.
pub fn skip_loudly(lacking: Lacking, why: &str) {
    static SAID: Mutex<Option<HashSet<(Lacking, String)>>> = Mutex::new(None);
    // Tests run in threads of their names.
    let test = std::thread::current().name().unwrap_or("unnamed").to_owned();
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.get_or_insert_default().insert((lacking, test.clone())) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {test}: {why}");
        if let Some(list) = std::env::var_os("JOUNCE_SKIPPED_LIST") {
            add_to_list(&list, lacking, &test, why);
        }
    }
}

/// In one write at the end: other processes add lines at the same time.
fn add_to_list(list: &OsStr, lacking: Lacking, test: &str, why: &str) {
    let why = why.replace(['\n', '\t'], " ");
    let line = format!("{}\t{test}\t{why}\n", lacking.name());
    let file = std::fs::OpenOptions::new().create(true).append(true).open(list);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.unwrap_or_else(|error| panic!("JOUNCE_SKIPPED_LIST cannot be written: {error}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_test_is_a_line_of_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("skipped");
        add_to_list(list.as_os_str(), Lacking::Gpu, "a::b", "no adapter\n");
        add_to_list(list.as_os_str(), Lacking::Shared, "a::c", "no\tdata");
        let text = std::fs::read_to_string(&list).unwrap();
        assert_eq!(text, "gpu\ta::b\tno adapter \nshared\ta::c\tno data\n");
    }
}
