//! Validates what enters an evaluation, once: nothing absurd passes.
//!
//! Operations are total on sane numbers (see [`jounce_ir`]), so behind it nothing can fail.

use super::host::Needs;
use super::motion::LONGEST_WINDOW_SECS;
use super::{Bound, EvalError, Moment, Neighbours, Parameters, Skin, Skinning};
use glam::{DAffine3, DVec3, Vec3};
use jounce_base::LARGEST_NUMBER;
use jounce_ir::op::Op;
use jounce_ir::{Number, Program};
use jounce_rig::motion::BoneMotion;
use std::borrow::Cow;

pub fn is_sane(x: f64) -> bool {
    x.abs() <= LARGEST_NUMBER
}

/// Are all of them? Without a branch for each: this is asked in every frame, and always true.
pub fn all_sane(numbers: impl Iterator<Item = f64>) -> bool {
    numbers.fold(true, |sane, x| sane & is_sane(x))
}

pub fn is_sane_vec3(v: DVec3) -> bool {
    is_sane(v.x) && is_sane(v.y) && is_sane(v.z)
}

pub fn is_sane_number(number: Number) -> bool {
    match number {
        Number::Float(x) => is_sane(x),
        Number::Bool(_) => true,
        Number::Vec3(v) => is_sane_vec3(v),
    }
}

/// Everything but motions, which are asked for when their windows are known.
pub fn check(program: &Program, bound: &Bound, moment: &Moment) -> Result<(), EvalError> {
    check_bound(program, bound)?;
    check_moment(program, bound, moment)
}

/// How much of everything the character has that something was prepared for. What is computed with
/// lists of one character must not meet the data of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundSizes {
    bones: usize,
    vertices: usize,
    pairs: usize,
    bindings: Option<usize>,
    bone_tables: usize,
    bone_sets: usize,
}

impl BoundSizes {
    pub fn of(bound: &Bound) -> BoundSizes {
        BoundSizes {
            bones: bound.row_count(),
            vertices: bound.vertex_count(),
            pairs: bound.pairs.count(),
            bindings: bound.skin.as_ref().map(|skin| skin.binding_count),
            bone_tables: bound.bone_tables.len(),
            bone_sets: bound.bone_sets.len(),
        }
    }

    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// Numbers of the bound may have changed since, its sizes may not.
    pub fn check(&self, bound: &Bound) -> Result<(), EvalError> {
        let now = BoundSizes::of(bound);
        for (what, found, expected) in [
            ("list of bones", now.bones, self.bones),
            ("list of vertices", now.vertices, self.vertices),
            ("list of pairs", now.pairs, self.pairs),
            ("list of bound joints", now.bindings.unwrap_or(0), self.bindings.unwrap_or(0)),
            ("list of bone tables", now.bone_tables, self.bone_tables),
            ("list of bone sets", now.bone_sets, self.bone_sets),
        ] {
            count(what, found, expected)?;
        }
        if let Some(skin) = &bound.skin {
            count("list of bind positions", skin.positions.len(), self.vertices)?;
            count("list of bind normals", skin.normals.len(), self.vertices)?;
        }
        check_bone_tables(bound)
    }
}

/// Other values for a map of the program.
pub fn check_map(
    program: &Program,
    vertices: usize,
    map: usize,
    values: Option<&[f64]>,
) -> Result<(), EvalError> {
    let maps = program.tables.maps.len();
    if map >= maps {
        return Err(EvalError::Count { what: "list of maps", found: maps, expected: map + 1 });
    }
    let Some(values) = values else { return Ok(()) };
    count("map", values.len(), vertices)?;
    match values.iter().position(|&x| !is_sane(x)) {
        Some(vertex) => Err(EvalError::Vertex { what: "map", vertex, number: values[vertex] }),
        None => Ok(()),
    }
}

/// What each frame brings.
pub fn check_moment(program: &Program, bound: &Bound, moment: &Moment) -> Result<(), EvalError> {
    check_vertices(bound, moment)?;
    let needs = Needs::new(program, bound);
    check_herd(program, bound, &needs, std::slice::from_ref(moment))
}

/// The same without vertices, of a herd: what is remembered is of bones and of the frame. Sliders that they
/// share are looked at once.
pub fn check_herd(
    program: &Program,
    bound: &Bound,
    needs: &Needs,
    moments: &[Moment],
) -> Result<(), EvalError> {
    for (place, moment) in moments.iter().enumerate() {
        check_bones(needs, bound, moment)?;
        check_recalled(needs, moment)?;
        if place == 0 || moments[place - 1].parameters != moment.parameters {
            check_parameters(program, &moment.parameters)?;
        }
        check_times(bound, moment)?;
    }
    Ok(())
}

