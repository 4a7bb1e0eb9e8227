//! `--set` of what is no slider, `check --strict`, and what help says.

use crate::support::program::{jounce_fails, jounce_ok, jounce_says, read_pc2};
use serde_json::{Value, json};
use std::path::Path;

/// A graph with a whole number, a word and a yes or no.
fn graph(folder: &Path) -> String {
    let file = folder.join("settings.jounce");
    let graph = json!({
        "format": 1,
        "motion": { "character": "tube" },
        "style": { "graph": {
            "links": [
                ["strength.value", "trail.turn"],
                ["trail.displacement", "smooth.displacement"],
                ["smooth.displacement", "pinned.displacement"],
                ["pinned.displacement", "output.displacement"]
            ],
            "nodes": {
                "trail": { "type": "Floppy", "settings": { "floppiness": 0.3 } },
                "smooth": { "type": "Relax" },
                "pinned": { "type": "Pin" },
                // 0 lies outside: 1 where it is clamped, else −1.
                "strength": {
                    "type": "Remap",
                    "settings": { "from min": 1, "from max": 2, "to min": 1, "to max": 3 }
                },
                "output": { "type": "Output" }
            }
        } }
    });
    std::fs::write(&file, graph.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn whole_numbers_words_and_yes_or_no_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(folder.path());
    let out = folder.path().join("a.pc2");
    let bake = |set: &[&str]| {
        let mut args = vec!["bake", "--graph", &graph, "--at", "0.3", "-o", out.to_str().unwrap()];
        set.iter().for_each(|set| args.extend(["--set", set]));
        jounce_ok(&args);
        read_pc2(&out)
    };
    let plain = bake(&[]);
    assert_eq!(bake(&["smooth.passes=4", "pinned.measured=now"]), plain, "as they are");
    assert_ne!(bake(&["smooth.passes=30"]), plain);
    assert_ne!(
        bake(&["Pinned.Measured=At Rest", "pinned.ground=0.3"]),
        bake(&["pinned.ground=0.3"])
    );
    assert_ne!(bake(&["output.base=DQS"]), plain);
    assert_ne!(bake(&["strength.clamp=false"]), plain);
    assert_eq!(bake(&["strength.clamp=false", "strength.clamp=on"]), plain, "the last one counts");
}

#[test]
fn what_cannot_be_set_is_answered_with_what_can() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(folder.path());
    let out = folder.path().join("a.pc2");
    let bake = |set: &str| {
        let out = out.to_str().unwrap();
        jounce_says(&["bake", "--graph", &graph, "--at", "0", "--set", set, "-o", out])
    };
    for (set, answer) in [
        ("pinned.measured=nwo", "give \"now\", \"at rest\", \"both\" or \"standing\""),
        ("smooth.passes=2.5", "a whole number such as 4"),
        ("smooth.passes=many", "a whole number such as 4"),
        ("strength.clamp=maybe", "true or false"),
        ("trail.floppiness=lots", "a number such as 0.3"),
        ("smooth.pases=4", "did you mean \"smooth.passes\"?"),
    ] {
        let said = bake(set);
        assert_eq!(said.code, 1, "{set}");
        assert!(said.stderr.contains(answer), "{set}: {}", said.stderr);
    }
    assert!(!out.exists());
    let limited = bake("smooth.passes=1000");
    assert_eq!(limited.code, 0);
    assert!(limited.stderr.contains("smooth.passes is limited to 100"), "{}", limited.stderr);
}

