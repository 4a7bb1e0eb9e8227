//! What a vertex costs in the scalar interpreter.

use jounce::eval::{Bound, Interpreter, Moment, Parameters, PlayedMotion, Setup};
use jounce::graph::CharacterSettings;
use jounce::ir::op::MotionPart;
use jounce::ir::{Binary, Builder, Column, Source, Stage, Unary};
use jounce::motion::{Playback, Player};
use jounce::rig::{Base, own};

/// `cargo test --release --test evaluation interpreter_speed -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn how_long_a_vertex_takes() {
    let character = own::built_in("giraffe").unwrap();
    let mut builder = Builder::default();
    let zero = builder.float(0.0);
    let size = builder.source(Source::CharacterSize);
    let velocity = builder.motion(MotionPart::LinearVelocity, zero);
    let turning = builder.motion(MotionPart::AngularVelocity, zero);
    let [p, origin] =
        [Source::SkinnedPosition, Source::BoneOrigin].map(|source| builder.source(source));
    let arm = builder.binary(Binary::Sub, p, origin);
    let mut value = builder.binary(Binary::Cross, turning, arm);
    let mut operations = 2;
    // Rounds of what deformers do: dots, a normalisation, a limit, a sine, products.
    while operations < 60 {
        let square = builder.binary(Binary::Dot, value, value);
        let speed = builder.unary(Unary::Sqrt, square);
        let ratio = builder.binary(Binary::Div, speed, size);
        let limited = builder.binary(Binary::Min, ratio, size);
        let sine = builder.unary(Unary::Sin, limited);
        let axis = builder.unary(Unary::Normalize, value);
        let across = builder.binary(Binary::Cross, axis, arm);
        let turned = builder.binary(Binary::Mul, across, sine);
        let moved = builder.binary(Binary::Mul, velocity, limited);
        value = builder.binary(Binary::Add, turned, moved);
        operations += 10;
    }
    let sum = builder.sum(value, Column::UPWARD);
    let position = builder.binary(Binary::Add, p, sum);
    let program = builder.finish(position, Base::Lbs);
    let values: usize = (program.stages.iter())
        .map(|stage| match stage {
            Stage::Influences { values, .. } => values.len(),
            _ => 0,
        })
        .sum();
    let clip = &character.clips[0];
    let player =
        Player { character: &character, clip, playback: Playback::looped(clip.duration_secs()) };
    let bound = Bound::new(&program, &character, &CharacterSettings::default()).unwrap();
    let pose = player.pose(0.3);
    let parameters = Parameters::new(&program);
    let played = PlayedMotion { player, time_secs: 0.3 };
    let moment =
        Moment::new(Setup::new(&program, &character, &bound), &parameters, &pose, &played, 0.3);
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = std::time::Instant::now();
        Interpreter::positions(&program, &bound, &moment).unwrap();
        best = best.min(start.elapsed().as_secs_f64());
    }
    let vertices = bound.vertex_count() as f64;
    let pairs = bound.pairs.count() as f64;
    println!(
        "{values} values per pair, {:.1} pairs per vertex: {:.2} µs per vertex, {:.1} ns per value",
        pairs / vertices,
        best / vertices * 1e6,
        best / pairs / values as f64 * 1e9
    );
}
