//! A picture that is kept while nothing in it changes: a window in which nothing plays is still drawn at every
//! move of the mouse, and its largest part is the character.

use super::scene::Pictures;
use super::subject::Subject;
use egui::TextureId;

#[derive(Default)]
pub struct KeptPicture {
    kept: Option<DrawnPicture>,
    /// How many pictures were drawn since the window was opened.
    pub drawn_count: u64,
}

struct DrawnPicture {
    subject: Subject,
    size_px: [u32; 2],
    pictures: Pictures<TextureId>,
}

impl KeptPicture {
    pub fn find(&self, subject: &Subject, size_px: [u32; 2]) -> Option<Pictures<TextureId>> {
        let is_same = |kept: &&DrawnPicture| kept.size_px == size_px && kept.subject == *subject;
        self.kept.as_ref().filter(is_same).map(|kept| kept.pictures)
    }

    /// Counts a picture that was drawn; without what it is of, none is kept.
    pub fn keep(&mut self, of: Option<(Subject, [u32; 2])>, pictures: Pictures<TextureId>) {
        self.drawn_count += 1;
        self.kept = of.map(|(subject, size_px)| DrawnPicture { subject, size_px, pictures });
    }

    /// What the textures hold is no longer known.
    pub fn forget(&mut self) {
        self.kept = None;
    }
}