#[test]
fn check_lists_what_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(folder.path());
    let text = jounce_ok(&["check", &graph]);
    for line in [
        "  smooth.passes = 4  (a whole number from 0 to 100)",
        "  pinned.measured = now  (now | at rest | both | standing)",
        "  strength.clamp = true  (true | false)",
        "  strength.from max = 2",
        "  trail.floppiness = 0.3  (-1 to 1)",
        "  trail.max angle = 45  (0 to 90)",
    ] {
        assert!(text.lines().any(|it| it == line), "{text}");
    }
    let report: Value = serde_json::from_str(&jounce_ok(&["check", &graph, "--json"])).unwrap();
    let settings = report["settings"].as_array().unwrap();
    let measured = settings.iter().find(|it| it["port"] == "measured").unwrap();
    assert_eq!(measured["value"], "now");
    assert_eq!(measured["choices"], json!(["now", "at rest", "both", "standing"]));
    let floppiness = settings.iter().find(|it| it["port"] == "floppiness").unwrap();
    assert_eq!((&floppiness["type"], &floppiness["value"]), (&json!("float"), &json!(0.3)));
    // What stands there can be typed: numbers and all.
    let out = folder.path().join("a.pc2");
    let typed = text.lines().filter(|line| line.starts_with("  ")).map(|line| {
        let (name, rest) = line.trim().split_once(" = ").unwrap();
        format!("{name}={}", rest.split("  (").next().unwrap())
    });
    for set in typed {
        let out = out.to_str().unwrap();
        let said = jounce_says(&["bake", "--graph", &graph, "--at", "0", "--set", &set, "-o", out]);
        assert_eq!(said.code, 0, "{set}: {}", said.stderr);
    }
}

#[test]
fn a_strict_check_fails_on_a_character_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(folder.path());
    jounce_ok(&["check", &graph, "--strict"]);
    let text = std::fs::read_to_string(&graph).unwrap();
    std::fs::write(folder.path().join("broken.glb"), "glTF but not really").unwrap();
    for (character, why) in [("missing.glb", "missing.glb"), ("broken.glb", "broken.glb")] {
        let changed = text.replace("\"tube\"", &format!("\"{character}\""));
        std::fs::write(&graph, changed).unwrap();
        let loose = jounce_says(&["check", &graph]);
        assert_eq!(loose.code, 0);
        assert!(
            loose.stdout.contains("warning:") && loose.stdout.contains(why),
            "{}",
            loose.stdout
        );
        let strict = jounce_says(&["check", &graph, "--strict"]);
        assert_eq!(strict.code, 1);
        assert!(!strict.stdout.contains("no problems found"), "{}", strict.stdout);
        assert!(strict.stderr.contains("1 warning, and --strict"), "{}", strict.stderr);
        let strict = jounce_says(&["check", &graph, "--strict", "--json"]);
        assert_eq!(strict.code, 1);
        let report: Value = serde_json::from_str(&strict.stdout).unwrap();
        assert_eq!(report["warnings"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_strict_check_fails_on_hints_and_on_clips_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(folder.path());
    let text = std::fs::read_to_string(&graph).unwrap();
    for motion in [
        json!({ "character": "tube", "clips": "missing.glb" }),
        json!({ "character": "tube", "clip": "no such clip" }),
    ] {
        let mut changed: Value = serde_json::from_str(&text).unwrap();
        changed["motion"] = motion;
        std::fs::write(&graph, changed.to_string()).unwrap();
        let said = jounce_says(&["check", &graph, "--strict"]);
        assert_eq!(said.code, 1, "{}", said.stdout);
        assert!(said.stdout.contains("warning:"), "{}", said.stdout);
    }
    // Two sliders of one name.
    let mut hinted: Value = serde_json::from_str(&text).unwrap();
    for id in ["a", "b"] {
        hinted["style"]["graph"]["nodes"][id] =
            json!({ "type": "Parameter", "settings": { "name": "loose", "value": 0.3 } });
    }
    std::fs::write(&graph, hinted.to_string()).unwrap();
    let hint = "b.name: a shows a parameter \"loose\" too";
    for (args, code) in [(&["check", &graph][..], 0), (&["check", &graph, "--strict"], 1)] {
        let said = jounce_says(args);
        assert_eq!(said.code, code, "{}", said.stdout);
        assert!(said.stdout.contains(hint), "{}", said.stdout);
    }
}

#[test]
fn help_names_each_character_once_and_says_when_frames_of_a_loop_are() {
    let helps = ["bake", "inspect", "fit", "curves", "characters", "render"];
    #[cfg(feature = "gpu")]
    let helps = [&helps[..], &["compare"]].concat();
    for command in helps {
        let help = jounce_ok(&[command, "--help"]);
        assert_eq!(help.matches("mushroom").count(), 1, "{command}: {help}");
    }
    let help = jounce_ok(&["bake", "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("with --loop at f × duration/N seconds"), "{help}");
    assert!(help.contains("a loop of N = round(duration × fps) frames"), "{help}");
    jounce_fails(&["bake", "tube", "--set", "floppy", "--graph", "floppy", "-o", "a.pc2"], 2);
}
