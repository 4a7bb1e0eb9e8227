//! The viewport as an image: what it shows, with all that lies over it, drawn in the background.
//!
//! One character at one moment is data ([`Exposure`]): the window's thread puts it together, another one
//! draws it, and nothing is computed again. A film needs other moments, and a crowd is never put
//! together anywhere: for them a thread makes a state of its own ([`Negative`]).

use super::scene::{self, Easel, Models, Pictures};
use super::subject::Subject;
use super::{ViewportView, evaluate, heat, overlay, stage, steer};
use crate::{Selection, State};
use glam::Mat4;
use jounce_draw::{Camera, DrawError, Legend, Mark, RgbaImage};
use jounce_draw::{draw_marks, split_picture, write_key};
use jounce_eval::EvalError;
use jounce_eval::heat::HeatRange;
use jounce_gpu::Gpu;
use jounce_gpu::draw::{Herd, IMAGE_FORMAT, Picture, Renderer};
use jounce_session::{Playhead, Session, ShowError};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum PhotographError {
    #[error("there is no graphics device to draw with")]
    NoDevice,
    #[error(transparent)]
    Draw(#[from] DrawError),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error("{0}")]
    Heat(String),
}

/// What the window shows now, for another thread to draw.
pub enum Still {
    One(Box<Exposure>, Gpu),
    /// The window may show a part of it only.
    Crowd(Box<Negative>),
}

impl Still {
    pub fn of(state: &mut State, size_px: [u32; 2]) -> Result<Still, PhotographError> {
        if state.viewport.crowd.is_on {
            return Ok(Still::Crowd(Box::new(Negative::of(state, size_px)?)));
        }
        let Viewpoint { camera, points_high, gpu } = Viewpoint::of(state, size_px)?;
        // What the device has computed for the window is nowhere else yet.
        state.positions()?;
        Ok(Still::One(Box::new(Exposure::of(state, camera, points_high)), gpu))
    }

    pub fn develop(self, size_px: [u32; 2]) -> Result<RgbaImage, PhotographError> {
        match self {
            Still::One(exposure, gpu) => {
                let (mut images, mut models) = (Images::new(gpu)?, Models::default());
                Ok(exposure.develop(&mut images, &mut models, size_px)?)
            }
            Still::Crowd(negative) => {
                let time_secs = negative.playhead.time_secs;
                negative.develop(size_px)?.at(time_secs)
            }
        }
    }
}

/// Where from, how large, and with what.
struct Viewpoint {
    camera: Camera,
    /// The height of the window's picture, in points.
    points_high: f32,
    gpu: Gpu,
}

impl Viewpoint {
    fn of(state: &mut State, size_px: [u32; 2]) -> Result<Viewpoint, PhotographError> {
        let device = state.device.as_ref().ok_or(PhotographError::NoDevice)?;
        let (gpu, height_px) = (device.gpu.clone(), size_px[1].max(1) as f32);
        // A picture may take its time: it shows all of a crowd, and the camera sees them all.
        state.viewport.crowd.most_shown = None;
        let camera = steer::camera(state, size_px[0] as f32 / height_px);
        let points_high = state.viewport.screen.map_or(height_px, |it| it.rect.height().max(1.0));
        Ok(Viewpoint { camera, points_high, gpu })
    }
}

/// One character at one moment, with all that lies over it.
pub struct Exposure {
    subject: Subject,
    split: Option<f32>,
    marks: Vec<Mark>,
    legend: Option<Legend>,
    key: &'static [(&'static str, [u8; 3])],
    points_high: f32,
}

impl Exposure {
    /// Takes what was evaluated last.
    fn of(state: &mut State, camera: Camera, points_high: f32) -> Exposure {
        let subject = Subject::of(state, camera);
        let (marks, legend) = (overlay::marks(state), heat::legend(state));
        let (split, key) = (state.viewport.compare.split, state.viewport.path.key());
        Exposure { subject, split, marks, legend, key, points_high }
    }

    fn develop(
        &self,
        images: &mut Images,
        models: &mut Models,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        let Pictures { main, plain } = scene::draw(images, models, &self.subject, None, size_px)?;
        let mut image = match (plain, self.split) {
            (Some(plain), Some(part)) => split_picture(&plain, main, part, ["plain", "deformed"]),
            _ => main,
        };
        // As wide as in the window, however many pixels that is.
        let scale = size_px[1] as f32 / self.points_high;
        draw_marks(&mut image, &self.subject.camera, Mat4::IDENTITY, &self.marks, scale);
        write_key(&mut image, self.key);
        if let Some(legend) = &self.legend {
            legend.draw(&mut image);
        }
        Ok(image)
    }
}

