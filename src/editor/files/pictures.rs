//! Pictures and films of the viewport, drawn beside the window.

use super::orders::PictureForm;
use super::short_name;
use crate::draw::{
    Camera, DrawError, Geometry, IMAGE_FORMAT, Look, Model, Picture, Placed, Renderer, RgbaImage,
    Stage, save_gif, save_png,
};
use crate::editor::State;
use crate::editor::jobs::{Finish, said};
use crate::editor::panels::viewport;
use crate::eval::EvalError;
use crate::gpu::Gpu;
use crate::motion::{Frames, TooManyFrames};
use crate::rig::Skinned;
use crate::session::{Cancelled, Progress, Session, Severity, Show, ShowError, Shown};
use egui::Context;
use std::path::Path;
use thiserror::Error;

/// Players slow down what is faster.
pub const FASTEST_FILM_FPS: f64 = 50.0;
/// All pictures of a film are kept until its colours are known.
const MOST_FILM_BYTES: u64 = 1 << 30;

#[derive(Debug, Error)]
enum PictureError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error(transparent)]
    Draw(#[from] DrawError),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error(transparent)]
    TooManyFrames(#[from] TooManyFrames),
    #[error(
        "{0} frames of this size are too much for one film; choose a smaller size, or fewer per second"
    )]
    TooLong(usize),
}

/// What is drawn, and how.
struct Shot {
    form: PictureForm,
    camera: Camera,
    stage: Stage,
    look: Look,
    time_secs: f64,
}

pub fn start(state: &mut State, ctx: &Context, form: PictureForm) {
    let Some(gpu) = state.device.as_ref().map(|device| device.gpu.clone()) else {
        state.session.say(Severity::Error, "there is no graphics device to draw with");
        return;
    };
    let aspect = form.width_px as f32 / form.height_px.max(1) as f32;
    let (camera, stage) = (viewport::camera(state, aspect), viewport::stage(state));
    let wireframe = if state.viewport.has_wireframe { 0.35 } else { 0.0 };
    let look = Look { wireframe, ..Look::default() };
    let shot = Shot { form, camera, stage, look, time_secs: state.playhead.time_secs };
    let session = state.session.snapshot();
    let name = short_name(Path::new(&shot.form.path));
    state.jobs.start(ctx, format!("Drawing {name}"), move |progress| -> Finish {
        let drawn = match shot.form.is_film {
            true => film(&session, &gpu, &shot, progress),
            false => still(&session, &gpu, &shot, progress),
        };
        match drawn {
            Ok(1) => said(Severity::Note, format!("saved {name}")),
            Ok(frames) => said(Severity::Note, format!("saved {name}, {frames} frames")),
            Err(PictureError::Cancelled(_)) => said(Severity::Note, format!("{name} was given up")),
            Err(error) => said(Severity::Error, format!("{name}: {error}")),
        }
    });
}

/// A renderer of its own: that of the window goes on meanwhile.
struct Artist<'a> {
    gpu: &'a Gpu,
    renderer: Renderer,
    model: Model,
    shot: &'a Shot,
}

impl<'a> Artist<'a> {
    fn new(gpu: &'a Gpu, show: &Show, shot: &'a Shot) -> Result<Artist<'a>, DrawError> {
        let character = show.character();
        let geometry = Geometry {
            positions: &character.rest().positions,
            normals: &character.rest().normals,
            colors: &character.mesh.colors,
            triangles: &character.mesh.triangles,
        };
        let renderer = Renderer::new(gpu, IMAGE_FORMAT)?;
        Ok(Artist { gpu, renderer, model: Model::new(gpu, &geometry)?, shot })
    }

    fn draw(&mut self, shown: &Shown) -> Result<RgbaImage, DrawError> {
        let Skinned { positions, normals } = &shown.deformed;
        self.model.update(self.gpu, positions, normals)?;
        let Shot { camera, stage, look, form, .. } = self.shot;
        let models = [Placed::at_origin(&self.model)];
        let picture = Picture {
            camera: *camera,
            stage: *stage,
            look: *look,
            models: &models,
            skeletons: &[],
        };
        self.renderer.render_to_image(&picture, [form.width_px, form.height_px])
    }
}

fn still(
    session: &Session,
    gpu: &Gpu,
    shot: &Shot,
    progress: &Progress,
) -> Result<usize, PictureError> {
    let mut show = Show::new(session)?;
    let shown = show.at(shot.time_secs)?;
    let image = Artist::new(gpu, &show, shot)?.draw(&shown)?;
    progress.check()?;
    save_png(&shot.form.path, &image)?;
    Ok(1)
}

fn film(
    session: &Session,
    gpu: &Gpu,
    shot: &Shot,
    progress: &Progress,
) -> Result<usize, PictureError> {
    let mut show = Show::new(session)?;
    let form = &shot.form;
    // A film goes round and round, so it is made of a loop's frames, whatever the clip does.
    let frames = Frames::of_motion(show.duration_secs(), form.fps, true, None)?;
    let count = frames.pose_secs.len();
    let bytes = u64::from(form.width_px) * u64::from(form.height_px) * 4 * count as u64;
    if bytes > MOST_FILM_BYTES {
        return Err(PictureError::TooLong(count));
    }
    let mut artist = Artist::new(gpu, &show, shot)?;
    let mut images = Vec::with_capacity(count);
    for (frame, &time_secs) in frames.pose_secs.iter().enumerate() {
        progress.check()?;
        let shown = show.at(time_secs)?;
        images.push(artist.draw(&shown)?);
        progress.set(0.9 * (frame + 1) as f64 / count as f64);
    }
    save_gif(&form.path, &images, frames.fps)?;
    Ok(count)
}
