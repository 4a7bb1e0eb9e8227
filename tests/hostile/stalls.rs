//! What once took minutes or gigabytes: each ends in less than a second of processor time and 300 MB, with
//! a sentence or the right result.

use super::files::{glb, triangle};
use crate::support::clock::thread_secs;
use crate::support::program::{Measured, command, measured};
use jounce::rig::load;
use serde_json::{Value, json};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Unoptimised code with all its checks takes longer.
const MOST_SECS: f64 = if cfg!(debug_assertions) { 8.0 } else { 1.0 };
const MOST_BYTES: u64 = 300 << 20;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    fn jounce(&self, args: &str) -> Command {
        let mut command = command();
        command.args(args.split(' ')).current_dir(self.0.path());
        command
    }

    /// Runs it within the limits.
    fn run(&self, args: &str) -> Measured {
        let run = measured(&mut self.jounce(args), MOST_BYTES);
        let Measured { said, cpu_secs } = &run;
        println!("{args}: {cpu_secs:.2} s, {}", said.stderr.trim());
        assert!(*cpu_secs < MOST_SECS, "{args}: {cpu_secs} s; {}", said.stderr);
        assert!(said.code == 0 || said.code == 1 || said.code == 2, "{args}: {}", said.stderr);
        run
    }

    fn says(&self, args: &str, code: i32, word: &str) {
        let said = self.run(args).said;
        assert_eq!(said.code, code, "{args}: {}", said.stderr);
        assert!(said.stderr.contains(word), "{args}: {:?} lacks {word:?}", said.stderr);
    }

    fn refuses(&self, args: &str, word: &str) {
        self.says(args, 1, word);
    }
}

fn f32s(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// A mesh alone: three numbers per corner, three corners per triangle.
fn triangles(numbers: Vec<f32>) -> Vec<u8> {
    let (count, blob) = (numbers.len() / 3, f32s(numbers));
    let document = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3" }],
        "bufferViews": [{ "buffer": 0, "byteLength": blob.len() }],
        "buffers": [{ "byteLength": blob.len() }]
    });
    glb(&document, &blob)
}

const BAKE: &str = concat!(
    "--graph ",
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/soft.jounce --rest --frames 0..2 -o out.pc2"
);
/// The same with a style that asks for roles, and for what stands out.
const BAKE_BY_ROLES: &str = "--graph default --rest --frames 0..2 -o out.pc2";

#[test]
fn softness_of_ninety_thousand_vertices_at_one_point() {
    let folder = Folder::new();
    let document = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "componentType": 5126, "count": 90_000, "type": "VEC3" }]
    });
    folder.write("point.gltf", document.to_string());
    folder.says(&format!("bake point.gltf {BAKE}"), 0, "no triangle of it has an area");
}

#[test]
fn softness_of_thirty_thousand_triangles_in_each_other() {
    let folder = Folder::new();
    let mut random = crate::support::random::Random(5);
    let mut number = || random.below(2_000_001) as f32 * 1e-6 - 1.0;
    let corners = [0., 0., 0., 1., 0., 0., 0., 1., 0.];
    folder.write("any.glb", triangles((0..270_000).map(|_| number()).collect()));
    folder.write("same.glb", triangles(corners.repeat(30_000)));
    let shaken = (0..30_000).flat_map(|_| corners.map(|x| x + 1e-3 * number())).collect();
    folder.write("shaken.glb", triangles(shaken));
    let centred = [-1.0_f32, -1., 0., 1., -1., 0., 0., 2., 0.];
    let around = |triangle: i32| centred.map(|x| x * (1.0 + triangle as f32 * 1e-4));
    folder.write("around.glb", triangles((0..30_000).flat_map(around).collect()));
    for name in ["any", "same", "shaken", "around"] {
        folder.run(&format!("bake {name}.glb {BAKE}"));
        folder.run(&format!("bake {name}.glb {BAKE_BY_ROLES}"));
    }
}

