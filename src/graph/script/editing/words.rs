//! Text → words, numbers, texts, comments and signs, whatever the text is.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    Name,
    Number,
    Text,
    Comment,
    /// One character; of `..` and `==` each by itself.
    Sign,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// In bytes.
    pub range: Range<usize>,
    pub kind: WordKind,
}

impl Word {
    pub fn of<'a>(&self, code: &'a str) -> &'a str {
        code.get(self.range.clone()).unwrap_or_default()
    }

    /// Without its quotes.
    pub fn quoted<'a>(&self, code: &'a str) -> &'a str {
        let text = self.of(code);
        let text = text.strip_prefix('"').unwrap_or(text);
        text.strip_suffix('"').unwrap_or(text)
    }
}

pub fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// In the order of the text, white space left out.
pub fn words(code: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(first) = code[start..].chars().next() {
        let rest = &code[start..];
        let (length, kind) = match first {
            c if c.is_whitespace() => (c.len_utf8(), None),
            '/' if rest.starts_with("//") => {
                (rest.find('\n').unwrap_or(rest.len()), Some(WordKind::Comment))
            }
            '/' if rest.starts_with("/*") => (block_comment(rest), Some(WordKind::Comment)),
            '"' => (quoted(rest, '"', true), Some(WordKind::Text)),
            '`' => (quoted(rest, '`', false), Some(WordKind::Text)),
            c if c.is_ascii_digit() => (number(rest), Some(WordKind::Number)),
            c if is_in_name(c) => {
                (rest.find(|c| !is_in_name(c)).unwrap_or(rest.len()), Some(WordKind::Name))
            }
            c => (c.len_utf8(), Some(WordKind::Sign)),
        };
        // Nothing is shorter than its first character, so this comes to an end.
        let end = start + length.max(first.len_utf8());
        found.extend(kind.map(|kind| Word { range: start..end, kind }));
        start = end;
    }
    found
}

/// Block comments may have others inside.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest[at..];
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Up to its closing quote; one that is not closed ends with its line.
fn quoted(rest: &str, quote: char, ends_with_line: bool) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if ends_with_line => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// `12`, `0.5`, `1e-3`; not the dots of `0..8`, nor that of `2.max(x)`.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let digits = |from: usize| {
        let count = bytes[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
        from + count
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(code: &str) -> Vec<(&str, WordKind)> {
        words(code).iter().map(|word| (word.of(code), word.kind)).collect()
    }

    #[test]
    fn words_are_told_apart() {
        use WordKind::{Comment, Name, Number, Sign, Text};
        assert_eq!(
            shown("let x_1 = 1e-3 * v.x; // so"),
            [
                ("let", Name),
                ("x_1", Name),
                ("=", Sign),
                ("1e-3", Number),
                ("*", Sign),
                ("v", Name),
                (".", Sign),
                ("x", Name),
                (";", Sign),
                ("// so", Comment)
            ]
        );
        assert_eq!(shown("0..8"), [("0", Number), (".", Sign), (".", Sign), ("8", Number)]);
        assert_eq!(shown("\"a \\\" b\" /* a /* b */ c */ d")[0], ("\"a \\\" b\"", Text));
        assert_eq!(shown("/* a /* b */ c */ d").last(), Some(&("d", Name)));
    }

    #[test]
    fn a_text_without_end_ends_with_its_line() {
        assert_eq!(shown("\"open\nlet")[1], ("let", WordKind::Name));
        assert_eq!(shown("/* open").len(), 1);
    }
}
