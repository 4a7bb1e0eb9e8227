//! Many of a character on the graphics device: one dispatch, each as if alone, drawn where it was computed.
#![cfg(feature = "gpu")]

use super::gpu::relaxed_style;
use crate::support::gpu_or_skip;
use crate::support::scene::{Scene, farthest};
use glam::{Mat4, Vec3};
use jounce::draw::{
    Bounds, Camera, CpuPainter, DrawError, Geometry, HerdOf, HerdSource, HerdVertices, Look, Mesh,
    Painter, PictureOf, RgbaImage, Stage, View,
};
use jounce::eval::{EvalError, Moment, Performer};
use jounce::gpu::Gpu;
use jounce::gpu::draw::{Herd, IMAGE_FORMAT, Model, Picture, Placed, Renderer};
use jounce::gpu::eval::{DeviceDeformer, GpuEvaluator, OnDeviceMoments, skinning_kind};
use jounce::graph::{Document, built_in_style};
use jounce::rig::{Character, CharacterParts, Influences, own};
use jounce::session::{CrowdLayout, Room};

/// So many of one, each at its own time.
struct Crowd {
    performer: Performer,
    offsets_secs: Vec<f64>,
}

impl Crowd {
    fn new(style: &Document, cow: Character, count: usize) -> Crowd {
        let settings = style.characters.get("cow").cloned().unwrap_or_default();
        let performer = Scene::new(style, cow, &settings).performer(&settings);
        let layout = CrowdLayout { count, spacing_secs: None };
        let offsets_secs = layout.offsets_secs(performer.playback().duration_secs);
        Crowd { performer, offsets_secs }
    }

    fn with_moments<T>(&self, work: impl FnOnce(&[Moment]) -> Result<T, EvalError>) -> T {
        self.performer.with_crowd(0.2, &self.offsets_secs, work).unwrap()
    }
}

fn cow() -> Character {
    own::built_in("cow").unwrap()
}

#[test]
fn every_member_is_as_if_alone_and_all_go_in_one_dispatch() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let example = |name: &str| built_in_style(name).unwrap();
    let styles = [
        ("velocity-skinning", example("velocity-skinning")),
        ("cow-bouncy", example("cow-bouncy")),
        ("cartoon, which remembers", example("cartoon")),
        ("flesh-body, which remembers", example("flesh-body")),
        ("relaxed", relaxed_style()),
    ];
    const COUNT: usize = 120;
    for (name, style) in styles {
        let crowd = Crowd::new(&style, cow(), COUNT);
        let (program, bound) = (crowd.performer.program(), crowd.performer.bound());
        crowd.with_moments(|moments| {
            let kind = skinning_kind(&moments[0]);
            let mut prepared = evaluator.prepare(program, bound, kind)?;
            prepared.run(bound, moments)?;
            let of_many = prepared.dispatches();
            let together = prepared.read()?;
            assert_eq!(together.len(), COUNT);
            for member in [0, 1, 40, 77, COUNT - 1] {
                prepared.run(bound, &moments[member..=member])?;
                let alone = prepared.read()?.pop().unwrap();
                assert!(alone == together[member], "{name}: member {member}");
                // Smoothing walks over the surface more than once, with one or with all.
                assert_eq!(prepared.dispatches(), of_many, "{name}");
            }
            assert_eq!(of_many == 1, !program.has_relaxations(), "{name}: {of_many}");
            let is_other = |a: usize, b: usize| together[a].positions != together[b].positions;
            assert!(is_other(0, 1) && is_other(40, 77), "{name}: each at its own time");
            Ok(())
        });
    }
}

/// The cow with the first so many of its vertices: no device is too small for thousands of it.
fn cut_down(character: &Character, vertices: usize) -> Character {
    let mut parts: CharacterParts = (**character).clone();
    let mesh = &mut parts.mesh;
    mesh.positions.truncate(vertices);
    mesh.normals.truncate(vertices);
    mesh.colors.truncate(vertices);
    mesh.triangles.retain(|corners| corners.iter().all(|&corner| (corner as usize) < vertices));
    mesh.parts.clear();
    mesh.morph_targets.clear();
    parts.maps.clear();
    parts.rest_morph_weights.clear();
    let mut skin = Influences::default();
    (0..vertices).for_each(|vertex| skin.push(parts.skin.of(vertex).iter().copied()));
    parts.skin = skin;
    Character::new(parts).unwrap()
}

