//! Every module is parsed and validated before anybody sees it.

use super::error::WgslError;
use super::printer::NodeLines;
use jounce_ir::Program;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

pub fn validate(
    text: &str,
    program: &Program,
    lines: &[NodeLines],
) -> Result<(naga::Module, ModuleInfo), WgslError> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| {
        let line = error.location(text).map(|place| place.line_number as usize);
        WgslError::invalid(program, lines, error.message().to_owned(), line)
    })?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info = validator.validate(&module).map_err(|error| {
        // The outer span is the function; the innermost is the expression.
        let spans = error.spans().filter(|(span, _)| span.is_defined());
        let first = spans.map(|(span, _)| span.location(text).line_number as usize).max();
        let message = message_with_causes(error.as_inner());
        WgslError::invalid(program, lines, message, first)
    })?;
    Ok((module, info))
}

fn message_with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        message = format!("{message}: {inner}");
        cause = inner.source();
    }
    message
}

#[cfg(test)]
mod tests {
    use super::super::{Options, ShaderSkinning, TableMemory, module};
    use super::*;
    use jounce_graph::compile::compile;
    use jounce_graph::document::built_in_style;
    use jounce_graph::script::Library;

    /// What naga says to a module whose text is changed behind our back.
    fn error_after(old: &str, new: &str) -> String {
        let document = built_in_style("velocity-skinning").unwrap();
        let program = compile(&document.style, &Library::built_in()).program;
        let options = Options {
            name: "test",
            skinning: ShaderSkinning::Lbs,
            with_constants: false,
            tables: TableMemory::Storage,
        };
        let sound = module(&program, &options).unwrap();
        assert!(sound.text.contains(old), "{}", sound.text);
        let broken = sound.text.replace(old, new);
        validate(&broken, &program, &sound.lines).unwrap_err().to_string()
    }

    #[test]
    fn an_error_names_the_node_and_the_line() {
        let unknown = error_after("sin(angle * 0.5)", "sin(nothing)");
        assert!(unknown.contains("node Floppy (trail), line"), "{unknown}");
        let wrong_type = error_after("dot(bone.along, reach)", "(bone.along < reach)");
        assert!(wrong_type.contains("node Squash (stretch), line"), "{wrong_type}");
        let syntax = error_after("fn deform(", "fn 7(");
        assert!(syntax.contains("(line") && !syntax.contains("node"), "{syntax}");
    }
}
