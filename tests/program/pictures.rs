//! Painters, looked at from outside: are the right pixels where they should be? One suite for the CPU and,
//! where there is an adapter, for the GPU.
//!
//! Pictures are small, because these tests also run on a software renderer.

#[cfg(feature = "gpu")]
use crate::support::{Lacking, skip_for_lack_of_gpu};
use glam::{Mat4, Vec3, vec3};
use jounce::draw::*;
#[cfg(feature = "gpu")]
use jounce::gpu::{draw::*, wgpu};

const SIZE: [u32; 2] = [160, 120];

#[derive(Clone, Default)]
struct Body {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Body {
    fn sphere(center: Vec3, radius: f32, rings: u32) -> Body {
        let mut mesh = Body::default();
        mesh.add_sphere(center, radius, rings);
        mesh
    }

    fn add_sphere(&mut self, center: Vec3, radius: f32, rings: u32) {
        let first = self.positions.len() as u32;
        let step = std::f32::consts::PI / rings as f32;
        for ring in 0..=rings {
            for spoke in 0..=2 * rings {
                let (polar, around) = (ring as f32 * step, spoke as f32 * step);
                let normal =
                    vec3(polar.sin() * around.sin(), polar.cos(), polar.sin() * around.cos());
                self.positions.push(center + radius * normal);
                self.normals.push(normal);
            }
        }
        let row = 2 * rings + 1;
        for ring in 0..rings {
            for spoke in 0..2 * rings {
                let a = first + ring * row + spoke;
                self.triangles.push([a, a + row, a + 1]);
                self.triangles.push([a + 1, a + row, a + row + 1]);
            }
        }
    }

    fn mesh(&self) -> Mesh<'_> {
        let geometry = Geometry {
            positions: &self.positions,
            normals: &self.normals,
            colors: &[],
            triangles: &self.triangles,
            materials: None,
        };
        Mesh { geometry, ..Mesh::default() }
    }

    fn moment(&self) -> DrawnMoment<'_> {
        DrawnMoment { positions: &self.positions, normals: &self.normals, ..DrawnMoment::default() }
    }

    fn subject(&self) -> Subject<'_> {
        Subject { triangles: &self.triangles, ..Subject::default() }
    }
}

/// Runs a test for the CPU, then for the GPU.
fn with_painters(test: impl Fn(&mut dyn Painter)) {
    test(&mut CpuPainter::default());
    #[cfg(feature = "gpu")]
    with_gpu_painter(|painter| test(painter));
}

/// One painter for all tests: on a software adapter its shaders take seconds to compile.
#[cfg(feature = "gpu")]
fn with_gpu_painter(test: impl FnOnce(&mut GpuPainter)) {
    use std::sync::{Mutex, OnceLock};
    static PAINTER: OnceLock<Result<Mutex<GpuPainter>, String>> = OnceLock::new();
    let make = || match jounce::gpu::Gpu::new() {
        Ok(gpu) => Ok(Mutex::new(GpuPainter::new(&gpu).unwrap())),
        Err(why) => Err(why.to_string()),
    };
    match PAINTER.get_or_init(make) {
        Ok(painter) => test(&mut painter.lock().unwrap_or_else(|poisoned| poisoned.into_inner())),
        Err(why) => skip_for_lack_of_gpu(Lacking::GpuPart, why),
    }
}

/// The same with studios.
fn with_studios(subject: &Subject, test: impl Fn(&mut Studio)) {
    test(&mut Studio::new(Box::new(CpuPainter::default()), subject));
    #[cfg(feature = "gpu")]
    with_gpu_painter(|painter| {
        let own = GpuPainter::new(painter.gpu()).unwrap();
        test(&mut Studio::new(Box::new(own), subject));
    });
}

fn shot(mesh: &Body) -> Shot {
    Shot::of(&[mesh.moment()], SIZE)
}

/// A picture of one mesh, with whatever else is asked for.
fn take(painter: &mut dyn Painter, mesh: &Body, shot: &Shot, skeletons: &[Bones]) -> RgbaImage {
    try_take(painter, &mesh.mesh(), shot, skeletons).expect("a picture")
}

