//! Text → syntax tree.
//!
//! Rhai reserves the word `eval` and many more (`default`, `static`, `new` …). They are no danger
//! here, since no `eval` is ever run, so the tokeniser hands them on as plain names.

use super::error::{Fail, Place, ScriptError};
use rhai::{AST, ASTFlags, ASTNode, Engine, Expr, ParseErrorType, Position, Stmt, Token};

/// What `eval` is called behind the tokeniser.
const EVAL: &str = "node_eval";
/// A script is a page or two of text.
const LARGEST_SCRIPT_BYTES: usize = 256 * 1024;
const DEEPEST_EXPRESSION: usize = 64;

pub struct Parsed {
    pub ast: AST,
    /// The `//!` comment, without its marks.
    pub doc: String,
    pub functions: Vec<Function>,
    /// Constants at the top level of the script.
    pub constants: Vec<Constant>,
}

/// A function of a script. The one called `eval` is the node's.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Vec<Stmt>,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    pub value: Expr,
}

/// An engine that can do nothing but run a few declarations.
pub fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(rhai::OptimizationLevel::None);
    engine.set_max_expr_depths(DEEPEST_EXPRESSION, DEEPEST_EXPRESSION);
    engine.set_max_operations(20_000);
    engine.set_max_call_levels(16);
    engine.set_max_string_size(16 * 1024);
    engine.set_max_array_size(1024);
    engine.set_max_map_size(1024);
    engine.set_max_variables(256);
    engine.set_max_functions(256);
    engine.set_max_modules(0);
    #[expect(deprecated, reason = "Rhai marks it as volatile; the version is pinned")]
    engine.on_parse_token(|token, _, _| match token {
        Token::Reserved(word) if word.as_str() == "eval" => {
            Token::Identifier(Box::new(EVAL.into()))
        }
        Token::Reserved(word) if word.chars().all(char::is_alphabetic) => Token::Identifier(word),
        token => token,
    });
    engine
}

pub fn parse(text: &str, file: &str) -> Result<Parsed, ScriptError> {
    if text.len() > LARGEST_SCRIPT_BYTES {
        let message = format!("the script is longer than {} KB", LARGEST_SCRIPT_BYTES / 1024);
        return Err(ScriptError::new(file, Place::default(), message));
    }
    let ast = engine().compile(text).map_err(|error| {
        let message = parse_message(error.err_type());
        ScriptError::new(file, error.position(), message)
    })?;
    let functions = functions(&ast).map_err(|fail| fail.in_file(file))?;
    let constants = ast.statements().iter().filter_map(|statement| match statement {
        Stmt::Var(var, flags, _) if flags.contains(ASTFlags::CONSTANT) => {
            Some(Constant { name: var.0.as_str().to_owned(), value: var.1.clone() })
        }
        _ => None,
    });
    let constants = constants.collect();
    Ok(Parsed { doc: doc_text(ast.doc()), functions, constants, ast })
}

/// Rhai shows bodies only by walking all functions in a row, so each statement is put where its
/// place lies.
fn functions(ast: &AST) -> Result<Vec<Function>, Fail> {
    let mut functions = Vec::new();
    let mut ends: Vec<(Position, Position)> = Vec::new();
    for definition in ast.iter_fn_def() {
        let place = definition.body.start_position();
        if definition.name.starts_with("anon$") {
            return Err(Fail::new(
                place,
                "functions without a name cannot be compiled; write `fn name(x) { … }` and call it",
            ));
        }
        let name = if definition.name == EVAL { "eval" } else { definition.name.as_str() };
        functions.push(Function {
            name: name.to_owned(),
            parameters: definition.params.iter().map(|name| name.to_string()).collect(),
            body: Vec::new(),
            place: place.into(),
        });
        ends.push((place, definition.body.end_position()));
    }
    ast.clone_functions_only().walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            let at = statement.position();
            let inside = |(start, end): &(Position, Position)| *start <= at && at <= *end;
            // The innermost: functions are not nested, but two may share a line.
            if let Some(home) = ends.iter().position(inside) {
                functions[home].body.push((*statement).clone());
            }
        }
        true
    });
    Ok(functions)
}

/// Comment lines without their marks; an empty line parts paragraphs.
fn doc_text(doc: &str) -> String {
    let lines = doc.lines().map(|line| line.trim().trim_start_matches("//!").trim());
    lines.collect::<Vec<_>>().join("\n")
}

fn parse_message(error: &ParseErrorType) -> String {
    match error {
        ParseErrorType::UnexpectedEOF => {
            "the script ends too early; is a `}` or `)` missing?".into()
        }
        ParseErrorType::MissingToken(token, what) => format!("a `{token}` is missing {what}"),
        ParseErrorType::ExprTooDeep => "this is nested too deeply; split it with `let`".into(),
        ParseErrorType::FnMissingName => "this name cannot be a function's; choose another".into(),
        ParseErrorType::FnDuplicatedDefinition(name, _) => {
            format!("there are two functions `{}`; rename one", plain(name))
        }
        ParseErrorType::FnDuplicatedParam(name, parameter) => {
            format!("function `{}` has two parameters `{parameter}`; rename one", plain(name))
        }
        ParseErrorType::VariableExists(name) => format!("`{name}` is there already; rename one"),
        ParseErrorType::AssignmentToConstant(name) => {
            format!("`{name}` is a constant; declare it with `let` to change it")
        }
        ParseErrorType::WrongFnDefinition => {
            "functions stand at the top of a script, not inside others".into()
        }
        ParseErrorType::LoopBreak => "`break` and `continue` belong inside a loop".into(),
        ParseErrorType::Reserved(word) => format!("`{word}` is no part of the language"),
        other => {
            let text = other.to_string();
            let mut letters = text.chars();
            let first = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
            first + letters.as_str()
        }
    }
}

/// A name as its author wrote it.
pub fn plain(name: &str) -> &str {
    if name == EVAL { "eval" } else { name }
}
