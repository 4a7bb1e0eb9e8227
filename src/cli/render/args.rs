//! The arguments of `jounce render`.

use super::look_args::{ComparisonArgs, CrowdArgs, OverlayArgs};
use super::painter::DrawArg;
use crate::cli::heat::HeatArgs;
#[cfg(not(feature = "gpu"))]
use crate::cli::no_gpu;
use crate::cli::scene_args::SceneArgs;
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use jounce_draw::View;
use jounce_rig::Facing;
use jounce_session::{HERD_VIEW_DEG, NamedView, turned_with};
use std::path::PathBuf;
use std::str::FromStr;

/// Draw a character as a picture (.png) or a looping film (.gif).
///
/// A .png shows one moment (--at, else the first frame), or several with --strip; a .gif shows
/// all frames.
#[derive(Args)]
pub struct RenderArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Where to write: OUT.png or OUT.gif
    #[arg(short, long, value_name = "OUT.png|OUT.gif", value_parser = PathBufValueParser::new().try_map(picture_file))]
    pub output: PictureFile,
    /// Width and height in pixels [default: 800x600; a strip is at most 400 high and as wide as it
    /// needs; a herd 1200x800]
    #[arg(long, value_name = "WxH")]
    pub resolution: Option<Resolution>,
    /// Leave nothing empty around the character but a margin; --resolution is then the largest size of a .png
    #[arg(long)]
    pub crop: bool,
    /// Draw on the GPU or the CPU; the picture is the same [default: gpu where there is a graphics adapter, else cpu]
    #[arg(long)]
    #[cfg_attr(feature = "gpu", arg(value_enum))]
    #[cfg_attr(not(feature = "gpu"), arg(value_parser = no_gpu::except_gpu::<DrawArg>))]
    pub draw: Option<DrawArg>,
    #[command(flatten)]
    pub over: OverlayArgs,
    #[command(flatten)]
    pub heat: HeatArgs,
    /// Show N moments side by side in one picture: with a graph, of each Nth of the motion a moment at which
    /// the graph shows most; without one, and with --ghosts, evenly spread over the frames
    #[arg(long, value_name = "N", conflicts_with = "at", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub strip: Option<u32>,
    /// With --strip: spread the moments evenly, whatever the graph does at them
    #[arg(long, requires = "strip")]
    pub even: bool,
    /// With --strip: draw the moments over each other, earlier ones fainter
    #[arg(long, requires = "strip")]
    pub ghosts: bool,
    #[command(flatten)]
    pub comparison: ComparisonArgs,
    #[command(flatten)]
    pub many: CrowdArgs,
    /// Draw the graph once for each value of a parameter, named as in --set: stacked in a strip, otherwise
    /// side by side
    #[arg(long, value_name = "NAME=A,B,C", requires = "graph")]
    pub vary: Option<Variation>,
    /// The direction to look from: a side of the character (front, back, left, right, top or three-quarters),
    /// or degrees around the scene (0 looks from +Z) and from above [default: three-quarters, which is 32,11
    /// for a character that faces +Z; 32,24 for a crowd, 32,21 for a herd]
    #[arg(long, value_name = "SIDE|YAW,PITCH", allow_hyphen_values = true)]
    pub view: Option<ViewArg>,
    /// Draw the character as if made of clay: in its colours, without textures and without anything that its
    /// materials say of its surface
    #[arg(long)]
    pub clay: bool,
    /// Draw a flat black silhouette on white
    #[arg(long, conflicts_with_all = ["wireframe", "skeleton", "flesh", "axes", "centroids", "trajectories", "path", "heat", "ghost"])]
    pub silhouette: bool,
}

#[derive(Clone)]
pub struct PictureFile {
    pub path: PathBuf,
    pub is_film: bool,
}

fn picture_file(path: PathBuf) -> Result<PictureFile, String> {
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    let is_film = match extension.as_ref().and_then(|e| e.to_str()) {
        Some("png") => false,
        Some("gif") => true,
        _ => return Err("the name must end in .png or .gif".to_owned()),
    };
    Ok(PictureFile { path, is_film })
}

#[derive(Clone, Copy)]
pub struct Resolution(pub [u32; 2]);

/// As it is typed.
impl std::fmt::Display for Resolution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.0[0], self.0[1])
    }
}

impl FromStr for Resolution {
    type Err = String;

    fn from_str(text: &str) -> Result<Resolution, String> {
        let wrong = || {
            format!("\"{text}\" is not a resolution; write it as 800x600, each side up to 32768")
        };
        let (width, height) = text.split_once('x').ok_or_else(wrong)?;
        let number = |text: &str| match text.parse::<u32>() {
            Ok(number) if (1..=32768).contains(&number) => Ok(number),
            _ => Err(wrong()),
        };
        Ok(Resolution([number(width)?, number(height)?]))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewArg {
    Named(NamedView),
    Angles { yaw_deg: f32, pitch_deg: f32 },
}

impl RenderArgs {
    /// As asked for; a crowd is looked at from higher up, so that those behind are seen.
    pub fn view(&self, facing: &Facing) -> View {
        match self.view {
            Some(ViewArg::Angles { yaw_deg, pitch_deg }) => View::from_degrees(yaw_deg, pitch_deg),
            Some(ViewArg::Named(side)) => side.of(facing),
            None => match self.many.layout() {
                Some(layout) if layout.is_herd() => {
                    let [yaw_deg, pitch_deg] = HERD_VIEW_DEG;
                    turned_with(facing, View::from_degrees(yaw_deg, pitch_deg))
                }
                Some(_) => turned_with(facing, View::from_degrees(32.0, 24.0)),
                None => NamedView::ThreeQuarters.of(facing),
            },
        }
    }
}

impl FromStr for ViewArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ViewArg, String> {
        if let Some(side) = NamedView::ALL.into_iter().find(|side| side.name() == text) {
            return Ok(ViewArg::Named(side));
        }
        let wrong = || {
            let names = NamedView::ALL.map(NamedView::name).join(", ");
            format!("\"{text}\" is not a view; write {names}, or yaw and pitch as 35,12")
        };
        let (yaw, pitch) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| match text.trim().parse::<f32>() {
            Ok(number) if number.abs() <= 360.0 => Ok(number),
            _ => Err(wrong()),
        };
        Ok(ViewArg::Angles { yaw_deg: number(yaw)?, pitch_deg: number(pitch)?.clamp(-89.0, 89.0) })
    }
}

/// A parameter and the values it gets.
#[derive(Clone)]
pub struct Variation {
    pub name: String,
    pub values: Vec<f64>,
}

const MOST_VALUES: usize = 16;

impl FromStr for Variation {
    type Err = String;

    fn from_str(text: &str) -> Result<Variation, String> {
        let wrong = || {
            format!("\"{text}\" does not list values for a parameter; write it as floppy=0,0.2,0.5")
        };
        let (name, values) = text.split_once('=').ok_or_else(wrong)?;
        let values: Result<Vec<f64>, _> = values.split(',').map(|n| n.trim().parse()).collect();
        let values = values.map_err(|_| wrong())?;
        if values.len() > MOST_VALUES {
            return Err(format!(
                "{} values are too many; give at most {MOST_VALUES}",
                values.len()
            ));
        }
        Ok(Variation { name: name.trim().to_owned(), values })
    }
}
