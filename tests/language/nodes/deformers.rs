//! Acceleration, Follow Through, Twist, Wave and Dead Zone, and the laws of all deformers.

use super::*;
use crate::support::oracle::{floppy_r, floppy_t, twist, wave};
use crate::support::scaled::scaled;
use jounce::eval::Still;
use std::borrow::Cow;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// Single precision of numbers of about 1, through a sine.
const SINGLE: f64 = 2e-5;

/// A deformer whose bone data all come from maps knows no bones, so its formula is taken once: finite
/// for all rows, and what the formula gives for those without huge numbers.
fn agrees_where_sane(case: &Case, formula: impl Fn(&[f64]) -> DVec3) {
    let rows = rows(width(case.inputs), 29);
    for found in run(case, &rows, &CharacterSettings::default()) {
        let mut compared = 0;
        for (row, found) in rows.iter().zip(found) {
            assert!(found.is_finite(), "{} {row:?}: {found}", case.node);
            if row.iter().all(|x| x.abs() < 10.0) {
                let expected = formula(row);
                let difference = (found - expected).abs().max_element();
                let bar = SINGLE * (1.0 + expected.abs().max_element());
                assert!(difference < bar, "{} {row:?}: {found}, not {expected}", case.node);
                compared += 1;
            }
        }
        assert!(compared > 100, "{}: {compared} rows", case.node);
    }
}

/// Σ_j up_j ψ_j(p) at every vertex of the tube at rest.
pub fn summed(psi: impl Fn(usize, DVec3) -> DVec3) -> Vec<DVec3> {
    let displaced = |vertex: usize| {
        let p = tube().rest().positions[vertex].as_dvec3();
        let pairs = tube().upward().of(vertex).iter();
        pairs.map(|i| psi(i.index as usize, p) * f64::from(i.weight)).sum()
    };
    (0..tube().vertex_count()).map(displaced).collect()
}

pub fn joint(bone: usize) -> DVec3 {
    tube().bone_origin(tube().rest_pose(), bone)
}

#[test]
fn acceleration_takes_out_the_root_and_chooses_bones() {
    let none = CharacterSettings::default();
    let accelerations = motion().accelerations;
    let kept = [("root motion", Setting::Float(1.0))];
    let found = bone_means("Acceleration", &kept, "linear", "upward", &none);
    assert_close(&found, &expected_sum("upward", |b| accelerations[b].linear), "kept");
    let found = bone_means("Acceleration", &[], "linear", "upward", &none);
    let without_root = |b: usize| if b == 0 { DVec3::ZERO } else { accelerations[b].linear };
    assert_close(&found, &expected_sum("upward", without_root), "taken out");
    let found = bone_means("Acceleration", &[], "angular", "upward", &none);
    assert_close(&found, &expected_sum("upward", |b| accelerations[b].angular), "angular");
    for (how, counts) in [("chosen", [1.0, 0.0, 0.0]), ("branch", [1.0, 1.0, 1.0])] {
        let settings = [("bones", text(how)), ("names", text("Low"))];
        let found = bone_means("Acceleration", &settings, "angular", "upward", &none);
        let expected = expected_sum("upward", |b| accelerations[b].angular * counts[b]);
        assert_close(&found, &expected, how);
    }
    let found = plain("Acceleration", &kept, "vertex acceleration");
    let of_bone = |bone: usize, p: DVec3| {
        let motion = accelerations[bone];
        motion.angular.cross(p - joint(bone)) + motion.linear
    };
    assert_close(&found, &summed(of_bone), "vertex acceleration");
}

