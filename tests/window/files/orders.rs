//! What is written for others.

use super::*;

#[test]
fn a_bake_is_what_the_command_line_bakes() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = built_in_style("default").unwrap();
    document.motion.character = Some("cow".to_owned());
    document.motion.looped = true;
    let mut window = support::editor(document);
    window.state_mut().state.session.save(&folder.path().join("a.jounce")).unwrap();
    run(&mut window, "Bake…");
    window.run();
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut window, &format!("{path}/bake.png"));
    }
    let Some(Order::Bake(form)) = &state(&window).files.order else { panic!("no dialog") };
    assert_eq!(form.path, folder.path().join("a.pc2").display().to_string());
    window.get_by_label("Bake").click();
    window.step();
    settle(&mut window);
    let baked = crate::support::program::command()
        .args(["bake", "--graph", "a.jounce", "--loop", "-o", "b.pc2"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(baked.status.success(), "{}", String::from_utf8_lossy(&baked.stderr));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.pc2") == read("b.pc2"), "byte for byte");
}

#[test]
fn pictures_films_and_shaders_are_written_and_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = example("default");
    window.state_mut().state.session.save(&folder.path().join("a.jounce")).unwrap();
    run(&mut window, "Screenshot…");
    let Some(Order::Picture(form)) = &mut window.state_mut().state.files.order else { panic!() };
    (form.width_px, form.height_px) = (320, 200);
    window.run();
    window.get_by_label("Save Picture").click();
    window.step();
    settle(&mut window);
    let picture = image_size(&folder.path().join("a.png"));
    assert_eq!(picture, (320, 200), "{:?}", errors(&window));

    run(&mut window, "Film…");
    let Some(Order::Picture(form)) = &mut window.state_mut().state.files.order else { panic!() };
    (form.width_px, form.height_px, form.fps) = (96, 64, 8.0);
    window.run();
    window.get_by_label("Save Film").click();
    window.step();
    settle(&mut window);
    let film = std::fs::read(folder.path().join("a.gif")).unwrap();
    assert_eq!(&film[..6], b"GIF89a");
    assert_eq!([film[6], film[7], film[8], film[9]], [96, 0, 64, 0]);

    std::fs::remove_file(folder.path().join("a.gif")).unwrap();
    run(&mut window, "Film…");
    let Some(Order::Picture(form)) = &mut window.state_mut().state.files.order else { panic!() };
    (form.width_px, form.height_px, form.fps) = (1280, 960, 30.0);
    window.run();
    window.get_by_label("Save Film").click();
    window.step();
    window.step();
    window.get_by_label("Cancel Drawing a.gif").click();
    settle(&mut window);
    assert!(!folder.path().join("a.gif").exists(), "given up");
    assert!(state(&window).session.messages().iter().any(|it| it.text.contains("was cancelled")));

    run(&mut window, "Export Shader…");
    window.run();
    window.get_by_label("Export").click();
    window.step();
    settle(&mut window);
    let names: Vec<_> = std::fs::read_dir(folder.path().join("a-shader"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.contains(&"a.wgsl".to_owned()) && names.contains(&"manifest.json".to_owned()));
    assert!(errors(&window).is_empty(), "{:?}", errors(&window));
}

fn image_size(path: &Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (word(16), word(20))
}
