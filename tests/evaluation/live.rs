//! Characters that are moved from outside: what a teleport, a restart or a clock may do to them.

use glam::{DAffine3, DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::vm::Wanted;
use jounce::eval::{Moment, Performer, Puppet};
use jounce::graph::built_in_style;
use jounce::motion::Playback;
use jounce::motion::live::{Jump, LiveMotion};
use jounce::rig::{Character, Pose, own};
use jounce::script::Library;
use std::sync::Arc;

const FPS: f64 = 60.0;
/// What remembers, and what only looks at velocities.
const STYLES: [&str; 6] =
    ["oscillation", "ears-and-tail", "cartoon", "flesh-belly", "flesh-body", "velocity-skinning"];

struct Scene {
    performer: Performer,
}

impl Scene {
    fn new(style: &str) -> Scene {
        let character = own::built_in("cow").unwrap();
        let document = built_in_style(style).unwrap();
        let compiled = compile(&document.style, &Library::built_in());
        assert!(compiled.problems.is_empty(), "{style}: {:?}", compiled.problems);
        let settings = document.characters.get("cow").cloned().unwrap_or_default();
        let hop = character.clips.iter().find(|clip| clip.name == "hop").unwrap().clone();
        let mut performer =
            Performer::new(compiled.program, Arc::new(character), &settings).unwrap();
        let playback = Playback::looped(hop.duration_secs());
        performer.play(Arc::new(hop), playback).unwrap();
        Scene { performer }
    }

    fn puppet(&self, jump: Jump) -> Puppet {
        self.performer.puppet(0.0, jump).unwrap()
    }

    fn pose(&self, time_secs: f64, place: DVec3) -> Pose {
        let mut pose = self.performer.pose(time_secs);
        for node in &mut pose.scene_from_node {
            *node = DAffine3::from_translation(place) * *node;
        }
        pose
    }

    /// How far each vertex is from where plain skinning has it, in sizes of the character.
    fn displacements(&self, puppet: &mut Puppet, pose: &Pose, time_secs: f64) -> Vec<Vec3> {
        let deformed = puppet.at(&self.performer, pose, time_secs).unwrap();
        let size = self.character().size() as f32;
        let both = deformed.positions.iter().zip(&deformed.skinned.positions);
        both.map(|(a, b)| (*a - *b) / size).collect()
    }

    fn character(&self) -> &Character {
        self.performer.character()
    }
}

fn farthest(displacements: &[Vec3]) -> f32 {
    displacements.iter().map(|d| d.length()).fold(0.0, f32::max)
}

fn largest_change(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max)
}

/// The walk goes on a hundred sizes away, which is seen, and a tenth of a size away, which is told.
#[test]
fn no_vertex_moves_further_at_a_jump_than_its_policy_allows() {
    for style in STYLES {
        let scene = Scene::new(style);
        let (far, near) = (DVec3::new(100.0, 3.0, -40.0), DVec3::new(0.05, 0.02, -0.1));
        let policies = [Jump::Reset, Jump::Hold, Jump::Wrap].into_iter();
        for (jump, way) in policies.flat_map(|jump| [(jump, far), (jump, near)]) {
            let elsewhere = way * scene.character().size();
            let (mut moved, mut stayed) = (scene.puppet(jump), scene.puppet(jump));
            let (mut last, mut most, mut usual_change) = (Vec::new(), 0.0f32, 0.0f32);
            for frame in 0..60 {
                let time_secs = f64::from(frame) / FPS;
                let pose = scene.pose(time_secs, DVec3::ZERO);
                scene.displacements(&mut moved, &pose, time_secs);
                let now = scene.displacements(&mut stayed, &pose, time_secs);
                if frame > 0 {
                    usual_change = usual_change.max(largest_change(&now, &last));
                }
                most = most.max(farthest(&now));
                last = now;
            }
            assert!(most > 0.003, "{style}: it moves, {most}");
            if way == near {
                moved.teleport();
            }
            for frame in 60..90 {
                let time_secs = f64::from(frame) / FPS;
                let there = scene.pose(time_secs, elsewhere);
                let after = scene.displacements(&mut moved, &there, time_secs);
                let here = scene.pose(time_secs, DVec3::ZERO);
                let before = scene.displacements(&mut stayed, &here, time_secs);
                most = most.max(farthest(&before));
                let far = farthest(&after);
                match (jump, frame) {
                    // As if it had always stood there.
                    (Jump::Reset, 60) => {
                        let fresh = scene.displacements(&mut scene.puppet(jump), &there, time_secs);
                        let off = largest_change(&after, &fresh);
                        assert!(off < 1e-6, "{style}: {off} off after a reset");
                    }
                    // It goes on from what it was.
                    (_, 60) => {
                        let change = largest_change(&after, &last);
                        let allowed = 2.0 * usual_change + 1e-4;
                        assert!(change <= allowed, "{style} {jump:?}: {change} of {allowed}");
                    }
                    _ => {}
                }
                assert!(
                    far <= 1.5 * most + 1e-4,
                    "{style} {jump:?} frame {frame}: {far} of {most}"
                );
            }
        }
    }
}