/// A body with arms, of so many vertices.
fn body(rings: usize, sides: usize) -> Vec<u8> {
    let (document, blob) = body_parts(rings, sides);
    glb(&document, &blob)
}

/// The same with a map of its softness.
fn painted_body(rings: usize, sides: usize) -> Vec<u8> {
    let (mut document, mut blob) = body_parts(rings, sides);
    let vertices = (rings + 1) * sides;
    let view = json!({ "buffer": 0, "byteOffset": blob.len(), "byteLength": 4 * vertices });
    blob.extend(f32s((0..vertices).map(|vertex| vertex as f32 / vertices as f32)));
    let accessor =
        json!({ "bufferView": 2, "componentType": 5126, "count": vertices, "type": "SCALAR" });
    document["bufferViews"].as_array_mut().unwrap().push(view);
    document["accessors"].as_array_mut().unwrap().push(accessor);
    document["buffers"][0]["byteLength"] = json!(blob.len());
    document["meshes"][0]["primitives"][0]["attributes"]["_SOFTNESS"] = json!(2);
    glb(&document, &blob)
}

fn body_parts(rings: usize, sides: usize) -> (Value, Vec<u8>) {
    let mut positions = Vec::new();
    for ring in 0..=rings {
        let down = std::f32::consts::PI * ring as f32 / rings as f32;
        for side in 0..sides {
            let around = std::f32::consts::TAU * side as f32 / sides as f32;
            let arm = 0.6 * (3.0 * around).sin() * down.sin().powi(2);
            let radius = 1.0 + arm + 0.3 * (5.0 * down).cos();
            positions.extend([
                radius * down.sin() * around.cos(),
                radius * down.cos(),
                radius * down.sin() * around.sin(),
            ]);
        }
    }
    let mut indices: Vec<u32> = Vec::new();
    for ring in 0..rings {
        for side in 0..sides {
            let at = |ring: usize, side: usize| (ring * sides + side % sides) as u32;
            let [a, b, c, d] =
                [at(ring, side), at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)];
            indices.extend([a, b, c, b, d, c]);
        }
    }
    let (vertices, corners) = (positions.len() / 3, indices.len());
    let mut blob = f32s(positions);
    let first_index = blob.len();
    blob.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
    let document = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": vertices, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5125, "count": corners, "type": "SCALAR" }
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": first_index },
            { "buffer": 0, "byteOffset": first_index, "byteLength": blob.len() - first_index }
        ],
        "buffers": [{ "byteLength": blob.len() }]
    });
    (document, blob)
}

#[test]
fn softness_of_a_hundred_and_fifty_thousand_vertices_takes_less_than_a_second() {
    let character = load::load_bytes("body", body(300, 500), None).unwrap();
    assert_eq!(character.vertex_count(), 150_500);
    // All of the work on one thread, whose time is counted.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (secs, softness) = pool.install(|| {
        let started = thread_secs();
        let softness = character.automatic_softness();
        (thread_secs() - started, softness)
    });
    println!("softness of 150 500 vertices: {secs:.2} s");
    assert!(secs < MOST_SECS, "{secs} s");
    // As on a mesh that is measured everywhere.
    let small = load::load_bytes("body", body(60, 100), None).unwrap();
    let few = small.automatic_softness();
    let mut sum = 0.0;
    for ring in 1..60 {
        for side in 0..100 {
            let (one, other) = (softness[5 * (ring * 500 + side)], few[ring * 100 + side]);
            sum += f64::from((one - other).abs());
        }
    }
    let mean = sum / (59.0 * 100.0);
    assert!(mean < 0.06, "{mean}");
}

