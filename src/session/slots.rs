//! Two slots that each hold a whole look, to switch between and compare.

use super::Session;
use jounce_graph::document::{CharacterSettings, Command, Style};

/// The style, and what is set for the character that plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    pub style: Style,
    /// Under which name the document keeps the settings.
    pub character: String,
    pub settings: CharacterSettings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotName {
    A,
    B,
}

impl SlotName {
    pub fn other(self) -> SlotName {
        match self {
            SlotName::A => SlotName::B,
            SlotName::B => SlotName::A,
        }
    }

    pub fn letter(self) -> &'static str {
        match self {
            SlotName::A => "A",
            SlotName::B => "B",
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Slots {
    a: Option<Slot>,
    b: Option<Slot>,
    /// Which one the document shows; None: neither was chosen yet.
    current: Option<SlotName>,
}

impl Slots {
    pub fn current(&self) -> Option<SlotName> {
        self.current
    }

    pub fn get(&self, name: SlotName) -> Option<&Slot> {
        match name {
            SlotName::A => self.a.as_ref(),
            SlotName::B => self.b.as_ref(),
        }
    }

    fn place(&mut self, name: SlotName) -> &mut Option<Slot> {
        match name {
            SlotName::A => &mut self.a,
            SlotName::B => &mut self.b,
        }
    }

    /// Which one the document shows is noted in its history: an undo of a switch is a switch back. To be
    /// called whenever something may have been undone.
    pub fn follow(&mut self, session: &Session) {
        self.current = match session.history().mark() {
            1 => Some(SlotName::A),
            2 => Some(SlotName::B),
            _ => None,
        };
    }

    fn set_current(&mut self, session: &mut Session, name: SlotName) {
        session.set_mark(match name {
            SlotName::A => 1,
            SlotName::B => 2,
        });
        self.follow(session);
    }

    /// Keeps what the document has now.
    pub fn store(&mut self, session: &mut Session, name: SlotName) {
        self.keep(session, name);
        self.set_current(session, name);
    }

    fn keep(&mut self, session: &Session, name: SlotName) {
        let style = session.document().style.clone();
        let character = session.character_settings_key();
        let settings = session.character_settings();
        *self.place(name) = Some(Slot { style, character, settings });
    }

    /// Keeps what the document has in the current one, and brings another: one step. One that is empty
    /// begins as a copy of what is there.
    pub fn switch(&mut self, session: &mut Session, name: SlotName) -> bool {
        self.follow(session);
        if let Some(current) = self.current.filter(|&current| current != name) {
            self.keep(session, current);
        }
        let Some(slot) = self.get(name).cloned() else {
            self.store(session, name);
            return true;
        };
        let Slot { style, character, settings } = slot;
        let mut commands = vec![Command::SetStyle(style)];
        // Settings fit one character only; a style fits all.
        if character == session.character_settings_key() {
            commands.push(Command::SetCharacter { character, settings: Some(settings) });
        }
        let command = Command::batch(commands);
        let is_done = session.perform(&format!("Switch to {}", name.letter()), command);
        if is_done {
            self.set_current(session, name);
        }
        is_done
    }
}
