//! The CPU and the GPU draw the same picture; and what only the CPU must do: any size, any number of threads.

#[cfg(unix)]
use crate::support::program::measured;
use crate::support::program::{command, jounce_fails, jounce_ok, said, without_drivers};
use glam::{Vec3, vec3};
#[cfg(feature = "gpu")]
use jounce::draw::RgbaImage;
use jounce::draw::{
    Bones, Bounds, Camera, CpuPainter, DrawnMoment, Look, Mesh, Painter, PictureOf, PlacedOf, Shot,
    Studio, Subject, View,
};
#[cfg(feature = "gpu")]
use jounce::gpu::draw::GpuPainter;
#[cfg(feature = "gpu")]
use jounce::graph::style_names;
use jounce::graph::{MotionSettings, built_in_style};
use jounce::rig::Skinned;
use jounce::script::ScriptFolders;
use jounce::session::{Cast, Session, Show};

/// A style on its character (or on the cow) in the middle of its motion.
fn in_motion(style: &str) -> (Show, Skinned) {
    let mut document = built_in_style(style).expect("a style");
    let character = document.motion.character.take().unwrap_or_else(|| "cow".to_owned());
    document.motion = MotionSettings { character: Some(character), ..document.motion };
    let cast = Cast::load(&document.motion, None).expect("a cast");
    let scripts = ScriptFolders::new(Vec::new(), std::time::SystemTime::now());
    let show = Show::new(&Session::new(document, cast, scripts)).expect("a show");
    let time_secs = 0.37 * show.duration_secs();
    let skinned = show.at(time_secs).expect("a moment").deformed;
    (show, skinned)
}

fn moment(Skinned { positions, normals }: &Skinned) -> DrawnMoment<'_> {
    DrawnMoment { positions, normals, ..DrawnMoment::default() }
}

fn shot(moment: &DrawnMoment) -> Shot {
    let mut shot = Shot::of(&[*moment], [320, 240]);
    let mut framing = shot.framing();
    moment.positions.iter().for_each(|point| framing.add(*point));
    shot.framed = Some(framing.camera());
    shot
}

/// The judgement: silhouettes overlap to 99 %, colours inside differ by at most 3 % on average and 10 % in
/// the 95th percentile.
#[cfg(feature = "gpu")]
#[test]
fn every_example_is_the_same_picture_by_the_cpu_and_by_the_gpu() {
    let Some(gpu) = crate::support::gpu_or_skip() else { return };
    let mut studios: Vec<(String, [RgbaImage; 4])> = Vec::new();
    for style in style_names() {
        let (show, skinned) = in_motion(style);
        let mesh = &show.character().mesh;
        let subject =
            Subject { triangles: &mesh.triangles, colors: &mesh.colors, ..Subject::default() };
        let shaded = shot(&moment(&skinned));
        let black = Shot { look: Look::silhouette(), ..shaded };
        let painters: [Box<dyn Painter>; 2] =
            [Box::new(CpuPainter::default()), Box::new(GpuPainter::new(&gpu).expect("a painter"))];
        let [cpu, gpu] = painters.map(|painter| {
            let mut studio = Studio::new(painter, &subject);
            let mut still = |shot: &Shot| studio.still(&moment(&skinned), shot).expect("a picture");
            (still(&shaded), still(&black))
        });
        studios.push((style.to_owned(), [cpu.0, gpu.0, cpu.1, gpu.1]));
    }
    for (style, [cpu, gpu, cpu_black, gpu_black]) in studios {
        let compared = judge(&style, [&cpu, &gpu, &cpu_black, &gpu_black]);
        assert!(compared > 2000, "{style}: {compared} pixels");
    }
}

