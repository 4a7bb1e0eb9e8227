//! The contract of the command line.

use crate::support::program::{Cache, jounce_fails, jounce_ok, read_mdd, read_pc2};
use crate::support::shared::shared;
use serde_json::Value;
use std::path::PathBuf;

/// Bakes into a fresh folder and reads the result back.
fn bake(args: &[&str]) -> Cache {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.pc2");
    let mut all = vec!["bake"];
    all.extend(args);
    all.extend(["-o", out.to_str().unwrap()]);
    jounce_ok(&all);
    read_pc2(&out)
}

fn inspect(args: &[&str]) -> Value {
    let mut all = vec!["inspect", "--json"];
    all.extend(args);
    serde_json::from_str(&jounce_ok(&all)).unwrap()
}

fn clip_duration(character: &str, clip: usize) -> f64 {
    inspect(&[character])["clips"][clip]["duration_secs"].as_f64().unwrap()
}

#[test]
fn a_clip_is_baked_from_frame_0_to_the_last_whole_frame() {
    let cache = bake(&["tube", "--fps", "30"]);
    let expected = (clip_duration("tube", 0) * 30.0 + 1e-3).floor() as usize + 1;
    assert_eq!(cache.frames.len(), expected);
    assert_eq!(cache.start_frame, 0.0);
}

#[test]
fn a_range_of_frames_is_the_same_frames_of_the_whole() {
    let whole = bake(&["tube", "--fps", "30"]);
    let part = bake(&["tube", "--fps", "30", "--frames", "7..12"]);
    assert_eq!(part.start_frame, 7.0);
    assert_eq!(part.frames[..], whole.frames[7..=12]);
}

#[test]
fn a_range_may_pass_the_end_and_stands_still_there() {
    let last = (clip_duration("tube", 0) * 24.0).ceil() as i64 + 1;
    let range = format!("{last}..{}", last + 3);
    let cache = bake(&["tube", "--frames", &range]);
    assert!(cache.frames.iter().all(|frame| *frame == cache.frames[0]));
}

#[test]
fn a_loop_has_a_whole_number_of_frames_and_wraps() {
    let looped = bake(&["tube", "--fps", "24", "--loop"]);
    let count = (clip_duration("tube", 0) * 24.0).round() as usize;
    assert_eq!(looped.frames.len(), count);
    let range = format!("{count}..{}", count + 2);
    let again = bake(&["tube", "--fps", "24", "--loop", "--frames", &range]);
    for (a, b) in again.frames.iter().zip(&looped.frames) {
        let off = a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(off < 1e-5, "{off}");
    }
}

#[test]
fn a_character_without_clips_is_baked_at_rest_and_filmed_in_a_test_motion() {
    let Some(path) = shared("characters/awkward/Animation_Skin/Animation_Skin_00.gltf") else {
        return;
    };
    let path = path.to_str().unwrap();
    assert_eq!(bake(&[path]).frames.len(), 1);
    assert!(bake(&[path, "--motion", "hop:joint1", "--fps", "10"]).frames.len() > 5);
}

/// Where the last frame of a loop plus one is the first again, to the last bit.
#[test]
fn a_loop_meets_its_seam_exactly_whatever_its_length() {
    for (character, clip) in [("snail", "turn"), ("cow", "walk"), ("bird", "fly")] {
        let looped = bake(&[character, "--clip", clip, "--fps", "24", "--loop"]);
        let count = looped.frames.len();
        let range = format!("{count}..{}", count + 1);
        let again = bake(&[character, "--clip", clip, "--loop", "--frames", &range]);
        assert_eq!(again.frames[..], looped.frames[..2], "{character} {clip}");
    }
}

#[test]
fn a_reversed_clip_ends_where_it_begins() {
    let forward = bake(&["tube", "--at", "0.25"]);
    let at = (clip_duration("tube", 0) - 0.25).to_string();
    let backward = bake(&["tube", "--reverse", "--at", &at]);
    let off = forward.frames[0].iter().zip(&backward.frames[0]).map(|(a, b)| a.distance(*b));
    assert!(off.fold(0.0, f32::max) < 1e-5);
}