#[test]
fn four_thousand_are_one_run() {
    let Some(gpu) = gpu_or_skip() else { return };
    const COUNT: usize = 4000;
    let cow = cut_down(&cow(), 500);
    assert_eq!(cow.vertex_count(), 500);
    let crowd = Crowd::new(&built_in_style("velocity-skinning").unwrap(), cow, COUNT);
    let performer = &crowd.performer;
    let mut evaluator = GpuEvaluator::new(&gpu);
    crowd.with_moments(|moments| {
        assert_eq!(moments.len(), COUNT);
        let kind = skinning_kind(&moments[0]);
        let mut prepared = evaluator.prepare(performer.program(), performer.bound(), kind)?;
        assert!(prepared.most_instances() >= COUNT, "{}", prepared.most_instances());
        prepared.run(performer.bound(), moments)?;
        assert_eq!(prepared.dispatches(), 1);
        let together = prepared.read()?;
        assert_eq!(together.len(), COUNT);
        for member in [0, 1999, COUNT - 1] {
            let expected = performer.deform(&moments[member])?.positions;
            let off = farthest(&together[member].positions, &expected);
            assert!(off < 1e-4 * performer.bound().size, "member {member}: {off}");
        }
        Ok(())
    });
}

/// Members that were computed once, handed out in parts of a size; by the device or as lists.
struct Given<'a> {
    crowd: &'a Crowd,
    deformer: Option<DeviceDeformer>,
    results: Option<OnDeviceMoments>,
    lists: [Vec<Vec3>; 2],
    part_size: usize,
    parts: usize,
}

impl HerdSource for Given<'_> {
    fn vertex_count(&self) -> usize {
        self.crowd.performer.character().vertex_count()
    }

    fn part_size(&self) -> usize {
        self.part_size
    }

    fn part(&mut self, members: &[usize]) -> Result<HerdVertices<'_>, DrawError> {
        self.parts += 1;
        let (performer, deformer) = (&self.crowd.performer, &mut self.deformer);
        let [positions, normals] = &mut self.lists;
        positions.clear();
        normals.clear();
        self.results = self.crowd.with_moments(|moments| match deformer {
            Some(deformer) => {
                let some: Vec<Moment> = members.iter().map(|&it| moments[it].clone()).collect();
                deformer.run(performer.setup(), &some)
            }
            None => {
                for moment in members.iter().map(|&it| &moments[it]) {
                    let deformed = performer.with_normals(performer.deform(moment)?);
                    normals.extend(deformed.normals);
                    positions.extend(deformed.positions);
                }
                Ok(None)
            }
        });
        Ok(match &self.results {
            Some(results) => HerdVertices::OnDevice(results.get(0)),
            None => HerdVertices::Lists { positions: &self.lists[0], normals: &self.lists[1] },
        })
    }
}

const SIZE_PX: [u32; 2] = [360, 240];

/// The same picture of some cows, however they get into it.
struct Field<'a> {
    gpu: &'a Gpu,
    crowd: &'a Crowd,
    places: Vec<Mat4>,
    stage: Stage,
}

impl Field<'_> {
    fn model(&self) -> Model {
        let mesh = &self.crowd.performer.character().mesh;
        let geometry = Geometry {
            positions: &self.crowd.performer.character().rest().positions,
            normals: &[],
            colors: &mesh.colors,
            triangles: &mesh.triangles,
            materials: None,
        };
        Model::new(self.gpu, &geometry).unwrap()
    }

    fn picture<'p>(&self, models: &'p [Placed<'p>]) -> Picture<'p> {
        let view = View::from_degrees(32.0, 24.0);
        let camera = Camera::framing(self.stage.bounds, 1.5, view);
        let look = Look { wireframe: 0.3, ..Look::default() };
        Picture { camera, stage: self.stage, look, models, skeletons: &[] }
    }

    fn given(&self, on_device: bool, part_size: usize) -> Given<'_> {
        Given {
            crowd: self.crowd,
            deformer: on_device.then(|| DeviceDeformer::new(self.gpu)),
            results: None,
            lists: Default::default(),
            part_size,
            parts: 0,
        }
    }

    fn as_herd(&self, source: &mut Given) -> RgbaImage {
        let mut renderer = Renderer::new(self.gpu, IMAGE_FORMAT).unwrap();
        let (model, scene_from_member) = (self.model(), &self.places[..]);
        let mut herd = Herd { model: &model, scene_from_member, source };
        renderer.herd_to_image(&self.picture(&[]), &mut herd, SIZE_PX).unwrap()
    }

    /// Without a device.
    fn by_the_cpu(&self, part_size: usize) -> RgbaImage {
        let mesh = &self.crowd.performer.character().mesh;
        let (colors, triangles) = (&mesh.colors[..], &mesh.triangles[..]);
        let geometry = Geometry { colors, triangles, ..Geometry::default() };
        let model = Mesh { geometry, ..Mesh::default() };
        let Picture { camera, stage, look, .. } = self.picture(&[]);
        let picture = PictureOf { camera, stage, look, models: &[], skeletons: &[] };
        let mut source = self.given(false, part_size);
        let scene_from_member = &self.places[..];
        let mut herd = HerdOf { model: &model, scene_from_member, source: &mut source };
        CpuPainter::default().paint_herd(&picture, &mut herd, SIZE_PX).unwrap()
    }

    /// Each a model of its own.
    fn one_by_one(&self) -> RgbaImage {
        let mut renderer = Renderer::new(self.gpu, IMAGE_FORMAT).unwrap();
        let mut source = self.given(false, self.places.len());
        source.part(&(0..self.places.len()).collect::<Vec<_>>()).unwrap();
        let vertices = source.vertex_count();
        let lists = source.lists.iter().map(|list| list.chunks(vertices)).collect::<Vec<_>>();
        let [positions, normals] = lists.try_into().unwrap();
        let models: Vec<Model> = positions
            .zip(normals)
            .map(|(positions, normals)| {
                let model = self.model();
                model.update(self.gpu, positions, normals).unwrap();
                model
            })
            .collect();
        let placed: Vec<Placed> = (models.iter().zip(&self.places))
            .map(|(model, place)| Placed { scene_from_model: *place, ..Placed::at_origin(model) })
            .collect();
        renderer.render_to_image(&self.picture(&placed), SIZE_PX).unwrap()
    }
}

