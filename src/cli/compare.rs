//! `jounce compare`: does the GPU compute what the CPU computes?

use super::scene::{Scene, WithoutClips};
use super::scene_args::SceneArgs;
use super::standstill::say_what_was_seen;
use super::{CliError, ProgressBars, print};
use clap::Args;
use glam::Vec3;
use jounce_base::text::{counted, visible, visible_json};
use jounce_eval::vm::{Simd, Vm, Wanted};
use jounce_eval::{EvalError, Evaluator, Moment};
use jounce_gpu::eval::{GpuEvaluator, PreparedOnGpu};
use jounce_session::Staged;
use serde::Serialize;

/// Compare the results of CPU and GPU for a graph: the largest difference, and where it is.
///
/// Differences are fractions of the character's size. The exit code is 1 if one is larger than
/// --tolerance.
#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// The largest difference to accept, as a fraction of the size
    #[arg(long, default_value_t = 1e-5, value_parser = tolerance)]
    tolerance: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a fraction of the size is needed, from 0 to 1, such as 1e-5".to_owned()),
    }
}

#[derive(Serialize)]
struct Report {
    adapter: String,
    frames: usize,
    vertices: usize,
    /// As parts of the size.
    largest_difference: f64,
    mean_difference: f64,
    /// Where the largest is.
    vertex: usize,
    frame: i64,
    at_secs: f64,
    cpu: [f32; 3],
    gpu: [f32; 3],
    /// In the frame of the largest difference, by the last value of each node.
    nodes: Vec<NodeDifference>,
}

#[derive(Serialize)]
struct NodeDifference {
    node: String,
    title: String,
    /// Relative to the node's largest value.
    relative_difference: f64,
    vertex: usize,
}

#[derive(Clone, Copy, Default)]
struct Worst {
    difference: f32,
    vertex: usize,
    frame: usize,
    cpu: Vec3,
    gpu: Vec3,
}