fn try_take(
    painter: &mut dyn Painter,
    mesh: &Mesh,
    shot: &Shot,
    skeletons: &[Bones],
) -> Result<RgbaImage, DrawError> {
    let picture = PictureOf {
        camera: shot.camera(),
        stage: shot.stage,
        look: shot.look,
        models: &[PlacedOf::at_origin(mesh)],
        skeletons,
    };
    painter.paint(&picture, shot.size_px)
}

/// The pixel that shows a point.
fn pixel_of(shot: &Shot, point: Vec3) -> (u32, u32) {
    let [width, height] = shot.size_px.map(|side| side as f32);
    let ndc = shot.camera().clip_from_scene(width / height, 1e-3).project_point3(point);
    let x = (ndc.x * 0.5 + 0.5) * width;
    let y = (0.5 - ndc.y * 0.5) * height;
    (x as u32, y as u32)
}

fn brightness(image: &RgbaImage, (x, y): (u32, u32)) -> i32 {
    let [r, g, b, _] = image.get_pixel(x, y).0.map(i32::from);
    r + g + b
}

fn total_difference(a: &RgbaImage, b: &RgbaImage) -> u64 {
    let bytes = a.as_raw().iter().zip(b.as_raw());
    bytes.map(|(&a, &b)| u64::from(a.abs_diff(b))).sum()
}

/// How much of each column of a silhouette is black, 0 to 1 per pixel.
fn black_columns(image: &RgbaImage) -> Vec<f32> {
    let mut columns = vec![0.0; image.width() as usize];
    for (x, _, pixel) in image.enumerate_pixels() {
        let encoded = f32::from(pixel.0[0]) / 255.0;
        columns[x as usize] += 1.0 - encoded.powf(2.2);
    }
    columns
}

fn count_where<T>(items: impl IntoIterator<Item = T>, test: impl Fn(T) -> bool) -> usize {
    items.into_iter().filter_map(|item| test(item).then_some(())).count()
}

#[test]
fn every_shader_is_valid_without_a_gpu() {
    let validate = |name: &str, text: &str| {
        let module = naga::front::wgsl::parse_str(text)
            .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(text)));
        let mut validator = naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::default(),
        );
        if let Err(error) = validator.validate(&module) {
            panic!("{name}: {}", error.emit_to_string(text));
        }
    };
    for (name, text) in shaders::MODULES {
        validate(name, text);
    }
    // A file that no module is made of must be valid by itself.
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    for entry in std::fs::read_dir(folder).expect("the folder of shaders") {
        let path = entry.expect("a shader").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        // Parts of generated shaders are judged with the code that calls them, in tests/shaders/wgsl.rs.
        let is_part = ["deform_", "skin_"].iter().any(|part| name.starts_with(part));
        let stands_alone = !is_part || name == "deform_normals.wgsl";
        if name.ends_with(".wgsl") && stands_alone {
            let text = std::fs::read_to_string(&path).expect("text");
            if !shaders::MODULES.iter().any(|(_, module)| module.contains(&text)) {
                validate(&path.display().to_string(), &text);
            }
        }
    }
}

#[test]
fn a_sphere_covers_the_area_it_should() {
    let mesh = Body::sphere(Vec3::ZERO, 1.0, 48);
    let mut shot = shot(&mesh);
    shot.look = Look::silhouette();
    with_painters(|painter| {
        let image = take(painter, &mesh, &shot, &[]);
        let camera = shot.camera();
        let distance = camera.eye().length();
        // The outline of a sphere is where rays touch it.
        let slope = 1.0 / (distance * distance - 1.0).sqrt();
        let focal_px = SIZE[1] as f32 * 0.5 / (camera.vertical_fov_rad * 0.5).tan();
        let expected = std::f32::consts::PI * (slope * focal_px).powi(2);
        let found: f32 = black_columns(&image).iter().sum();
        assert!((found / expected - 1.0).abs() < 0.02, "{found} of {expected}");
        assert_eq!(image.get_pixel(0, 0).0, [255; 4]);
        assert_eq!(image.get_pixel(80, 60).0, [0, 0, 0, 255]);
    });
}

