//! Time through the program: curves of filters, and parts of a bake that become one.

use crate::support::program::{jounce_fails, jounce_ok, jounce_says};
use std::path::{Path, PathBuf};

fn example(name: &str) -> String {
    format!("{}/examples/{name}.jounce", env!("CARGO_MANIFEST_DIR"))
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_time").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// One row of a table of curves.
#[derive(Debug)]
struct Row {
    time_secs: f64,
    bone: String,
    side: String,
    node: String,
    port: String,
    unit: String,
    magnitude: f64,
    vector: Vec<f64>,
}

/// No name in these tests has a comma.
fn read_csv(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let head = lines.next().unwrap();
    assert_eq!(head, "time_secs,bone,side,node,title,port,unit,magnitude,x,y,z");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), 11, "{line}");
        Row {
            time_secs: fields[0].parse().unwrap(),
            bone: fields[1].to_owned(),
            side: fields[2].to_owned(),
            node: fields[3].to_owned(),
            port: fields[5].to_owned(),
            unit: fields[6].to_owned(),
            magnitude: fields[7].parse().unwrap(),
            vector: fields[8..].iter().filter_map(|field| field.parse().ok()).collect(),
        }
    };
    lines.map(row).collect()
}

/// Times and magnitudes of one side of one node.
fn side(rows: &[Row], node: &str, side: &str) -> Vec<(f64, f64)> {
    let chosen = rows.iter().filter(|row| row.node == node && row.side == side);
    chosen.map(|row| (row.time_secs, row.magnitude)).collect()
}

fn curves(name: &str, args: &[&str]) -> Vec<Row> {
    let path = scratch(name).join("out.csv");
    let mut all = vec!["curves"];
    all.extend(args);
    all.extend(["-o", path.to_str().unwrap()]);
    jounce_ok(&all);
    read_csv(&path)
}

#[test]
fn curves_show_what_goes_into_filters_and_what_comes_out() {
    let graph = example("oscillation");
    let rows = curves("filters", &["giraffe", "--graph", &graph, "--bone", "Head"]);
    assert!(rows.iter().all(|row| row.bone == "Head" && row.vector.len() == 3));
    for row in &rows {
        let unit = if row.node == "swing-angular" { "rad/s" } else { "units/s" };
        assert_eq!((row.unit.as_str(), row.port.as_str()), (unit, "value"), "{row:?}");
        let length = row.vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((row.magnitude - length).abs() < 1e-12, "{row:?}");
    }
    let before = side(&rows, "swing-angular", "before");
    let after = side(&rows, "swing-angular", "after");
    // The clip takes 2.2 s; one more is shown, 60 times a second.
    assert_eq!(before.len(), 193);
    assert_eq!(before.len(), after.len());
    let after_the_end = |curve: &[(f64, f64)]| {
        let late = curve.iter().filter(|(time_secs, _)| *time_secs > 2.3);
        late.map(|(_, magnitude)| *magnitude).fold(0.0, f64::max)
    };
    assert_eq!(after_the_end(&before), 0.0);
    assert!(after_the_end(&after) > 0.1, "it swings on");
}

#[test]
fn curves_are_functions_of_time_and_loops_are_closed() {
    let graph = example("oscillation");
    let args = ["giraffe", "--graph", &graph, "--bone", "Neck.1"];
    let coarse = curves("coarse", &[&args[..], &["--fps", "30"]].concat());
    let fine = curves("fine", &[&args[..], &["--fps", "60"]].concat());
    let of = |rows: &[Row]| side(rows, "swing-angular", "after");
    for (place, coarse) in of(&coarse).iter().enumerate() {
        assert_eq!(*coarse, of(&fine)[2 * place]);
    }
    let looped = curves("looped", &[&args[..], &["--clip", "walk", "--loop"]].concat());
    let looped = of(&looped);
    let (first, last) = (looped[0], looped[looped.len() - 1]);
    assert_eq!(first.1, last.1);
    assert!(last.0 > 1.0 && looped.iter().any(|(_, magnitude)| *magnitude > 0.1));
}

/// Velocity → Delay → a deformer and Spring → a deformer.
const DELAYED: &str = r#"{"format": 1, "style": {"graph": {
    "nodes": {
        "velocity": {"type": "Velocity Extract", "settings": {"smoothing": 0.05}},
        "late": {"type": "Delay", "settings": {"seconds": 0.1}},
        "spring": {"type": "Spring", "title": "on a <spring>"},
        "trail": {"type": "Floppy"},
        "out": {"type": "Output"}},
    "links": [["velocity.angular", "late.value"], ["late.value", "spring.value"],
        ["spring.value", "trail.angular"], ["trail.displacement", "out.displacement"]]}}}"#;