#[test]
fn follow_through_is_floppy_with_accelerations() {
    let (k, size) = (0.03, tube().size());
    let expected = summed(|bone, p| {
        let motion = motion().accelerations[bone];
        floppy_t(k, motion.linear)
            + floppy_r(k / size, p, joint(bone), motion.angular, 20_f64.to_radians())
    });
    let settings = [("amount", Setting::Float(k)), ("max angle", Setting::Float(20.0))];
    assert_close(&plain("Follow Through", &settings, "displacement"), &expected, "follow through");

    let inputs = [("linear", V), ("angular", V), ("position", V), ("origin", V)];
    for k in [0.1, -0.2] {
        let settings = [("amount", Setting::Float(k))];
        let case = Case {
            node: "Follow Through",
            settings: &settings,
            inputs: &inputs,
            output: "displacement",
        };
        agrees_where_sane(&case, |r| {
            floppy_t(k, v(r, 0)) + floppy_r(k / size, v(r, 6), v(r, 9), v(r, 3), FRAC_PI_4)
        });
    }
}

#[test]
fn twist_turns_each_slice_about_the_axis() {
    let size = tube().size();
    let centroids = tube().centroids().evaluate(tube(), tube().rest_pose());
    let k = 0.4;
    let expected = summed(|bone, p| {
        let omega = motion().velocities[bone].angular;
        twist(k / size, p, joint(bone), centroids[bone], omega, FRAC_PI_2)
    });
    let found = plain("Twist", &[("amount", Setting::Float(k))], "displacement");
    assert_close(&found, &expected, "twist");
    assert!(found.iter().any(|d| d.length() > 0.02));

    let inputs = [("angular", V), ("position", V), ("origin", V), ("centroid", V)];
    for k in [0.5, -2.0] {
        let settings = [("amount", Setting::Float(k)), ("max angle", Setting::Float(60.0))];
        let case =
            Case { node: "Twist", settings: &settings, inputs: &inputs, output: "displacement" };
        let limit = 60_f64.to_radians();
        agrees_where_sane(&case, |r| twist(k / size, v(r, 3), v(r, 6), v(r, 9), v(r, 0), limit));
    }
    // An axis of its own: as if the centroid stood there. Slices keep their distance and height.
    let settings = [("amount", Setting::Float(1.0)), ("axis", Setting::Vec3([0.0, 2.0, 0.0]))];
    let inputs = [("angular", V), ("position", V), ("origin", V), ("centroid", V)];
    let case = Case { node: "Twist", settings: &settings, inputs: &inputs, output: "displacement" };
    agrees_where_sane(&case, |r| {
        let (p, origin) = (v(r, 3), v(r, 6));
        let moved = twist(1.0 / size, p, origin, origin + DVec3::Y, v(r, 0), FRAC_PI_2);
        let (before, after) = (p - origin, p + moved - origin);
        assert!((before.length() - after.length()).abs() < 1e-9 && moved.y.abs() < 1e-9);
        moved
    });
}

#[test]
fn wave_runs_along_the_axis_and_moves_across_it() {
    let size = tube().size();
    let (k, frequency, wavelength, time_secs) = (0.2, 1.5, 0.3, 7.7);
    let settings = [
        ("amount", Setting::Float(k)),
        ("frequency", Setting::Float(frequency)),
        ("wavelength", Setting::Float(wavelength)),
        ("time", Setting::Float(time_secs)),
    ];
    let inputs = [("linear", V), ("position", V), ("origin", V), ("centroid", V), ("angular", V)];
    let case = Case { node: "Wave", settings: &settings, inputs: &inputs, output: "displacement" };
    let turns = frequency * time_secs;
    let length = wavelength * size;
    agrees_where_sane(&case, |r| {
        let (v, p, origin, centroid) = (v(r, 0), v(r, 3), v(r, 6), v(r, 9));
        let moved = wave(k, p, origin, centroid, v, turns, length);
        assert!(moved.length() <= k * v.length() * 1.000_001);
        assert!(moved.dot(centroid - origin).abs() < 1e-9);
        moved
    });
    // Turning bones: their centroid's way counts as travel.
    let centroids = tube().centroids().evaluate(tube(), tube().rest_pose());
    let mut turning = settings.to_vec();
    turning.extend([("turn", Setting::Float(1.0)), ("move", Setting::Float(0.0))]);
    let expected = summed(|bone, p| {
        let (origin, centroid) = (joint(bone), centroids[bone]);
        let travel = motion().velocities[bone].angular.cross(centroid - origin);
        wave(k, p, origin, centroid, travel, turns, length)
    });
    assert_close(&plain("Wave", &turning, "displacement"), &expected, "turning wave");
}

