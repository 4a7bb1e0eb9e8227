//! Small helpers for messages, and the one place that says how texts of files may be shown.

use std::borrow::Cow;
use strsim::damerau_levenshtein;

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

/// At most so many characters: what is longer loses its middle, because names of bones and clips often differ at
/// their ends.
pub fn elided(text: &str, most_characters: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most_characters {
        return Cow::Borrowed(text);
    }
    let kept = most_characters.saturating_sub(1);
    let end = kept / 2;
    let start = text.chars().take(kept - end);
    Cow::Owned(start.chain(['…']).chain(text.chars().skip(count - end)).collect())
}

/// The candidate most like a mistyped word, if any is like it at all: at most about a third of its letters
/// are wrong, left out, added or have changed places. Upper and lower case are the same.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length > LONGEST_WORD {
        return None;
    }
    let slips = |candidate: &'a str| {
        let longer = candidate.chars().take(2 * LONGEST_WORD).count().max(length);
        // One letter in place of another is another word where there is only one.
        let most = (longer + 1) / 3;
        // Longer by more than that, it need not be compared.
        let is_comparable = longer - length <= most;
        let distance = is_comparable.then(|| damerau_levenshtein(&word, &candidate.to_lowercase()));
        Some((distance.filter(|distance| *distance <= most)?, candidate))
    };
    let (_, nearest) = candidates.into_iter().filter_map(slips).min_by_key(|(slips, _)| *slips)?;
    Some(nearest)
}

/// What is longer is not mistyped, and would take long to compare.
const LONGEST_WORD: usize = 200;

/// Names as a choice: "a", "b" or "c".
pub fn either(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    listed(&quoted, "or")
}

/// Words as a list that ends in "and" or "or".
pub fn listed(words: &[String], before_last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} {before_last} {last}", others.join(", ")),
    }
}

/// The end of a message about a name that is not there: what was meant, or else what there is.
pub fn suggestion(nearest: &Option<String>, what: &str, known: &[String]) -> String {
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

#[cfg(test)]
mod tests {
    use super::{counted, either, elided, nearest, visible, visible_json, visible_lines};

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
    fn a_long_name_loses_its_middle() {
        assert_eq!(elided("Head", 4), "Head");
        assert_eq!(elided("mixamorig:LeftHandThumb4", 12), "mixamo…humb4");
        assert_eq!(elided("Köpfchen", 5), "Kö…en");
        assert_eq!((elided("ab", 1), elided("ab", 0)), ("…".into(), "…".into()));
    }

    #[test]
    fn a_mistyped_name_finds_its_neighbour_and_nonsense_finds_nothing() {
        assert_eq!(nearest("haed", ["Tail", "Head", "Spine"]), Some("Head"));
        assert_eq!(nearest("xylophone", ["Tail", "Head"]), None);
        assert_eq!(nearest("x", ["y", "if"]), None);
        assert_eq!(nearest("dtt", ["dt"]), Some("dt"));
        assert_eq!(nearest("cwo", ["bird", "cow"]), Some("cow"));
        assert_eq!(nearest("GIRAFE", ["cow", "giraffe"]), Some("giraffe"));
        assert_eq!(nearest("Fox", ["tube", "cow"]), None, "two of three letters differ");
        assert_eq!(nearest("cow", ["a cow that is far from it"]), None);
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
