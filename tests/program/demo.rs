//! `jounce demo`: the page and all that stands beside it, on a machine without a driver.

use crate::support::program::{
    command, jounce_fails, jounce_ok, path, without_cache, without_drivers,
};
use crate::support::shared::shared;
use std::path::Path;
use std::process::Command;

/// Runs it where no driver can be found.
fn demo(args: &[&str]) -> String {
    let mut command = command();
    command.args(["demo", "--resolution", "72x56", "--fps", "8"]).args(args);
    let output = without_drivers(&mut command).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "demo {args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// What the page shows and links to is there.
fn check_page(folder: &Path) -> String {
    let html = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let mut count = 0;
    for attribute in ["src=\"", "href=\""] {
        for link in html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
            let file = folder.join(link);
            let bytes =
                std::fs::metadata(&file).unwrap_or_else(|_| panic!("{link} is not there")).len();
            assert!(bytes > 100, "{link} is nearly empty");
            count += 1;
        }
    }
    assert!(
        count >= 5 && count % 5 == 0,
        "a film, a strip, a graph, a cache and a shader for each style: {count}"
    );
    assert_eq!(html.matches("<section").count(), html.matches("</section>").count());
    html
}

#[test]
fn every_built_in_character_is_shown_beside_plain_skinning() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("page");
    let said = demo(&["-o", output.to_str().unwrap()]);
    assert!(
        said.contains("index.html") && said.contains("file://") && said.contains("editor"),
        "{said}"
    );
    let html = check_page(&output);
    for character in jounce::rig::own::names() {
        assert!(html.contains(&format!("<small>{character}, clip")), "{character} is not shown");
    }
    assert!(!html.contains("http-equiv"), "it is complete, and no longer loads itself again");
    let film = std::fs::read(output.join("cow-bouncy/cow-bouncy.gif")).unwrap();
    let width = u16::from_le_bytes([film[6], film[7]]);
    assert_eq!((&film[..4], width), (&b"GIF8"[..], 144), "two halves of 72 pixels");
    // The film moves, and its halves differ.
    let frames = frames_of(&film);
    assert!(frames.len() > 4);
    assert!(frames.iter().any(|frame| frame != &frames[0]));
    assert!(frames.iter().any(|frame| halves_differ(frame, 144)));
    // A second run may write over the first; another's page is not touched.
    std::fs::write(output.join("index.html"), "<html>mine</html>").unwrap();
    let refused = jounce_fails(&["demo", "-o", output.to_str().unwrap()], 1);
    assert!(refused.contains("a page that Jounce did not make"), "{refused}");
}

fn frames_of(film: &[u8]) -> Vec<Vec<u8>> {
    use image::AnimationDecoder;
    let decoder = image::codecs::gif::GifDecoder::new(std::io::Cursor::new(film)).unwrap();
    decoder.into_frames().map(|frame| frame.unwrap().into_buffer().into_raw()).collect()
}

fn halves_differ(frame: &[u8], width: usize) -> bool {
    frame.chunks(width * 4).any(|row| row[..width * 2] != row[width * 2..])
}

#[test]
fn a_character_of_ones_own_gets_the_styles_for_any_fitted_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let character = folder.path().join("my tube.glb");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/tube.glb"), &character).unwrap();
    let output = folder.path().join("page");
    demo(&[character.to_str().unwrap(), "-o", output.to_str().unwrap()]);
    let html = check_page(&output);
    for style in ["default", "bouncy-cartoon", "wobbly-stop"] {
        assert!(html.contains(&format!("id=\"{style}\"")), "{style} is not shown");
    }
    assert!(html.contains("The style was fitted to clip"), "{html}");
    assert!(html.contains("jounce fit '"), "the page says how to make it");
    let captions: Vec<&str> = html.split("</figure>").skip(1).filter_map(caption).collect();
    assert_eq!(captions.len(), 6);
    for caption in captions {
        assert!(caption.len() > 20, "{caption}");
        let names = jounce::rig::own::names();
        let other = names.iter().find(|name| caption.contains(*name));
        assert_eq!(other, None, "it is of no other character: {caption}");
    }
}

/// What stands below a film.
fn caption(after_film: &str) -> Option<&str> {
    after_film.split_once("<p>")?.1.split_once("</p>").map(|(caption, _)| caption)
}