/// value · smoothstep(threshold, threshold + fade, |value|).
fn past_dead_zone(value: DVec3, magnitude: f64, threshold: f64, fade: f64) -> DVec3 {
    let t = ((magnitude - threshold) / fade).clamp(0.0, 1.0);
    value * (t * t * (3.0 - 2.0 * t))
}

#[test]
fn dead_zone_holds_back_what_is_small() {
    let settings = [("threshold", Setting::Float(0.75)), ("fade", Setting::Float(0.5))];
    for (fed, inputs) in [(F, [("value", F)]), (V, [("value", V)])] {
        let case =
            Case { node: "Dead Zone", settings: &settings, inputs: &inputs, output: "value" };
        agrees(&case, |row| {
            let value = if fed == F { all(row[0]) } else { v(row, 0) };
            let magnitude = if fed == F { row[0].abs() } else { value.length() };
            past_dead_zone(value, magnitude, 0.75, 0.5)
        });
    }
    // Without a fade it is a step, but never nonsense; in sizes the threshold follows the character.
    let settings = [
        ("threshold", Setting::Float(0.5)),
        ("fade", Setting::Float(0.0)),
        ("measured", text("in sizes")),
    ];
    let inputs = [("value", V)];
    let case = Case { node: "Dead Zone", settings: &settings, inputs: &inputs, output: "value" };
    let size = tube().size();
    agrees(&case, |row| past_dead_zone(v(row, 0), v(row, 0).length() / size, 0.5, 0.0001));
}

/// Nodes that move the skin with time, whether or not a bone moves: they say so.
const BY_TIME: [&str; 3] = ["Body Breath", "Breathing", "Wind Lean"];

/// All nodes that turn motion into a displacement, with their defaults.
fn deformers() -> Vec<String> {
    let library = Library::built_in();
    let is_deformer = |category: &str| category == "Deformers" || category == "Effects";
    let types = library.types().filter(|ty| is_deformer(&ty.category));
    let own = types.filter(|ty| ty.output("displacement").is_some() && ty.name != "Layer");
    own.map(|ty| ty.name.clone()).collect()
}

/// The tube has just landed, and moves on as ever.
struct Landed {
    since_secs: f64,
    /// Of lengths.
    factor: f64,
}

impl Motion for Landed {
    fn velocities(&self, window_secs: f64) -> Cow<'_, [BoneMotion]> {
        let mut velocities = motion().velocities;
        // The mean of a fall that ended a moment ago.
        let fell_secs = (window_secs - self.since_secs).max(0.0);
        velocities[0].linear.y -= 2.0 * semantics::divide(fell_secs, window_secs);
        velocities.iter_mut().for_each(|motion| motion.linear *= self.factor);
        velocities.into()
    }

    fn accelerations(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        let mut accelerations = motion().accelerations;
        accelerations.iter_mut().for_each(|motion| motion.linear *= self.factor);
        accelerations.into()
    }
}

fn displaced(node: &str, character: &Character, motion: &dyn Motion) -> Vec<Vec<DVec3>> {
    let mut style = Style::default();
    let graph = &mut style.graph;
    graph.nodes.insert("test".to_owned(), Node::new(node));
    graph.nodes.insert("out".to_owned(), Node::new("Output"));
    let (from, to) = (PortRef::new("test", "displacement"), PortRef::new("out", "position"));
    graph.links.insert(Link::new(from, to));
    evaluate_on(character, motion, &style, &CharacterSettings::default())
}

#[test]
fn no_motion_no_displacement() {
    for node in deformers() {
        let still = Still(tube().skeleton.bones.len());
        for found in displaced(&node, tube(), &still) {
            let most = found.iter().map(|d| d.length()).fold(0.0, f64::max);
            let is_by_time = BY_TIME.contains(&node.as_str());
            assert_eq!(most > 0.0, is_by_time, "{node} at rest: {most}");
            assert!(is_by_time || most == 0.0);
        }
    }
}