/// Eight million triangles, as many as are read, by a small file: each of a thousand nodes has the mesh.
#[test]
fn softness_of_a_thousand_bodies_takes_seconds() {
    let (mut document, blob) = body_parts(49, 80);
    let place = |node: usize| [4 * (node % 10), 4 * (node / 10 % 10), 4 * (node / 100)];
    let nodes = (0..1000).map(|node| json!({ "mesh": 0, "translation": place(node) }));
    document["nodes"] = nodes.collect();
    document["scenes"][0]["nodes"] = (0..1000).collect();
    let character = load::load_bytes("bodies", glb(&document, &blob), None).unwrap();
    assert_eq!(character.mesh.triangles.len(), 7_840_000);
    character.surface();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let secs = pool.install(|| {
        let started = thread_secs();
        assert_eq!(character.softness_is_unknown(), None);
        thread_secs() - started
    });
    println!("softness of {} vertices: {secs:.2} s", character.vertex_count());
    assert!(secs < 4.0 * MOST_SECS, "{secs} s");
}

#[test]
fn softness_is_kept_from_one_start_to_the_next() {
    let folder = Folder::new();
    folder.write("body.glb", body(200, 300));
    let run = |args: &str, cache: &str| {
        let mut command = folder.jounce(args);
        let run = measured(command.env("JOUNCE_CACHE", cache), MOST_BYTES);
        assert_eq!(run.said.code, 0, "{}", run.said.stderr);
        (run.cpu_secs, std::fs::read(folder.path("out.pc2")).unwrap())
    };
    let bake = |cache: &str| run(&format!("bake body.glb {BAKE}"), cache);
    let kept = || std::fs::read_dir(folder.path("cache")).map_or(0, Iterator::count);
    let (without, expected) = bake("off");
    assert_eq!(kept(), 0);
    let (first, written) = bake("cache");
    assert_eq!((kept(), &written), (1, &expected));
    let (second, again) = bake("cache");
    assert_eq!((kept(), &again), (1, &expected));
    // It takes what it takes where softness is painted, and nothing is there to compute.
    folder.write("painted.glb", painted_body(200, 300));
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/soft.jounce");
    let mut graph: Value = serde_json::from_slice(&std::fs::read(example).unwrap()).unwrap();
    let map = &mut graph["style"]["graph"]["nodes"]["softness"]["settings"];
    map["source"] = json!("painted");
    map["name"] = json!("softness");
    folder.write("painted.jounce", graph.to_string());
    let args = BAKE.replace(example, "painted.jounce");
    let least = |run: &dyn Fn() -> f64| (0..3).map(|_| run()).fold(f64::INFINITY, f64::min);
    let painted = least(&|| run(&format!("bake painted.glb {args}"), "off").0);
    let second = second.min(least(&|| bake("cache").0));
    println!(
        "60 300 vertices: {without:.2} s without, {first:.2} s first, {second:.2} s second, {painted:.2} s painted"
    );
    assert!(second - painted < 0.2 * (first - painted), "{second} s after {first} s, {painted} s");
    // A folder that cannot be made is no error.
    assert_eq!(bake("out.pc2/cache").1, expected);
}

/// One joint, and a clip of two keys.
fn clip_of(secs: f32, channels: usize) -> Vec<u8> {
    let (mut document, mut blob) = triangle();
    blob[100..104].copy_from_slice(&secs.to_le_bytes());
    let channel = document["animations"][0]["channels"][0].clone();
    document["animations"][0]["channels"] = Value::Array(vec![channel; channels]);
    glb(&document, &blob)
}

#[test]
fn a_clip_of_a_million_million_seconds() {
    let folder = Folder::new();
    folder.write("long.glb", clip_of(1e12, 1));
    let out = "-o out.pc2";
    folder
        .refuses(&format!("bake long.glb --graph cartoon --loop --frames 0..2 {out}"), "remember");
    folder.refuses(&format!("bake long.glb --graph cartoon --at 1e11 {out}"), "remember");
    folder.refuses(
        &format!("bake long.glb --graph cartoon --frames 999999998..999999999 {out}"),
        "remember",
    );
    folder.refuses(&format!("bake long.glb --graph cartoon {out}"), "frames");
    folder.refuses(&format!("bake long.glb --graph default --loop {out}"), "frames");
    // What can be known is.
    folder.says(&format!("bake long.glb --graph cartoon --frames 0..2 {out}"), 0, "");
    folder.says(&format!("bake long.glb --graph default --loop --frames 0..2 {out}"), 0, "");
    folder.run("inspect long.glb");
    folder.run("curves long.glb --graph cartoon --loop --bone joint -o out.svg");
    folder.run("fit long.glb --graph cartoon -o out.jounce");
}