pub fn run(mut args: CompareArgs) -> Result<(), CliError> {
    // The device comes beside it.
    args.scene.graph.backend = None;
    let scene = Scene::with_graph(&args.scene, WithoutClips::TestMotion)?;
    if scene.graph.is_none() {
        return Err(CliError::CompareNothing);
    }
    let performer = scene.performer();
    let frames = scene.frames(&args.scene)?;
    let gpu = args.scene.graph.open_gpu()?;
    let mut evaluator = GpuEvaluator::new(&gpu);
    let mut both = Both::new(&scene, &mut evaluator)?;
    let mut worst = Worst::default();
    let (mut sum, mut count) = (0.0, 0_u64);
    let progress = ProgressBars::default().frames(frames.pose_secs.len());
    for (frame, &time_secs) in frames.pose_secs.iter().enumerate() {
        let [by_cpu, by_gpu] = performer.with_moment(time_secs, |moment| both.positions(moment))?;
        for (vertex, (&cpu, &gpu)) in by_cpu.iter().zip(&by_gpu).enumerate() {
            let difference = distance_or_infinity(cpu, gpu);
            sum += f64::from(difference);
            count += 1;
            if difference > worst.difference || frame + vertex == 0 {
                worst = Worst { difference, vertex, frame, cpu, gpu };
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    say_what_was_seen(&scene, &frames.pose_secs);
    let size = scene.bound().size;
    let at_secs = frames.pose_secs[worst.frame];
    let nodes = performer
        .with_moment(at_secs, |moment| node_differences(&scene, moment, &mut evaluator))?;
    let report = Report {
        adapter: gpu.adapter.clone(),
        frames: frames.pose_secs.len(),
        vertices: scene.character().vertex_count(),
        largest_difference: f64::from(worst.difference) / size,
        mean_difference: sum / count.max(1) as f64 / size,
        vertex: worst.vertex,
        frame: frames.first + worst.frame as i64,
        at_secs,
        cpu: worst.cpu.to_array(),
        gpu: worst.gpu.to_array(),
        nodes,
    };
    print(&if args.json { visible_json(&report)? } else { text(&report) })?;
    if report.largest_difference <= args.tolerance {
        Ok(())
    } else {
        let (difference, tolerance) = (report.largest_difference, args.tolerance);
        Err(CliError::TooDifferent { difference, tolerance })
    }
}

/// What is not a number is infinitely far from everything.
fn distance_or_infinity(a: Vec3, b: Vec3) -> f32 {
    let distance = a.distance(b);
    if distance.is_nan() { f32::INFINITY } else { distance }
}

/// The graph on both sides, prepared for all frames.
struct Both<'a> {
    staged: &'a Staged,
    on_gpu: PreparedOnGpu,
}

impl<'a> Both<'a> {
    fn new(staged: &'a Staged, evaluator: &mut GpuEvaluator) -> Result<Both<'a>, EvalError> {
        let (program, bound) = (staged.program(), staged.bound());
        let mut on_gpu = evaluator.prepare(program, bound, staged.base().into())?;
        on_gpu.write_skinned(false);
        Ok(Both { staged, on_gpu })
    }

    fn positions(&mut self, moment: &Moment) -> Result<[Vec<Vec3>; 2], EvalError> {
        let moments = std::slice::from_ref(moment);
        let wanted = Wanted { skinned_positions: !self.staged.has_moved(), ..Wanted::default() };
        let mut by_cpu = Vec::new();
        self.staged.performer().deform_into(moments, wanted, &mut by_cpu)?;
        let by_cpu = by_cpu.pop().unwrap_or_default();
        self.staged.see_if_moved(&by_cpu);
        self.on_gpu.run(self.staged.bound(), std::slice::from_ref(moment))?;
        let by_gpu = self.on_gpu.read()?.pop().unwrap_or_default();
        Ok([by_cpu.positions, by_gpu.positions])
    }
}

/// Shows the last value of each node in place of the position, on both sides.
fn node_differences(
    staged: &Staged,
    moment: &Moment,
    on_gpu: &mut GpuEvaluator,
) -> Result<Vec<NodeDifference>, EvalError> {
    let (program, bound) = (staged.program(), staged.bound());
    let mut found = Vec::new();
    for (value, node) in program.shown_values() {
        let Some(shown) = program.showing(value) else { continue };
        let by_cpu = Vm(Simd::best()).deform(&shown, bound, moment)?.positions;
        let by_gpu = on_gpu.deform(&shown, bound, moment)?.positions;
        let largest = by_cpu.iter().map(|v| v.length()).fold(0.0, f32::max);
        let differences =
            by_cpu.iter().zip(&by_gpu).map(|(a, b)| distance_or_infinity(*a, *b)).enumerate();
        let (vertex, difference) =
            differences.fold((0, 0.0), |worst, one| if one.1 > worst.1 { one } else { worst });
        let title = program.titles.get(node).cloned().unwrap_or_default();
        found.push(NodeDifference {
            node: node.to_owned(),
            title,
            relative_difference: f64::from(difference) / f64::from(largest).max(1e-30),
            vertex,
        });
    }
    found.sort_by(|a, b| b.relative_difference.total_cmp(&a.relative_difference));
    Ok(found)
}

fn text(report: &Report) -> String {
    let Report { adapter, frames, vertices, largest_difference, mean_difference, .. } = report;
    let mut text = format!(
        "{vertices} vertices, {}, CPU against {adapter}\n\
         largest difference {largest_difference:.2e} of the size, mean {mean_difference:.2e}\n\
         at vertex {} in frame {} ({:.3} s): CPU {:?}, GPU {:?}\n",
        counted(*frames, "frame"),
        report.vertex,
        report.frame,
        report.at_secs,
        report.cpu,
        report.gpu
    );
    text += "by node, relative to its largest value:\n";
    for node in &report.nodes {
        let NodeDifference { node, title, relative_difference, vertex } = node;
        let name = if title.is_empty() { node.clone() } else { format!("{title} ({node})") };
        let name = visible(&name);
        text += &format!("  {relative_difference:.2e}  {name}, at vertex {vertex}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_the_worst_difference() {
        assert_eq!(distance_or_infinity(Vec3::NAN, Vec3::ZERO), f32::INFINITY);
        assert_eq!(distance_or_infinity(Vec3::ONE, Vec3::ONE), 0.0);
    }
}
