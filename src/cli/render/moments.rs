//! Which moments a strip shows.

use super::Take;
use crate::cli::CliError;
use crate::cli::scene::Scene;
use glam::Vec3;
use jounce_session::{lively_moments, spread_vertices};

/// Moments of which one is chosen.
const TRIED: usize = 12;
/// Vertices that are looked at, spread evenly over the character.
const LOOKED_AT: usize = 300;

impl Take<'_> {
    /// Times of so many moments, in order.
    pub fn moments(&self, count: usize) -> Result<Vec<f64>, CliError> {
        let has_graph = self.scene().graph.is_some();
        if !has_graph || self.args.even || self.args.ghosts {
            return Ok(self.spread(count).collect());
        }
        let tried: Vec<f64> = self.spread(count * TRIED).collect();
        let vertices = spread_vertices(&self.scene().character().rest().positions, LOOKED_AT);
        let mut displacements = vec![Vec::new(); tried.len()];
        for variant in self.variants {
            for (all, &time_secs) in displacements.iter_mut().zip(&tried) {
                all.extend(displacements_at(&variant.scene, &vertices, time_secs)?);
            }
        }
        Ok(lively_moments(&displacements, count).into_iter().map(|moment| tried[moment]).collect())
    }
}

fn displacements_at(
    scene: &Scene,
    vertices: &[usize],
    time_secs: f64,
) -> Result<Vec<Vec3>, CliError> {
    let mut styled = Vec::new();
    scene.positions_into(time_secs, &mut styled)?;
    let plain = scene.plain_positions(time_secs);
    Ok(vertices.iter().map(|&vertex| styled[vertex] - plain[vertex]).collect())
}
