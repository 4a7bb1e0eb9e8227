//! The bird: a single joint. Wings, tail and feet beat by their softness alone; the signs of the map
//! say which of them drag behind the body and which run ahead. The left wing is + and the right −, so that
//! a turn about one axis lets them beat together (Rohmer 2021, section 5).

use super::clips::{clip, hold, wave};
use super::design::Design;
use super::paint::{Color, smoothstep, srgb};
use super::shape::{Shape, tube, turned_ellipsoid};
use glam::{Quat, Vec3, vec3};

pub fn design() -> Design {
    let mut bird = Design::new("bird", 7400);
    let center = vec3(0.0, 0.50, 0.0);
    let body = bird.bone("Body", None, center, center + vec3(0.0, 0.0, 0.3));

    let orange = srgb(0xf29a38);
    let egg = turned_ellipsoid(
        vec3(0.0, 0.48, -0.02),
        vec3(0.215, 0.215, 0.33),
        Quat::from_rotation_x(-0.35),
    );
    bird.add(Shape::new("body", egg, &[body]).soft(0.0, 0.0).pattern(breast));
    let head = tube(&[(vec3(0.0, 0.60, 0.16), 0.17), (vec3(0.0, 0.72, 0.28), 0.185)]);
    bird.add(Shape::new("head", head, &[body]).blend(0.09).soft(0.0, -0.12).pattern(breast));
    let beak = tube(&[
        (vec3(0.0, 0.70, 0.43), 0.065),
        (vec3(0.0, 0.685, 0.53), 0.042),
        (vec3(0.0, 0.665, 0.60), 0.018),
    ]);
    bird.add(Shape::new("beak", beak, &[body]).blend(0.015).soft(-0.12, -0.12).color(orange));
    for (side, height) in [(0.0, 1.0), (0.03, 0.97), (-0.03, 0.95)] {
        let crest = tube(&[
            (vec3(side * 0.4, 0.87, 0.27), 0.032),
            (vec3(side * 1.1, 0.95 * height + 0.01, 0.21), 0.036),
            (vec3(side * 2.0, 1.0 * height, 0.10), 0.016),
        ]);
        bird.add(Shape::new("crest", crest, &[body]).blend(0.03).soft(0.1, 0.7).color(deep()));
    }

    // An arm, and feathers fanned out behind it.
    let arm = tube(&[
        (vec3(0.10, 0.58, 0.05), 0.13),
        (vec3(0.36, 0.71, 0.10), 0.125),
        (vec3(0.62, 0.87, 0.07), 0.105),
        (vec3(0.84, 1.00, -0.02), 0.075),
    ]);
    let (root, tip) = (vec3(0.16, 0.60, 0.0), vec3(1.02, 1.08, 0.0));
    let up = vec3(-0.50, 0.86, 0.0);
    add_wings(
        &mut bird,
        Shape::new("wing", arm, &[body])
            .flat(up, 0.40)
            .blend(0.08)
            .fade(root, tip)
            .pattern(wing_color),
    );
    let feathers = [
        (vec3(0.74, 0.94, 0.0), vec3(1.03, 1.115, -0.13)),
        (vec3(0.64, 0.88, 0.0), vec3(0.96, 1.055, -0.31)),
        (vec3(0.53, 0.81, 0.0), vec3(0.81, 0.965, -0.43)),
        (vec3(0.41, 0.74, 0.0), vec3(0.61, 0.855, -0.48)),
        (vec3(0.28, 0.67, 0.0), vec3(0.40, 0.735, -0.45)),
    ];
    for (from, to) in feathers {
        let feather = tube(&[(from, 0.085), (from.lerp(to, 0.6), 0.092), (to, 0.06)]);
        add_wings(
            &mut bird,
            Shape::new("wing", feather, &[body])
                .flat(up, 0.42)
                .blend(0.025)
                .fade(root, tip)
                .pattern(wing_color),
        );
    }

    for x in [0.0, 0.13, -0.13] {
        let back = -0.70 + 0.5 * f32::abs(x);
        let feather = tube(&[
            (vec3(x * 0.25, 0.40, -0.24), 0.07),
            (vec3(x * 0.9, 0.40, -0.48), 0.085),
            (vec3(x * 1.4, 0.43, back), 0.06),
        ]);
        let (start, end) = (vec3(0.0, 0.40, -0.26), vec3(0.0, 0.42, -0.72));
        bird.add(
            Shape::new("tail", feather, &[body])
                .flat(vec3(0.0, 1.0, 0.1), 0.44)
                .blend(0.03)
                .fade(start, end)
                .soft(0.0, -0.9)
                .pattern(tail_color),
        );
    }
    let foot = tube(&[
        (vec3(0.08, 0.27, -0.05), 0.036),
        (vec3(0.09, 0.13, -0.08), 0.028),
        (vec3(0.09, 0.03, -0.04), 0.028),
    ]);
    bird.add_pair(Shape::new("foot", foot, &[body]).blend(0.03).soft(0.0, 0.6).color(orange));
    for splay in [-0.055, 0.0, 0.055] {
        let toe =
            tube(&[(vec3(0.09, 0.02, -0.04), 0.030), (vec3(0.09 + splay, 0.014, 0.06), 0.026)]);
        bird.add_pair(Shape::new("foot", toe, &[body]).blend(0.01).soft(0.6, 0.6).color(orange));
    }

    bird.add_eyes(vec3(0.115, 0.765, 0.395), 0.052, vec3(0.62, 0.1, 0.78), body, srgb(0x33201a));
    add_clips(&mut bird);
    bird
}

