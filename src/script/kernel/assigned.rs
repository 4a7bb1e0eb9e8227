//! Looks for states that `eval` would never change: surely a mistake, and one that nobody sees.

use super::super::error::{Place, ScriptError};
use super::super::parse::Function;
use super::stmt::target;
use super::{StatePort, identifier};
use rhai::{ASTNode, Stmt};

/// What `eval` does with names, wherever in it.
#[derive(Default)]
struct Written {
    assigned: Vec<String>,
    /// New variables, and where they are made.
    made: Vec<(String, Place)>,
}

/// Every state is assigned somewhere in `eval`, and no variable stands in front of it. `places` are those
/// of the declarations.
pub fn check(
    eval: &Function,
    file: &str,
    states: &[StatePort],
    places: &[Place],
) -> Result<(), ScriptError> {
    let mut written = Written::default();
    for statement in &eval.body {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
            if let Some(ASTNode::Stmt(statement)) = path.last() {
                written.look(statement);
            }
            true
        });
    }
    for (state, &place) in states.iter().zip(places) {
        let name = identifier(&state.name);
        let what = if state.history_secs.is_some() { "history" } else { "state" };
        if let Some((_, place)) = written.made.iter().find(|(made, _)| *made == name) {
            let message = format!(
                "this makes a variable of its own and leaves the {what} `{name}` as it was; write `{name} = …`, or use another name"
            );
            return Err(ScriptError::new(file, *place, message));
        }
        // A history that is asked for is missed there.
        if state.history_secs.is_none() && !written.assigned.contains(&name) {
            let message = format!(
                "`eval` never assigns the state `{name}`, so it would stay as it began; write `{name} = …` there (`{name} = {name};` if that is meant), or remove it"
            );
            return Err(ScriptError::new(file, place, message));
        }
    }
    Ok(())
}

impl Written {
    fn look(&mut self, statement: &Stmt) {
        let place = Place::from(statement.position());
        match statement {
            Stmt::Var(parts, ..) => self.made.push((parts.0.as_str().to_owned(), place)),
            Stmt::For(parts, _) => {
                let (name, counter, _) = &**parts;
                self.made.push((name.as_str().to_owned(), place));
                self.made.extend(counter.as_ref().map(|name| (name.as_str().to_owned(), place)));
            }
            Stmt::Assignment(parts) => {
                if let Ok(((name, _), _)) = target(&parts.1.lhs) {
                    self.assigned.push(name.to_owned());
                }
            }
            _ => {}
        }
    }
}