/// A picture by both, and its silhouette by both; says how many pixels were compared.
#[cfg(feature = "gpu")]
pub fn judge(name: &str, [cpu, gpu, cpu_black, gpu_black]: [&RgbaImage; 4]) -> usize {
    let (mut both, mut either) = (0, 0);
    let mut differences: Vec<f64> = Vec::new();
    let pixels = cpu.pixels().zip(gpu.pixels());
    let blacks = cpu_black.pixels().zip(gpu_black.pixels());
    for ((cpu, gpu), (cpu_black, gpu_black)) in pixels.zip(blacks) {
        let inside = [cpu_black, gpu_black].map(|pixel| pixel.0[0] < 128);
        either += usize::from(inside[0] || inside[1]);
        if inside == [true; 2] {
            both += 1;
            let largest = cpu.0.iter().zip(gpu.0).map(|(a, b)| a.abs_diff(b)).max();
            differences.push(f64::from(largest.unwrap_or(0)) / 255.0);
        }
    }
    assert!(both > 0, "{name}: nothing is there");
    let overlap = both as f64 / either as f64;
    assert!(overlap >= 0.99, "{name}: {overlap}");
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    differences.sort_by(f64::total_cmp);
    let high = differences[differences.len() * 95 / 100];
    assert!(mean <= 0.03 && high <= 0.10, "{name}: {mean} on average, {high}");
    both
}

#[test]
fn a_picture_does_not_depend_on_how_many_threads_draw_it() {
    let (show, skinned) = in_motion("cow-bouncy");
    let mesh = &show.character().mesh;
    let subject =
        Subject { triangles: &mesh.triangles, colors: &mesh.colors, ..Subject::default() };
    let mut shot = shot(&moment(&skinned));
    shot.look.wireframe = 0.5;
    let drawn = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut studio = Studio::new(Box::new(CpuPainter::default()), &subject);
            studio.still(&moment(&skinned), &shot).expect("a picture")
        })
    };
    let one = drawn(1);
    for threads in [2, 3, 7] {
        assert_eq!(one, drawn(threads), "{threads} threads");
    }
}

/// Triangles that are nothing, nowhere, everywhere, or on both sides of the camera.
#[test]
fn hostile_triangles_are_drawn_or_left_out() {
    let far = f32::MAX;
    let odd = [
        Vec3::ZERO,
        Vec3::ONE,
        vec3(1e-30, 0.0, 0.0),
        vec3(far, -far, far),
        Vec3::NAN,
        Vec3::INFINITY,
        vec3(0.0, 0.0, 1e6),
        vec3(-1e7, 3.0, -1e7),
    ];
    let count = odd.len() as u32;
    let triangles: Vec<[u32; 3]> = (0..count)
        .flat_map(|a| (0..count).flat_map(move |b| (0..count).map(move |c| [a, b, c])))
        .collect();
    let normals = vec![Vec3::NAN; odd.len()];
    let bounds = Bounds { min: -Vec3::ONE, max: Vec3::ONE };
    let joints = [Vec3::NAN, Vec3::ZERO, vec3(0.0, far, 0.0)];
    for size_px in [[1, 1], [33, 1], [64, 48]] {
        for (distance, fov) in [(1e-9, 0.5), (0.5, 3.1), (3.0, 1e-9), (f32::NAN, f32::NAN)] {
            let camera = Camera {
                target: Vec3::ZERO,
                view: View::default(),
                distance,
                vertical_fov_rad: fov,
            };
            let mut mesh = Mesh::default();
            (mesh.geometry.positions, mesh.geometry.normals) = (&odd, &normals);
            mesh.geometry.triangles = &triangles;
            let ghost = PlacedOf { opacity: 0.5, ..PlacedOf::at_origin(&mesh) };
            let shot = Shot::around([bounds], size_px);
            let bones = Bones {
                joints: &joints,
                parents: &[None, Some(0), Some(1)],
                scene_from_model: glam::Mat4::IDENTITY,
            };
            for look in [Look { wireframe: 1.0, ..Look::default() }, Look::silhouette()] {
                let picture = PictureOf {
                    camera,
                    stage: shot.stage,
                    look,
                    models: &[ghost, PlacedOf::at_origin(&mesh)],
                    skeletons: &[bones],
                };
                CpuPainter::default().paint(&picture, size_px).expect("a picture");
            }
        }
    }
}

