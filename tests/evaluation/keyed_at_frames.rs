//! A clip with a key at every frame that is baked: which side of a key the velocity takes is never left to
//! rounding.

use crate::support::scene::Scene;
use glam::{DQuat, DVec3, Vec3};
use jounce::eval::{Bound, Evaluator, Moment, Parameters, PlayedMotion, Setup, Vm};
use jounce::graph::{CharacterSettings, built_in_style};
use jounce::motion::{Ending, Frames, Playback, Player};
use jounce::rig::{Character, Clip, Interpolation, Keys, Property, Track, own};

/// A head that nods and shakes smoothly for two seconds, with a key at every frame; times are rounded to
/// single precision, as files have them.
fn keyed(character: &Character, fps: f64, interpolation: Interpolation) -> Clip {
    let bone = character.skeleton.bone_named("Head").unwrap();
    let node = character.skeleton.bones[bone].node;
    let rest = character.skeleton.nodes[node].rest.rotation;
    let frames = (2.0 * fps) as usize;
    let turn = |t: f64| {
        let (nod, shake) = ((t * std::f64::consts::PI).sin(), (t * std::f64::consts::PI).cos());
        DQuat::from_scaled_axis(DVec3::new(0.5 * nod, 0.4 * shake, 0.0)) * rest
    };
    let (mut times_secs, mut values) = (Vec::new(), Vec::new());
    for frame in 0..=frames {
        let t = frame as f64 / fps;
        times_secs.push(t as f32);
        let value = turn(t).to_array();
        let tangent = |before: f64, after: f64| {
            let (a, b) = (turn(t - before).to_array(), turn(t + after).to_array());
            [0, 1, 2, 3].map(|i| (b[i] - a[i]) / (before + after))
        };
        // What comes in is not what goes out, as with keys joined by lines.
        match interpolation {
            Interpolation::CubicSpline => {
                let (into, out) = (tangent(1.0 / fps, 0.0), tangent(0.0, 1.0 / fps));
                values.extend([into, value, out].concat().iter().map(|&x| x as f32));
            }
            _ => values.extend(value.map(|x| x as f32)),
        }
    }
    let keys = Keys { interpolation, width: 4, times_secs, values };
    let track = Track { node, property: Property::Rotation, keys };
    Clip { name: "keyed".to_owned(), tracks: vec![track] }
}

struct Played {
    scene: Scene,
    playback: Playback,
}

impl Played {
    fn new(clip: Clip, ending: Ending, reversed: bool) -> Played {
        let document = built_in_style("velocity-skinning").unwrap();
        let character = own::built_in("cow").unwrap();
        let mut scene = Scene::new(&document, character, &CharacterSettings::default());
        let playback = match ending {
            Ending::Loop => Playback::looped(clip.duration_secs()),
            Ending::Clamp => Playback::once(clip.duration_secs()),
        };
        scene.clip = clip;
        Played { scene, playback: Playback { reversed, ..playback } }
    }

    fn player(&self) -> Player<'_> {
        let Scene { character, clip, .. } = &self.scene;
        Player { character, clip, playback: self.playback }
    }

    fn positions(&self, time_secs: f64) -> Vec<Vec3> {
        let Scene { character, program, bound, parameters, .. } = &self.scene;
        deformed(&self.player(), character, program, bound, parameters, time_secs)
    }

    /// How much the positions of three frames in a row bend at the middle one, at most, in sizes.
    fn largest_bend(&self, times_secs: &[f64]) -> f64 {
        let frames: Vec<Vec<Vec3>> = times_secs.iter().map(|&t| self.positions(t)).collect();
        let bend = |three: &[Vec<Vec3>]| {
            let of_vertex = |v: usize| (three[0][v] - 2.0 * three[1][v] + three[2][v]).length();
            (0..three[0].len()).map(of_vertex).fold(0.0, f32::max)
        };
        let most = frames.windows(3).map(bend).fold(0.0, f32::max);
        f64::from(most) / self.scene.character.size()
    }
}

fn deformed(
    player: &Player,
    character: &Character,
    program: &jounce::ir::Program,
    bound: &Bound,
    parameters: &Parameters,
    time_secs: f64,
) -> Vec<Vec3> {
    let motion = PlayedMotion { player: *player, time_secs };
    let moment = Moment::new(
        Setup::new(program, character, bound),
        parameters,
        &player.pose(time_secs),
        &motion,
        time_secs,
    );
    Vm::default().deform(program, bound, &moment).unwrap().positions
}

