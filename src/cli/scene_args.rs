//! The arguments that `bake`, `render` and others share: which character, which motion, which
//! frames.

use super::graph::GraphArgs;
use clap::{Args, ValueEnum};
use glam::DVec3;
use jounce_base::Base;
pub use jounce_rig::motion::frames::FrameRange;
use jounce_rig::motion::{BoneMotion, TestMotionKind};
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Args)]
pub struct SceneArgs {
    /// A .glb or .gltf file, or a built-in character: tube giraffe bird cow snail dragon mushroom
    /// [default: the graph's]
    #[arg(required_unless_present = "graph")]
    pub character: Option<OsString>,
    #[command(flatten)]
    pub motion: MotionArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
    /// Frames per second; frame f is at f/fps seconds, with --loop at f × duration/N seconds
    #[arg(long, default_value_t = 24.0, value_parser = positive, allow_hyphen_values = true)]
    pub fps: f64,
    /// First and last frame, inclusive; the range may go past the end of the clip [default: the whole clip]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, conflicts_with_all = ["at", "velocity"])]
    pub frames: Option<FrameRange>,
    /// Play the clip as a loop of N = round(duration × fps) frames, at least one; frame N is frame 0
    /// again
    #[arg(long = "loop")]
    pub looped: bool,
    /// How the bones' transforms are blended: linearly, or as dual quaternions [default: lbs, or
    /// the graph's]
    #[arg(long, value_enum)]
    pub base: Option<BaseArg>,
    /// A built-in character is made of about so many vertices: for crowds, in which each is small.
    #[arg(skip)]
    pub lean_vertices: Option<usize>,
}

#[derive(Args)]
pub struct MotionArgs {
    /// Name of a clip, or its number, counted from 0 [default: the first]
    #[arg(long)]
    pub clip: Option<String>,
    /// Take the clips from another file, matched by bone name; it may contain only a skeleton, but
    /// should be the same rig, because poses are copied unchanged
    #[arg(long, value_name = "OTHER.glb")]
    pub clips: Option<PathBuf>,
    /// Move one bone: nod (up and down), shake (left and right), twist (about the bone itself),
    /// hop, spin or turn-and-stop (about the vertical), as in nod:Head
    #[arg(long, value_name = "NAME:BONE", conflicts_with_all = ["clip", "clips"])]
    pub motion: Option<MotionName>,
    /// How far the test motion goes: in degrees, or for hop as a fraction of the character's size
    /// [default: 25 for nod, 30 shake, 40 twist, 0.25 hop, 360 spin, 90 turn-and-stop]
    #[arg(long, requires = "motion", allow_hyphen_values = true)]
    pub amplitude: Option<f64>,
    /// How many seconds the test motion takes
    /// [default: 1.2 for nod and twist, 0.8 shake, 1 hop, 2 spin, 2.4 turn-and-stop]
    #[arg(long, requires = "motion")]
    pub period: Option<f64>,
    /// Show the rest pose, without any motion
    #[arg(long, conflicts_with_all = ["clip", "clips", "motion"])]
    pub rest: bool,
    /// Play the clip backwards
    #[arg(long)]
    pub reverse: bool,
    /// Show only this moment, in seconds
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = finite)]
    pub at: Option<f64>,
    /// Give a bone a constant velocity relative to its parent, instead of any motion (radians and
    /// units per second, scene axes); the pose is the one at --at, or the rest pose
    #[arg(long, value_name = "BONE:wx,wy,wz,vx,vy,vz", allow_hyphen_values = true)]
    pub velocity: Vec<ConstantVelocity>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum BaseArg {
    Lbs,
    Dqs,
}

impl From<BaseArg> for Base {
    fn from(base: BaseArg) -> Base {
        match base {
            BaseArg::Lbs => Base::Lbs,
            BaseArg::Dqs => Base::Dqs,
        }
    }
}

#[derive(Clone, Debug)]
pub struct MotionName {
    pub kind: TestMotionKind,
    pub bone: String,
}

impl FromStr for MotionName {
    type Err = String;

    fn from_str(text: &str) -> Result<MotionName, String> {
        let Some((kind, bone)) = text.split_once(':') else {
            return Err(format!("\"{text}\" does not name a bone; write it as nod:Head"));
        };
        let kind = TestMotionKind::from_str(kind).map_err(|error| error.to_string())?;
        Ok(MotionName { kind, bone: bone.to_owned() })
    }
}

#[derive(Clone, Debug)]
pub struct ConstantVelocity {
    pub bone: String,
    pub motion: BoneMotion,
}

impl FromStr for ConstantVelocity {
    type Err = String;

    fn from_str(text: &str) -> Result<ConstantVelocity, String> {
        let wrong = || format!("\"{text}\" is not a velocity; write it as Head:0,2,0,0,0,0");
        // The last colon: names of bones contain colons.
        let (bone, numbers) = text.rsplit_once(':').ok_or_else(wrong)?;
        let numbers: Result<Vec<f64>, _> = numbers.split(',').map(|n| n.trim().parse()).collect();
        let numbers: [f64; 6] = numbers.map_err(|_| wrong())?.try_into().map_err(|_| wrong())?;
        if numbers.iter().any(|n| !(n.abs() <= jounce_base::LARGEST_NUMBER)) {
            return Err(wrong());
        }
        let [wx, wy, wz, vx, vy, vz] = numbers;
        Ok(ConstantVelocity {
            bone: bone.to_owned(),
            motion: BoneMotion { linear: DVec3::new(vx, vy, vz), angular: DVec3::new(wx, wy, wz) },
        })
    }
}

pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 1e6 => Ok(number),
        _ => Err("a number greater than 0 and at most 1000000 is needed".to_owned()),
    }
}

fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.abs() <= jounce_base::LARGEST_NUMBER => Ok(number),
        _ => Err("a number of seconds is needed".to_owned()),
    }
}