#[test]
fn mdd_holds_the_same_positions_and_the_times() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.mdd");
    jounce_ok(&["bake", "tube", "--frames", "0..4", "--fps", "25", "-o", out.to_str().unwrap()]);
    let (mdd, times) = read_mdd(&out);
    assert_eq!(mdd.frames, bake(&["tube", "--frames", "0..4", "--fps", "25"]).frames);
    assert_eq!(times, [0.0, 0.04, 0.08, 0.12, 0.16]);
}

#[test]
fn dual_quaternions_differ_from_linear_blending_where_limbs_bend() {
    let lbs = bake(&["tube", "--clip", "twist", "--at", "0.4"]);
    let dqs = bake(&["tube", "--clip", "twist", "--at", "0.4", "--base", "dqs"]);
    let off = lbs.frames[0].iter().zip(&dqs.frames[0]).map(|(a, b)| a.distance(*b));
    let off = off.fold(0.0, f32::max);
    assert!(off > 1e-4 && off < 0.5, "{off}");
}

#[test]
fn test_motions_move_their_bone_and_nothing_above_it() {
    let rest = bake(&["cow", "--velocity", "Head:0,0,0,0,0,0"]).frames.remove(0);
    for motion in ["nod", "shake", "twist", "hop", "spin", "turn-and-stop"] {
        let cache = bake(&["cow", "--motion", &format!("{motion}:Head"), "--fps", "20"]);
        let moved = |frame: &Vec<glam::Vec3>| {
            frame.iter().zip(&rest).filter(|(a, b)| a.distance(**b) > 1e-4).count()
        };
        let most = cache.frames.iter().map(moved).max().unwrap();
        assert!(most > rest.len() / 50, "{motion} moves {most} vertices");
        assert!(most < rest.len() * 3 / 4, "{motion} moves {most} of {}", rest.len());
        let last = cache.frames.last().unwrap();
        let off =
            last.iter().zip(&cache.frames[0]).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(off < 0.02, "{motion} does not end where it began: {off}");
    }
}

