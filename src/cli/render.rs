//! `jounce render`: a picture, or a film, of a character in motion.

mod args;
mod frame;

pub use args::RenderArgs;

use super::assignments::Assignment;
use super::deformer::{Deformer, LookingAt};
use super::framing::{Seen, standing_height};
use super::graph::BackendArg;
use super::heat::HeatOfScene;
use super::scene::{Frames, Scene, WithoutClips};
use super::standstill::say_if_nothing_moved;
use super::{CliError, check_folder, flesh_overlay, print, progress_bar, skeleton_overlay};
use crate::draw::{
    self, DrawError, GhostLayout, Legend, Look, Moment, RgbaImage, Shot, StripLayout, Studio,
    Subject, strip_size_px,
};
use crate::eval::flesh::ElementError;
use crate::eval::heat::{Heat, HeatRange, HeatSubject};
use crate::ir::Number;
use crate::rig::Skinned;
use args::{PictureFile, Variation};
use frame::{Frame, paint, side_by_side, stacked};
use std::rc::Rc;

pub fn run(mut args: RenderArgs) -> Result<(), CliError> {
    check_folder(&args.output.path)?;
    if args.strip.is_some() && args.output.is_film {
        return Err(CliError::StripOfFilm);
    }
    if args.output.is_film && args.scene.fps > FASTEST_FILM_FPS {
        if args.scene.frames.is_some() {
            return Err(CliError::FilmTooFast);
        }
        eprintln!("jounce: players show at most 50 frames of a .gif per second, so it gets 50");
        args.scene.fps = FASTEST_FILM_FPS;
    }
    let variants = variants(&mut args)?;
    let scene = &variants[0].scene;
    let frames = scene.frames(&args.scene)?;
    // Before anything is drawn: without an adapter the answer should come at once.
    let gpu = match scene.deformer.as_ref().and_then(Deformer::gpu) {
        Some(gpu) => gpu,
        None => args.scene.graph.open_gpu()?,
    };
    let mut parents = Vec::new();
    if args.skeleton {
        parents = skeleton_overlay::joint_parents(&scene.character);
    }
    if args.flesh {
        let elements = scene.deformer.as_ref().map_or(0, |it| it.bound().flesh.len());
        if elements == 0 {
            return Err(ElementError::NoFlesh.into());
        }
        parents.extend(flesh_overlay::parents(elements, parents.len()));
    }
    let subject = Subject {
        triangles: &scene.character.mesh.triangles,
        colors: &scene.character.mesh.colors,
        joint_parents: &parents,
    };
    let mut studio = Studio::new(&gpu, &subject)?;
    let take = Take { args: &args, variants: &variants, frames: &frames };
    let said = match (args.strip, args.output.is_film) {
        (Some(count), _) => take.strip(&mut studio, count as usize)?,
        (None, true) => take.film(&mut studio)?,
        (None, false) => take.still(&mut studio)?,
    };
    print(&said);
    Ok(())
}

/// The scene with one of the values that are tried.
struct Variant {
    label: Option<String>,
    scene: Scene,
    heat: Option<HeatOfScene>,
}

/// One for each value of `--vary`; without it one.
fn variants(args: &mut RenderArgs) -> Result<Vec<Variant>, CliError> {
    let subject = args.heat.subject()?;
    let looking_at = match &subject {
        Some(HeatSubject::Port(port)) => LookingAt::Port(port),
        _ => LookingAt::Nothing,
    };
    let variant = |args: &RenderArgs, label: Option<String>| {
        let scene = Scene::looking_at(&args.scene, WithoutClips::TestMotion, looking_at)?;
        let heat = subject.as_ref().map(|subject| HeatOfScene::new(subject, &scene)).transpose()?;
        Ok(Variant { label, scene, heat })
    };
    let Some(Variation { name, values }) = args.vary.clone() else {
        return Ok(vec![variant(args, None)?]);
    };
    // Each scene would open a device of its own, and pictures are drawn on one.
    if args.scene.graph.backend == BackendArg::Gpu {
        return Err(CliError::VaryOnGpu);
    }
    let of_value = |value: f64| {
        let set = Assignment { name: name.clone(), value: Number::Float(value) };
        args.scene.graph.set.push(set);
        let made = variant(args, Some(format!("{name} {value}")));
        args.scene.graph.set.pop();
        made
    };
    values.into_iter().map(of_value).collect()
}

/// One order to draw.
struct Take<'a> {
    args: &'a RenderArgs,
    /// At least one; all of one character and motion.
    variants: &'a [Variant],
    frames: &'a Frames,
}

