//! The entry point `bones` on a real device against the interpreter: every field of every row, at one
//! moment, and over a second of steps where a graph remembers.
#![cfg(feature = "gpu")]

use crate::support::scene::{Scene, examples};
use jounce::compile::compile_for_export;
use jounce::eval::{
    Interpreter, Moment, PlayedMotion, Playing, Probed, Setup, StateSnapshot, Timeline,
};
use jounce::export::shader::exported_module;
use jounce::gpu::Gpu;
use jounce::gpu::wgpu::{self, BufferUsages as Usage};
use jounce::graph::Document;
use jounce::ir::{Number, Value};
use jounce::motion::{Playback, Player};
use jounce::rig::{Base, own};
use jounce::script::Library;
use jounce::wgsl::{self, Module, Options, Row, ShaderSkinning, TableMemory};
use std::borrow::Cow;
use std::sync::Arc;

/// Of the largest number in a field. Frame and bones are f64 on the CPU and f32 here.
const TOLERANCE: f32 = 1e-4;
/// `JnStep::kind`.
const LOOKS: u32 = 0;
const KEEPS: u32 = 1;
const BEGINS: u32 = 2;
const STEP_SECS: f64 = 1.0 / 240.0;

fn write(row: &Row, numbers: &[Number]) -> Vec<u32> {
    let mut words = vec![0; row.stride];
    for (field, number) in row.fields.iter().zip(numbers) {
        match *number {
            Number::Float(x) => words[field.offset] = (x as f32).to_bits(),
            Number::Bool(is) => words[field.offset] = is.into(),
            Number::Vec3(v) => {
                for (i, x) in v.to_array().into_iter().enumerate() {
                    words[field.offset + i] = (x as f32).to_bits();
                }
            }
        }
    }
    words
}

/// Of all bones, row by row.
fn rows(row: &Row, probed: &[Probed], bones: usize) -> Vec<u32> {
    let of_bone = |bone: usize| {
        let number = |probed: &Probed| match probed {
            Probed::Bones(numbers) => numbers[bone],
            other => panic!("{other:?}"),
        };
        write(row, &probed.iter().map(number).collect::<Vec<_>>())
    };
    (0..bones).flat_map(of_bone).collect()
}

fn values(row: &Row) -> Vec<Value> {
    row.fields.iter().map(|field| field.value).collect()
}

/// What `bones` is fed with at one moment, and what the interpreter says it should give.
struct Fed {
    frame: Vec<u32>,
    inputs: Vec<u32>,
    expected: Vec<u32>,
}

impl Fed {
    fn new(scene: &Scene, module: &Module, moment: &Moment) -> Fed {
        let bones = scene.bound.row_count();
        let probe = |row: &Row| {
            Interpreter::probe(&scene.program, &scene.bound, moment, &values(row)).unwrap()
        };
        let of_frame = |probed: Probed| match probed {
            Probed::Frame(number) => number,
            other => panic!("{other:?}"),
        };
        let frame: Vec<Number> = probe(&module.frame).into_iter().map(of_frame).collect();
        Fed {
            frame: write(&module.frame, &frame),
            inputs: rows(&module.bone_input, &probe(&module.bone_input), bones),
            expected: rows(&module.bone, &probe(&module.bone), bones),
        }
    }
}

/// `bones` with all its buffers.
struct Bones<'a> {
    gpu: &'a Gpu,
    pipeline: wgpu::ComputePipeline,
    groups: [wgpu::BindGroup; 2],
    frame: wgpu::Buffer,
    inputs: wgpu::Buffer,
    step: wgpu::Buffer,
    result: wgpu::Buffer,
    rows: u32,
}