/// What moves in the viewport. It can be kept by another thread, which makes its own state of it.
pub struct Negative {
    session: Session,
    view: ViewportView,
    selection: Selection,
    playhead: Playhead,
    viewpoint: Viewpoint,
}

impl Negative {
    pub fn of(state: &mut State, size_px: [u32; 2]) -> Result<Negative, PhotographError> {
        let viewpoint = Viewpoint::of(state, size_px)?;
        Ok(Negative {
            session: state.session.snapshot(),
            view: state.viewport.look(),
            selection: state.selection.clone(),
            playhead: Playhead { is_playing: false, ..state.playhead },
            viewpoint,
        })
    }

    pub fn develop(self, size_px: [u32; 2]) -> Result<Photographer, PhotographError> {
        let Negative { session, view, selection, playhead, viewpoint } = self;
        let Viewpoint { camera, points_high, gpu } = viewpoint;
        let mut state = State::new(session, None)?;
        state.viewport = ViewportView { camera: Some(camera), ..view };
        (state.selection, state.playhead) = (selection, playhead);
        // Known from now on, and the same for all pictures.
        stage(&mut state);
        let (images, models) = (Images::new(gpu)?, Models::default());
        Ok(Photographer { state, camera, points_high, images, models, size_px })
    }
}

/// A renderer of its own: that of the window goes on meanwhile.
struct Images {
    gpu: Gpu,
    renderer: Renderer,
}

impl Images {
    fn new(gpu: Gpu) -> Result<Images, DrawError> {
        Ok(Images { renderer: Renderer::new(&gpu, IMAGE_FORMAT)?, gpu })
    }
}

impl Easel for Images {
    type Drawn = RgbaImage;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn draw(
        &mut self,
        _number: usize,
        size_px: [u32; 2],
        picture: &Picture,
    ) -> Result<RgbaImage, DrawError> {
        self.renderer.render_to_image(picture, size_px)
    }

    fn draw_herd(
        &mut self,
        _number: usize,
        size_px: [u32; 2],
        picture: &Picture,
        herd: &mut Herd,
    ) -> Result<RgbaImage, DrawError> {
        self.renderer.herd_to_image(picture, herd, size_px)
    }
}

/// Makes images of any moment of the motion.
pub struct Photographer {
    state: State,
    camera: Camera,
    points_high: f32,
    images: Images,
    models: Models,
    size_px: [u32; 2],
}

impl Photographer {
    pub fn duration_secs(&self) -> f64 {
        self.state.show.duration_secs()
    }

    pub fn at(&mut self, time_secs: f64) -> Result<RgbaImage, PhotographError> {
        self.evaluate(time_secs)?;
        let Photographer { state, images, models, .. } = self;
        Ok(match state.viewport.crowd.is_on {
            true => scene::draw_crowd(images, state, self.size_px, self.camera)?,
            false => {
                let exposure = Exposure::of(state, self.camera, self.points_high);
                exposure.develop(images, models, self.size_px)?
            }
        })
    }

    /// What the colours span at a time, where there are any.
    pub fn range_at(&mut self, time_secs: f64) -> Result<Option<HeatRange>, PhotographError> {
        if heat::legend(&self.state).is_none() {
            return Ok(None);
        }
        self.evaluate(time_secs)?;
        Ok(Some(self.state.viewport.heat.heat.range))
    }

    /// One scale for all that follow.
    pub fn set_range(&mut self, range: Option<HeatRange>) {
        self.state.viewport.heat.range = range;
    }

    fn evaluate(&mut self, time_secs: f64) -> Result<(), PhotographError> {
        let had_heat = self.state.viewport.heat.is_on();
        self.state.playhead.time_secs = time_secs;
        evaluate(&mut self.state, 0.0)?;
        if had_heat && !self.state.viewport.heat.is_on() {
            let said = self.state.session.messages().last();
            return Err(PhotographError::Heat(said.map(|it| it.text.clone()).unwrap_or_default()));
        }
        Ok(())
    }
}