/// A part of the left wing, + towards its tip, and the same of the right one, −.
fn add_wings(bird: &mut Design, left: Shape) {
    bird.add_pair(left.soft(0.0, 1.0));
    if let Some(right) = bird.shapes.last_mut() {
        right.softness = [0.0, -1.0];
    }
}

fn deep() -> Color {
    srgb(0x1f5fa8)
}

fn breast(point: Vec3, _: f32) -> Color {
    // Cream below a line that climbs towards the face.
    let line = 0.40 + 0.42 * (point.z - 0.02).max(-0.2);
    let sky = srgb(0x3d8fd6);
    srgb(0xfdeccb).lerp(sky, smoothstep(line - 0.03, line + 0.03, point.y))
}

fn wing_color(point: Vec3, along: f32) -> Color {
    // Light coverts along the arm, dark tips.
    let coverts = srgb(0x6fb7ea).lerp(srgb(0x3d8fd6), smoothstep(0.02, -0.12, point.z));
    coverts.lerp(deep(), smoothstep(0.55, 0.95, along + 0.35 * (-0.2 - point.z).max(0.0)))
}

fn tail_color(_: Vec3, along: f32) -> Color {
    srgb(0x3d8fd6).lerp(deep(), smoothstep(0.3, 0.8, along))
}

fn add_clips(bird: &mut Design) {
    let bones = bird.bones.clone();
    let hover = clip(&bones, "hover", 1.0, |phase, pose| {
        // The downstroke is quick, the rise slow: the skew of the wave.
        let beat = wave(phase + 0.08 * wave(phase));
        pose.shift("Body", 0.0, 0.35 + 0.13 * beat, 0.02 * wave(phase + 0.25));
        pose.turn("Body", -6.0 + 4.0 * wave(phase + 0.25), 0.0, 0.0);
    });
    let fly = clip(&bones, "fly", 3.2, |phase, pose| {
        // Four strokes, then a glide with a bank to either side.
        let strokes = hold(phase, 0.0, 0.06, 0.48, 0.56);
        let beat = strokes * wave(phase * 8.0);
        let bank = wave(phase * 2.0) * hold(phase, 0.45, 0.6, 0.9, 1.0);
        let sink = hold(phase, 0.55, 0.8, 0.9, 1.0);
        pose.shift("Body", 0.10 * bank, 0.45 + 0.12 * beat - 0.14 * sink, 0.0);
        pose.turn("Body", 8.0 - 6.0 * strokes + 7.0 * sink, -6.0 * bank, 20.0 * bank);
    });
    let hop = clip(&bones, "hop", 1.4, |phase, pose| {
        let first = ((phase - 0.10) / 0.30).clamp(0.0, 1.0);
        let second = ((phase - 0.48) / 0.22).clamp(0.0, 1.0);
        let arc = |t: f64| 16.0 * (t * (1.0 - t)).powi(2);
        let lean = hold(phase, 0.0, 0.1, 0.12, 0.3) - hold(phase, 0.2, 0.4, 0.45, 0.7);
        pose.shift("Body", 0.0, 0.34 * arc(first) + 0.15 * arc(second), 0.0);
        pose.turn("Body", 9.0 * lean, 0.0, 0.0);
    });
    bird.clips = vec![hover, fly, hop];
}
