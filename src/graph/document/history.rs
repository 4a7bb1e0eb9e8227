//! Undo and redo: one step per action of the user.
//!
//! A slider drag or a brush stroke is a transaction: its updates are seen at once, and together
//! they are one step. Each step holds only the command that leads back. A transaction belongs to
//! its owner: changes by others never become part of it.

use super::{Command, CommandError, Document, MotionSettings};
use std::collections::VecDeque;

/// The oldest steps are forgotten beyond this.
const MAX_STEPS: usize = 1000;
const MAX_BYTES: usize = 256 << 20;

/// Who has begun a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A widget that is being dragged, by its number. It ends when the button is let go.
    Hand(u64),
    /// Background work that is not done yet, by its number.
    Work(u64),
}

/// What a document was between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct UndoPoint {
    state: u64,
    mark: u8,
}

#[derive(Debug)]
struct UndoStep {
    label: String,
    /// Leads to the other side of the step.
    command: Command,
    /// What the document is once the command has been done.
    point: UndoPoint,
    weight: usize,
}

#[derive(Debug)]
struct Transaction {
    owner: Owner,
    label: String,
    /// In the order in which the updates were done.
    inverses: Vec<Command>,
    before: UndoPoint,
}

#[derive(Debug, Default)]
pub struct History {
    undo: VecDeque<UndoStep>,
    redo: Vec<UndoStep>,
    open: Option<Transaction>,
    now: UndoPoint,
    newest_state: u64,
    saved_state: u64,
    works_begun: u64,
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
    pub fn begin(&mut self, owner: Owner, label: impl Into<String>) {
        self.commit();
        let (label, inverses, before) = (label.into(), Vec::new(), self.now);
        self.open = Some(Transaction { owner, label, inverses, before });
    }

    /// The same for background work, under a number that nobody else has.
    pub fn begin_work(&mut self, label: impl Into<String>) -> Owner {
        self.works_begun += 1;
        let owner = Owner::Work(self.works_begun);
        self.begin(owner, label);
        owner
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
        if let Some(Transaction { label, mut inverses, before, .. }) = self.open.take() {
            inverses.reverse();
            let inverse = Command::batch(inverses);
            if inverse.is_empty() {
                self.now.state = before.state;
            } else {
                self.push(label, inverse, before);
            }
        }
    }

    /// Ends the transaction as if it had never begun.
    pub fn cancel(&mut self, document: &mut Document) -> Result<(), CommandError> {
        if let Some(Transaction { mut inverses, before, .. }) = self.open.take() {
            inverses.reverse();
            document.apply(Command::batch(inverses))?;
            self.now = before;
        }
        Ok(())
    }

    /// Whose transaction is open.
    pub fn owner(&self) -> Option<Owner> {
        self.open.as_ref().map(|open| open.owner)
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
        step: UndoStep,
    ) -> Result<(String, UndoStep), CommandError> {
        let UndoStep { label, command, point, .. } = step;
        let command = document.apply(command)?;
        let weight = command.weight();
        let back = UndoStep { label: label.clone(), command, point: self.now, weight };
        self.now = point;
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
        self.mark_saved_as(self.now.state);
    }

    /// What the document was in that state was written to its file.
    pub fn mark_saved_as(&mut self, state: u64) {
        self.saved_state = state;
    }

    /// No file holds what the document is, whatever is undone.
    pub fn mark_unsaved(&mut self) {
        self.saved_state = u64::MAX;
    }

    pub fn is_modified(&self) -> bool {
        self.now.state != self.saved_state
    }

    /// Names what the document is now: equal states are equal documents.
    pub fn state(&self) -> u64 {
        self.now.state
    }

    /// Something to know of the present state, which an undo brings back with it.
    pub fn mark(&self) -> u8 {
        self.now.mark
    }

    pub fn set_mark(&mut self, mark: u8) {
        self.now.mark = mark;
    }

    /// The same files have other names from now on, in all that can be undone and redone too.
    pub fn rename_files(&mut self, rename: &dyn Fn(&mut MotionSettings)) {
        let open = self.open.iter_mut().flat_map(|open| &mut open.inverses);
        let done = self.undo.iter_mut().chain(&mut self.redo).map(|step| &mut step.command);
        for command in done.chain(open) {
            command.each_motion(rename);
        }
    }

    /// To a state that never was; gives the one before.
    fn advance(&mut self) -> UndoPoint {
        self.newest_state += 1;
        let before = self.now;
        self.now.state = self.newest_state;
        before
    }

    fn push(&mut self, label: String, command: Command, point: UndoPoint) {
        self.redo.clear();
        let weight = command.weight();
        self.undo.push_back(UndoStep { label, command, point, weight });
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
        history.begin(Owner::Hand(1), "Floppiness");
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
        history.begin(Owner::Hand(1), "Floppiness");
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
