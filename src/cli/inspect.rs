//! `jounce inspect`: what is in a character, and how its bones move at a moment.

mod hierarchy;

use super::scene::{Scene, WithoutClips};
use super::scene_args::MotionArgs;
use super::{CliError, print};
use clap::Args;
use jounce_base::Role;
use jounce_base::text::{counted, visible, visible_json};
use jounce_rig::{Alpha, Character, Material, Skeleton, TextureUse};
use jounce_session::{Appearance, has_materials};
use serde::Serialize;
use std::ffi::OsString;
use std::fmt::Write;

/// Show what is in a character: counts, bones, clips, maps, bounds, and anything unusual.
///
/// With --at it also shows where every bone is at that moment, and how fast it moves.
#[derive(Args)]
pub struct InspectArgs {
    /// A .glb or .gltf file, or a built-in character: tube giraffe bird cow snail dragon mushroom
    character: OsString,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    motion: MotionArgs,
    /// Play the clip as a loop, so that velocities are smoothed across its seam
    #[arg(long = "loop")]
    looped: bool,
    /// Average the velocities over the last SECONDS; 0 is the exact derivative
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, requires = "at", value_parser = not_negative)]
    smoothing: f64,
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1e6).contains(&number) => Ok(number),
        _ => Err("a number of seconds, 0 or more, is needed".to_owned()),
    }
}

#[derive(Serialize)]
struct Report {
    name: String,
    vertices: usize,
    points: usize,
    triangles: usize,
    hard_edges: usize,
    parts: Vec<PartReport>,
    morph_targets: usize,
    bindings: usize,
    influences: Influences,
    bounds: Bounds,
    size: f64,
    bones: Vec<BoneReport>,
    rehung: Vec<hierarchy::RehungReport>,
    clips: Vec<ClipReport>,
    maps: Vec<MapReport>,
    materials: Vec<MaterialReport>,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<MomentReport>,
}

/// One primitive of one mesh as one node carries it, in the order of the vertices.
#[derive(Serialize)]
struct PartReport {
    name: String,
    node: usize,
    node_name: String,
    vertices: usize,
    triangles: usize,
}

#[derive(Serialize)]
struct Influences {
    skin_per_vertex: f64,
    skin_longest: usize,
    upward_per_vertex: f64,
    upward_longest: usize,
}

#[derive(Serialize)]
struct Bounds {
    lowest: [f32; 3],
    highest: [f32; 3],
}

#[derive(Serialize)]
struct BoneReport {
    name: String,
    parent: Option<usize>,
    motion_parent: Option<usize>,
    origin: [f64; 3],
    centroid: [f64; 3],
    /// What it is to the body.
    role: Role,
    /// At its end.
    looseness: f64,
}

