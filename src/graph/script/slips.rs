//! Habits from other languages that stop the parser: what to write instead, and the text as it was meant,
//! so that the rest of the script can be read too.

use super::error::{Fail, SourcePosition};

/// One slip, found where the parser stopped.
pub struct Slip {
    pub fail: Fail,
    /// The text with the slip fixed; everything else stays in place.
    pub mended: String,
}

/// Words that other languages declare variables with.
const TYPE_WORDS: [&str; 14] = [
    "float", "double", "int", "bool", "var", "auto", "number", "string", "vec2", "vec3", "vec4",
    "float3", "mat3", "quat",
];

pub fn find(text: &str, place: SourcePosition) -> Option<Slip> {
    let mut lines: Vec<Vec<char>> = text.split('\n').map(|line| line.chars().collect()).collect();
    let number = place.line.checked_sub(1)?;
    let at = place.column.checked_sub(1)?;
    let line = lines.get(number).filter(|line| at <= line.len())?;
    let (start, message, mended) = number_suffix(line, at)
        .or_else(|| leading_dot(line, at))
        .or_else(|| counting_for(line, at))
        .or_else(|| result_type(line, at))
        .or_else(|| type_behind(line, at))
        .or_else(|| type_before(line, at))?;
    lines[number] = mended;
    let mended: Vec<String> = lines.into_iter().map(|line| line.into_iter().collect()).collect();
    let fail = Fail::new(SourcePosition { line: place.line, column: start + 1 }, message);
    Some(Slip { fail, mended: mended.join("\n") })
}

/// Where in the line, what to do, and the line as it was meant.
type Found = Option<(usize, String, Vec<char>)>;

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word that begins at a place.
fn word_at(line: &[char], start: usize) -> String {
    line[start.min(line.len())..].iter().take_while(|&&c| is_word(c)).collect()
}

/// The word that ends before a place, spaces left out, and where it begins.
fn word_before(line: &[char], end: usize) -> Option<(usize, String)> {
    let end = line[..end.min(line.len())].iter().rposition(|c| !c.is_whitespace())? + 1;
    let start = line[..end].iter().rposition(|&c| !is_word(c)).map_or(0, |it| it + 1);
    (start < end).then(|| (start, line[start..end].iter().collect()))
}

fn blanked(line: &[char], from: usize, to: usize) -> Vec<char> {
    let blank = |(i, &c): (usize, &char)| if (from..to).contains(&i) { ' ' } else { c };
    line.iter().enumerate().map(blank).collect()
}

fn shown(line: &[char], from: usize, to: usize) -> String {
    line[from..to].iter().collect::<String>().trim().to_owned()
}

/// `2.0f`
fn number_suffix(line: &[char], at: usize) -> Found {
    let suffix = word_at(line, at);
    // Places in a line are counted in letters, whatever bytes they take.
    let end = at + suffix.chars().count();
    let is_suffix = suffix.starts_with(char::is_alphabetic) && end <= at + 3;
    let is_digit = |c: &char| c.is_ascii_digit() || *c == '.';
    let start = line[..at].iter().rposition(|c| !is_digit(c)).map_or(0, |it| it + 1);
    if !is_suffix || start == at || !line[start].is_ascii_digit() {
        return None;
    }
    let (whole, digits) = (shown(line, start, end), shown(line, start, at));
    let message = format!("`{whole}` is not a number; write `{digits}`, without letters after it");
    Some((start, message, blanked(line, at, end)))
}

/// `.5`
fn leading_dot(line: &[char], at: usize) -> Found {
    let digits = word_at(line, at + 1);
    if line.get(at) != Some(&'.') || !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let message = format!("a number begins with a digit; write `0.{digits}`");
    Some((at, message, blanked(line, at, at + 1)))
}

/// `for (let i = 0; i < 8; i++)`
fn counting_for(line: &[char], at: usize) -> Found {
    let before = at.min(line.len());
    let start = (0..before).rev().find(|&i| {
        // A word is read only where one begins, or a long one would be read again from each of its letters.
        line[i] == 'f' && (i == 0 || !is_word(line[i - 1])) && word_at(line, i) == "for"
    })?;
    let head: String = line[start..].iter().collect();
    // `in` would make it a loop over a list.
    if !head.contains(';') || head.split(|c| !is_word(c)).any(|word| word == "in") {
        return None;
    }
    let message = "`for` goes over a range or a list here; write `for i in 0..8 { … }`".to_owned();
    let counter = head.split('=').next().unwrap_or_default();
    let counter: Vec<char> = counter.chars().collect();
    let name = word_before(&counter, counter.len()).map_or("i".to_owned(), |(_, name)| name);
    let end = line.iter().rposition(|&c| c == '{').unwrap_or(line.len());
    let meant = format!("for {name} in 0..2");
    let mut mended = blanked(line, start, end);
    for (i, c) in meant.chars().enumerate() {
        *mended.get_mut(start + i).filter(|_| start + i < end)? = c;
    }
    Some((start, message, mended))
}

