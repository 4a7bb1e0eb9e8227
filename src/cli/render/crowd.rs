//! `--crowd`: many of the character, each at another time.

use super::Take;
use crate::cli::CliError;
#[cfg(feature = "gpu")]
use crate::cli::graph::BackendArg;
use crate::cli::scene::Scene;
use glam::Mat4;
use jounce_base::text::counted;
use jounce_draw::{Bounds, Camera, HerdSource, Studio};
#[cfg(feature = "gpu")]
use jounce_gpu::eval::DeviceCrowd;
use jounce_rig::motion::Ending;
use jounce_session::{CrowdInLists, CrowdLayout, CrowdLists, HERD_FOV_DEG, Room, Staged};

/// Moments of a motion that say how much room one of them needs.
const ROOM_MOMENTS: usize = 48;

/// What stays free on each side of a herd, as a fraction of the picture.
const HERD_MARGIN: f32 = 0.015;

impl Take<'_> {
    /// A picture, or a film.
    pub fn crowd(&self, studio: &mut Studio, layout: &CrowdLayout) -> Result<String, CliError> {
        let is_film = self.args.output.is_film;
        let times_secs = match is_film {
            true => &self.frames.pose_secs[..],
            false => &self.frames.pose_secs[..1],
        };
        self.check_film_size(times_secs.len(), 1)?;
        let playback = self.scene().playback();
        if is_film && playback.ending == Ending::Clamp {
            say!(
                "characters that are ahead of the others stand still at the end of the clip; add --loop to keep them moving"
            );
        }
        let offsets_secs = layout.offsets_secs(playback.duration_secs);
        let room = self.room(times_secs, &offsets_secs)?;
        let places = layout.places(&Room { min: room.min, max: room.max });
        let corners = |place: &Mat4| room.corners().map(|corner| place.transform_point3(corner));
        let mut seen = self.seen(None, self.size_px());
        places.iter().for_each(|place| seen.add(&corners(place), &[]));
        let mut shot = self.shot(seen);
        if layout.is_herd() {
            shot.vertical_fov_rad = HERD_FOV_DEG.to_radians();
            let [wide, high] = shot.size_px.map(|side| side.max(1) as f32);
            let (points, fov_rad) = (places.iter().flat_map(corners), shot.vertical_fov_rad);
            let camera =
                Camera::framing_points(points, wide / high, shot.view, fov_rad, HERD_MARGIN);
            shot.framed = Some(camera);
        }
        let progress = self.bars.frames(times_secs.len());
        let mut images = Vec::new();
        let mut herd = Herd::of(self);
        for &time_secs in times_secs {
            let mut members = herd.members(self, time_secs, &offsets_secs)?;
            images.push(studio.herd(&places, &mut *members, &shot)?);
            progress.inc(1);
        }
        progress.finish_and_clear();
        let said = match is_film {
            true => counted(images.len(), "frame"),
            false => "one moment".to_owned(),
        };
        let said = format!("{said}, {},", counted(layout.count(), "character"));
        let said = self.save(images, times_secs, None, &said)?;
        Ok(format!("{}; {}", said.trim_end(), herd.how(self.scene())))
    }

    /// What one of them needs, wherever it is in its motion: seen exactly where that is a matter of few
    /// moments, else at some of them.
    fn room(&self, times_secs: &[f64], offsets_secs: &[f64]) -> Result<Bounds, CliError> {
        let all = times_secs.iter().flat_map(|t| offsets_secs.iter().map(move |offset| t + offset));
        let moments: Vec<f64> = match times_secs.len() * offsets_secs.len() <= ROOM_MOMENTS {
            true => all.collect(),
            false => {
                let (first, last) =
                    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), t| (a.min(t), b.max(t)));
                let length_secs = (last - first).min(self.scene().duration_secs());
                let step_secs = length_secs / (ROOM_MOMENTS - 1) as f64;
                (0..ROOM_MOMENTS).map(|i| first + i as f64 * step_secs).collect()
            }
        };
        let mut room = Bounds::EMPTY;
        for time_secs in moments {
            room = room.union(Bounds::of(&self.drawn(self.scene(), time_secs)?.positions));
        }
        Ok(room.made_visible())
    }
}

/// What computes the members.
enum Herd {
    Lists(CrowdLists),
    /// What draws them does.
    #[cfg(feature = "gpu")]
    Device(Box<DeviceCrowd>),
}

impl Herd {
    /// The device that draws, where there is one, and a graph, and nobody wants the CPU.
    fn of(take: &Take) -> Herd {
        #[cfg(feature = "gpu")]
        {
            let wants_cpu = take.args.scene.graph.backend == Some(BackendArg::Cpu)
                || take.args.comparison.exaggerate != 1.0;
            if let (Some(gpu), true) = (&take.gpu, take.scene().graph.is_some() && !wants_cpu) {
                return Herd::Device(Box::new(DeviceCrowd::new(gpu)));
            }
        }
        #[cfg(not(feature = "gpu"))]
        let _ = take;
        Herd::Lists(CrowdLists::default())
    }

    fn members<'a>(
        &'a mut self,
        take: &'a Take,
        time_secs: f64,
        offsets_secs: &'a [f64],
    ) -> Result<Box<dyn HerdSource + 'a>, CliError> {
        let (staged, amount): (&Staged, f32) = (take.scene(), take.args.comparison.exaggerate);
        Ok(match self {
            Herd::Lists(lists) => {
                Box::new(CrowdInLists { staged, time_secs, offsets_secs, amount, lists })
            }
            #[cfg(feature = "gpu")]
            Herd::Device(crowd) => {
                let (performer, revision) = (staged.performer(), staged.revision());
                Box::new(crowd.members(performer, revision, time_secs, offsets_secs)?)
            }
        })
    }

    /// What they are, and how the last picture of them was computed.
    fn how(&self, scene: &Scene) -> String {
        let vertices = scene.character().vertex_count();
        match self {
            Herd::Lists(_) => {
                #[cfg(feature = "gpu")]
                if let Some(gpu) = scene.gpu() {
                    return format!("{vertices} vertices each, computed by {}", gpu.adapter);
                }
                format!("{vertices} vertices each, computed by the CPU")
            }
            #[cfg(feature = "gpu")]
            Herd::Device(crowd) => {
                let adapter = &crowd.gpu().adapter;
                let times = match crowd.dispatches() {
                    1 => "one dispatch".to_owned(),
                    several => format!("{several} dispatches"),
                };
                format!("{vertices} vertices each, computed by {adapter} in {times}")
            }
        }
    }
}
