//! Pieces of WGSL and how tightly they bind, so that parentheses stand only where they are needed.

use jounce_ir::{Number, Type, Value};

/// From loose to tight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Logic,
    Relation,
    Sum,
    Product,
    Unary,
    Primary,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    pub text: String,
    pub level: Level,
    /// The values it reads that have a name where it stands.
    pub reads: Vec<Value>,
}

impl Expression {
    pub fn primary(text: impl Into<String>) -> Expression {
        Expression { text: text.into(), level: Level::Primary, reads: Vec::new() }
    }

    /// A value by its name.
    pub fn named(name: &str, value: Value) -> Expression {
        Expression { reads: vec![value], ..Expression::primary(name) }
    }

    pub fn at_level(text: String, level: Level, parts: &[&Expression]) -> Expression {
        let reads = parts.iter().flat_map(|part| part.reads.iter().copied()).collect();
        Expression { text, level, reads }
    }

    pub fn call(function: &str, arguments: &[&Expression]) -> Expression {
        let texts: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
        let text = format!("{function}({})", texts.join(", "));
        Expression::at_level(text, Level::Primary, arguments)
    }

    /// As an operand that must bind at least so tightly.
    pub fn at_least(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// a + b; where b has a minus sign, a − b.
    pub fn sum(a: &Expression, sign: &str, b: &Expression) -> Expression {
        Expression::of_terms(a, [sign, "-"], b)
    }

    /// a − b; where b has a minus sign, a + b.
    pub fn difference(a: &Expression, sign: &str, b: &Expression) -> Expression {
        Expression::of_terms(a, [sign, "+"], b)
    }

    fn of_terms(a: &Expression, [sign, other_sign]: [&str; 2], b: &Expression) -> Expression {
        let first = a.at_least(Level::Sum);
        let text = match b.text.strip_prefix('-').filter(|_| b.level == Level::Unary) {
            Some(positive) => format!("{first} {other_sign} {positive}"),
            None => format!("{first} {sign} {}", b.at_least(Level::Product)),
        };
        Expression::at_level(text, Level::Sum, &[a, b])
    }

    /// a · b or a / b.
    pub fn product(a: &Expression, sign: &str, b: &Expression) -> Expression {
        let (first, second) = (a.at_least(Level::Product), b.at_least(Level::Unary));
        Expression::at_level(format!("{first} {sign} {second}"), Level::Product, &[a, b])
    }

    pub fn relation(a: &Expression, operator: &str, b: &Expression) -> Expression {
        let (first, second) = (a.at_least(Level::Sum), b.at_least(Level::Sum));
        Expression::at_level(format!("{first} {operator} {second}"), Level::Relation, &[a, b])
    }

    /// WGSL does not let `&&` and `||` stand side by side.
    pub fn logic(a: &Expression, operator: &str, b: &Expression) -> Expression {
        let (first, second) = (a.at_least(Level::Relation), b.at_least(Level::Relation));
        Expression::at_level(format!("{first} {operator} {second}"), Level::Logic, &[a, b])
    }

    pub fn unary(operator: &str, a: &Expression) -> Expression {
        Expression::at_level(
            format!("{operator}{}", a.at_least(Level::Primary)),
            Level::Unary,
            &[a],
        )
    }

    pub fn component(v: &Expression, place: u8) -> Expression {
        let component = ["x", "y", "z"][usize::from(place.min(2))];
        let text = format!("{}.{component}", v.at_least(Level::Primary));
        Expression::at_level(text, Level::Primary, &[v])
    }
}

pub fn literal(number: Number) -> Expression {
    match number {
        Number::Bool(is) => Expression::primary(is.to_string()),
        Number::Float(x) => {
            let text = float(x);
            let level = if text.starts_with('-') { Level::Unary } else { Level::Primary };
            Expression { text, level, reads: Vec::new() }
        }
        Number::Vec3(v) if v.x == v.y && v.y == v.z => {
            Expression::primary(format!("vec3f({})", float(v.x)))
        }
        Number::Vec3(v) => {
            Expression::primary(format!("vec3f({}, {}, {})", float(v.x), float(v.y), float(v.z)))
        }
    }
}

/// The shortest text that reads back as the same single precision number. There are no literals for
/// infinity and NaN; subnormal numbers are 0 on most devices.
pub fn float(x: f64) -> String {
    let single = x.clamp(f32::MIN.into(), f32::MAX.into()) as f32;
    let single = if single.is_normal() { single } else { 0.0 };
    format!("{single:?}")
}

pub fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Float => "f32",
        Type::Bool => "bool",
        Type::Vec3 => "vec3f",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back() {
        assert_eq!(float(0.2), "0.2");
        assert_eq!(float(1.0), "1.0");
        assert_eq!(float(-0.0), "0.0");
        assert_eq!(float(1e-7), "1e-7");
        assert_eq!(float(1e300), "3.4028235e38");
        assert_eq!(float(f64::NAN), "0.0");
        assert_eq!(float(f64::NEG_INFINITY), "-3.4028235e38");
        assert_eq!(float(1e-42), "0.0");
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let [a, b, c] = ["a", "b", "c"].map(Expression::primary);
        let sum = Expression::sum(&a, "+", &b);
        assert_eq!(Expression::product(&sum, "*", &c).text, "(a + b) * c");
        assert_eq!(Expression::difference(&c, "-", &sum).text, "c - (a + b)");
        assert_eq!(Expression::sum(&sum, "+", &c).text, "a + b + c");
        let minus = literal(Number::Float(-2.0));
        assert_eq!(Expression::difference(&a, "-", &minus).text, "a + 2.0");
        assert_eq!(Expression::product(&a, "*", &minus).text, "a * -2.0");
        assert_eq!(Expression::unary("-", &minus).text, "-(-2.0)");
        let less = Expression::relation(&a, "<", &b);
        let both = Expression::logic(&less, "&&", &less);
        assert_eq!(Expression::logic(&both, "||", &c).text, "(a < b && a < b) || c");
    }
}
