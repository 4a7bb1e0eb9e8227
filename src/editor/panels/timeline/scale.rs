//! From times to columns of the window: the ruler and all that stands below it share one scale, so that the
//! same moment is at the same x in all of them.

use egui::Rangef;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale {
    /// What is at the right end: the end of the motion, or later where something goes on after it.
    pub last_secs: f64,
    /// Where 0 s and the last time are.
    columns: Rangef,
}

/// What stays free at both ends, so that the first and the last moment can be taken hold of.
const END_ROOM: f32 = 6.0;

impl TimeScale {
    pub fn new(width: Rangef, last_secs: f64) -> TimeScale {
        let columns = Rangef::new(
            width.min + END_ROOM,
            (width.max - END_ROOM).max(width.min + END_ROOM + 1.0),
        );
        TimeScale { last_secs: last_secs.max(1e-6), columns }
    }

    pub fn x_of(&self, secs: f64) -> f32 {
        self.columns.min + (secs / self.last_secs) as f32 * self.columns.span()
    }

    pub fn secs_at(&self, x: f32) -> f64 {
        f64::from((x - self.columns.min) / self.columns.span()) * self.last_secs
    }

    /// Points of the window per second.
    pub fn points_per_sec(&self) -> f32 {
        (f64::from(self.columns.span()) / self.last_secs) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_the_same_time() {
        for width in [Rangef::new(10.0, 810.0), Rangef::new(0.0, 3.0)] {
            let scale = TimeScale::new(width, 2.5);
            for secs in [0.0, 0.7, 2.5] {
                assert!((scale.secs_at(scale.x_of(secs)) - secs).abs() < 1e-4);
            }
        }
        assert!(TimeScale::new(Rangef::new(0.0, 100.0), 0.0).x_of(0.0).is_finite());
    }
}