/// A floor that goes past the camera is cut at the camera, and seen in front of it.
#[test]
fn what_passes_the_camera_is_seen_as_far_as_it_is_in_front() {
    let corners = [vec3(-50.0, 0.0, 60.0), vec3(50.0, 0.0, 60.0), vec3(0.0, 0.0, -400.0)];
    let mut mesh = Mesh::default();
    mesh.geometry.positions = &corners;
    mesh.geometry.triangles = &[[0, 1, 2]];
    let bounds = Bounds { min: vec3(-1.0, 0.0, -1.0), max: Vec3::ONE };
    let mut shot = Shot::around([bounds], [40, 40]);
    shot.view = View::from_degrees(0.0, 10.0);
    shot.look = Look::silhouette();
    let picture = PictureOf {
        camera: shot.camera(),
        stage: shot.stage,
        look: shot.look,
        models: &[PlacedOf::at_origin(&mesh)],
        skeletons: &[],
    };
    let image = CpuPainter::default().paint(&picture, shot.size_px).expect("a picture");
    assert_eq!(image.get_pixel(20, 39).0[0], 0, "below the horizon, near the camera");
    assert_eq!(image.get_pixel(20, 0).0[0], 255, "above the horizon");
}

#[test]
fn without_an_adapter_the_cpu_draws_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cow.png").to_str().unwrap().to_owned();
    let args = ["render", "cow", "--at", "0.2", "--resolution", "80x60", "-o", &path];
    jounce_ok(&[&args[..], &["--draw", "cpu"]].concat());
    let drawn = image::open(&path).unwrap().to_rgba8();
    assert_eq!(drawn.dimensions(), (80, 60));
    let said = said(without_drivers(command().args(args)).output().unwrap());
    assert_eq!(said.code, 0, "{}", said.stderr);
    // Elsewhere drivers cannot be hidden; without the feature nobody looks for one.
    if cfg!(all(feature = "gpu", target_os = "linux")) {
        assert!(said.stderr.contains("so the CPU draws"), "{}", said.stderr);
        assert!(image::open(&path).unwrap().to_rgba8() == drawn, "another picture");
    }
    let wrong = jounce_fails(&[&args[..], &["--draw", "pen"]].concat(), 2);
    assert!(wrong.contains("cpu"), "{wrong}");
}

/// The program itself, its threads, and what is around a picture while it is drawn and written.
#[cfg(unix)]
const BESIDE_THE_PICTURE_BYTES: u64 = 84 << 20;
/// The largest shadow map: 4096 pixels per side.
#[cfg(unix)]
const SHADOW_MAP_BYTES: u64 = 64 << 20;

/// Draws a tube with so much memory and no more beside the picture itself.
#[cfg(unix)]
fn draw_with_little_memory([width, height]: [u32; 2], more: &[&str], beside_bytes: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.png");
    let resolution = format!("{width}x{height}");
    let mut command = command();
    command.args(["render", "tube", "--draw", "cpu", "--resolution", &resolution]);
    command.args(more).arg("-o").arg(&path).env("RAYON_NUM_THREADS", "2");
    let picture_bytes = 4 * u64::from(width) * u64::from(height);
    let said = measured(&mut command, picture_bytes + beside_bytes).said;
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(image::image_dimensions(&path).unwrap(), (width, height));
}

/// 340 MB in all. Four samples per pixel of the whole picture would be 2 GB, and a copy of it another 268 MB.
#[cfg(unix)]
#[test]
fn a_picture_of_8192_pixels_per_side_takes_little_more_memory_than_itself() {
    draw_with_little_memory([8192; 2], &["--silhouette"], BESIDE_THE_PICTURE_BYTES);
}

/// Half as large, because shading takes long; a copy would still be too much.
#[cfg(unix)]
#[test]
fn a_shaded_picture_takes_its_shadow_maps_more() {
    let beside_bytes = BESIDE_THE_PICTURE_BYTES + SHADOW_MAP_BYTES;
    draw_with_little_memory([8192, 4096], &[], beside_bytes);
}
