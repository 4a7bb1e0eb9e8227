//! `--crowd`: many of the character, each at another time.

use super::Take;
use super::herd::Members;
use crate::cli::CliError;
use glam::Mat4;
use jounce_base::text::counted;
use jounce_draw::{Bounds, Camera, Studio};
use jounce_rig::motion::Ending;
use jounce_session::{CrowdLayout, HERD_FOV_DEG, Room};

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
        let playback = &self.scene().playback;
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
        let mut members = Members::new(self, &offsets_secs)?;
        for &time_secs in times_secs {
            members.go_to(time_secs);
            images.push(studio.herd(&places, &mut members, &shot)?);
            progress.inc(1);
        }
        progress.finish_and_clear();
        let said = match is_film {
            true => counted(images.len(), "frame"),
            false => "one moment".to_owned(),
        };
        let said = format!("{said} of {}", layout.count());
        let said = self.save(images, times_secs, None, &said)?;
        Ok(format!("{}; {}", said.trim_end(), members.how()))
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
                let length_secs = (last - first).min(self.scene().playback.duration_secs);
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
