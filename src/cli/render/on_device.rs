//! Moments that are computed where they are drawn.

use crate::cli::CliError;
use crate::cli::scene::Scene;
use glam::Vec3;
use jounce_gpu::Gpu;
use jounce_gpu::eval::{GpuBackend, OnDeviceMoments};

/// What was computed where it is drawn, and the positions of each moment.
type DrawnThere = (OnDeviceMoments, Vec<Vec<Vec3>>);

impl Scene {
    fn device(&self) -> Option<&GpuBackend> {
        self.graph.as_ref()?.device.as_ref()
    }

    /// The device that computes, if it is one; pictures must be drawn there.
    pub fn gpu(&self) -> Option<Gpu> {
        self.device().map(|device| device.deformer().gpu().clone())
    }

    /// For drawing, with the positions for whoever needs them; None if the CPU computes.
    pub fn on_device(&self, times_secs: &[f64]) -> Result<Option<DrawnThere>, CliError> {
        let Some(device) = self.device() else { return Ok(None) };
        let (mut device, setup) = (device.deformer(), self.performer().setup());
        let done =
            self.performer().with_moments(times_secs, |moments| device.run(setup, moments))?;
        let Some(done) = done else { return Ok(None) };
        let prepared = device.prepared(setup)?;
        if self.has_moved() {
            return Ok(Some((done, prepared.read_positions()?)));
        }
        let deformed = prepared.read()?;
        deformed.iter().for_each(|deformed| self.see_if_moved(deformed));
        let positions = deformed.into_iter().map(|deformed| deformed.positions).collect();
        Ok(Some((done, positions)))
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::scene::{Scene, WithoutClips};
    use crate::cli::scene_args::SceneArgs;
    use crate::cli::skipped;
    use clap::Parser;
    use jounce_gpu::Gpu;

    #[derive(Parser)]
    struct Parsed {
        #[command(flatten)]
        scene: SceneArgs,
    }

    #[test]
    fn what_is_drawn_on_the_device_is_what_it_hands_out() {
        if let Err(error) = Gpu::new() {
            let is_required = std::env::var("JOUNCE_REQUIRE_GPU").is_ok_and(|value| value == "1");
            assert!(!is_required, "JOUNCE_REQUIRE_GPU=1, but {error}");
            skipped::skip_loudly(skipped::Lacking::Gpu, &error.to_string());
            return;
        }
        let args = ["test", "--graph", "cow-bouncy", "--loop", "--backend", "gpu"];
        let scene = Scene::with_graph(&Parsed::parse_from(args).scene, WithoutClips::Rest).unwrap();
        let (_, positions) = scene.on_device(&[0.1, 0.4]).unwrap().unwrap();
        let mut again = Vec::new();
        scene.positions_into(0.4, &mut again).unwrap();
        assert!(scene.has_moved());
        assert_eq!(positions[1], again);
    }
}