#[test]
fn light_comes_from_the_upper_left_and_casts_a_shadow() {
    let mesh = Body::sphere(vec3(0.0, 1.0, 0.0), 1.0, 32);
    let mut shot = shot(&mesh);
    shot.view = View::from_degrees(0.0, 35.0);
    // Room around the sphere for its shadow.
    shot.stage.bounds = Bounds { min: vec3(-2.5, 0.0, -2.5), max: vec3(2.5, 2.0, 2.5) };
    with_painters(|painter| {
        let image = take(painter, &mesh, &shot, &[]);
        let at = |point: Vec3| brightness(&image, pixel_of(&shot, point));
        let lit = at(vec3(-0.5, 1.7, 0.5));
        let unlit = at(vec3(0.75, 0.55, 0.45));
        assert!(lit > unlit + 120, "{lit}, {unlit}");
        let (shadow, ground) = (at(vec3(1.2, 0.0, -0.4)), at(vec3(-1.8, 0.0, 1.0)));
        assert!(shadow + 60 < ground, "{shadow}, {ground}");
        let contact = at(vec3(0.12, 0.0, 0.55));
        assert!(contact + 20 < ground, "{contact}, {ground}");

        let mut bare = shot;
        bare.look.ground = false;
        let image = take(painter, &mesh, &bare, &[]);
        let without = brightness(&image, pixel_of(&shot, vec3(1.2, 0.0, -0.4)));
        assert!(without > shadow + 60, "{without}, {shadow}");
    });
}

#[test]
fn the_background_is_calm() {
    let mesh = Body::sphere(Vec3::ZERO, 1.0, 16);
    with_painters(|painter| {
        let image = take(painter, &mesh, &shot(&mesh), &[]);
        for y in 1..SIZE[1] {
            let step = brightness(&image, (1, y)) - brightness(&image, (1, y - 1));
            assert!(step.abs() <= 9, "a jump of {step} at row {y}");
        }
        assert!(brightness(&image, (1, 1)) > brightness(&image, (1, SIZE[1] - 2)));
    });
}

#[test]
fn a_lit_sphere_has_no_shadow_acne() {
    let mesh = Body::sphere(Vec3::ZERO, 1.0, 64);
    let shot = shot(&mesh);
    with_painters(|painter| {
        let image = take(painter, &mesh, &shot, &[]);
        let axes = shot.view.axes();
        // Along an arc on the lit side, brightness may only change gently.
        let along = (0..=40).map(|step| {
            let angle = (step as f32 / 40.0 - 0.5) * 1.6;
            let point = axes.x_axis * angle.sin() + axes.z_axis * angle.cos();
            brightness(&image, pixel_of(&shot, point))
        });
        let values: Vec<i32> = along.collect();
        for pair in values.windows(2) {
            assert!((pair[0] - pair[1]).abs() < 40, "{values:?}");
        }
    });
}

#[test]
fn overlays_are_seen() {
    let mesh = Body::sphere(Vec3::ZERO, 1.0, 8);
    let plain = shot(&mesh);
    let mut wired = plain;
    wired.look.wireframe = 0.8;
    let joints = [vec3(0.0, -0.6, 0.0), vec3(0.0, 0.6, 0.0)];
    let bones =
        Bones { joints: &joints, parents: &[None, Some(0)], scene_from_model: Mat4::IDENTITY };
    with_painters(|painter| {
        let without = take(painter, &mesh, &plain, &[]);
        let wire = take(painter, &mesh, &wired, &[]);
        let changed = count_where(without.pixels().zip(wire.pixels()), |(a, b)| a != b);
        assert!(changed > 300, "{changed} pixels of wire");

        let skeleton = take(painter, &mesh, &plain, &[bones]);
        let (x, y) = pixel_of(&plain, vec3(0.0, -0.3, 0.0));
        let [r, _, b, _] = skeleton.get_pixel(x, y).0;
        assert!(r > b.saturating_add(60), "a bone shows through the surface");
    });
}

