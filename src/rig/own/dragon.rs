//! The dragon: two bones per wing and two in the tail, as few as will fly; the rest is overlap.

use super::bead::Bead;
use super::clips::{clip, hold, wave};
use super::design::Design;
use super::paint::{Color, mosaic, smoothstep, srgb};
use super::shape::{Piece, Shape, ellipsoid, membrane, tube};
use glam::{DVec3, Vec3, vec3};

const SHOULDER: Vec3 = vec3(0.12, 0.84, 0.14);
const WRIST: Vec3 = vec3(0.48, 1.36, 0.10);
const TIPS: [Vec3; 3] = [vec3(1.22, 1.60, -0.14), vec3(1.16, 1.14, -0.48), vec3(0.72, 0.82, -0.66)];
const HIP: Vec3 = vec3(0.12, 0.72, -0.30);
const SKIN: f32 = 0.026;

pub fn design() -> Design {
    let mut dragon = Design::new("dragon", 7600);
    let root = dragon.bone("Root", None, vec3(0.0, 0.62, -0.28), vec3(0.0, 0.66, 0.0));
    let spine = dragon.bone("Spine", Some(root), vec3(0.0, 0.66, 0.0), vec3(0.0, 0.76, 0.24));
    let neck_low = dragon.bone("Neck.1", Some(spine), vec3(0.0, 0.78, 0.24), vec3(0.0, 1.00, 0.44));
    let neck_high =
        dragon.bone("Neck.2", Some(neck_low), vec3(0.0, 1.00, 0.44), vec3(0.0, 1.26, 0.52));
    let head = dragon.bone("Head", Some(neck_high), vec3(0.0, 1.26, 0.52), vec3(0.0, 1.22, 0.92));
    let tail_low =
        dragon.bone("Tail.1", Some(root), vec3(0.0, 0.60, -0.42), vec3(0.0, 0.34, -0.95));
    let tail_high =
        dragon.bone("Tail.2", Some(tail_low), vec3(0.0, 0.34, -0.95), vec3(0.0, 0.46, -1.62));
    let mut wings = Vec::new();
    let mut leg_bones = Vec::new();
    let legs = [
        ("F", spine, [vec3(0.16, 0.58, 0.18), vec3(0.19, 0.31, 0.17), vec3(0.19, 0.0, 0.21)]),
        ("B", root, [vec3(0.17, 0.56, -0.26), vec3(0.21, 0.33, -0.21), vec3(0.21, 0.0, -0.28)]),
    ];
    for (side, sign) in [("R", -1.0), ("L", 1.0)] {
        let at = |v: Vec3| vec3(v.x * sign, v.y, v.z);
        let arm = dragon.bone(&format!("Wing.1.{side}"), Some(spine), at(SHOULDER), at(WRIST));
        let hand =
            dragon.bone(&format!("Wing.2.{side}"), Some(arm), at(WRIST), at(vec3(1.1, 1.26, -0.3)));
        wings.push((arm, hand));
        for (place, parent, [hip, knee, foot]) in legs {
            let leg = dragon.bone(&format!("Leg.{place}{side}"), Some(parent), at(hip), at(knee));
            let shin = dragon.bone(&format!("Shin.{place}{side}"), Some(leg), at(knee), at(foot));
            leg_bones.push((leg, shin));
        }
    }
    let (arm, hand) = wings[1];
    let (bone, gold) = (srgb(0xf3e3bd), srgb(0xf2b84b));

    let trunk = tube(&[
        (vec3(0.0, 0.62, -0.38), 0.15),
        (vec3(0.0, 0.62, -0.20), 0.205),
        (vec3(0.0, 0.65, 0.04), 0.215),
        (vec3(0.0, 0.72, 0.22), 0.175),
    ]);
    dragon
        .add(Shape::new("trunk", trunk, &[root, spine]).bend(0.09).soft(0.1, 0.1).pattern(scales));
    let neck = tube(&[
        (vec3(0.0, 0.74, 0.22), 0.165),
        (vec3(0.0, 0.90, 0.39), 0.125),
        (vec3(0.0, 1.08, 0.48), 0.105),
        (vec3(0.0, 1.25, 0.52), 0.105),
    ]);
    dragon.add(
        Shape::new("neck", neck, &[spine, neck_low, neck_high, head])
            .bend(0.05)
            .blend(0.10)
            .soft(0.1, 0.15)
            .pattern(scales),
    );
    let skull = tube(&[
        (vec3(0.0, 1.30, 0.53), 0.135),
        (vec3(0.0, 1.28, 0.64), 0.120),
        (vec3(0.0, 1.23, 0.80), 0.088),
    ]);
    dragon.add(Shape::new("head", skull, &[head]).blend(0.06).soft(0.05, 0.1).pattern(scales));
    let snout = ellipsoid(vec3(0.0, 1.225, 0.86), vec3(0.105, 0.075, 0.10));
    dragon.add(Shape::new("snout", snout, &[head]).blend(0.05).soft(0.1, 0.1).pattern(scales));
    let jaw = tube(&[(vec3(0.0, 1.19, 0.62), 0.075), (vec3(0.0, 1.135, 0.82), 0.062)]);
    dragon.add(Shape::new("jaw", jaw, &[head]).blend(0.025).soft(0.1, 0.3).color(belly()));
    let horn = tube(&[
        (vec3(0.075, 1.40, 0.52), 0.045),
        (vec3(0.115, 1.49, 0.42), 0.038),
        (vec3(0.135, 1.53, 0.30), 0.020),
    ]);
    dragon.add_pair(
        Shape::new("horn", horn, &[head]).blend(0.02).rigid().colors(bone, srgb(0xb08d62)),
    );
    let ear = tube(&[
        (vec3(0.11, 1.31, 0.53), 0.03),
        (vec3(0.21, 1.345, 0.46), 0.062),
        (vec3(0.29, 1.365, 0.38), 0.018),
    ]);
    dragon.add_pair(
        Shape::new("ear", ear, &[head])
            .flat(vec3(0.3, -0.3, 1.0), 0.45)
            .blend(0.02)
            .soft(0.2, 1.0)
            .colors(hide(), gold),
    );

    for (i, (place, parent, [hip, knee, foot])) in legs.into_iter().enumerate() {
        let (leg, shin) = leg_bones[2 + i];
        let thick = if place == "F" { 1.0 } else { 1.3 };
        let axis = tube(&[
            (hip, 0.10 * thick),
            (knee.lerp(hip, 0.4), 0.085 * thick),
            (knee, 0.066),
            (foot + vec3(0.0, 0.10, 0.0), 0.062),
            (foot + vec3(0.0, 0.035, 0.05), 0.066),
        ]);
        dragon.add_pair(
            Shape::new("leg", axis, &[parent, leg, shin])
                .bend(0.04)
                .blend(0.08)
                .soft(0.05, 0.0)
                .pattern(scaly),
        );
        for splay in [-0.055, 0.0, 0.055] {
            let claw = tube(&[
                (foot + vec3(splay, 0.030, 0.09), 0.036),
                (foot + vec3(splay * 1.25, 0.018, 0.15), 0.026),
            ]);
            dragon.add_pair(Shape::new("claw", claw, &[shin]).blend(0.015).rigid().color(bone));
        }
    }

    let tail = tube(&[
        (vec3(0.0, 0.62, -0.36), 0.155),
        (vec3(0.0, 0.50, -0.60), 0.115),
        (vec3(0.0, 0.36, -0.90), 0.082),
        (vec3(0.0, 0.33, -1.22), 0.056),
        (vec3(0.0, 0.44, -1.55), 0.036),
    ]);
    dragon.add(
        Shape::new("tail", tail, &[root, tail_low, tail_high])
            .bend(0.09)
            .blend(0.10)
            .soft(0.1, 0.9)
            .pattern(scales),
    );
    let spade = tube(&[
        (vec3(0.0, 0.445, -1.55), 0.045),
        (vec3(0.0, 0.49, -1.63), 0.135),
        (vec3(0.0, 0.62, -1.86), 0.024),
    ]);
    dragon.add(
        Shape::new("spade", spade, &[tail_high])
            .flat(Vec3::X, 0.36)
            .blend(0.02)
            .soft(0.9, 1.0)
            .color(gold),
    );
    add_spikes(&mut dragon, &[neck_high, neck_low, spine, root, tail_low, tail_high], gold);

    let bones = [spine, arm, hand];
    let arm_axis = tube(&[
        (SHOULDER, 0.07),
        (SHOULDER.lerp(WRIST, 0.5) + vec3(-0.02, 0.03, 0.0), 0.052),
        (WRIST, 0.046),
    ]);
    dragon.add_pair(
        Shape::new("wing", arm_axis, &bones[..2])
            .bend(0.05)
            .blend(0.05)
            .soft(0.0, 0.15)
            .color(hide()),
    );
    let (inner, outer) = (vec3(0.16, 0.9, 0.0), vec3(1.2, 1.3, -0.30));
    dragon.add_pair(
        Shape::new("membrane", wing_skin(), &bones)
            .bend(0.09)
            .blend(0.03)
            .fade(inner, outer)
            .soft(0.05, 1.0)
            .pattern(wing_color),
    );
    for tip in TIPS {
        let finger = tube(&[
            (WRIST, 0.044),
            (WRIST.lerp(tip, 0.5) + vec3(0.0, 0.03, 0.0), 0.037),
            (tip, 0.028),
        ]);
        dragon.add_pair(
            Shape::new("finger", finger, &[arm, hand])
                .bend(0.05)
                .blend(0.02)
                .fade(inner, outer)
                .soft(0.05, 0.9)
                .color(hide()),
        );
    }
    let thumb = tube(&[(WRIST, 0.042), (WRIST + vec3(0.0, 0.10, 0.05), 0.020)]);
    dragon.add_pair(Shape::new("claw", thumb, &[hand]).blend(0.02).rigid().color(bone));

    dragon.add_eyes(vec3(0.095, 1.335, 0.635), 0.046, vec3(0.70, 0.12, 0.70), head, gold);
    for side in [1.0, -1.0] {
        dragon.beads.push(Bead::plain(
            vec3(side * 0.05, 1.262, 0.938),
            0.018,
            head,
            srgb(0x1d4a44),
        ));
    }
    add_clips(&mut dragon);
    dragon
}