impl<'a> Bones<'a> {
    fn new(gpu: &'a Gpu, module: &Module, rows: usize) -> Bones<'a> {
        let Gpu { device, queue, .. } = gpu;
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Naga(Cow::Owned(module.naga.clone())),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &shader,
            entry_point: Some("bones"),
            compilation_options: Default::default(),
            cache: None,
        });
        let buffer = |words: usize, usage: Usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 4 * words.max(4) as u64,
                usage: usage | Usage::COPY_DST | Usage::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        let mut counted = [0_u32; 16];
        counted[2] = rows as u32;
        let counts = buffer(16, Usage::UNIFORM);
        queue.write_buffer(&counts, 0, bytemuck::cast_slice(&counted));
        let frame = buffer(module.frame.stride, Usage::STORAGE);
        let inputs = buffer(rows * module.bone_input.stride, Usage::STORAGE);
        let result = buffer(rows * module.bone.stride, Usage::STORAGE);
        let step = buffer(4, Usage::UNIFORM);
        let group = |index: u32, buffers: &[(u32, &wgpu::Buffer)]| {
            let entries = buffers.iter().map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: buffer.as_entire_binding(),
            });
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(index),
                entries: &entries.collect::<Vec<_>>(),
            })
        };
        let (memory, past);
        let mut buffers = vec![(1, &inputs), (2, &result)];
        if let Some(remembered) = &module.memory {
            memory = buffer(rows * remembered.row.stride, Usage::STORAGE);
            buffers.extend([(3, &step), (4, &memory)]);
            if remembered.past_numbers > 0 {
                let numbers = 1 + remembered.past_numbers * remembered.past_steps;
                past = buffer(rows * numbers as usize, Usage::STORAGE);
                buffers.push((5, &past));
            }
        }
        let groups = [group(0, &[(0, &counts), (1, &frame)]), group(1, &buffers)];
        Bones { groups, pipeline, gpu, frame, inputs, step, result, rows: rows as u32 }
    }

    fn run(&self, fed: &Fed, kind: u32, secs: f64) {
        let Gpu { device, queue, .. } = self.gpu;
        queue.write_buffer(&self.frame, 0, bytemuck::cast_slice(&fed.frame));
        queue.write_buffer(&self.inputs, 0, bytemuck::cast_slice(&fed.inputs));
        let step = [kind, (secs as f32).to_bits(), 0, 0];
        queue.write_buffer(&self.step, 0, bytemuck::cast_slice(&step));
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.pipeline);
        for (index, group) in self.groups.iter().enumerate() {
            pass.set_bind_group(index as u32, group, &[]);
        }
        pass.dispatch_workgroups(self.rows.div_ceil(wgsl::WORKGROUP_SIZE), 1, 1);
        drop(pass);
        queue.submit([encoder.finish()]);
    }

    fn read(&self) -> Vec<u32> {
        let Gpu { device, queue, .. } = self.gpu;
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: self.result.size(),
            usage: Usage::MAP_READ | Usage::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&self.result, 0, &staging, 0, self.result.size());
        queue.submit([encoder.finish()]);
        self.gpu.read_mapped(&staging, bytemuck::pod_collect_to_vec).unwrap()
    }
}

#[test]
fn bones_computed_by_the_shader_are_those_of_the_interpreter() {
    let Some(gpu) = crate::support::gpu_or_skip() else { return };
    for file in examples() {
        let scene = Scene::example(&file);
        let options = Options {
            name: "test",
            skinning: ShaderSkinning::Lbs,
            with_constants: false,
            tables: TableMemory::Storage,
        };
        let module = wgsl::module(&scene.program, &options).unwrap();
        // A row that nothing is computed for is not in the module; what remembers must be stepped.
        let is_empty = module.bone.fields.is_empty() || module.frame.fields.is_empty();
        if is_empty || module.memory.is_some() {
            continue;
        }
        scene.with_moment(0.3 * scene.clip.duration_secs(), |moment| {
            let fed = Fed::new(&scene, &module, moment);
            let bones = Bones::new(&gpu, &module, scene.bound.row_count());
            bones.run(&fed, LOOKS, 0.0);
            let worst = worst(&module.bone, &bones.read(), &fed.expected);
            println!("{}: {worst:e}", file.display());
            assert!(worst < TOLERANCE, "{}: {worst}", file.display());
        });
    }
}

