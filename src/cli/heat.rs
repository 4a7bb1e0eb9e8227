//! `--heat WHAT`: which numbers a picture shows as colours.

use super::CliError;
use super::deformer::Deformer;
use super::graph::GraphError;
use super::scene::Scene;
use clap::Args;
use glam::Vec3;
use jounce_eval::flesh::ElementError;
use jounce_eval::heat::{Heat, HeatError, HeatSubject, PortHeat};
use jounce_graph::document::CharacterSettings;

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
        let (character, deformer) = (&scene.character, scene.deformer.as_ref());
        let flesh = |element| match deformer {
            Some(deformer) => Heat::of_flesh(deformer.bound(), element),
            None => Err(ElementError::NoFlesh.into()),
        };
        let numbers = match subject {
            HeatSubject::AllFlesh => Numbers::Fixed(flesh(None)?),
            HeatSubject::Flesh(element) => Numbers::Fixed(flesh(Some(element))?),
            HeatSubject::Map(name) => {
                let none = CharacterSettings::default();
                let settings = deformer.map_or(&none, Deformer::settings);
                Numbers::Fixed(Heat::of_map(character, settings, name)?)
            }
            HeatSubject::Bone(name) => Numbers::Fixed(Heat::of_bone(character, name)?),
            HeatSubject::Port(_) => {
                let shown = deformer.and_then(|deformer| Some((deformer, deformer.shown()?)));
                let (deformer, value) = shown.ok_or(CliError::HeatWithoutGraph)?;
                let heat = PortHeat::new(deformer.program(), value, deformer.bound());
                Numbers::Port(Box::new(heat.map_err(GraphError::from)?))
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
    pub fn at(&self, scene: &Scene, time_secs: f64) -> Result<(Heat, Vec<Vec3>), CliError> {
        match (&self.numbers, &scene.deformer) {
            (Numbers::Fixed(heat), _) => Ok((heat.clone(), Vec::new())),
            (Numbers::Port(_), None) => Err(CliError::HeatWithoutGraph),
            (Numbers::Port(port), Some(deformer)) => {
                scene.with_moment(deformer, time_secs, |moment| {
                    port.with_vectors(deformer.bound(), moment)
                })
            }
        }
    }
}
