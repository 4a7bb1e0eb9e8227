//! Options of `jounce render` that cannot go together, and what to do about it.

use super::RenderArgs;
use crate::cli::CliError;
use crate::cli::graph::BackendArg;

pub fn check(args: &RenderArgs) -> Result<(), CliError> {
    let (over, comparison) = (&args.over, &args.comparison);
    let has_strip = args.strip.is_some();
    let is_scaled = comparison.exaggerate != 1.0;
    let is_on_gpu = args.scene.graph.backend.is_some_and(|it| it != BackendArg::Cpu);
    let has_crowd = args.many.crowd.is_some();
    let rules = [
        (
            over.trajectories && args.scene.motion.velocity.is_empty(),
            "--trajectories shows where vertices go as a velocity grows; give one with --velocity BONE:wx,wy,wz,vx,vy,vz",
        ),
        (
            over.trajectories && has_strip,
            "--trajectories shows a single moment and --strip shows several; leave out one of them",
        ),
        (
            !over.path.is_empty() && !args.scene.motion.velocity.is_empty(),
            "--path shows where vertices go over a motion; leave out --velocity, or use --trajectories",
        ),
        (
            !over.path.is_empty() && args.scene.motion.rest,
            "--path shows where vertices go over a motion; leave out --rest",
        ),
        (
            comparison.split.is_some() && has_strip,
            "--split divides a single picture; leave out --strip, or use --beside, which draws two strips",
        ),
        (
            comparison.split.is_some() && comparison.beside,
            "--split and --beside are two ways to show a comparison; leave out one of them",
        ),
        (
            comparison.ghost && args.ghosts,
            "--ghosts draws several moments over each other, where the ghosts of --ghost would be in the way; leave out one of them",
        ),
        (
            args.crop && args.output.is_film,
            "--crop cuts a picture and not a film; leave it out, or end the name in .png",
        ),
        (is_on_gpu && is_scaled, "--exaggerate works only on the CPU; leave out --backend gpu"),
        (
            has_crowd && !args.scene.motion.velocity.is_empty(),
            "--crowd shows many moments of a motion; leave out --velocity",
        ),
    ];
    if let Some((_, sentence)) = rules.into_iter().find(|(is_broken, _)| *is_broken) {
        return Err(CliError::Combination(sentence.to_owned()));
    }
    // They are of one character, and would hide each other.
    let of_one = [
        (has_strip, "--strip"),
        (comparison.beside, "--beside"),
        (comparison.ghost, "--ghost"),
        (comparison.split.is_some(), "--split"),
        (comparison.compare.is_some(), "--compare"),
        (args.vary.is_some(), "--vary"),
        (args.heat.heat.is_some(), "--heat"),
        (over.skeleton, "--skeleton"),
        (over.axes, "--axes"),
        (over.centroids, "--centroids"),
        (over.flesh, "--flesh"),
        (!over.path.is_empty(), "--path"),
        (args.crop, "--crop"),
    ];
    match of_one.into_iter().find(|(is_given, _)| has_crowd && *is_given) {
        Some((_, name)) => Err(CliError::Combination(format!(
            "--crowd draws many characters and {name} looks at a single one; leave out one of them"
        ))),
        None => Ok(()),
    }
}
