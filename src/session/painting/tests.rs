//! Strokes without a window.

use super::*;
use glam::{DAffine3, DQuat, Vec3};
use jounce_draw::{Bounds, Camera, View};
use jounce_rig::geodesic::{Reach, SurfacePoint};
use jounce_rig::{
    Binding, Character, CharacterParts, Influence, Influences, Mesh, Node, Skeleton, Trs, own,
};
use std::sync::Arc;

fn cow() -> PaintSurface {
    PaintSurface::new(&Arc::new(own::built_in("cow").unwrap()))
}

/// Beside the middle, where both sides have the same points.
fn on_the_side(surface: &PaintSurface) -> SurfacePoint {
    let character = surface.character();
    let (low, high) = character.rest_bounds();
    let goal = glam::Vec3::new(high.x, 0.5 * (low.y + high.y), 0.5 * (low.z + high.z));
    let middle = |corners: &[u32; 3]| {
        corners.map(|it| character.rest().positions[it as usize]).into_iter().sum::<glam::Vec3>()
            / 3.0
    };
    let triangles = character.mesh.triangles.iter().enumerate();
    let nearest = triangles
        .min_by(|(_, a), (_, b)| middle(a).distance(goal).total_cmp(&middle(b).distance(goal)));
    SurfacePoint { triangle: nearest.unwrap().0, parts: [0.2, 0.5, 0.3] }
}

fn stamped(surface: &PaintSurface, brush: Brush, masks: &Masks, before: Vec<f32>) -> Vec<f32> {
    let mut stroke = Stroke::new(brush, before);
    let at = on_the_side(surface);
    stroke.stamp(surface, masks, Stamp { at, pressure: 1.0, sight: None });
    stroke.values().to_vec()
}

fn zeros(surface: &PaintSurface) -> Vec<f32> {
    vec![0.0; surface.character().vertex_count()]
}

/// Numbers that differ from vertex to vertex.
fn waves(surface: &PaintSurface) -> Vec<f32> {
    (0..surface.character().vertex_count())
        .map(|vertex| (vertex as f32 * 0.37).sin() * 0.5)
        .collect()
}

#[test]
fn every_tool_does_what_its_formula_says() {
    let surface = cow();
    let before = waves(&surface);
    let at = on_the_side(&surface);
    for falloff in Falloff::ALL {
        for tool in BrushTool::ALL {
            let brush = Brush {
                tool,
                falloff,
                value: 0.8,
                strength: 0.6,
                limits: None,
                ..Brush::default()
            };
            let radius = brush.radius_sizes * surface.character().size();
            let mut reach = Reach::default();
            surface.meter().measure(at, radius, &mut reach);
            let found = stamped(&surface, brush, &Masks::default(), before.clone());
            let mut changed = 0;
            for (vertex, (found, x)) in found.iter().zip(&before).enumerate() {
                let point = surface.character().surface().points.point_of_vertex[vertex];
                let amount = match tool {
                    BrushTool::Flood => {
                        let pieces = surface.pieces();
                        let own = surface.meter().corners(at.triangle)[0];
                        if pieces[point as usize] == pieces[own as usize] { 0.6 } else { 0.0 }
                    }
                    _ => reach.of(point).map_or(0.0, |far| 0.6 * falloff.at(far / radius)),
                };
                let mean = surface.mean_around(point, &before);
                let expected = tool.applied(*x, amount as f32, 0.8, mean);
                assert!(
                    (found - expected).abs() < 1e-6,
                    "{tool:?} {falloff:?}: {found} {expected}"
                );
                changed += usize::from(found != x);
            }
            assert!(changed > 20, "{tool:?}: {changed}");
        }
    }
}

#[test]
fn a_stroke_does_once_what_its_strongest_stamp_does_unless_it_builds_up() {
    let surface = cow();
    let at = on_the_side(&surface);
    let stamp = |pressure: f64| Stamp { at, pressure, sight: None };
    let stroke = |builds_up: bool, pressures: &[f64]| {
        let brush = Brush { builds_up, limits: None, ..Brush::default() };
        let mut stroke = Stroke::new(brush, zeros(&surface));
        pressures.iter().for_each(|it| stroke.stamp(&surface, &Masks::default(), stamp(*it)));
        stroke.values().to_vec()
    };
    assert_eq!(stroke(false, &[1.0, 1.0, 0.3]), stroke(false, &[1.0]));
    assert_eq!(stroke(false, &[0.3, 1.0]), stroke(false, &[1.0]));
    let (once, twice) = (stroke(true, &[1.0]), stroke(true, &[1.0, 1.0]));
    assert!(once.iter().zip(&twice).all(|(a, b)| (2.0 * a - b).abs() < 1e-6));
    let light = stroke(false, &[0.5]);
    assert!(once.iter().zip(&light).all(|(a, b)| (0.5 * a - b).abs() < 1e-6), "pressure");
}

