//! `jounce render`: a picture, or a film, of a character in motion.

use super::deformer::{Deformer, OnDeviceMoments};
use super::scene::{Frames, Scene, WithoutClips};
use super::scene_args::SceneArgs;
use super::standstill::say_if_nothing_moved;
use super::{CliError, check_folder, flesh_overlay, print, progress_bar};
use crate::draw::{
    self, Bounds, DrawError, GhostLayout, Look, Moment, Shot, StripLayout, Studio, Subject, View,
    strip_size_px,
};
use crate::rig::{Character, Pose, Skinned};
use crate::text::counted;
use clap::Args;
use glam::Vec3;
use std::path::PathBuf;
use std::rc::Rc;
use std::str::FromStr;

/// Draw a character as a picture (.png) or a looping film (.gif).
///
/// A .png shows one moment (--at, else the first frame), or several with --strip; a .gif shows
/// all frames.
#[derive(Args)]
pub struct RenderArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Where to write: OUT.png or OUT.gif
    #[arg(short, long, value_name = "OUT.png|OUT.gif", value_parser = picture_file)]
    output: PictureFile,
    /// Width and height in pixels [default: 800x600; a strip is 400 high, or less, and as wide as it needs]
    #[arg(long, value_name = "WxH")]
    resolution: Option<Resolution>,
    /// Draw the edges of the triangles
    #[arg(long)]
    wireframe: bool,
    /// Draw the bones over the character
    #[arg(long)]
    skeleton: bool,
    /// Draw flesh elements over the character: virtual bone, its frame, and the spring to where the mass is
    #[arg(long, requires = "graph")]
    flesh: bool,
    /// Show N moments, evenly spread over the frames, side by side in one picture
    #[arg(long, value_name = "N", conflicts_with = "at", value_parser = clap::value_parser!(u32).range(1..=64))]
    strip: Option<u32>,
    /// With --strip: lay the moments over each other, the earlier ones fading
    #[arg(long, requires = "strip")]
    ghosts: bool,
    /// Draw plain skinning too, for comparison: above a strip, else to the left
    #[arg(long, requires = "graph")]
    beside: bool,
    /// From where to look, in degrees: around the character (0 looks from +Z, where glTF
    /// characters face) and from above
    #[arg(long, value_name = "YAW,PITCH", default_value_t = ViewAngles::default(), allow_hyphen_values = true)]
    view: ViewAngles,
    /// Flat black on white
    #[arg(long, conflicts_with_all = ["wireframe", "skeleton", "flesh"])]
    silhouette: bool,
}

#[derive(Clone)]
struct PictureFile {
    path: PathBuf,
    is_film: bool,
}

fn picture_file(text: &str) -> Result<PictureFile, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    let is_film = match extension.as_ref().and_then(|e| e.to_str()) {
        Some("png") => false,
        Some("gif") => true,
        _ => return Err("the name must end in .png or .gif".to_owned()),
    };
    Ok(PictureFile { path, is_film })
}

#[derive(Clone, Copy)]
struct Resolution([u32; 2]);

impl FromStr for Resolution {
    type Err = String;

    fn from_str(text: &str) -> Result<Resolution, String> {
        let wrong =
            || format!("\"{text}\" is no resolution; write it as 800x600, each side up to 32768");
        let (width, height) = text.split_once('x').ok_or_else(wrong)?;
        let number = |text: &str| match text.parse::<u32>() {
            Ok(number) if (1..=32768).contains(&number) => Ok(number),
            _ => Err(wrong()),
        };
        Ok(Resolution([number(width)?, number(height)?]))
    }
}

#[derive(Clone, Copy)]
struct ViewAngles {
    yaw_deg: f32,
    pitch_deg: f32,
}

impl Default for ViewAngles {
    fn default() -> ViewAngles {
        let View { yaw_rad, pitch_rad } = View::default();
        ViewAngles {
            yaw_deg: yaw_rad.to_degrees().round(),
            pitch_deg: pitch_rad.to_degrees().round(),
        }
    }
}

impl std::fmt::Display for ViewAngles {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{},{}", self.yaw_deg, self.pitch_deg)
    }
}

impl FromStr for ViewAngles {
    type Err = String;

    fn from_str(text: &str) -> Result<ViewAngles, String> {
        let wrong = || format!("\"{text}\" is no view; write yaw and pitch as 35,12");
        let (yaw, pitch) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| match text.trim().parse::<f32>() {
            Ok(number) if number.abs() <= 360.0 => Ok(number),
            _ => Err(wrong()),
        };
        Ok(ViewAngles { yaw_deg: number(yaw)?, pitch_deg: number(pitch)?.clamp(-89.0, 89.0) })
    }
}

/// One moment, with everything it needs to be drawn.
struct Frame {
    skinned: Skinned,
    joints: Vec<Vec3>,
    /// Drawn in place of `skinned`, which then only says what the camera must see: which of them.
    on_device: Option<(Rc<OnDeviceMoments>, usize)>,
}