/// `fn eval(x) -> float {`
fn result_type(line: &[char], at: usize) -> Found {
    if line.get(at..at + 2) != Some(&['-', '>'][..]) {
        return None;
    }
    let end = line.iter().position(|&c| c == '{').filter(|&end| end > at).unwrap_or(line.len());
    let head: Vec<String> = shown(line, 0, at).split_whitespace().map(str::to_owned).collect();
    let head = head.join(" ").replace(" )", ")").replace(" ,", ",");
    let message = format!("functions have no return type; write `{head} {{`");
    Some((at, message, blanked(line, at, end)))
}

/// `fn eval(x: float)`, `let x: float = 1`
fn type_behind(line: &[char], at: usize) -> Found {
    let (_, name) = word_before(line, at).filter(|_| line.get(at) == Some(&':'))?;
    let first = word_at(line, line.iter().position(|c| !c.is_whitespace())?);
    let ends: &[char] = if first == "fn" { &[',', ')'] } else { &['=', ';'] };
    let message = match first.as_str() {
        "fn" => format!("parameters have no types here; write only `{name}`"),
        "let" | "const" => format!("variables have no types here; write `{first} {name} = …`"),
        _ => return None,
    };
    let length = line[at..].iter().position(|c| ends.contains(c))?;
    Some((at, message, blanked(line, at, at + length)))
}

/// `fn eval(float x)`, `float x = 1`
fn type_before(line: &[char], at: usize) -> Found {
    let name = word_at(line, at);
    let (start, ty) = word_before(line, at)?;
    if name.is_empty() || !TYPE_WORDS.contains(&ty.as_str()) {
        return None;
    }
    let first = line.iter().position(|c| !c.is_whitespace())?;
    if word_at(line, first) == "fn" {
        let message = format!("parameters have no types here; write only `{name}`");
        return Some((start, message, blanked(line, start, at)));
    }
    let message = format!("`{ty}` declares nothing here; write `let {name} = …`");
    let mut mended = blanked(line, start, at);
    mended.get_mut(start..start + 3)?.copy_from_slice(&['l', 'e', 't']);
    Some((start, message, mended))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str, column: usize) -> Option<(usize, String)> {
        let slip = find(text, SourcePosition { line: 1, column })?;
        Some((slip.fail.place.column, slip.mended))
    }

    #[test]
    fn a_slip_is_mended_and_all_else_stays_where_it_was() {
        let cases = [
            ("let x = 2.0f * y;", 12, 9, "let x = 2.0  * y;"),
            ("let x = .5 * y;", 9, 9, "let x =  5 * y;"),
            ("for (let k = 0; k < 8; k++) {", 6, 1, "for k in 0..2               {"),
            ("fn eval(x: float, y) {", 10, 10, "fn eval(x       , y) {"),
            ("fn eval(float x) {", 15, 9, "fn eval(      x) {"),
            ("fn eval(x) -> float {", 12, 12, "fn eval(x)          {"),
            ("let x: vec3 = y;", 6, 6, "let x       = y;"),
            ("    float x = 1;", 11, 5, "    let   x = 1;"),
            // Letters of more than one byte, with something behind them and at the end of the line.
            ("let x = 2π;", 10, 9, "let x = 2 ;"),
            ("x * 2π", 6, 5, "x * 2 "),
            ("x * 2é", 6, 5, "x * 2 "),
        ];
        for (text, column, place, expected) in cases {
            assert_eq!(mended(text, column), Some((place, expected.to_owned())), "{text}");
        }
    }

    #[test]
    fn what_is_no_slip_is_left_alone() {
        for text in ["let x = y z;", "", "v.5", "x ? y : z", "#{ a: 1 b: 2 }"] {
            for column in 0..text.len() + 3 {
                let found = mended(text, column);
                assert!(found.is_none() || text == "v.5", "{text} at {column}: {found:?}");
            }
        }
    }
}
