//! `jounce render`: a picture, or a film, of a character in motion.

mod args;
mod combinations;
mod crowd;
mod frame;
mod look_args;
mod looks;
mod moments;
#[cfg(feature = "gpu")]
mod on_device;
mod painter;
mod path;

pub use args::{RenderArgs, Resolution};

use super::assignments::Assignment;
use super::framing::{Seen, standing_height};
#[cfg(feature = "gpu")]
use super::graph::BackendArg;
use super::heat::HeatOfScene;
use super::scene::{Frames, Scene, WithoutClips};
use super::staging::LookingAt;
use super::standstill::say_what_was_seen;
use super::{CliError, ProgressBars, check_folder, flesh_overlay, print_line};
use args::{PictureFile, Variation};
use frame::{PreparedFrame, paint, side_by_side, stacked};
use jounce_base::text::{counted, visible};
use jounce_draw::{
    self as draw, DrawError, DrawnMoment, GhostLayout, Legend, Look, Materials, RgbaImage, Shot,
    StripLayout, Studio, Subject, View, WIREFRAME_OPACITY, strip_size_px, write_key,
};
use jounce_eval::flesh::ElementError;
use jounce_eval::heat::{HeatRange, HeatSubject};
use jounce_session::{Appearance, overlays};
use looks::heat_at;
use path::Paths;
use std::sync::Arc;

pub fn run(args: RenderArgs) -> Result<(), CliError> {
    print_line(&make(args, &ProgressBars::default())?)
}

/// Writes the picture or film, and says what it shows.
pub fn make(mut args: RenderArgs, bars: &ProgressBars) -> Result<String, CliError> {
    check_folder(&args.output.path)?;
    if args.strip.is_some() && args.output.is_film {
        return Err(CliError::StripOfFilm);
    }
    combinations::check(&args)?;
    if args.output.is_film && args.scene.fps > FASTEST_FILM_FPS {
        if args.scene.frames.is_some() {
            return Err(CliError::FilmTooFast);
        }
        say!("a .gif plays at most 50 frames per second, so this film uses 50");
        args.scene.fps = FASTEST_FILM_FPS;
    }
    if args.many.layout().is_some_and(|layout| layout.is_herd()) {
        args.scene.lean_vertices = Some(HERD_VERTICES);
    }
    let variants = variants(&mut args)?;
    let scene = &variants[0].scene;
    let other = match &args.comparison.compare {
        Some(file) => Some(scene.with_other_graph(&args.scene, file)?),
        None => None,
    };
    let frames = scene.frames(&args.scene)?;
    // Before anything is drawn: without an adapter the answer should come at once.
    let chosen = painter::choose(&args, scene)?;
    let mut parents = Vec::new();
    if args.over.skeleton {
        parents = overlays::joint_parents(scene.character());
    }
    if args.over.flesh {
        let elements = scene.bound().flesh.len();
        if elements == 0 {
            return Err(ElementError::NoFlesh.into());
        }
        parents.extend(flesh_overlay::parents(elements, parents.len()));
    }
    let materials = match args.clay {
        true => None,
        false => materials(scene),
    };
    let subject = Subject {
        triangles: &scene.character().mesh.triangles,
        colors: &scene.character().mesh.colors,
        joint_parents: &parents,
        materials: materials.as_ref(),
    };
    let paths = Paths::new(scene.character(), &args.over.path)?;
    let mut studio = Studio::new(chosen.painter, &subject);
    let other = other.as_ref();
    let take = Take {
        args: &args,
        variants: &variants,
        other,
        frames: &frames,
        paths,
        bars,
        #[cfg(feature = "gpu")]
        is_on_device: chosen.is_on_device,
        #[cfg(feature = "gpu")]
        gpu: chosen.gpu,
    };
    if let Some(layout) = args.many.layout() {
        return take.crowd(&mut studio, &layout);
    }
    match (args.strip, args.output.is_film) {
        (Some(count), _) => take.strip(&mut studio, count as usize),
        (None, true) => take.film(&mut studio),
        (None, false) => take.still(&mut studio),
    }
}

