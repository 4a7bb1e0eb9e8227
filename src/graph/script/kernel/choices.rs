//! Looks for a choice that is compared with a word it never is: surely a slip, and one that nobody sees.

use super::super::error::{Fail, Fails, did_you_mean};
use super::super::node_type::InputPort;
use super::super::parse::Function;
use super::identifier;
use rhai::{ASTNode, Expr, Stmt};

pub fn check(eval: &Function, inputs: &[InputPort], fails: &mut Fails) {
    let mut made: Vec<String> = Vec::new();
    let mut compared = Vec::new();
    for statement in &eval.body {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Var(parts, ..))) => made.push(parts.0.as_str().to_owned()),
                Some(ASTNode::Expr(expr)) => compared.extend(comparison(expr)),
                _ => {}
            }
            true
        });
    }
    for (name, word, place) in compared {
        let is_it = |input: &&InputPort| identifier(&input.name) == name;
        let Some(input) = inputs.iter().find(is_it).filter(|input| !input.choices.is_empty())
        else {
            continue;
        };
        // A variable of the same name may be anything.
        if input.choices.contains(&word) || made.contains(&name) {
            continue;
        }
        let hint = did_you_mean(&word, input.choices.iter().map(String::as_str));
        let choices: Vec<String> =
            input.choices.iter().map(|choice| format!("\"{choice}\"")).collect();
        let choices = choices.join(", ");
        fails.push(Fail::new(
            place,
            format!("`{name}` is never \"{word}\"; its choices are {choices}{hint}"),
        ));
    }
}

/// `name == "word"` in either order: both, and where the word stands.
fn comparison(expr: &Expr) -> Option<(String, String, rhai::Position)> {
    let Expr::FnCall(call, _) = expr else { return None };
    if !matches!(call.name.as_str(), "==" | "!=") {
        return None;
    }
    match &call.args[..] {
        [Expr::Variable(parts, ..), Expr::StringConstant(word, place)]
        | [Expr::StringConstant(word, place), Expr::Variable(parts, ..)] => {
            Some((parts.1.to_string(), word.to_string(), *place))
        }
        _ => None,
    }
}
