//! The cow: one bone for the head; horns, ears, tail, udder and dewlap have none and live from the
//! softness map alone.

use super::bead::Bead;
use super::clips::{clip, hold, step, wave};
use super::design::Design;
use super::paint::{Color, noise, smoothstep, srgb};
use super::shape::{Shape, ellipsoid, tube, turned_ellipsoid};
use glam::{DVec3, Quat, Vec3, vec3};

pub fn design() -> Design {
    let mut cow = Design::new("cow", 7200);
    let root = cow.bone("Root", None, vec3(0.0, 0.72, -0.36), vec3(0.0, 0.74, -0.02));
    let spine = cow.bone("Spine", Some(root), vec3(0.0, 0.74, -0.02), vec3(0.0, 0.8, 0.36));
    let neck = cow.bone("Neck", Some(spine), vec3(0.0, 0.82, 0.36), vec3(0.0, 1.02, 0.58));
    let head = cow.bone("Head", Some(neck), vec3(0.0, 1.02, 0.58), vec3(0.0, 0.88, 0.95));
    let legs = [
        ("F", spine, [vec3(0.18, 0.58, 0.32), vec3(0.19, 0.30, 0.345), vec3(0.19, 0.0, 0.33)]),
        ("B", root, [vec3(0.18, 0.60, -0.38), vec3(0.19, 0.31, -0.45), vec3(0.19, 0.0, -0.41)]),
    ];
    let mut leg_bones = Vec::new();
    for (place, parent, [hip, knee, foot]) in legs {
        for (side, sign) in [("R", -1.0), ("L", 1.0)] {
            let at = |v: Vec3| vec3(v.x * sign, v.y, v.z);
            let leg = cow.bone(&format!("Leg.{place}{side}"), Some(parent), at(hip), at(knee));
            let shin = cow.bone(&format!("Shin.{place}{side}"), Some(leg), at(knee), at(foot));
            leg_bones.push((leg, shin));
        }
    }
    let [front, back] = [leg_bones[1], leg_bones[3]];

    let pink = srgb(0xf0a7a0);
    let dark = srgb(0x3a2c2b);
    let horn = srgb(0xe9d9b0);
    let trunk = [
        (vec3(0.0, 0.76, -0.50), 0.225),
        (vec3(0.0, 0.73, -0.30), 0.300),
        (vec3(0.0, 0.70, 0.0), 0.325),
        (vec3(0.0, 0.73, 0.27), 0.285),
    ];
    cow.add(
        Shape::new("trunk", tube(&trunk), &[root, spine]).bend(0.12).soft(0.18, 0.12).pattern(hide),
    );
    let neck_axis = [
        (vec3(0.0, 0.80, 0.30), 0.20),
        (vec3(0.0, 0.93, 0.47), 0.165),
        (vec3(0.0, 1.04, 0.60), 0.15),
    ];
    cow.add(
        Shape::new("neck", tube(&neck_axis), &[spine, neck, head])
            .bend(0.06)
            .blend(0.12)
            .soft(0.1, 0.1)
            .pattern(hide),
    );
    let skull = [
        (vec3(0.0, 1.08, 0.61), 0.175),
        (vec3(0.0, 1.02, 0.73), 0.158),
        (vec3(0.0, 0.93, 0.87), 0.128),
    ];
    cow.add(Shape::new("head", tube(&skull), &[head]).blend(0.08).soft(0.05, 0.25).pattern(blaze));
    let muzzle = turned_ellipsoid(
        vec3(0.0, 0.90, 0.915),
        vec3(0.165, 0.125, 0.125),
        Quat::from_rotation_x(0.5),
    );
    cow.add(Shape::new("muzzle", muzzle, &[head]).blend(0.05).soft(0.35, 0.35).color(pink));

    let leg_axis = |top: Vec3, knee: Vec3, foot: Vec3, girth: f32| {
        tube(&[
            (top, 0.115 * girth),
            (knee.lerp(top, 0.45), 0.098 * girth),
            (knee, 0.078),
            (foot + vec3(0.0, 0.16, 0.0), 0.064),
            (foot + vec3(0.0, 0.09, 0.0), 0.070),
        ])
    };
    for (place, parent, [hip, knee, foot]) in legs {
        let (leg, shin) = if place == "F" { front } else { back };
        let girth = if place == "F" { 1.0 } else { 1.25 };
        let axis = leg_axis(hip, knee, foot, girth);
        cow.add_pair(
            Shape::new("leg", axis, &[parent, leg, shin])
                .bend(0.045)
                .blend(0.10)
                .soft(0.08, 0.0)
                .pattern(hide),
        );
        let hoof =
            tube(&[(foot + vec3(0.0, 0.075, 0.004), 0.068), (foot + vec3(0.0, 0.0, 0.018), 0.090)]);
        cow.add_pair(Shape::new("hoof", hoof, &[shin]).blend(0.012).rigid().color(dark));
    }

    let udder = ellipsoid(vec3(0.0, 0.425, -0.22), vec3(0.155, 0.10, 0.15));
    cow.add(Shape::new("udder", udder, &[root]).blend(0.05).soft(0.9, 0.9).color(pink));
    let teat = tube(&[(vec3(0.065, 0.365, -0.17), 0.038), (vec3(0.075, 0.30, -0.17), 0.026)]);
    cow.add_pair(Shape::new("teat", teat, &[root]).blend(0.03).soft(0.9, 1.0).color(pink));
    let dewlap = turned_ellipsoid(
        vec3(0.0, 0.70, 0.51),
        vec3(0.058, 0.18, 0.11),
        Quat::from_rotation_x(0.65),
    );
    cow.add(
        Shape::new("dewlap", dewlap, &[spine, neck])
            .bend(0.08)
            .blend(0.07)
            .soft(1.0, 1.0)
            .pattern(hide),
    );

    let ear = tube(&[
        (vec3(0.11, 1.10, 0.575), 0.04),
        (vec3(0.22, 1.10, 0.56), 0.085),
        (vec3(0.33, 1.055, 0.55), 0.075),
        (vec3(0.40, 1.01, 0.55), 0.03),
    ]);
    let ear_color = |point: Vec3, _: f32| {
        dark_hide().lerp(srgb(0xf0a7a0), smoothstep(0.565, 0.585, point.z) * 0.9)
    };
    cow.add_pair(
        Shape::new("ear", ear, &[head])
            .flat(vec3(0.0, 0.45, 1.0), 0.40)
            .blend(0.03)
            .soft(0.15, 1.0)
            .pattern(ear_color),
    );
    let horn_axis = tube(&[
        (vec3(0.075, 1.19, 0.59), 0.050),
        (vec3(0.165, 1.255, 0.585), 0.046),
        (vec3(0.215, 1.34, 0.60), 0.036),
        (vec3(0.205, 1.43, 0.63), 0.020),
    ]);
    cow.add_pair(
        Shape::new("horn", horn_axis, &[head]).blend(0.02).rigid().colors(horn, srgb(0x8a7358)),
    );
    let forelock = ellipsoid(vec3(0.0, 1.235, 0.63), vec3(0.085, 0.05, 0.075));
    cow.add(
        Shape::new("forelock", forelock, &[head]).blend(0.05).soft(0.5, 0.5).color(dark_hide()),
    );

    let tail = tube(&[
        (vec3(0.0, 0.90, -0.66), 0.042),
        (vec3(0.0, 0.87, -0.755), 0.036),
        (vec3(0.0, 0.70, -0.80), 0.031),
        (vec3(0.0, 0.50, -0.815), 0.031),
    ]);
    cow.add(Shape::new("tail", tail, &[root]).blend(0.05).soft(0.1, 0.85).pattern(hide));
    let tuft = tube(&[
        (vec3(0.0, 0.50, -0.815), 0.036),
        (vec3(0.0, 0.41, -0.825), 0.062),
        (vec3(0.0, 0.31, -0.83), 0.022),
    ]);
    cow.add(Shape::new("tuft", tuft, &[root]).blend(0.03).soft(0.85, 1.0).color(dark));

    cow.add_eyes(vec3(0.112, 1.095, 0.738), 0.056, vec3(0.55, 0.12, 0.83), head, srgb(0x5b3a22));
    for side in [1.0, -1.0] {
        cow.beads.push(Bead::plain(vec3(side * 0.062, 0.945, 1.012), 0.026, head, srgb(0xa85a5c)));
    }
    add_clips(&mut cow);
    cow
}

