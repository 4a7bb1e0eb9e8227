//! What the character is made of.

use super::device::multiplied;
use super::*;
use glam::Vec2;
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use jounce::rig::{Image, ImageData, Material, TextureUse, Wrap};
use jounce::session::Cast;
use std::io::Cursor;

/// So many cows in a texture of four colours, of so many pixels per side.
fn painted_cow(times: u32, side_px: u32) -> Character {
    let cow = Cast::of_argument("cow".as_ref(), None).unwrap().character;
    let mut parts: jounce::rig::CharacterParts = (*multiplied(&cow, times)).clone();
    let half = side_px / 2;
    let image = RgbaImage::from_fn(side_px, side_px, |x, y| {
        Rgba([if x < half { 230 } else { 10 }, if y < half { 20 } else { 220 }, (x ^ y) as u8, 255])
    });
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgba8(image).write_to(&mut bytes, ImageFormat::Png).unwrap();
    let mesh = &mut parts.mesh;
    mesh.uvs[0] = mesh.positions.iter().map(|at| Vec2::new(at.z, at.y)).collect();
    let texture = TextureUse {
        image: 0,
        uv_set: 0,
        image_from_uv: Default::default(),
        wrap: [Wrap::Repeat; 2],
        is_nearest: false,
    };
    mesh.materials.images =
        vec![Image { name: "paint".into(), data: ImageData::Inside(bytes.into_inner().into()) }];
    mesh.materials.list = vec![Material { base_color: Some(texture), ..Material::default() }];
    mesh.parts[0].material = Some(0);
    mesh.parts[0].triangles = 0..mesh.triangles.len();
    mesh.parts[0].vertices = 0..mesh.positions.len();
    mesh.parts.truncate(1);
    Character::new(parts).unwrap()
}

fn wait(harness: &mut Harness<'static, Editor>, mut each: impl FnMut(f64)) {
    for _ in 0..3000 {
        let begun = clock::thread_secs();
        harness.step();
        each(clock::thread_secs() - begun);
        if state(harness).jobs.is_idle() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    harness.run();
}

/// Pixels that are much redder than blue, or much greener.
fn colourful(image: &RgbaImage) -> usize {
    image.pixels().filter(|it| it.0[0].abs_diff(it.0[1]) > 60).count()
}

#[test]
fn textures_are_seen_and_clay_hides_them() {
    let mut harness = example("default");
    let before = colourful(&harness.render().unwrap());
    let state_ = &mut harness.state_mut().state;
    state_.session.set_cast(Cast::of("cow", painted_cow(1, 64)));
    harness.step();
    wait(&mut harness, |_| {});
    let painted = harness.render().unwrap();
    picture(&mut harness, "painted");
    assert!(colourful(&painted) > before + 2500, "{} {before}", colourful(&painted));
    run(&mut harness, "Clay");
    assert!(colourful(&harness.render().unwrap()) < before + 1000);
    run(&mut harness, "Clay");
    assert!(harness.render().unwrap() == painted);
    run(&mut harness, "Crowd");
    assert!(colourful(&harness.render().unwrap()) > before + 1500, "all of them");
}

/// Decoding and uploading are for other threads.
#[test]
fn large_textures_hardly_keep_the_main_thread_busy() {
    let mut harness = example("default");
    let state_ = &mut harness.state_mut().state;
    let large = painted_cow(21, 4096);
    assert!(large.vertex_count() > 150_000);
    state_.session.set_cast(Cast::of("cow", large));
    harness.run_steps(4);
    let mut steps = Vec::new();
    wait(&mut harness, |secs| steps.push(secs * 1e3));
    steps.sort_by(f64::total_cmp);
    let middle = steps[steps.len() / 2];
    eprintln!("{} steps while it was read, {middle:.2} ms of this thread", steps.len());
    let mut least = f64::INFINITY;
    for _ in 0..8 {
        let begun = clock::thread_secs();
        harness.state_mut().state.advance(1.0 / 60.0);
        least = least.min((clock::thread_secs() - begun) * 1e3);
    }
    eprintln!("evaluated in {least:.2} ms afterwards");
    assert!(least < 8.0, "{least} ms");
    assert!(colourful(&harness.render().unwrap()) > 5000);
}