#[test]
fn inspect_tells_counts_bones_clips_and_maps() {
    let report = inspect(&["bird"]);
    assert_eq!(report["bones"].as_array().unwrap().len(), 1);
    assert!(report["clips"].as_array().unwrap().len() >= 2);
    let maps: Vec<&str> =
        report["maps"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert!(maps.contains(&"softness") && maps.contains(&"color_r"), "{maps:?}");
    let text = jounce_ok(&["inspect", "giraffe"]);
    assert!(text.contains("bones (") && text.contains("clips (") && text.contains("bounds"));
}

#[test]
fn inspect_shows_velocities_given_or_of_a_clip() {
    let report = inspect(&["cow", "--velocity", "Head:1,2,3,4,5,6"]);
    let bones = report["moment"]["bones"].as_array().unwrap();
    let head = bones.iter().find(|bone| bone["name"] == "Head").unwrap();
    assert_eq!(head["angular_velocity"], serde_json::json!([1.0, 2.0, 3.0]));
    assert_eq!(head["linear_velocity"], serde_json::json!([4.0, 5.0, 6.0]));
    let report = inspect(&["cow", "--motion", "spin:Head", "--at", "0.3"]);
    let bones = report["moment"]["bones"].as_array().unwrap();
    let head = bones.iter().find(|bone| bone["name"] == "Head").unwrap();
    // A full turn in two seconds about the vertical.
    let omega = head["angular_velocity"][1].as_f64().unwrap();
    assert!((omega - std::f64::consts::PI).abs() < 1e-3, "{omega}");
}

#[test]
fn what_is_wrong_is_told_with_what_to_do_about_it() {
    let cases: [(&[&str], i32, &str); 19] = [
        (&["bake", "kow", "-o", "x.pc2"], 1, "cow"),
        (&["bake", "missing.glb", "-o", "x.pc2"], 1, "check the path"),
        (&["bake", "tube", "-o", "x.obj"], 2, ".pc2"),
        (&["bake", "tube", "--clip", "jog", "-o", "x.pc2"], 1, "\"wave\""),
        (&["bake", "tube", "--frames", "9..3", "-o", "x.pc2"], 2, "ends before"),
        (&["bake", "tube", "--frames", "0..99999999", "-o", "x.pc2"], 2, "more than"),
        (
            &["bake", "tube", "--frames", "0..3", "--at", "1", "-o", "x.pc2"],
            2,
            "cannot be used with",
        ),
        (&["bake", "tube", "--fps", "0", "-o", "x.pc2"], 2, "greater than 0"),
        (&["bake", "tube", "--at", "nan", "-o", "x.pc2"], 2, "seconds"),
        (&["bake", "cow", "--motion", "wobble:Head", "-o", "x.pc2"], 2, "turn-and-stop"),
        (&["bake", "cow", "--motion", "nod", "-o", "x.pc2"], 2, "nod:Head"),
        (&["bake", "cow", "--motion", "nod:Haed", "-o", "x.pc2"], 1, "did you mean \"Head\""),
        (&["bake", "cow", "--velocity", "Head:1,2", "-o", "x.pc2"], 2, "Head:0,2,0,0,0,0"),
        (
            &["bake", "tube", "-o", "no/such/folder/x.pc2"],
            1,
            "folder no/such/folder does not exist",
        ),
        (&["characters", "cow", "-o", "cow"], 1, ".glb"),
        (&["characters", "-o", "all.glb"], 1, "folder"),
        (&["characters", "cow", "--vertices", "10", "-o", "cow.glb"], 1, "2000 to 4000000"),
        (&["inspect", "cow", "--smoothing", "0.1"], 2, "--at"),
        (&["characters", "unicorn"], 1, "giraffe"),
    ];
    for (args, code, word) in cases {
        let message = jounce_fails(args, code);
        assert!(message.contains(word), "jounce {args:?}: {message:?} lacks {word:?}");
        assert!(!message.contains("panicked"), "{message}");
    }
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_build_without_gpu_support_says_so_and_what_builds_it() {
    let floppy = ["render", "cow", "--graph", "floppy", "-o", "x.png"];
    let cases: [&[&str]; 6] = [
        &["gpus"],
        &["gpus", "--json"],
        &["compare", "cow", "--graph", "floppy", "--tolerance", "1e-5"],
        &[&floppy[..], &["--backend", "gpu"]].concat(),
        &[&floppy[..], &["--draw", "gpu"]].concat(),
        &[&floppy[..], &["--gpu", "0"]].concat(),
    ];
    for args in cases {
        let said = jounce_fails(args, 2);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["has no GPU support", "`cargo run --release`", "`cargo install --path .`"] {
            assert!(said.contains(part), "{args:?}: {said}");
        }
    }
}

#[test]
fn our_characters_are_written_as_glb_and_load_back_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("snail.glb");
    jounce_ok(&["characters", "snail", "-o", out.to_str().unwrap()]);
    let (written, built_in) = (inspect(&[out.to_str().unwrap()]), inspect(&["snail"]));
    for key in ["vertices", "triangles"] {
        assert_eq!(written[key], built_in[key], "{key}");
    }
    for list in ["bones", "clips", "maps"] {
        let names = |report: &Value| -> Vec<Value> {
            report[list].as_array().unwrap().iter().map(|item| item["name"].clone()).collect()
        };
        assert_eq!(names(&written), names(&built_in), "{list}");
    }
}

#[test]
fn clips_of_another_file_play_by_bone_name() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.glb");
    jounce_ok(&["characters", "tube", "-o", other.to_str().unwrap()]);
    let own = bake(&["tube", "--clip", "twist", "--frames", "0..5"]);
    let borrowed =
        bake(&["tube", "--clips", other.to_str().unwrap(), "--clip", "twist", "--frames", "0..5"]);
    assert_eq!(own, borrowed);
    let message =
        jounce_fails(&["bake", "bird", "--clips", other.to_str().unwrap(), "-o", "x.pc2"], 1);
    assert!(message.contains("none of the bones"), "{message}");
}