#[test]
fn scaling_the_character_scales_every_deformer_and_nothing_else() {
    let landed = |factor: f64| Landed { since_secs: 0.15, factor };
    for node in deformers() {
        let one = displaced(&node, tube(), &landed(1.0));
        let most = one[0].iter().map(|d| d.length()).fold(0.0, f64::max) / tube().size();
        // A tube has no ears; that it flaps where it should is tested with those that have.
        let flaps = node == "Flap";
        assert!(
            flaps || (1e-3..1.0).contains(&most),
            "{node} moves the tube by {most} of its size"
        );
        for factor in [1.0 / 128.0, 128.0, 1000.0] {
            let other = displaced(&node, &scaled(tube(), factor), &landed(factor));
            for (one, other) in one.iter().zip(other) {
                let pairs = one.iter().zip(other);
                let off = pairs.map(|(a, b)| (*a - b / factor).length()).fold(0.0, f64::max);
                assert!(off < 1e-5 * tube().size(), "{node} at {factor}: {off}");
            }
        }
    }
}

#[test]
fn the_ring_of_an_impact_runs_up_and_dies_out() {
    let ring = |since_secs: f64| {
        let landed = Landed { since_secs, factor: 1.0 };
        displaced("Impact Ripple", tube(), &landed).remove(0)
    };
    let crest = |ring: &[DVec3]| {
        let highest =
            (0..ring.len()).max_by(|a, b| ring[*a].length().total_cmp(&ring[*b].length()));
        let vertex = highest.unwrap();
        (tube().rest().positions[vertex].y, ring[vertex].length())
    };
    let (low, strong) = crest(&ring(0.1));
    let (high, weak) = crest(&ring(0.35));
    assert!(high > low + 0.3 * tube().size() as f32, "from {low} up to {high}");
    assert!(weak < strong && strong > 0.01 * tube().size(), "{strong}, then {weak}");
    // Out of the skin, along its normals; long after, and in a steady fall, there is nothing.
    for (found, normal) in ring(0.2).iter().zip(&tube().rest().normals) {
        assert!(found.cross(normal.as_dvec3()).length() < 1e-6);
    }
    for since_secs in [2.0, -1.0] {
        assert!(ring(since_secs).iter().all(|d| d.length() < 1e-9), "{since_secs}");
    }
}

/// The ring that is here left the middle of the body as long ago as it takes: what the body did then, less what it did
/// two moments before, times `amount` and below a limit, is how much thicker the skin is here.
#[test]
fn rings_of_a_body_run_out_from_its_middle() {
    let (size, speed) = (tube().size(), 1.0);
    let (slice_secs, limit) = (0.9 / speed / 12.0, 0.2);
    let rest = tube().rest_pose();
    let centroids = tube().centroids().evaluate(tube(), rest);
    let ring = |since_secs: f64| {
        let landed = Landed { since_secs, factor: 1.0 };
        // Where the body was `slices` ago, and how it moved in the slice that ended then.
        let way = |slices: usize| {
            let window_secs = slice_secs * slices as f64;
            landed.velocities(window_secs)[0].linear * window_secs
        };
        let pulse = |slice: usize| {
            let step = (way(slice + 1) - way(slice)) / slice_secs;
            step.y + step.x.hypot(step.z)
        };
        let of_vertex = |vertex: usize| {
            let p = tube().rest().positions[vertex].as_dvec3();
            let weights = tube().upward().of(vertex).iter().find(|it| it.index == 0);
            let carried = weights.map_or(0.0, |it| f64::from(it.weight));
            let ago = (p - centroids[0]).length() / size / speed / slice_secs;
            let at = |ago: f64| -> f64 {
                (0..14).map(|it| pulse(it) * (1.0 - (ago - it as f64).abs()).max(0.0)).sum()
            };
            let wanted = 0.3 * carried * (at(ago) - at(ago + 2.0)) / size;
            let thicker = wanted * limit / (limit + wanted.abs());
            let across = |influence: &jounce::rig::Influence| {
                let bone = tube().bindings[influence.index as usize].bone;
                let along = centroids[bone] - joint(bone);
                (p - centroids[bone]).reject_from(along) * f64::from(influence.weight)
            };
            tube().skin.of(vertex).iter().map(across).sum::<DVec3>() * thicker
        };
        let expected: Vec<DVec3> = (0..tube().vertex_count()).map(of_vertex).collect();
        let found = displaced("Body Ripple", tube(), &landed).remove(0);
        assert_close(&found, &expected, "body ripple");
        found
    };
    // Where skin is thickest: the further from the middle, the later.
    let crest = |ring: &[DVec3]| {
        let middle = centroids[0].as_vec3();
        let p = |vertex: usize| tube().rest().positions[vertex];
        let out = |vertex: usize| ring[vertex].dot((p(vertex) - middle).as_dvec3());
        let thickest = (0..ring.len()).max_by(|a, b| out(*a).total_cmp(&out(*b))).unwrap();
        p(thickest).distance(middle)
    };
    assert!(crest(&ring(0.5)) > crest(&ring(0.1)));
    // Long after, and in a steady fall, there is nothing.
    for since_secs in [5.0, -1.0] {
        assert!(ring(since_secs).iter().all(|d| d.length() < 1e-6 * size), "{since_secs}");
    }
}

