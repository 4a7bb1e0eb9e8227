//! The program itself, for those who evaluate it with `jounce-eval` and need no node language.

use super::{Refusal, ShaderTarget, ToTranslate, Translated, failed};
use jounce_ir::Program;
use jounce_shader::wgsl::WgslError;

pub struct SavedProgram;

impl ShaderTarget for SavedProgram {
    fn name(&self) -> &'static str {
        "program"
    }

    fn known_as(&self) -> &'static [&'static str] {
        &["rust", "json", "saved"]
    }

    fn language(&self) -> &'static str {
        "saved program"
    }

    fn note(&self) -> &'static str {
        "not a shader: Program::from_saved_text of jounce-ir reads it, and a Performer of jounce-eval plays it"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["json"]
    }

    /// An evaluator has neighbours.
    fn refusals(&self, _: &Program) -> Vec<Refusal> {
        Vec::new()
    }

    fn translate(&self, from: &ToTranslate) -> Result<Translated, WgslError> {
        let mut program = from.export.program.clone();
        program.base = from.export.base.unwrap_or(program.base);
        let text = program.to_saved_text().map_err(|error| failed(self, error))?;
        let files = from.one_file("program.json", text.into_bytes());
        Ok(Translated { files, entry_names: Vec::new() })
    }
}