/// What the character's surfaces are made of; says what of it cannot be read.
fn materials(scene: &Scene) -> Option<Arc<Materials>> {
    let Appearance { materials, notes } = Appearance::of(scene.character());
    for note in notes {
        say!("{}", visible(&note));
    }
    materials
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
        let heat = subject.as_ref().map(|it| HeatOfScene::new(it, &scene, args.heat.arrows));
        let heat = heat.transpose()?;
        Ok(Variant { label, scene, heat })
    };
    let Some(Variation { name, values }) = args.vary.clone() else {
        return Ok(vec![variant(args, None)?]);
    };
    #[cfg(feature = "gpu")]
    // Each scene would open a device of its own, and pictures are drawn on one.
    if args.scene.graph.backend.is_some_and(|it| it != BackendArg::Cpu) {
        return Err(CliError::VaryOnGpu);
    }
    let of_value = |value: f64| {
        let set = Assignment { name: name.clone(), value: value.to_string() };
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
    /// What they are compared with; None: plain skinning.
    other: Option<&'a Scene>,
    frames: &'a Frames,
    paths: Paths,
    bars: &'a ProgressBars,
    /// Is the graph computed where it is drawn?
    #[cfg(feature = "gpu")]
    is_on_device: bool,
    /// The device that draws.
    #[cfg(feature = "gpu")]
    gpu: Option<jounce_gpu::Gpu>,
}

