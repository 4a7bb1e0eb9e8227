//! The snail: a shell that never gives, a body that does, and eye stalks that run ahead of it.

use super::clips::{clip, hold, wave};
use super::design::Design;
use super::paint::{Color, noise, smoothstep, srgb};
use super::shape::{Piece, Shape, ellipsoid, sweep, tube};
use glam::{Vec3, vec3};

const SHELL_CENTER: Vec3 = vec3(0.0, 0.66, -0.16);
const TURNS: f32 = 3.0;
const SHRINK_PER_TURN: f32 = 2.0;
/// From the middle of the shell to the middle of its mouth, which points forward and down.
const REACH: f32 = 0.40;
const MOUTH_DEGREES: f32 = -58.0;

pub fn design() -> Design {
    let mut snail = Design::new("snail", 7700);
    let root = snail.bone("Root", None, vec3(0.0, 0.10, -0.20), vec3(0.0, 0.14, 0.22));
    let tail = snail.bone("Tail", Some(root), vec3(0.0, 0.10, -0.28), vec3(0.0, 0.05, -0.85));
    let shell = snail.bone("Shell", Some(root), vec3(0.0, 0.22, -0.05), vec3(0.0, 0.90, -0.12));
    let neck = snail.bone("Neck", Some(root), vec3(0.0, 0.16, 0.26), vec3(0.0, 0.42, 0.60));
    let head = snail.bone("Head", Some(neck), vec3(0.0, 0.42, 0.60), vec3(0.0, 0.55, 0.76));

    let foot = tube(&[
        (vec3(0.0, 0.045, -0.95), 0.035),
        (vec3(0.0, 0.10, -0.65), 0.095),
        (vec3(0.0, 0.14, -0.28), 0.15),
        (vec3(0.0, 0.16, 0.12), 0.17),
        (vec3(0.0, 0.21, 0.38), 0.165),
    ]);
    snail.add(Shape::new("foot", foot, &[tail, root]).bend(0.09).soft(0.75, 0.35).pattern(flesh));
    // The sole: flat and a little wider than the body above it.
    let sole = tube(&[
        (vec3(0.0, 0.045, -0.97), 0.06),
        (vec3(0.0, 0.045, -0.5), 0.17),
        (vec3(0.0, 0.045, 0.1), 0.22),
        (vec3(0.0, 0.05, 0.46), 0.15),
    ]);
    snail.add(
        Shape::new("sole", sole, &[tail, root])
            .flat(Vec3::Y, 0.24)
            .bend(0.09)
            .blend(0.07)
            .soft(0.75, 0.35)
            .color(srgb(0xe9b27e)),
    );
    let neck_axis = tube(&[
        (vec3(0.0, 0.20, 0.30), 0.165),
        (vec3(0.0, 0.32, 0.52), 0.150),
        (vec3(0.0, 0.48, 0.66), 0.140),
    ]);
    snail.add(
        Shape::new("neck", neck_axis, &[root, neck, head])
            .bend(0.06)
            .blend(0.12)
            .soft(0.35, 0.5)
            .pattern(flesh),
    );
    let face = tube(&[(vec3(0.0, 0.50, 0.67), 0.150), (vec3(0.0, 0.47, 0.77), 0.115)]);
    snail.add(Shape::new("head", face, &[head]).blend(0.08).soft(0.4, 0.4).pattern(flesh));
    let stalk = tube(&[
        (vec3(0.065, 0.60, 0.68), 0.048),
        (vec3(0.105, 0.76, 0.73), 0.036),
        (vec3(0.145, 0.93, 0.76), 0.036),
    ]);
    snail
        .add_pair(Shape::new("stalk", stalk, &[head]).blend(0.04).soft(-0.05, -1.0).pattern(flesh));
    let feeler = tube(&[(vec3(0.06, 0.43, 0.83), 0.034), (vec3(0.10, 0.37, 0.93), 0.030)]);
    snail.add_pair(Shape::new("feeler", feeler, &[head]).blend(0.03).soft(0.4, 0.9).pattern(flesh));

    let mut whorls = spiral(1.0);
    whorls.extend(spiral(-1.0));
    // The pillar the whorls wind around: it closes the middle.
    let pillar = ellipsoid(SHELL_CENTER, vec3(0.17, 0.24, 0.24));
    snail.add(Shape::new("shell", pillar, &[shell]).blend(0.015).rigid().color(srgb(0x7a3848)));
    snail.add(Shape::new("shell", whorls, &[shell]).blend(0.015).rigid().pattern(shell_color));

    snail.add_eyes(vec3(0.147, 0.955, 0.765), 0.066, vec3(0.35, 0.05, 0.93), head, srgb(0x7a4a2a));
    add_clips(&mut snail);
    snail
}

