//! Small helpers for messages, and the one place that says how texts of files may be shown.

use std::borrow::Cow;

/// A name or a message as it may be shown on one line: what would steer a terminal, break the line, turn
/// around or hide what stands beside it, or is no character of XML, is written as an escape, such as `\n`
/// or `\u{1b}`. Texts of files are not trusted; they are kept as they are, and shown like this.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden, |hidden| hidden.escape_default().to_string())
}

/// The same for a text of several lines of our own.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| c != '\n' && is_hidden(c);
    escaped(text, is_hidden, |hidden| hidden.escape_default().to_string())
}

/// JSON on several lines, with the same characters written as `\u001b`: the text they stand for stays
/// what it was.
pub fn visible_json(value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    let is_hidden = |c: char| c != '\n' && is_hidden(c);
    let unit = |unit: &mut u16| format!("\\u{unit:04x}");
    let escape = |c: char| c.encode_utf16(&mut [0; 2]).iter_mut().map(unit).collect();
    Ok(escaped(&text, is_hidden, escape).into_owned())
}

fn escaped(
    text: &str,
    is_hidden: impl Fn(char) -> bool,
    escape: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_hidden(c) {
            true => shown += &escape(c),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Joiners (U+200C, U+200D) stay: letters of several scripts need them.
fn is_hidden(c: char) -> bool {
    match c {
        // Marks, embeddings, overrides and isolates of the direction of writing.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        // Line and paragraph separators.
        '\u{2028}' | '\u{2029}' => true,
        // Of no width.
        '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        // Never a character, and so not in XML.
        '\u{fffe}' | '\u{ffff}' => true,
        c => c.is_control(),
    }
}

/// The candidate most like a mistyped word, if any is like it at all.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length > LONGEST_WORD {
        return None;
    }
    // One letter in place of another is another word where there are only one or two.
    let most = if length < 3 { length / 2 } else { 1 + length / 3 };
    let distances = candidates
        .into_iter()
        .filter(|candidate| {
            candidate.chars().take(2 * LONGEST_WORD).count().abs_diff(length) <= most
        })
        .map(|candidate| (edit_distance(&word, &candidate.to_lowercase()), candidate));
    let (distance, nearest) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= most).then_some(nearest)
}

/// What is longer is not mistyped, and would take long to compare.
const LONGEST_WORD: usize = 200;

/// Names as a choice: "a", "b" or "c".
pub fn either(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

/// What was meant, or else what there is.
pub fn or_known(nearest: &Option<String>, what: &str, known: &[String]) -> String {
    match (nearest, known) {
        (Some(nearest), _) => format!("; did you mean \"{nearest}\"?"),
        (None, []) => format!("; it has no {what}"),
        (None, known) => format!("; it has {}", known.join(", ")),
    }
}

/// "1 frame", "2 frames".
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// How many letters must be changed, added or removed (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{counted, either, nearest, visible, visible_json, visible_lines};

    #[test]
    fn what_steers_terminals_is_shown_as_an_escape() {
        assert!(matches!(visible("Kopf été 頭 🦒"), std::borrow::Cow::Borrowed(_)));
        assert_eq!(visible("a\x1b[31m\r\n\x07\u{9b}b"), r"a\u{1b}[31m\r\n\u{7}\u{9b}b");
        assert_eq!(visible("gpj.\u{202e}glb"), r"gpj.\u{202e}glb");
        assert_eq!(visible("\u{ffff}\u{2028}\u{feff}"), r"\u{ffff}\u{2028}\u{feff}");
        assert_eq!(visible_lines("a\nb\r"), "a\nb\\r");
    }

    #[test]
    fn json_shows_the_same_and_means_what_it_meant() {
        let names = ["a\n\x1b\u{9b}\u{202e}\u{7f}\u{e0041}".to_owned()];
        let text = visible_json(&names).unwrap();
        assert!(!text.contains(|c: char| c != '\n' && super::is_hidden(c)), "{text:?}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&text).unwrap(), names);
    }

    #[test]
    fn a_mistyped_name_finds_its_neighbour_and_nonsense_finds_nothing() {
        assert_eq!(nearest("haed", ["Tail", "Head", "Spine"]), Some("Head"));
        assert_eq!(nearest("xylophone", ["Tail", "Head"]), None);
        assert_eq!(nearest("x", ["y", "if"]), None);
        assert_eq!(nearest("dtt", ["dt"]), Some("dt"));
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "frame")), ["0 frames", "1 frame", "2 frames"]);
    }

    #[test]
    fn names_are_listed_as_a_choice() {
        assert_eq!(either(&["a"]), "\"a\"");
        assert_eq!(either(&["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
    }
}