#[derive(Serialize)]
struct MaterialReport {
    name: String,
    alpha: &'static str,
    metallic: f32,
    roughness: f32,
    is_double_sided: bool,
    /// Names of images, by what they are for.
    textures: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
struct ClipReport {
    name: String,
    duration_secs: f64,
    tracks: usize,
}

#[derive(Serialize)]
struct MapReport {
    name: String,
    attribute: String,
    lowest: f32,
    highest: f32,
}

#[derive(Serialize)]
struct MomentReport {
    clip: String,
    at_secs: f64,
    smoothing_secs: f64,
    bones: Vec<BoneMoment>,
}

/// Velocities relative to the parent bone, in the scene.
#[derive(Serialize)]
struct BoneMoment {
    name: String,
    origin: [f64; 3],
    linear_velocity: [f64; 3],
    angular_velocity: [f64; 3],
    linear_acceleration: [f64; 3],
    angular_acceleration: [f64; 3],
}

pub fn run(args: InspectArgs) -> Result<(), CliError> {
    let scene = Scene::new(&args.character, &args.motion, args.looped, WithoutClips::Rest)?;
    let mut report = report(scene.character());
    let wants_moment = args.motion.at.is_some() || scene.performer().given_velocities().is_some();
    if wants_moment {
        report.moment = Some(moment(&scene, args.motion.at.unwrap_or(0.0), args.smoothing));
    }
    if args.json {
        print(&visible_json(&report)?)
    } else {
        print(&describe(scene.character(), &report))
    }
}

fn report(character: &Character) -> Report {
    let per_vertex = |count: usize| count as f64 / character.vertex_count().max(1) as f64;
    let (skin, upward) = (&character.skin, character.upward());
    let (lowest, highest) = character.rest_bounds();
    let surface = character.surface();
    let rest = character.rest_pose();
    let centroids = character.centroids().evaluate(character, rest);
    let skeleton = &character.skeleton;
    let roles = character.roles().automatic();
    let looseness = character.roles().looseness_of_bones(roles);
    Report {
        name: character.name.clone(),
        vertices: character.vertex_count(),
        points: surface.points.point_count,
        triangles: character.mesh.triangles.len(),
        hard_edges: surface.hard_edges.len(),
        parts: character
            .mesh
            .parts
            .iter()
            .map(|part| PartReport {
                name: part.name.clone(),
                node: part.node,
                node_name: skeleton.nodes[part.node].name.clone(),
                vertices: part.vertices.len(),
                triangles: part.triangles.len(),
            })
            .collect(),
        morph_targets: character.mesh.morph_targets.len(),
        bindings: character.bindings.len(),
        influences: Influences {
            skin_per_vertex: per_vertex(skin.entries().len()),
            skin_longest: skin.longest(),
            upward_per_vertex: per_vertex(upward.entries().len()),
            upward_longest: upward.longest(),
        },
        bounds: Bounds { lowest: lowest.to_array(), highest: highest.to_array() },
        size: character.size(),
        bones: (0..skeleton.bones.len())
            .map(|bone| BoneReport {
                name: skeleton.bone_name(bone).to_owned(),
                parent: skeleton.bones[bone].parent,
                motion_parent: character.motion_hierarchy().parents[bone],
                origin: character.bone_origin(rest, bone).to_array(),
                centroid: centroids[bone].to_array(),
                role: roles[bone],
                looseness: looseness[bone].end,
            })
            .collect(),
        rehung: hierarchy::report(character),
        clips: character
            .clips
            .iter()
            .map(|clip| ClipReport {
                name: clip.name.clone(),
                duration_secs: clip.duration_secs(),
                tracks: clip.tracks.len(),
            })
            .collect(),
        maps: character
            .maps
            .iter()
            .map(|map| MapReport {
                name: map.name.clone(),
                attribute: map.attribute.clone(),
                lowest: map.values.iter().copied().fold(f32::INFINITY, f32::min),
                highest: map.values.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            })
            .collect(),
        materials: character.mesh.materials.list.iter().map(|it| material(character, it)).collect(),
        notes: [character.notes.clone(), Appearance::of(character).notes].concat(),
        moment: None,
    }
}

fn material(character: &Character, material: &Material) -> MaterialReport {
    let images = &character.mesh.materials.images;
    let textures = [
        ("base color", &material.base_color),
        ("metallic and roughness", &material.metallic_roughness),
        ("normal", &material.normal),
        ("occlusion", &material.occlusion),
        ("emissive", &material.emissive_texture),
    ];
    let named = |(what, texture): (&'static str, &Option<TextureUse>)| {
        Some((what, images[texture.as_ref()?.image].name.clone()))
    };
    MaterialReport {
        name: material.name.clone(),
        alpha: match material.alpha {
            Alpha::Opaque => "opaque",
            Alpha::Mask { .. } => "mask",
            Alpha::Blend => "blend",
        },
        metallic: material.metallic,
        roughness: material.roughness,
        is_double_sided: material.is_double_sided,
        textures: textures.into_iter().filter_map(named).collect(),
    }
}

fn describe_materials(text: &mut String, materials: &[MaterialReport]) {
    let _ = writeln!(text, "\nmaterials ({})", materials.len());
    for material in materials {
        let sides = if material.is_double_sided { ", double-sided" } else { "" };
        let textures: Vec<String> = (material.textures.iter())
            .map(|(what, image)| format!("{what} from image {}", visible(image)))
            .collect();
        let textures = if textures.is_empty() { "no textures".into() } else { textures.join(", ") };
        let (name, alpha) = (visible(&material.name), material.alpha);
        let _ = writeln!(
            text,
            "  {name:<24} {alpha}, metallic {:.2}, roughness {:.2}{sides}; {textures}",
            material.metallic, material.roughness
        );
    }
}

fn moment(scene: &Scene, at_secs: f64, smoothing_secs: f64) -> MomentReport {
    let pose = scene.pose(at_secs);
    let velocities = scene.performer().velocities(at_secs, smoothing_secs);
    let accelerations = scene.performer().accelerations(at_secs, smoothing_secs);
    let skeleton = &scene.character().skeleton;
    let bones = velocities.iter().zip(&accelerations).enumerate();
    let bones = bones.map(|(bone, (velocity, acceleration))| BoneMoment {
        name: skeleton.bone_name(bone).to_owned(),
        origin: scene.character().bone_origin(&pose, bone).to_array(),
        linear_velocity: velocity.linear.to_array(),
        angular_velocity: velocity.angular.to_array(),
        linear_acceleration: acceleration.linear.to_array(),
        angular_acceleration: acceleration.angular.to_array(),
    });
    MomentReport {
        clip: scene.clip().name.clone(),
        at_secs,
        smoothing_secs,
        bones: bones.collect(),
    }
}

/// Writing to a string cannot fail, so the results of `writeln!` are dropped.
fn describe(character: &Character, report: &Report) -> String {
    let mut text = String::new();
    let [x0, y0, z0] = report.bounds.lowest;
    let [x1, y1, z1] = report.bounds.highest;
    let _ = writeln!(text, "{}", visible(&report.name));
    let _ = writeln!(
        text,
        "  {} vertices ({} points), {} triangles, {}, {}, {}",
        report.vertices,
        report.points,
        report.triangles,
        counted(report.hard_edges, "hard edge"),
        counted(report.parts.len(), "part"),
        counted(report.morph_targets, "morph target")
    );
    let _ = writeln!(
        text,
        "  skin weights per vertex {:.1}, at most {}; bones that move a vertex {:.1}, at most {}",
        report.influences.skin_per_vertex,
        report.influences.skin_longest,
        report.influences.upward_per_vertex,
        report.influences.upward_longest
    );
    let _ = writeln!(
        text,
        "  bounds ({x0:.3} {y0:.3} {z0:.3}) to ({x1:.3} {y1:.3} {z1:.3}), size {:.4}",
        report.size
    );
    let _ = writeln!(text, "\nbones ({})", report.bones.len());
    text.push_str(&bone_tree(&character.skeleton, &report.bones));
    hierarchy::describe(&mut text, character);
    let _ = writeln!(text, "\nclips ({})", report.clips.len());
    for (number, clip) in report.clips.iter().enumerate() {
        let _ = writeln!(
            text,
            "  {number:>2} {:<24} {:>7.3} s  {} tracks",
            visible(&clip.name),
            clip.duration_secs,
            clip.tracks
        );
    }
    let _ = writeln!(text, "\nmaps ({})", report.maps.len());
    for map in &report.maps {
        let _ = writeln!(
            text,
            "  {:<24} {:.3} to {:.3}  ({})",
            visible(&map.name),
            map.lowest,
            map.highest,
            visible(&map.attribute)
        );
    }
    if has_materials(character) {
        describe_materials(&mut text, &report.materials);
    }
    if !report.notes.is_empty() {
        let _ = writeln!(text, "\nunusual");
        for note in &report.notes {
            let _ = writeln!(text, "  {}", visible(note));
        }
    }
    if let Some(moment) = &report.moment {
        describe_moment(&mut text, moment);
    }
    text
}

fn describe_moment(text: &mut String, moment: &MomentReport) {
    let smoothed = match moment.smoothing_secs {
        0.0 => String::new(),
        secs => format!(", mean over {secs} s"),
    };
    let _ = writeln!(
        text,
        "\nbones in \"{}\" at {} s, with their speed relative to the parent bone{smoothed}",
        visible(&moment.clip),
        moment.at_secs
    );
    let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    for bone in &moment.bones {
        let [x, y, z] = bone.origin;
        let _ = writeln!(
            text,
            "  {:<24} at ({x:.3} {y:.3} {z:.3})  {:.4} units/s  {:.4} rad/s",
            visible(&bone.name),
            length(bone.linear_velocity),
            length(bone.angular_velocity)
        );
    }
}

/// Deeper than this, the tree is shown as a list: indenting would cost the square of its depth.
const DEEPEST_INDENT: usize = 40;

/// Roles stand in a column, but for names that are longer than this with their indent.
const WIDEST_NAMES: usize = 44;

/// Names, and beside them what the bone is to the body and how loosely it hangs.
fn bone_tree(skeleton: &Skeleton, bones: &[BoneReport]) -> String {
    let mut names = Vec::with_capacity(skeleton.bones.len());
    let mut depths = Vec::with_capacity(skeleton.bones.len());
    for (index, bone) in skeleton.bones.iter().enumerate() {
        let depth: usize = bone.parent.map_or(0, |parent: usize| depths[parent] + 1);
        depths.push(depth);
        let indent = "  ".repeat(depth.min(DEEPEST_INDENT) + 1);
        names.push(format!("{indent}{}", visible(skeleton.bone_name(index))));
    }
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(WIDEST_NAMES);
    let mut text = String::new();
    for (name, bone) in names.iter().zip(bones) {
        let _ = write!(text, "{name:<width$}  {:<6}", bone.role.name());
        let _ = match bone.looseness > 0.0 {
            true => writeln!(text, "  {:.2}", bone.looseness),
            false => writeln!(text),
        };
    }
    text
}
