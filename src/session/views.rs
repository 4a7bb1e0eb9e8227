//! Where a character is looked at from: sides that have a name, counted from its front.

use jounce_draw::View;
use jounce_rig::Facing;

/// A side to look from. Left and right are the character's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedView {
    /// Three quarters from the front, slightly from above: how a character is shown first.
    ThreeQuarters,
    Front,
    Back,
    Left,
    Right,
    Top,
}

impl NamedView {
    pub const ALL: [NamedView; 6] = [
        NamedView::ThreeQuarters,
        NamedView::Front,
        NamedView::Back,
        NamedView::Left,
        NamedView::Right,
        NamedView::Top,
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            NamedView::ThreeQuarters => "three-quarters",
            NamedView::Front => "front",
            NamedView::Back => "back",
            NamedView::Left => "left",
            NamedView::Right => "right",
            NamedView::Top => "top",
        }
    }

    pub fn of(self, facing: &Facing) -> View {
        let of_z = match self {
            NamedView::ThreeQuarters => View::default(),
            NamedView::Front => View::from_degrees(0.0, 0.0),
            NamedView::Back => View::from_degrees(180.0, 0.0),
            NamedView::Left => View::from_degrees(90.0, 0.0),
            NamedView::Right => View::from_degrees(-90.0, 0.0),
            NamedView::Top => View::from_degrees(0.0, 90.0),
        };
        turned_with(facing, of_z)
    }
}

/// A view of a character that looks along +Z, for one that looks elsewhere.
pub fn turned_with(facing: &Facing, view: View) -> View {
    View { yaw_rad: view.yaw_rad + facing.yaw_rad(), ..view }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn back(view: View) -> Vec3 {
        view.axes().z_axis
    }

    #[test]
    fn names_are_sides_of_the_character_wherever_it_looks() {
        for forward in [Vec3::Z, Vec3::X, Vec3::NEG_Z, Vec3::new(0.6, 0.0, -0.8)] {
            let facing = Facing { forward, votes: Vec::new() };
            let left = Vec3::Y.cross(forward);
            let seen_from = |view: NamedView| back(view.of(&facing));
            for (view, side) in [
                (NamedView::Front, forward),
                (NamedView::Back, -forward),
                (NamedView::Left, left),
                (NamedView::Right, -left),
                (NamedView::Top, Vec3::Y),
            ] {
                assert!(seen_from(view).distance(side) < 1e-5, "{view:?} of {forward}");
            }
            let opened = seen_from(NamedView::ThreeQuarters);
            assert!(opened.dot(forward) > 0.7 && opened.dot(left) > 0.4 && opened.y > 0.1);
            // Seen from above, its front is at the bottom.
            let top = NamedView::Top.of(&facing).axes();
            assert!(top.y_axis.distance(-forward) < 1e-5, "{forward}");
        }
    }

    #[test]
    fn what_looks_along_z_is_seen_as_it_always_was() {
        let facing = Facing { forward: Vec3::Z, votes: Vec::new() };
        assert_eq!(NamedView::ThreeQuarters.of(&facing), View::default());
    }
}
