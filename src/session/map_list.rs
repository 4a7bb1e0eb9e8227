//! The maps of a character, each name once.

use jounce_graph::document::CharacterSettings;
use jounce_ir::source::derived_maps;
use jounce_rig::Character;

/// Where a map comes from. What is painted stands in front of what the file has; what is computed from the
/// character stands behind both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapOrigin {
    Painted,
    File,
    Derived,
}

pub fn map_list(character: &Character, settings: &CharacterSettings) -> Vec<(String, MapOrigin)> {
    listed(character.maps.iter().map(|map| map.name.as_str()), settings)
}

fn listed<'a>(
    in_file: impl Iterator<Item = &'a str>,
    settings: &'a CharacterSettings,
) -> Vec<(String, MapOrigin)> {
    let painted = settings.maps.keys().map(|name| (name.as_str(), MapOrigin::Painted));
    let in_file = in_file.map(|name| (name, MapOrigin::File));
    let derived = derived_maps().map(|(info, _)| (info.saved_name, MapOrigin::Derived));
    let mut list: Vec<(String, MapOrigin)> = Vec::new();
    for (name, origin) in painted.chain(in_file).chain(derived) {
        // As maps are found: upper and lower case are one.
        if !list.iter().any(|(known, _)| known.to_lowercase() == name.to_lowercase()) {
            list.push((name.to_owned(), origin));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_rig::own;

    #[test]
    fn every_map_is_listed_once_and_says_where_it_comes_from() {
        let cow = own::built_in("cow").unwrap();
        let mut settings = CharacterSettings::default();
        let softness = |origin| ("softness".to_owned(), origin);
        // Beside them, each once, stand the channels of its colours.
        let names = |list: &[(String, MapOrigin)]| -> Vec<String> {
            list.iter().map(|(name, _)| name.clone()).collect()
        };
        let of_file = map_list(&cow, &settings);
        assert_eq!(of_file[0], softness(MapOrigin::File));
        let of_all = ["color_r", "color_g", "color_b", "looseness", "protrusion"];
        assert_eq!(names(&of_file), [&["softness"], &of_all[..]].concat());
        settings.maps.insert("softness".to_owned(), vec![0.0; cow.vertex_count()].into());
        settings.maps.insert("blush".to_owned(), vec![0.0; cow.vertex_count()].into());
        let blush = ("blush".to_owned(), MapOrigin::Painted);
        let painted = map_list(&cow, &settings);
        assert_eq!(painted[..2], [blush, softness(MapOrigin::Painted)]);
        assert_eq!(names(&painted), [&["blush", "softness"], &of_all[..]].concat());
        let bare = listed([].into_iter(), &CharacterSettings::default());
        assert_eq!(names(&bare), ["softness", "looseness", "protrusion"]);
        assert!(bare.iter().all(|(_, origin)| *origin == MapOrigin::Derived));
        let in_capitals = listed(["Softness"].into_iter(), &CharacterSettings::default());
        assert_eq!(in_capitals[0], ("Softness".to_owned(), MapOrigin::File));
        assert_eq!(in_capitals.len(), bare.len());
    }
}