#[test]
fn painted_moments_show_their_colours_and_the_next_one_has_its_own_again() {
    let mesh = Body::sphere(Vec3::Y, 1.0, 24);
    with_studios(&mesh.subject(), |studio| {
        let (moment, shot) = (mesh.moment(), shot(&mesh));
        let plain = studio.still(&moment, &shot).unwrap();
        let range = jounce::eval::heat::HeatRange { least: 0.0, most: 1.0 };
        let middle = (SIZE[0] / 2, SIZE[1] / 2);
        for value in [0.0, 0.5, 1.0] {
            let colors = heat_colors(&vec![value; mesh.positions.len()], &range);
            let painted = DrawnMoment { colors: &colors, ..moment };
            let picture = studio.still(&painted, &shot).unwrap();
            let expected = Ramp::new(false).at(value).to_array();
            let found = picture.get_pixel(middle.0, middle.1).0;
            for (found, expected) in found.into_iter().zip(expected) {
                let expected = 255.0 * expected.powf(1.0 / 2.2);
                assert!((f32::from(found) - expected).abs() < 26.0, "{value}: {found} {expected}");
            }
        }
        assert_eq!(total_difference(&plain, &studio.still(&moment, &shot).unwrap()), 0);
        let wrong = DrawnMoment { colors: &[[0.0; 4]; 3], ..moment };
        assert!(studio.still(&wrong, &shot).is_err());
    });
}

/// White before a white wall: only the outline and the tint tell that something is there.
#[test]
fn a_ghost_of_what_it_is_compared_with_is_dark_and_has_an_outline() {
    let (solid, behind) = (Body::sphere(Vec3::ZERO, 0.5, 24), Body::sphere(Vec3::ZERO, 1.0, 24));
    let white = vec![[1.0; 4]; solid.positions.len()];
    let subject = Subject { colors: &white, ..solid.subject() };
    let mut shot = shot(&behind);
    shot.look.ground = false;
    let wall = [0.9; 3];
    shot.look.background = Background::Gradient { top: wall, bottom: wall };
    with_studios(&subject, |studio| {
        let compared = Behind { positions: &behind.positions, normals: &behind.normals };
        let moment = DrawnMoment { behind: Some(compared), ..solid.moment() };
        let (alone, with_ghost) =
            (studio.still(&solid.moment(), &shot).unwrap(), studio.still(&moment, &shot).unwrap());
        let axes = shot.view.axes();
        let at = |image: &RgbaImage, reach: f32| {
            // Seen from near, the outline of a ball is a little inside of its largest circle.
            brightness(image, pixel_of(&shot, axes.x_axis * reach))
        };
        let (wall, face, edge) = (at(&alone, 0.75), at(&with_ghost, 0.72), at(&with_ghost, 0.97));
        assert!(wall - face > 120, "the face is dark: {face} before {wall}");
        assert!(face - edge > 60, "the outline is darker: {edge} beside {face}");
        assert_eq!(at(&alone, 0.0), at(&with_ghost, 0.0), "what is solid stays as it is");
    });
}

#[test]
fn ghosts_fade_with_their_opacity() {
    let mesh = Body::sphere(Vec3::ZERO, 1.0, 24);
    let shot = shot(&mesh);
    with_painters(|painter| {
        let mesh = mesh.mesh();
        let mut distance_from_empty = |opacity: f32| {
            let placed =
                PlacedOf { opacity, tint: [0.0, 0.0, 0.0, 1.0], ..PlacedOf::at_origin(&mesh) };
            let picture = PictureOf {
                camera: shot.camera(),
                stage: shot.stage,
                look: shot.look,
                models: &[placed],
                skeletons: &[],
            };
            let image = painter.paint(&picture, SIZE).expect("a picture");
            brightness(&image, (80, 60))
        };
        let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(&mut distance_from_empty);
        assert!(values.windows(2).all(|pair| pair[0] > pair[1] + 10), "{values:?}");
    });
}

#[test]
fn a_strip_shows_every_moment_apart() {
    let meshes: Vec<Body> =
        (0..5).map(|i| Body::sphere(vec3(0.0, 0.1 * i as f32, 0.0), 1.0, 16)).collect();
    let moments: Vec<DrawnMoment> = meshes.iter().map(Body::moment).collect();
    let mut shot = Shot::of(&moments, [400, 100]);
    shot.look = Look::silhouette();
    with_studios(&meshes[0].subject(), |studio| {
        let image = studio.strip(&moments, &StripLayout::default(), &shot).expect("a strip");
        let filled: Vec<bool> = black_columns(&image).iter().map(|&black| black > 0.5).collect();
        let starts = count_where(filled.windows(2), |pair| !pair[0] && pair[1]);
        assert_eq!(starts, 5);
        assert!(!filled[0] && !filled[399], "nothing is cut off");
    });
}

