//! Pictures and films of the viewport, drawn in the background.

use super::orders::PictureForm;
use super::short_name;
use crate::State;
use crate::jobs::{Finish, said};
use crate::panels::viewport::photograph::{Negative, PhotographError, Still};
use egui::Context;
use jounce_draw::{DrawError, save_gif, save_png};
use jounce_eval::heat::HeatRange;
use jounce_rig::motion::{FrameRange, Frames, TooManyFrames};
use jounce_session::{Cancelled, Progress, Severity};
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
    Photograph(#[from] PhotographError),
    #[error(transparent)]
    TooManyFrames(#[from] TooManyFrames),
    #[error(
        "{0} frames of this size are too many for one film; choose a smaller size, or fewer frames per second"
    )]
    TooLong(usize),
}

/// How many frames were drawn.
type Drawing = Box<dyn FnOnce(&PictureForm, &Progress) -> Result<usize, PictureError> + Send>;

pub fn start(state: &mut State, ctx: &Context, form: PictureForm) {
    let drawing = match drawing(state, &form) {
        Ok(drawing) => drawing,
        Err(error) => return state.session.say(Severity::Error, error.to_string()),
    };
    let name = short_name(Path::new(&form.path));
    state.jobs.start(ctx, format!("Drawing {name}"), move |progress| -> Finish {
        match drawing(&form, progress) {
            Ok(1) => said(Severity::Note, format!("saved {name}")),
            Ok(frames) => said(Severity::Note, format!("saved {name}, {frames} frames")),
            Err(PictureError::Cancelled(_)) => {
                said(Severity::Note, format!("{name} was cancelled"))
            }
            Err(error) => said(Severity::Error, format!("{name}: {error}")),
        }
    });
}

/// What the window shows is taken now; all else is for another thread.
fn drawing(state: &mut State, form: &PictureForm) -> Result<Drawing, PhotographError> {
    let size_px = [form.width_px, form.height_px];
    if !form.is_film {
        let taken = Still::of(state, size_px)?;
        return Ok(Box::new(move |form, progress| still(taken, form, progress)));
    }
    let range = state.playhead.frame_range(state.show.duration_secs(), form.fps);
    let negative = Negative::of(state, size_px)?;
    Ok(Box::new(move |form, progress| film(negative, form, range, progress)))
}

fn still(taken: Still, form: &PictureForm, progress: &Progress) -> Result<usize, PictureError> {
    let image = taken.develop([form.width_px, form.height_px])?;
    progress.check()?;
    save_png(&form.path, &image)?;
    Ok(1)
}

/// All of the motion, or what lies between in and out point.
fn film(
    negative: Negative,
    form: &PictureForm,
    range: Option<FrameRange>,
    progress: &Progress,
) -> Result<usize, PictureError> {
    let mut photographer = negative.develop([form.width_px, form.height_px])?;
    // A film goes round and round, so it is made of a loop's frames, whatever the clip does.
    let is_loop = range.is_none();
    let frames = Frames::of_motion(photographer.duration_secs(), form.fps, is_loop, range)?;
    let count = frames.pose_secs.len();
    let bytes = u64::from(form.width_px) * u64::from(form.height_px) * 4 * count as u64;
    if bytes > MOST_FILM_BYTES {
        return Err(PictureError::TooLong(count));
    }
    // Colours mean the same in all frames.
    let mut scale: Option<HeatRange> = None;
    for &time_secs in &frames.pose_secs {
        progress.check()?;
        let Some(range) = photographer.range_at(time_secs)? else { break };
        scale = Some(scale.map_or(range, |scale| scale.union(range)));
    }
    photographer.set_range(scale);
    let mut images = Vec::with_capacity(count);
    for (frame, &time_secs) in frames.pose_secs.iter().enumerate() {
        progress.check()?;
        images.push(photographer.at(time_secs)?);
        progress.set(0.9 * (frame + 1) as f64 / count as f64);
    }
    save_gif(&form.path, &images, frames.fps)?;
    Ok(count)
}
