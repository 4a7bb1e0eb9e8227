//! `--heat WHAT`: which numbers a picture shows as colours.

use super::CliError;
use super::scene::Scene;
use clap::Args;
use glam::Vec3;
use jounce_eval::EvalError;
use jounce_eval::heat::{Heat, HeatError, HeatSubject, PortHeat};

#[derive(Args)]
pub struct HeatArgs {
    /// Colour each vertex by a number, with a legend: flesh (weights of all flesh
    /// elements), flesh:ELEMENT, map:NAME, bone:NAME (skin weights), or any port of the graph as
    /// NODE.PORT (vectors by their length, values of bones by their sum)
    #[arg(long, value_name = "WHAT")]
    pub heat: Option<HeatSubject>,
    /// For a port that differs from bone to bone: show only what this bone or flesh element contributes
    #[arg(long, value_name = "BONE", requires = "heat")]
    pub heat_bone: Option<String>,
    /// For a port that is a vector: also draw it as arrows
    #[arg(long, requires = "heat")]
    pub arrows: bool,
}

impl HeatArgs {
    pub fn subject(&self) -> Result<Option<HeatSubject>, HeatError> {
        let mut subject = self.heat.clone();
        match (&mut subject, &self.heat_bone) {
            (Some(HeatSubject::Port(port)), bone) => port.bone.clone_from(bone),
            (Some(other), Some(_)) => return Err(HeatError::NoPort(other.to_string())),
            _ => {}
        }
        Ok(subject)
    }
}

/// Gives the numbers of every moment.
pub struct HeatOfScene {
    pub title: String,
    numbers: Numbers,
}

enum Numbers {
    /// The same at all moments.
    Fixed(Heat),
    Port(Box<PortHeat>),
}

impl HeatOfScene {
    /// The scene looks at the port, if it is one.
    pub fn new(
        subject: &HeatSubject,
        scene: &Scene,
        has_arrows: bool,
    ) -> Result<HeatOfScene, CliError> {
        let (character, bound) = (scene.character(), scene.bound());
        let numbers = match subject {
            HeatSubject::AllFlesh => Numbers::Fixed(Heat::of_flesh(bound, None)?),
            HeatSubject::Flesh(element) => Numbers::Fixed(Heat::of_flesh(bound, Some(element))?),
            HeatSubject::Map(name) => {
                let settings = scene.performer().settings();
                Numbers::Fixed(Heat::of_map(character, settings, name)?)
            }
            HeatSubject::Bone(name) => Numbers::Fixed(Heat::of_bone(character, name)?),
            HeatSubject::Port(_) => {
                let shown = scene.graph.as_ref().and_then(|graph| graph.shown);
                let value = shown.ok_or(CliError::HeatWithoutGraph)?;
                Numbers::Port(Box::new(PortHeat::new(scene.program(), value, bound)?))
            }
        };
        let title = subject.to_string();
        let is_vector = matches!(&numbers, Numbers::Port(port) if port.is_vector());
        match has_arrows && !is_vector {
            true => Err(CliError::NoArrows(title)),
            false => Ok(HeatOfScene { title, numbers }),
        }
    }

    /// And the vectors that the numbers are the lengths of; none where they are not.
    pub fn at(&self, scene: &Scene, time_secs: f64) -> Result<(Heat, Vec<Vec3>), EvalError> {
        match &self.numbers {
            Numbers::Fixed(heat) => Ok((heat.clone(), Vec::new())),
            Numbers::Port(port) => {
                let bound = scene.bound();
                scene.performer().with_moment(time_secs, |moment| port.at(bound, moment))
            }
        }
    }
}