/// s = −k a_y / ℓ below a limit, about the ground, for bones that carry the whole character: heights 1 + s times,
/// widths 1/√(1 + s) times.
#[test]
fn body_squash_is_shorter_where_its_weight_presses_and_keeps_its_volume() {
    let squash = |acceleration: DVec3| {
        let mut style = Style::default();
        let mut node = Node::new("Body Squash");
        node.settings.insert("squashiness".to_owned(), Setting::Float(0.02));
        style.graph.nodes.insert("test".to_owned(), node);
        style.graph.nodes.insert("out".to_owned(), Node::new("Output"));
        let (from, to) = (PortRef::new("test", "displacement"), PortRef::new("out", "position"));
        style.graph.links.insert(Link::new(from, to));
        let carried = Carried { acceleration, bones: tube().skeleton.bones.len() };
        evaluate_on(tube(), &carried, &style, &CharacterSettings::default()).remove(0)
    };
    let size = tube().size();
    let ground = f64::from(tube().rest_bounds().0.y);
    for per_size in [4.0, -4.0] {
        let wanted = -0.02 * per_size;
        let stretch = wanted * 0.25 / (0.25 + f64::abs(wanted));
        let wider = 1.0 / (1.0 + stretch).sqrt() - 1.0;
        let found = squash(DVec3::Y * per_size * size);
        for (vertex, found) in found.iter().enumerate() {
            let p = tube().rest().positions[vertex].as_dvec3();
            let up = f64::from(
                tube().upward().of(vertex).iter().find(|it| it.index == 0).unwrap().weight,
            );
            let height = (p.y - ground) * stretch * up;
            assert!((found.y - height).abs() < 1e-5 * size, "{found} at {p}: {height}");
            // Across, it grows about the middle of the body.
            let others = squash(DVec3::ZERO);
            assert_eq!(others[vertex], DVec3::ZERO, "no weight, no squash");
            assert!(found.x.abs() <= (size * wider).abs() + 1e-5 * size);
        }
    }
    assert!(
        squash(DVec3::X * 4.0 * size).iter().all(|d| d.length() < 1e-9),
        "sideways is no weight"
    );
}

/// The root accelerates, nothing else moves.
struct Carried {
    acceleration: DVec3,
    bones: usize,
}

impl Motion for Carried {
    fn velocities(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        vec![BoneMotion::default(); self.bones].into()
    }

    fn accelerations(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        let mut all = vec![BoneMotion::default(); self.bones];
        all[0].linear = self.acceleration;
        all.into()
    }
}

