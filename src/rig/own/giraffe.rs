//! The giraffe: a neck of six bones, to see how a bend travels along a chain.

use super::bead::Bead;
use super::clips::{clip, hold, step, wave};
use super::design::Design;
use super::paint::{Color, mosaic, smoothstep, srgb};
use super::shape::{Shape, ellipsoid, tube};
use glam::{DVec3, Vec3, vec3};

const NECK: [&str; 6] = ["Neck.1", "Neck.2", "Neck.3", "Neck.4", "Neck.5", "Neck.6"];

pub fn design() -> Design {
    let mut giraffe = Design::new("giraffe", 7600);
    let root = giraffe.bone("Root", None, vec3(0.0, 0.90, -0.26), vec3(0.0, 0.94, 0.0));
    let spine = giraffe.bone("Spine", Some(root), vec3(0.0, 0.94, 0.0), vec3(0.0, 1.02, 0.24));
    let neck_at = |part: f32| {
        let (low, high) = (vec3(0.0, 1.06, 0.24), vec3(0.0, 1.80, 0.50));
        low.lerp(high, part) + vec3(0.0, 0.0, 0.03 * (part * std::f32::consts::PI).sin())
    };
    let mut chain = vec![spine];
    for (i, name) in NECK.iter().enumerate() {
        let (from, to) = (neck_at(i as f32 / 6.0), neck_at((i + 1) as f32 / 6.0));
        chain.push(giraffe.bone(name, chain.last().copied(), from, to));
    }
    let head = giraffe.bone("Head", chain.last().copied(), neck_at(1.0), vec3(0.0, 1.70, 0.80));
    chain.push(head);
    let tail_bone =
        giraffe.bone("Tail", Some(root), vec3(0.0, 0.98, -0.42), vec3(0.0, 0.55, -0.52));
    let legs = [
        ("F", spine, [vec3(0.12, 0.86, 0.20), vec3(0.125, 0.44, 0.225), vec3(0.125, 0.0, 0.205)]),
        ("B", root, [vec3(0.12, 0.84, -0.28), vec3(0.125, 0.43, -0.345), vec3(0.125, 0.0, -0.31)]),
    ];
    let mut leg_bones = Vec::new();
    for (place, parent, [hip, knee, foot]) in legs {
        for (side, sign) in [("R", -1.0), ("L", 1.0)] {
            let at = |v: Vec3| vec3(v.x * sign, v.y, v.z);
            let leg = giraffe.bone(&format!("Leg.{place}{side}"), Some(parent), at(hip), at(knee));
            let shin = giraffe.bone(&format!("Shin.{place}{side}"), Some(leg), at(knee), at(foot));
            leg_bones.push((leg, shin));
        }
    }

    let cream = srgb(0xf4dfae);
    let brown = srgb(0x5a3523);
    let trunk = tube(&[
        (vec3(0.0, 0.93, -0.30), 0.155),
        (vec3(0.0, 0.94, -0.12), 0.195),
        (vec3(0.0, 0.97, 0.08), 0.205),
        (vec3(0.0, 1.00, 0.20), 0.175),
    ]);
    giraffe.add(Shape::new("trunk", trunk, &[root, spine]).bend(0.09).soft(0.1, 0.1).pattern(coat));
    let neck_axis: Vec<(Vec3, f32)> = [0.155, 0.120, 0.098, 0.086, 0.080, 0.080]
        .iter()
        .enumerate()
        .map(|(i, &radius)| (neck_at(-0.08 + 1.08 * i as f32 / 5.0), radius))
        .collect();
    giraffe.add(
        Shape::new("neck", tube(&neck_axis), &chain)
            .bend(0.045)
            .blend(0.14)
            .soft(0.2, 0.35)
            .pattern(coat),
    );
    let skull = tube(&[
        (vec3(0.0, 1.83, 0.51), 0.098),
        (vec3(0.0, 1.80, 0.60), 0.088),
        (vec3(0.0, 1.745, 0.72), 0.064),
    ]);
    giraffe.add(Shape::new("head", skull, &[head]).blend(0.06).soft(0.1, 0.2).pattern(coat));
    let muzzle = ellipsoid(vec3(0.0, 1.725, 0.765), vec3(0.078, 0.062, 0.085));
    giraffe.add(Shape::new("muzzle", muzzle, &[head]).blend(0.05).soft(0.3, 0.3).color(cream));

    for (place, parent, [hip, knee, foot]) in legs {
        let (leg, shin) = if place == "F" { leg_bones[1] } else { leg_bones[3] };
        let axis = tube(&[
            (hip, if place == "F" { 0.085 } else { 0.105 }),
            (knee.lerp(hip, 0.45), 0.066),
            (knee, 0.055),
            (knee.lerp(foot, 0.45), 0.043),
            (foot + vec3(0.0, 0.075, 0.0), 0.048),
        ]);
        giraffe.add_pair(
            Shape::new("leg", axis, &[parent, leg, shin])
                .bend(0.045)
                .blend(0.10)
                .soft(0.05, 0.0)
                .pattern(coat),
        );
        let hoof =
            tube(&[(foot + vec3(0.0, 0.065, 0.003), 0.048), (foot + vec3(0.0, 0.0, 0.014), 0.062)]);
        giraffe.add_pair(Shape::new("hoof", hoof, &[shin]).blend(0.01).rigid().color(brown));
    }

    // The mane is carried by the same bones as the neck, and softer.
    let mane: Vec<(Vec3, f32)> = (0..=6)
        .map(|i| {
            let part = 0.05 + 0.95 * i as f32 / 6.0;
            let behind = vec3(0.0, 0.03, -1.0) * (0.135 - 0.055 * part);
            (neck_at(part) + behind, 0.036)
        })
        .collect();
    giraffe.add(
        Shape::new("mane", tube(&mane), &chain).bend(0.045).blend(0.03).soft(0.5, 0.8).color(brown),
    );
    let ossicone = tube(&[(vec3(0.045, 1.89, 0.515), 0.030), (vec3(0.062, 1.985, 0.495), 0.026)]);
    giraffe.add_pair(
        Shape::new("ossicone", ossicone, &[head]).blend(0.02).rigid().color(srgb(0xd79a4a)),
    );
    let knob = ellipsoid(vec3(0.064, 2.01, 0.49), vec3(0.040, 0.038, 0.040));
    giraffe.add_pair(Shape::new("ossicone", knob, &[head]).blend(0.012).rigid().color(brown));
    let ear = tube(&[
        (vec3(0.075, 1.85, 0.49), 0.024),
        (vec3(0.145, 1.875, 0.465), 0.052),
        (vec3(0.225, 1.89, 0.445), 0.018),
    ]);
    giraffe.add_pair(
        Shape::new("ear", ear, &[head])
            .flat(vec3(-0.2, 0.0, 1.0), 0.5)
            .blend(0.02)
            .soft(0.2, 1.0)
            .colors(srgb(0xd79a4a), cream),
    );
    let tail = tube(&[
        (vec3(0.0, 1.00, -0.42), 0.032),
        (vec3(0.0, 0.95, -0.485), 0.027),
        (vec3(0.0, 0.72, -0.515), 0.025),
    ]);
    giraffe.add(
        Shape::new("tail", tail, &[root, tail_bone])
            .bend(0.04)
            .blend(0.05)
            .soft(0.1, 0.8)
            .pattern(coat),
    );
    let tuft = tube(&[
        (vec3(0.0, 0.72, -0.515), 0.028),
        (vec3(0.0, 0.63, -0.52), 0.046),
        (vec3(0.0, 0.53, -0.525), 0.020),
    ]);
    giraffe.add(Shape::new("tuft", tuft, &[tail_bone]).blend(0.02).soft(0.8, 1.0).color(brown));

    giraffe.add_eyes(vec3(0.068, 1.835, 0.595), 0.036, vec3(0.75, 0.1, 0.65), head, srgb(0x6b4426));
    for side in [1.0, -1.0] {
        giraffe.beads.push(Bead::plain(vec3(side * 0.036, 1.752, 0.832), 0.013, head, brown));
    }
    add_clips(&mut giraffe);
    giraffe
}