#[test]
fn twenty_thousand_channels_of_one_bone() {
    let folder = Folder::new();
    folder.write("channels.glb", clip_of(1.0, 20_000));
    folder.says("bake channels.glb --graph cartoon --loop -o out.pc2", 0, "");
    let said = folder.run("inspect channels.glb").said;
    assert!(said.stdout.contains("used and 19999 others ignored"), "{}", said.stdout);
    folder.run("fit channels.glb --graph cartoon -o out.jounce");
}

/// A spiral of so many vertices along so many joints, in a chain or all below the first.
fn joints(count: usize, in_chain: bool, vertices: usize) -> Vec<u8> {
    let spiral = |share: f32| [(44.0 * share).cos(), 10.0 * share, (44.0 * share).sin()];
    joints_along(count, in_chain, vertices, spiral)
}

/// The same, whose vertices lie anywhere.
fn joints_along(
    count: usize,
    in_chain: bool,
    vertices: usize,
    place: impl Fn(f32) -> [f32; 3],
) -> Vec<u8> {
    let mut positions = Vec::new();
    let (mut joints, mut weights) = (Vec::<u16>::new(), Vec::new());
    for vertex in 0..vertices {
        let share = vertex as f32 / vertices as f32;
        positions.extend(place(share));
        let joint = (share * count as f32) as u16;
        joints.extend([joint, (joint + 1).min(count as u16 - 1), 0, 0]);
        weights.extend([0.5, 0.5, 0.0, 0.0]);
    }
    let parts = [
        f32s(positions),
        joints.iter().flat_map(|joint| joint.to_le_bytes()).collect(),
        f32s(weights),
        (0..vertices as u32 - 2)
            .flat_map(|i| [i, i + 1, i + 2])
            .flat_map(u32::to_le_bytes)
            .collect(),
        f32s([0.0, 0.5, 1.0]),
        f32s([0., 0., 0., 1., 0., 0., 0.1, 0.99, 0., 0., 0., 1.]),
    ];
    let mut views = Vec::new();
    let mut blob = Vec::new();
    for part in &parts {
        views.push(json!({ "buffer": 0, "byteOffset": blob.len(), "byteLength": part.len() }));
        blob.extend(part);
    }
    let accessor = |view: usize, component: u32, count: usize, kind: &str| json!({ "bufferView": view, "componentType": component, "count": count, "type": kind });
    let length = 10.0 / count as f32;
    let mut nodes = vec![json!({ "mesh": 0, "skin": 0 })];
    nodes.extend((0..count).map(|joint| match in_chain {
        true if joint + 1 < count => {
            json!({ "name": format!("j{joint}"), "translation": [0, length, 0], "children": [joint + 2] })
        }
        _ => json!({ "name": format!("j{joint}"), "translation": [0, length, 0] }),
    }));
    if !in_chain {
        nodes[1]["children"] = json!((2..=count).collect::<Vec<_>>());
    }
    let channel =
        |joint: usize| json!({ "sampler": 0, "target": { "node": joint, "path": "rotation" } });
    let document = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": nodes,
        "skins": [{ "joints": (1..=count).collect::<Vec<_>>() }],
        "meshes": [{ "primitives": [
            { "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 }, "indices": 3 }
        ] }],
        "animations": [{
            "samplers": [{ "input": 4, "output": 5 }],
            "channels": (1..=count).map(channel).collect::<Vec<_>>()
        }],
        "accessors": [
            accessor(0, 5126, vertices, "VEC3"),
            accessor(1, 5123, vertices, "VEC4"),
            accessor(2, 5126, vertices, "VEC4"),
            accessor(3, 5125, 3 * (vertices - 2), "SCALAR"),
            accessor(4, 5126, 3, "SCALAR"),
            accessor(5, 5126, 3, "VEC4")
        ],
        "bufferViews": views,
        "buffers": [{ "byteLength": blob.len() }]
    });
    glb(&document, &blob)
}

