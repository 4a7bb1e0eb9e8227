//! Bones whose velocities are any function of time, and a node that is fed with them.

use glam::{DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::timeline::Played;
use jounce::eval::{
    Bound, ConstantMotion, Interpreter, Moment, Motion, Parameters, Playing, Setup, Timeline,
};
use jounce::graph::{Link, Node, PortRef, Style};
use jounce::ir::Program;
use jounce::motion::{BoneMotion, Ending};
use jounce::rig::{Character, Pose, own};
use jounce::script::{Library, Setting};
use std::sync::OnceLock;

pub fn tube() -> &'static Character {
    static TUBE: OnceLock<Character> = OnceLock::new();
    TUBE.get_or_init(|| own::built_in("tube").unwrap())
}

/// A character at rest whose bones' velocities are a function of time.
pub struct Fed<'a> {
    pub speed: &'a (dyn Fn(f64) -> f64 + Sync),
    pub ending: Ending,
    pub duration_secs: f64,
}

impl<'a> Fed<'a> {
    pub fn once(speed: &'a (dyn Fn(f64) -> f64 + Sync)) -> Fed<'a> {
        Fed { speed, ending: Ending::Clamp, duration_secs: 5.0 }
    }

    pub fn motion(&self, time_secs: f64) -> ConstantMotion {
        let x = (self.speed)(time_secs);
        let motion = BoneMotion { linear: DVec3::new(x, -2.0 * x, 0.5), angular: DVec3::Y * x };
        ConstantMotion::steady(vec![motion; tube().skeleton.bones.len()])
    }
}

impl Played for Fed<'_> {
    fn at(&self, time_secs: f64, work: &mut dyn FnMut(&Pose, &dyn Motion)) {
        work(tube().rest_pose(), &self.motion(time_secs));
    }

    fn ending(&self) -> Ending {
        self.ending
    }

    fn duration_secs(&self) -> f64 {
        self.duration_secs
    }

    fn end_pose(&self) -> Option<Pose> {
        None
    }
}

/// A node that is fed with the linear velocity of bones; its output is summed over them.
pub fn style(node: &str, settings: &[(&str, f64)], output: &str) -> Style {
    let mut style = Style::default();
    let mut tested = Node::new(node);
    for (port, number) in settings {
        tested.settings.insert((*port).to_owned(), Setting::Float(*number));
    }
    let mut velocity = Node::new("Velocity Extract");
    velocity.settings.insert("root motion".to_owned(), Setting::Float(1.0));
    velocity.settings.insert("smoothing".to_owned(), Setting::Float(0.0));
    let mut sum = Node::new("Weight Propagation");
    sum.settings.insert("weights".to_owned(), Setting::Text("skin".to_owned()));
    let graph = &mut style.graph;
    graph.nodes.insert("test".to_owned(), tested);
    graph.nodes.insert("velocity".to_owned(), velocity);
    graph.nodes.insert("sum".to_owned(), sum);
    graph.nodes.insert("out".to_owned(), Node::new("Output"));
    for (from, to) in [
        (("velocity", "linear"), ("test", "value")),
        (("test", output), ("sum", "value")),
        (("sum", "sum"), ("out", "position")),
    ] {
        graph.links.insert(Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1)));
    }
    style
}

pub fn program(style: &Style) -> Program {
    let compiled = compile(style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    compiled.program
}

/// A program that is stepped through a motion.
pub struct Run<'a> {
    pub program: Program,
    pub bound: Bound,
    pub parameters: Parameters,
    pub timeline: Timeline,
    pub fed: &'a Fed<'a>,
}

impl<'a> Run<'a> {
    pub fn new(program: Program, fed: &'a Fed<'a>) -> Run<'a> {
        let bound = Bound::new(&program, tube(), &Default::default()).unwrap();
        let parameters = Parameters::new(&program);
        let timeline = Timeline::new(&program, &bound, fed);
        let timeline = timeline.unwrap().expect("it remembers");
        Run { program, bound, parameters, timeline, fed }
    }

    pub fn with_moment<T>(&self, time_secs: f64, work: impl FnOnce(&Moment) -> T) -> T {
        let motion = self.fed.motion(time_secs);
        let mut moment = Moment::new(
            Setup::new(&self.program, tube(), &self.bound),
            &self.parameters,
            tube().rest_pose(),
            &motion,
            time_secs,
        );
        let (bound, parameters) = (&self.bound, &self.parameters);
        let stepped = Playing {
            setup: Setup::new(&self.program, tube(), bound),
            parameters,
            played: self.fed,
        };
        moment.snapshot = self.timeline.recall(stepped, time_secs).unwrap();
        work(&moment)
    }

    /// The mean over the bones of the first vertex: all bones move alike.
    pub fn value(&self, time_secs: f64) -> DVec3 {
        self.with_moment(time_secs, |moment| {
            Interpreter::positions(&self.program, &self.bound, moment).unwrap()[0]
        })
    }

    pub fn bits(&self, time_secs: f64) -> Vec<[u32; 3]> {
        self.with_moment(time_secs, |moment| {
            let prepared = jounce::eval::vm::Prepared::new(&self.program, &self.bound).unwrap();
            let deformed = prepared.deform(&self.bound, moment).unwrap();
            deformed.positions.iter().map(|p: &Vec3| p.to_array().map(f32::to_bits)).collect()
        })
    }
}

pub fn joined(samples: &[f64], rate: f64, time_secs: f64) -> f64 {
    let at = (time_secs * rate).clamp(0.0, samples.len() as f64 - 1.0);
    let (low, t) = (at.floor() as usize, at.fract());
    let high = (low + 1).min(samples.len() - 1);
    samples[low] + (samples[high] - samples[low]) * t
}

pub fn time_filter(amplitude: f64, frequency: f64, decay: f64) -> Style {
    let settings = [("amplitude", amplitude), ("frequency", frequency), ("decay", decay)];
    style("Time Filter", &settings, "value")
}

/// All nodes that remember values they are given.
pub fn styles() -> Vec<Style> {
    vec![
        time_filter(0.3, 2.0, 0.5),
        style("Smooth", &[("seconds", 0.2)], "value"),
        style("Delay", &[("seconds", 0.21)], "value"),
        style("Spring", &[("frequency", 3.0), ("damping", 0.2)], "value"),
    ]
}

pub fn swing(t: f64) -> f64 {
    if t > 0.0 { (t * 5.0).sin() * (1.0 + t) } else { 0.0 }
}