fn check_times(bound: &Bound, moment: &Moment) -> Result<(), EvalError> {
    for (what, number) in [
        ("time", moment.time_secs),
        ("size", bound.size),
        ("height of the ground", bound.ground_height),
        ("height", bound.height),
    ] {
        if !is_sane(number) {
            return Err(EvalError::Number { what, number });
        }
    }
    Ok(())
}

fn check_parameters(program: &Program, set: &Parameters) -> Result<(), EvalError> {
    let parameters = &program.tables.parameters;
    count("list of parameters", set.values.len(), parameters.len())?;
    for (parameter, &value) in parameters.iter().zip(&*set.values) {
        // Every step of every instance comes by here: names only where there is something to say.
        let names = || (parameter.node.clone(), parameter.port.clone());
        if value.ty() != parameter.value.ty() {
            let ((node, port), expected) = (names(), parameter.value.ty());
            return Err(EvalError::ParameterType { node, port, expected });
        }
        if !is_sane_number(value) {
            let (node, port) = names();
            return Err(EvalError::Parameter { node, port, value });
        }
    }
    Ok(())
}

/// What is looked up once.
pub fn check_bound(program: &Program, bound: &Bound) -> Result<(), EvalError> {
    let (tables, bones, vertices) = (&program.tables, bound.row_count(), bound.vertex_count());
    count("list of maps", bound.maps.len(), tables.maps.len())?;
    count("list of bone tables", bound.bone_tables.len(), tables.bone_tables.len())?;
    count("list of bone sets", bound.bone_sets.len(), tables.bone_sets.len())?;
    count("list of weight columns", bound.weights.len(), tables.columns.len())?;
    check_bone_tables(bound)?;
    for map in bound.maps.iter().flatten() {
        vertex_numbers("map", bound, map)?;
    }
    vertex_vectors("rest position", bound, &bound.rest_positions)?;
    vertex_vectors("rest normal", bound, &bound.rest_normals)?;
    if let Some(skin) = &bound.skin {
        check_skin(skin, vertices)?;
    }
    if program.has_relaxations() {
        check_smoothing(smoothing_passes(program), vertices)?;
        check_neighbours(&bound.neighbours, vertices)?;
    }
    check_flesh(bound)?;
    check_anchors(bound)?;
    check_pairs(bound, bones, vertices)
}

/// Vertices that are smoothed in one frame, one pass after the other: some seconds of one processor. One Relax
/// with all the passes that it takes is well below, on a mesh of a million vertices too.
const MOST_SMOOTHED: u64 = 200_000_000;

fn smoothing_passes(program: &Program) -> u64 {
    let passes = program.ops.iter().map(|op| {
        let Op::Relax { passes, .. } = op else { return 0 };
        u64::from(*passes)
    });
    passes.sum()
}

fn check_smoothing(passes: u64, vertices: usize) -> Result<(), EvalError> {
    match passes.saturating_mul(vertices as u64) > MOST_SMOOTHED {
        true => Err(EvalError::TooMuchSmoothing { passes, vertices }),
        false => Ok(()),
    }
}

fn check_flesh(bound: &Bound) -> Result<(), EvalError> {
    let bones = bound.bone_count();
    for flesh in &bound.flesh {
        let of_it = flesh.driven.iter().chain([&flesh.driver]);
        let last = of_it.copied().max().unwrap_or(0);
        if last >= bones {
            return Err(EvalError::Count {
                what: "list of bones",
                found: bones,
                expected: last + 1,
            });
        }
    }
    Ok(())
}

fn check_anchors(bound: &Bound) -> Result<(), EvalError> {
    let bones = bound.bone_count();
    match bound.anchors.last_bone() {
        Some(last) if last >= bones => {
            Err(EvalError::Count { what: "list of bones", found: bones, expected: last + 1 })
        }
        _ => Ok(()),
    }
}

/// What is set for bones: few numbers, which may change from frame to frame.
pub fn check_bone_tables(bound: &Bound) -> Result<(), EvalError> {
    for table in &bound.bone_tables {
        let numbers: Vec<f64> = table.iter().map(|value| value.unwrap_or(0.0)).collect();
        bone_numbers("value", bound, &numbers)?;
    }
    bound.bone_sets.iter().try_for_each(|set| bone_numbers("value", bound, set))
}