/// Once, in a loop, and backwards: the same frames, a little late and a little early.
#[test]
fn a_clip_keyed_at_its_frames_moves_smoothly() {
    let character = own::built_in("cow").unwrap();
    for fps in [24.0, 30.0, 60.0] {
        for interpolation in [Interpolation::Linear, Interpolation::CubicSpline] {
            for (ending, reversed) in [
                (Ending::Clamp, false),
                (Ending::Loop, false),
                (Ending::Clamp, true),
                (Ending::Loop, true),
            ] {
                let clip = keyed(&character, fps, interpolation);
                let duration_secs = clip.duration_secs();
                let played = Played::new(clip, ending, reversed);
                let is_loop = ending == Ending::Loop;
                let frames = Frames::of_motion(duration_secs, fps, is_loop, None).unwrap();
                let exact = played.largest_bend(&frames.pose_secs);
                // A motion that takes two seconds bends by about (π / fps)² of its way per frame.
                let smooth = (std::f64::consts::PI / fps).powi(2);
                let what = format!("{fps} fps {interpolation:?} {ending:?} reversed {reversed}");
                println!("{what}: {exact:.5} of the size, smooth is {smooth:.5}");
                assert!(exact < 1.5 * smooth, "{what}: {exact}, smooth is {smooth}");
                // A clock that is off by a few roundings shows the same.
                let off: Vec<f64> =
                    frames.pose_secs.iter().map(|t| t + 3e-7 * (t * 1e3).sin()).collect();
                let off = played.largest_bend(&off);
                assert!(off < 1.5 * smooth, "{what}, off by a little: {off}, smooth is {smooth}");
            }
        }
    }
}

/// Backwards is the clip written backwards.
#[test]
fn a_clip_played_backwards_is_the_clip_written_backwards() {
    let character = own::built_in("cow").unwrap();
    let clip = keyed(&character, 30.0, Interpolation::Linear);
    let mut mirrored = clip.clone();
    let keys = &mut mirrored.tracks[0].keys;
    let last = *keys.times_secs.last().unwrap();
    keys.times_secs = keys.times_secs.iter().rev().map(|t| last - t).collect();
    keys.values = keys.values.chunks(4).rev().flatten().copied().collect();
    for ending in [Ending::Clamp, Ending::Loop] {
        let backwards = Played::new(clip.clone(), ending, true);
        let mirrored = Played::new(mirrored.clone(), ending, false);
        for frame in 0..=60 {
            let time_secs = f64::from(frame) / 30.0;
            let (a, b) = (backwards.player(), mirrored.player());
            let pairs = a.velocities(time_secs, 0.0).into_iter().zip(b.velocities(time_secs, 0.0));
            for (a, b) in pairs {
                assert!((a.angular - b.angular).length() < 1e-3, "{ending:?} frame {frame}");
            }
        }
    }
}

/// Played once, what moves at the end still moves there; in a loop the seam is the first moment again.
#[test]
fn the_last_key_takes_what_was_and_in_a_loop_what_begins() {
    let character = own::built_in("cow").unwrap();
    let bone = character.skeleton.bone_named("Head").unwrap();
    let clip = keyed(&character, 24.0, Interpolation::Linear);
    let end_secs = clip.duration_secs();
    let speed = |played: &Played, t: f64| played.player().velocities(t, 0.0)[bone].angular;
    let once = Played::new(clip.clone(), Ending::Clamp, false);
    let looped = Played::new(clip.clone(), Ending::Loop, false);
    for off_secs in [0.0, 1e-9, -1e-9, 5e-6, -5e-6] {
        let before = speed(&once, end_secs - 0.01);
        assert_eq!(speed(&once, end_secs + off_secs).length(), before.length());
        let first = looped.player().velocities(0.01, 0.0)[bone].angular.length();
        let at_seam = speed(&looped, end_secs + off_secs).length();
        assert!((at_seam - first).abs() < 1e-9, "{at_seam} {first}");
    }
    assert_eq!(speed(&once, end_secs + 1e-3), DVec3::ZERO, "it stands still after the end");
    // A track that ends before the others stands still from its last key on.
    let mut shorter = clip.clone();
    let mut longer = clip.tracks[0].clone();
    longer.node = character.skeleton.bones[0].node;
    longer.keys.times_secs.iter_mut().for_each(|t| *t *= 2.0);
    shorter.tracks.push(longer);
    let played = Played::new(shorter, Ending::Clamp, false);
    assert_eq!(speed(&played, end_secs), DVec3::ZERO);
}