impl Take<'_> {
    fn scene(&self) -> &Scene {
        &self.variants[0].scene
    }

    fn still(&self, studio: &mut Studio) -> Result<String, CliError> {
        let times_secs = &self.frames.pose_secs[..1];
        let mut looks = self.looks(times_secs)?;
        let range = paint(&mut looks, None, self.arrows().as_ref());
        let shot = self.shot_of(&looks, range, self.size_of_still(&looks));
        let images: Result<Vec<_>, DrawError> =
            looks.iter().map(|look| studio.still(&look[0].moment(), &shot)).collect();
        self.save(vec![side_by_side(self.compared(images?))], times_secs, range, "one moment of")
    }

    fn strip(&self, studio: &mut Studio, count: usize) -> Result<String, CliError> {
        let times_secs = self.moments(count)?;
        let mut looks = self.looks(&times_secs)?;
        let range = paint(&mut looks, None, self.arrows().as_ref());
        let mut shot = self.shot_of(&looks, range, self.size_px());
        let looks: Vec<Vec<DrawnMoment>> =
            looks.iter().map(|look| look.iter().map(PreparedFrame::moment).collect()).collect();
        let joined = if self.args.ghosts {
            let ghosts =
                |look: &Vec<DrawnMoment>| studio.ghosts(look, &GhostLayout::default(), &shot);
            let images = looks.iter().map(ghosts).collect::<Result<Vec<_>, DrawError>>()?;
            side_by_side(self.labelled(images))
        } else {
            let looks: Vec<&[DrawnMoment]> = looks.iter().map(Vec::as_slice).collect();
            let layout = StripLayout::default();
            let most = [STRIP_MOST_WIDE_PX, STRIP_HIGH_PX];
            if self.args.resolution.is_none() || self.args.crop {
                let most = self.args.resolution.map_or(most, |resolution| resolution.0);
                shot.size_px = strip_size_px(&looks, &layout, shot.view, most);
            }
            stacked(self.labelled(studio.strips(&looks, &layout, &shot)?))
        };
        self.save(vec![joined], &times_secs, range, &format!("{} of", counted(count, "moment")))
    }

    /// Poses are made twice, first to find out how far they reach: pictures are large, poses quick.
    fn film(&self, studio: &mut Studio) -> Result<String, CliError> {
        let times_secs = &self.frames.pose_secs;
        let pictures = self.variants.len() + usize::from(self.args.comparison.is_beside());
        self.check_film_size(times_secs.len(), pictures)?;
        let mut range: Option<HeatRange> = None;
        for variant in self.variants.iter().filter(|variant| variant.heat.is_some()) {
            for &time_secs in times_secs {
                let own = heat_at(variant, time_secs)?.map(|heat| heat.range);
                range = range.into_iter().chain(own).reduce(HeatRange::union);
            }
        }
        let mut seen = self.seen(range, self.size_px());
        for &time_secs in times_secs {
            for variant in self.variants {
                seen.add(&self.positions_drawn(&variant.scene, time_secs)?, &[]);
                seen.add_points(&self.paths(&variant.scene, time_secs)?.1);
            }
            if self.shows_other() {
                seen.add(&self.other_positions_at(time_secs)?, &[]);
            }
        }
        let shot = self.shot(seen);
        let progress = self.bars.frames(times_secs.len());
        let arrows = self.arrows();
        let mut images = Vec::new();
        for time_secs in times_secs {
            let mut looks = self.looks(std::slice::from_ref(time_secs))?;
            paint(&mut looks, range, arrows.as_ref());
            let all: Result<Vec<_>, DrawError> =
                looks.iter().map(|look| studio.still(&look[0].moment(), &shot)).collect();
            images.push(side_by_side(self.compared(all?)));
            progress.inc(1);
        }
        progress.finish_and_clear();
        let said = format!("{} of", counted(images.len(), "frame"));
        self.save(images, times_secs, range, &said)
    }

    /// All pictures of a film are kept until its palette is known; so many stand side by side.
    fn check_film_size(&self, frames: usize, pictures: usize) -> Result<(), CliError> {
        let [width, height] = self.size_px().map(u64::from);
        let width = width * pictures as u64;
        match width * height * 4 * frames as u64 > MOST_FILM_BYTES {
            true => Err(CliError::FilmTooLong { frames, width, height }),
            false => Ok(()),
        }
    }

    fn legend(&self, range: Option<HeatRange>) -> Option<Legend> {
        let title = self.variants[0].heat.as_ref()?.title.clone();
        Some(Legend { title, range: range? })
    }

    /// Writes the pictures, and says what they are: `said`, then the clip.
    fn save(
        &self,
        mut images: Vec<RgbaImage>,
        times_secs: &[f64],
        range: Option<HeatRange>,
        said: &str,
    ) -> Result<String, CliError> {
        self.variants.iter().for_each(|it| say_what_was_seen(&it.scene, times_secs));
        let PictureFile { path, is_film } = &self.args.output;
        let clip = &self.scene().clip().name;
        let mut said = format!("{}: {said} clip \"{clip}\"", path.display());
        if let Some(legend) = self.legend(range) {
            images.iter_mut().for_each(|image| legend.draw(image));
            let [least, most] = legend.labels();
            said += &format!("; {} from {least} to {most}", legend.title);
        }
        let key = self.path_key();
        images.iter_mut().for_each(|image| write_key(image, key));
        said += &self.paths.said(&self.args.over.path);
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
        let is_herd = self.args.many.layout().is_some_and(|layout| layout.is_herd());
        let usual = if is_herd { [1200, 800] } else { [800, 600] };
        self.args.resolution.map_or(usual, |resolution| resolution.0)
    }

    /// With `--crop` as large as what is seen needs.
    fn size_of_still(&self, looks: &[Vec<PreparedFrame>]) -> [u32; 2] {
        let moments: Vec<[DrawnMoment; 1]> = looks.iter().map(|look| [look[0].moment()]).collect();
        let looks: Vec<&[DrawnMoment]> = moments.iter().map(|it| it.as_slice()).collect();
        match self.args.crop {
            true => strip_size_px(&looks, &StripLayout::default(), self.view(), self.size_px()),
            false => self.size_px(),
        }
    }

    fn view(&self) -> View {
        self.args.view(self.scene().character().facing())
    }

    fn seen(&self, range: Option<HeatRange>, size_px: [u32; 2]) -> Seen {
        let legend = self.legend(range).map_or(0.0, |legend| legend.height(size_px));
        Seen::new(size_px, self.view(), legend)
    }

    fn shot_of(
        &self,
        looks: &[Vec<PreparedFrame>],
        range: Option<HeatRange>,
        size_px: [u32; 2],
    ) -> Shot {
        let mut seen = self.seen(range, size_px);
        for frame in looks.iter().flatten() {
            seen.add(&frame.skinned.positions, &frame.joints);
            seen.add_points(&frame.also_seen);
            frame.behind.iter().for_each(|behind| seen.add(&behind.positions, &[]));
        }
        self.shot(seen)
    }

    fn shot(&self, seen: Seen) -> Shot {
        let mut shot = seen.shot(standing_height(self.scene()));
        if self.args.silhouette {
            shot.look = Look::silhouette();
        }
        if self.args.over.wireframe {
            shot.look.wireframe = WIREFRAME_OPACITY;
        }
        shot
    }
}

/// The number of vertices of the cows that the paper draws by the thousand.
const HERD_VERTICES: usize = 3200;
const FASTEST_FILM_FPS: f64 = 50.0;
const MOST_FILM_BYTES: u64 = 2 << 30;

const STRIP_HIGH_PX: u32 = 400;
const STRIP_MOST_WIDE_PX: u32 = 4800;
