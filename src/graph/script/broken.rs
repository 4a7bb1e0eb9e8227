//! What a script meant to declare and did not get: nothing more is said about it.

use super::kernel::identifier;
use rhai::{Expr, FnCallExpr, Stmt};

#[derive(Debug, Default)]
pub struct Broken {
    /// Inputs and states, as `eval` writes them.
    pub names: Vec<String>,
    pub outputs: bool,
    node: bool,
    /// Anything may have been meant.
    pub rest: bool,
}

impl Broken {
    /// A statement among the declarations that is wrong.
    pub fn add(&mut self, statement: &Stmt) {
        let Some(call) = declaration(statement) else {
            self.rest = true;
            return;
        };
        match (call.name.as_str(), call.args.first()) {
            ("node", _) => self.node = true,
            ("output", _) => self.outputs = true,
            ("also" | "uses" | "library", _) => {}
            (_, Some(Expr::StringConstant(name, _))) => self.names.push(identifier(name)),
            _ => self.rest = true,
        }
    }

    pub fn has_node(&self) -> bool {
        self.node || self.rest
    }

    pub fn has_outputs(&self) -> bool {
        self.outputs || self.rest
    }

    pub fn has(&self, name: &str) -> bool {
        self.rest || self.names.iter().any(|broken| broken == name)
    }
}

/// The call that a statement begins with: `input(…)` of `input(…).soft(0, 1)`.
pub fn declaration(statement: &Stmt) -> Option<&FnCallExpr> {
    fn first(expr: &Expr) -> Option<&FnCallExpr> {
        match expr {
            Expr::FnCall(call, _) => Some(call),
            Expr::Dot(pair, ..) => first(&pair.lhs),
            _ => None,
        }
    }
    match statement {
        Stmt::FnCall(call, _) => Some(call),
        Stmt::Expr(expr) => first(expr),
        _ => None,
    }
}
