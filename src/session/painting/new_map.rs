//! What a new map begins with.

use glam::{DVec3, Vec3};
use jounce_base::character_settings::CharacterSettings;
use jounce_base::text::nearest;
use jounce_eval::heat::{Heat, HeatError};
use jounce_ir::source::derived_maps;
use jounce_rig::Character;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq)]
pub enum NewMap {
    Constant(f32),
    /// A map that every character has, by its name: softness, looseness, protrusion.
    Derived(&'static str),
    /// From 0 at the ground to 1 at the top of the rest pose.
    Height,
    /// How far the rest pose is from a bone, in sizes of the character.
    BoneDistance(String),
    /// A channel of the colours, from 0 to 1: red, green, blue, alpha.
    Color(usize),
    /// Another map, by its name.
    Copy(String),
}

/// Of the channels of colours.
const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NewMapError {
    #[error(
        "\"{0}\" is nothing a map can be made from; write constant=NUMBER, height, bone-distance=BONE, color=red (green, blue, alpha), map=NAME, {derived}",
        derived = derived_names().join(" or ")
    )]
    Text(String),
    #[error("the character has no bone \"{name}\"{}", meant(.nearest))]
    NoBone { name: String, nearest: Option<String> },
    #[error(transparent)]
    Map(#[from] HeatError),
}

fn meant(nearest: &Option<String>) -> String {
    let meant = nearest.as_ref().map(|nearest| format!(" (did you mean \"{nearest}\"?)"));
    meant.unwrap_or_else(|| "; jounce inspect lists its bones".to_owned())
}

fn derived_names() -> Vec<&'static str> {
    derived_maps().map(|(info, _)| info.saved_name).collect()
}

impl NewMap {
    /// All that need no further word.
    pub fn plain() -> Vec<NewMap> {
        let derived = derived_names().into_iter().map(NewMap::Derived);
        let colors = (0..3).map(NewMap::Color);
        let numbers = [NewMap::Constant(0.0), NewMap::Constant(1.0)];
        numbers.into_iter().chain(derived).chain([NewMap::Height]).chain(colors).collect()
    }

    /// One number per vertex.
    pub fn values(
        &self,
        character: &Character,
        settings: &CharacterSettings,
    ) -> Result<Vec<f32>, NewMapError> {
        let rest = &character.rest().positions;
        Ok(match self {
            NewMap::Constant(value) => vec![*value; character.vertex_count()],
            // Not what was painted under its name: what is computed.
            NewMap::Derived(name) => {
                let derived = Heat::of_derived(character, settings, name);
                derived.ok_or_else(|| NewMapError::Text((*name).to_owned()))?.values
            }
            NewMap::Height => {
                let (low, high) = character.rest_bounds();
                let height = (high.y - low.y).max(f32::MIN_POSITIVE);
                rest.iter().map(|at| ((at.y - low.y) / height).clamp(0.0, 1.0)).collect()
            }
            NewMap::BoneDistance(name) => {
                let [from, to] = bone_line(character, name)?;
                let size = character.size().max(f64::MIN_POSITIVE);
                let far = |at: &Vec3| (distance_to_line(at.as_dvec3(), from, to) / size) as f32;
                rest.iter().map(far).collect()
            }
            NewMap::Color(channel) => {
                let channel = (*channel).min(CHANNELS.len() - 1);
                character.mesh.colors.iter().map(|color| color[channel]).collect()
            }
            NewMap::Copy(name) => Heat::of_map(character, settings, name)?.values,
        })
    }
}

/// From a bone's joint to the joint of its first child, or else to the middle of its skin.
fn bone_line(character: &Character, name: &str) -> Result<[DVec3; 2], NewMapError> {
    let skeleton = &character.skeleton;
    let Some(bone) = skeleton.bone_named(name) else {
        let names = (0..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone));
        let nearest = nearest(name, names).map(str::to_owned);
        return Err(NewMapError::NoBone { name: name.to_owned(), nearest });
    };
    let rest = character.rest_pose();
    let joint = character.bone_origin(rest, bone);
    let child = skeleton.bones.iter().position(|other| other.parent == Some(bone));
    let end = match child {
        Some(child) => character.bone_origin(rest, child),
        None => super::skin_middle(character, bone).unwrap_or(joint),
    };
    Ok([joint, end])
}