#[test]
fn five_thousand_joints() {
    let folder = Folder::new();
    folder.write("chain.glb", joints(5000, true, 1000));
    folder.write("flat.glb", joints(5000, false, 5000));
    // What hangs on the end of a chain of n joints is moved by n bones: these are nearly as many pairs of a
    // vertex and a bone as are taken.
    folder.write("long.glb", joints(5000, true, 2300));
    for name in ["chain.glb", "flat.glb", "long.glb"] {
        folder.run(&format!("inspect {name}"));
        for graph in ["default", "velocity-skinning"] {
            folder.says(&format!("bake {name} --graph {graph} --frames 0..2 -o out.pc2"), 0, "");
        }
    }
    folder.write("longer.glb", joints(5000, true, 5000));
    let told = "use fewer joints in a row, or a smaller mesh";
    folder.refuses("inspect longer.glb", told);
    folder.refuses("bake longer.glb --graph default --frames 0..2 -o out.pc2", told);
}

/// From each joint of a long chain to each anchor.
#[test]
fn anchors_in_a_chain_of_thousands_of_joints() {
    let folder = Folder::new();
    // Nearly all joints move nothing, so that there are few pairs of a vertex and a bone.
    folder.write("chain.glb", joints(40_000, true, 40));
    let nodes = json!({
        "output": { "type": "Output" },
        "velocity": { "type": "Velocity Extract" },
        "anchor": { "type": "Anchor", "settings": { "holds": "whole body", "bones": "j39990, j20000" } },
        "trail": { "type": "Floppy" }
    });
    let links = json!([
        ["velocity.linear", "anchor.linear"],
        ["velocity.angular", "anchor.angular"],
        ["anchor.linear", "trail.linear"],
        ["anchor.angular", "trail.angular"],
        ["trail.displacement", "output.displacement"]
    ]);
    let graph = json!({ "format": 1, "style": { "graph": { "links": links, "nodes": nodes } } });
    folder.write("anchored.jounce", graph.to_string());
    folder.says("bake chain.glb --graph anchored.jounce --rest --frames 0..2 -o out.pc2", 0, "");
}

/// Names of parents that no bone has: each was looked for among all bones.
#[test]
fn thousands_of_unknown_parents() {
    let folder = Folder::new();
    folder.write("flat.glb", joints(500, false, 500));
    let mut document: Value = serde_json::from_str(&with_motion_hierarchy()).unwrap();
    let parents = (0..3_000).map(|i| (format!("nobody {i}"), json!(format!("no one {i}"))));
    let parents: serde_json::Map<String, Value> = parents.collect();
    document["format"] = json!(2);
    document["characters"] = json!({ "flat": { "parents": parents } });
    folder.write("unknown.jounce", document.to_string());
    let bake = "bake flat.glb --graph unknown.jounce --rest --frames 0..2 -o out.pc2";
    folder.says(bake, 0, "the character has no bone \"no one 0\"");
}

/// Floppy with the parents of the motion hierarchy.
fn with_motion_hierarchy() -> String {
    let nodes = json!({
        "output": { "type": "Output", "settings": { "hierarchy": "motion" } },
        "trail": { "type": "Floppy" }
    });
    let links = json!([["trail.displacement", "output.displacement"]]);
    json!({ "format": 1, "style": { "graph": { "links": links, "nodes": nodes } } }).to_string()
}

