//! Parameters that are keyed over clips, in the manifest.

use jounce_base::keyed_value::MotionKeys;
use jounce_eval::{KeyWarning, Parameters};
use jounce_ir::Program;

/// The keys of parameters that the host sets, under the names that the manifest has for them and within their
/// limits.
pub fn keys(program: &Program, keys: &MotionKeys) -> MotionKeys {
    let mut known = MotionKeys::new();
    for (clip, keys) in keys {
        for (place, keyed) in Parameters::followed_keys(program, keys).0 {
            let Some(name) = program.tables.parameters[place].exposed.clone() else { continue };
            known.entry(clip.clone()).or_default().insert(name, keyed);
        }
    }
    known
}

/// Keys that the manifest leaves out, by clip, and why.
pub fn key_warnings(program: &Program, keys: &MotionKeys) -> Vec<(String, KeyWarning)> {
    let of_clip = |(clip, keys)| {
        let (_, warnings) = Parameters::followed_keys(program, keys);
        warnings.into_iter().map(|warning| (String::clone(clip), warning)).collect::<Vec<_>>()
    };
    keys.iter().flat_map(of_clip).collect()
}