/// The skin between the fingers and back to the hip, scalloped between the tips.
fn wing_skin() -> Vec<Piece> {
    const STEPS: usize = 6;
    let corners = [TIPS[0], TIPS[1], TIPS[2], HIP];
    let mut rim = Vec::new();
    for pair in corners.windows(2) {
        for i in 0..STEPS {
            let t = i as f32 / STEPS as f32;
            let pull = 0.24 * 4.0 * t * (1.0 - t);
            rim.push(pair[0].lerp(pair[1], t).lerp(WRIST, pull));
        }
    }
    rim.push(HIP);
    rim.push(SHOULDER + vec3(-0.04, -0.06, 0.0));
    membrane(WRIST, &rim, SKIN)
}

/// A row of soft spikes from the neck to the tail.
fn add_spikes(dragon: &mut Design, bones: &[usize], color: Color) {
    let back = [
        (vec3(0.0, 1.24, 0.42), vec3(0.0, 0.3, -1.0)),
        (vec3(0.0, 1.07, 0.375), vec3(0.0, 0.4, -1.0)),
        (vec3(0.0, 0.95, 0.26), vec3(0.0, 0.8, -0.8)),
        (vec3(0.0, 0.88, 0.08), vec3(0.0, 1.0, -0.4)),
        (vec3(0.0, 0.84, -0.10), vec3(0.0, 1.0, -0.4)),
        (vec3(0.0, 0.79, -0.28), vec3(0.0, 1.0, -0.5)),
        (vec3(0.0, 0.68, -0.48), vec3(0.0, 1.0, -0.2)),
        (vec3(0.0, 0.56, -0.68), vec3(0.0, 1.0, -0.2)),
        (vec3(0.0, 0.45, -0.90), vec3(0.0, 1.0, -0.3)),
    ];
    for (foot, way) in back {
        let spike = tube(&[
            (foot - way.normalize() * 0.02, 0.075),
            (foot + way.normalize() * 0.115, 0.024),
        ]);
        dragon.add(
            Shape::new("spike", spike, bones)
                .flat(Vec3::X, 0.5)
                .bend(0.05)
                .blend(0.02)
                .soft(0.1, 0.5)
                .color(color),
        );
    }
}