#[test]
fn a_delay_shows_the_same_later_and_a_chain_is_drawn_once() {
    let folder = scratch("delayed");
    let graph = folder.join("delayed.jounce");
    std::fs::write(&graph, DELAYED).unwrap();
    let graph = graph.to_str().unwrap();
    let rows = curves("delayed_csv", &["giraffe", "--graph", graph, "--bone", "Head"]);
    let (before, after) = (side(&rows, "late", "before"), side(&rows, "late", "after"));
    for place in 6..before.len() {
        assert!((after[place].1 - before[place - 6].1).abs() < 1e-6, "{:?}", after[place]);
    }
    // What comes out of one goes into the next.
    let spring: Vec<&Row> = rows.iter().filter(|row| row.node == "spring").collect();
    assert_eq!(after, side(&rows, "spring", "before"));
    assert!(spring.iter().any(|row| row.port == "speed" && row.unit == "rad/s²"));
    let svg = folder.join("out.svg");
    let said = jounce_ok(&[
        "curves",
        "giraffe",
        "--graph",
        graph,
        "--bone",
        "Head",
        "--bone",
        "Neck.1",
        "--bone",
        "Head",
        "-o",
        svg.to_str().unwrap(),
    ]);
    assert_eq!(said.matches("Delay, after").count(), 2, "{said}");
    let picture = std::fs::read_to_string(&svg).unwrap();
    for text in [
        "Head: angular velocity, rad/s",
        "Neck.1: angular acceleration, rad/s²",
        "Velocity Extract · angular, before",
        "Delay, after",
        "on a &lt;spring&gt; · value, after",
        "the clip ends",
        "seconds",
    ] {
        assert!(picture.contains(text), "{text} is missing");
    }
    assert_eq!(picture.matches("Delay, after").count(), 2, "once for each bone");
    assert!(picture.starts_with("<svg width=\"960\""));
}

#[test]
fn curves_of_flesh_are_as_far_as_its_softest_vertex_moves() {
    let graph = example("flesh-belly");
    let args = ["cow", "--clip", "hop", "--graph", &graph, "--fps", "24", "--frames", "0..40"];
    let rows = curves("element", &[&args[..], &["--element", "BELLY"]].concat());
    assert!(rows.iter().all(|row| row.bone == "belly" && row.unit == "units"));
    let swing: Vec<&Row> = rows.iter().filter(|row| row.port == "elongation").collect();
    let reach = rows.iter().find(|row| row.port == "reach").unwrap().magnitude;
    assert_eq!((swing.len(), rows.len()), (41, 82));
    let folder = scratch("element_bakes");
    let baked = |name: &str, args: &[&str]| {
        let path = folder.join(name);
        jounce_ok(&[&["bake"], args, &["-o", path.to_str().unwrap()]].concat());
        crate::support::program::read_pc2(&path)
    };
    let styled = baked("styled.pc2", &args);
    let plain = baked("plain.pc2", &["cow", "--clip", "hop", "--fps", "24", "--frames", "0..40"]);
    let mut most: f64 = 0.0;
    for (row, (styled, plain)) in swing.iter().zip(styled.frames.iter().zip(&plain.frames)) {
        // Its weight is 1.
        let moved = crate::support::scene::farthest(styled, plain);
        assert!((row.magnitude - moved).abs() < 1e-5, "{row:?} {moved}");
        assert!(row.magnitude <= reach + 1e-9 && row.vector.len() == 3, "{row:?}");
        most = most.max(row.magnitude);
    }
    assert!(most > 0.05, "{most}");

    // Beside a bone, as a picture; and what is not there.
    let svg = folder.join("both.svg");
    let svg = svg.to_str().unwrap();
    let both = ["--bone", "Root", "--element", "belly", "-o", svg];
    let said = jounce_ok(&[&["curves"], &args[..], &both].concat());
    assert!(said.contains("belly, as far as it may swing"), "{said}");
    let picture = std::fs::read_to_string(svg).unwrap();
    for heading in ["Root: linear velocity, units/s", "belly: displacement, units"] {
        assert!(picture.contains(heading), "{heading}");
    }
    let fails = |graph: &str, element: &str| {
        jounce_fails(&["curves", "cow", "--graph", graph, "--element", element, "-o", svg], 1)
    };
    let wrong = fails(&graph, "bely");
    assert!(wrong.contains("no flesh element \"bely\"; did you mean \"belly\"?"), "{wrong}");
    let wrong = fails("floppy", "belly");
    assert!(wrong.contains("the graph needs a Flesh node"), "{wrong}");
}

