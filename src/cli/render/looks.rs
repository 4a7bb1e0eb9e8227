//! The frames of a take: each variant of the graph, and what it is compared with.

use super::frame::{Arrows, PreparedFrame};
use super::{Take, Variant};
use crate::cli::scene::Scene;
use crate::cli::{CliError, flesh_overlay};
use glam::Vec3;
use jounce_draw::{Mark, RgbaImage, split_picture, write_label};
use jounce_eval::heat::Heat;
use jounce_rig::Skinned;
use jounce_session::overlays::{self, ARROWS};
use jounce_session::{TRACE_STEPS, TRACES, spread_vertices, trajectories};

/// The longest arrow of a velocity that was given, as a fraction of the character's size.
const LONGEST_VELOCITY: f32 = 0.3;

impl Take<'_> {
    /// The frames at these times of each variant; before them those of what they are compared with, if that
    /// has a picture of its own.
    pub fn looks(&self, times_secs: &[f64]) -> Result<Vec<Vec<PreparedFrame>>, CliError> {
        let mut looks = Vec::new();
        if self.args.comparison.has_other_picture() {
            let scene = self.other.unwrap_or(self.scene());
            let other = times_secs.iter().map(|&t| self.frame_of(scene, t, self.other_at(t)?));
            looks.push(other.collect::<Result<_, CliError>>()?);
        }
        for variant in self.variants {
            looks.push(self.frames_of(variant, times_secs)?);
        }
        Ok(looks)
    }

    fn frames_of(
        &self,
        variant: &Variant,
        times_secs: &[f64],
    ) -> Result<Vec<PreparedFrame>, CliError> {
        let Variant { scene, heat, .. } = variant;
        #[cfg(feature = "gpu")]
        let (on_device, read_back) = match self.is_on_device {
            true => scene.on_device(times_secs)?.unzip(),
            false => (None, None),
        };
        #[cfg(not(feature = "gpu"))]
        let read_back: Option<Vec<Vec<Vec3>>> = None;
        let drawn: Vec<Skinned> = match read_back.filter(|_| !self.needs_normals()) {
            // Normals are where they are drawn.
            Some(lists) => {
                let drawn = |positions| Skinned { positions, ..Skinned::default() };
                lists.into_iter().map(drawn).collect()
            }
            None => {
                times_secs.iter().map(|&t| self.drawn(scene, t)).collect::<Result<_, CliError>>()?
            }
        };
        let frames = times_secs.iter().zip(drawn).map(|(&t, drawn)| self.frame_of(scene, t, drawn));
        let mut frames = frames.collect::<Result<Vec<PreparedFrame>, CliError>>()?;
        #[cfg(feature = "gpu")]
        if let Some(on_device) = on_device.map(std::rc::Rc::new) {
            for (place, frame) in frames.iter_mut().enumerate() {
                frame.on_device = Some((on_device.clone(), place));
            }
        }
        for (frame, &time_secs) in frames.iter_mut().zip(times_secs) {
            if let Some(heat) = heat {
                let (heat, vectors) = heat.at(scene, time_secs)?;
                (frame.heat, frame.vectors) = (Some(heat), vectors);
            }
            if self.has_behind() {
                frame.behind = Some(self.other_at(time_secs)?);
            }
            if self.args.over.trajectories {
                frame.marks.extend(self.traces(scene, time_secs, &frame.skinned.normals)?);
            }
        }
        Ok(frames)
    }

    /// As the graph has it, or exaggerated.
    pub fn drawn(&self, scene: &Scene, time_secs: f64) -> Result<Skinned, CliError> {
        Ok(scene.exaggerated(time_secs, self.args.comparison.exaggerate)?)
    }

    /// The same without normals: what a camera must see.
    pub fn positions_drawn(&self, scene: &Scene, time_secs: f64) -> Result<Vec<Vec3>, CliError> {
        if self.args.comparison.exaggerate != 1.0 {
            return Ok(self.drawn(scene, time_secs)?.positions);
        }
        let mut positions = Vec::new();
        scene.positions_into(time_secs, &mut positions)?;
        Ok(positions)
    }

    pub fn other_positions_at(&self, time_secs: f64) -> Result<Vec<Vec3>, CliError> {
        match self.other {
            Some(other) => self.positions_drawn(other, time_secs),
            None => Ok(self.scene().plain_positions(time_secs)),
        }
    }

    /// What is drawn over the surface stands on it.
    fn needs_normals(&self) -> bool {
        self.args.heat.arrows || self.args.over.trajectories
    }

    /// What the graph is compared with: another one, or plain skinning.
    pub fn other_at(&self, time_secs: f64) -> Result<Skinned, CliError> {
        match self.other {
            Some(other) => self.drawn(other, time_secs),
            None => Ok(self.scene().plain_at(time_secs)),
        }
    }

    fn has_behind(&self) -> bool {
        self.args.comparison.ghost || self.args.over.trajectories
    }

    /// Must the camera see the comparison too?
    pub fn shows_other(&self) -> bool {
        self.has_behind() || self.args.comparison.has_other_picture()
    }

    fn frame_of(
        &self,
        scene: &Scene,
        at_secs: f64,
        skinned: Skinned,
    ) -> Result<PreparedFrame, CliError> {
        let over = &self.args.over;
        let (character, pose) = (scene.character(), scene.pose(at_secs));
        let mut frame = PreparedFrame { skinned, ..PreparedFrame::default() };
        if over.skeleton {
            frame.joints = overlays::joints(character, &pose);
        }
        if over.flesh {
            frame.joints.extend(flesh_overlay::joints(scene, at_secs)?);
        }
        if over.axes {
            frame.marks.extend(overlays::axes(character, &pose));
        }
        if over.centroids {
            let offsets = &scene.bound().centroid_offsets;
            frame.marks.extend(overlays::centroids(scene.hung(), &pose, offsets, &[]));
        }
        let (marks, points) = self.paths(scene, at_secs)?;
        frame.marks.extend(marks);
        frame.also_seen = points;
        Ok(frame)
    }

    /// Where vertices go as the velocities that were given grow, and what those are.
    fn traces(&self, scene: &Scene, at_secs: f64, normals: &[Vec3]) -> Result<Vec<Mark>, CliError> {
        let performer = scene.performer();
        let Some(velocities) = performer.given_velocities() else { return Ok(Vec::new()) };
        let (character, pose) = (scene.character(), scene.pose(at_secs));
        let vertices = spread_vertices(&character.rest().positions, TRACES);
        let at = (&pose, at_secs);
        let trajectories = trajectories(performer, at, velocities, &vertices, TRACE_STEPS)?;
        let amount = self.args.comparison.exaggerate;
        let mut marks = overlays::traces(&trajectories, normals, amount);
        let moving = velocities.iter().enumerate().map(|(bone, motion)| (bone, *motion));
        let longest = LONGEST_VELOCITY * character.size() as f32;
        let offsets = &scene.bound().centroid_offsets;
        marks.extend(overlays::velocities(character, &pose, offsets, moving, longest));
        Ok(marks)
    }

    /// What all moments share of arrows; None where none are drawn.
    pub fn arrows(&self) -> Option<Arrows> {
        let character = self.scene().character();
        self.args.heat.arrows.then(|| Arrows {
            vertices: spread_vertices(&character.rest().positions, ARROWS),
            size: character.size(),
        })
    }

    /// One picture per variant, with what it is compared with to its left, as that is asked for.
    pub fn compared(&self, mut images: Vec<RgbaImage>) -> Vec<RgbaImage> {
        let labels = [self.label_of_other(), self.label_of_graph()];
        let Some(part) = self.args.comparison.split.filter(|_| images.len() > 1) else {
            return self.labelled(images);
        };
        let other = images.remove(0);
        let split = images.into_iter().map(|image| split_picture(&other, image, part, labels));
        self.labelled(split.collect())
    }

    /// Labels each picture, where it is not obvious what it is.
    pub fn labelled(&self, mut images: Vec<RgbaImage>) -> Vec<RgbaImage> {
        let first = images.len() - self.variants.len().min(images.len());
        let is_of_two = self.args.comparison.is_beside() && self.other.is_some();
        if let (true, Some(other)) = (is_of_two && first > 0, images.first_mut()) {
            write_label(other, self.label_of_other());
        }
        for (image, variant) in images.iter_mut().skip(first).zip(self.variants) {
            match &variant.label {
                Some(label) => write_label(image, label),
                None if is_of_two => write_label(image, self.label_of_graph()),
                None => {}
            }
        }
        images
    }

    fn label_of_graph(&self) -> &str {
        match self.other {
            Some(_) => name_of(self.args.scene.graph.graph.as_deref()),
            None => "deformed",
        }
    }

    fn label_of_other(&self) -> &str {
        match self.other {
            Some(_) => name_of(self.args.comparison.compare.as_deref()),
            None => "plain",
        }
    }
}

fn name_of(file: Option<&std::path::Path>) -> &str {
    file.and_then(|file| file.file_stem()?.to_str()).unwrap_or_default()
}

pub fn heat_at(variant: &Variant, time_secs: f64) -> Result<Option<Heat>, CliError> {
    let heat = variant.heat.as_ref().map(|heat| heat.at(&variant.scene, time_secs));
    Ok(heat.transpose()?.map(|(heat, _)| heat))
}
