//! A style on a character, frame by frame, as a program of your own would use it.
//!
//! `cargo run --release --no-default-features --example deform -- examples/cow.glb`

use jounce::eval::Performer;
use jounce::motion::Playback;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/cow.glb".to_owned());
    let character = Arc::new(jounce::rig::load::load_file(path.as_ref())?);
    let style = jounce::graph::built_in_style("default").ok_or("there is no such style")?.style;
    let program = jounce::compile::compile(&style, &jounce::script::Library::built_in()).program;
    let clip = Arc::new(character.clips.first().ok_or("the character has no clip")?.clone());
    let playback = Playback::looped(clip.duration_secs());

    let mut performer = Performer::new(program, character, &Default::default())?;
    performer.play(clip, playback)?;
    let mut positions = Vec::new();
    for frame in 0..24 {
        performer.positions_into(f64::from(frame) / 24.0, &mut positions)?;
        println!("frame {frame}: {} vertices, the first at {}", positions.len(), positions[0]);
    }
    Ok(())
}