/// A graph as it is exported, on a character, played once from its start.
fn exported(document: &Document, character: &str) -> (Scene, Module) {
    let character = own::built_in(character).unwrap();
    let name = character.name.clone();
    let settings = document.characters.get(&name).cloned().unwrap_or_default();
    let mut scene = Scene::new(document, character, &settings);
    scene.program = compile_for_export(&document.style, &Library::built_in()).program;
    scene.rebind(&settings);
    let module = exported_module("test", &scene.program, Base::Lbs).unwrap();
    (scene, module)
}

/// Steps the shader as docs/shaders.md tells, and looks at frames on the grid and between.
/// The largest difference from the interpreter.
fn worst_of_steps(gpu: &Gpu, name: &str, scene: &Scene, module: &Module, secs: f64) -> f32 {
    let (program, bound) = (&scene.program, &scene.bound);
    let duration_secs = scene.clip.duration_secs();
    let playback = Playback::once(duration_secs);
    let player = Player { character: &scene.character, clip: &scene.clip, playback };
    let timeline = Timeline::new(program, bound, &player).unwrap().unwrap();
    let stepped = Playing {
        setup: Setup::new(program, &scene.character, bound),
        parameters: &scene.parameters,
        played: &player,
    };
    let fed_at = |time_secs: f64, snapshot: StateSnapshot| {
        let motion = PlayedMotion { player, time_secs };
        let mut moment = Moment::new(
            Setup::new(program, &scene.character, bound),
            &scene.parameters,
            &player.pose(time_secs),
            &motion,
            time_secs,
        );
        moment.snapshot = snapshot;
        Fed::new(scene, module, &moment)
    };
    let bones = Bones::new(gpu, module, bound.row_count());
    let states = jounce::eval::MemoryLayout::of_states(program, bound.row_count()).len();
    let nothing = StateSnapshot { states: Arc::new(vec![0.0; states]), ..StateSnapshot::default() };
    bones.run(&fed_at(-STEP_SECS, nothing), BEGINS, 0.0);
    let (mut worst_found, mut kept) = (0.0_f32, -1);
    // Neither a multiple of a step nor a part of one.
    let frames = (0..).map(|frame| f64::from(frame) / 53.0).take_while(|time| *time <= secs);
    for time_secs in frames {
        let last = (time_secs / STEP_SECS - 1e-6).ceil() as i64 - 1;
        for step in kept + 1..=last {
            let end_secs = step as f64 * STEP_SECS;
            let snapshot = timeline.recall(stepped, end_secs).unwrap();
            bones.run(&fed_at(end_secs, snapshot), KEEPS, STEP_SECS);
        }
        kept = last;
        let snapshot = timeline.recall(stepped, time_secs).unwrap();
        let rest_secs = snapshot.since_step_secs;
        let fed = fed_at(time_secs, snapshot);
        bones.run(&fed, LOOKS, rest_secs);
        // Looking twice changes nothing.
        bones.run(&fed, LOOKS, rest_secs);
        let worst = worst(&module.bone, &bones.read(), &fed.expected);
        assert!(worst < TOLERANCE, "{name} at {time_secs} s: {worst}");
        worst_found = worst_found.max(worst);
    }
    println!("{name}: {worst_found:e} over {kept} steps");
    worst_found
}

#[test]
fn a_second_of_steps_leaves_what_the_interpreter_remembers() {
    let Some(gpu) = crate::support::gpu_or_skip() else { return };
    let mut count = 0;
    for file in examples() {
        let document = Document::load(&file).unwrap().document;
        let own = document.motion.character.clone().unwrap_or_else(|| "cow".to_owned());
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let on = if name == "oscillation" { vec!["cow", own.as_str()] } else { vec![own.as_str()] };
        for character in on {
            let program = compile_for_export(&document.style, &Library::built_in()).program;
            if program.remembers() {
                let (scene, module) = exported(&document, character);
                worst_of_steps(&gpu, &format!("{name} on {character}"), &scene, &module, 1.0);
                count += 1;
            }
        }
    }
    assert!(count >= 7, "{count}");
}

