//! How far the next line is moved in.

const STEP: &str = "    ";

/// What a line that is begun at a place begins with: as much as the line before, and a step more after an
/// opening bracket.
pub fn indentation_after(code: &str, at: usize) -> String {
    let before = code.get(..at).unwrap_or(code);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let own: String = line.chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    match line.trim_end().ends_with(['{', '(', '[']) {
        true => own + STEP,
        false => own,
    }
}

#[cfg(test)]
mod tests {
    use super::indentation_after;

    #[test]
    fn a_line_begins_where_the_one_before_did_and_deeper_in_a_block() {
        let code = "fn eval(x) {\n    x +";
        assert_eq!(indentation_after(code, code.len()), "    ");
        assert_eq!(indentation_after(code, 12), "    ");
        assert_eq!(indentation_after(code, 4), "");
        assert_eq!(indentation_after("ä", 1), "", "a place inside a letter is no place");
    }
}