fn hide() -> Color {
    srgb(0x2f9c85)
}

fn belly() -> Color {
    srgb(0xf6dfa4)
}

/// Green, darker in the seams.
fn scaly(point: Vec3, _: f32) -> Color {
    let seam = 1.0 - smoothstep(0.0, 0.35, mosaic(point * 9.0, 21));
    hide().lerp(srgb(0x1d6f66), 0.45 * seam)
}

/// The same with a pale belly that follows the body from the throat to the tail.
fn scales(point: Vec3, along: f32) -> Color {
    // Above the shoulders the front is the belly, below the shoulders the underside.
    let neck = smoothstep(0.66, 0.9, point.y) * smoothstep(0.0, 0.25, point.z);
    let spine_height = 0.62 + 0.36 * (point.z + 0.35).clamp(-0.75, 0.0);
    let under = spine_height - 0.07 - point.y;
    let axis_z = 0.22 + 0.42 * (point.y - 0.74).clamp(0.0, 0.4);
    let front = point.z - axis_z - 0.085;
    let depth = under + (front - under) * neck;
    let off_face = 1.0 - smoothstep(1.12, 1.2, point.y);
    scaly(point, along).lerp(belly(), smoothstep(0.0, 0.04, depth) * off_face)
}

fn wing_color(_: Vec3, along: f32) -> Color {
    srgb(0xe8694a).lerp(srgb(0xf2b84b), smoothstep(0.35, 1.0, along))
}

