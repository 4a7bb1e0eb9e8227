//! The scripts of `nodes/`, embedded. A test sees to it that none is forgotten.

macro_rules! scripts {
    ($($name:literal)*) => {
        &[$((concat!("nodes/", $name, ".rhai"), include_str!(concat!("../../nodes/", $name, ".rhai")))),*]
    };
}

pub const SCRIPTS: &[(&str, &str)] = scripts! {
    "abs"
    "add"
    "bone_value"
    "character"
    "clamp"
    "compare"
    "constant"
    "cross"
    "divide"
    "dot"
    "expression"
    "floppy"
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
    "normalize"
    "output"
    "parameter"
    "pin"
    "power"
    "remap"
    "select"
    "skeleton"
    "split"
    "squash"
    "subtract"
    "time"
    "velocity_extract"
    "weight_propagation"
};

#[cfg(test)]
mod tests {
    use super::SCRIPTS;

    #[test]
    fn every_script_in_the_folder_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/nodes");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<String> = entries
            .filter(|path| path.extension().is_some_and(|ext| ext == "rhai"))
            .map(|path| format!("nodes/{}", path.file_name().unwrap().to_string_lossy()))
            .collect();
        files.sort();
        let mut embedded: Vec<&str> = SCRIPTS.iter().map(|(file, _)| *file).collect();
        embedded.sort();
        assert_eq!(files, embedded);
    }
}