/// One half of the shell: a tube along a logarithmic spiral that climbs to its side as it narrows.
///
/// When a turn shrinks the spiral to 1/w, whorls of radius r (w − 1)/(w + 1) just touch.
fn spiral(side: f32) -> Vec<Piece> {
    const STEPS: usize = 96;
    let stations: Vec<(Vec3, f32)> = (0..=STEPS)
        .map(|i| {
            let turns = TURNS * i as f32 / STEPS as f32;
            let size = SHRINK_PER_TURN.powf(-turns);
            let angle = MOUTH_DEGREES.to_radians() + turns * std::f32::consts::TAU;
            let climb = side * 0.21 * (1.0 - size).powf(1.6);
            let offset = vec3(climb, angle.sin() * REACH * size, angle.cos() * REACH * size);
            (SHELL_CENTER + offset, 0.162 * size)
        })
        .collect();
    sweep(&stations)
}

fn flesh(point: Vec3, _: f32) -> Color {
    let speckle = smoothstep(0.60, 0.75, noise(point * 14.0, 3));
    let back = smoothstep(0.05, 0.45, point.y);
    srgb(0xf1c48f).lerp(srgb(0xd98f63), 0.55 * back + 0.35 * speckle)
}

/// A pale stripe and a dark seam that wind with the whorls, so the spiral reads from afar.
fn shell_color(point: Vec3, along: f32) -> Color {
    let arm = point - SHELL_CENTER;
    let angle = arm.y.atan2(arm.z) - MOUTH_DEGREES.to_radians();
    let angle = angle.rem_euclid(std::f32::consts::TAU);
    let reach = (arm.y * arm.y + arm.z * arm.z).sqrt().max(1e-4);
    // How many turns this place is off the middle line of its whorl: ±0.5 on the seams.
    let turns = (REACH / reach).ln() / SHRINK_PER_TURN.ln() - angle / std::f32::consts::TAU;
    let across = turns - turns.round();
    let base = srgb(0xe07a4f).lerp(srgb(0xa34a52), along.sqrt());
    let stripe = smoothstep(0.05, 0.12, across) * (1.0 - smoothstep(0.24, 0.31, across));
    // The outside of the outermost whorl touches nothing.
    let seam = smoothstep(0.36, 0.47, across.abs()) * smoothstep(-0.1, 0.1, turns);
    base.lerp(srgb(0xf7dcae), 0.85 * stripe).lerp(srgb(0x5e2a38), 0.8 * seam)
}

fn add_clips(snail: &mut Design) {
    let bones = snail.bones.clone();
    let crawl = clip(&bones, "crawl", 2.4, |phase, pose| {
        // Reach, stop, and pull the house along.
        let reach = hold(phase, 0.02, 0.30, 0.42, 0.80);
        let pull = hold(phase, 0.42, 0.58, 0.70, 0.98);
        pose.shift("Root", 0.0, 0.0, 0.10 * pull);
        pose.shift("Neck", 0.0, 0.0, 0.11 * reach - 0.04 * pull);
        pose.turn("Neck", 9.0 * reach - 5.0 * pull, 0.0, 2.5 * wave(phase));
        pose.turn("Head", -7.0 * reach + 5.0 * pull, 3.0 * wave(phase), 0.0);
        pose.turn("Shell", -8.0 * pull + 3.0 * reach, 0.0, 3.5 * wave(phase + 0.3));
        pose.turn("Tail", 0.0, 5.0 * wave(phase), 0.0);
        pose.shift("Tail", 0.0, 0.0, 0.05 * reach - 0.04 * pull);
    });
    let peek = clip(&bones, "peek", 3.2, |phase, pose| {
        // Ducks in, waits, shoots up, looks to either side.
        let duck = hold(phase, 0.04, 0.14, 0.30, 0.38);
        let stretch = hold(phase, 0.31, 0.40, 0.80, 0.94);
        let look = hold(phase, 0.46, 0.52, 0.58, 0.64) - hold(phase, 0.60, 0.66, 0.74, 0.80);
        pose.shift("Neck", 0.0, 0.0, -0.12 * duck + 0.02 * stretch);
        pose.turn("Neck", 24.0 * duck - 16.0 * stretch, 8.0 * look, 0.0);
        pose.turn("Head", 16.0 * duck + 12.0 * stretch, 26.0 * look, -8.0 * look);
        pose.turn("Shell", 9.0 * duck - 4.0 * stretch, 0.0, 0.0);
        pose.turn("Tail", 0.0, 6.0 * look, 0.0);
    });
    let turn = clip(&bones, "turn", 3.6, |phase, pose| {
        let left = hold(phase, 0.02, 0.14, 0.38, 0.50);
        let right = hold(phase, 0.50, 0.62, 0.86, 0.98);
        let yaw = left - right;
        let late = hold(phase, 0.08, 0.24, 0.42, 0.56) - hold(phase, 0.56, 0.72, 0.88, 1.0);
        pose.turn("Root", 0.0, 16.0 * late, 0.0);
        pose.turn("Neck", 0.0, 24.0 * yaw, -5.0 * yaw);
        pose.turn("Head", -4.0 * (left + right), 16.0 * yaw, 0.0);
        pose.turn("Shell", 0.0, 0.0, -9.0 * late);
        pose.turn("Tail", 0.0, -18.0 * late, 0.0);
    });
    snail.clips = vec![crawl, peek, turn];
}
