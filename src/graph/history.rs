//! Undo and redo: one step per action of the user.
//!
//! A slider drag or a brush stroke is a transaction: its updates are seen at once, and together
//! they are one step. Each step holds only the command that leads back.

use super::{Command, CommandError, Document};
use std::collections::VecDeque;

/// The oldest steps are forgotten beyond this.
const MAX_STEPS: usize = 1000;
const MAX_BYTES: usize = 256 << 20;

#[derive(Debug)]
struct Step {
    label: String,
    /// Leads to the other side of the step.
    command: Command,
    /// What the document is once the command has been done; see [`History::state`].
    state: u64,
    weight: usize,
}

#[derive(Debug)]
struct Transaction {
    label: String,
    /// In the order in which the updates were done.
    inverses: Vec<Command>,
    state_before: u64,
}

#[derive(Debug, Default)]
pub struct History {
    undo: VecDeque<Step>,
    redo: Vec<Step>,
    open: Option<Transaction>,
    state: u64,
    newest_state: u64,
    saved_state: u64,
}

impl History {
    /// Does a command as one step. What can be redone is forgotten; an open transaction ends.
    pub fn perform(
        &mut self,
        document: &mut Document,
        label: impl Into<String>,
        command: Command,
    ) -> Result<(), CommandError> {
        self.commit();
        let inverse = document.apply(command)?;
        if !inverse.is_empty() {
            let before = self.advance();
            self.push(label.into(), inverse, before);
        }
        Ok(())
    }

    /// Starts a drag or stroke; one that is open is kept as a step.
    pub fn begin(&mut self, label: impl Into<String>) {
        self.commit();
        let (label, inverses, state_before) = (label.into(), Vec::new(), self.state);
        self.open = Some(Transaction { label, inverses, state_before });
    }

    /// A part of the open transaction; a step of its own if none is open.
    pub fn update(
        &mut self,
        document: &mut Document,
        command: Command,
    ) -> Result<(), CommandError> {
        if self.open.is_none() {
            return self.perform(document, "Change", command);
        }
        let inverse = document.apply(command)?;
        self.advance();
        if let Some(open) = &mut self.open {
            // The earlier inverse leads back past this one: a long drag does not grow.
            let covered = open.inverses.last().is_some_and(|last| last.overwrites(&inverse));
            if !covered && !inverse.is_empty() {
                open.inverses.push(inverse);
            }
        }
        Ok(())
    }

    /// Ends the transaction: all its updates are one step.
    pub fn commit(&mut self) {
        if let Some(Transaction { label, mut inverses, state_before }) = self.open.take() {
            inverses.reverse();
            let inverse = Command::batch(inverses);
            if inverse.is_empty() {
                self.state = state_before;
            } else {
                self.push(label, inverse, state_before);
            }
        }
    }