#[test]
fn curves_without_filters_are_velocities_and_what_cannot_be_shown_is_said() {
    let folder = scratch("said");
    let (svg, csv) = (folder.join("out.svg"), folder.join("out.csv"));
    let (svg, csv) = (svg.to_str().unwrap(), csv.to_str().unwrap());
    let graph = example("floppy");
    let said = jounce_says(&["curves", "cow", "--graph", &graph, "--bone", "Head", "-o", csv]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("no node in this graph filters"), "{}", said.stderr);
    let rows = read_csv(Path::new(csv));
    assert!(rows.iter().all(|row| row.node.is_empty() && row.side == "before"));
    let units: Vec<&str> = rows.iter().map(|row| row.unit.as_str()).collect();
    assert!(units.contains(&"units/s") && units.contains(&"rad/s"));
    assert!(rows.iter().any(|row| row.unit == "rad/s" && row.magnitude > 0.1));
    // Without a graph they need no explanation.
    let plain = jounce_says(&["curves", "cow", "--bone", "Head", "-o", svg]);
    assert_eq!((plain.code, plain.stderr.as_str()), (0, ""));

    let wrong = jounce_fails(&["curves", "cow", "--bone", "Haed", "-o", svg], 1);
    assert!(wrong.contains("there is no bone \"Haed\""), "{wrong}");
    assert!(wrong.contains("did you mean \"Head\"?"), "{wrong}");
    let wrong = jounce_fails(&["curves", "cow", "--bone", "Head", "--at", "1", "-o", svg], 1);
    assert!(wrong.contains("leave out --at and --velocity"), "{wrong}");
    let wrong =
        jounce_fails(&["curves", "cow", "--bone", "Head", "--frames", "3..3", "-o", svg], 1);
    assert!(wrong.contains("a curve needs more than one frame"), "{wrong}");
    let wrong = jounce_fails(&["curves", "cow", "--bone", "Head", "-o", "out.png"], 2);
    assert!(wrong.contains(".svg or .csv"), "{wrong}");
    let wrong =
        jounce_fails(&["curves", "cow", "--fps", "1000000", "--bone", "Head", "-o", svg], 1);
    assert!(wrong.contains("choose a shorter range, or fewer frames per second"), "{wrong}");
}

/// A stateful bake of some frames, as a part or as a whole.
fn bake(folder: &Path, name: &str, args: &[&str]) -> String {
    let path = folder.join(name).to_str().unwrap().to_owned();
    let graph = example("oscillation");
    let mut all = vec!["bake", "giraffe", "--graph", &graph];
    all.extend(args);
    all.extend(["-o", &path]);
    jounce_ok(&all);
    path
}

#[test]
fn joined_parts_are_the_whole_bake_byte_for_byte() {
    let folder = scratch("join");
    for ending in ["pc2", "mdd"] {
        for (name, motion) in [("once", [].as_slice()), ("loop", &["--clip", "walk", "--loop"])] {
            let part = |frames: &str| {
                let args = [motion, &["--fps", "12", "--frames", frames]].concat();
                bake(&folder, &format!("{name} {frames}.{ending}"), &args)
            };
            let (whole, parts) = (part("0..9"), ["7..9", "0..3", "4..6"].map(part));
            let joined = folder.join(format!("{name} joined.{ending}"));
            let joined = joined.to_str().unwrap();
            let mut args = vec!["join"];
            args.extend(parts.iter().map(String::as_str));
            args.extend(["-o", joined]);
            let said = jounce_ok(&args);
            assert!(said.contains("10 frames from") && said.contains("3 parts"), "{said}");
            let read = |path: &str| std::fs::read(path).unwrap();
            assert!(read(joined) == read(&whole), "{name} {ending}");
        }
    }
    // Frames before 0, and one by one.
    for ending in ["pc2", "mdd"] {
        let part = |frames: &str| {
            bake(&folder, &format!("early {frames}.{ending}"), &["--frames", frames])
        };
        let (whole, parts) = (part("-2..0"), ["0..0", "-2..-2", "-1..-1"].map(part));
        let joined = folder.join(format!("early.{ending}"));
        let joined = joined.to_str().unwrap();
        let mut args = vec!["join"];
        args.extend(parts.iter().map(String::as_str));
        args.extend(["-o", joined]);
        jounce_ok(&args);
        assert!(std::fs::read(joined).unwrap() == std::fs::read(&whole).unwrap(), "{ending}");
    }
}

