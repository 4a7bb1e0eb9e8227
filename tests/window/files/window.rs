//! The program itself, on a display and without one.

use super::*;

/// A process that ends with the test, whatever happens.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn has_program(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
}

#[test]
fn a_real_window_stays_up_and_moves() {
    if !has_program("Xvfb") || !has_program("xwd") {
        let why = "there is no Xvfb or no xwd (apt-get install xvfb x11-apps)";
        skip_loudly(Lacking::Clients, why);
        return;
    }
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let home = tempfile::tempdir().unwrap();
    let mut server = Running(
        Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let mut number = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
    let display = format!(":{}", number.trim());
    let mut jounce = Running(
        crate::support::program::command()
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .env("HOME", home.path())
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .spawn()
            .unwrap(),
    );
    let shot = || {
        let out = Command::new("xwd").args(["-root", "-silent", "-display", &display]).output();
        let bytes = out.unwrap().stdout;
        let header = u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize;
        // 256 colours of 12 bytes each stand between the header and the pixels.
        bytes[header..].to_vec()
    };
    let begun = Instant::now();
    let differing = loop {
        assert!(jounce.0.try_wait().unwrap().is_none(), "the window closed by itself");
        let before = shot();
        std::thread::sleep(Duration::from_secs(1));
        let differing = before.iter().zip(&shot()).filter(|(a, b)| a != b).count();
        let is_drawn = before.iter().filter(|byte| **byte != 0).count() > before.len() / 4;
        if is_drawn && differing > 20_000 {
            break differing;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{differing} bytes differ, too few");
    };
    println!("moving after {:.1} s, {differing} bytes differ", begun.elapsed().as_secs_f32());
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        let file = format!("{path}/window.xwd");
        Command::new("xwd")
            .args(["-root", "-silent", "-display", &display, "-out", &file])
            .status()
            .unwrap();
    }
}

#[test]
fn without_a_display_there_is_one_sentence() {
    let out = crate::support::program::command()
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1));
    assert!(said.contains("there is no display") && said.contains("jounce demo"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_display_that_is_not_there_is_reported_as_missing() {
    let out = crate::support::program::command()
        .env("DISPLAY", ":4099")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1));
    assert!(said.contains("there is no display") && said.contains(":4099"), "{said}");
    assert!(!said.contains("Vulkan") && said.contains("jounce demo"), "{said}");
}

#[test]
fn a_test_motion_that_cannot_be_is_replaced_with_one_warning() {
    for (test, word) in [("nod:NoSuchBone", "NoSuchBone"), ("wobble:Head", "wobble")] {
        let mut document = built_in_style("default").unwrap();
        document.motion.test = Some(test.to_owned());
        let mut window = support::editor(document.clone());
        window.run_steps(4);
        assert_eq!(*state(&window).session.document(), document, "untouched");
        assert!(state(&window).show.duration_secs() > 0.0);
        let said = state(&window).session.messages();
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!((said[0].severity, said[0].count), (Severity::Warning, 1));
        assert!(said[0].text.contains(word), "{}", said[0].text);
        set_floppy(&mut window.state_mut().state.session, 0.6);
        window.run_steps(4);
        assert_eq!(state(&window).session.messages().len(), 1, "said once");
    }
}

#[test]
fn a_file_that_is_broken_is_not_called_missing() {
    let folder = tempfile::tempdir().unwrap();
    let glb = std::fs::read(repo("examples/bird.glb")).unwrap();
    std::fs::write(folder.path().join("bird.glb"), &glb[..glb.len() / 2]).unwrap();
    let mut document = built_in_style("default").unwrap();
    document.motion.character = Some("bird.glb".to_owned());
    let file = folder.path().join("a.jounce");
    document.save(&file).unwrap();
    let mut window = example("default");
    let ctx = window.ctx.clone();
    files::open_document(&mut window.state_mut().state, &ctx, &file);
    settle(&mut window);
    let question = state(&window).files.question.clone();
    let Some(Question::Relink(error)) = question else { panic!("{question:?}") };
    let real = jounce::rig::load::load_file(folder.path().join("bird.glb").as_path()).unwrap_err();
    assert!(error.contains(&real.to_string()), "{error}");
    window.run();
    window.get_by_label("The character cannot be loaded");
    let said = window.query_all_by_label_contains(&real.to_string()).count();
    assert_eq!(said, 2, "in the question and among the messages");
}
