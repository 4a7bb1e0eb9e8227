//! The Expression node: a script inside a document.

/// What a new Expression node says, as an example to change.
pub const DEFAULT_CODE: &str = r#"input("value", FLOAT, 0.0);
output("result", FLOAT);
fn eval(value) {
    value * 2
}
"#;
