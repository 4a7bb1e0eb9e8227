//! The viewport as an image: what it shows, with all that lies over it, drawn beside the window.

use super::scene::{Easel, Pictures, paint_on};
use super::{Screen, ViewportView, evaluate, heat, overlay, stage, steer};
use crate::{Selection, State};
use egui::{Rect, pos2};
use glam::Mat4;
use jounce_draw::{Camera, DrawError, RgbaImage};
use jounce_draw::{draw_marks, split_picture};
use jounce_eval::EvalError;
use jounce_eval::heat::HeatRange;
use jounce_gpu::Gpu;
use jounce_gpu::draw::{Herd, IMAGE_FORMAT, Picture, Renderer};
use jounce_session::{Playhead, Session, ShowError, Shown};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum PhotographError {
    #[error(transparent)]
    Draw(#[from] DrawError),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error("{0}")]
    Heat(String),
}

/// What a photograph is taken of. It can be kept by another thread, which makes its own state of it.
pub struct Negative {
    session: Session,
    view: ViewportView,
    selection: Selection,
    playhead: Playhead,
    /// As it stands in the window, whoever moved it there.
    shown: Shown,
    camera: Camera,
    /// Of the window's picture.
    points_high: f32,
    gpu: Gpu,
}

impl Negative {
    /// None where there is no device.
    pub fn of(state: &mut State, size_px: [u32; 2]) -> Option<Negative> {
        let gpu = state.device.as_ref()?.gpu.clone();
        let height_px = size_px[1].max(1) as f32;
        // A picture may take its time: it shows all of a crowd, and the camera sees them all.
        state.viewport.crowd.most_shown = None;
        let camera = steer::camera(state, size_px[0] as f32 / height_px);
        Some(Negative {
            session: state.session.snapshot(),
            view: state.viewport.look(),
            selection: state.selection.clone(),
            playhead: Playhead { is_playing: false, ..state.playhead },
            shown: state.shown.clone(),
            camera,
            points_high: state.viewport.screen.map_or(height_px, |it| it.rect.height().max(1.0)),
            gpu,
        })
    }

    pub fn develop(self, size_px: [u32; 2]) -> Result<Photographer, PhotographError> {
        let Negative { session, view, selection, playhead, shown, camera, points_high, gpu } = self;
        let mut state = State::new(session, None)?;
        state.viewport = ViewportView { camera: Some(camera), ..view };
        (state.selection, state.playhead) = (selection, playhead);
        let easel = Images { renderer: Renderer::new(&gpu, IMAGE_FORMAT)?, gpu };
        Ok(Photographer { state, shown, camera, points_high, easel, size_px })
    }
}

/// A renderer of its own: that of the window goes on meanwhile.
struct Images {
    gpu: Gpu,
    renderer: Renderer,
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

pub struct Photographer {
    state: State,
    shown: Shown,
    camera: Camera,
    points_high: f32,
    easel: Images,
    size_px: [u32; 2],
}

impl Photographer {
    pub fn duration_secs(&self) -> f64 {
        self.state.show.duration_secs()
    }

    /// What the window shows now.
    pub fn now(&mut self) -> Result<RgbaImage, PhotographError> {
        // What the device has computed for the window is nowhere else yet.
        match self.shown.deformed.positions.is_empty() {
            true => self.evaluate(self.state.playhead.time_secs)?,
            false => self.state.shown = self.shown.clone(),
        }
        self.draw()
    }

    /// The same at another time of the motion.
    pub fn at(&mut self, time_secs: f64) -> Result<RgbaImage, PhotographError> {
        self.evaluate(time_secs)?;
        self.draw()
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

    fn draw(&mut self) -> Result<RgbaImage, PhotographError> {
        let [width, height] = self.size_px.map(|side| side as f32);
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(width, height));
        let screen = Screen { rect, camera: self.camera };
        // Known from now on, and the same for all pictures.
        stage(&mut self.state);
        let drawn = paint_on(&mut self.easel, &mut self.state, self.size_px, &screen)?;
        let Pictures { main, plain } = drawn;
        let mut image = match (plain, self.state.viewport.compare.split) {
            (Some(plain), Some(part)) => split_picture(&plain, main, part, ["plain", "deformed"]),
            _ => main,
        };
        // As wide as in the window, however many pixels that is.
        let (scale, marks) = (height / self.points_high, overlay::marks(&self.state));
        draw_marks(&mut image, &self.camera, Mat4::IDENTITY, &marks, scale);
        if let Some(legend) = heat::legend(&self.state) {
            legend.draw(&mut image);
        }
        Ok(image)
    }
}