impl Frame {
    fn moment(&self) -> Moment<'_> {
        Moment {
            positions: &self.skinned.positions,
            normals: &self.skinned.normals,
            joints: &self.joints,
            on_device: self.on_device.as_ref().map(|(moments, place)| moments.get(*place)),
        }
    }
}

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
    let scene = Scene::with_graph(&args.scene, WithoutClips::TestMotion)?;
    let frames = scene.frames(&args.scene)?;
    // Before anything is drawn: without an adapter the answer should come at once.
    let gpu = match scene.deformer.as_ref().and_then(Deformer::gpu) {
        Some(gpu) => gpu,
        None => args.scene.graph.open_gpu()?,
    };
    let mut parents = if args.skeleton { joint_parents(&scene.character) } else { Vec::new() };
    if args.flesh {
        let elements = scene.deformer.as_ref().map_or(0, |it| it.bound().flesh.len());
        if elements == 0 {
            return Err(CliError::NoFlesh);
        }
        parents.extend(flesh_overlay::parents(elements, parents.len()));
    }
    let subject = Subject {
        triangles: &scene.character.mesh.triangles,
        colors: &scene.character.mesh.colors,
        joint_parents: &parents,
    };
    let mut studio = Studio::new(&gpu, &subject)?;
    let take = Take { args: &args, scene: &scene, frames: &frames };
    let frames = match (args.strip, args.output.is_film) {
        (Some(count), _) => take.strip(&mut studio, count as usize)?,
        (None, true) => take.film(&mut studio)?,
        (None, false) => take.still(&mut studio)?,
    };
    print(&format!("{}: {frames} of clip \"{}\"\n", args.output.path.display(), scene.clip.name));
    Ok(())
}

/// One order to draw.
struct Take<'a> {
    args: &'a RenderArgs,
    scene: &'a Scene,
    frames: &'a Frames,
}

impl Take<'_> {
    fn still(&self, studio: &mut Studio) -> Result<String, CliError> {
        let times_secs = &self.frames.pose_secs[..1];
        let looks = self.looks(times_secs)?;
        let bounds = looks.iter().flatten().map(|frame| Bounds::of(&frame.skinned.positions));
        let shot = self.shot(bounds);
        let images: Result<Vec<_>, DrawError> =
            looks.iter().map(|look| studio.still(&look[0].moment(), &shot)).collect();
        self.save(&[side_by_side(images?)], times_secs)?;
        Ok("one moment".to_owned())
    }

    fn strip(&self, studio: &mut Studio, count: usize) -> Result<String, CliError> {
        let times_secs: Vec<f64> = self.spread(count).collect();
        let looks = self.looks(&times_secs)?;
        let mut shot = self.shot(looks.iter().flatten().map(|frame| frame.moment().bounds()));
        let looks: Vec<Vec<Moment>> =
            looks.iter().map(|look| look.iter().map(Frame::moment).collect()).collect();
        let joined = if self.args.ghosts {
            let ghosts = |look: &Vec<Moment>| studio.ghosts(look, &GhostLayout::default(), &shot);
            side_by_side(looks.iter().map(ghosts).collect::<Result<Vec<_>, DrawError>>()?)
        } else {
            let looks: Vec<&[Moment]> = looks.iter().map(Vec::as_slice).collect();
            let layout = StripLayout::default();
            if self.args.resolution.is_none() {
                shot.size_px =
                    strip_size_px(&looks, &layout, shot.view, STRIP_HIGH_PX, STRIP_MOST_WIDE_PX);
            }
            stacked(studio.strips(&looks, &layout, &shot)?)
        };
        self.save(&[joined], &times_secs)?;
        Ok(counted(count, "moment"))
    }

    /// Poses are made twice, first to find out how far they reach: pictures are large, poses quick.
    fn film(&self, studio: &mut Studio) -> Result<String, CliError> {
        let times_secs = &self.frames.pose_secs;
        let [width, height] = self.size_px().map(u64::from);
        let width = if self.args.beside { 2 * width } else { width };
        let bytes = width * height * 4 * times_secs.len() as u64;
        if bytes > MOST_FILM_BYTES {
            return Err(CliError::FilmTooLong { frames: times_secs.len(), width, height });
        }
        let bounds: Result<Vec<Bounds>, CliError> =
            times_secs.iter().map(|&t| Ok(Bounds::of(&self.scene.on_cpu(t)?.positions))).collect();
        let shot = self.shot(bounds?);
        let progress = progress_bar(times_secs.len());
        let mut images = Vec::new();
        for time_secs in times_secs {
            let looks = self.looks(std::slice::from_ref(time_secs))?;
            let both: Result<Vec<_>, DrawError> =
                looks.iter().map(|look| studio.still(&look[0].moment(), &shot)).collect();
            images.push(side_by_side(both?));
            progress.inc(1);
        }
        progress.finish_and_clear();
        self.save(&images, times_secs)?;
        Ok(counted(images.len(), "frame"))
    }

    /// The frames at these times; with `--beside` those of plain skinning before them.
    fn looks(&self, times_secs: &[f64]) -> Result<Vec<Vec<Frame>>, CliError> {
        let mut looks = Vec::new();
        if self.args.beside {
            let plain = times_secs.iter().map(|&t| self.frame_of(t, self.scene.plain(t)));
            looks.push(plain.collect::<Result<_, CliError>>()?);
        }
        let deformed = times_secs.iter().map(|&t| self.frame_of(t, self.scene.on_cpu(t)?));
        let mut deformed = deformed.collect::<Result<Vec<Frame>, CliError>>()?;
        if let Some(on_device) = self.scene.on_device(times_secs)?.map(Rc::new) {
            for (place, frame) in deformed.iter_mut().enumerate() {
                frame.on_device = Some((on_device.clone(), place));
            }
        }
        looks.push(deformed);
        Ok(looks)
    }

    fn save(&self, images: &[draw::RgbaImage], times_secs: &[f64]) -> Result<(), DrawError> {
        say_if_nothing_moved(self.scene, times_secs);
        let PictureFile { path, is_film } = &self.args.output;
        if *is_film {
            draw::save_gif(path, images, self.frames.fps)
        } else {
            draw::save_png(path, &images[0])
        }
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

    fn shot(&self, bounds: impl IntoIterator<Item = Bounds>) -> Shot {
        let mut shot = Shot::around(bounds, self.size_px());
        shot.view = View::from_degrees(self.args.view.yaw_deg, self.args.view.pitch_deg);
        if self.args.silhouette {
            shot.look = Look::silhouette();
        }
        if self.args.wireframe {
            shot.look.wireframe = WIREFRAME_OPACITY;
        }
        shot
    }

    fn frame_of(&self, time_secs: f64, skinned: Skinned) -> Result<Frame, CliError> {
        let mut joints = match self.args.skeleton {
            true => joints(&self.scene.character, &self.scene.pose(time_secs)),
            false => Vec::new(),
        };
        if let (true, Some(deformer)) = (self.args.flesh, &self.scene.deformer) {
            joints.extend(flesh_overlay::joints(self.scene, deformer, time_secs)?);
        }
        Ok(Frame { skinned, joints, on_device: None })
    }
}