#[test]
fn a_strip_fills_its_picture() {
    let meshes: Vec<Body> =
        (0..4).map(|i| Body::sphere(vec3(0.0, 0.1 * i as f32, 0.0), 1.0, 24)).collect();
    let moments: Vec<DrawnMoment> = meshes.iter().map(Body::moment).collect();
    let layout = StripLayout::default();
    let size = |most_wide| strip_size_px(&[&moments], &layout, View::default(), [most_wide, 100]);
    let size_px = size(1000);
    assert_eq!(size_px[1], 100);
    // Too wide: smaller, not cut.
    let [wide, high] = size(200);
    assert!(wide == 200 && (f64::from(high) * 2.0 - 100.0).abs() < 50.0, "{wide} {high}");
    let mut shot = Shot::of(&moments, size_px);
    shot.look = Look::silhouette();
    with_studios(&meshes[0].subject(), |studio| {
        let image = studio.strip(&moments, &layout, &shot).expect("a strip");
        let is_black = |&(_, _, pixel): &(u32, u32, &image::Rgba<u8>)| pixel.0[0] < 128;
        let black = || image.enumerate_pixels().filter(is_black);
        let across = (black().map(|p| p.0).min().unwrap(), black().map(|p| p.0).max().unwrap());
        let along = (black().map(|p| p.1).min().unwrap(), black().map(|p| p.1).max().unwrap());
        for ((first, last), side) in [across, along].into_iter().zip(size_px) {
            for free in [first, side - 1 - last] {
                // Equally wide on all sides.
                let margin = f64::from(free) / f64::from(size_px[1]);
                assert!((0.04..0.085).contains(&margin), "{margin}, of a side of {side} pixels");
            }
        }
    });
}

#[test]
fn a_film_has_frames_that_differ_and_the_right_length() {
    let meshes: Vec<Body> =
        (0..3).map(|i| Body::sphere(vec3(0.3 * i as f32, 0.0, 0.0), 1.0, 12)).collect();
    let moments: Vec<DrawnMoment> = meshes.iter().map(Body::moment).collect();
    let shot = Shot::of(&moments, SIZE);
    with_studios(&meshes[0].subject(), |studio| {
        let frames: Vec<RgbaImage> =
            moments.iter().map(|moment| studio.still(moment, &shot).expect("a frame")).collect();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("film.gif");
        save_gif(&path, &frames, 24.0).expect("a film");

        use image::AnimationDecoder;
        let file = std::io::BufReader::new(std::fs::File::open(&path).expect("the film"));
        let decoder = image::codecs::gif::GifDecoder::new(file).expect("a GIF");
        let decoded = decoder.into_frames().collect_frames().expect("frames");
        assert_eq!(decoded.len(), 3);
        for (frame, original) in decoded.iter().zip(&frames) {
            let difference = total_difference(frame.buffer(), original);
            let per_channel = difference as f64 / original.len() as f64;
            assert!(per_channel < 1.5, "colours are off by {per_channel}");
        }
        assert!(total_difference(decoded[0].buffer(), decoded[2].buffer()) > 10_000);
        let delays_ms = decoded.iter().map(|frame| frame.delay().numer_denom_ms().0);
        assert_eq!(delays_ms.collect::<Vec<_>>(), [40, 40, 50]);
    });
}

#[test]
fn size_in_scene_units_does_not_matter() {
    let mesh = Body::sphere(vec3(0.2, 1.0, -0.1), 1.0, 24);
    with_painters(|painter| {
        let reference = take(painter, &mesh, &shot(&mesh), &[]);
        for scale in [0.01, 100.0] {
            let mut scaled = mesh.clone();
            scaled.positions.iter_mut().for_each(|point| *point *= scale);
            let image = take(painter, &scaled, &shot(&scaled), &[]);
            let per_channel = total_difference(&image, &reference) as f64 / reference.len() as f64;
            assert!(per_channel < 0.05, "× {scale}: off by {per_channel}");
        }
    });
}

