//! What goes wrong while declarations run, in our words in place of Rhai's.

use super::broken::declaration;
use super::declare::TYPES;
use super::error::{Fail, did_you_mean};
use super::parse::plain;
use super::{declarations, functions};
use jounce_ir::op::MotionPart;
use jounce_ir::source;
use rhai::{EvalAltResult, Expr, Stmt};

pub const CANNOT_IMPORT: &str = "scripts cannot import; put what they share into a script that begins with library(\"name\"); and write uses(\"name\"); here";

/// Rhai's errors in our words; `statement` is what failed, if it ran by itself.
pub fn run_error(error: &EvalAltResult, statement: Option<&Stmt>) -> Fail {
    let place = error.position();
    let message = match error {
        EvalAltResult::ErrorRuntime(message, _) => message.to_string(),
        EvalAltResult::ErrorVariableNotFound(name, _) => {
            if let Some(types) = statement.and_then(|statement| types_in_place_of(statement, name))
            {
                let hint = did_you_mean(name, declarations::types());
                let message = format!("there is no type `{name}`; the types are {types}{hint}");
                return Fail::new(place, message);
            }
            let known = declarations::types();
            let known = known.chain(source::SOURCES.iter().filter_map(|info| info.name));
            let known = known.chain(MotionPart::ALL.iter().map(|part| part.constant_name()));
            format!("there is no `{name}`{}", did_you_mean(name, known))
        }
        EvalAltResult::ErrorFunctionNotFound(signature, _) => {
            let name = signature.split([' ', '(']).next().unwrap_or_default();
            match declarations::calls().find(|known| known.name == name) {
                Some(known) => format!("`{name}` cannot be used like this; {}", known.usage),
                None => {
                    let names = declarations::calls().map(|known| known.name);
                    let hint = match functions::is_known(name) {
                        true => "; call it inside `fn eval`".to_owned(),
                        false => did_you_mean(name, names),
                    };
                    format!("there is no function `{}` among the declarations{hint}", plain(name))
                }
            }
        }
        EvalAltResult::ErrorTooManyOperations(_) | EvalAltResult::ErrorTerminated(..) => {
            let message = "the declarations never end; only `fn eval` may compute";
            return Fail::limit(place, message);
        }
        EvalAltResult::ErrorDataTooLarge(..) => {
            "the declarations build something too large; use shorter texts and lists".to_owned()
        }
        EvalAltResult::ErrorModuleNotFound(..) | EvalAltResult::ErrorTooManyModules(_) => {
            CANNOT_IMPORT.to_owned()
        }
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => return run_error(inner, None),
        EvalAltResult::ErrorStackOverflow(_) => {
            "the declarations call functions that call each other endlessly; write down the values instead"
                .to_owned()
        }
        EvalAltResult::ErrorAssignmentToConstant(name, _) => {
            format!("`{name}` is a constant; declare it with `let` to change it")
        }
        EvalAltResult::ErrorArithmetic(..) => {
            "this number is too large, or divided by 0; numbers go up to 1e12".to_owned()
        }
        EvalAltResult::ErrorTooManyVariables(_) => "a script has at most 256 variables".to_owned(),
        EvalAltResult::ErrorPropertyNotFound(name, _) | EvalAltResult::ErrorDotExpr(name, _) => {
            format!("`{name}` cannot be read among the declarations; only `fn eval` may compute")
        }
        _ => "this is not allowed among the declarations; only `fn eval` may compute".to_owned(),
    };
    Fail::new(place, message)
}

/// What a name could mean that is not a type, where a type is expected.
fn types_in_place_of(statement: &Stmt, name: &str) -> Option<String> {
    let call = declaration(statement)?;
    let is_it = |expr: &Expr| matches!(expr, Expr::Variable(parts, ..) if parts.1 == name);
    let takes_all = match call.name.as_str() {
        "input" => true,
        "output" | "state" | "history" => false,
        _ => return None,
    };
    call.args.get(1).filter(|ty| is_it(ty))?;
    let fits = TYPES.iter().filter(|(_, ty)| takes_all || !ty.is_compile_time());
    let names: Vec<&str> = fits.map(|(name, _)| *name).collect();
    let (last, others) = names.split_last()?;
    Some(format!("{} and {last}", others.join(", ")))
}
