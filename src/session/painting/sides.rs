//! Which bone is that of the other side, by their names: `Left Arm` and `Right Arm`, `ear.L` and `ear.R`, `l_leg_03` and
//! `r_leg_07`.

use glam::DVec3;
use jounce_rig::Character;

/// Per bone the one of the other side; None in the middle.
pub fn mirrored_bones(character: &Character) -> Vec<Option<usize>> {
    let skeleton = &character.skeleton;
    let names: Vec<&str> = (0..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone)).collect();
    let place = |bone: usize| character.bone_origin(character.rest_pose(), bone);
    let partner = |bone: usize| {
        let wanted = mirrored_name(names[bone])?;
        if let Some(exact) = skeleton.bone_named(&wanted) {
            return Some(exact);
        }
        // Some programs number all nodes, so that the numbers of both sides differ.
        let bare = without_number(&wanted).to_lowercase();
        let is_like = |other: &usize| without_number(names[*other]).to_lowercase() == bare;
        let image = place(bone) * DVec3::new(-1.0, 1.0, 1.0);
        let alike = (0..names.len()).filter(is_like);
        alike.min_by(|a, b| place(*a).distance(image).total_cmp(&place(*b).distance(image)))
    };
    (0..names.len()).map(partner).collect()
}

const WORDS: [[&str; 2]; 3] = [["Left", "Right"], ["left", "right"], ["LEFT", "RIGHT"]];

/// The name with the other side in it; None where it names no side.
pub fn mirrored_name(name: &str) -> Option<String> {
    for [left, right] in WORDS {
        for (from, to) in [(left, right), (right, left)] {
            if name.contains(from) {
                return Some(name.replacen(from, to, 1));
            }
        }
    }
    let is_letter = |(at, c): &(usize, char)| {
        matches!(c, 'L' | 'R' | 'l' | 'r') && names_side(&name[..*at], *c, &name[*at + 1..])
    };
    let (at, letter) = name.char_indices().find(is_letter)?;
    let other = match letter {
        'L' => 'R',
        'R' => 'L',
        'l' => 'r',
        _ => 'l',
    };
    Some(format!("{}{other}{}", &name[..at], &name[at + 1..]))
}

/// Is it a letter of its own (`ear.L`, `l_leg`), one with front, back or hind before it (`Leg.FR`), a capital behind small
/// letters (`armL`, `armL2`), or a small one before a capital (`lHand`)?
fn names_side(before: &str, letter: char, behind: &str) -> bool {
    let last = before.chars().next_back();
    let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let next = behind.chars().next();
    if !joins(next) {
        let of_end = |c: char| matches!(c.to_ascii_uppercase(), 'F' | 'B' | 'H');
        let is_end = last.is_some_and(of_end) && {
            let mut others = before.chars().rev().skip(1);
            !joins(others.next())
        };
        if !joins(last) || is_end {
            return true;
        }
    }
    let is_capital = letter.is_ascii_uppercase();
    match is_capital {
        true => last.is_some_and(char::is_lowercase) && !next.is_some_and(char::is_alphabetic),
        false => !joins(last) && next.is_some_and(char::is_uppercase),
    }
}

fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', '.', '-', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_mirrored_where_they_name_a_side() {
        let pairs = [
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("ear.L", "ear.R"),
            ("l_leg_03", "r_leg_03"),
            ("b_RightEar_01", "b_LeftEar_01"),
            ("wing right", "wing left"),
            ("UPPER_R_001", "UPPER_L_001"),
            ("Leg.FR", "Leg.FL"),
            ("hind_bl", "hind_br"),
            ("armL2", "armR2"),
            ("lHand", "rHand"),
        ];
        for (name, mirrored) in pairs {
            assert_eq!(mirrored_name(name).as_deref(), Some(mirrored));
            assert_eq!(mirrored_name(mirrored).as_deref(), Some(name));
        }
        for name in ["Spine", "tail", "Rollbone", "ROLL", "controller", "", "Ω"] {
            assert_eq!(mirrored_name(name), None, "{name}");
        }
        assert_eq!(without_number("b_RightEar_07"), "b_RightEar");
    }
}