const FEET: [(&str, &str); 4] =
    [("Leg.BL", "Shin.BL"), ("Leg.FL", "Shin.FL"), ("Leg.BR", "Shin.BR"), ("Leg.FR", "Shin.FR")];

fn add_clips(dragon: &mut Design) {
    let bones = dragon.bones.clone();
    let fly = clip(&bones, "fly", 1.4, |phase, pose| {
        // Quick down, slow up; the hand follows the arm.
        let beat = |late: f64| wave(phase - late + 0.07 * wave(phase - late));
        pose.shift("Root", 0.0, 0.55 - 0.12 * beat(0.25), 0.0);
        pose.turn("Root", -4.0 + 4.0 * beat(0.4), 0.0, 0.0);
        pose.turn("Spine", -3.0 * beat(0.3), 0.0, 0.0);
        for (side, sign) in [("L", 1.0), ("R", -1.0)] {
            pose.turn(&format!("Wing.1.{side}"), 0.0, 0.0, sign * (-12.0 + 34.0 * beat(0.0)));
            pose.turn(&format!("Wing.2.{side}"), 0.0, 0.0, sign * (-4.0 + 26.0 * beat(0.14)));
            let dangle = 4.0 * beat(0.45);
            pose.turn(&format!("Leg.F{side}"), 24.0 + dangle, 0.0, 0.0);
            pose.turn(&format!("Shin.F{side}"), 30.0 + dangle, 0.0, 0.0);
            pose.turn(&format!("Leg.B{side}"), 38.0 + dangle, 0.0, 0.0);
            pose.turn(&format!("Shin.B{side}"), 26.0 + dangle, 0.0, 0.0);
        }
        pose.turn("Neck.1", 8.0 + 5.0 * beat(0.35), 0.0, 0.0);
        pose.turn("Neck.2", -2.0 - 4.0 * beat(0.45), 0.0, 0.0);
        pose.turn("Head", -3.0 * beat(0.5), 0.0, 0.0);
        pose.turn("Tail.1", -12.0 - 7.0 * beat(0.5), 0.0, 0.0);
        pose.turn("Tail.2", 4.0 - 10.0 * beat(0.65), 0.0, 0.0);
    });
    let whip = clip(&bones, "tail whip", 2.4, |phase, pose| {
        // Winds up to the left, cracks to the right, stops dead, settles.
        let wind = hold(phase, 0.05, 0.28, 0.32, 0.44);
        let crack = hold(phase, 0.32, 0.44, 0.60, 0.90);
        pose.turn("Root", 0.0, -6.0 * wind + 6.0 * crack, 0.0);
        pose.turn("Spine", 0.0, 10.0 * wind - 12.0 * crack, 0.0);
        pose.turn("Tail.1", 0.0, 38.0 * wind - 46.0 * crack, 0.0);
        let late = hold(phase, 0.10, 0.33, 0.36, 0.48);
        let late_crack = hold(phase, 0.36, 0.48, 0.62, 0.92);
        pose.turn("Tail.2", 6.0 * late, 40.0 * late - 52.0 * late_crack, 0.0);
        pose.turn("Neck.1", 0.0, 12.0 * wind - 14.0 * crack, 0.0);
        pose.turn("Head", 0.0, 14.0 * wind - 14.0 * crack, 0.0);
        for (side, sign) in [("L", 1.0), ("R", -1.0)] {
            pose.turn(&format!("Wing.1.{side}"), 0.0, 0.0, sign * (4.0 * wind - 10.0 * crack));
            pose.turn(&format!("Wing.2.{side}"), 0.0, 0.0, sign * 8.0 * (wind - crack));
        }
        for (leg, shin) in FEET {
            pose.plant(leg, shin, DVec3::ZERO);
        }
    });
    let roar = clip(&bones, "roar", 3.0, |phase, pose| {
        // Coils back, thrusts the head forward, trembles, and relaxes.
        let coil = hold(phase, 0.04, 0.22, 0.28, 0.38);
        let thrust = hold(phase, 0.28, 0.38, 0.66, 0.92);
        let tremble = hold(phase, 0.36, 0.42, 0.56, 0.66) * wave(phase * 24.0);
        pose.shift("Root", 0.0, -0.04 * coil, -0.05 * coil + 0.05 * thrust);
        pose.turn("Root", -3.0 * coil + 2.0 * thrust, 0.0, 0.0);
        pose.turn("Neck.1", -16.0 * coil + 20.0 * thrust, 1.0 * tremble, 0.0);
        pose.turn("Neck.2", -10.0 * coil + 14.0 * thrust, 1.5 * tremble, 0.0);
        pose.turn("Head", 22.0 * coil - 30.0 * thrust, 2.5 * tremble, 1.5 * tremble);
        for (side, sign) in [("L", 1.0), ("R", -1.0)] {
            pose.turn(&format!("Wing.1.{side}"), 0.0, 0.0, sign * (-20.0 * coil + 16.0 * thrust));
            pose.turn(&format!("Wing.2.{side}"), 0.0, 0.0, sign * (-24.0 * coil + 12.0 * thrust));
        }
        pose.turn("Tail.1", 8.0 * coil - 8.0 * thrust, 3.0 * tremble, 0.0);
        pose.turn("Tail.2", 12.0 * coil - 14.0 * thrust, 6.0 * tremble, 0.0);
        for (leg, shin) in FEET {
            pose.plant(leg, shin, DVec3::ZERO);
        }
    });
    dragon.clips = vec![fly, whip, roar];
}
