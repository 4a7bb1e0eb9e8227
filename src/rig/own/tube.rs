//! The tube: three bones and nothing else, to see a deformer by itself.

use super::clips::{clip, hold, wave};
use super::design::Design;
use super::paint::{smoothstep, srgb};
use super::shape::{Shape, sweep};
use glam::{Vec3, vec3};

const RADIUS: f32 = 0.17;
const HEIGHT: f32 = 1.7;

pub fn design() -> Design {
    let mut tube = Design::new("tube", 2600);
    let joint = |part: f32| vec3(0.0, HEIGHT * part, 0.0);
    let low = tube.bone("Low", None, joint(0.0), joint(1.0 / 3.0));
    let middle = tube.bone("Middle", Some(low), joint(1.0 / 3.0), joint(2.0 / 3.0));
    let high = tube.bone("High", Some(middle), joint(2.0 / 3.0), joint(1.0));

    let (teal, cream, coral) = (srgb(0x2f8f8b), srgb(0xf6e7c8), srgb(0xe8694a));
    let rings = move |point: Vec3, along: f32| {
        let base = if along < 0.5 {
            teal.lerp(cream, along * 2.0)
        } else {
            cream.lerp(coral, along * 2.0 - 1.0)
        };
        // Rings show bending and stretching that an even colour would hide.
        let ring = (point.y * std::f32::consts::TAU / 0.17).cos();
        base * (1.0 - 0.28 * smoothstep(0.35, 0.75, ring))
    };
    let axis = [(vec3(0.0, 0.0, 0.0), RADIUS), (vec3(0.0, HEIGHT - RADIUS, 0.0), RADIUS)];
    tube.add(
        Shape::new("tube", sweep(&axis), &[low, middle, high])
            .bend(0.06)
            .soft(0.0, 1.0)
            .pattern(rings),
    );

    let bones = tube.bones.clone();
    tube.clips = vec![
        clip(&bones, "wave", 2.0, |phase, pose| {
            pose.turn("Middle", 0.0, 0.0, 26.0 * wave(phase));
            pose.turn("High", 0.0, 0.0, 44.0 * wave(phase - 0.12));
        }),
        clip(&bones, "twist", 2.4, |phase, pose| {
            let swing = hold(phase, 0.05, 0.22, 0.45, 0.62) - hold(phase, 0.45, 0.62, 0.80, 0.97);
            pose.turn("Middle", 0.0, 60.0 * swing, 0.0);
            pose.turn("High", 0.0, 70.0 * swing, -35.0 * swing.abs());
        }),
        clip(&bones, "bounce", 1.2, |phase, pose| {
            // A ball's parabola, with a moment of rest on the ground.
            let air = ((phase - 0.15) / 0.7).clamp(0.0, 1.0);
            pose.shift("Low", 0.0, 1.6 * 4.0 * air * (1.0 - air) * 0.35, 0.0);
            let crouch = hold(phase, 0.0, 0.08, 0.08, 0.16) + hold(phase, 0.84, 0.92, 0.92, 1.0);
            pose.turn("Middle", 10.0 * crouch, 0.0, 0.0);
            pose.turn("High", -14.0 * crouch, 0.0, 0.0);
        }),
    ];
    tube
}
