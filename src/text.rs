//! Small helpers for messages.

/// The candidate most like a mistyped word, if any is like it at all.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let most = 1 + word.chars().count() / 3;
    let distances = candidates
        .into_iter()
        .map(|candidate| (edit_distance(&word, &candidate.to_lowercase()), candidate));
    let (distance, nearest) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= most).then_some(nearest)
}

/// Names as a choice: "a", "b" or "c".
pub fn either(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
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
    use super::{counted, either, nearest};

    #[test]
    fn a_mistyped_name_finds_its_neighbour_and_nonsense_finds_nothing() {
        assert_eq!(nearest("haed", ["Tail", "Head", "Spine"]), Some("Head"));
        assert_eq!(nearest("xylophone", ["Tail", "Head"]), None);
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