#[test]
fn a_skeleton_without_a_mesh_lends_its_clips_and_is_refused_as_a_character() {
    let Some(fox) = shared("characters/Fox.glb") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let bare: PathBuf = folder.path().join("bare.glb");
    std::fs::write(&bare, without_mesh(&std::fs::read(&fox).unwrap())).unwrap();
    let (fox, bare) = (fox.to_str().unwrap(), bare.to_str().unwrap());
    let own = bake(&[fox, "--clip", "Run", "--frames", "0..5"]);
    let borrowed = bake(&[fox, "--clips", bare, "--clip", "Run", "--frames", "0..5"]);
    assert_eq!(own, borrowed);
    assert!(jounce_fails(&["inspect", bare], 1).contains("no mesh"));
}

fn without_mesh(glb: &[u8]) -> Vec<u8> {
    let parsed = gltf::Glb::from_slice(glb).unwrap();
    let mut json: Value = serde_json::from_slice(&parsed.json).unwrap();
    for key in ["meshes", "skins", "materials", "textures", "images"] {
        json.as_object_mut().unwrap().remove(key);
    }
    for node in json["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("mesh");
        node.as_object_mut().unwrap().remove("skin");
    }
    let json = serde_json::to_vec(&json).unwrap();
    gltf::Glb { header: parsed.header, json: json.into(), bin: parsed.bin }.to_vec().unwrap()
}

/// The numbers of a legend are the least and the most of what is shown; pictures keep their size.
#[test]
fn heat_maps_say_their_range_and_what_they_do_not_know() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heat.png").to_str().unwrap().to_owned();
    let small = ["--resolution", "240x180", "-o", &path];
    let heat = |args: &[&str]| jounce_ok(&[&["render"], args, &small].concat());
    let said = heat(&["mushroom", "--rest", "--graph", "mushroom", "--heat", "flesh:cap"]);
    assert!(said.ends_with("; flesh:cap from 0 to 1\n"), "{said}");
    assert_eq!(image::image_dimensions(&path).unwrap(), (240, 180));
    let said = heat(&["bird", "--heat", "map:softness"]);
    assert!(said.ends_with("; map:softness from −1 to 1\n"), "{said}");
    assert!(heat(&["cow", "--heat", "bone:Head"]).ends_with("; bone:Head from 0 to 1\n"));

    // Of a port over several moments: as a bake has it.
    let graph = ["tube", "--clip", "wave", "--graph", "floppy", "--loop"];
    let said =
        heat(&[&graph[..], &["--strip", "4", "--even", "--heat", "trail.displacement"]].concat());
    let (_, most) = said.trim_end().rsplit_once(" to ").unwrap();
    let most: f64 = most.parse().unwrap();
    let styled = bake(&[&graph[..], &["--fps", "2"]].concat());
    let plain = bake(&["tube", "--clip", "wave", "--loop", "--fps", "2"]);
    assert_eq!(styled.frames.len(), 4);
    let moved = styled.frames.iter().zip(&plain.frames);
    let moved = moved.map(|(a, b)| crate::support::scene::farthest(a, b)).fold(0.0, f64::max);
    assert!((most - moved).abs() < 1e-4 * moved, "{most} {moved}");

    let fails = |args: &[&str]| jounce_fails(&[&["render"], args, &small].concat(), 1);
    let wrong = fails(&["mushroom", "--graph", "mushroom", "--heat", "flesh:cup"]);
    assert!(wrong.contains("did you mean \"cap\"?"), "{wrong}");
    let wrong = fails(&["tube", "--graph", "floppy", "--heat", "trial.displacement"]);
    assert!(wrong.contains("did you mean \"trail\"?"), "{wrong}");
    assert!(fails(&["tube", "--heat", "trail.displacement"]).contains("--graph"));
    assert!(fails(&["tube", "--heat", "flesh"]).contains("needs a Flesh node"));
    let part = ["--heat", "flesh.per bone", "--heat-bone"];
    let part = |bone| [&["mushroom", "--graph", "mushroom", "--loop"], &part[..], &[bone]].concat();
    assert_eq!(fails(&part("cup")).lines().count(), 1);
    assert!(heat(&part("cap")).contains("flesh.per bone of cap from 0 to"));
    let wrong = fails(&["cow", "--heat", "bone:Head", "--heat-bone", "Head"]);
    assert!(wrong.contains("bone:Head cannot be split by bone; leave out --heat-bone"), "{wrong}");
    let wrong = jounce_fails(&[&["render", "cow", "--heat", "nothing"], &small[..]].concat(), 2);
    assert!(wrong.contains("NODE.PORT"), "{wrong}");
}

