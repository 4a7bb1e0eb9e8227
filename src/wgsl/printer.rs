//! Text with indentation that remembers which node each line came from.

use crate::ir::Program;
use std::ops::Range;

/// Lines of a module that one node is responsible for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeLines {
    /// Counted from 1, the end not included.
    pub lines: Range<usize>,
    /// The node's path in the document, as in [`crate::ir::Origin::node`].
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

    /// The heading above a node's lines.
    pub fn heading(&mut self, program: &Program, node: &str) {
        self.blank();
        let heading = node_heading(program, node);
        if !heading.is_empty() {
            self.line_of(node, &format!("// {heading}"));
        }
    }
}

/// The title, and the node's own name where that says more.
pub fn node_heading(program: &Program, node: &str) -> String {
    let title = program.titles.get(node).map_or("", String::as_str);
    let (title, node) = (for_comment(title), for_comment(node));
    match (title.is_empty(), node.is_empty()) {
        (true, _) => node,
        (false, false) if title.to_lowercase() != node.to_lowercase() => {
            format!("{title} ({node})")
        }
        _ => title,
    }
}

/// What people write, fit for a comment: one line of letters, of a length that can be read.
pub fn for_comment(text: &str) -> String {
    const MOST: usize = 60;
    let is_plain = |c: char| c.is_alphanumeric() || c.is_ascii_graphic();
    let mut plain = String::new();
    for word in text.split(|c| !is_plain(c)).filter(|word| !word.is_empty()) {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
        if plain.chars().count() > MOST {
            return plain.chars().take(MOST).chain(['…']).collect();
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
