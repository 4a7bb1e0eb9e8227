//! Every module is parsed and validated before anybody sees it.

use super::error::WgslError;
use super::printer::NodeLines;
use crate::ir::Program;
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