fn distance_to_line(at: DVec3, from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let length_squared = along.length_squared();
    let part = match length_squared > 0.0 {
        true => ((at - from).dot(along) / length_squared).clamp(0.0, 1.0),
        false => 0.0,
    };
    at.distance(from + along * part)
}

impl FromStr for NewMap {
    type Err = NewMapError;

    fn from_str(text: &str) -> Result<NewMap, NewMapError> {
        let wrong = || NewMapError::Text(text.to_owned());
        let (kind, rest) = match text.split_once('=') {
            Some((kind, rest)) => (kind.trim(), Some(rest.trim())),
            None => (text.trim(), None),
        };
        let channel = |name: &str| CHANNELS.iter().position(|known| *known == name);
        match (kind, rest) {
            ("constant", Some(number)) => match number.parse::<f32>() {
                Ok(number) if number.abs() <= 1e9 => Ok(NewMap::Constant(number)),
                _ => Err(wrong()),
            },
            ("height", None) => Ok(NewMap::Height),
            ("bone-distance", Some(bone)) if !bone.is_empty() => {
                Ok(NewMap::BoneDistance(bone.to_owned()))
            }
            ("color", None) => Ok(NewMap::Color(0)),
            ("color", Some(name)) => channel(name).map(NewMap::Color).ok_or_else(wrong),
            ("map", Some(name)) if !name.is_empty() => Ok(NewMap::Copy(name.to_owned())),
            (name, None) => {
                let known = derived_names().into_iter().find(|known| *known == name);
                known.map(NewMap::Derived).ok_or_else(wrong)
            }
            _ => Err(wrong()),
        }
    }
}

/// As it is read.
impl fmt::Display for NewMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NewMap::Constant(value) => write!(f, "constant={value}"),
            NewMap::Derived(name) => write!(f, "{name}"),
            NewMap::Height => write!(f, "height"),
            NewMap::BoneDistance(bone) => write!(f, "bone-distance={bone}"),
            NewMap::Color(channel) => write!(f, "color={}", CHANNELS[(*channel).min(3)]),
            NewMap::Copy(name) => write!(f, "map={name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_rig::own;

    fn values(text: &str) -> Vec<f32> {
        let cow = own::built_in("cow").unwrap();
        let made: NewMap = text.parse().unwrap();
        assert_eq!(made.to_string(), text);
        made.values(&cow, &CharacterSettings::default()).unwrap()
    }

    #[test]
    fn maps_are_made_from_what_the_character_is() {
        let cow = own::built_in("cow").unwrap();
        assert!(values("constant=0.25").iter().all(|x| *x == 0.25));
        // The file's own map of that name is not what is computed.
        assert_eq!(values("softness"), cow.automatic_softness());
        let height = values("height");
        let rest = &cow.rest().positions;
        let top = (0..rest.len()).max_by(|a, b| rest[*a].y.total_cmp(&rest[*b].y)).unwrap();
        assert!(height[top] == 1.0 && height.contains(&0.0));
        assert_eq!(values("color=green")[5], cow.mesh.colors[5][1]);
        let in_file = cow.maps.iter().find(|map| map.name == "softness").unwrap();
        assert_eq!(values("map=softness"), in_file.values);
        let head = cow.skeleton.bone_named("Head").unwrap();
        let joint = cow.bone_origin(cow.rest_pose(), head);
        let distances = values("bone-distance=Head");
        for (far, at) in distances.iter().zip(rest).step_by(97) {
            assert!(f64::from(*far) <= at.as_dvec3().distance(joint) / cow.size() + 1e-6);
        }
        let nearest = distances.iter().copied().fold(f32::INFINITY, f32::min);
        assert!(nearest < 0.2 && distances.iter().any(|far| *far > 0.5), "{nearest}");
    }

    #[test]
    fn what_makes_no_map_is_told_with_what_would() {
        let error = |text: &str| text.parse::<NewMap>().unwrap_err().to_string();
        for text in
            ["", "constant", "constant=x", "constant=inf", "colour", "color=pink", "bone-distance="]
        {
            assert!(error(text).contains("bone-distance=BONE"), "{text}");
        }
        let cow = own::built_in("cow").unwrap();
        let of = |text: &str| {
            let made: NewMap = text.parse().unwrap();
            made.values(&cow, &CharacterSettings::default()).unwrap_err().to_string()
        };
        assert!(of("bone-distance=Haed").contains("did you mean \"Head\""));
        assert!(of("map=nothing").contains("no map \"nothing\""));
    }
}
