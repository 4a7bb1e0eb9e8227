//! Prints the fastest bones of a character's clips: the library in twenty lines.
//!
//!     cargo run --example fastest_bones -- character.glb

use jounce::motion::{Playback, Player};
use jounce::rig::load::load_file;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("examples/cow.glb".to_owned());
    let character = load_file(Path::new(&path))?;
    for clip in &character.clips {
        let playback = Playback::looped(clip.duration_secs());
        let player = Player { character: &character, clip, playback };
        let mut fastest = vec![0.0_f64; character.skeleton.bones.len()];
        for frame in 0..(clip.duration_secs() * 60.0) as usize {
            let smoothing_secs = 0.05;
            let motions = player.velocities(frame as f64 / 60.0, smoothing_secs);
            for (fastest, motion) in fastest.iter_mut().zip(motions) {
                *fastest = fastest.max(motion.angular.length());
            }
        }
        let bone =
            (0..fastest.len()).max_by(|&a, &b| fastest[a].total_cmp(&fastest[b])).unwrap_or(0);
        let name = character.skeleton.bone_name(bone);
        println!("{:<16} {name} turns at up to {:.1} rad/s", clip.name, fastest[bone]);
    }
    Ok(())
}