/// θ = h k |v⊥| / ℓ about the root of each ear: distances from the root stay, the tip goes against the way.
#[test]
fn flap_turns_ears_about_their_roots_against_the_way_they_are_carried() {
    let cow = jounce::rig::own::built_in("cow").unwrap();
    let up = DVec3::Y * cow.size();
    let rising = Rising { velocity: up, bones: cow.skeleton.bones.len() };
    let found = displaced("Flap", &cow, &rising).remove(0);
    let heights = cow.roles().protrusion(&cow, cow.roles().automatic());
    let to_roots = cow.roles().protrusion_root_offsets(&cow);
    let mut most: f64 = 0.0;
    for (vertex, found) in found.iter().enumerate() {
        if heights[vertex] == 0.0 || to_roots[vertex] == DVec3::ZERO {
            assert!(found.length() < 1e-9 * cow.size(), "{found} where nothing stands out");
            continue;
        }
        // In whatever frame, it is as long.
        let (before, size) = (to_roots[vertex].length(), cow.size());
        let turn = 2.0 * f64::asin((found.length() / 2.0 / before).min(1.0));
        let limit = f64::to_radians(45.0);
        let wanted_at_most = 0.2 * limit / (limit + 0.2) * f64::from(heights[vertex]);
        assert!(turn <= wanted_at_most + 1e-4, "{turn} of {wanted_at_most}");
        assert!(found.y <= 1e-5 * size, "up is where it is carried: {found}");
        most = most.max(found.length() / size);
    }
    assert!(most > 3e-3, "ears move by {most} of the size");
    let still = Rising { velocity: DVec3::X * cow.size(), ..rising };
    let found = displaced("Flap", &cow, &still).remove(0);
    assert!(
        found.iter().all(|d| d.length() < 1e-9 * cow.size()),
        "travel along the ground is left out"
    );
}

/// What is wired is added to what the bones do, and `own` says how much of that counts.
#[test]
fn flap_swings_by_what_is_wired_as_by_the_motion_itself() {
    let cow = jounce::rig::own::built_in("cow").unwrap();
    let flapped = |settings: &[(&str, Setting)], motion: &dyn Motion| {
        let mut style = Style::default();
        let mut node = Node::new("Flap");
        let settings = settings.iter().map(|(port, value)| ((*port).to_owned(), value.clone()));
        node.settings.extend(settings);
        style.graph.nodes.insert("test".to_owned(), node);
        style.graph.nodes.insert("out".to_owned(), Node::new("Output"));
        let (from, to) = (PortRef::new("test", "displacement"), PortRef::new("out", "position"));
        style.graph.links.insert(Link::new(from, to));
        evaluate_on(&cow, motion, &style, &CharacterSettings::default()).remove(0)
    };
    let bones = cow.skeleton.bones.len();
    let spin = |speed: f64| ConstantMotion {
        velocities: vec![BoneMotion { angular: DVec3::Z * speed, ..BoneMotion::ZERO }; bones],
        accelerations: vec![BoneMotion::ZERO; bones],
    };
    let added = [("angular", Setting::Vec3([0.0, 0.0, 2.0]))];
    let both = flapped(&added, &spin(1.0));
    assert_close(&both, &flapped(&[], &spin(3.0)), "added");
    assert!(both.iter().any(|d| d.length() > 1e-3 * cow.size()));
    let only = [("own", Setting::Float(0.0)), added[0].clone()];
    assert_close(&flapped(&only, &spin(1.0)), &flapped(&[], &spin(2.0)), "only what is wired");
    let quarter = [("own", Setting::Float(0.25))];
    assert_close(&flapped(&quarter, &spin(4.0)), &flapped(&[], &spin(1.0)), "a quarter");
}

/// The root goes somewhere, nothing else moves.
struct Rising {
    velocity: DVec3,
    bones: usize,
}

impl Motion for Rising {
    fn velocities(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        let mut all = vec![BoneMotion::default(); self.bones];
        all[0].linear = self.velocity;
        all.into()
    }

    fn accelerations(&self, _window_secs: f64) -> Cow<'_, [BoneMotion]> {
        vec![BoneMotion::default(); self.bones].into()
    }
}