/// The same moment again, time that runs back or leaps, and a pose that is none.
#[test]
fn whatever_the_clock_does_it_comes_back_to_life() {
    for style in STYLES {
        let scene = Scene::new(style);
        for jump in [Jump::Reset, Jump::Hold, Jump::Wrap] {
            let mut puppet = scene.puppet(jump);
            for time_secs in [0.0, 0.02, 0.02, 0.04, -5.0, -4.98, 1e6, 1e6 + 0.02, 0.3, 0.32] {
                let pose = scene.pose(time_secs, DVec3::ZERO);
                let far = farthest(&scene.displacements(&mut puppet, &pose, time_secs));
                assert!(far.is_finite() && far < 1.0, "{style} {jump:?} at {time_secs}: {far}");
            }
            for time_secs in [f64::NAN, f64::INFINITY, -1e300] {
                let pose = scene.pose(0.3, DVec3::ZERO);
                let shown = puppet.at(&scene.performer, &pose, time_secs);
                assert!(shown.is_err(), "{style}: time {time_secs} is refused");
            }
            // And now an ordinary second: it moves as one that was never disturbed.
            let mut fresh = scene.puppet(jump);
            for frame in 0..120 {
                let time_secs = 2.0 + f64::from(frame) / FPS;
                let pose = scene.pose(time_secs, DVec3::ZERO);
                let disturbed = scene.displacements(&mut puppet, &pose, time_secs);
                let usual = scene.displacements(&mut fresh, &pose, time_secs);
                if frame > 115 {
                    let off = largest_change(&disturbed, &usual);
                    assert!(off < 0.01, "{style} {jump:?}: {off} off after two seconds");
                }
            }
        }
    }
}

/// Each with a clock of its own; every fifth is teleported now and then.
#[test]
fn a_herd_steps_as_each_would_alone() {
    for style in STYLES {
        let scene = Scene::new(style);
        let first = scene.puppet(Jump::Reset);
        let mut herd: Vec<Puppet> = (0..37).map(|_| first.another()).collect();
        let mut alone: Vec<Puppet> = (0..herd.len()).map(|_| scene.puppet(Jump::Reset)).collect();
        for frame in 0..12 {
            let time_secs =
                |cow: usize| frame as f64 / (24.0 + 5.0 * cow as f64) + 0.1 * cow as f64;
            let away = |cow: usize| if cow.is_multiple_of(5) && frame > 6 { 50.0 } else { 0.0 };
            let poses: Vec<Pose> = (0..herd.len())
                .map(|cow| scene.pose(time_secs(cow), DVec3::X * away(cow)))
                .collect();
            let next: Vec<(&Pose, f64)> =
                poses.iter().enumerate().map(|(cow, pose)| (pose, time_secs(cow))).collect();
            let snapshot = |moments: &[Moment]| {
                Ok(moments.iter().map(|moment| moment.snapshot.clone()).collect::<Vec<_>>())
            };
            let performer = &scene.performer;
            let together = Puppet::with_moments(&mut herd, performer, &next, snapshot).unwrap();
            assert_eq!(together.len(), herd.len());
            for ((together, puppet), (pose, time_secs)) in together.iter().zip(&mut alone).zip(next)
            {
                let snapshot = |moment: &Moment| Ok(moment.snapshot.clone());
                let alone = puppet.with_moment(performer, pose, time_secs, snapshot).unwrap();
                assert_eq!(*together, alone, "{style}, {time_secs} s");
            }
        }
        let too_few = Puppet::with_moments(&mut herd, &scene.performer, &[], |_| Ok(()));
        let too_few = too_few.unwrap_err();
        assert!(too_few.to_string().contains("poses"), "{too_few}");
    }
}

/// Poses of a clip, one by one: what is measured is what the clip says of itself.
#[test]
fn a_puppet_is_accelerated_as_its_clip_is() {
    let scene = Scene::new("velocity-skinning");
    let player = scene.performer.player();
    let (window_secs, rate) = (0.1, 240.0);
    let mut live = LiveMotion::new(window_secs, Jump::Reset);
    let (mut most, mut farthest) = (0.0f64, 0.0f64);
    for frame in 0..240 {
        let time_secs = f64::from(frame) / rate;
        let pose = player.pose(time_secs);
        live.push(scene.character(), &pose, time_secs);
        let found = live.accelerations(scene.character(), &pose);
        let expected = player.accelerations(time_secs, window_secs);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            if frame < 48 {
                assert_eq!(found.linear, DVec3::ZERO, "nothing is known of before");
                continue;
            }
            most = most.max(expected.angular.length());
            farthest = farthest.max((found.angular - expected.angular).length());
            farthest = farthest.max((found.linear - expected.linear).length());
        }
    }
    println!("accelerations of up to {most:.1} rad/s², off by {farthest:.2e}");
    assert!(most > 5.0 && farthest < 0.02 * most, "{farthest} of {most}");
}

/// Whoever is a round ahead shows the same, also where nodes know what time it is.
#[test]
fn a_crowd_is_of_one_round() {
    for style in ["breathing", "cartoon"] {
        let scene = Scene::new(style);
        let round_secs = scene.performer.playback().duration_secs;
        let offsets_secs = [0.0, 0.4 * round_secs, round_secs, 3.0 * round_secs];
        let mut out = Vec::new();
        scene.performer.crowd_into(0.3, &offsets_secs, Wanted::default(), &mut out).unwrap();
        let off = |a: usize, b: usize| largest_change(&out[a].positions, &out[b].positions);
        assert!(off(0, 1) > 0.01, "{style}: others are elsewhere");
        assert!(off(0, 2) < 1e-5 && off(0, 3) < 1e-5, "{style}: {} {}", off(0, 2), off(0, 3));
    }
}
