//! Text with indentation that remembers which node each line came from.

use jounce_ir::Program;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Lines of a module that one node is responsible for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeLines {
    /// Counted from 1, the end not included.
    pub lines: Range<usize>,
    /// The node's path in the document, as in [`jounce_ir::Origin::node`].
    pub node: String,
}

#[derive(Clone, Debug, Default)]
pub struct Printer {
    text: String,
    line_count: usize,
    depth: usize,
    nodes: Vec<NodeLines>,
}

impl Printer {
    pub fn finish(self) -> (String, Vec<NodeLines>) {
        (self.text, self.nodes)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
        }
        self.text.push_str(line);
        self.text.push('\n');
        self.line_count += 1;
    }

    pub fn lines(&mut self, lines: &str) {
        lines.lines().for_each(|line| self.line(line));
    }

    /// A line that belongs to a node, or to nobody where its path is empty.
    pub fn line_of(&mut self, node: &str, line: &str) {
        self.line(line);
        let here = self.line_count;
        match self.nodes.last_mut() {
            _ if node.is_empty() => {}
            Some(last) if last.node == node && last.lines.end == here => last.lines.end += 1,
            _ => self.nodes.push(NodeLines { lines: here..here + 1, node: node.to_owned() }),
        }
    }

    pub fn blank(&mut self) {
        let opens = self.text.is_empty() || self.text.ends_with("{\n");
        if !opens && !self.text.ends_with("\n\n") {
            self.line("");
        }
    }

    /// `head {`, what `fill` writes, `}`.
    pub fn block(&mut self, head: &str, fill: impl FnOnce(&mut Printer)) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        fill(self);
        self.depth -= 1;
        self.line("}");
    }

    /// Puts in what was printed apart.
    pub fn append(&mut self, inside: Printer) {
        if inside.text.starts_with("//") {
            self.blank();
        }
        let before = self.line_count;
        self.lines(&inside.text);
        self.nodes.extend(inside.nodes.into_iter().map(|NodeLines { lines, node }| NodeLines {
            lines: lines.start + before..lines.end + before,
            node,
        }));
    }

    /// Is there a field of this variable in the text?
    pub fn reads(&self, variable: &str) -> bool {
        let field = format!("{variable}.");
        self.text.match_indices(&field).any(|(place, _)| {
            let before = self.text[..place].bytes().last();
            !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'.')
        })
    }

    /// The heading above so many statements of a node; the first time with what the node does, and
    /// with its formula where there is enough below it to be explained.
    pub fn heading(
        &mut self,
        program: &Program,
        node: &str,
        statements: usize,
        described: &mut Described,
    ) {
        self.blank();
        let mut heading = node_heading(program, node);
        if heading.is_empty() {
            return;
        }
        let mut lines = program.sentences.get(node).map(|text| text.lines()).into_iter().flatten();
        let sentence = lines.next().filter(|sentence| !sentence.is_empty());
        if let Some(sentence) = sentence.filter(|_| described.sentences.insert(node.to_owned())) {
            heading = format!("{heading}: {}", cut_comment(sentence, LONGEST_SENTENCE));
        }
        self.comment_of(node, &heading);
        if statements >= EXPLAINED_STATEMENTS && described.formulas.insert(node.to_owned()) {
            lines.for_each(|line| self.comment_of(node, line));
        }
    }

    /// In as many lines as it takes.
    pub fn comment_of(&mut self, node: &str, comment: &str) {
        for line in wrapped(&cut_comment(comment, LONGEST_COMMENT)) {
            self.line_of(node, &format!("// {line}"));
        }
    }
}

/// Nodes whose sentence, or formula, stands somewhere in the module: once is enough.
#[derive(Clone, Debug, Default)]
pub struct Described {
    sentences: HashSet<String>,
    formulas: HashSet<String>,
}

/// A formula stands above that many statements.
const EXPLAINED_STATEMENTS: usize = 3;

/// In characters.
const LONGEST_SENTENCE: usize = 280;
const LONGEST_COMMENT: usize = 400;
/// The width of a comment; with its slashes and indentation, about 96.
const COMMENT_WIDTH: usize = 86;

fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let word: String = word.chars().take(COMMENT_WIDTH).collect();
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < COMMENT_WIDTH => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// The node's type, and in brackets its title and its own name where these say more.
pub fn node_heading(program: &Program, node: &str) -> String {
    let of =
        |names: &BTreeMap<String, String>| for_comment(names.get(node).map_or("", String::as_str));
    let (kind, title, id) = (of(&program.kinds), of(&program.titles), for_comment(node));
    let mut parts: Vec<String> = Vec::new();
    for part in [kind, title, id] {
        let is_known = parts.iter().any(|known| known.to_lowercase() == part.to_lowercase());
        if !part.is_empty() && !is_known {
            parts.push(part);
        }
    }
    match &parts[..] {
        [] => String::new(),
        [only] => only.clone(),
        [kind, more @ ..] => format!("{kind} ({})", more.join(", ")),
    }
}

/// What people write, fit for a comment: one line of letters, of a length that can be read.
pub fn for_comment(text: &str) -> String {
    cut_comment(text, 60)
}

/// Signs that formulas are written with, beside letters.
const SIGNS: &str = "−×·√±≤≥≠≈←→∥⊥°²³⁴⁶⁻¹½∫∞…⋆";

fn cut_comment(text: &str, most: usize) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c.is_ascii_graphic() || SIGNS.contains(c);
    let mut plain = String::new();
    for word in text.split(|c| !is_plain(c)).filter(|word| !word.is_empty()) {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
        if plain.chars().count() > most {
            return plain.chars().take(most).chain(['…']).collect();
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_on_their_line() {
        assert_eq!(for_comment("a\nfn evil() {}\u{2028}\u{85}b\r"), "a fn evil() {} b");
        assert!(for_comment(&"long ".repeat(1000)).chars().count() < 70);
        assert_eq!(for_comment("Höhe*/"), "Höhe*/");
    }

    #[test]
    fn a_formula_stays_whole_and_its_lines_are_short() {
        let formula = "by 1/√(1 + s) across, s = k |ω × r| / ℓ";
        assert_eq!(for_comment(formula), formula);
        let lines = wrapped(&format!("{} {}", "word ".repeat(60).trim(), "x".repeat(500)));
        assert!(lines.iter().all(|line| line.chars().count() <= COMMENT_WIDTH), "{lines:?}");
    }

    #[test]
    fn lines_know_their_node() {
        let mut printer = Printer::default();
        printer.block("fn f()", |body| {
            body.line_of("a", "let x = 1.0;");
            body.line_of("a", "let y = 1.0;");
            body.line_of("", "// nobody's");
            body.line_of("b", "let z = 1.0;");
        });
        let (text, nodes) = printer.finish();
        assert_eq!(text.lines().nth(1), Some("    let x = 1.0;"));
        let expected = [(2..4, "a"), (5..6, "b")];
        assert_eq!(nodes.len(), 2);
        for (found, (lines, node)) in nodes.iter().zip(expected) {
            assert_eq!((found.lines.clone(), found.node.as_str()), (lines, node));
        }
    }
}
