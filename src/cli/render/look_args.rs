//! What is drawn over a character, what it is compared with, and how many of it there are.

use clap::Args;
use jounce_session::{CrowdLayout, MOST_EXAGGERATION, MOST_MEMBERS};
use std::path::PathBuf;

#[derive(Args)]
pub struct OverlayArgs {
    /// Draw the edges of the triangles
    #[arg(long)]
    pub wireframe: bool,
    /// Draw the bones over the character
    #[arg(long)]
    pub skeleton: bool,
    /// Draw the x, y and z axes of each bone over the character, in red, green and blue
    #[arg(long)]
    pub axes: bool,
    /// Draw the centre of what each bone moves, with a line from its joint
    #[arg(long)]
    pub centroids: bool,
    /// Draw flesh elements over the character: the virtual bone, its frame, and the spring to the mass
    #[arg(long, requires = "graph")]
    pub flesh: bool,
    /// Draw the paths of vertices as the --velocity grows from 0 to its value; they start at plain skinning,
    /// drawn as a ghost
    #[arg(long, requires = "graph")]
    pub trajectories: bool,
    /// Draw the path of a vertex over the motion, with one tick per frame: as the graph has it and as plain
    /// skinning has it. BONE stands for the outermost vertex of that bone's skin. Can be given several times
    #[arg(long, value_name = "VERTEX|BONE")]
    pub path: Vec<String>,
}

#[derive(Args)]
pub struct ComparisonArgs {
    /// Draw plain skinning too, for comparison: above a strip, else to the left
    #[arg(long, requires = "graph")]
    pub beside: bool,
    /// Draw plain skinning as a ghost behind the character
    #[arg(long, requires = "graph")]
    pub ghost: bool,
    /// Show plain skinning to the left of a line and the graph to its right; PART is where the line is, from
    /// 0 at the left edge to 1 at the right
    #[arg(long, value_name = "PART", requires = "graph", value_parser = part)]
    pub split: Option<f32>,
    /// Compare with another graph instead of plain skinning, using --ghost, --split or --beside; without any
    /// of them, side by side
    #[arg(long, value_name = "OTHER.jounce", requires = "graph")]
    pub compare: Option<PathBuf>,
    /// Multiply displacements by this number, from 0 to 4; 0 is plain skinning
    #[arg(long, value_name = "TIMES", requires = "graph", default_value_t = 1.0, value_parser = times)]
    pub exaggerate: f32,
}

impl ComparisonArgs {
    pub fn is_beside(&self) -> bool {
        self.beside || (self.compare.is_some() && !self.ghost && self.split.is_none())
    }

    /// Does the comparison have its own picture?
    pub fn has_other_picture(&self) -> bool {
        self.is_beside() || self.split.is_some()
    }
}

#[derive(Args)]
pub struct CrowdArgs {
    /// Show N copies of the character, up to 4000, each at a different time of the motion: on a grid, or as
    /// a herd if there are more than 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_MEMBERS as i64))]
    pub crowd: Option<u32>,
    /// With --crowd: how many seconds each copy is ahead of the one before [default: spread evenly over the motion]
    #[arg(long, value_name = "SECONDS", requires = "crowd", allow_hyphen_values = true, value_parser = seconds)]
    pub crowd_spacing: Option<f64>,
}

impl CrowdArgs {
    pub fn layout(&self) -> Option<CrowdLayout> {
        let (count, spacing_secs) = (self.crowd? as usize, self.crowd_spacing);
        Some(CrowdLayout { count, spacing_secs })
    }
}

fn part(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(part) if (0.0..=1.0).contains(&part) => Ok(part),
        _ => Err("a number from 0 to 1 is needed".to_owned()),
    }
}

fn times(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(times) if (0.0..=MOST_EXAGGERATION).contains(&times) => Ok(times),
        _ => Err(format!("a number from 0 to {MOST_EXAGGERATION} is needed")),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.abs() <= 1e6 => Ok(seconds),
        _ => Err("a number of seconds is needed".to_owned()),
    }
}
