//! What a camera must see of a motion, and where the ground is.

use super::scene::Scene;
use glam::Vec3;
use jounce_draw::{Bounds, Framing, Shot, View};

/// What is seen of a motion, moment by moment. No vertices are kept.
pub struct Seen {
    /// Without what is known only when all is seen.
    empty: Shot,
    framing: Framing,
    bounds: Vec<Bounds>,
}

impl Seen {
    /// `legend` is what stays free at the bottom, as a fraction of the height.
    pub fn new(size_px: [u32; 2], view: View, legend: f32) -> Seen {
        let empty = Shot { view, legend, ..Shot::around([], size_px) };
        Seen { framing: empty.framing(), empty, bounds: Vec::new() }
    }

    pub fn add(&mut self, positions: &[Vec3], joints: &[Vec3]) {
        self.bounds.push(Bounds::of(positions));
        positions.iter().chain(joints).for_each(|point| self.framing.add(*point));
    }

    /// Points that are no part of the character.
    pub fn add_points(&mut self, points: &[Vec3]) {
        points.iter().for_each(|point| self.framing.add(*point));
    }

    /// The ground is in the picture, unless that would leave little room for the character.
    pub fn shot(mut self, ground_height: Option<f32>) -> Shot {
        let Shot { stage, .. } = Shot::around(self.bounds, self.empty.size_px);
        let mut shot = Shot { stage, ..self.empty };
        if let Some(ground_height) = ground_height {
            let bounds = shot.stage.bounds;
            if bounds.min.y - ground_height < shot.stage.subject_size {
                self.framing.add(bounds.center().with_y(ground_height));
            }
            shot.stage.ground_height = Some(ground_height);
        }
        shot.framed = Some(self.framing.camera());
        shot
    }
}

/// Moments of a clip that are looked at to find where it stands.
const MOST_MOMENTS: usize = 32;
/// Vertices that are skinned for that, in all.
const MOST_VERTICES: usize = 3_000_000;

/// What a foot may sink into the ground it rests on, as a fraction of the character's size: where knees bend
/// deep, soles often do.
const SUNK: f32 = 0.05;

/// Where a character stands in its clip: its lowest point in plain skinning, or where it rests if that is
/// hardly above. A style may go below, into the ground. None where there is nothing that could stand.
pub fn standing_height(scene: &Scene) -> Option<f32> {
    let vertices = scene.character().vertex_count().max(1);
    let count = (MOST_VERTICES / vertices).clamp(2, MOST_MOMENTS);
    let duration_secs = scene.duration_secs();
    let moments = if duration_secs > 0.0 { count } else { 1 };
    let lowest = |i: usize| {
        let time_secs = duration_secs * i as f64 / (count - 1) as f64;
        let positions = scene.plain_positions(time_secs);
        positions.iter().map(|p| p.y).filter(|y| y.is_finite()).fold(f32::INFINITY, f32::min)
    };
    let lowest = (0..moments).map(lowest).fold(f32::INFINITY, f32::min);
    let rest = scene.character().rest_bounds().0.y;
    let is_sunk = lowest < rest && rest - lowest < SUNK * scene.character().size() as f32;
    lowest.is_finite().then_some(if is_sunk { rest } else { lowest })
}

#[cfg(test)]
mod tests {
    use super::super::scene::WithoutClips;
    use super::super::scene_args::SceneArgs;
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Parsed {
        #[command(flatten)]
        scene: SceneArgs,
    }

    fn scene(args: &[&str]) -> Scene {
        let args = Parsed::parse_from([&["test"], args].concat()).scene;
        Scene::with_graph(&args, WithoutClips::TestMotion).unwrap()
    }

    fn lowest(positions: &[Vec3]) -> f32 {
        positions.iter().map(|p| p.y).fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn the_ground_stays_where_the_clip_stands_when_a_style_goes_below() {
        let scene = scene(&["--graph", "cartoon", "--loop"]);
        let times_secs = (0..24).map(|i| scene.duration_secs() * f64::from(i) / 24.0);
        let deformed = times_secs.clone().map(|t| lowest(&scene.skin(t).unwrap().positions));
        let plain = times_secs.map(|t| lowest(&scene.plain_at(t).positions));
        let (deformed, plain) =
            (deformed.fold(f32::INFINITY, f32::min), plain.fold(f32::INFINITY, f32::min));
        let ground = standing_height(&scene).unwrap();
        assert!(deformed < plain - 0.1, "the style does not go below: {deformed} {plain}");
        // Its hooves dip into the ground it rests on when it ducks, and do not take the ground along.
        assert!(plain < -0.02 && ground.abs() < 1e-3, "{ground} {plain}");
    }

    #[test]
    fn a_jump_is_seen_above_the_ground_it_left() {
        let scene = scene(&["mushroom", "--clip", "hop"]);
        let ground = standing_height(&scene).unwrap();
        assert!(ground.abs() < 0.01, "{ground}");
        let in_the_air = scene.skin(0.6).unwrap().positions;
        assert!(lowest(&in_the_air) > 0.2);
        let mut seen = Seen::new([400, 300], View::default(), 0.0);
        seen.add(&in_the_air, &[]);
        let shot = seen.shot(Some(ground));
        assert_eq!(shot.stage.ground_height, Some(ground));
        let clip_from_scene = shot.camera().clip_from_scene(400.0 / 300.0, 1e-3);
        let center = shot.stage.bounds.center().with_y(ground);
        let on_screen = clip_from_scene.project_point3(center).truncate().abs().max_element();
        assert!(on_screen < 0.9, "{on_screen}");
        // From high above nobody looks down to it.
        let high: Vec<Vec3> = in_the_air.iter().map(|p| *p + Vec3::Y * 50.0).collect();
        let mut seen = Seen::new([400, 300], View::default(), 0.0);
        seen.add(&high, &[]);
        let near = shot.camera().distance;
        assert!(seen.shot(Some(ground)).camera().distance < near);
    }
}
