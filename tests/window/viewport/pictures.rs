//! What is saved is what the viewport shows.

use super::*;
use image::{AnimationDecoder, RgbaImage};
use jounce::editor::files::Order;
use jounce::eval::heat::HeatSubject;
use jounce::motion::BoneMotion;
use std::path::Path;

/// Saves a picture of that size and waits for it.
fn save(harness: &mut Harness<'static, Editor>, path: &Path, size_px: [u32; 2], is_film: bool) {
    let (action, button) =
        if is_film { ("Film…", "Save Film") } else { ("Screenshot…", "Save Picture") };
    run(harness, action);
    let order = &mut harness.state_mut().state.files.order;
    let Some(Order::Picture(form)) = order else { panic!("no dialog") };
    form.path = path.display().to_string();
    [form.width_px, form.height_px] = size_px;
    harness.run();
    harness.get_by_label(button).click();
    harness.step();
    for _ in 0..3000 {
        harness.step();
        if state(harness).jobs.is_idle() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    harness.run();
    let said: Vec<_> = state(harness).session.messages().iter().map(|it| &it.text).collect();
    assert!(path.exists(), "{said:?}");
}

/// What the window has in the viewport's place.
fn viewport_picture(harness: &mut Harness<'static, Editor>) -> RgbaImage {
    let rect = screen(harness).rect;
    let mut window = harness.render().unwrap();
    let [x, y] = [rect.left(), rect.top()].map(|side| side.round() as u32);
    let [width, height] = [rect.width(), rect.height()].map(|side| side.round() as u32);
    image::imageops::crop(&mut window, x, y, width, height).to_image()
}

/// How many pixels are clearly others. Words are left out, which windows and files write in other places, and the
/// corner with the axes, which are there to be clicked.
fn differing(a: &RgbaImage, b: &RgbaImage) -> usize {
    let (width, height) = a.dimensions();
    let [wide, high] = [width.min(b.width()), height.min(b.height())];
    let places = (40..high - 80).flat_map(|y| (2..wide - 2).map(move |x| (x, y)));
    let is_other = |&(x, y): &(u32, u32)| {
        let (a, b) = (a.get_pixel(x, y).0, b.get_pixel(x, y).0);
        a.iter().zip(&b).any(|(a, b)| a.abs_diff(*b) > 40)
    };
    let is_axes = |&(x, y): &(u32, u32)| x < 110 && y < 110;
    places.filter(|place| !is_axes(place) && is_other(place)).count()
}

#[test]
fn a_screenshot_shows_all_that_the_viewport_shows() {
    type Change = fn(&mut State);
    let changes: &[(&str, Change)] = &[
        ("wireframe", |state| state.viewport.has_wireframe = true),
        ("skeleton", |state| state.viewport.has_skeleton = true),
        ("axes", |state| state.viewport.has_axes = true),
        ("centroids", |state| state.viewport.has_centroids = true),
        ("ghost", |state| {
            state.viewport.compare.has_ghost = true;
            state.viewport.compare.exaggeration = 3.0;
        }),
        ("split", |state| {
            state.viewport.compare.toggle_split();
            state.viewport.compare.exaggeration = 4.0;
        }),
        ("exaggerated", |state| state.viewport.compare.exaggeration = 4.0),
        ("crowd", |state| {
            state.viewport.crowd.is_on = true;
            state.viewport.crowd.layout.count = 4;
        }),
        ("heat", |state| {
            state.viewport.heat.subject = Some(HeatSubject::Map("softness".to_owned()));
        }),
        ("velocities", |state| {
            let neck = state.show.character().skeleton.bone_named("Neck").unwrap();
            let motion = BoneMotion { linear: DVec3::ZERO, angular: DVec3::new(0.0, 3.0, 1.0) };
            state.viewport.tool = Tool::Velocity;
            state.viewport.velocities.set(neck, motion);
        }),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut harness = in_motion("default");
    let rect = screen(&harness).rect;
    let size_px = [rect.width(), rect.height()].map(|side| side.round() as u32);
    let plain = viewport_picture(&mut harness);
    drop(harness);
    for (name, change) in changes {
        let mut harness = in_motion("default");
        change(&mut harness.state_mut().state);
        harness.run();
        let shown = viewport_picture(&mut harness);
        let path = folder.path().join(format!("{name}.png"));
        save(&mut harness, &path, size_px, false);
        let saved = image::open(&path).unwrap().into_rgba8();
        if let Ok(folder) = std::env::var("JOUNCE_PICTURES") {
            saved.save(format!("{folder}/saved-{name}.png")).unwrap();
            shown.save(format!("{folder}/shown-{name}.png")).unwrap();
        }
        let (apart, changed) = (differing(&saved, &shown), differing(&plain, &shown));
        println!("{name}: {apart} pixels differ, {changed} from the plain picture");
        assert!(changed > 100, "{name} is seen: {changed}");
        assert!(apart * 4 < changed, "{name}: {apart} of {changed}");
    }
}

#[test]
fn a_bone_in_the_hand_is_on_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = in_motion("default");
    let rect = screen(&harness).rect;
    let size_px = [rect.width(), rect.height()].map(|side| side.round() as u32);
    harness.get_by_label("Drag Bones").click();
    harness.run();
    let plain = viewport_picture(&mut harness);
    let neck = bone_named(&harness, "Neck");
    let from = screen(&harness).project(on_bone(&harness, neck)).unwrap();
    press(&mut harness, from, from + egui::vec2(90.0, 10.0));
    // As a picture that is taken by a key, with the button down.
    let state = &mut harness.state_mut().state;
    let taken = jounce::editor::panels::viewport::photograph::Still::of(state, size_px).unwrap();
    let saved = taken.develop(size_px).unwrap();
    let shown = viewport_picture(&mut harness);
    let (apart, changed) = (differing(&saved, &shown), differing(&plain, &shown));
    println!("{apart} pixels differ, {changed} from the plain picture");
    assert!(changed > 300 && apart * 3 < changed, "{apart} of {changed}");
    saved.save(folder.path().join("hand.png")).unwrap();
}

#[test]
fn a_film_is_of_what_lies_between_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = in_motion("default");
    let fps = state(&harness).playhead.fps;
    let frames = |path: &Path| {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        image::codecs::gif::GifDecoder::new(file).unwrap().into_frames().count()
    };
    harness.state_mut().state.playhead.range_secs = Some((6.0 / fps, 14.0 / fps));
    let path = folder.path().join("some.gif");
    save(&mut harness, &path, [64, 48], true);
    assert_eq!(frames(&path), 9, "both ends are in it");
    harness.state_mut().state.playhead.range_secs = None;
    let path = folder.path().join("all.gif");
    save(&mut harness, &path, [64, 48], true);
    let duration_secs = state(&harness).show.duration_secs();
    assert_eq!(frames(&path), (duration_secs * fps).round() as usize);
}