fn check_pairs(bound: &Bound, bones: usize, vertices: usize) -> Result<(), EvalError> {
    let pairs = &bound.pairs;
    count("list of pairs", pairs.offsets.len(), vertices + 1)?;
    for vertex in 0..vertices {
        let (start, end) = (pairs.offsets[vertex], pairs.offsets[vertex + 1]);
        let of_vertex = pairs.bones.get(start as usize..end as usize);
        if of_vertex.is_none_or(|list| list.iter().any(|&bone| bone as usize >= bones)) {
            return Err(EvalError::Pairs { vertex });
        }
    }
    for weights in &*bound.weights {
        count("column of weights", weights.len(), pairs.count())?;
        if let Some(&number) = weights.iter().find(|&&weight| !is_sane(weight)) {
            return Err(EvalError::Number { what: "weight", number });
        }
    }
    Ok(())
}

fn check_recalled(needs: &Needs, moment: &Moment) -> Result<(), EvalError> {
    let snapshot = &moment.snapshot;
    count("list of what nodes remember", snapshot.states.len(), needs.states.len())?;
    if !snapshot.record.is_empty() {
        let (found, expected) = (snapshot.record.row_length(), needs.histories.len());
        count("record of what nodes remember", found, expected)?;
    }
    let secs = [snapshot.since_step_secs, snapshot.grid_secs];
    if all_sane(snapshot.states.iter().copied()) && all_sane(secs.into_iter()) {
        return Ok(());
    }
    let number = snapshot.states.iter().copied().chain(secs).find(|&x| !is_sane(x));
    let number = number.unwrap_or(f64::NAN);
    Err(EvalError::Number { what: "number that a node remembers", number })
}

fn check_bones(needs: &Needs, bound: &Bound, moment: &Moment) -> Result<(), EvalError> {
    bone_vectors("origin", bound, &moment.bone_origins)?;
    if needs.centroids {
        bone_vectors("centroid", bound, &moment.bone_centroids)?;
    }
    if needs.exact_centroids {
        bone_vectors("exact centroid", bound, &moment.bone_exact_centroids)?;
    }
    for rotations in [&moment.bone_rotations, &moment.bone_parent_rotations] {
        count("list of bone rotations", rotations.len(), bound.bone_count())?;
        if !all_sane(rotations.iter().flat_map(|q| q.to_array())) {
            let parts = rotations.iter().map(|q| q.to_array().into_iter().find(|&x| !is_sane(x)));
            no_bone("rotation", bound, parts)?;
        }
    }
    Ok(())
}

fn check_vertices(bound: &Bound, moment: &Moment) -> Result<(), EvalError> {
    let posed = match &moment.skinning {
        Skinning::Given { positions, normals } => {
            vertex_vectors("skinned position", bound, positions)?;
            return vertex_vectors("skinned normal", bound, normals);
        }
        Skinning::Posed(posed) => posed,
    };
    let Some(skin) = &bound.skin else {
        return Err(EvalError::NoSkin);
    };
    count("list of bound joints", posed.scene_from_bind.len(), skin.binding_count)?;
    let numbers = || posed.scene_from_bind.iter().flat_map(DAffine3::to_cols_array);
    if !all_sane(numbers()) {
        let number = numbers().find(|&x| !is_sane(x)).unwrap_or(f64::NAN);
        return Err(EvalError::Number { what: "transform of a joint", number });
    }
    if let Some(morphed) = &posed.morphed {
        count("list of morphed positions", morphed.positions.len(), bound.vertex_count())?;
        count("list of morphed normals", morphed.normals.len(), bound.vertex_count())?;
        let vectors =
            [("morphed position", &morphed.positions), ("morphed normal", &morphed.normals)];
        for (what, list) in vectors {
            sane_vectors(what, list)?;
        }
    }
    Ok(())
}

fn check_skin(skin: &Skin, vertices: usize) -> Result<(), EvalError> {
    count("list of bind positions", skin.positions.len(), vertices)?;
    count("list of bind normals", skin.normals.len(), vertices)?;
    count("list of skin weights", skin.influences.vertex_count(), vertices)?;
    count("list of bound bones", skin.bone_of_binding.len(), skin.binding_count)?;
    sane_vectors("bind position", &skin.positions)?;
    sane_vectors("bind normal", &skin.normals)?;
    let mut weights = skin.influences.entries().iter().map(|influence| influence.weight);
    if let Some(weight) = weights.find(|weight| !is_sane((*weight).into())) {
        return Err(EvalError::Number { what: "skin weight", number: weight.into() });
    }
    let farthest = skin.influences.entries().iter().map(|influence| influence.index).max();
    match farthest {
        Some(index) if index as usize >= skin.binding_count => {
            let (found, expected) = (skin.binding_count, index as usize + 1);
            Err(EvalError::Count { what: "list of bound joints", found, expected })
        }
        _ => Ok(()),
    }
}

