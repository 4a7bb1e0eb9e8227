//! Text → syntax tree.
//!
//! Rhai reserves the word `eval` and many more (`default`, `static`, `new` …). They are no danger
//! here, since no `eval` is ever run, so the tokeniser hands them on as plain names.

use super::error::{Fail, Fails, SourcePosition};
use super::slips;
use rhai::{AST, ASTFlags, ASTNode, Engine, Expr, LexError, ParseErrorType, Position, Stmt, Token};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What `eval` is called behind the tokeniser.
const EVAL: &str = "node_eval";
/// A script is a page or two of text.
///
/// Rhai counts lines and columns in 16 bits, and places must be exact.
pub const LARGEST_SCRIPT_BYTES: usize = 60 * 1024;
/// Words and signs of one statement. `1 + 1 + 1 + …` nests as deep as it is long.
const LONGEST_STATEMENT: usize = 4096;
const DEEPEST_EXPRESSION: usize = 64;

pub struct Parsed {
    pub ast: AST,
    /// The `//!` comment, without its marks.
    pub doc: String,
    pub functions: Vec<Function>,
    /// Constants at the top level of the script.
    pub constants: Vec<Constant>,
    /// Variables at the top level, which `eval` does not see.
    pub variables: Vec<String>,
    /// Plain comments, by the line of code that they stand above.
    pub comments: Comments,
    /// As it was written.
    pub text: String,
}

/// By line, counted from 1.
pub type Comments = BTreeMap<usize, String>;

/// A function of a script. The one called `eval` is the node's.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Vec<Stmt>,
    pub place: SourcePosition,
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
    let length = AtomicUsize::new(0);
    #[expect(deprecated, reason = "Rhai marks it as volatile; the version is pinned")]
    engine.on_parse_token(move |token, _, _| {
        if matches!(token, Token::SemiColon | Token::LeftBrace | Token::RightBrace) {
            length.store(0, Relaxed);
        }
        if length.fetch_add(1, Relaxed) > LONGEST_STATEMENT {
            let message = "this statement is too long; split it with `let`".to_owned();
            return Token::LexError(Box::new(LexError::Runtime(message)));
        }
        match token {
            Token::Reserved(word) if word.as_str() == "eval" => {
                Token::Identifier(Box::new(EVAL.into()))
            }
            Token::Reserved(word) if word.chars().all(char::is_alphabetic) => {
                Token::Identifier(word)
            }
            token => token,
        }
    });
    engine
}

/// Slips that can be fixed are reported in `fails`, and the rest is read as if they were fixed.
pub fn parse(text: &str, fails: &mut Fails) -> Result<Parsed, Fail> {
    if text.len() > LARGEST_SCRIPT_BYTES {
        let message = format!("the script is longer than {} KB", LARGEST_SCRIPT_BYTES / 1024);
        return Err(Fail::new(SourcePosition::default(), message));
    }
    let mut meant = text.to_owned();
    let ast = loop {
        let error = match engine().compile(&meant) {
            Ok(ast) => break ast,
            Err(error) => error,
        };
        let place = SourcePosition::from(error.position());
        match slips::find(&meant, place) {
            Some(slip) if !fails.is_full() => {
                fails.push(slip.fail);
                meant = slip.mended;
            }
            // What stops the parser behind a slip may only follow from it.
            _ if !fails.is_empty() => return Err(Fail::echo(place)),
            _ => return Err(syntax_error(text, place, error.err_type())),
        }
    };
    let functions = functions(&ast)?;
    let constants = ast.statements().iter().filter_map(|statement| match statement {
        Stmt::Var(var, flags, _) if flags.contains(ASTFlags::CONSTANT) => {
            Some(Constant { name: var.0.as_str().to_owned(), value: var.1.clone() })
        }
        _ => None,
    });
    let constants = constants.collect();
    let variables = ast.statements().iter().filter_map(|statement| match statement {
        Stmt::Var(var, ..) => Some(var.0.as_str().to_owned()),
        _ => None,
    });
    let variables = variables.collect();
    let comments = comments(text);
    let (doc, text) = (doc_text(ast.doc()), text.to_owned());
    Ok(Parsed { doc, functions, constants, variables, comments, text, ast })
}

