//! Looks for a choice that is compared with a word that is not among its choices: surely a slip, and hard
//! to notice.

use super::super::error::{Fail, Fails, did_you_mean};
use super::super::node_type::InputPort;
use super::super::parse::Function;
use super::identifier;
use rhai::{ASTNode, Expr, Stmt};
use std::collections::{HashMap, HashSet};

pub fn check(eval: &Function, inputs: &[InputPort], fails: &mut Fails) {
    let mut made: HashSet<String> = HashSet::new();
    let mut compared = Vec::new();
    for statement in &eval.body {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Var(parts, ..))) => {
                    made.insert(parts.0.as_str().to_owned());
                }
                Some(ASTNode::Expr(expr)) => compared.extend(comparison(expr)),
                _ => {}
            }
            true
        });
    }
    // Looked up, not searched: a script may have thousands of comparisons and of choices.
    let with_choices = inputs.iter().filter(|input| !input.choices.is_empty());
    let choices_by_name: HashMap<String, (&[String], HashSet<&str>)> = with_choices
        .map(|input| {
            let words = input.choices.iter().map(String::as_str).collect();
            (identifier(&input.name), (&input.choices[..], words))
        })
        .collect();
    for (name, word, place) in compared {
        let Some((choices, words)) = choices_by_name.get(&name) else { continue };
        // A variable of the same name may be anything.
        if words.contains(&*word) || made.contains(&name) {
            continue;
        }
        let told = format!("`{name}` is never \"{word}\"");
        if fails.is_full() {
            fails.push(Fail::new(place, told));
            continue;
        }
        let hint = did_you_mean(&word, choices.iter().map(String::as_str));
        let choices: Vec<String> = choices.iter().map(|choice| format!("\"{choice}\"")).collect();
        let choices = choices.join(", ");
        fails.push(Fail::new(place, format!("{told}; its choices are {choices}{hint}")));
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