/// All of one size, from left to right.
fn side_by_side(images: Vec<draw::RgbaImage>) -> draw::RgbaImage {
    join(images, |i, width, _| (i * width, 0))
}

/// All of one size, from top to bottom.
fn stacked(images: Vec<draw::RgbaImage>) -> draw::RgbaImage {
    join(images, |i, _, height| (0, i * height))
}

fn join(
    images: Vec<draw::RgbaImage>,
    place: impl Fn(u32, u32, u32) -> (u32, u32),
) -> draw::RgbaImage {
    let (width, height) = images.first().map_or((1, 1), |image| image.dimensions());
    let last = place(images.len().max(1) as u32 - 1, width, height);
    let mut joined = draw::RgbaImage::new(last.0 + width, last.1 + height);
    for (i, image) in images.into_iter().enumerate() {
        let (x, y) = place(i as u32, width, height);
        image::imageops::replace(&mut joined, &image, x.into(), y.into());
    }
    joined
}

/// Bones without children: a stick needs somewhere to point.
fn leaves(character: &Character) -> Vec<usize> {
    let bones = &character.skeleton.bones;
    let mut is_leaf = vec![true; bones.len()];
    bones.iter().filter_map(|bone| bone.parent).for_each(|parent| is_leaf[parent] = false);
    (0..bones.len()).filter(|&bone| is_leaf[bone]).collect()
}

/// The joint of every bone, then a tip for every leaf.
fn joint_parents(character: &Character) -> Vec<Option<usize>> {
    let joints = character.skeleton.bones.iter().map(|bone| bone.parent);
    joints.chain(leaves(character).into_iter().map(Some)).collect()
}

/// Leaves point at the centre of what they move.
fn joints(character: &Character, pose: &Pose) -> Vec<Vec3> {
    let centroids = character.centroids().evaluate(character, pose);
    let joints = (0..centroids.len()).map(|bone| character.bone_origin(pose, bone));
    let tips = leaves(character).into_iter().map(|bone| centroids[bone]);
    joints.chain(tips).map(|joint| joint.as_vec3()).collect()
}

const FASTEST_FILM_FPS: f64 = 50.0;
/// All pictures of a film are kept until its palette is known.
const MOST_FILM_BYTES: u64 = 2 << 30;

const STRIP_HIGH_PX: u32 = 400;
const STRIP_MOST_WIDE_PX: u32 = 4800;
const WIREFRAME_OPACITY: f32 = 0.6;