#[test]
fn a_clip_can_be_chosen_by_name_or_number_and_the_one_with_the_most_motion_is_taken_without() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("page");
    let page = |args: &[&str]| {
        demo(&[args, &["-o", output.to_str().unwrap()]].concat());
        check_page(&output)
    };
    let clips = |html: &str| html.matches("clip “").count();
    // The style made for it, and those for any.
    let html = page(&["tube", "--clip", "TWIST"]);
    assert_eq!((clips(&html), html.matches("clip “twist”").count()), (7, 7));
    assert!(html.contains("--clip=twist"), "the page says how to make it");
    let graph = std::fs::read_to_string(output.join("tube-jelly/tube-jelly.jounce")).unwrap();
    assert!(graph.contains("\"clip\": \"twist\""), "{graph}");
    let none = folder.path().join("none");
    let said = jounce_fails(&["demo", "tube", "--clip", "jog", "-o", none.to_str().unwrap()], 1);
    assert!(!none.exists());
    assert!(said.contains("there is no clip \"jog\"") && said.contains("\"wave\""), "{said}");
    // A path that leads nowhere is told before anything is made, too.
    let nowhere = folder.path().join("nobody.glb");
    let said = jounce_fails(&["demo", nowhere.to_str().unwrap(), "-o", none.to_str().unwrap()], 1);
    assert!(!none.exists() && said.contains("nobody.glb"), "{said}");
    let said = jounce_fails(&["demo", "--clip", "wave"], 2);
    assert!(said.contains("CHARACTER"), "{said}");
    // The page is made by `fit`.
    let fitted = folder.path().join("fitted.jounce");
    let fit = |character: &str, more: &[&str]| {
        let to = ["fit", character, "--graph", "default", "-o", fitted.to_str().unwrap()];
        jounce_ok(&[&to[..], more].concat())
    };
    assert!(fit("tube", &["--clip", "1"]).contains("fitted to clip \"twist\""));
    if let Some(fox) = shared("characters/Fox.glb") {
        let said = fit(fox.to_str().unwrap(), &[]);
        assert!(said.contains("fitted to clip \"Run\""), "its first, Survey, hardly moves: {said}");
    }
}

#[test]
fn a_character_that_is_not_there_is_said_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("page");
    let said = jounce_fails(&["demo", "cwo", "-o", output.to_str().unwrap()], 1);
    assert!(said.contains("did you mean cow?"), "{said}");
    assert!(!output.exists());
    let said = jounce_fails(&["demo", "Fox", "-o", output.to_str().unwrap()], 1);
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn a_file_whose_ending_was_left_out_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Fox.gltf"), "{}").unwrap();
    for args in [&["demo", "Fox"][..], &["inspect", "Fox"]] {
        let output = command().args(args).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("this folder has a file Fox.gltf"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn the_pages_folder_may_be_the_one_that_one_stands_in_and_its_commands_work_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/examples/tube.glb"),
        folder.path().join("my.glb"),
    )
    .unwrap();
    std::fs::create_dir(folder.path().join("page of mine")).unwrap();
    let page = folder.path().join("page of mine");
    let mut demo = command();
    demo.args(["demo", "../my.glb", "-o", ".", "--resolution", "40x30", "--fps", "4"]);
    let output = without_drivers(demo.current_dir(&page)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("/page%20of%20mine/index.html"), "{said}");
    let html = check_page(&page);
    // Each command, as it stands on the page, in the page's folder.
    let commands = html.lines().flat_map(|line| line.split("<pre>")).filter_map(|line| {
        let line = line.split("</pre>").next()?;
        line.strip_prefix("jounce ")
    });
    let mut count = 0;
    for typed in commands.filter(|typed| typed.starts_with("fit") || typed.starts_with("bake")) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("'{}' {typed}", path().display())]).current_dir(&page);
        let output = without_drivers(without_cache(&mut shell)).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{typed}: {said}");
        count += 1;
    }
    assert!(count >= 6, "{count}");
}

#[test]
fn a_wrong_size_is_wrong_usage_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("page");
    for wrong in [["--resolution", "large"], ["--fps", "-3"]] {
        let said =
            jounce_fails(&[&["demo", "-o", output.to_str().unwrap()], &wrong[..]].concat(), 2);
        assert!(said.contains(wrong[0]) && !said.contains("\\n"), "{said}");
        assert!(!output.exists());
    }
}