    /// Ends the transaction as if it had never begun.
    pub fn cancel(&mut self, document: &mut Document) -> Result<(), CommandError> {
        if let Some(Transaction { mut inverses, state_before, .. }) = self.open.take() {
            inverses.reverse();
            document.apply(Command::batch(inverses))?;
            self.state = state_before;
        }
        Ok(())
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Gives the label of what was undone; None if there is nothing. An open transaction becomes
    /// the step that is undone.
    pub fn undo(&mut self, document: &mut Document) -> Result<Option<String>, CommandError> {
        self.commit();
        let Some(step) = self.undo.pop_back() else { return Ok(None) };
        let (label, step) = self.cross(document, step)?;
        self.redo.push(step);
        Ok(Some(label))
    }

    pub fn redo(&mut self, document: &mut Document) -> Result<Option<String>, CommandError> {
        self.commit();
        let Some(step) = self.redo.pop() else { return Ok(None) };
        let (label, step) = self.cross(document, step)?;
        self.undo.push_back(step);
        Ok(Some(label))
    }

    /// Does a step's command; gives the step back.
    fn cross(
        &mut self,
        document: &mut Document,
        step: Step,
    ) -> Result<(String, Step), CommandError> {
        let Step { label, command, state, .. } = step;
        let command = document.apply(command)?;
        let weight = command.weight();
        let back = Step { label: label.clone(), command, state: self.state, weight };
        self.state = state;
        Ok((label, back))
    }

    /// For "Undo …" in a menu.
    pub fn undo_label(&self) -> Option<&str> {
        let open = self.open.as_ref().filter(|open| !open.inverses.is_empty());
        open.map(|open| open.label.as_str()).or(self.undo.back().map(|step| step.label.as_str()))
    }

    pub fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|step| step.label.as_str())
    }

    /// The document was written to its file.
    pub fn mark_saved(&mut self) {
        self.saved_state = self.state;
    }

    /// No file holds what the document is, whatever is undone.
    pub fn mark_unsaved(&mut self) {
        self.saved_state = u64::MAX;
    }

    pub fn is_modified(&self) -> bool {
        self.state != self.saved_state
    }

    /// Names what the document is now: equal states are equal documents.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// To a state that never was; gives the one before.
    fn advance(&mut self) -> u64 {
        self.newest_state += 1;
        std::mem::replace(&mut self.state, self.newest_state)
    }

    fn push(&mut self, label: String, command: Command, state: u64) {
        self.redo.clear();
        let weight = command.weight();
        self.undo.push_back(Step { label, command, state, weight });
        let mut total: usize = self.undo.iter().map(|step| step.weight).sum();
        while self.undo.len() > MAX_STEPS || (total > MAX_BYTES && self.undo.len() > 1) {
            match self.undo.pop_front() {
                Some(step) => total -= step.weight,
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GraphRef, Node};
    use super::*;
    use crate::script::Setting;

    fn set(value: f64) -> Command {
        let (node, port) = ("floppy".to_owned(), "floppiness".to_owned());
        Command::SetSetting { graph: GraphRef::Top, node, port, value: Some(Setting::Float(value)) }
    }

    fn with_a_node() -> (Document, History) {
        let (mut document, mut history) = (Document::default(), History::default());
        let (id, node) = ("floppy".to_owned(), Node::new("Floppy"));
        let add = Command::AddNode { graph: GraphRef::Top, id, node };
        history.perform(&mut document, "Add Floppy", add).unwrap();
        (document, history)
    }

    #[test]
    fn a_drag_is_one_step_and_does_not_grow() {
        let (mut document, mut history) = with_a_node();
        let before = document.clone();
        history.begin("Floppiness");
        for value in 0..100 {
            history.update(&mut document, set(f64::from(value))).unwrap();
        }
        assert_eq!(history.open.as_ref().unwrap().inverses.len(), 1);
        history.commit();
        let after = document.clone();
        assert_eq!(history.undo_label(), Some("Floppiness"));
        assert_eq!(history.undo(&mut document).unwrap().as_deref(), Some("Floppiness"));
        assert_eq!(document, before);
        history.redo(&mut document).unwrap();
        assert_eq!(document, after);
    }

    #[test]
    fn a_cancelled_drag_never_was() {
        let (mut document, mut history) = with_a_node();
        history.mark_saved();
        let before = document.clone();
        history.begin("Floppiness");
        history.update(&mut document, set(1.0)).unwrap();
        assert!(history.is_modified());
        history.cancel(&mut document).unwrap();
        assert_eq!(document, before);
        assert_eq!(history.undo_label(), Some("Add Floppy"));
        assert!(!history.is_modified());
    }

    #[test]
    fn undoing_to_what_was_saved_is_not_a_modification() {
        let (mut document, mut history) = with_a_node();
        history.mark_saved();
        history.perform(&mut document, "Floppiness", set(1.0)).unwrap();
        assert!(history.is_modified());
        history.undo(&mut document).unwrap();
        assert!(!history.is_modified());
        history.undo(&mut document).unwrap();
        assert!(history.is_modified());
        assert_eq!(history.undo(&mut document).unwrap(), None);
    }

    #[test]
    fn old_steps_are_forgotten() {
        let (mut document, mut history) = with_a_node();
        for value in 0..2 * MAX_STEPS {
            history.perform(&mut document, "Floppiness", set(value as f64)).unwrap();
        }
        assert_eq!(history.undo.len(), MAX_STEPS);
    }
}
