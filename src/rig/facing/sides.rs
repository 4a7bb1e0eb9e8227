//! Bones that are named after the character's left and right.

use super::horizontal;
use crate::Character;
use glam::DVec2;
use std::collections::HashMap;

/// Forward is where the left hand side is, turned by a right angle. Pairs that are farther apart count more;
/// those on the middle plane say nothing.
pub fn by_names(character: &Character) -> DVec2 {
    let skeleton = &character.skeleton;
    let names: Vec<String> =
        (0..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone).to_lowercase()).collect();
    let by_name: HashMap<&str, usize> =
        names.iter().enumerate().map(|(bone, name)| (name.as_str(), bone)).collect();
    let place = |bone: usize| horizontal(character.bone_origin(character.rest_pose(), bone));
    let (mut sum, mut lengths) = (DVec2::ZERO, 0.0);
    for (left, name) in names.iter().enumerate() {
        let Some(&right) = of_other_side(name).and_then(|other| by_name.get(other.as_str())) else {
            continue;
        };
        let to_left = place(left) - place(right);
        // Up is Y: left × up is (−z, x) of left, seen as (x, z).
        sum += DVec2::new(-to_left.y, to_left.x);
        lengths += to_left.length();
    }
    if lengths > 0.0 { sum / lengths } else { DVec2::ZERO }
}

/// What a name of the left side is called on the right; None for all other names. Lower case.
fn of_other_side(name: &str) -> Option<String> {
    if name.contains("left") {
        return Some(name.replace("left", "right"));
    }
    // A single letter, as in "arm.l", "l_arm" and "arm_l_01".
    let is_single = |(at, letter): &(usize, char)| {
        let is_letter = |letter: char| letter.is_alphanumeric();
        *letter == 'l'
            && !name[..*at].ends_with(is_letter)
            && !name[*at + 1..].starts_with(is_letter)
    };
    let (at, _) = name.char_indices().find(is_single)?;
    Some(format!("{}r{}", &name[..at], &name[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::of_other_side;

    #[test]
    fn names_of_the_left_side_are_known() {
        let names = [
            ("mixamorig:leftfoot", Some("mixamorig:rightfoot")),
            ("arm.l", Some("arm.r")),
            ("l_arm", Some("r_arm")),
            ("leg_l_02", Some("leg_r_02")),
            ("tail", None),
            ("arm.r", None),
            ("élan l", Some("élan r")),
        ];
        for (name, other) in names {
            assert_eq!(of_other_side(name).as_deref(), other, "{name}");
        }
    }
}
