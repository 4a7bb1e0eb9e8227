//! The mushroom: a soft cap on a stalk, after the one on which dynamic skinning was first shown
//! (Larboulette, Cani, Arnaldi 2005, Fig. 7 to 9). The further out on the cap, the softer.

use super::bead::Bead;
use super::clips::{clip, hold, wave};
use super::design::Design;
use super::paint::{Color, noise, smoothstep, srgb};
use super::shape::{Shape, tube, turned, turned_ellipsoid};
use glam::{Quat, Vec2, Vec3, vec2, vec3};

/// The middle of the cap's skin is an ellipse about this height, seen from the side.
const BRIM_HEIGHT: f32 = 0.94;
const CAP_RADII: Vec2 = vec2(0.63, 0.40);
/// The cap reaches a little further than half around: its brim turns in.
const BRIM_DEGREES: f32 = 100.0;

/// Warts: degrees around the axis, degrees down from the top, radius.
const WARTS: [(f32, f32, f32); 15] = [
    (20.0, 7.0, 0.115),
    (15.0, 42.0, 0.095),
    (78.0, 35.0, 0.080),
    (140.0, 40.0, 0.105),
    (205.0, 37.0, 0.075),
    (262.0, 42.0, 0.100),
    (322.0, 36.0, 0.070),
    (48.0, 65.0, 0.085),
    (98.0, 68.0, 0.065),
    (168.0, 69.0, 0.080),
    (232.0, 70.0, 0.065),
    (292.0, 71.0, 0.075),
    (345.0, 70.0, 0.065),
    (70.0, 88.0, 0.050),
    (318.0, 91.0, 0.048),
];

pub fn design() -> Design {
    let mut mushroom = Design::new("mushroom", 7600);
    let up = |height: f32| vec3(0.0, height, 0.0);
    let low = mushroom.bone("Stalk.1", None, up(0.0), up(0.42));
    let high = mushroom.bone("Stalk.2", Some(low), up(0.42), up(0.96));
    let cap = mushroom.bone("Cap", Some(high), up(0.96), up(1.32));
    let tip = mushroom.bone("Tip", Some(cap), up(1.32), up(1.45));

    let stalk = tube(&[
        (up(0.12), 0.235),
        (up(0.22), 0.275),
        (up(0.42), 0.240),
        (up(0.66), 0.190),
        (up(0.95), 0.170),
        (up(1.22), 0.150),
    ]);
    mushroom.add(
        Shape::new("stalk", stalk, &[low, high, cap])
            .bend(0.07)
            .soft(0.35, 0.1)
            .fade(up(0.1), up(1.0))
            .pattern(stalk_color),
    );
    mushroom.add(
        Shape::new("cap", turned(up(BRIM_HEIGHT), &cap_rings()), &[cap, tip])
            .bend(0.12)
            .blend(0.12)
            .soft(0.1, 1.0)
            .pattern(cap_color),
    );
    for (around, down, radius) in WARTS {
        let (place, out) = on_cap(around, down);
        let pad = turned_ellipsoid(
            place,
            vec3(radius, 0.025, radius),
            Quat::from_rotation_arc(Vec3::Y, out),
        );
        let along = (down / BRIM_DEGREES).clamp(0.0, 1.0);
        let softness = 0.1 + 0.9 * along * along * (3.0 - 2.0 * along);
        mushroom.add(
            Shape::new("wart", pad, &[cap, tip])
                .bend(0.12)
                .blend(0.03)
                .soft(softness, softness)
                .color(srgb(0xfbf3e2)),
        );
    }

    mushroom.add_eyes(
        vec3(0.090, 0.565, 0.172),
        0.060,
        vec3(0.20, 0.04, 0.97),
        high,
        srgb(0x4a3426),
    );
    // A small mouth.
    let mouth = Bead::plain(vec3(0.0, 0.480, 0.222), 0.023, high, srgb(0x8c4136));
    mushroom.beads.push(mouth);
    add_clips(&mut mushroom);
    mushroom
}

/// Of the cap, from its top (0) to its brim (1): thick above the stalk, thin at the brim.
fn half_thickness(part: f32) -> f32 {
    0.125 - 0.07 * smoothstep(0.1, 0.95, part)
}

/// Distance from the axis, height above the brim, half thickness.
fn cap_rings() -> Vec<(f32, f32, f32)> {
    const COUNT: usize = 9;
    let ring = |i: usize| {
        let part = i as f32 / (COUNT - 1) as f32;
        let (sin, cos) = (part * BRIM_DEGREES).to_radians().sin_cos();
        (CAP_RADII.x * sin, CAP_RADII.y * cos, half_thickness(part))
    };
    (0..COUNT).map(ring).collect()
}