#[test]
fn the_same_picture_has_the_same_pixels() {
    let mesh = Body::sphere(Vec3::ZERO, 1.0, 24);
    with_studios(&mesh.subject(), |studio| {
        let again = studio.still(&mesh.moment(), &shot(&mesh)).expect("a picture");
        let mut small = shot(&mesh);
        small.size_px = [33, 7];
        // Rows that are no multiple of what the GPU copies, and textures of another size.
        assert_eq!(studio.still(&mesh.moment(), &small).expect("tiny").dimensions(), (33, 7));
        let image = studio.still(&mesh.moment(), &shot(&mesh)).expect("a picture");
        assert_eq!(image, again);
    });
}

#[test]
fn mirrored_and_inside_out_models_are_lit_from_outside() {
    let mesh = Body::sphere(Vec3::ZERO, 1.0, 32);
    let shot = shot(&mesh);
    let mut inverted = mesh.clone();
    inverted.normals.iter_mut().for_each(|normal| *normal = -*normal);
    let mut rewound = mesh.clone();
    rewound.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    with_painters(|painter| {
        let reference = take(painter, &mesh, &shot, &[]);
        for other in [&inverted, &rewound] {
            let image = take(painter, other, &shot, &[]);
            let per_channel = total_difference(&image, &reference) as f64 / reference.len() as f64;
            assert!(per_channel < 0.2, "off by {per_channel}");
        }
    });
}

#[test]
fn a_transparent_background_keeps_the_subject_solid() {
    let mesh = Body::sphere(Vec3::ZERO, 1.0, 24);
    let mut clear = shot(&mesh);
    clear.look.background = Background::Transparent;
    with_painters(|painter| {
        let image = take(painter, &mesh, &clear, &[]);
        let solid = take(painter, &mesh, &shot(&mesh), &[]);
        assert_eq!(image.get_pixel(0, 0).0[3], 0);
        assert_eq!(image.get_pixel(80, 60), solid.get_pixel(80, 60));
    });
}

#[test]
fn nonsense_gives_a_picture_or_an_error_but_no_panic() {
    with_painters(|painter| {
        let mut broken = Body::sphere(Vec3::ZERO, 1.0, 6);
        broken.positions[3] = Vec3::NAN;
        broken.positions[9] = Vec3::INFINITY;
        broken.normals[4] = Vec3::ZERO;
        let joints = [Vec3::NAN, Vec3::ZERO, vec3(1e30, 0.0, 0.0)];
        let bones = Bones {
            joints: &joints,
            parents: &[Some(7), Some(0), Some(1)],
            scene_from_model: Mat4::IDENTITY,
        };
        let mut bad = shot(&broken);
        take(painter, &broken, &bad, &[bones]);
        bad.stage.subject_size = f32::NAN;
        bad.stage.ground_height = Some(f32::INFINITY);
        bad.view = View::from_degrees(f32::NAN, 400.0);
        take(painter, &broken, &bad, &[bones]);
        let empty = Body::default();
        take(painter, &empty, &shot(&empty), &[]);

        let triangles = [[0, 1, 900]];
        let geometry = Geometry { triangles: &triangles, ..broken.mesh().geometry };
        let missing = Mesh { geometry, ..Mesh::default() };
        let error = try_take(painter, &missing, &bad, &[]).expect_err("a missing vertex");
        assert!(error.to_string().contains("vertex 900"));
        for size_px in [[u32::MAX, 4], [0, 4], [30000, 30000]] {
            let huge = Shot { size_px, ..shot(&empty) };
            let error = try_take(painter, &empty.mesh(), &huge, &[]).expect_err("too large");
            let sentence = error.to_string();
            assert!(sentence.contains("at least 1") && sentence.contains("at most"), "{sentence}");
        }
    });
}

/// A device that cannot do something says so in a sentence; wgpu alone would panic.
#[cfg(feature = "gpu")]
#[test]
fn what_the_device_refuses_is_an_error() {
    let Some(gpu) = crate::support::gpu_or_skip() else { return };
    // No pipeline can draw to a depth texture as if it were colour.
    let Err(error) = Renderer::new(&gpu, wgpu::TextureFormat::Depth32Float) else {
        panic!("a renderer that draws colours into depths");
    };
    let sentence = error.to_string();
    assert!(sentence.contains("cannot do this") && !sentence.contains('\n'), "{sentence}");
}
