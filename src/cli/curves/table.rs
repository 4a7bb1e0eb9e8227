//! Curves as comma-separated values: one row per time, bone or flesh element, and value.

use super::{Curves, Subject};
use jounce_base::text::visible;
use jounce_eval::curves::{Side, magnitude};
use jounce_ir::Number;
use std::fmt::Write;

const HEAD: &str = "time_secs,bone,side,node,title,port,unit,magnitude,x,y,z\n";

pub fn csv(curves: &Curves) -> String {
    let mut text = HEAD.to_owned();
    for (Subject { name, .. }, numbers) in curves.subjects.iter().zip(&curves.numbers) {
        for (line, numbers) in curves.lines.iter().zip(numbers) {
            let side = match line.side {
                Side::Before => "before",
                Side::After => "after",
            };
            let names = [name, side, &line.node, &line.title, &line.port, line.unit()];
            let names = names.map(field).join(",");
            for (time_secs, number) in curves.times_secs.iter().zip(numbers) {
                let magnitude = magnitude(*number);
                // A float has no components.
                let components = match number {
                    Number::Vec3(v) => format!("{},{},{}", v.x, v.y, v.z),
                    _ => ",,".to_owned(),
                };
                let _ = writeln!(text, "{time_secs},{names},{magnitude},{components}");
            }
        }
    }
    text
}

/// In quotes where it must be. Comma-separated values have no escapes, so what cannot be shown is shown as
/// in a picture.
fn field(text: &str) -> String {
    let text = visible(text);
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_and_quotes_stay_one_field() {
        assert_eq!(field("Head"), "Head");
        assert_eq!(field("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
