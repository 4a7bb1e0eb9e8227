//! The built-in styles: `examples/*.jounce`, embedded, so that a name is enough.

use super::Document;

macro_rules! styles {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../examples/", $name, ".jounce")))),*]
    };
}

const STYLES: &[(&str, &str)] = styles! {
    "bird-flutter"
    "breathing"
    "cartoon"
    "centrifugal-bulge"
    "cow-bouncy"
    "default"
    "dragon-whip"
    "ear-flop"
    "ears-and-tail"
    "flesh-belly"
    "flesh-body"
    "floppy"
    "giraffe-sway"
    "impact-ripple"
    "jelly-wobble"
    "mushroom"
    "naive-drag"
    "oscillation"
    "snail-ooze"
    "speed-smear"
    "squash"
    "tail-whip"
    "tube-jelly"
    "velocity-skinning"
    "wind-lean"
};

pub fn style_names() -> impl Iterator<Item = &'static str> {
    STYLES.iter().map(|(name, _)| *name)
}

/// The document of a built-in style.
pub fn built_in_style(name: &str) -> Option<Document> {
    let (_, text) = STYLES.iter().find(|(known, _)| *known == name)?;
    Document::from_bytes(text.as_bytes()).ok().map(|loaded| loaded.document)
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
        assert!(style_names().all(|name| built_in_style(name).is_some()));
    }
}
