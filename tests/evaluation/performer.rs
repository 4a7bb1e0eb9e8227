//! What a performer is besides a program that plays a clip.

use jounce::compile::compile;
use jounce::eval::Performer;
use jounce::graph::{CharacterSettings, built_in_style};
use jounce::ir::Program;
use jounce::motion::{BoneMotion, Playback};
use jounce::rig::{Base, Character, own};
use jounce::script::Library;
use std::sync::Arc;

fn cow() -> Arc<Character> {
    Arc::new(own::built_in("cow").unwrap())
}

fn program(style: &str) -> Program {
    compile(&built_in_style(style).unwrap().style, &Library::built_in()).program
}

fn play(mut performer: Performer) -> Performer {
    let clip = Arc::new(performer.character().clips[0].clone());
    let playback = Playback::new(clip.duration_secs(), true);
    performer.play(clip, playback).unwrap();
    performer
}

#[test]
fn without_a_program_it_is_skinning_to_the_last_bit() {
    let character = cow();
    let mut performer = play(Performer::plain(character.clone()).unwrap());
    for base in [Base::Lbs, Base::Dqs] {
        performer.set_base(Some(base)).unwrap();
        for time_secs in [0.0, 0.3, 0.71] {
            let expected = character.skin(&performer.pose(time_secs), base);
            assert_eq!(performer.at(time_secs).unwrap(), expected);
            let mut positions = Vec::new();
            performer.positions_into(time_secs, &mut positions).unwrap();
            assert_eq!(positions, expected.positions);
        }
    }
}

#[test]
fn given_velocities_replace_those_of_the_motion_and_leave_its_poses() {
    let mut performer =
        play(Performer::new(program("oscillation"), cow(), &CharacterSettings::default()).unwrap());
    let moved = performer.deformed_at(0.3).unwrap();
    let bones = performer.character().skeleton.bones.len();
    let spin = BoneMotion { angular: glam::DVec3::Y * 4.0, ..BoneMotion::ZERO };
    let velocities = vec![spin; bones];
    performer.set_velocities(Some(velocities.clone()));
    assert_eq!(performer.velocities(0.3, 0.1), velocities);
    assert_eq!(performer.accelerations(0.3, 0.1), vec![BoneMotion::ZERO; bones]);
    let poses = [(performer.pose(0.3), 0.3)];
    let frozen = performer
        .with_frozen(&poses, &velocities, |moments| performer.deform(&moments[0]))
        .unwrap();
    let given = performer.deformed_at(0.3).unwrap();
    assert_eq!(given, frozen);
    assert_eq!(given.skinned, moved.skinned, "poses stay");
    assert_ne!(given.positions, moved.positions);
    let all = performer.with_moments(&[0.1, 0.3], |moments| performer.deform(&moments[1]));
    assert_eq!(all.unwrap(), frozen);
    performer.set_velocities(None);
    assert_eq!(performer.deformed_at(0.3).unwrap(), moved);
}

#[test]
fn another_program_plays_on_the_same_character_in_the_same_motion() {
    let settings = CharacterSettings { size: Some(0.7), ..CharacterSettings::default() };
    let made = |style: &str| play(Performer::new(program(style), cow(), &settings).unwrap());
    let (floppy, expected) = (made("floppy"), made("oscillation"));
    let changed = floppy.with_program(program("oscillation")).unwrap();
    assert_eq!(changed.at(0.4).unwrap(), expected.at(0.4).unwrap());
    assert_eq!(floppy.another().unwrap().at(0.4).unwrap(), floppy.at(0.4).unwrap());
}