impl Take<'_> {
    fn scene(&self) -> &Scene {
        &self.variants[0].scene
    }

    fn still(&self, studio: &mut Studio) -> Result<String, CliError> {
        let times_secs = &self.frames.pose_secs[..1];
        let mut looks = self.looks(times_secs)?;
        let range = paint(&mut looks, None);
        let shot = self.shot_of(&looks, range);
        let images: Result<Vec<_>, DrawError> =
            looks.iter().map(|look| studio.still(&look[0].moment(), &shot)).collect();
        self.save(vec![side_by_side(self.labelled(images?))], times_secs, range, "one moment")
    }

    fn strip(&self, studio: &mut Studio, count: usize) -> Result<String, CliError> {
        let times_secs: Vec<f64> = self.spread(count).collect();
        let mut looks = self.looks(&times_secs)?;
        let range = paint(&mut looks, None);
        let mut shot = self.shot_of(&looks, range);
        let looks: Vec<Vec<Moment>> =
            looks.iter().map(|look| look.iter().map(Frame::moment).collect()).collect();
        let joined = if self.args.ghosts {
            let ghosts = |look: &Vec<Moment>| studio.ghosts(look, &GhostLayout::default(), &shot);
            let images = looks.iter().map(ghosts).collect::<Result<Vec<_>, DrawError>>()?;
            side_by_side(self.labelled(images))
        } else {
            let looks: Vec<&[Moment]> = looks.iter().map(Vec::as_slice).collect();
            let layout = StripLayout::default();
            if self.args.resolution.is_none() {
                shot.size_px =
                    strip_size_px(&looks, &layout, shot.view, STRIP_HIGH_PX, STRIP_MOST_WIDE_PX);
            }
            stacked(self.labelled(studio.strips(&looks, &layout, &shot)?))
        };
        self.save(vec![joined], &times_secs, range, &format!("{count} moments"))
    }

    /// Poses are made twice, first to find out how far they reach: pictures are large, poses quick.
    fn film(&self, studio: &mut Studio) -> Result<String, CliError> {
        let times_secs = &self.frames.pose_secs;
        let [width, height] = self.size_px().map(u64::from);
        let width = width * (self.variants.len() as u64 + u64::from(self.args.beside));
        let bytes = width * height * 4 * times_secs.len() as u64;
        if bytes > MOST_FILM_BYTES {
            return Err(CliError::FilmTooLong { frames: times_secs.len(), width, height });
        }
        let mut range: Option<HeatRange> = None;
        for Variant { scene, heat, .. } in self.variants {
            for &time_secs in heat.iter().flat_map(|_| times_secs) {
                let own = heat_at(scene, heat, time_secs)?.map(|heat| heat.range);
                range = range.into_iter().chain(own).reduce(HeatRange::union);
            }
        }
        let mut seen = self.seen(range);
        for &time_secs in times_secs {
            for variant in self.variants {
                seen.add(&variant.scene.on_cpu(time_secs)?.positions, &[]);
            }
            if self.args.beside {
                seen.add(&self.scene().plain(time_secs).positions, &[]);
            }
        }
        let shot = self.shot(seen);
        let progress = progress_bar(times_secs.len());
        let mut images = Vec::new();
        for time_secs in times_secs {
            let mut looks = self.looks(std::slice::from_ref(time_secs))?;
            paint(&mut looks, range);
            let all: Result<Vec<_>, DrawError> =
                looks.iter().map(|look| studio.still(&look[0].moment(), &shot)).collect();
            images.push(side_by_side(self.labelled(all?)));
            progress.inc(1);
        }
        progress.finish_and_clear();
        let said = format!("{} frames", images.len());
        self.save(images, times_secs, range, &said)
    }

    /// The frames at these times of each variant; with `--beside` those of plain skinning before them.
    fn looks(&self, times_secs: &[f64]) -> Result<Vec<Vec<Frame>>, CliError> {
        let mut looks = Vec::new();
        if self.args.beside {
            let scene = self.scene();
            let plain = times_secs.iter().map(|&t| self.frame_of(scene, t, scene.plain(t)));
            looks.push(plain.collect::<Result<_, CliError>>()?);
        }
        for Variant { scene, heat, .. } in self.variants {
            let deformed = times_secs.iter().map(|&t| self.frame_of(scene, t, scene.on_cpu(t)?));
            let mut deformed = deformed.collect::<Result<Vec<Frame>, CliError>>()?;
            if let Some(on_device) = scene.on_device(times_secs)?.map(Rc::new) {
                for (place, frame) in deformed.iter_mut().enumerate() {
                    frame.on_device = Some((on_device.clone(), place));
                }
            }
            for (frame, &time_secs) in deformed.iter_mut().zip(times_secs) {
                frame.heat = heat_at(scene, heat, time_secs)?;
            }
            looks.push(deformed);
        }
        Ok(looks)
    }

    /// With what each variant is, where there are several.
    fn labelled(&self, mut images: Vec<RgbaImage>) -> Vec<RgbaImage> {
        let first = images.len() - self.variants.len().min(images.len());
        for (image, variant) in images.iter_mut().skip(first).zip(self.variants) {
            if let Some(label) = &variant.label {
                draw::write_label(image, label);
            }
        }
        images
    }

    fn legend(&self, range: Option<HeatRange>) -> Option<Legend> {
        let title = self.variants[0].heat.as_ref()?.title.clone();
        Some(Legend { title, range: range? })
    }

    /// Writes the pictures, and says what they are.
    fn save(
        &self,
        mut images: Vec<RgbaImage>,
        times_secs: &[f64],
        range: Option<HeatRange>,
        said: &str,
    ) -> Result<String, CliError> {
        self.variants.iter().for_each(|it| say_if_nothing_moved(&it.scene, times_secs));
        let PictureFile { path, is_film } = &self.args.output;
        let clip = &self.scene().clip.name;
        let mut said = format!("{}: {said} of clip \"{clip}\"", path.display());
        if let Some(legend) = self.legend(range) {
            images.iter_mut().for_each(|image| legend.draw(image));
            let [least, most] = legend.labels();
            said += &format!("; {} from {least} to {most}", legend.title);
        }
        if *is_film {
            draw::save_gif(path, &images, self.frames.fps)?;
        } else {
            draw::save_png(path, &images[0])?;
        }
        Ok(said + "\n")
    }

    /// Times of N moments: from the first to the last frame, in a loop without the last, which
    /// would repeat the first.
    fn spread(&self, count: usize) -> impl Iterator<Item = f64> {
        let clock_secs = &self.frames.clock_secs;
        let (first, last) = (clock_secs[0], clock_secs[clock_secs.len() - 1]);
        let (length_secs, steps) = match self.args.scene.looped {
            true => (last - first + 1.0 / self.frames.fps, count),
            false => (last - first, count.max(2) - 1),
        };
        (0..count).map(move |i| first + length_secs * i as f64 / steps as f64)
    }

    fn size_px(&self) -> [u32; 2] {
        self.args.resolution.map_or([800, 600], |resolution| resolution.0)
    }

    fn seen(&self, range: Option<HeatRange>) -> Seen {
        let legend = self.legend(range).map_or(0.0, |legend| legend.height(self.size_px()));
        Seen::new(self.size_px(), self.args.view.view(), legend)
    }

    fn shot_of(&self, looks: &[Vec<Frame>], range: Option<HeatRange>) -> Shot {
        let mut seen = self.seen(range);
        let frames = looks.iter().flatten();
        frames.for_each(|frame| seen.add(&frame.skinned.positions, &frame.joints));
        self.shot(seen)
    }

    fn shot(&self, seen: Seen) -> Shot {
        let mut shot = seen.shot(standing_height(self.scene()));
        if self.args.silhouette {
            shot.look = Look::silhouette();
        }
        if self.args.wireframe {
            shot.look.wireframe = WIREFRAME_OPACITY;
        }
        shot
    }

    fn frame_of(&self, scene: &Scene, at_secs: f64, skinned: Skinned) -> Result<Frame, CliError> {
        let mut joints = match self.args.skeleton {
            true => skeleton_overlay::joints(&scene.character, &scene.pose(at_secs)),
            false => Vec::new(),
        };
        if let (true, Some(deformer)) = (self.args.flesh, &scene.deformer) {
            joints.extend(flesh_overlay::joints(scene, deformer, at_secs)?);
        }
        Ok(Frame { skinned, joints, heat: None, colors: Vec::new(), on_device: None })
    }
}

fn heat_at(
    scene: &Scene,
    heat: &Option<HeatOfScene>,
    time_secs: f64,
) -> Result<Option<Heat>, CliError> {
    heat.as_ref().map(|heat| heat.at(scene, time_secs)).transpose()
}

const FASTEST_FILM_FPS: f64 = 50.0;
/// All pictures of a film are kept until its palette is known.
const MOST_FILM_BYTES: u64 = 2 << 30;

const STRIP_HIGH_PX: u32 = 400;
const STRIP_MOST_WIDE_PX: u32 = 4800;
const WIREFRAME_OPACITY: f32 = 0.6;
