//! `+ - * / % **`, comparisons and logic, on everything they make sense on.

use super::super::error::Fail;
use super::super::functions::algebra;
use super::{Evaluation, Val};
use jounce_ir::{Binary, Number, Unary};
use rhai::Position;

impl Evaluation<'_, '_> {
    pub(super) fn operator(
        &mut self,
        symbol: &str,
        operands: &[Val],
        place: Position,
    ) -> Result<Val, Fail> {
        match operands {
            [a] => self.unary_operator(symbol, a, place),
            [a, b] if symbol == ".." => self.range(a, b, false, place),
            [a, b] if symbol == "..=" => self.range(a, b, true, place),
            [a, b] => self.binary_operator(symbol, a, b, place),
            _ => Err(Fail::new(place, format!("`{symbol}` cannot be used like this"))),
        }
    }

    fn unary_operator(&mut self, symbol: &str, a: &Val, place: Position) -> Result<Val, Fail> {
        let b = &mut *self.builder;
        Ok(match (symbol, a) {
            ("+", Val::Int(_) | Val::Float(_) | Val::Vec3(_)) => a.clone(),
            ("-", Val::Int(i)) => Val::Int(i.saturating_neg()),
            ("-", Val::Float(x)) => Val::Float(b.unary(Unary::Neg, *x)),
            ("-", Val::Vec3(v)) => Val::Vec3(b.unary(Unary::Neg, *v)),
            ("-", Val::Mat3(m)) => Val::Mat3(m.map(|column| b.unary(Unary::Neg, column))),
            ("!", Val::Bool(x)) => Val::Bool(b.unary(Unary::Not, *x)),
            _ => {
                let message = format!("`{symbol}` cannot be applied to {}", a.describe());
                return Err(Fail::new(place, message));
            }
        })
    }

    pub(super) fn binary_operator(
        &mut self,
        symbol: &str,
        a: &Val,
        b: &Val,
        place: Position,
    ) -> Result<Val, Fail> {
        let known = match (a, b) {
            (Val::Int(a), Val::Int(b)) => self.on_ints(symbol, *a, *b),
            (Val::Text(a), Val::Text(b)) => self.on_texts(symbol, a == b),
            (Val::Bool(_), Val::Bool(_)) => self.on_bools(symbol, a, b),
            _ => self.on_values(symbol, a, b),
        };
        known.ok_or_else(|| {
            let message = match (symbol, a, b) {
                ("+", Val::Text(_), _) | ("+", _, Val::Text(_)) => {
                    "a node cannot compute with texts".to_owned()
                }
                ("<" | ">" | "<=" | ">=" | "==" | "!=", Val::Vec3(_), _)
                | ("<" | ">" | "<=" | ">=" | "==" | "!=", _, Val::Vec3(_)) => {
                    format!("`{symbol}` compares floats; take `length(v)` or a part such as `v.x`")
                }
                ("^", _, _) => "`^` is not a power here; write `x ** 2` or `pow(x, y)`".to_owned(),
                ("&&" | "||", _, _) => {
                    let (a, b) = (a.describe(), b.describe());
                    format!(
                        "`{symbol}` joins two conditions such as `x > 0`, but these are {a} and {b}"
                    )
                }
                _ => format!("`{symbol}` cannot combine {} and {}", a.describe(), b.describe()),
            };
            Fail::new(place, message)
        })
    }

    fn known_bool(&mut self, b: bool) -> Val {
        Val::Bool(self.builder.constant(Number::Bool(b)))
    }

    /// Whole numbers stay whole; 1/2 is one half, as everyone but a programmer expects.
    fn on_ints(&mut self, symbol: &str, a: i64, b: i64) -> Option<Val> {
        let whole = match symbol {
            "+" => a.checked_add(b),
            "-" => a.checked_sub(b),
            "*" => a.checked_mul(b),
            "/" if a.checked_rem(b) == Some(0) => a.checked_div(b),
            "/" => None,
            "%" => modulo(a, b),
            "**" => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            "==" => return Some(self.known_bool(a == b)),
            "!=" => return Some(self.known_bool(a != b)),
            "<" => return Some(self.known_bool(a < b)),
            ">" => return Some(self.known_bool(a > b)),
            "<=" => return Some(self.known_bool(a <= b)),
            ">=" => return Some(self.known_bool(a >= b)),
            _ => return None,
        };
        match whole {
            Some(whole) => Some(Val::Int(whole)),
            None => {
                let (a, b) = (self.builder.float(a as f64), self.builder.float(b as f64));
                self.on_values(symbol, &Val::Float(a), &Val::Float(b))
            }
        }
    }

    fn on_texts(&mut self, symbol: &str, equal: bool) -> Option<Val> {
        match symbol {
            "==" => Some(self.known_bool(equal)),
            "!=" => Some(self.known_bool(!equal)),
            _ => None,
        }
    }

    fn on_bools(&mut self, symbol: &str, a: &Val, b: &Val) -> Option<Val> {
        let (Val::Bool(a), Val::Bool(b)) = (a, b) else {
            return None;
        };
        let (a, b, builder) = (*a, *b, &mut *self.builder);
        Some(Val::Bool(match symbol {
            "&&" | "&" => builder.binary(Binary::And, a, b),
            "||" | "|" => builder.binary(Binary::Or, a, b),
            "==" | "!=" | "^" => {
                let not = builder.unary(Unary::Not, b);
                let (same, other) = if symbol == "==" { (b, not) } else { (not, b) };
                builder.select(a, same, other)
            }
            _ => return None,
        }))
    }

    fn on_values(&mut self, symbol: &str, a: &Val, b: &Val) -> Option<Val> {
        let builder = &mut *self.builder;
        match symbol {
            "+" => algebra::add(builder, a, b),
            "-" => algebra::subtract(builder, a, b),
            "*" => algebra::multiply(builder, a, b),
            "/" => algebra::divide(builder, a, b),
            "%" => algebra::modulo(builder, a, b),
            "**" => algebra::power(builder, a, b),
            "<" => algebra::compare(builder, Binary::Less, a, b),
            "<=" => algebra::compare(builder, Binary::LessEqual, a, b),
            ">" => algebra::compare(builder, Binary::Less, b, a),
            ">=" => algebra::compare(builder, Binary::LessEqual, b, a),
            "==" => algebra::compare(builder, Binary::Equal, a, b),
            "!=" => {
                let equal = algebra::compare(builder, Binary::Equal, a, b)?.single(builder)?;
                Some(Val::Bool(builder.unary(Unary::Not, equal)))
            }
            _ => None,
        }
    }
}

/// The remainder of a / b with the sign of b, as for floats.
fn modulo(a: i64, b: i64) -> Option<i64> {
    let rest = a.checked_rem(b)?;
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}