#[test]
fn join_says_what_is_wrong_and_writes_nothing() {
    let folder = scratch("refused");
    let out = |ending: &str| folder.join(format!("out.{ending}")).to_str().unwrap().to_owned();
    let refused = |parts: &[&str], ending: &str, expected: &str| {
        let out = out(ending);
        let mut args = vec!["join"];
        args.extend(parts);
        args.extend(["-o", &out]);
        let said = jounce_fails(&args, 1);
        assert!(said.contains(expected), "{said}");
        assert!(!Path::new(&out).exists());
    };
    let part = |name: &str, frames: &str| bake(&folder, name, &["--frames", frames]);
    let (a, b, c) = (part("a.pc2", "0..3"), part("b.pc2", "3..5"), part("c.pc2", "7..8"));
    refused(&[&a, &b], "pc2", "frame 3 is both in");
    refused(&[&c, &a], "pc2", "frames 4 to 6 are missing between");
    refused(&[&b, &c], "pc2", "frame 6 is missing between");
    refused(&[&a, &a], "pc2", "frames 0 to 3 are both in");
    let (d, e, f) = (part("d.mdd", "0..3"), part("e.mdd", "3..5"), part("f.mdd", "7..8"));
    refused(&[&d, &e], "mdd", "frames from 0.125 to 0.125 s are both in");
    refused(&[&f, &d], "mdd", "3 frames are missing, from 0.167 to 0.250 s, between");
    let faster = bake(&folder, "faster.mdd", &["--fps", "30", "--frames", "5..7"]);
    refused(&[&d, &faster], "mdd", "30.000 frames per second");
    refused(&[&a, &d], "pc2", "d.mdd is not a .pc2 file");

    let cow = folder.join("cow.pc2").to_str().unwrap().to_owned();
    jounce_ok(&["bake", "cow", "--frames", "4..5", "-o", &cow]);
    refused(&[&a, &cow], "pc2", "all parts must be of one character");
    let into_itself = jounce_fails(&["join", &a, "-o", &a], 1);
    assert!(into_itself.contains("is one of the parts"), "{into_itself}");

    let bytes = std::fs::read(&a).unwrap();
    let broken = folder.join("broken.pc2").to_str().unwrap().to_owned();
    let mut negative = bytes.clone();
    negative[16..20].copy_from_slice(&(-1_i32).to_le_bytes());
    let mut huge = bytes.clone();
    huge[16..20].copy_from_slice(&i32::MAX.to_le_bytes());
    huge[28..32].copy_from_slice(&i32::MAX.to_le_bytes());
    let mut two_samples = bytes.clone();
    two_samples[24..28].copy_from_slice(&2_f32.to_le_bytes());
    let mut nowhere = bytes.clone();
    nowhere[20..24].copy_from_slice(&f32::NAN.to_le_bytes());
    for (content, expected) in [
        (&bytes[..bytes.len() - 1], "its header says"),
        (&bytes[..20], "it ends early"),
        (&[0; 40], "it does not begin like a PC2 file"),
        (&negative, "points or frames is negative"),
        (&huge, "its header says"),
        (&two_samples, "2 samples per frame"),
        (&nowhere, "starts at frame NaN"),
    ] {
        std::fs::write(&broken, content).unwrap();
        refused(&[&broken], "pc2", expected);
    }
    let broken = folder.join("broken.mdd").to_str().unwrap().to_owned();
    let bytes = std::fs::read(&d).unwrap();
    let mut backwards = bytes.clone();
    backwards[8..12].copy_from_slice(&9_f32.to_be_bytes());
    for (content, expected) in [(&bytes[..9], "its header says"), (&backwards, "do not increase")] {
        std::fs::write(&broken, content).unwrap();
        refused(&[&broken], "mdd", expected);
    }
    refused(&[&out("none.pc2")], "pc2", "cannot read");
}
