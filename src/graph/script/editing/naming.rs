//! The name that a script gives its node or library, found and changed without reading the script.

use super::words::{Word, WordKind, words};

/// The call of a function at the top level, and its first text.
fn declared<'a>(code: &str, words: &'a [Word], name: &str) -> Option<&'a Word> {
    let all: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Comment).collect();
    let mut depth = 0;
    for (place, word) in all.iter().enumerate() {
        depth += i32::from(word.of(code) == "{") - i32::from(word.of(code) == "}");
        let is_call = word.kind == WordKind::Name
            && word.of(code) == name
            && all.get(place + 1).is_some_and(|next| next.of(code) == "(");
        if depth == 0 && is_call {
            return all.get(place + 2).copied().filter(|text| text.kind == WordKind::Text);
        }
    }
    None
}

/// Does it say that it is a library?
pub fn declares_library(code: &str) -> bool {
    // Most scripts do not have the word at all.
    code.contains("library") && declared(code, &words(code), "library").is_some()
}

/// The same script for a node of another name.
pub fn with_node_name(code: &str, name: &str) -> String {
    let words = words(code);
    if let Some(text) = declared(code, &words, "node") {
        let mut renamed = code.to_owned();
        renamed.replace_range(text.range.clone(), &format!("\"{name}\""));
        return renamed;
    }
    // Below the manual, which stands at the top.
    let manual = words.iter().take_while(|word| word.of(code).starts_with("//!"));
    let end = manual.last().map_or(0, |word| word.range.end);
    let (manual, rest) = code.split_at(end);
    let gap = if manual.is_empty() { "" } else { "\n" };
    format!("{manual}{gap}node(\"{name}\", \"My nodes\");\n{}", rest.trim_start_matches('\n'))
}

/// "Stretch Up" → `stretch_up.rhai`
pub fn file_name(name: &str) -> String {
    let letters = name.trim().chars().map(|c| match c.is_alphanumeric() {
        true => c.to_lowercase().to_string(),
        false => "_".to_owned(),
    });
    format!("{}.rhai", letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_gets_the_name_that_it_is_saved_under() {
        let plain = "//! It lifts.\n//! Much.\ninput(\"x\", FLOAT);\n";
        let named = with_node_name(plain, "Up");
        assert_eq!(
            named,
            "//! It lifts.\n//! Much.\nnode(\"Up\", \"My nodes\");\ninput(\"x\", FLOAT);\n"
        );
        assert_eq!(with_node_name(&named, "Down"), named.replace("\"Up\"", "\"Down\""));
        assert_eq!(with_node_name("", "Up"), "node(\"Up\", \"My nodes\");\n");
        let in_comment = "// node(\"Up\", \"b\");\nfn eval() { node(\"c\") }";
        assert!(with_node_name(in_comment, "Down").starts_with("node(\"Down\""));
        assert_eq!(file_name(" Stretch Up-2"), "stretch_up_2.rhai");
        assert!(
            declares_library("// so\nlibrary ( \"waves\" );")
                && !declares_library("// library(\"a\")")
        );
    }
}
