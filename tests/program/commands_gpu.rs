//! The command line with a graphics adapter: `gpus`, `compare`, `bake` and `render --backend gpu`.
#![cfg(feature = "gpu")]

use crate::support::gpu_or_skip;
use crate::support::program::{jounce_fails, jounce_ok, jounce_says, read_pc2};
use std::path::PathBuf;

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli_gpu");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn gpus_lists_adapters() {
    if gpu_or_skip().is_none() {
        return;
    }
    let text = jounce_ok(&["gpus"]);
    assert!(text.starts_with("0  ") && text.contains("the default"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&jounce_ok(&["gpus", "--json"])).unwrap();
    assert!(json[0]["largest_buffer_bytes"].as_u64().unwrap() > 1 << 20);
    let unknown =
        jounce_fails(&["compare", "tube", "--graph", "default", "--gpu", "no such thing"], 1);
    assert!(unknown.contains("there is no graphics adapter \"no such thing\"; there are 0 ("));
}

#[test]
fn compare_tells_the_largest_difference_and_the_node() {
    if gpu_or_skip().is_none() {
        return;
    }
    let args = ["compare", "giraffe", "--graph", "velocity-skinning", "--frames", "0..3"];
    let text = jounce_ok(&args);
    assert!(text.contains("largest difference") && text.contains("Floppy"), "{text}");
    let json = jounce_ok(&[&args[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let difference = json["largest_difference"].as_f64().unwrap();
    assert!(difference > 0.0 && difference < 1e-5, "{difference}");
    assert!(json["nodes"].as_array().unwrap().len() >= 2);
    let strict = jounce_fails(&[&args[..], &["--tolerance", "1e-12"]].concat(), 1);
    assert!(strict.contains("more than 1e-12"), "{strict}");
    jounce_fails(&[&args[..], &["--tolerance", "nan"]].concat(), 2);
    let relaxed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/relax.jounce");
    let text = jounce_ok(&["compare", "cow", "--graph", relaxed, "--frames", "0..1"]);
    assert!(text.contains("Relax"), "{text}");
    let none = jounce_fails(&["compare", "giraffe"], 1);
    assert!(none.contains("give one with --graph"), "{none}");
}

#[test]
fn a_bake_by_the_gpu_is_that_of_the_cpu() {
    if gpu_or_skip().is_none() {
        return;
    }
    let bake = |backend: &str| {
        let out = scratch(&format!("{backend}.pc2"));
        let path = out.display().to_string();
        let args = ["bake", "cow", "--graph", "cow-bouncy", "--frames", "0..4", "--backend"];
        jounce_ok(&[&args[..], &[backend, "-o", &path]].concat());
        read_pc2(&out)
    };
    let (cpu, gpu) = (bake("cpu"), bake("gpu"));
    let size = 2.0;
    for (cpu, gpu) in cpu.frames.iter().flatten().zip(gpu.frames.iter().flatten()) {
        assert!(cpu.distance(*gpu) < 1e-5 * size, "{cpu} {gpu}");
    }
}

#[test]
fn a_picture_of_what_the_gpu_computed_is_that_of_the_cpu() {
    if gpu_or_skip().is_none() {
        return;
    }
    let render = |backend: &str, more: &[&str]| {
        let out = scratch(&format!("{backend}{}.png", more.len()));
        let path = out.display().to_string();
        let args = ["render", "cow", "--graph", "cow-bouncy", "--resolution", "160x120"];
        let backend = ["--backend", backend, "-o", &path];
        jounce_ok(&[&args[..], &backend[..], more].concat());
        image::open(out).unwrap().to_rgb8()
    };
    for more in [&["--at", "0.2"][..], &["--strip", "3", "--loop", "--beside"]] {
        let (cpu, gpu) = (render("cpu", more), render("gpu", more));
        let different = cpu
            .pixels()
            .zip(gpu.pixels())
            .filter(|(a, b)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 24));
        // Edges may fall on the other side of a pixel.
        assert!(different.count() < cpu.pixels().len() / 100);
    }
}

#[test]
fn every_command_says_where_a_graph_moves_nothing() {
    if gpu_or_skip().is_none() {
        return;
    }
    let (png, pc2) = (scratch("still.png"), scratch("still.pc2"));
    let picture = ["-o", png.to_str().unwrap(), "--resolution", "60x40"];
    let cache = ["-o", pc2.to_str().unwrap(), "--backend", "gpu", "--frames", "0..1"];
    let cases: [(&str, &[&str], &str); 5] = [
        ("compare", &["--frames", "0..1"], "in any of these 2 frames"),
        ("bake", &cache, "in any of these 2 frames"),
        ("render", &picture, "in this one frame"),
        ("render", &[&picture[..], &["--backend", "gpu"]].concat(), "in this one frame"),
        ("render", &[&picture[..], &["--strip", "3"]].concat(), "in any of these 3 frames"),
    ];
    for (command, more, expected) in cases {
        let said = |graph: &str| {
            let said = jounce_says(&[&[command, "tube", "--graph", graph], more].concat());
            assert_eq!(said.code, 0, "{}", said.stderr);
            said.stderr
        };
        let nothing = said("tail-whip");
        let expected = format!("did not move any vertex {expected}");
        assert!(nothing.contains(&expected), "{command} {more:?}: {nothing}");
        assert!(!said("floppy").contains("did not move any vertex"), "{command} {more:?}");
    }
}