/// A point on the outside of the cap, and the way out there.
fn on_cap(around_degrees: f32, down_degrees: f32) -> (Vec3, Vec3) {
    let (around_sin, around_cos) = around_degrees.to_radians().sin_cos();
    let (sin, cos) = down_degrees.to_radians().sin_cos();
    let around = |out: f32, up: f32| vec3(out * around_sin, up, out * around_cos);
    let normal = around(sin / CAP_RADII.x, cos / CAP_RADII.y).normalize();
    let middle = around(CAP_RADII.x * sin, BRIM_HEIGHT + CAP_RADII.y * cos);
    (middle + normal * half_thickness(down_degrees / BRIM_DEGREES), normal)
}

/// Ivory, earthy at the foot, with rosy cheeks beside the mouth.
fn stalk_color(point: Vec3, _: f32) -> Color {
    let ivory = srgb(0xf6e8cf).lerp(srgb(0xe7cfa6), 0.6 * noise(point * vec3(16.0, 3.0, 16.0), 7));
    let earthy = ivory.lerp(srgb(0xb98d5e), 0.75 * (1.0 - smoothstep(0.02, 0.2, point.y)));
    let cheek = vec3(point.x.abs(), point.y, point.z).distance(vec3(0.150, 0.465, 0.17));
    earthy.lerp(srgb(0xf0917f), 0.75 * (1.0 - smoothstep(0.02, 0.065, cheek)))
}

/// Red outside, gills inside, and a pale brim between.
fn cap_color(point: Vec3, along: f32) -> Color {
    let out = vec2(point.x, point.z).length();
    let ellipse = vec2(out, point.y - BRIM_HEIGHT) / CAP_RADII;
    let inside = 1.0 - smoothstep(0.93, 1.0, ellipse.length());
    let red = srgb(0xc8252b).lerp(srgb(0xe8573a), smoothstep(0.35, 0.95, along));
    let red = red.lerp(srgb(0xa8161f), 0.35 * noise(point * 5.0, 4));
    let brim = red.lerp(srgb(0xf4b98a), smoothstep(0.93, 1.0, along));
    // Too fine for the mesh nearer to the stalk.
    let gill = 0.5 + 0.5 * (point.x.atan2(point.z) * 22.0).cos();
    let gills = srgb(0xf3dfc0).lerp(srgb(0xcfa77f), 0.6 * gill * smoothstep(0.2, 0.4, out));
    brim.lerp(gills, inside)
}

fn add_clips(mushroom: &mut Design) {
    let bones = mushroom.bones.clone();
    let hop = clip(&bones, "hop", 1.9, |phase, pose| {
        // Ducks, leaps, lands, and stands still long enough for what swings to settle.
        let duck = hold(phase, 0.0, 0.12, 0.14, 0.20) + 0.8 * hold(phase, 0.47, 0.53, 0.54, 0.70);
        let air = ((phase - 0.18) / 0.31).clamp(0.0, 1.0);
        let height = 4.0 * air * (1.0 - air);
        pose.shift("Stalk.1", 0.0, 0.42 * height, 0.0);
        pose.shift("Stalk.2", 0.0, 0.03 * height - 0.08 * duck, 0.0);
        pose.shift("Cap", 0.0, 0.03 * height - 0.09 * duck, 0.0);
        let lean = hold(phase, 0.14, 0.23, 0.30, 0.48);
        pose.turn("Stalk.2", -5.0 * lean + 6.0 * duck, 0.0, 0.0);
        pose.turn("Cap", 6.0 * lean - 4.0 * duck, 0.0, 0.0);
    });
    let sway = clip(&bones, "sway", 2.8, |phase, pose| {
        pose.turn("Stalk.1", 0.0, 0.0, 2.0 * wave(phase));
        pose.turn("Stalk.2", 2.0 * wave(2.0 * phase), 0.0, 13.0 * wave(phase - 0.03));
        pose.turn("Cap", 3.0 * wave(2.0 * phase - 0.1), 0.0, 12.0 * wave(phase - 0.08));
        pose.turn("Tip", 0.0, 0.0, 6.0 * wave(phase - 0.14));
    });
    let shake = clip(&bones, "shake", 2.4, |phase, pose| {
        // Gathers, shakes off the rain, and stops dead.
        let strength = hold(phase, 0.10, 0.25, 0.42, 0.50);
        let swing = strength * wave(phase * 8.0);
        let across = strength * wave(phase * 8.0 + 0.25);
        let gather = hold(phase, 0.0, 0.10, 0.42, 0.56);
        pose.shift("Stalk.2", 0.0, -0.05 * gather, 0.0);
        pose.turn("Stalk.2", 2.0 * across, 10.0 * swing, -7.0 * swing);
        pose.turn("Cap", 5.0 * across, 26.0 * swing, 15.0 * swing);
    });
    mushroom.clips = vec![hop, sway, shake];
}
