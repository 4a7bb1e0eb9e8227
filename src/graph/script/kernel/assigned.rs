//! Looks for states that `eval` would never change: surely a mistake, and one that is hard to notice.

use super::super::error::{Fail, Fails, SourcePosition};
use super::super::parse::Function;
use super::stmt::target;
use super::{StatePort, identifier};
use rhai::{ASTNode, Stmt};

/// What `eval` does with names, wherever in it.
#[derive(Default)]
pub(super) struct Written {
    pub assigned: Vec<String>,
    /// New variables, and where they are made.
    made: Vec<(String, SourcePosition)>,
}

/// Is every state assigned somewhere in `eval`, and does no variable stand in front of it? `places` are
/// those of the declarations.
pub fn check(
    eval: &Function,
    states: &[StatePort],
    places: &[SourcePosition],
    fails: &mut Fails,
) -> bool {
    let mut is_sound = true;
    let mut written = Written::default();
    eval.body.iter().for_each(|statement| written.look_through(statement));
    for (state, &place) in states.iter().zip(places) {
        let name = identifier(&state.name);
        let what = if state.history_secs.is_some() { "history" } else { "state" };
        if let Some((_, place)) = written.made.iter().find(|(made, _)| *made == name) {
            let message = format!(
                "this declares a new variable and leaves the {what} `{name}` unchanged; write `{name} = …`, or use another name"
            );
            fails.push(Fail::new(*place, message));
            is_sound = false;
            continue;
        }
        // A history that is asked for is missed there.
        if state.history_secs.is_none() && !written.assigned.contains(&name) {
            let message = format!(
                "`eval` never assigns the state `{name}`, so it would never change; write `{name} = …` there (`{name} = {name};` if that is intended), or remove it"
            );
            fails.push(Fail::new(place, message));
            is_sound = false;
        }
    }
    is_sound
}

impl Written {
    pub fn look_through(&mut self, statement: &Stmt) {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
            if let Some(ASTNode::Stmt(statement)) = path.last() {
                self.look(statement);
            }
            true
        });
    }

    fn look(&mut self, statement: &Stmt) {
        let place = SourcePosition::from(statement.position());
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
