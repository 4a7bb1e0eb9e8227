//! `--crowd`: many of the character, each at another time.

use super::Take;
use crate::cli::{CliError, progress_bar};
use crate::draw::{Bounds, Moment, Studio};
use crate::motion::Ending;
use crate::rig::Skinned;
use crate::session::CrowdLayout;
use crate::text::counted;

impl Take<'_> {
    /// A picture, or a film. Poses are made twice: where all stand depends on how much room one needs.
    pub fn crowd(&self, studio: &mut Studio, layout: &CrowdLayout) -> Result<String, CliError> {
        let is_film = self.args.output.is_film;
        let times_secs = match is_film {
            true => &self.frames.pose_secs[..],
            false => &self.frames.pose_secs[..1],
        };
        self.check_film_size(times_secs.len(), 1)?;
        let playback = &self.scene().playback;
        if is_film && playback.ending == Ending::Clamp {
            eprintln!(
                "jounce: those who are ahead stand still at the end of the clip; add --loop to let them go on"
            );
        }
        let offsets_secs = layout.offsets_secs(playback.duration_secs);
        let mut room = Bounds::EMPTY;
        for &time_secs in times_secs {
            for member in self.members(time_secs, &offsets_secs)? {
                room = room.union(Bounds::of(&member.positions));
            }
        }
        let room = room.made_visible();
        let places = layout.places(room.size());
        let mut seen = self.seen(None);
        for &place in &places {
            seen.add(&room.corners().map(|corner| corner + place), &[]);
        }
        let shot = self.shot(seen);
        let progress = progress_bar(times_secs.len());
        let mut images = Vec::new();
        for &time_secs in times_secs {
            let members = self.members(time_secs, &offsets_secs)?;
            let moments: Vec<Moment> = members.iter().map(moment).collect();
            images.push(studio.crowd(&moments, &places, &shot)?);
            progress.inc(1);
        }
        progress.finish_and_clear();
        let said = match is_film {
            true => counted(images.len(), "frame"),
            false => "one moment".to_owned(),
        };
        self.save(images, times_secs, None, &format!("{said} of {}", layout.count()))
    }

    fn members(&self, time_secs: f64, offsets_secs: &[f64]) -> Result<Vec<Skinned>, CliError> {
        let at = |offset_secs: &f64| self.drawn(self.scene(), time_secs + offset_secs);
        offsets_secs.iter().map(at).collect()
    }
}

fn moment(Skinned { positions, normals }: &Skinned) -> Moment<'_> {
    Moment { positions, normals, ..Moment::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn nobody_stands_in_anybodys_room() {
        for count in [1, 2, 7, 20] {
            let layout = CrowdLayout { count, spacing_secs: None };
            let room = Vec3::new(1.0, 2.0, 3.0);
            let places = layout.places(room);
            assert_eq!(places.len(), count);
            for (i, a) in places.iter().enumerate() {
                for b in &places[i + 1..] {
                    let apart = (*a - *b).abs();
                    assert!(apart.x > room.x || apart.z > room.z, "{a} {b}");
                }
            }
        }
    }
}