/// What no example does: histories, longer than the test and shorter, and all types of states.
#[test]
fn histories_turn_around_and_every_type_is_remembered() {
    let Some(gpu) = crate::support::gpu_or_skip() else { return };
    let code = r#"
        input("linear", VEC3, BONE_LINEAR_VELOCITY);
        input("frame", QUAT, BONE_ROTATION);
        output("value", VEC3);
        state("turned", QUAT);
        state("columns", MAT3);
        state("beat", FLOAT, 0.5);
        history("short", FLOAT, 0.05);
        history("turns", QUAT, 0.2);
        fn start(frame) { #{ turned: frame } }
        fn eval(linear, frame) {
            turns = frame;
            turned = slerp(turned, turns.ago(0.1 + 0.01 * BONE_DEPTH), 0.1);
            let before = columns * linear;
            columns = mat3(linear, vec3(0, 1, 0), vec3(0, 0, 1));
            beat = beat + dt;
            short = length(linear);
            rotate(linear, turned) * (short.ago(0.07) + beat) + before * 0.1
        }"#;
    let graph = |value: &str| {
        let document = serde_json::json!({"format": 1, "style": {"graph": {
            "nodes": {
                "own": {"type": "Expression", "code": code},
                "velocity": {"type": "Velocity Extract"},
                "smooth": {"type": "Smooth"}, "spring": {"type": "Spring"},
                "delay": {"type": "Delay", "settings": {"seconds": 0.13}},
                "trail": {"type": "Floppy"}, "out": {"type": "Output"}},
            "links": [["velocity.linear", "own.linear"], ["own.value", "smooth.value"],
                ["smooth.value", "delay.value"], [value, "trail.linear"],
                ["velocity.angular", "spring.value"], ["spring.value", "trail.angular"],
                ["trail.displacement", "out.displacement"]]}}});
        Document::from_bytes(document.to_string().as_bytes()).unwrap().document
    };
    for (value, past_numbers, past_steps) in [("smooth.value", 5, 50), ("delay.value", 8, 962)] {
        let (scene, module) = exported(&graph(value), "cow");
        let memory = module.memory.as_ref().unwrap();
        assert_eq!((memory.past_numbers, memory.past_steps), (past_numbers, past_steps));
        let states = scene.program.tables.states.iter().map(|state| state.name.as_str());
        let states: Vec<&str> = states.collect();
        assert!(states.contains(&"turned w") && states.contains(&"columns y"), "{states:?}");
        let of_frame = &module.frame_text.memory;
        assert_eq!((of_frame[0].name.as_str(), of_frame.len()), ("beat", 1));
        worst_of_steps(&gpu, value, &scene, &module, 0.6);
    }
}

/// The largest difference, as a part of the largest number in the same field.
fn worst(row: &Row, found: &[u32], expected: &[u32]) -> f32 {
    let mut worst = 0.0_f32;
    for field in &row.fields {
        let is_vector = field.ty == jounce::ir::Type::Vec3;
        let places = field.offset..field.offset + if is_vector { 3 } else { 1 };
        let numbers = |words: &[u32]| -> Vec<f32> {
            let rows = words.chunks_exact(row.stride);
            let is_bool = field.ty == jounce::ir::Type::Bool;
            let number = |word: &u32| if is_bool { *word as f32 } else { f32::from_bits(*word) };
            rows.flat_map(|row| &row[places.clone()]).map(number).collect()
        };
        let (found, expected) = (numbers(found), numbers(expected));
        // What is all but 0 is the difference of larger numbers.
        let size = expected.iter().fold(1e-2_f32, |size, x| size.max(x.abs()));
        for (a, b) in found.iter().zip(&expected) {
            let difference = (a - b).abs() / size;
            worst = if difference.is_nan() { f32::INFINITY } else { worst.max(difference) };
        }
    }
    worst
}
