//! The loader on arbitrary bytes.
//!
//!     cargo install cargo-fuzz
//!     cargo fuzz run --fuzz-dir tests/fuzz load CORPUS_FOLDER
//!
//! (cargo-fuzz wants a nightly compiler; with a stable one set RUSTC_BOOTSTRAP=1.)

#![no_main]

use jounce::motion::{Playback, Player, TestMotion};
use jounce::rig::{Base, load};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(character) = load::load_bytes("fuzz", bytes.to_vec(), None) else {
        return;
    };
    let clip = match character.clips.first() {
        Some(clip) => clip.clone(),
        None => TestMotion::default_for(&character).clip(&character).unwrap(),
    };
    let playback = Playback::looped(clip.duration_secs());
    let player = Player { character: &character, clip: &clip, playback };
    character.skin(&player.pose(0.3), Base::Dqs);
    player.accelerations(0.3, 0.1);
});