fn differing(a: &RgbaImage, b: &RgbaImage, by: u8) -> usize {
    let is_other = |(a, b): &(&image::Rgba<u8>, &image::Rgba<u8>)| {
        a.0.iter().zip(&b.0).any(|(a, b)| a.abs_diff(*b) > by)
    };
    a.pixels().zip(b.pixels()).filter(is_other).count()
}

#[test]
fn a_herd_is_the_same_picture_in_one_part_in_several_and_model_by_model() {
    let Some(gpu) = gpu_or_skip() else { return };
    const COUNT: usize = 7;
    let crowd = Crowd::new(&built_in_style("cartoon").unwrap(), cow(), COUNT);
    let bounds = Bounds::of(&crowd.performer.character().rest().positions);
    let layout = CrowdLayout { count: 120, spacing_secs: None };
    // Turned, and in no line.
    let mut places = layout.places(&Room { min: bounds.min, max: bounds.max });
    places.truncate(COUNT);
    let moved = places.iter().map(|place| bounds.transformed(*place));
    let bounds = moved.fold(Bounds::EMPTY, Bounds::union);
    let stage = Stage { subject_size: 2.0, ..Stage::around(bounds) };
    let field = Field { gpu: &gpu, crowd: &crowd, places, stage };

    let mut at_once = field.given(true, COUNT);
    let whole = field.as_herd(&mut at_once);
    assert_eq!(at_once.parts, 1, "it is brought once");
    let mut in_parts = field.given(true, 3);
    let parts = field.as_herd(&mut in_parts);
    assert_eq!(in_parts.parts, 6, "three parts, for shadows and for surfaces");
    assert_eq!(differing(&whole, &parts, 0), 0, "the same picture in parts");
    let lists = field.as_herd(&mut field.given(false, 2));
    let one_by_one = field.one_by_one();
    if let Ok(folder) = std::env::var("JOUNCE_PICTURES") {
        whole.save(format!("{folder}/herd.png")).unwrap();
        field.by_the_cpu(2).save(format!("{folder}/herd-cpu.png")).unwrap();
        one_by_one.save(format!("{folder}/herd-one-by-one.png")).unwrap();
    }
    let pixels = (SIZE_PX[0] * SIZE_PX[1]) as usize;
    let empty = field.picture(&[]);
    let empty = Renderer::new(&gpu, IMAGE_FORMAT).unwrap().render_to_image(&empty, SIZE_PX);
    assert!(differing(&whole, &empty.unwrap(), 12) > pixels / 10, "there is something to see");
    assert_eq!(differing(&lists, &one_by_one, 2), 0, "as if each were drawn alone");
    let (by_the_cpu, in_parts) = (field.by_the_cpu(COUNT), field.by_the_cpu(2));
    let off = differing(&by_the_cpu, &in_parts, 12);
    assert!(off < pixels / 1000, "{off} pixels differ between one part and several");
    let off = differing(&by_the_cpu, &one_by_one, 40);
    assert!(off < pixels / 50, "{off} pixels differ between the two that draw");
    let off = differing(&whole, &one_by_one, 8);
    assert!(off < pixels / 500, "{off} pixels differ between the device and the CPU");
}