fn syntax_error(text: &str, place: SourcePosition, error: &ParseErrorType) -> Fail {
    let is_at_end = text
        .lines()
        .skip(place.line.max(1) - 1)
        .all(|line| line.trim().is_empty() || line.chars().count() < place.column);
    let message = match error {
        ParseErrorType::MissingToken(token, _) if is_at_end && token == ";" => {
            "the script ends too early; is a `}` or `*/` missing?".into()
        }
        error => parse_message(error),
    };
    Fail::new(place, message)
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

fn is_helper(line: &str) -> bool {
    let name = line.strip_prefix("fn ").map(str::trim_start);
    name.is_some_and(|name| !name.starts_with("eval(") && !name.starts_with("start("))
}

/// Lines that begin with `//` and the code below them; what an empty line parts from it is not its own.
fn comments(text: &str) -> Comments {
    let mut comments = Comments::new();
    let mut above = String::new();
    for (place, line) in text.lines().enumerate() {
        let line = line.trim();
        match line.strip_prefix("//") {
            Some(comment) if !comment.starts_with(['!', '/']) => {
                above = [above.as_str(), comment.trim()].join(" ").trim().to_owned();
            }
            _ if above.is_empty() => {}
            _ if line.is_empty() => above.clear(),
            // What a helper is about is said where its first line is compiled.
            _ if is_helper(line) => {}
            _ => {
                comments.insert(place + 1, std::mem::take(&mut above));
            }
        }
    }
    comments
}

fn parse_message(error: &ParseErrorType) -> String {
    match error {
        ParseErrorType::UnexpectedEOF => {
            "the script ends too early; is a `}` or `)` missing?".into()
        }
        ParseErrorType::BadInput(error) => lex_message(error),
        ParseErrorType::MissingToken(token, _) => match token.as_str() {
            ";" => "a `;` is missing at the end of the previous statement".into(),
            "," => "a `,` or a closing bracket is missing here".into(),
            token => format!("a `{token}` is missing here"),
        },
        ParseErrorType::ExprTooDeep => "this is nested too deeply; split it with `let`".into(),
        ParseErrorType::MissingSymbol(what) => match what.contains("property name") {
            true => "a map's entries are `name: value`, as in #{ a: 1, b: 2 }".into(),
            false => "something is missing here; is a name, `=` or `:` left out?".into(),
        },
        ParseErrorType::ExprExpected(_) | ParseErrorType::MalformedIndexExpr(_) => {
            "a value is missing here, such as a number or a name".into()
        }
        ParseErrorType::UnknownOperator(sign) if sign == "?" => {
            "`?` is not an operator here; write `if condition { a } else { b }`".into()
        }
        ParseErrorType::UnknownOperator(sign) if sign == "++" || sign == "--" => {
            format!("`{sign}` is not an operator here; write `x {}= 1`", &sign[..1])
        }
        ParseErrorType::UnknownOperator(sign) => {
            format!(
                "`{sign}` is not an operator here; the operators are + - * / % ** < <= > >= == != && || !"
            )
        }
        ParseErrorType::VariableExpected | ParseErrorType::ForbiddenVariable(_) => {
            "a name is missing here; use letters, digits and `_`".into()
        }
        ParseErrorType::PropertyExpected => {
            "a name is missing after the dot, as in `v.x` or `v.length()`".into()
        }
        ParseErrorType::MismatchedType(..) => {
            "these do not fit together; is an operator missing, or is there one too many?".into()
        }
        ParseErrorType::DuplicatedProperty(name) => {
            format!("the map has `{name}` twice; remove one")
        }
        ParseErrorType::FnMissingParams(name) => {
            let name = plain(name);
            format!("the parameters of `{name}` are missing; write `fn {name}(a, b) {{ … }}`")
        }
        ParseErrorType::FnMissingBody(name) => {
            format!("the body of `{}` is missing; write it between `{{` and `}}`", plain(name))
        }
        ParseErrorType::AssignmentToInvalidLHS(_) => {
            "only a variable or a part of one can be assigned to; `==` compares".into()
        }
        ParseErrorType::LiteralTooLarge(..) => {
            "this text or list is too long; texts have up to 16 KB, lists 1024 values".into()
        }
        ParseErrorType::TooManyFunctions => "a script has at most 256 functions".into(),
        ParseErrorType::WrongDocComment => {
            "a `///` comment belongs before a function; write `//` here".into()
        }
        ParseErrorType::FnMissingName => "a function cannot have this name; choose another".into(),
        ParseErrorType::FnDuplicatedDefinition(name, _) => {
            format!("there are two functions `{}`; rename one", plain(name))
        }
        ParseErrorType::FnDuplicatedParam(name, parameter) => {
            format!("function `{}` has two parameters `{parameter}`; rename one", plain(name))
        }
        ParseErrorType::VariableExists(name) => {
            format!("`{name}` exists already; rename one of them")
        }
        ParseErrorType::AssignmentToConstant(name) => {
            format!("`{name}` is a constant; declare it with `let` to change it")
        }
        ParseErrorType::WrongFnDefinition => {
            "functions belong at the top level of a script, not inside other functions".into()
        }
        ParseErrorType::LoopBreak => "`break` and `continue` belong inside a loop".into(),
        ParseErrorType::Reserved(word) => format!("`{word}` is not part of the language"),
        other => {
            let text = other.to_string();
            let mut letters = text.chars();
            let first = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
            first + letters.as_str()
        }
    }
}

fn lex_message(error: &LexError) -> String {
    match error {
        LexError::UnexpectedInput(sign) if "})];,".contains(sign.as_str()) => {
            format!("a value is missing before this `{sign}`")
        }
        LexError::UnexpectedInput(sign) => {
            format!("`{}` has no meaning in a script; remove it", sign.escape_debug())
        }
        LexError::UnterminatedString => "the text has no end; close it with `\"`".into(),
        LexError::StringTooLong(_) => "this text is too long; texts have up to 16 KB".into(),
        LexError::MalformedEscapeSequence(signs) => {
            format!("`{signs}` means nothing in a text; write `\\\\` for a backslash")
        }
        LexError::MalformedNumber(number) => {
            format!("`{number}` is not a number; write it as 12, 0.5 or 1e-3")
        }
        LexError::MalformedChar(_) => "write texts in double quotes: \"text\"".into(),
        LexError::MalformedIdentifier(name) => {
            format!("`{name}` is not a name; begin with a letter")
        }
        LexError::ImproperSymbol(sign, _) if sign == "===" || sign == "!==" => {
            format!("`{sign}` is not an operator here; write `{}`", &sign[..2])
        }
        LexError::ImproperSymbol(sign, _) if sign == "=" => {
            "`=` assigns and has no value; write `==` to compare".into()
        }
        LexError::ImproperSymbol(sign, _) => format!("`{sign}` is not part of the language"),
        LexError::Runtime(message) => message.clone(),
        _ => "this cannot be read; write it more simply".into(),
    }
}

/// A name as its author wrote it.
pub fn plain(name: &str) -> &str {
    if name == EVAL { "eval" } else { name }
}
