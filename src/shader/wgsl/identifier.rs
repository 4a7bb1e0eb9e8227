//! Names that survive every shading language: lower case, never ending in a digit, never `__`.
//!
//! Translators rename what breaks these rules, and then the exported code no longer says what the
//! graph says.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Longer names are cut.
const MOST_LETTERS: usize = 40;

/// Reserved words of GLSL, HLSL and MSL, as far as they could be names of ours; naga has those of WGSL.
const RESERVED_ELSEWHERE: &str = include_str!("reserved_words.txt");

static RESERVED: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let elsewhere = RESERVED_ELSEWHERE.split_whitespace();
    let wgsl = naga::keywords::wgsl::RESERVED.iter().copied();
    let built_in = naga::keywords::wgsl::BUILTIN_IDENTIFIERS.iter().copied();
    elsewhere.chain(wgsl).chain(built_in).chain(BUILT_IN_FUNCTIONS.iter().copied()).collect()
});

/// A variable of such a name would hide the function that later lines call.
const BUILT_IN_FUNCTIONS: [&str; 17] = [
    "abs", "acos", "asin", "atan", "clamp", "cos", "cross", "dot", "exp", "floor", "length", "log",
    "max", "min", "select", "sin", "sqrt",
];

pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(word)
}

/// What people call something as a name in a shader; None if nothing of it can be written.
pub fn identifier(text: &str) -> Option<String> {
    part_of_name(text).map(not_reserved)
}

pub fn not_reserved(name: String) -> String {
    if is_reserved(&name) { name + "_value" } else { name }
}

/// The same for a part of a longer name, which may be a reserved word.
pub fn part_of_name(text: &str) -> Option<String> {
    let mut name = plain_letters(text);
    while let Some(rest) = name.strip_prefix("jn_").or(name.strip_prefix("gl_")) {
        name = rest.to_owned();
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert_str(0, "n_");
    }
    name.truncate(MOST_LETTERS);
    let name = spell_last_digits(name.trim_matches('_'));
    Some(name).filter(|name| !name.is_empty())
}

/// `maxAngle`, `max angle` and `Max-Angle` are all `max_angle`.
fn plain_letters(text: &str) -> String {
    let mut name = String::new();
    let mut was_lower = false;
    // Titles may be of any length; what comes later is cut anyway.
    for letter in text.chars().take(4 * MOST_LETTERS) {
        let plain = without_accent(letter);
        if plain.is_empty() || (was_lower && letter.is_uppercase()) {
            push_separator(&mut name);
        }
        name.push_str(plain.to_ascii_lowercase().as_str());
        was_lower = letter.is_lowercase() || letter.is_ascii_digit();
    }
    name
}

fn push_separator(name: &mut String) {
    if !name.is_empty() && !name.ends_with('_') {
        name.push('_');
    }
}

/// Empty for what is no letter or digit of ours.
fn without_accent(letter: char) -> String {
    let plain = match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' => return letter.to_string(),
        'À'..='Å' | 'à'..='å' => "a",
        'Ç' | 'ç' => "c",
        'È'..='Ë' | 'è'..='ë' => "e",
        'Ì'..='Ï' | 'ì'..='ï' => "i",
        'Ñ' | 'ñ' => "n",
        'Ò'..='Ö' | 'ò'..='ö' | 'Ø' | 'ø' => "o",
        'Ù'..='Ü' | 'ù'..='ü' => "u",
        'Ý' | 'ý' | 'ÿ' => "y",
        'Æ' | 'æ' => "ae",
        'ß' => "ss",
        'α' => "alpha",
        'β' => "beta",
        'θ' => "theta",
        'φ' => "phi",
        'ω' => "omega",
        _ => "",
    };
    plain.to_owned()
}

/// `arm2` → `arm_two`.
fn spell_last_digits(name: &str) -> String {
    const WORDS: [&str; 10] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut spelled = stem.trim_end_matches('_').to_owned();
    for digit in name[stem.len()..].chars().filter_map(|c| c.to_digit(10)) {
        push_separator(&mut spelled);
        spelled.push_str(WORDS[digit as usize]);
    }
    spelled
}

/// `a`, `b`, … `z`, `ba`, …: counts without digits.
pub fn letters(mut number: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(b'a' + (number % 26) as u8);
        number /= 26;
        if number == 0 {
            break;
        }
    }
    letters.reverse();
    String::from_utf8_lossy(&letters).into_owned()
}

/// The names of one scope.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// With whom each belongs to; empty for nobody.
    taken: HashMap<String, String>,
    /// How many were made of a name that was taken.
    made: HashMap<String, usize>,
}

impl Names {
    pub fn new(taken: &[&str]) -> Names {
        let nobodys = |&name: &&str| (name.to_owned(), String::new());
        Names { taken: taken.iter().map(nobodys).collect(), ..Names::default() }
    }

    /// The name itself; where another has it, with what it belongs to; else with a letter: `arm`,
    /// `arm_of_squash`, `arm_b`. All arguments are identifiers; `owner` may be empty.
    pub fn unique(&mut self, wanted: &str, owner: &str) -> String {
        let Some(other) = self.taken.get(wanted) else {
            return self.take(wanted.to_owned(), owner);
        };
        let stem = match other == owner || owner.is_empty() {
            true => wanted.to_owned(),
            false => format!("{wanted}_of_{owner}"),
        };
        if !self.taken.contains_key(&stem) {
            return self.take(stem, owner);
        }
        let mut name = stem.clone();
        while self.taken.contains_key(&name) {
            let made = self.made.entry(stem.clone()).or_default();
            *made += 1;
            name = format!("{stem}_{}", letters(*made));
        }
        self.take(name, owner)
    }

    fn take(&mut self, name: String, owner: &str) -> String {
        self.taken.insert(name.clone(), owner.to_owned());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_becomes_a_name() {
        let named = |text| identifier(text);
        assert_eq!(named("max angle").as_deref(), Some("max_angle"));
        assert_eq!(named("maxAngle").as_deref(), Some("max_angle"));
        assert_eq!(named("Höhe  über 0").as_deref(), Some("hohe_uber_zero"));
        assert_eq!(named("arm12").as_deref(), Some("arm_one_two"));
        assert_eq!(named("3 ears").as_deref(), Some("n_3_ears"));
        assert_eq!(named("__jn_gl_frame__").as_deref(), Some("frame"));
        assert_eq!(named("half").as_deref(), Some("half_value"));
        assert_eq!(named("length").as_deref(), Some("length_value"));
        assert_eq!(named("尻尾"), None);
        assert_eq!(named(" _-_ "), None);
    }

    #[test]
    fn names_stay_apart_and_keep_the_law() {
        let mut names = Names::default();
        let mut made: Vec<String> = (0..60).map(|_| names.unique("arm", "squash")).collect();
        assert_eq!(made[..3], ["arm", "arm_b", "arm_c"]);
        made.extend((0..3).map(|_| names.unique("arm", "floppy")));
        assert_eq!(made[60..], ["arm_of_floppy", "arm_of_floppy_b", "arm_of_floppy_c"]);
        let different: HashSet<&String> = made.iter().collect();
        assert_eq!(different.len(), made.len());
        for name in &made {
            assert!(
                !name.contains("__") && !name.ends_with(|c: char| c.is_ascii_digit()),
                "{name}"
            );
        }
    }
}