#[test]
fn locked_and_unselected_vertices_keep_every_bit() {
    let surface = cow();
    let before = waves(&surface);
    let all = stamped(&surface, Brush::default(), &Masks::default(), before.clone());
    let changed: Vec<usize> = (0..all.len()).filter(|it| all[*it] != before[*it]).collect();
    let (half, rest) = changed.split_at(changed.len() / 2);
    let mut locked = Masks::default();
    locked.select(half.iter().copied(), all.len(), false);
    let mut selected = locked.clone();
    selected.invert_selection();
    locked.lock_selected();
    for (masks, untouched) in [(&locked, half), (&selected, half)] {
        for tool in BrushTool::ALL {
            let brush = Brush { tool, ..Brush::default() };
            let found = stamped(&surface, brush, masks, before.clone());
            let same = |vertex: &usize| found[*vertex].to_bits() == before[*vertex].to_bits();
            assert!(untouched.iter().all(same), "{tool:?}");
            assert!(rest.iter().any(|vertex| !same(vertex)), "{tool:?}");
        }
        for what in [WholeMap::Blur, WholeMap::Invert, WholeMap::Flip(Symmetry::AcrossX)] {
            let found = what.applied(&surface, masks, &before);
            assert!(untouched.iter().all(|it| found[*it].to_bits() == before[*it].to_bits()));
            assert_ne!(found, before);
        }
        let amounts = FillFrom::Everywhere.amounts(&surface);
        let found = filled(&Brush::default(), masks, &before, &amounts);
        assert!(untouched.iter().all(|it| found[*it].to_bits() == before[*it].to_bits()));
    }
}

