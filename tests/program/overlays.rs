//! `jounce render`: overlays, comparisons and crowds by option, read back from pictures and bakes; drawn by the CPU, and
//! by the GPU where there is an adapter.

use crate::support::program::{jounce_fails, jounce_ok, jounce_says, read_pc2};
#[cfg(feature = "gpu")]
use crate::support::{Lacking, skip_for_lack_of_gpu};
use glam::{DVec3, Vec3};
use image::RgbaImage;
use jounce::draw::{Mark, Shape};
use jounce::graph::built_in_style;
use jounce::motion::BoneMotion;
use jounce::script::ScriptFolders;
use jounce::session::{
    Cast, PathFrames, Session, Show, TRACE_STEPS, TRACES, outermost_vertex, overlays, paths_at,
    spread_vertices, trajectories,
};
use std::path::PathBuf;

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli_overlays");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Who draws, as `--draw` has it.
#[derive(Clone, Copy)]
struct By(&'static str);

fn for_each_painter(test: impl Fn(By)) {
    test(By("cpu"));
    #[cfg(feature = "gpu")]
    match jounce::gpu::Gpu::new() {
        Ok(_) => test(By("gpu")),
        Err(why) => skip_for_lack_of_gpu(Lacking::GpuPart, &why.to_string()),
    }
}

impl By {
    /// A small picture of a cow that hops.
    fn render(self, name: &str, args: &[&str]) -> RgbaImage {
        self.render_of(name, &[&["cow", "--clip", "hop", "--at", "0.3"], args].concat())
    }

    fn render_of(self, name: &str, args: &[&str]) -> RgbaImage {
        self.render_large(name, &[args, &["--resolution", "240x180"]].concat())
    }

    fn render_large(self, name: &str, args: &[&str]) -> RgbaImage {
        let By(by) = self;
        let out = scratch(&format!("{name}-{by}.png"));
        let path = out.display().to_string();
        jounce_ok(&[&["render"], args, &["--draw", by, "-o", &path]].concat());
        image::open(out).unwrap().to_rgba8()
    }

    fn with_graph(self, name: &str, args: &[&str]) -> RgbaImage {
        self.render(name, &[&GRAPH[..], args].concat())
    }
}

const GRAPH: [&str; 2] = ["--graph", "cow-bouncy"];

fn differing(a: &RgbaImage, b: &RgbaImage) -> usize {
    assert_eq!(a.dimensions(), b.dimensions());
    a.pixels().zip(b.pixels()).filter(|(a, b)| a != b).count()
}

/// The left and the right half.
fn halves(image: &RgbaImage) -> [RgbaImage; 2] {
    let (width, height) = (image.width() / 2, image.height());
    [0, width].map(|x| image::imageops::crop_imm(image, x, 0, width, height).to_image())
}

#[test]
fn every_overlay_changes_the_picture() {
    for_each_painter(|by| {
        let bare = by.with_graph("bare", &[]);
        assert_eq!(
            differing(&bare, &by.with_graph("again", &[])),
            0,
            "a picture is always the same"
        );
        for option in ["--wireframe", "--skeleton", "--axes", "--centroids", "--ghost"] {
            let drawn = differing(&bare, &by.with_graph(&option[2..], &[option]));
            assert!(drawn > 50, "{option}: {drawn} pixels");
        }
        // Without a graph too.
        let bare = by.render("no-graph", &[]);
        for option in ["--axes", "--centroids"] {
            let drawn = by.render(&format!("no-graph-{}", &option[2..]), &[option]);
            assert!(differing(&bare, &drawn) > 50, "{option}");
        }
        let strip = ["--strip", "3", "--resolution", "480x160"];
        let of = |name: &str, more: &[&str]| {
            by.render_large(name, &[&["cow", "--clip", "hop"], &GRAPH[..], &strip, more].concat())
        };
        let (bare, axes) = (of("strip", &[]), of("strip-axes", &["--axes"]));
        for third in 0..3 {
            let part = |image: &RgbaImage| {
                image::imageops::crop_imm(image, third * 160, 0, 160, 160).to_image()
            };
            assert!(differing(&part(&bare), &part(&axes)) > 20, "moment {third} has its own axes");
        }
    });
}

#[test]
fn axes_are_red_green_and_blue() {
    for_each_painter(|by| {
        let (bare, axes) = (by.render("plain", &[]), by.render("axes-of-plain", &["--axes"]));
        let mut seen = [false; 3];
        for (before, after) in bare.pixels().zip(axes.pixels()).filter(|(a, b)| a != b) {
            for (channel, seen) in seen.iter_mut().enumerate() {
                let grown = |of: usize| i32::from(after.0[of]) - i32::from(before.0[of]);
                let others = [(channel + 1) % 3, (channel + 2) % 3];
                *seen |= others.iter().all(|&other| grown(channel) > grown(other) + 60);
            }
        }
        assert_eq!(seen, [true; 3]);
    });
}

#[test]
fn without_displacements_it_is_plain_skinning_pixel_for_pixel() {
    for_each_painter(|by| {
        let plain = by.render("plain", &[]);
        let [none, once, twice] = ["0", "1", "2"]
            .map(|times| by.with_graph(&format!("times-{times}"), &["--exaggerate", times]));
        assert_eq!(differing(&none, &plain), 0);
        assert_eq!(differing(&once, &by.with_graph("bare", &[])), 0);
        assert!(differing(&twice, &once) > 500);
    });
}

#[test]
fn the_left_of_a_split_is_plain_and_the_right_is_the_graph() {
    for_each_painter(|by| {
        // Both are framed alike, which a picture of one alone is not.
        let [plain, deformed] = halves(&by.with_graph("beside", &["--beside"]));
        assert!(differing(&plain, &deformed) > 500);
        assert_eq!(differing(&by.with_graph("split-0", &["--split", "0"]), &deformed), 0);
        assert_eq!(differing(&by.with_graph("split-1", &["--split", "1"]), &plain), 0);
        let half = by.with_graph("split", &["--split", "0.5"]);
        for (x, y, pixel) in half.enumerate_pixels().filter(|(_, y, _)| *y > 30) {
            let expected = if x < 118 { &plain } else { &deformed };
            assert!((118..123).contains(&x) || pixel == expected.get_pixel(x, y), "{x} {y}");
        }
    });
}

#[test]
fn two_graphs_are_compared_with_each_other() {
    for_each_painter(|by| {
        let compare = ["--compare", "squash"];
        let split = |part: &'static str| [&compare[..], &["--split", part]].concat();
        let with_labels = by.with_graph("compare", &compare);
        let [b, a] = halves(&with_labels);
        let (left, right) = (by.with_graph("b", &split("1")), by.with_graph("a", &split("0")));
        let below =
            |image: &RgbaImage| image::imageops::crop_imm(image, 0, 30, 240, 150).to_image();
        assert_eq!(
            differing(&below(&b), &below(&left)),
            0,
            "side by side, if nothing else is asked"
        );
        assert_eq!(differing(&below(&a), &below(&right)), 0);
        assert!(differing(&left, &right) > 500);
        // With itself there is nothing to see.
        let same = ["--compare", "cow-bouncy", "--split"];
        let same =
            |part: &str| by.with_graph(&format!("same-{part}"), &[&same[..], &[part]].concat());
        assert_eq!(differing(&same("0"), &same("1")), 0);
        let ghost = by.with_graph("ghost-of-b", &["--compare", "squash", "--ghost"]);
        assert!(differing(&ghost, &by.with_graph("ghost-of-plain", &["--ghost"])) > 100);
    });
}

const SPIN: &str = "Head:0,9,0,0,0,0";

#[test]
fn trajectories_end_where_the_vertices_are() {
    for (style, time_secs) in [("floppy", 0.0), ("oscillation", 0.5)] {
        traces_end_on_a_bake(style, time_secs);
    }
}

/// What the picture is made from, and what a bake of the same velocity says.
fn traces_end_on_a_bake(style: &str, time_secs: f64) {
    let document = built_in_style(style).unwrap();
    let document = jounce::graph::Document {
        motion: jounce::graph::MotionSettings {
            character: Some("cow".to_owned()),
            ..document.motion.clone()
        },
        ..document
    };
    let cast = Cast::load(&document.motion, None).unwrap();
    let scripts = ScriptFolders::new(Vec::new(), std::time::SystemTime::now());
    let show = Show::new(&Session::new(document, cast, scripts)).unwrap();
    let character = show.character();
    let mut velocities = vec![BoneMotion::ZERO; character.skeleton.bones.len()];
    velocities[character.skeleton.bone_named("Head").unwrap()].angular = DVec3::Y * 9.0;
    let vertices = spread_vertices(&character.rest().positions, TRACES);
    let pose = character.rest_pose().clone();
    let at = (&pose, time_secs);
    let trajectories =
        trajectories(show.performer(), at, &velocities, &vertices, TRACE_STEPS).unwrap();
    let cache = scratch("spin.pc2");
    let (rest, at) = (["--rest"], time_secs.to_string());
    let motion = ["cow", "--graph", style, "--velocity", SPIN, "--at", &at];
    jounce_ok(&[&["bake"], &motion[..], &rest, &["-o", cache.to_str().unwrap()]].concat());
    let baked = read_pc2(&cache).frames.remove(0);
    let mut longest: f32 = 0.0;
    for (path, &vertex) in trajectories.paths.iter().zip(&vertices) {
        assert_eq!(path.len(), TRACE_STEPS + 1);
        assert!(path[TRACE_STEPS].distance(baked[vertex]) < 1e-5);
        longest = longest.max(path[0].distance(path[TRACE_STEPS]));
    }
    assert!(longest > 0.05, "{longest}");
    // Marks of twice the displacement end at twice the displacement.
    let marks = overlays::traces(&trajectories, &[], 2.0);
    let ends: Vec<Vec3> = marks
        .iter()
        .filter_map(|mark| match &mark.shape {
            // The edge around a line is no line of its own.
            Shape::Line { points, .. } if mark.opacity == 1.0 => points.last().copied(),
            _ => None,
        })
        .collect();
    let moved = trajectories.paths.iter().filter(|path| path[0] != path[TRACE_STEPS]);
    let expected: Vec<Vec3> =
        moved.map(|path| path[0] + (path[TRACE_STEPS] - path[0]) * 2.0).collect();
    assert_eq!(ends, expected);
    // They are in the picture, over a ghost.
    for_each_painter(|by| {
        let ghost = by.render_of("spin-ghost", &[&motion[..], &["--ghost"]].concat());
        let drawn = by.render_of("spin", &[&motion[..], &["--trajectories"]].concat());
        assert!(differing(&ghost, &drawn) > 200);
    });
}

#[test]
fn ticks_of_a_path_are_where_bakes_have_the_vertex() {
    let out = scratch("path.png");
    let motion = ["dragon", "--clip", "tail whip", "--graph", "ears-and-tail", "--loop"];
    let bone = "Tail.2";
    let path = ["--path", bone, "--at", "0.4", "-o", out.to_str().unwrap()];
    let said = jounce_says(&[&["render"], &motion[..], &path].concat()).stdout;
    let vertex = said.split("path of vertex ").nth(1).expect(&said);
    let vertex: usize = vertex.split(' ').next().unwrap().parse().unwrap();
    assert!(said.contains(&format!("path of vertex {vertex} of {bone}")), "{said}");
    let cache = scratch("path.pc2");
    jounce_ok(&[&["bake"], &motion[..], &["-o", cache.to_str().unwrap()]].concat());
    let baked: Vec<Vec3> = read_pc2(&cache).frames.iter().map(|frame| frame[vertex]).collect();

    let document = built_in_style("ears-and-tail").unwrap();
    let cast = Cast::load(&document.motion, None).unwrap();
    let scripts = ScriptFolders::new(Vec::new(), std::time::SystemTime::now());
    let show = Show::new(&Session::new(document, cast, scripts)).unwrap();
    let (character, performer) = (show.character(), show.performer());
    let of_bone = character.skeleton.bone_named(bone).unwrap();
    assert_eq!(outermost_vertex(character, of_bone), Some(vertex));
    let frames = PathFrames::of(&show.playback(), 24.0, 0.4);
    let paths = performer.with_moments(&frames.times_secs(), |moments| {
        paths_at(performer, &[vertex, 7], moments, frames.is_closed)
    });
    let path = &paths.unwrap()[0];
    assert!(path.is_closed && path.vertex == vertex);
    assert_eq!(path.styled.len(), baked.len(), "one tick per frame");
    let size = character.size() as f32;
    for (frame, (tick, baked)) in path.styled.iter().zip(&baked).enumerate() {
        assert!(tick.distance(*baked) < 1e-5 * size, "frame {frame}: {tick} {baked}");
        let pose = show.pose(frames.times_secs()[frame]);
        let plain = character.skin(&pose, show.base()).positions[vertex];
        assert!(path.plain[frame].distance(plain) < 1e-6 * size, "frame {frame}");
    }
    let apart = path.styled.iter().zip(&path.plain).map(|(a, b)| a.distance(*b));
    assert!(apart.fold(0.0, f32::max) > 0.02 * size, "the two paths differ");
    // Both colours are in the picture, and all of the path is: a mark for each tick.
    let marks = overlays::path(path, None, 1.0);
    let dots = |color| {
        let is_dot = |mark: &&Mark| mark.color == color && matches!(mark.shape, Shape::Dot { .. });
        marks.iter().filter(is_dot).count()
    };
    assert_eq!(dots(overlays::PLAIN_PATH), baked.len());
    assert_eq!(dots(overlays::STYLED_PATH), baked.len());
    for_each_painter(|by| {
        let path =
            by.render_large("path-by", &[&motion[..], &["--path", bone, "--at", "0.4"]].concat());
        for color in [overlays::PLAIN_PATH, overlays::STYLED_PATH] {
            let seen = path.pixels().filter(|pixel| pixel.0[..3] == color).count();
            assert!(seen > 100, "{seen} pixels of {color:?}");
        }
    });
}

#[test]
fn the_camera_sees_all_of_a_path() {
    // A bird that flies far: its path goes where the bird is not at that moment.
    for_each_painter(|by| {
        let motion = ["bird", "--clip", "hop", "--graph", "bird-flutter", "--at", "0"];
        let still = [&motion[..], &["--resolution", "300x200"]].concat();
        let bare = by.render_large("unpathed", &still);
        let path = by.render_large("pathed", &[&still[..], &["--path", "0"]].concat());
        assert!(differing(&bare, &path) > 2000, "it steps back to see it");
        let edge = |image: &RgbaImage, x: u32, y: u32| {
            let [r, g, b, _] = image.get_pixel(x, y).0;
            [overlays::PLAIN_PATH, overlays::STYLED_PATH].contains(&[r, g, b])
        };
        let border = (0..300).flat_map(|x| [(x, 0), (x, 199)]);
        let border = border.chain((0..200).flat_map(|y| [(0, y), (299, y)]));
        assert!(border.into_iter().all(|(x, y)| !edge(&path, x, y)), "nothing is cut off");
        // In strips each moment has its own.
        let strip =
            ["bird", "--clip", "hop", "--graph", "bird-flutter", "--strip", "3", "--path", "0"];
        by.render_large("path-strip", &strip);
    });
}

#[test]
fn a_strip_shows_the_liveliest_moments_and_its_crop_is_no_larger_than_asked_for() {
    let by = By("cpu");
    let of = |name: &str, more: &[&str]| {
        let strip = ["cow", "--clip", "hop", "--loop", "--strip", "4", "--resolution", "640x120"];
        by.render_large(name, &[&strip[..], &GRAPH, more].concat())
    };
    assert!(differing(&of("lively", &[]), &of("even", &["--even"])) > 500);
    let cropped = of("cropped", &["--crop"]);
    let (width, height) = cropped.dimensions();
    assert!(width <= 640 && height <= 120 && (width == 640 || height == 120), "{width} {height}");
    let still = ["cow", "--at", "0", "--crop", "--resolution", "500x300"];
    let (width, height) = by.render_large("cropped-still", &still).dimensions();
    assert!(height == 300 && width < 400, "{width} {height}");
}

#[test]
fn sides_have_names() {
    let by = By("cpu");
    // It looks along +Z.
    for (side, angles) in [
        ("front", "0,0"),
        ("back", "180,0"),
        ("left", "90,0"),
        ("right", "-90,0"),
        ("three-quarters", "32,11"),
    ] {
        let of = |view: &str| by.render(&format!("view-{side}"), &["--view", view]);
        assert_eq!(differing(&of(side), &of(angles)), 0, "{side}");
    }
    let said = jounce_fails(&["render", "cow", "--view", "behind", "-o", "x.png"], 2);
    assert!(said.contains("front, back, left, right, top"), "{said}");
}

#[test]
fn vectors_are_arrows_and_numbers_are_not() {
    for_each_painter(|by| {
        let heat = ["--graph", "floppy", "--heat", "trail.displacement"];
        let nodes = built_in_style("floppy").unwrap().style.graph.nodes;
        let (id, _) = nodes.iter().find(|(_, node)| node.node_type == "Floppy").unwrap();
        let port = format!("{id}.displacement");
        let heat = [heat[0], heat[1], heat[2], &port];
        let colors = by.render("heat", &heat);
        let arrows = by.render("heat-arrows", &[&heat[..], &["--arrows"]].concat());
        assert!(differing(&colors, &arrows) > 100);
        let out = scratch("no.png");
        let map = ["render", "cow", "--heat", "bone:Head", "--arrows", "-o", out.to_str().unwrap()];
        let said = jounce_fails(&map, 1);
        assert!(
            said.contains("bone:Head has no vectors") && said.contains("leave out --arrows"),
            "{said}"
        );
    });
}

#[test]
fn a_crowd_has_as_many_as_are_asked_for() {
    for_each_painter(|by| {
        let one = by.with_graph("crowd-1", &["--crowd", "1"]);
        let many = by.with_graph("crowd-9", &["--crowd", "9", "--loop"]);
        let at_once =
            by.with_graph("crowd-at-once", &["--crowd", "9", "--crowd-spacing", "0", "--loop"]);
        assert!(differing(&one, &many) > 1000);
        assert!(differing(&many, &at_once) > 300, "each is at its own time");
        let film = scratch("crowd.gif");
        let film = film.to_str().unwrap();
        let args = ["render", "bird", "--crowd", "4", "--frames", "0..2", "--resolution", "120x90"];
        let said = jounce_says(&[&args[..], &["--draw", by.0, "-o", film]].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let lines: Vec<&str> = said.stdout.lines().collect();
        let [line] = lines[..] else { panic!("{:?}", said.stdout) };
        assert!(line.contains("3 frames, 4 characters, clip \"hover\"; "), "{line}");
        assert!(line.contains("vertices each, ") && !line.contains('\\'), "{line}");
        assert!(said.stderr.contains("add --loop"), "{}", said.stderr);
    });
}

#[test]
fn what_does_not_go_together_is_refused_with_what_to_do() {
    let out = scratch("never.png");
    let _ = std::fs::remove_file(&out);
    let path = out.to_str().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["--trajectories"], "give one with --velocity BONE:wx,wy,wz,vx,vy,vz"),
        (
            &["--trajectories", "--velocity", SPIN, "--strip", "3"],
            "--strip shows several; leave out one",
        ),
        (&["--split", "0.5", "--strip", "3"], "use --beside"),
        (&["--split", "0.5", "--beside"], "leave out one of them"),
        (&["--strip", "3", "--ghosts", "--ghost"], "the ghosts of --ghost would be in the way"),
        (&["--crowd", "5", "--axes"], "--axes looks at a single one"),
        (&["--path", "0", "--velocity", SPIN], "leave out --velocity"),
        (&["--path", "0", "--rest"], "leave out --rest"),
        (&["--path", "7000000"], "there is no vertex 7000000; the character has"),
        (&["--path", "Hed"], "did you mean \"Head\"?"),
        (&["--crowd", "5", "--path", "0"], "--path looks at a single one"),
        (&["--crowd", "5", "--strip", "2"], "--strip looks at a single one"),
        (&["--crowd", "5", "--velocity", SPIN], "leave out --velocity"),
        #[cfg(feature = "gpu")]
        (&["--exaggerate", "2", "--backend", "gpu"], "leave out --backend gpu"),
    ];
    for (options, expected) in cases {
        let args = [&["render", "cow", "-o", path], &GRAPH[..], *options].concat();
        let said = jounce_fails(&args, 1);
        assert!(said.contains(*expected), "{options:?}: {said}");
        assert!(!out.exists(), "{options:?}");
    }
    for options in [
        &["--split", "1.5"][..],
        &["--split", "nan"],
        &["--exaggerate", "5"],
        &["--exaggerate", "-1"],
        &["--crowd", "0"],
        &["--crowd", "4001"],
        &["--crowd-spacing", "1"],
        &["--silhouette", "--axes"],
        &["--silhouette", "--path", "0"],
        &["--even"],
    ] {
        jounce_fails(&[&["render", "cow", "-o", path], &GRAPH[..], options].concat(), 2);
    }
    jounce_fails(&["render", "cow", "--ghost", "-o", path], 2);
}
