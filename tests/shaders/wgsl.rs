//! Programs as WGSL: what people read, which node a line came from, and names that survive every
//! shading language.

use crate::support::random::Random;
use crate::support::random_graph::random_style;
use jounce::compile::compile;
use jounce::compile::compile_for_export;
use jounce::export::shader::{ShaderExport, Target, export_shader};
use jounce::graph::{Document, Link, Node, PortRef, Style};
use jounce::ir::Program;
use jounce::script::{Library, PortType, Setting};
use jounce::wgsl::{self, Module, Options, ShaderSkinning, TableMemory, is_reserved, node_at};
use std::path::{Path, PathBuf};

const SKINNINGS: [ShaderSkinning; 3] =
    [ShaderSkinning::Lbs, ShaderSkinning::Dqs, ShaderSkinning::Given];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn examples() -> Vec<(String, Style)> {
    let named = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Document::load(path).unwrap().document.style)
    };
    crate::support::scene::examples().iter().map(named).collect()
}

fn example(name: &str) -> Style {
    examples().into_iter().find(|(known, _)| known == name).unwrap().1
}

fn printed(program: &Program, skinning: ShaderSkinning, with_constants: bool) -> Module {
    in_memory(program, skinning, with_constants, TableMemory::Storage)
}

fn in_memory(
    program: &Program,
    skinning: ShaderSkinning,
    with_constants: bool,
    tables: TableMemory,
) -> Module {
    let options = Options { name: "test", skinning, with_constants, tables };
    wgsl::module(program, &options).unwrap_or_else(|error| panic!("{error}\n{program}"))
}

/// In every way it can be printed, and in every language.
fn check_all(name: &str, style: &Style, library: &Library) {
    let program = compile(style, library).program;
    for skinning in SKINNINGS {
        for tables in [TableMemory::Storage, TableMemory::Uniform] {
            obeys_the_law(name, &in_memory(&program, skinning, false, tables));
        }
    }
    let for_export = compile_for_export(style, library).program;
    obeys_the_law(name, &printed(&for_export, ShaderSkinning::Lbs, true));
    let export = ShaderExport {
        name,
        program: &for_export,
        base: None,
        targets: &Target::ALL,
        keys: &Default::default(),
    };
    let files = export_shader(&export).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(files.len() >= 7 && files.iter().all(|file| !file.bytes.is_empty()), "{name}");
}

/// A vector in a struct is packed in Metal, which does not choose between packed vectors and others: what
/// is chosen from is a variable.
fn chooses_no_field(graph: &str, module: &Module) {
    use naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};
    let naga = &module.naga;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(naga).unwrap();
    let check = |function: &naga::Function, info: &FunctionInfo| {
        for (_, expression) in function.expressions.iter() {
            let naga::Expression::Select { accept, reject, .. } = *expression else { continue };
            for chosen in [accept, reject] {
                let is_struct = |base: naga::Handle<naga::Expression>| {
                    let ty = info[base].ty.inner_with(&naga.types);
                    matches!(ty, naga::TypeInner::Struct { .. })
                };
                let is_field = match function.expressions[chosen] {
                    naga::Expression::AccessIndex { base, .. } => is_struct(base),
                    naga::Expression::Load { pointer } => {
                        let pointer = &function.expressions[pointer];
                        matches!(pointer, naga::Expression::AccessIndex { .. })
                    }
                    _ => false,
                };
                let ty = info[chosen].ty.inner_with(&naga.types);
                let is_vec3 =
                    matches!(ty, naga::TypeInner::Vector { size: naga::VectorSize::Tri, .. });
                let is_variable = function.named_expressions.contains_key(&chosen);
                assert!(!is_field || !is_vec3 || is_variable, "{graph}: {:?}", function.name);
            }
        }
    };
    for (handle, function) in naga.functions.iter() {
        check(function, &info[handle]);
    }
    for (place, entry) in naga.entry_points.iter().enumerate() {
        check(&entry.function, info.get_entry_point(place));
    }
}

/// Lower case, no digit at the end, no `__`, no word that means something elsewhere.
fn obeys_the_law(graph: &str, module: &Module) {
    chooses_no_field(graph, module);
    let naga = &module.naga;
    let mut names: Vec<String> = Vec::new();
    for (_, ty) in naga.types.iter() {
        if let naga::TypeInner::Struct { members, .. } = &ty.inner {
            names.extend(members.iter().filter_map(|member| member.name.clone()));
        }
    }
    let functions = naga.functions.iter().map(|(_, function)| function);
    for function in functions.chain(naga.entry_points.iter().map(|entry| &entry.function)) {
        names.extend(function.named_expressions.values().cloned());
        names.extend(function.local_variables.iter().filter_map(|(_, local)| local.name.clone()));
        names.extend(function.arguments.iter().filter_map(|argument| argument.name.clone()));
        names.extend(function.name.clone());
    }
    names.extend(naga.global_variables.iter().filter_map(|(_, global)| global.name.clone()));
    // Entry points have the names that hosts know them by.
    names.retain(|name| module.entries.iter().all(|entry| entry.name != *name));
    assert!(names.len() > 20, "{graph}");
    for name in names {
        let letters =
            name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_');
        assert!(letters && name.len() < 90, "{graph}: {name}");
        assert!(!name.contains("__") && !name.starts_with('_') && !name.ends_with('_'), "{name}");
        assert!(!name.ends_with(|c: char| c.is_ascii_digit()), "{graph}: {name}");
        assert!(!is_reserved(&name), "{graph}: {name}");
    }
}