fn sane_vectors(what: &'static str, list: &[Vec3]) -> Result<(), EvalError> {
    let absurd = |(vertex, v): (usize, &Vec3)| Some((vertex, absurd_part(v.as_dvec3())?));
    match list.iter().enumerate().find_map(absurd) {
        Some((vertex, number)) => Err(EvalError::Vertex { what, vertex, number }),
        None => Ok(()),
    }
}

fn check_neighbours(neighbours: &Neighbours, vertices: usize) -> Result<(), EvalError> {
    count("list of neighbours", neighbours.offsets.len(), vertices + 1)?;
    for vertex in 0..vertices {
        let (start, end) = (neighbours.offsets[vertex], neighbours.offsets[vertex + 1]);
        let around = neighbours.vertices.get(start as usize..end as usize);
        if around.is_none_or(|list| list.iter().any(|&other| other as usize >= vertices)) {
            return Err(EvalError::Neighbours { vertex });
        }
    }
    Ok(())
}

/// The seconds to ask a motion for.
pub fn window_secs(wanted: f64) -> f64 {
    if wanted > 0.0 { wanted.min(LONGEST_WINDOW_SECS) } else { 0.0 }
}

/// The motion of all bones over a window, as it may enter.
pub fn ask_motion<'m>(
    is_acceleration: bool,
    window_secs: f64,
    bound: &Bound,
    moment: &Moment<'m>,
) -> Result<Cow<'m, [BoneMotion]>, EvalError> {
    let (what, motions) = if is_acceleration {
        ("acceleration", moment.motion.accelerations(window_secs))
    } else {
        ("velocity", moment.motion.velocities(window_secs))
    };
    count("motion", motions.len(), bound.bone_count())?;
    if !all_sane(motions.iter().flat_map(|m| [m.linear, m.angular]).flat_map(|v| v.to_array())) {
        let parts = motions.iter().map(|m| absurd_part(m.linear).or(absurd_part(m.angular)));
        no_bone(what, bound, parts)?;
    }
    Ok(motions)
}

fn count(what: &'static str, found: usize, expected: usize) -> Result<(), EvalError> {
    if found == expected { Ok(()) } else { Err(EvalError::Count { what, found, expected }) }
}

fn absurd_part(v: DVec3) -> Option<f64> {
    v.to_array().into_iter().find(|&x| !is_sane(x))
}

/// `parts` has what is absurd about each bone.
fn no_bone(
    what: &'static str,
    bound: &Bound,
    mut parts: impl Iterator<Item = Option<f64>>,
) -> Result<(), EvalError> {
    let mut bone = 0;
    let first = parts.find_map(|part| {
        bone += 1;
        part
    });
    let Some(number) = first else {
        return Ok(());
    };
    let name = bound.bone_names.get(bone - 1).cloned();
    let bone = name.unwrap_or_else(|| format!("number {}", bone - 1));
    Err(EvalError::Bone { what, bone, number })
}

fn bone_numbers(what: &'static str, bound: &Bound, list: &[f64]) -> Result<(), EvalError> {
    count("bone table", list.len(), bound.row_count())?;
    no_bone(what, bound, list.iter().map(|&x| (!is_sane(x)).then_some(x)))
}

fn bone_vectors(what: &'static str, bound: &Bound, list: &[DVec3]) -> Result<(), EvalError> {
    count("list of bones", list.len(), bound.bone_count())?;
    if all_sane(list.iter().flat_map(|v| v.to_array())) {
        return Ok(());
    }
    no_bone(what, bound, list.iter().map(|&v| absurd_part(v)))
}

fn vertex_numbers(what: &'static str, bound: &Bound, list: &[f64]) -> Result<(), EvalError> {
    count(what, list.len(), bound.vertex_count())?;
    match list.iter().position(|&x| !is_sane(x)) {
        Some(vertex) => Err(EvalError::Vertex { what, vertex, number: list[vertex] }),
        None => Ok(()),
    }
}

fn vertex_vectors(what: &'static str, bound: &Bound, list: &[DVec3]) -> Result<(), EvalError> {
    count("list of vertices", list.len(), bound.vertex_count())?;
    let absurd = list.iter().enumerate().find_map(|(i, &v)| Some((i, absurd_part(v)?)));
    match absurd {
        Some((vertex, number)) => Err(EvalError::Vertex { what, vertex, number }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_relax_with_all_its_passes_is_no_flood() {
        assert_eq!(check_smoothing(100, 772_000), Ok(()));
        let (passes, vertices) = (2_000, 150_000);
        let refused = Err(EvalError::TooMuchSmoothing { passes, vertices });
        assert_eq!(check_smoothing(passes, vertices), refused);
        assert!(check_smoothing(u64::MAX, 2).is_err());
    }
}