/// A sheet with the same points on both sides, each of which hangs on a bone of its own. The right half may rest
/// turned upwards.
fn sheet(lift_deg: f64) -> PaintSurface {
    let up = DQuat::from_rotation_z(lift_deg.to_radians());
    let node = |name: &str, parent, rotation| {
        let rest = Trs { rotation, ..Trs::IDENTITY };
        Node::new(name.to_owned(), parent, rest)
    };
    let nodes = vec![
        node("root", None, DQuat::IDENTITY),
        node("wing.L", Some(0), up),
        node("wing.R", Some(0), DQuat::IDENTITY),
    ];
    let skeleton = Skeleton::new(nodes, &[true; 3]).unwrap();
    let bindings =
        (0..3).map(|bone| Binding { node: bone, bone, node_from_bind: DAffine3::IDENTITY });
    const SIDE: u32 = 24;
    let (mut positions, mut skin) = (Vec::new(), Influences::default());
    for row in 0..=SIDE {
        for column in 0..=2 * SIDE {
            let x = column as f32 - SIDE as f32;
            // Uneven, and the same on both sides.
            let shake = 0.2 * (x.abs() * 1.7 + row as f32 * 2.9).sin();
            positions.push(Vec3::new(
                x + shake * x.signum() * f32::from(u8::from(x != 0.0)),
                0.0,
                row as f32,
            ));
            let index = if x == 0.0 { 0 } else { 1 + u32::from(x < 0.0) };
            skin.push([Influence { index, weight: 1.0 }]);
        }
    }
    let mut triangles = Vec::new();
    for row in 0..SIDE {
        for column in 0..2 * SIDE {
            let corner = |x: u32, y: u32| (row + y) * (2 * SIDE + 1) + column + x;
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let count = positions.len();
    let mesh = Mesh {
        positions,
        normals: vec![Vec3::Y; count],
        colors: vec![[1.0; 4]; count],
        triangles,
        ..Mesh::default()
    };
    let parts = CharacterParts {
        name: "sheet".to_owned(),
        skeleton,
        bindings: bindings.collect(),
        mesh,
        skin,
        rest_morph_weights: Vec::new(),
        maps: Vec::new(),
        clips: Vec::new(),
        notes: Vec::new(),
    };
    PaintSurface::new(&Arc::new(Character::new(parts).unwrap()))
}

#[test]
fn mirrored_strokes_are_equal_on_both_sides() {
    // By bones also where one side rests otherwise than the other.
    for (symmetry, lift_deg) in
        [(Symmetry::AcrossX, 0.0), (Symmetry::ByBones, 0.0), (Symmetry::ByBones, 40.0)]
    {
        let surface = sheet(lift_deg);
        let brush = Brush { symmetry, radius_sizes: 0.2, ..Brush::default() };
        let mut stroke = Stroke::new(brush, zeros(&surface));
        for triangle in [700, 1060, 1100] {
            let at = SurfacePoint { triangle, parts: [0.2, 0.5, 0.3] };
            stroke.stamp(&surface, &Masks::default(), Stamp { at, pressure: 1.0, sight: None });
        }
        let found = stroke.values();
        let mirroring = surface.mirroring(symmetry).unwrap();
        let (mut pairs, mut sides) = (0, [0, 0]);
        for (vertex, value) in found.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            // As they were laid out.
            let (row, column) = (vertex / 49, vertex % 49);
            let partner = row * 49 + 48 - column;
            assert!(
                (value - found[partner]).abs() < 1e-6,
                "{symmetry:?}: {value} {}",
                found[partner]
            );
            let points = &surface.character().surface().points.point_of_vertex;
            assert_eq!(mirroring.partner(points[vertex]), Some(points[partner]));
            pairs += 1;
            sides[usize::from(column > 24)] += 1;
        }
        assert!(
            pairs > 100 && sides.iter().all(|count| *count > 50),
            "{symmetry:?} {pairs} {sides:?}"
        );
    }
}

#[test]
fn where_the_sides_differ_the_other_side_is_interpolated() {
    let surface = cow();
    for symmetry in [Symmetry::AcrossX, Symmetry::ByBones] {
        let brush = Brush { symmetry, ..Brush::default() };
        let found = stamped(&surface, brush, &Masks::default(), zeros(&surface));
        let mirroring = surface.mirroring(symmetry).unwrap();
        let of = |point: u32| found[surface.meter().vertices_of(point)[0] as usize];
        let mut painted = 0;
        for point in 0..surface.meter().point_count() as u32 {
            let x = surface.meter().positions()[point as usize].x;
            if x < -0.02 * surface.character().size() {
                let expected = mirroring.value(point, of).unwrap_or_default();
                assert!(
                    (of(point) - expected).abs() < 1e-6,
                    "{symmetry:?}: {} {expected}",
                    of(point)
                );
                painted += usize::from(of(point) > 0.0);
            }
        }
        assert!(painted > 30, "{symmetry:?} {painted}");
    }
}

#[test]
fn the_other_side_of_a_map_is_the_other_side_of_the_mesh() {
    let surface = sheet(0.0);
    let before = waves(&surface);
    let mirrored =
        |what: WholeMap, values: &[f32]| what.applied(&surface, &Masks::default(), values);
    let symmetry = Symmetry::AcrossX;
    let flipped = mirrored(WholeMap::Flip(symmetry), &before);
    let from_positive = mirrored(WholeMap::MirrorFromPositive(symmetry), &before);
    let from_negative = mirrored(WholeMap::MirrorFromNegative(symmetry), &before);
    for vertex in 0..before.len() {
        let (row, column) = (vertex / 49, vertex % 49);
        let partner = row * 49 + 48 - column;
        assert_eq!(flipped[vertex], before[partner]);
        let (left, right) = if column < 24 { (partner, vertex) } else { (vertex, partner) };
        assert_eq!(from_positive[vertex], before[left]);
        assert_eq!(from_negative[vertex], before[if column == 24 { vertex } else { right }]);
    }
    let invert = mirrored(WholeMap::Invert, &before);
    assert!(invert.iter().zip(&before).all(|(new, old)| *new == 1.0 - *old));
    let clamped = mirrored(WholeMap::Clamp(0.0, 1.0), &before);
    assert!(clamped.iter().zip(&before).all(|(new, old)| *new == old.clamp(0.0, 1.0)));
    let spread = |values: &[f32]| values.iter().map(|x| x * x).sum::<f32>();
    let noise: Vec<f32> = (0..before.len()).map(|it| [1.0, -1.0][it * 7919 % 97 % 2]).collect();
    assert!(spread(&mirrored(WholeMap::Blur, &noise)) < 0.7 * spread(&noise));
}

fn seen_from_the_right(surface: &PaintSurface) -> Sight {
    let rest = &surface.character().rest().positions;
    let camera = Camera::framing(Bounds::of(rest), 1.5, View::from_degrees(90.0, 0.0));
    Sight::new(camera, 1.5, rest, surface.character().size())
}

#[test]
fn what_is_hidden_keeps_every_bit() {
    let surface = cow();
    let sight = seen_from_the_right(&surface);
    let triangles = &surface.character().mesh.triangles;
    let touch = sight.touch(glam::Vec2::new(0.0, 0.1), triangles).unwrap();
    assert!(touch.position.x > 0.0, "the side that faces the eye: {touch:?}");
    let place = surface.meter().place(touch.at).as_vec3();
    assert!(place.distance(touch.position) < 1e-4 * surface.character().size() as f32);
    let before = waves(&surface);
    // Large enough to go around to the other side.
    let painted = |only_visible: bool| {
        let brush =
            Brush { only_visible, radius_sizes: 0.6, falloff: Falloff::Flat, ..Brush::default() };
        let mut stroke = Stroke::new(brush, before.clone());
        let stamp = Stamp { at: touch.at, pressure: 1.0, sight: Some(&sight) };
        stroke.stamp(&surface, &Masks::default(), stamp);
        stroke.values().to_vec()
    };
    let (through, visible) = (painted(false), painted(true));
    let points: Vec<u32> = (0..surface.meter().point_count() as u32).collect();
    let seen = sight.sees(&surface, &points);
    let (mut hidden, mut shown) = (0, 0);
    for (point, is_seen) in points.iter().zip(seen) {
        for &vertex in surface.meter().vertices_of(*point) {
            let vertex = vertex as usize;
            let is_same = visible[vertex].to_bits() == before[vertex].to_bits();
            if is_seen {
                assert_eq!(visible[vertex], through[vertex]);
                shown += usize::from(!is_same);
            } else {
                assert!(is_same, "vertex {vertex} is hidden");
                hidden += usize::from(through[vertex] != before[vertex]);
            }
        }
    }
    assert!(hidden > 500 && shown > 500, "{hidden} {shown}");
    // Of the far flank nothing is seen, of the near one most.
    let x = |point: &&u32| surface.meter().positions()[**point as usize].x;
    let far = points.iter().filter(|it| x(it) < -0.1 * surface.character().size());
    let far: Vec<u32> = far.copied().collect();
    let seen = sight.sees(&surface, &far).into_iter().filter(|is| *is).count();
    assert!(seen * 20 < far.len(), "{seen} of {}", far.len());
}

#[test]
fn fills_follow_bones_pieces_and_softness() {
    let surface = cow();
    let character = surface.character();
    let neck = character.skeleton.bone_named("Neck").unwrap();
    let brush = Brush { tool: BrushTool::Replace, strength: 1.0, ..Brush::default() };
    let fill = |from: FillFrom| {
        filled(&brush, &Masks::default(), &zeros(&surface), &from.amounts(&surface))
    };
    let weights = jounce_eval::heat::Heat::of_bone(character, "Neck").unwrap().values;
    let own = fill(FillFrom::Bone(neck));
    assert!(own.iter().zip(&weights).all(|(a, b)| (a - b).abs() < 1e-6));
    let branch = fill(FillFrom::Branch(neck));
    assert!(branch.iter().zip(&own).all(|(branch, own)| *branch >= own - 1e-6) && branch != own);
    let softness = fill(FillFrom::Softness);
    assert!(softness.iter().zip(character.automatic_softness()).all(|(a, b)| (a - b).abs() < 1e-6));
    let piece = fill(FillFrom::Piece(0));
    let pieces = surface.pieces();
    let points = &character.surface().points.point_of_vertex;
    for (vertex, &point) in points.iter().enumerate() {
        let expected = f32::from(u8::from(pieces[point as usize] == pieces[points[0] as usize]));
        assert_eq!(piece[vertex], expected);
    }
    let material = character.mesh.parts[0].material;
    assert!(fill(FillFrom::Material(material)).contains(&1.0));
    assert!(fill(FillFrom::Material(Some(99))).iter().all(|x| *x == 0.0));
}

#[test]
fn limits_end_painting_and_leave_what_is_beyond() {
    let surface = cow();
    let brush = |tool| Brush { tool, strength: 1.0, limits: Some([0.0, 1.0]), ..Brush::default() };
    let painted = |tool, before: f32| {
        let before = vec![before; surface.character().vertex_count()];
        stamped(&surface, brush(tool), &Masks::default(), before)
    };
    assert!(painted(BrushTool::Add, 0.5).iter().all(|x| (0.5..=1.0).contains(x)));
    assert!(painted(BrushTool::Add, 3.0).iter().all(|x| *x == 3.0), "it is not pulled back");
    assert!(painted(BrushTool::Subtract, 3.0).iter().all(|x| *x <= 3.0));
    assert!(painted(BrushTool::Subtract, 0.5).iter().all(|x| *x >= 0.0));
}
