//! A saved program on a character, as a game plays it: `jounce-eval` is the only crate it needs, and the node
//! language is not in it.
//!
//! `jounce export default --target program -o saved`
//! `cargo run --release --no-default-features --example play_saved -- saved/default.program.json examples/cow.glb`

use jounce_eval::ir::Program;
use jounce_eval::rig::{load::load_file, motion::Playback};
use jounce_eval::{CharacterSettings, Performer};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args().skip(1);
    let (Some(program), Some(character)) = (paths.next(), paths.next()) else {
        return Err("give a saved program, and a character".into());
    };
    let program = Program::from_saved_text(&std::fs::read_to_string(program)?)?;
    let character = Arc::new(load_file(character.as_ref())?);
    let clip = Arc::new(character.clips.first().ok_or("the character has no clip")?.clone());
    let playback = Playback::looped(clip.duration_secs());

    let mut performer = Performer::new(program, character, &CharacterSettings::default())?;
    performer.play(clip, playback)?;
    let mut positions = Vec::new();
    for frame in 0..24 {
        performer.positions_into(f64::from(frame) / 24.0, &mut positions)?;
        let highest = positions.iter().map(|position| position.y).fold(f32::MIN, f32::max);
        println!("frame {frame}: the highest vertex is at {highest}");
    }
    Ok(())
}
