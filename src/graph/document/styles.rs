//! The built-in styles: `examples/*.jounce`, embedded, so that a name is enough.

use super::Document;

/// What a style is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StyleKind {
    /// It speaks of parts of the body, so that it lands on any rig.
    AnyCharacter,
    /// It names bones and maps of one of the built-in characters.
    OneCharacter,
    /// Exactly what a paper says, with nothing added: no limits, no planted feet.
    Papers,
}

impl StyleKind {
    pub const ALL: [StyleKind; 3] =
        [StyleKind::AnyCharacter, StyleKind::OneCharacter, StyleKind::Papers];

    /// As a heading.
    pub fn title(self) -> &'static str {
        match self {
            StyleKind::AnyCharacter => "For any character",
            StyleKind::OneCharacter => "Made for one character",
            StyleKind::Papers => "Exactly as in the papers",
        }
    }
}

/// A style that comes with the program.
pub struct BuiltInStyle {
    pub name: &'static str,
    pub kind: StyleKind,
    text: &'static str,
}

macro_rules! styles {
    ($($name:literal $kind:ident)*) => {
        &[$(BuiltInStyle {
            name: $name,
            kind: StyleKind::$kind,
            text: include_str!(concat!("../examples/", $name, ".jounce")),
        }),*]
    };
}

pub const STYLES: &[BuiltInStyle] = styles! {
    "anticipating" AnyCharacter
    "bird-flutter" OneCharacter
    "bouncy-cartoon" AnyCharacter
    "breathe" AnyCharacter
    "breathing" OneCharacter
    "cartoon" AnyCharacter
    "centrifugal-bulge" OneCharacter
    "cow-bouncy" OneCharacter
    "default" AnyCharacter
    "dragon-whip" OneCharacter
    "ear-flop" OneCharacter
    "ears-and-tail" OneCharacter
    "feather-light" AnyCharacter
    "flesh-belly" OneCharacter
    "flesh-body" OneCharacter
    "floppy" Papers
    "floppy-ears" AnyCharacter
    "follow-through" AnyCharacter
    "giraffe-sway" OneCharacter
    "heavy-body" AnyCharacter
    "heavy-tail" AnyCharacter
    "impact-ripple" OneCharacter
    "jelly-belly" AnyCharacter
    "jelly-wobble" OneCharacter
    "loose-parts" AnyCharacter
    "mushroom" OneCharacter
    "naive-drag" Papers
    "ooze" AnyCharacter
    "oscillation" AnyCharacter
    "rubber-neck" AnyCharacter
    "smear" AnyCharacter
    "snail-ooze" OneCharacter
    "speed-smear" OneCharacter
    "squash" Papers
    "tail-whip" OneCharacter
    "tube-jelly" OneCharacter
    "velocity-skinning" Papers
    "wind-lean" OneCharacter
    "wobbly-stop" AnyCharacter
};

impl BuiltInStyle {
    pub fn document(&self) -> Option<Document> {
        Document::from_bytes(self.text.as_bytes()).ok().map(|loaded| loaded.document)
    }

    /// What it is for, in its own words: those of its first comment.
    pub fn about(&self) -> String {
        let comments = self.document().map(|document| document.style.graph.comments);
        let first = comments.and_then(|comments| comments.into_values().next());
        first.map(|comment| comment.text).unwrap_or_default()
    }
}

pub fn style_names() -> impl Iterator<Item = &'static str> {
    STYLES.iter().map(|style| style.name)
}

/// The document of a built-in style.
pub fn built_in_style(name: &str) -> Option<Document> {
    STYLES.iter().find(|style| style.name == name)?.document()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_comes_along_and_can_be_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<String> = entries
            .filter(|path| path.extension().is_some_and(|ext| ext == "jounce"))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        assert_eq!(files, style_names().collect::<Vec<_>>());
        for style in STYLES {
            assert!(style.document().is_some(), "{}", style.name);
            assert!(!style.about().is_empty(), "{} does not say what it is for", style.name);
        }
    }
}
