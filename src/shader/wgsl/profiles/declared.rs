//! What the text of a shader declares, found while the crate is compiled: a buffer or a field that no row
//! explains is then an error of the compiler, not a hole in a manifest.

/// Is each buffer that the text declares one of these?
pub const fn declares_only(text: &str, names: &[&str]) -> bool {
    let text = text.as_bytes();
    let mut at = find(text, b"var<", 0);
    while at < text.len() {
        let name = find(text, b">", at) + 2;
        if !stands_at(text, at, b"var<private>") && !is_one_of(text, name, names) {
            return false;
        }
        at = find(text, b"var<", name);
    }
    true
}

/// Has the struct these fields, and no others, in this order? `head` is its first line.
pub const fn has_fields(text: &str, head: &str, fields: &[(&str, &str)]) -> bool {
    let text = text.as_bytes();
    let mut at = find(text, b"\n", find(text, head.as_bytes(), 0)) + 1;
    let mut count = 0;
    while at < text.len() && text[at] != b'}' {
        let line = skip_spaces(text, at);
        if !stands_at(text, line, b"//") {
            if count == fields.len() || !is_one_of(text, line, &[fields[count].0]) {
                return false;
            }
            count += 1;
        }
        at = find(text, b"\n", line) + 1;
    }
    count == fields.len()
}

/// Is there one of the names, and then a colon?
const fn is_one_of(text: &[u8], at: usize, names: &[&str]) -> bool {
    let mut place = 0;
    while place < names.len() {
        let name = names[place].as_bytes();
        if stands_at(text, at, name) && stands_at(text, at + name.len(), b":") {
            return true;
        }
        place += 1;
    }
    false
}

/// The end of the text where it is nowhere.
const fn find(text: &[u8], word: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() && !stands_at(text, at, word) {
        at += 1;
    }
    at
}

const fn skip_spaces(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() && text[at] == b' ' {
        at += 1;
    }
    at
}

const fn stands_at(text: &[u8], at: usize, word: &[u8]) -> bool {
    let mut place = 0;
    while place < word.len() {
        if at + place >= text.len() || text[at + place] != word[place] {
            return false;
        }
        place += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "struct A {\n    // Of b: u32.\n    x: f32,\n    y: f32,\n}\n@group(0) @binding(0) var<uniform> a: A;\nvar<private> p: u32;\n@group(0) @binding(1) var<storage, read> bb: array<f32>;\n";

    #[test]
    fn every_declared_buffer_and_field_is_seen() {
        assert!(declares_only(TEXT, &["bb", "a"]));
        assert!(!declares_only(TEXT, &["a", "b"]));
        assert!(!declares_only(TEXT, &["bb"]));
        assert!(has_fields(TEXT, "struct A {", &[("x", ""), ("y", "")]));
        assert!(!has_fields(TEXT, "struct A {", &[("x", "")]));
        assert!(!has_fields(TEXT, "struct A {", &[("y", ""), ("x", "")]));
        assert!(!has_fields(TEXT, "struct B {", &[("x", ""), ("y", "")]));
    }
}
