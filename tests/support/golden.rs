//! Reads expected values: of the cylinder, the unit cases and the time filter in `tests/data/golden`; of
//! characters that are not ours beside the project.

use super::oracle::Rig;
use super::shared::shared;
use glam::{DAffine3, DQuat, DVec3};
use serde_json::Value;

pub struct Golden {
    pub rig: Rig,
    pub json: Value,
}

impl Golden {
    /// All there are: the cylinder always, spot where its data is there.
    pub fn all() -> impl Iterator<Item = Golden> {
        let spot = shared("golden/spot.json").map(|path| {
            Golden::new(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
        });
        [Golden::new(own("cylinder"))].into_iter().chain(spot)
    }

    fn new(json: Value) -> Golden {
        let ragged = |path: &str| json.pointer(path).unwrap().as_array().unwrap().clone();
        let joints = ragged("/mesh/influence_joints");
        let weights = ragged("/mesh/influence_weights");
        let skin = joints.iter().zip(&weights).map(|(joints, weights)| {
            let (joints, weights) = (floats(joints), floats(weights));
            joints.iter().map(|&j| j as usize).zip(weights).collect()
        });
        let parents = floats(&json["skeleton"]["parents"]);
        let parents: Vec<Option<usize>> =
            parents.iter().map(|&p| (p >= 0.0).then_some(p as usize)).collect();
        let triangles = floats(&json["mesh"]["triangles"]);
        let rest = transforms(&json["skeleton"], "rest_local_translation", "rest_local_rotation");
        let rest_globals = compose(&parents, &rest);
        let rig = Rig {
            rest: vectors(&json["mesh"]["rest_position"]),
            triangles: triangles
                .chunks(3)
                .map(|c| [c[0], c[1], c[2]].map(|v| v as usize))
                .collect(),
            skin: skin.collect(),
            bone_from_bind: rest_globals.iter().map(DAffine3::inverse).collect(),
            scene_from_bone: transforms(&json["pose"], "global_translation", "global_rotation"),
            parents,
            omega: vectors(&json["velocity"]["omega"]),
            v: vectors(&json["velocity"]["v"]),
        };
        Golden { rig, json }
    }

    /// How far positions are from the expected ones, of all vertices that there are some of.
    pub fn difference(&self, found: &[DVec3], variant: &str) -> f64 {
        let stride = self.json["expected_stride"].as_u64().unwrap_or(1) as usize;
        let found: Vec<DVec3> = found.iter().step_by(stride).copied().collect();
        worst(&found, &vectors(&self.json["expected"][variant]))
    }

    pub fn number(&self, pointer: &str) -> f64 {
        self.json.pointer(pointer).unwrap().as_f64().unwrap()
    }
}

/// What is in the project itself.
pub fn own(name: &str) -> Value {
    let path = format!("{}/tests/data/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn compose(parents: &[Option<usize>], locals: &[DAffine3]) -> Vec<DAffine3> {
    let mut globals: Vec<DAffine3> = Vec::new();
    for (parent, local) in parents.iter().zip(locals) {
        let above = parent.map_or(DAffine3::IDENTITY, |parent| globals[parent]);
        globals.push(above * *local);
    }
    globals
}

fn transforms(json: &Value, translation: &str, rotation: &str) -> Vec<DAffine3> {
    let rotations = floats(&json[rotation]);
    let rotations = rotations.chunks(4).map(|q| DQuat::from_slice(q).normalize());
    let translations = vectors(&json[translation]);
    rotations.zip(translations).map(|(q, t)| DAffine3::from_rotation_translation(q, t)).collect()
}

pub fn floats(json: &Value) -> Vec<f64> {
    json.as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
}

pub fn vectors(json: &Value) -> Vec<DVec3> {
    floats(json).chunks(3).map(DVec3::from_slice).collect()
}

pub fn worst(found: &[DVec3], expected: &[DVec3]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let distances = found.iter().zip(expected).map(|(a, b)| (*a - *b).abs().max_element());
    // NaN must not hide behind `max`.
    distances.fold(0.0, |worst: f64, d| if d.is_nan() { f64::INFINITY } else { worst.max(d) })
}
