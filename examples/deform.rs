//! A style on a character, frame by frame, as a program of your own would use it. Writes where every vertex is
//! in each of 24 frames: x, y and z of one after the other, as little-endian 32-bit floats.
//!
//! `cargo run --release --no-default-features --example deform -- examples/cow.glb positions.f32`

use jounce::eval::Performer;
use jounce::motion::Playback;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/cow.glb".to_owned());
    let file = std::env::args().nth(2).unwrap_or_else(|| "positions.f32".to_owned());
    let character = Arc::new(jounce::rig::load::load_file(path.as_ref())?);
    let style = jounce::graph::built_in_style("default").ok_or("there is no such style")?.style;
    let program = jounce::compile::compile(&style, &jounce::script::Library::built_in()).program;
    let clip = Arc::new(character.clips.first().ok_or("the character has no clip")?.clone());
    let playback = Playback::looped(clip.duration_secs());

    let mut performer = Performer::new(program, character, &Default::default())?;
    performer.play(clip, playback)?;
    let (mut out, mut positions) = (BufWriter::new(File::create(file)?), Vec::new());
    for frame in 0..24 {
        performer.positions_into(f64::from(frame) / 24.0, &mut positions)?;
        for number in positions.iter().flat_map(|position| position.to_array()) {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(out.flush()?)
}
