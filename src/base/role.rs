//! What a bone is to the body it belongs to: the words that styles use in place of the names of bones.

use serde::{Deserialize, Serialize};

/// In files it is written in lower case. Programs read it as its number, so numbers never change.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Pelvis, spine, chest, shell: what the rest hangs on.
    #[default]
    Trunk = 0,
    /// Between the trunk and the head.
    Neck = 1,
    /// The bulky end of the spine, with its jaw and eyes.
    Head = 2,
    /// One of a pair that hangs freely on the trunk, without its hand.
    Arm = 3,
    Hand = 4,
    Finger = 5,
    /// What stands on the ground, without its foot.
    Leg = 6,
    Foot = 7,
    /// Every other chain that nothing holds at its end: tail, ear, wing, antenna, hair.
    Free = 8,
}

impl Role {
    /// In the order of their numbers.
    pub const ALL: [Role; 9] = [
        Role::Trunk,
        Role::Neck,
        Role::Head,
        Role::Arm,
        Role::Hand,
        Role::Finger,
        Role::Leg,
        Role::Foot,
        Role::Free,
    ];

    /// As files and people write it.
    pub fn name(self) -> &'static str {
        match self {
            Role::Trunk => "trunk",
            Role::Neck => "neck",
            Role::Head => "head",
            Role::Arm => "arm",
            Role::Hand => "hand",
            Role::Finger => "finger",
            Role::Leg => "leg",
            Role::Foot => "foot",
            Role::Free => "free",
        }
    }

    /// As programs read it.
    pub fn number(self) -> f64 {
        f64::from(self as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_names_and_programs_the_places() {
        for (place, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role.number(), place as f64);
            let text = serde_json::to_string(&role).unwrap();
            assert_eq!(text, format!("\"{}\"", role.name()));
            assert_eq!(serde_json::from_str::<Role>(&text).unwrap(), role);
        }
    }
}