/// Everything touches everything, or as much as fits into a ball does.
#[test]
fn the_motion_hierarchy_of_ninety_thousand_vertices_in_one_place() {
    let folder = Folder::new();
    folder.write("motion.jounce", with_motion_hierarchy());
    let mut random = crate::support::random::Random(7);
    let numbers: Vec<f32> = (0..3 * 90_000).map(|_| random.below(1000) as f32 * 1e-3).collect();
    let anywhere = |share: f32| {
        let vertex = ((share * 90_000.0).round() as usize).min(89_999);
        [0, 1, 2].map(|axis| 0.45 * numbers[3 * vertex + axis])
    };
    // One vertex far away, so that all others are near to each other.
    let at_one_point = |share: f32| if share > 0.0 { [0.0; 3] } else { [1.0; 3] };
    let in_a_ball = |share: f32| if share > 0.0 { anywhere(share) } else { [1.0; 3] };
    folder.write("point.glb", joints_along(5000, false, 90_000, at_one_point));
    folder.write("ball.glb", joints_along(5000, false, 90_000, in_a_ball));
    folder.write("chain.glb", joints_along(5000, true, 2300, in_a_ball));
    for name in ["point.glb", "ball.glb", "chain.glb"] {
        folder.run(&format!("inspect {name}"));
        let bake = format!("bake {name} --graph motion.jounce --frames 0..1 -o out.pc2");
        folder.says(&bake, 0, "");
    }
}

#[test]
fn the_motion_hierarchy_of_a_hundred_and_fifty_thousand_vertices() {
    // Wound around a body of 300 rings.
    let body = |share: f32| {
        let (around, radius) =
            (300.0 * std::f32::consts::TAU * share, 0.3 + 0.2 * (9.0 * share).sin());
        [radius * around.cos(), 2.0 * share, radius * around.sin()]
    };
    let bytes = joints_along(60, true, 150_000, body);
    let character = load::load_bytes("body", bytes, None).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let secs = pool.install(|| {
        let started = thread_secs();
        assert!(character.motion_hierarchy().changes.is_empty());
        thread_secs() - started
    });
    println!("motion hierarchy of 150 000 vertices, on one thread: {secs:.3} s");
    assert!(secs < 0.3 * MOST_SECS, "{secs} s");
}

/// So many Relax nodes behind one another.
fn smoothing(nodes: usize, passes: u32) -> String {
    let mut links = vec![json!(["trail.displacement", "r0.displacement"])];
    links.extend(
        (1..nodes)
            .map(|i| json!([format!("r{}.displacement", i - 1), format!("r{i}.displacement")])),
    );
    links.push(json!([format!("r{}.displacement", nodes - 1), "output.displacement"]));
    let mut all = serde_json::Map::new();
    all.insert("output".to_owned(), json!({ "type": "Output" }));
    all.insert("trail".to_owned(), json!({ "type": "Floppy" }));
    for i in 0..nodes {
        all.insert(format!("r{i}"), json!({ "type": "Relax", "settings": { "passes": passes } }));
    }
    json!({ "format": 1, "style": { "graph": { "links": links, "nodes": all } } }).to_string()
}