/// Large brown stones on cream, fading out on the lower legs and the belly.
fn coat(point: Vec3, _: f32) -> Color {
    let (cream, patch) = (srgb(0xf4dfae), srgb(0xc27a36));
    let stone = mosaic(point * vec3(6.2, 5.4, 6.2) + 0.4, 7);
    let legs = smoothstep(0.22, 0.50, point.y);
    let face = 1.0 - smoothstep(0.56, 0.64, point.z) * smoothstep(1.6, 1.7, point.y);
    cream.lerp(patch, smoothstep(0.13, 0.25, stone) * legs * face)
}

const FEET: [(&str, &str, f64); 4] = [
    ("Leg.BL", "Shin.BL", 0.0),
    ("Leg.FL", "Shin.FL", 0.15),
    ("Leg.BR", "Shin.BR", 0.5),
    ("Leg.FR", "Shin.FR", 0.65),
];

fn add_clips(giraffe: &mut Design) {
    let bones = giraffe.bones.clone();
    let stand = |pose: &mut super::clips::Posing| {
        for (leg, shin, _) in FEET {
            pose.plant(leg, shin, DVec3::ZERO);
        }
    };
    let walk = clip(&bones, "walk", 2.0, |phase, pose| {
        let bob = wave(2.0 * phase + 0.1);
        pose.shift("Root", 0.02 * wave(phase + 0.1), -0.025 + 0.014 * bob, 0.0);
        pose.turn("Root", 1.5 * bob, 2.0 * wave(phase), 2.0 * wave(phase + 0.1));
        pose.turn("Spine", -1.5 * bob, -3.0 * wave(phase), -2.0 * wave(phase + 0.1));
        for (i, name) in NECK.iter().enumerate() {
            let late = 0.05 * i as f64;
            pose.turn(name, 2.6 * wave(2.0 * phase - late), 0.0, 1.0 * wave(phase - late));
        }
        pose.turn("Head", -8.0 * wave(2.0 * phase - 0.3), 0.0, 0.0);
        pose.turn("Tail", 6.0 * bob, 0.0, 14.0 * wave(phase));
        for (leg, shin, start) in FEET {
            pose.plant(leg, shin, step(phase - start, 0.34, 0.11, 0.62));
        }
    });
    let look = clip(&bones, "look around", 4.0, |phase, pose| {
        let left = hold(phase, 0.04, 0.14, 0.34, 0.46);
        let right = hold(phase, 0.36, 0.52, 0.74, 0.90);
        let yaw = left - right;
        for name in NECK {
            pose.turn(name, 3.0 * (left + right) - 1.0, 9.0 * yaw, -5.0 * yaw);
        }
        let tilt = hold(phase, 0.56, 0.61, 0.66, 0.71);
        pose.turn("Head", -6.0 * (left + right), 22.0 * yaw, 18.0 * tilt);
        pose.turn("Spine", 0.0, 3.0 * yaw, 0.0);
        pose.turn("Tail", 0.0, 0.0, 10.0 * wave(3.0 * phase));
        stand(pose);
    });
    let nod = clip(&bones, "nod", 2.2, |phase, pose| {
        let rear = hold(phase, 0.0, 0.12, 0.14, 0.26);
        let down = hold(phase, 0.16, 0.32, 0.38, 0.58) + 0.5 * hold(phase, 0.58, 0.68, 0.70, 0.84);
        for name in NECK {
            pose.turn(name, 11.0 * down - 4.0 * rear, 0.0, 0.0);
        }
        pose.turn("Head", 14.0 * down - 12.0 * rear, 0.0, 0.0);
        pose.turn("Root", 1.5 * down, 0.0, 0.0);
        pose.turn("Tail", -14.0 * down, 0.0, 0.0);
        stand(pose);
    });
    giraffe.clips = vec![walk, look, nod];
}