#[test]
fn a_parameter_can_be_varied_in_one_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vary.png").to_str().unwrap().to_owned();
    let args = ["render", "mushroom", "--rest", "--graph", "mushroom", "--resolution", "120x90"];
    let vary = ["--vary", "sag=0,0.1,0", "-o", &path];
    jounce_ok(&[&args[..], &vary].concat());
    let picture = image::open(&path).unwrap().to_rgba8();
    assert_eq!(picture.dimensions(), (360, 90));
    let of = |i: u32| image::imageops::crop_imm(&picture, 120 * i, 0, 120, 90).to_image();
    assert!(of(0) == of(2) && of(0) != of(1));
    let wrong = jounce_fails(&[&args[..], &["--vary", "sga=1", "-o", &path]].concat(), 1);
    assert!(wrong.contains("sag"), "{wrong}");
    jounce_fails(&[&args[..], &["--vary", "sag", "-o", &path]].concat(), 2);
    #[cfg(feature = "gpu")]
    let on_gpu = ["--vary", "sag=1", "--backend", "gpu", "-o", &path];
    #[cfg(feature = "gpu")]
    assert!(jounce_fails(&[&args[..], &on_gpu].concat(), 1).contains("leave out --backend gpu"));
}

/// Pictures have the size that was asked for, and films as many frames as a bake.
#[test]
fn pictures_and_films_are_written() {
    use image::AnimationDecoder;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let size = |file: &str| image::image_dimensions(file).unwrap();
    let (still, strip, ghosts, film) =
        (path("still.png"), path("strip.png"), path("ghosts.png"), path("film.gif"));
    jounce_ok(&["render", "tube", "--at", "0.4", "--resolution", "120x90", "-o", &still]);
    assert_eq!(size(&still), (120, 90));
    jounce_ok(&["render", "tube", "--strip", "3", "--skeleton", "--wireframe", "-o", &strip]);
    assert_eq!(size(&strip).1, 400);
    let small = ["--resolution", "90x60"];
    let ghosts_args = ["render", "tube", "--strip", "3", "--ghosts", "-o", &ghosts];
    jounce_ok(&[&ghosts_args[..], &small].concat());
    assert_eq!(size(&ghosts), (90, 60));
    let film_args = ["render", "tube", "--fps", "6", "--loop", "-o", &film];
    jounce_ok(&[&film_args[..], &small].concat());
    let file = std::io::BufReader::new(std::fs::File::open(&film).unwrap());
    let frames = image::codecs::gif::GifDecoder::new(file).unwrap().into_frames();
    let frames = frames.collect_frames().unwrap();
    assert_eq!(frames.len(), bake(&["tube", "--fps", "6", "--loop"]).frames.len());
    assert!(frames[0].buffer() != frames[3].buffer(), "nothing moves");
    let shown_secs: f64 = frames
        .iter()
        .map(|frame| frame.delay().numer_denom_ms())
        .map(|(numerator, denominator)| f64::from(numerator) / f64::from(denominator) / 1000.0)
        .sum();
    assert!((shown_secs - clip_duration("tube", 0)).abs() < 0.02, "{shown_secs} s");
}