/// What is generated: the hand-written parts are files of their own.
fn generated(module: &Module) -> String {
    let lines: Vec<&str> = module.text.lines().collect();
    let is_accessor = |line: &&str| {
        let accessors = module.maps.iter().chain(&module.columns);
        accessors.into_iter().any(|name| line.starts_with(&format!("fn {name}(")))
    };
    let is_math = |line: &&str| line.starts_with("// Operations that give a finite result");
    let from = lines.iter().position(is_math).unwrap();
    let to = lines.iter().position(is_accessor).unwrap();
    let cut = ["// … what it uses of shaders/ …", ""];
    let kept = lines[..from].iter().chain(&cut).chain(&lines[to..]);
    kept.map(|line| format!("{line}\n")).collect()
}

fn assert_golden(file: &str, found: &str) {
    let path: PathBuf = root().join("tests/golden-wgsl").join(file);
    if std::env::var_os("JOUNCE_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = expected.lines().zip(found.lines()).position(|(a, b)| a != b);
    assert!(
        expected == found,
        "{file} differs, first in line {}; if that is meant, JOUNCE_BLESS=1 renews it\n{found}",
        differs.map_or(expected.lines().count().min(found.lines().count()), |line| line) + 1
    );
}

#[test]
fn the_paper_reads_as_it_should() {
    let style = example("velocity-skinning");
    let library = Library::built_in();
    let options = |with_constants| Options {
        name: "velocity-skinning",
        skinning: ShaderSkinning::Lbs,
        with_constants,
        tables: TableMemory::Storage,
    };
    let program = compile(&style, &library).program;
    let module = wgsl::module(&program, &options(false)).unwrap();
    assert_golden("velocity-skinning.wgsl", &generated(&module));
    let program = compile_for_export(&style, &library).program;
    let module = wgsl::module(&program, &options(true)).unwrap();
    assert_golden("velocity-skinning.export.wgsl", &generated(&module));
}

#[test]
fn what_remembers_reads_as_it_should() {
    let library = Library::built_in();
    for name in ["flesh-belly", "oscillation"] {
        let program = compile_for_export(&example(name), &library).program;
        let options = Options {
            name,
            skinning: ShaderSkinning::Lbs,
            with_constants: true,
            tables: TableMemory::Storage,
        };
        let module = wgsl::module(&program, &options).unwrap();
        assert_golden(&format!("{name}.export.wgsl"), &generated(&module));
    }
}

/// Each node says once what it does, and of which paper.
#[test]
fn the_paper_is_found_in_the_shader() {
    let program = compile(&example("velocity-skinning"), &Library::built_in()).program;
    let text = printed(&program, ShaderSkinning::Lbs, false).text;
    let joined = text.replace("\n        // ", " ").replace("\n    // ", " ");
    for sentence in [
        "Floppy (trail): Lets the skin trail behind the bone that carries it (Rohmer 2021, section 4.2",
        "Squash (stretch): Stretches the skin along its motion",
        "Output: Where the result leaves the graph",
    ] {
        assert_eq!(joined.matches(sentence).count(), 1, "{sentence}\n{text}");
    }
    let longest = text.lines().filter(|line| line.trim_start().starts_with("//"));
    let longest = longest.max_by_key(|line| line.chars().count()).unwrap();
    assert!(longest.chars().count() <= 110, "{longest}");
    assert!(!text.contains("JOINT_LAYOUT") && !text.contains("skin_lbs"));
}

#[test]
fn a_graph_that_smooths_walks_over_the_vertices_twice() {
    let module = printed(&relaxing_program(), ShaderSkinning::Lbs, false);
    assert_golden("relax.wgsl", &generated(&module));
    assert!(module.no_vertex_entry.is_some());
    assert!(module.entries.iter().all(|entry| entry.name != "vertex"));
    let [first, last] = &module.passes[..] else { panic!("{:?}", module.passes) };
    assert_eq!((first.entry.as_str(), last.entry.as_str()), ("deform", "deform_after_relax"));
    let steps = &first.relaxations[0].steps;
    assert_eq!(steps.len(), 4);
    // Each step reads what the one before has written, and never what it writes.
    assert!(steps.windows(2).all(|two| two[0].to_slot == two[1].from_slot));
    assert!(steps.iter().all(|step| step.from_slot != step.to_slot));
    assert!(steps.iter().all(|step| step.to_slot + 3 <= module.kept.count));
}

fn relaxing_program() -> Program {
    let mut style = Style::default();
    for (id, ty) in [("floppy", "Floppy"), ("relax", "Relax"), ("out", "Output")] {
        style.graph.nodes.insert(id.to_owned(), Node::new(ty));
    }
    for (from, to) in [("floppy", "relax"), ("relax", "out")] {
        let port = |node: &str| PortRef::new(node, "displacement");
        style.graph.links.insert(Link::new(port(from), port(to)));
    }
    compile(&style, &Library::built_in()).program
}

#[test]
fn every_example_prints_validates_and_translates() {
    let library = Library::built_in();
    let examples = examples();
    assert!(examples.len() > 10);
    for (name, style) in &examples {
        check_all(name, style, &library);
    }
}

#[test]
fn every_node_prints_validates_and_translates() {
    let library = Library::built_in();
    for ty in library.types().filter(|ty| ty.name != "Output") {
        for output in &ty.outputs {
            let mut style = Style::default();
            let mut node = Node::new(ty.name.clone());
            node.title = Some(format!("{} 1", ty.name));
            style.graph.nodes.insert("node".to_owned(), node);
            style.graph.nodes.insert("out".to_owned(), Node::new("Output"));
            let mut from = PortRef::new("node", &output.name);
            // What differs per bone is summed first; quaternions and matrices reach no Output.
            if !matches!(output.ty, PortType::Float | PortType::Vec3 | PortType::Any) {
                continue;
            }
            style.graph.nodes.insert("sum".to_owned(), Node::new("Weight Propagation"));
            style.graph.links.insert(Link::new(from, PortRef::new("sum", "value")));
            from = PortRef::new("sum", "sum");
            style.graph.links.insert(Link::new(from, PortRef::new("out", "displacement")));
            check_all(&format!("{}: {}", ty.name, output.name), &style, &library);
        }
    }
}

#[test]
fn random_graphs_print_and_validate() {
    let library = Library::built_in();
    let rounds = std::env::var("JOUNCE_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok());
    for seed in 0..rounds.unwrap_or(150) {
        let style = random_style(&mut Random::new(seed), &library);
        let program = compile(&style, &library).program;
        let module = printed(&program, SKINNINGS[seed as usize % 3], seed % 2 == 0);
        obeys_the_law(&format!("seed {seed}"), &module);
    }
}

#[test]
fn whatever_people_call_things_the_shader_is_valid() {
    let library = Library::built_in();
    let long = "long name ".repeat(500);
    let names = [
        "while",
        "vec3f",
        "jn_frame",
        "__",
        "尻尾",
        "a\nfn evil() {}",
        "*/ /* //",
        "\u{2028}}",
        "9",
        "x1",
        "frame",
        "bone",
        "k",
        "half",
        "Ä ö ü",
        long.as_str(),
        "arm",
        "arm",
        "",
    ];
    let mut style = Style::default();
    style.graph.nodes.insert("out".to_owned(), Node::new("Output"));
    for (i, name) in names.iter().enumerate() {
        let (parameter, map, floppy) = (format!("p{i}"), format!("m{i}"), format!("f{i}"));
        let titled = |ty: &str| {
            let mut node = Node::new(ty);
            node.title = Some((*name).to_owned());
            node
        };
        let mut named = |id: &String, ty: &str, port: &str| {
            let mut node = titled(ty);
            node.settings.insert(port.to_owned(), Setting::Text((*name).to_owned()));
            style.graph.nodes.insert(id.clone(), node);
        };
        named(&parameter, "Parameter", "name");
        named(&map, "Map", "name");
        let painted = Setting::Text("painted".to_owned());
        style.graph.nodes.get_mut(&map).unwrap().settings.insert("source".to_owned(), painted);
        style.graph.nodes.insert(floppy.clone(), titled("Floppy"));
        let mut link = |from: &str, output: &str, to: &str, input: &str| {
            style
                .graph
                .links
                .insert(Link::new(PortRef::new(from, output), PortRef::new(to, input)));
        };
        link(&parameter, "value", &floppy, "floppiness");
        link(&map, "value", &floppy, "turn");
        link(&floppy, "displacement", "out", "displacement");
    }
    check_all("hostile", &style, &library);
    let program = compile(&style, &library).program;
    let module = printed(&program, ShaderSkinning::Lbs, false);
    let longest = module.text.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(longest.chars().count() < 220, "{longest}");
    assert!(!module.text.lines().any(|line| line.trim_start().starts_with("fn evil")));
}

#[test]
fn every_line_knows_its_node() {
    let program = compile(&example("velocity-skinning"), &Library::built_in()).program;
    let module = printed(&program, ShaderSkinning::Lbs, false);
    let line_of = |text: &str| {
        let place = module.text.lines().position(|line| line.trim_start().starts_with(text));
        place.unwrap_or_else(|| panic!("{text} is not there\n{}", module.text)) + 1
    };
    let node = |text: &str| node_at(&module.lines, line_of(text));
    assert_eq!(node("let bend ="), Some("trail"));
    assert_eq!(node("let travelling ="), Some("stretch"));
    assert_eq!(node("let travel ="), Some("velocity"));
    assert_eq!(node("return jn_sane_or_vector(position"), Some("output"));
    assert_eq!(node("fn deform("), None);
    let is_ordered = |pair: &[wgsl::NodeLines]| pair[0].lines.end <= pair[1].lines.start;
    assert!(module.lines.windows(2).all(is_ordered));
    assert!(module.lines.last().unwrap().lines.end <= module.text.lines().count() + 1);
}

#[test]
fn a_programs_hash_follows_what_it_computes_and_not_its_sliders() {
    let library = Library::built_in();
    let hash = |style: &Style| compile(style, &library).program.content_hash();
    let style = example("velocity-skinning");
    let mut turned_up = style.clone();
    let slider = turned_up.graph.nodes.get_mut("floppy").unwrap();
    slider.settings.insert("value".to_owned(), Setting::Float(0.9));
    slider.title = Some("another name".to_owned());
    assert_eq!(hash(&style), hash(&turned_up));
    // These are one graph, on other characters.
    let is_own = |name: &str| name != "mushroom";
    let examples: Vec<(String, Style)> = examples();
    let own = examples.iter().filter(|(name, _)| is_own(name));
    let mut hashes: Vec<u128> = own.map(|(_, style)| hash(style)).collect();
    let count = hashes.len();
    assert_eq!(hash(&example("mushroom")), hash(&example("flesh-belly")));
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}

#[test]
fn rows_are_laid_out_as_the_schedule_says() {
    let library = Library::built_in();
    for (name, style) in examples() {
        let program = compile(&style, &library).program;
        let module = printed(&program, ShaderSkinning::Lbs, false);
        let schedule = program.schedule();
        let values = |row: &wgsl::Row| row.fields.iter().map(|f| f.value).collect::<Vec<_>>();
        assert_eq!(values(&module.frame), schedule.frame_table, "{name}");
        assert_eq!(values(&module.bone), schedule.bone_table, "{name}");
        // naga's layout is ours.
        for (_, ty) in module.naga.types.iter() {
            let row = match ty.name.as_deref() {
                Some("JnFrame") => &module.frame,
                Some("JnBone") => &module.bone,
                Some("JnBoneInput") => &module.bone_input,
                _ => continue,
            };
            let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name}") };
            assert_eq!(*span as usize, 4 * row.stride, "{name}");
            for field in &row.fields {
                let member = members.iter().find(|m| m.name.as_ref() == Some(&field.name));
                assert_eq!(member.unwrap().offset as usize, 4 * field.offset, "{name}");
            }
        }
    }
}

/// Names of ports that nobody sees become constants and fields, beside names that are ours.
#[test]
fn hidden_inputs_may_be_called_as_the_shader_calls_its_own() {
    let ports = ["weight", "lane", "frame", "bone", "keep", "positions", "padding a", "padding b"];
    let mut code = "output(\"d\", VEC3).sum();\n".to_owned();
    for (i, port) in ports.iter().enumerate() {
        code += &format!("input(\"{port}\", FLOAT, 0.{});\n", i + 1);
    }
    let names: Vec<String> = ports.iter().map(|port| port.replace(' ', "_")).collect();
    let (arguments, sum) = (names.join(", "), names.join(" + "));
    code += &format!("fn eval({arguments}) {{ BONE_LINEAR_VELOCITY * (({sum}) * TIME) }}\n");
    let mut node = Node::new("Expression");
    node.code = Some(code);
    let mut style = Style::default();
    style.graph.nodes.insert("own".to_owned(), node);
    style.graph.nodes.insert("out".to_owned(), Node::new("Output"));
    style
        .graph
        .links
        .insert(Link::new(PortRef::new("own", "d"), PortRef::new("out", "displacement")));
    let library = Library::built_in();
    let compiled = compile(&style, &library);
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    for with_constants in [false, true] {
        let module = printed(&compiled.program, SKINNINGS[0], with_constants);
        obeys_the_law("hidden inputs", &module);
    }
}
