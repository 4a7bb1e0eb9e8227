//! How JSON is laid out in our files, so that version control shows small differences.
//!
//! An object has one key per line, sorted. Lists of numbers are filled up to the margin; lists of
//! texts stand on one line if they fit; any other list has one item per line. Whole numbers are
//! written without a point, and every number so that it comes back the same.

use super::file_form::whole;
use serde_json::{Map, Value};

const MARGIN: usize = 100;

/// With a newline at the end. `first` stands before all other keys of the outermost object.
pub fn lay_out(value: &Value, first: &str) -> String {
    let mut out = Layout { text: String::new(), first };
    out.value(value, 0);
    out.text.push('\n');
    out.text
}

struct Layout<'a> {
    text: String,
    first: &'a str,
}

impl Layout<'_> {
    fn value(&mut self, value: &Value, level: usize) {
        match value {
            Value::Object(entries) if !entries.is_empty() => self.object(entries, level),
            Value::Array(items) if items.is_empty() => self.text.push_str("[]"),
            Value::Array(items) if items.iter().all(Value::is_number) => self.numbers(items, level),
            Value::Array(items) => self.list(items, level),
            Value::Object(_) => self.text.push_str("{}"),
            scalar => self.text.push_str(&scalar_text(scalar)),
        }
    }

    fn object(&mut self, entries: &Map<String, Value>, level: usize) {
        let mut keys: Vec<&String> = entries.keys().collect();
        keys.sort_by_key(|key| (level > 0 || *key != self.first, *key));
        self.text.push('{');
        for (index, key) in keys.into_iter().enumerate() {
            self.next(index, level + 1);
            self.text.push_str(&scalar_text(&Value::from(key.as_str())));
            self.text.push_str(": ");
            self.value(entries.get(key).unwrap_or(&Value::Null), level + 1);
        }
        self.line(level);
        self.text.push('}');
    }

    fn list(&mut self, items: &[Value], level: usize) {
        if items.iter().all(Value::is_string) {
            let texts: Vec<String> = items.iter().map(scalar_text).collect();
            let line = format!("[{}]", texts.join(", "));
            if self.column() + line.chars().count() < MARGIN {
                self.text.push_str(&line);
                return;
            }
        }
        self.text.push('[');
        for (index, item) in items.iter().enumerate() {
            self.next(index, level + 1);
            self.value(item, level + 1);
        }
        self.line(level);
        self.text.push(']');
    }

    fn numbers(&mut self, items: &[Value], level: usize) {
        self.text.push('[');
        let texts: Vec<String> = items.iter().map(scalar_text).collect();
        let width = texts.iter().map(|text| text.len() + 2).sum::<usize>();
        if self.column() + width <= MARGIN {
            self.text.push_str(&texts.join(", "));
            self.text.push(']');
            return;
        }
        let mut column = MARGIN;
        for (index, text) in texts.iter().enumerate() {
            // With the comma before it and the one after; no blank ends a line.
            if column + text.len() + 3 > MARGIN {
                self.next(index, level + 1);
                column = 2 * (level + 1);
            } else {
                self.text.push_str(", ");
                column += 2;
            }
            self.text.push_str(text);
            column += text.len();
        }
        self.line(level);
        self.text.push(']');
    }

    /// To the next item of a list.
    fn next(&mut self, index: usize, level: usize) {
        if index > 0 {
            self.text.push(',');
        }
        self.line(level);
    }

    fn line(&mut self, level: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", level));
    }

    fn column(&self) -> usize {
        let start = self.text.rfind('\n').map_or(0, |newline| newline + 1);
        self.text.get(start..).map_or(0, |line| line.chars().count())
    }
}

fn scalar_text(value: &Value) -> String {
    match value {
        Value::Number(number) => whole(number.clone()).to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_stand_in_lines_and_numbers_fill_them() {
        let value = json!({"b": {"z": [1.0, 2.5], "a": []}, "format": 1, "a": [["x.y", "z"], {}]});
        let expected = "{\n  \"format\": 1,\n  \"a\": [\n    [\"x.y\", \"z\"],\n    {}\n  ],\n  \"b\": {\n    \"a\": [],\n    \"z\": [1, 2.5]\n  }\n}\n";
        assert_eq!(lay_out(&value, "format"), expected);
    }

    #[test]
    fn a_long_list_of_numbers_takes_few_lines() {
        let text = lay_out(&json!({"map": vec![0.125; 1000]}), "");
        assert!(text.lines().count() < 100, "{text}");
        assert!(text.lines().all(|line| line.len() <= MARGIN && line.trim_end() == line));
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["map"].as_array().unwrap().len(), 1000);
    }
}
