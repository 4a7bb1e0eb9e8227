//! A stroke: stamps of a brush, from pressing to letting go. Together they are one step of undo.
//!
//! ```text
//!  place on the surface ─► distances ─► amounts of points ─► seen? ─► mirrored ─► numbers of vertices
//!                          (rest pose)   strength · pressure              not locked, and selected
//!                                        · falloff(distance / radius)
//! ```
//! Unless the brush builds up, each vertex gets the largest amount of all stamps once: how fast the hand goes and how
//! many stamps that makes does not matter.

use super::{Brush, BrushTool, Masks, PaintSurface, Sight};
use jounce_rig::geodesic::{Reach, SurfacePoint};

/// One touch.
#[derive(Clone, Copy)]
pub struct Stamp<'a> {
    pub at: SurfacePoint,
    /// From 0 to 1; 1 for devices without.
    pub pressure: f64,
    /// Who looks; None: everything is seen.
    pub sight: Option<&'a Sight>,
}

pub struct Stroke {
    brush: Brush,
    before: Vec<f32>,
    values: Vec<f32>,
    /// Per vertex the largest amount so far.
    amounts: Vec<f32>,
    /// The same per point, of what the brush touched itself: the other side follows from it. Empty without one.
    touched: Vec<f32>,
    reach: Reach,
    changes: bool,
}

impl Stroke {
    /// On a map that is so now.
    pub fn new(brush: Brush, before: Vec<f32>) -> Stroke {
        Stroke {
            brush,
            values: before.clone(),
            amounts: vec![0.0; before.len()],
            touched: Vec::new(),
            before,
            reach: Reach::default(),
            changes: false,
        }
    }

    pub fn brush(&self) -> &Brush {
        &self.brush
    }

    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Was any number changed yet?
    pub fn has_changed(&self) -> bool {
        self.changes
    }

    pub fn stamp(&mut self, surface: &PaintSurface, masks: &Masks, stamp: Stamp) {
        if self.values.len() != surface.character().vertex_count() {
            return;
        }
        let mut amounts = self.amounts_of(surface, &stamp);
        if let Some(sight) = stamp.sight.filter(|_| self.brush.only_visible) {
            let points: Vec<u32> = amounts.iter().map(|&(point, _)| point).collect();
            let is_seen = sight.sees(surface, &points);
            let mut seen = is_seen.iter();
            amounts.retain(|_| seen.next() == Some(&true));
        }
        if let Some(mirroring) = surface.mirroring(self.brush.symmetry) {
            if !self.goes_on() {
                self.touched.resize(surface.meter().point_count(), 0.0);
                for (point, amount) in &mut amounts {
                    let most = &mut self.touched[*point as usize];
                    *most = most.max(*amount);
                    *amount = *most;
                }
            }
            mirroring.add_images(&mut amounts, &self.touched);
        }
        self.apply(surface, masks, &amounts);
    }

    /// Per point that is reached.
    fn amounts_of(&mut self, surface: &PaintSurface, stamp: &Stamp) -> Vec<(u32, f32)> {
        let most = (self.brush.strength * stamp.pressure).clamp(0.0, 1.0);
        if self.brush.tool == BrushTool::Flood {
            return surface.piece_at(stamp.at).into_iter().map(|it| (it, most as f32)).collect();
        }
        let radius = self.brush.radius_sizes * surface.character().size();
        surface.meter().measure(stamp.at, radius, &mut self.reach);
        let falloff = self.brush.falloff;
        let amount = |&(point, distance): &(u32, f64)| {
            (point, (most * falloff.at(distance / radius)) as f32)
        };
        self.reach.points().iter().map(amount).filter(|(_, amount)| *amount > 0.0).collect()
    }

    fn apply(&mut self, surface: &PaintSurface, masks: &Masks, amounts: &[(u32, f32)]) {
        let Brush { tool, value, .. } = self.brush;
        let goes_on = self.goes_on();
        let means: Vec<f32> = match tool {
            BrushTool::Smooth => {
                amounts.iter().map(|&(point, _)| surface.mean_around(point, &self.values)).collect()
            }
            _ => Vec::new(),
        };
        for (place, &(point, amount)) in amounts.iter().enumerate() {
            let mean = means.get(place).copied().unwrap_or_default();
            for &vertex in surface.meter().vertices_of(point) {
                let vertex = vertex as usize;
                if !masks.allow(vertex) {
                    continue;
                }
                let (from, amount) = match goes_on {
                    true => (self.values[vertex], amount),
                    false if amount <= self.amounts[vertex] => continue,
                    false => (self.before[vertex], amount),
                };
                self.amounts[vertex] = self.amounts[vertex].max(amount);
                let new = self.brush.limited(tool.applied(from, amount, value, mean), from);
                if new.is_finite() && new.to_bits() != self.values[vertex].to_bits() {
                    self.values[vertex] = new;
                    self.changes = true;
                }
            }
        }
    }

    /// Smoothing goes on from what is there now, and so does what builds up.
    fn goes_on(&self) -> bool {
        self.brush.builds_up || self.brush.tool == BrushTool::Smooth
    }
}
