//! Hand-written WGSL, cut into declarations: a module gets only those that it uses.

use std::collections::{HashMap, HashSet};

/// A file of `shaders/`.
pub struct ShaderFile {
    /// The comment at its top.
    header: String,
    declarations: Vec<Declaration>,
}

struct Declaration {
    name: String,
    /// With the comment above it.
    text: String,
    words: HashSet<String>,
    /// Stands right below the one before, without a blank line between.
    joins: bool,
}

impl ShaderFile {
    /// A declaration ends with a line that closes all braces and ends in `;` or `}`.
    pub fn new(file: &str) -> ShaderFile {
        let mut library = ShaderFile { header: String::new(), declarations: Vec::new() };
        let (mut text, mut depth, mut joins) = (String::new(), 0_i32, false);
        for line in file.lines() {
            let code = without_comment(line);
            if line.is_empty() && depth == 0 {
                // A comment that nothing follows is the file's.
                library.header.push_str(&std::mem::take(&mut text));
                joins = false;
                continue;
            }
            text.push_str(line);
            text.push('\n');
            depth += code.matches('{').count() as i32 - code.matches('}').count() as i32;
            let ends = code.trim_end().ends_with([';', '}']);
            if depth == 0 && ends {
                library.push(std::mem::take(&mut text), joins);
                joins = true;
            }
        }
        library
    }

    fn push(&mut self, text: String, joins: bool) {
        let code: String =
            text.lines().map(|line| without_comment(line).to_owned() + "\n").collect();
        let words: Vec<&str> = words(&code).collect();
        let keyword = words.iter().position(|word| ["fn", "struct", "const", "var"].contains(word));
        // `var<storage, read> name`: the name is what stands before the colon.
        let name = match keyword {
            Some(place) if words[place] == "var" => {
                code.split(':').next().and_then(|head| self::words(head).last())
            }
            Some(place) => words.get(place + 1).copied(),
            None => None,
        };
        let name = name.unwrap_or_default().to_owned();
        let words = words.into_iter().map(str::to_owned).collect();
        self.declarations.push(Declaration { name, text, words, joins });
    }
}

/// The words of all declarations that these words need, directly or through others.
pub fn needed(libraries: &[&ShaderFile], roots: HashSet<String>) -> HashSet<String> {
    let mut by_name: HashMap<&str, Vec<&Declaration>> = HashMap::new();
    for declaration in libraries.iter().flat_map(|library| &library.declarations) {
        by_name.entry(&declaration.name).or_default().push(declaration);
    }
    let mut pending: Vec<String> = roots.into_iter().collect();
    let mut needed = HashSet::new();
    while let Some(word) = pending.pop() {
        for declaration in by_name.get(word.as_str()).into_iter().flatten() {
            pending
                .extend(declaration.words.iter().filter(|word| !needed.contains(*word)).cloned());
        }
        needed.insert(word);
    }
    needed
}

impl ShaderFile {
    /// What is needed of it, in the file's order; empty if nothing is.
    pub fn text_of(&self, needed: &HashSet<String>) -> String {
        let mut text = String::new();
        for declaration in self.declarations.iter().filter(|d| needed.contains(&d.name)) {
            if !text.is_empty() && !declaration.joins {
                text.push('\n');
            }
            text.push_str(&declaration.text);
        }
        match (text.is_empty(), self.header.is_empty()) {
            (false, false) => format!("{}\n{text}", self.header),
            _ => text,
        }
    }
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// Names, keywords and numbers.
pub fn words(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.split(move |c| !is_part(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "// A file.\n\nstruct S {\n    x: f32,\n}\n\n// Data.\n@group(0) @binding(0) var<uniform> s: S;\n@group(0) @binding(1) var<uniform> t: f32; // unused, mentions g\n\nfn f() -> f32 {\n    return s.x;\n}\n\nfn g() {\n}\n";

    #[test]
    fn only_what_is_used_is_taken() {
        let library = ShaderFile::new(FILE);
        let needed = needed(&[&library], ["f".to_owned()].into());
        let text = library.text_of(&needed);
        assert_eq!(
            text,
            "// A file.\n\nstruct S {\n    x: f32,\n}\n\n// Data.\n@group(0) @binding(0) var<uniform> s: S;\n\nfn f() -> f32 {\n    return s.x;\n}\n"
        );
        assert_eq!(library.text_of(&HashSet::new()), "");
    }
}
