//! The scripts of `nodes/` and `scripts/`, embedded. A test makes sure that none is forgotten.

macro_rules! scripts {
    ($folder:literal: $($name:literal)*) => {
        &[$((
            concat!($folder, "/", $name, ".rhai"),
            include_str!(concat!("../", $folder, "/", $name, ".rhai")),
        )),*]
    };
}

/// Effects, written as a user would.
pub const EFFECTS: &[(&str, &str)] = scripts! {
    "scripts":
    "body_breath"
    "body_ripple"
    "breathing"
    "centrifugal_bulge"
    "ear_flop"
    "impact_ripple"
    "jelly_wobble"
    "speed_smear"
    "tail_whip"
    "wind_lean"
};

pub const NODES: &[(&str, &str)] = scripts! {
    "nodes":
    "abs"
    "acceleration"
    "add"
    "anchor"
    "body_squash"
    "bone_value"
    "character"
    "clamp"
    "compare"
    "constant"
    "cross"
    "dead_zone"
    "delay"
    "divide"
    "dot"
    "expression"
    "firm_parts"
    "flap"
    "flesh"
    "floppy"
    "follow_through"
    "join"
    "layer"
    "length"
    "limit_angle"
    "limit_length"
    "map"
    "max"
    "min"
    "mix"
    "multiply"
    "noise"
    "normalize"
    "output"
    "parameter"
    "pin"
    "power"
    "ramp"
    "relax"
    "remap"
    "rigid_pieces"
    "role_value"
    "select"
    "skeleton"
    "smooth"
    "split"
    "spring"
    "squash"
    "subtract"
    "time"
    "time_filter"
    "travel_to_turns"
    "twist"
    "velocity_extract"
    "wave"
    "weight_propagation"
};

#[cfg(test)]
mod tests {
    use super::{EFFECTS, NODES};

    #[test]
    fn every_script_in_the_folders_is_embedded() {
        for (folder, embedded) in [("nodes", NODES), ("scripts", EFFECTS)] {
            let path = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
            let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
            let mut files: Vec<String> = entries
                .filter(|path| path.extension().is_some_and(|ext| ext == "rhai"))
                .map(|path| format!("{folder}/{}", path.file_name().unwrap().to_string_lossy()))
                .collect();
            files.sort();
            let mut embedded: Vec<&str> = embedded.iter().map(|(file, _)| *file).collect();
            embedded.sort();
            assert_eq!(files, embedded);
        }
    }
}
