//! What the character is made of: its textures are decoded and put on the device by another thread, once per
//! character, and it is of clay until they are there.

use crate::State;
use crate::device::FORMAT;
use crate::jobs::Finish;
use egui::Context;
use jounce_draw::{DrawError, Geometry};
use jounce_gpu::Gpu;
use jounce_gpu::draw::{DeviceMaterials, MaterialPipelines};
use jounce_rig::Character;
use jounce_session::{Appearance, Cancelled, Progress, Severity, has_materials};
use std::sync::Arc;

#[derive(Clone, Default)]
pub struct MaterialsView {
    /// It is shown as clay all the same.
    pub is_clay: bool,
    /// Whose materials these are, or will be.
    of: Option<Arc<Character>>,
    on_device: Option<Arc<DeviceMaterials>>,
}

impl MaterialsView {
    /// What a character is drawn with now; None: as clay.
    pub fn shown(&self, character: &Arc<Character>) -> Option<Arc<DeviceMaterials>> {
        let is_of = self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, character));
        self.on_device.clone().filter(|_| is_of && !self.is_clay)
    }

    pub fn toggle_clay(&mut self) {
        self.is_clay ^= true;
        // Who has cancelled the reading may want it after all.
        if !self.is_clay && self.on_device.is_none() {
            self.of = None;
        }
    }
}

/// Begins to make those of a character that is new here.
pub fn follow(state: &mut State, ctx: &Context) {
    let character = state.show.character().clone();
    let view = &mut state.viewport.materials;
    if view.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, &character)) {
        return;
    }
    let Some(device) = &state.device else { return };
    (view.of, view.on_device) = (Some(character.clone()), None);
    if !has_materials(&character) {
        return;
    }
    let (gpu, title) = (device.gpu.clone(), format!("Reading the textures of {}", character.name));
    state.jobs.start_reading(ctx, title, move |progress| -> Finish {
        let made = Made::new(&character, &gpu, progress);
        Box::new(move |state, _| take(state, &character, made))
    });
}

struct Made {
    drawing: Result<(Option<Arc<DeviceMaterials>>, Arc<MaterialPipelines>), DrawError>,
    notes: Vec<String>,
}

impl Made {
    fn new(character: &Character, gpu: &Gpu, progress: &Progress) -> Result<Made, Cancelled> {
        let Appearance { materials, notes } = Appearance::with_progress(character, progress)?;
        progress.check()?;
        let geometry = Geometry {
            positions: &character.rest().positions,
            triangles: &character.mesh.triangles,
            materials: materials.as_ref(),
            ..Geometry::default()
        };
        let drawing = DeviceMaterials::new(gpu, &geometry)
            .and_then(|on_device| Ok((on_device, MaterialPipelines::new(gpu, FORMAT)?)));
        Ok(Made { drawing, notes })
    }
}

fn take(state: &mut State, character: &Arc<Character>, made: Result<Made, Cancelled>) {
    let Ok(Made { drawing, notes }) = made else { return };
    let view = &state.viewport.materials;
    if !view.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, character)) {
        return;
    }
    for note in notes {
        state.session.say(Severity::Note, note);
    }
    match (drawing, &mut state.device) {
        (Ok((on_device, pipelines)), Some(device)) => {
            device.adopt(pipelines);
            state.viewport.materials.on_device = on_device;
        }
        (Ok(_), None) => {}
        (Err(error), _) => state.session.say(Severity::Error, error.to_string()),
    }
}