fn dark_hide() -> Color {
    srgb(0x4a3630)
}

/// White with brown patches.
fn hide(point: Vec3, _: f32) -> Color {
    let patch = noise(point * 3.1 + vec3(0.3, 0.9, 0.2), 11) + 0.25 * (noise(point * 7.0, 5) - 0.5);
    srgb(0xf7f0e4).lerp(dark_hide(), smoothstep(0.535, 0.575, patch))
}

/// The face: brown, with a white stripe down the middle.
fn blaze(point: Vec3, _: f32) -> Color {
    let width = 0.045 + 0.5 * (point.z - 0.75).max(0.0);
    dark_hide().lerp(srgb(0xf7f0e4), 1.0 - smoothstep(width, width + 0.03, point.x.abs()))
}

const FEET: [(&str, &str, f64); 4] = [
    ("Leg.BL", "Shin.BL", 0.0),
    ("Leg.FL", "Shin.FL", 0.25),
    ("Leg.BR", "Shin.BR", 0.5),
    ("Leg.FR", "Shin.FR", 0.75),
];

fn add_clips(cow: &mut Design) {
    let bones = cow.bones.clone();
    let walk = clip(&bones, "walk", 1.6, |phase, pose| {
        let bob = wave(2.0 * phase + 0.1);
        pose.shift("Root", 0.018 * wave(phase + 0.1), -0.02 + 0.012 * bob, 0.0);
        pose.turn("Root", bob, 2.5 * wave(phase), 2.0 * wave(phase + 0.1));
        pose.turn("Spine", -bob, -4.0 * wave(phase), -2.5 * wave(phase + 0.1));
        pose.turn("Neck", 5.0 * wave(2.0 * phase + 0.3), 2.0 * wave(phase), 0.0);
        pose.turn("Head", 5.0 * wave(2.0 * phase + 0.15), 0.0, 2.0 * wave(phase + 0.2));
        for (leg, shin, start) in FEET {
            pose.plant(leg, shin, step(phase - start, 0.30, 0.10, 0.65));
        }
    });
    let shake = clip(&bones, "head shake", 2.4, |phase, pose| {
        // Gathers, shakes four times ever wider, and stops dead.
        let strength = hold(phase, 0.12, 0.3, 0.52, 0.60);
        let swing = strength * wave(phase * 8.0);
        let gather = hold(phase, 0.0, 0.12, 0.5, 0.7);
        pose.turn("Neck", 10.0 * gather, 10.0 * swing, 0.0);
        pose.turn("Head", 6.0 * gather, 18.0 * swing, 32.0 * swing);
        pose.turn("Spine", 0.0, -2.0 * swing, 0.0);
        for (leg, shin, _) in FEET {
            pose.plant(leg, shin, DVec3::ZERO);
        }
    });
    let hop = clip(&bones, "hop", 1.5, |phase, pose| {
        let crouch = hold(phase, 0.0, 0.16, 0.18, 0.28) + 0.8 * hold(phase, 0.56, 0.66, 0.68, 0.95);
        let air = ((phase - 0.26) / 0.32).clamp(0.0, 1.0);
        let height = 4.0 * air * (1.0 - air);
        pose.shift("Root", 0.0, 0.42 * height - 0.09 * crouch, 0.0);
        let lean = hold(phase, 0.22, 0.32, 0.40, 0.60);
        pose.turn("Root", -9.0 * lean + 6.0 * hold(phase, 0.42, 0.56, 0.58, 0.72), 0.0, 0.0);
        pose.turn("Neck", 14.0 * crouch - 10.0 * lean, 0.0, 0.0);
        pose.turn("Head", 10.0 * crouch - 6.0 * lean, 0.0, 0.0);
        for (leg, shin, _) in FEET {
            let tuck = DVec3::new(0.0, 0.42 * height + 0.06 * height, -0.05 * height);
            pose.plant(leg, shin, tuck);
        }
    });
    cow.clips = vec![walk, shake, hop];
}