#[test]
fn smoothing_counts_as_work() {
    let folder = Folder::new();
    folder.write("many.jounce", smoothing(150, 100));
    let said = folder.run("check many.jounce").said;
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("fewer passes of smoothing"), "{}", said.stdout);
    folder.refuses("bake tube --graph many.jounce --frames 0..2 -o out.pc2", "smoothing");
    folder.run("bake tube --graph many.jounce --frames 0..2 -o out.pc2 --anyway");
    folder.write("some.jounce", smoothing(20, 100));
    folder.says("bake tube --graph some.jounce --frames 0..2 -o out.pc2", 0, "");
    // On a mesh that is too large for so much.
    folder.write("body.glb", body(300, 500));
    folder.refuses("bake body.glb --graph some.jounce --rest -o out.pc2", "smooths 2000 times");
    // In one node.
    let script = "//! Smooths.\nnode(\"Smooth\", \"Limits\");\ninput(\"x\", FLOAT, 0);\noutput(\"y\", FLOAT);\n\
                  fn eval(x) { let y = x * REST_POSITION.x; for i in 0..1000 { y = relax(y, 0.5, 100); } y }\n";
    folder.write("smooth.rhai", script);
    let said = folder.run("check smooth.rhai").said;
    assert!(said.code == 1 && said.stdout.contains("too large"), "{}", said.stdout);
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Whoever reads it: never waits, and says what it is.
#[test]
fn only_regular_files_are_read() {
    let folder = Folder::new();
    for ending in ["glb", "gltf", "jounce", "rhai", "pc2", "mdd"] {
        pipe(&folder.path(&format!("pipe.{ending}")));
        std::os::unix::fs::symlink("/dev/zero", folder.path(&format!("device.{ending}"))).unwrap();
        std::fs::create_dir(folder.path(&format!("folder.{ending}"))).unwrap();
        let huge = File::create(folder.path(&format!("huge.{ending}"))).unwrap();
        huge.set_len(1 << 40).unwrap();
        let large = File::create(folder.path(&format!("large.{ending}"))).unwrap();
        large.set_len(1_900_000_000).unwrap();
    }
    folder.write("good.glb", clip_of(1.0, 1));
    let (document, script) = ("is larger than 256 MB", "is longer than 60 KB");
    let cache = "is not a complete point cache";
    for name in ["pipe", "device", "folder", "huge", "large"] {
        let kind = format!("it is a {name}");
        // Of a buffer no more is read than belongs to the character, so its file may be of any size.
        let [character, buffer, document, script, cache] = match name {
            "huge" => ["bytes", "no mesh", document, script, cache],
            "large" => ["does not begin like", "no mesh", document, script, cache],
            _ => [&kind[..]; 5],
        };
        for ending in ["glb", "gltf"] {
            folder.refuses(&format!("inspect {name}.{ending}"), character);
            folder.refuses(&format!("bake {name}.{ending} -o out.pc2"), character);
            let clips = format!("bake good.glb --clips {name}.{ending} -o out.pc2");
            folder.refuses(&clips, character);
        }
        let with_buffer = json!({
            "asset": { "version": "2.0" },
            "buffers": [{ "uri": format!("{name}.glb"), "byteLength": 4 }]
        });
        folder.write("buffer.gltf", with_buffer.to_string());
        folder.refuses("inspect buffer.gltf", buffer);
        folder.refuses(&format!("bake good.glb --graph {name}.jounce -o out.pc2"), document);
        let checked = folder.run(&format!("check {name}.jounce")).said;
        let text = checked.stderr + checked.stdout.as_str();
        assert!(checked.code == 1 && text.contains(document), "{text}");
        let checked = folder.run(&format!("check {name}.rhai")).said;
        assert!(checked.code == 1 && checked.stdout.contains(script), "{}", checked.stdout);
        for ending in ["pc2", "mdd"] {
            folder.refuses(&format!("join {name}.{ending} -o joined.{ending}"), cache);
        }
    }
    // A folder of scripts that has them all still has the others.
    folder.says("check default --scripts .", 0, "it is a pipe");
    folder.refuses("inspect /dev/stdin", "only regular files are read");
}

/// Each of them is of the size that a whole character may have, and four bytes of each are used.
#[test]
fn twenty_buffers_in_files_of_two_gigabytes() {
    let folder = Folder::new();
    let large = File::create(folder.path("large.bin")).unwrap();
    large.set_len(2 << 30).unwrap();
    let character = |buffer: Value| {
        let document =
            json!({ "asset": { "version": "2.0" }, "buffers": vec![buffer; 20] }).to_string();
        folder.write("buffers.gltf", document);
    };
    character(json!({ "uri": "large.bin", "byteLength": 4 }));
    folder.refuses("inspect buffers.gltf", "no mesh");
    // What it claims to need is refused before any of it is read.
    character(json!({ "uri": "large.bin", "byteLength": (2_u64 << 30) + 1 }));
    folder.refuses("inspect buffers.gltf", "bytes");
    folder.write("small.bin", [0; 3]);
    character(json!({ "uri": "small.bin", "byteLength": 4 }));
    folder.refuses("inspect buffers.gltf", "should hold 4 bytes and holds 3");
}
