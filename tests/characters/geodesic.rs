//! Distances along the surface, against surfaces where they are known.

use glam::{DAffine3, DVec2, Vec3};
use jounce::rig::geodesic::{Reach, SurfaceMeter, SurfacePoint};
use jounce::rig::{
    Binding, Character, CharacterParts, Influence, Influences, Mesh, Node, Skeleton, Trs, own,
};

/// A mesh that hangs on one bone.
fn character(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Character {
    let nodes = vec![Node::new("bone".to_owned(), None, Trs::at(glam::DVec3::ZERO))];
    let skeleton = Skeleton::new(nodes, &[true]).unwrap();
    let mut skin = Influences::default();
    positions.iter().for_each(|_| skin.push([Influence { index: 0, weight: 1.0 }]));
    let count = positions.len();
    let mesh = Mesh {
        positions,
        normals: vec![Vec3::Y; count],
        colors: vec![[1.0; 4]; count],
        triangles,
        ..Mesh::default()
    };
    Character::new(CharacterParts {
        name: "sheet".to_owned(),
        skeleton,
        bindings: vec![Binding { node: 0, bone: 0, node_from_bind: DAffine3::IDENTITY }],
        mesh,
        skin,
        rest_morph_weights: Vec::new(),
        maps: Vec::new(),
        clips: Vec::new(),
        notes: Vec::new(),
    })
    .unwrap()
}

/// A grid of so many columns and rows, with diagonals both ways and points that are not in line.
fn sheet(
    columns: u32,
    rows: u32,
    place: impl Fn(f64, f64) -> Vec3,
) -> (Vec<Vec3>, Vec<[u32; 3]>, Vec<DVec2>) {
    let mut flat = Vec::new();
    for row in 0..=rows {
        for column in 0..=columns {
            // Uneven inside, straight at the border.
            let inside = column % columns != 0 && row % rows != 0;
            let shake = if inside { 0.3 } else { 0.0 };
            let noise =
                |seed: u32| f64::from((column * 7919 + row * 104_729 + seed) % 97) / 97.0 - 0.5;
            let at = DVec2::new(f64::from(column), f64::from(row));
            flat.push(at + DVec2::new(noise(1), noise(51)) * shake);
        }
    }
    let mut triangles = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let corner = |x: u32, y: u32| (row + y) * (columns + 1) + column + x;
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            match (row + column) % 2 {
                0 => triangles.extend([[a, b, c], [a, c, d]]),
                _ => triangles.extend([[a, b, d], [b, c, d]]),
            }
        }
    }
    (flat.iter().map(|at| place(at.x, at.y)).collect(), triangles, flat)
}

fn measured(character: &Character, at: SurfacePoint, radius: f64) -> Vec<Option<f64>> {
    let meter = SurfaceMeter::new(character);
    let mut reach = Reach::default();
    meter.measure(at, radius, &mut reach);
    let points = &character.surface().points.point_of_vertex;
    points.iter().map(|&point| reach.of(point)).collect()
}

const MIDDLE: [f32; 3] = [0.5, 0.3, 0.2];

/// The largest difference to straight lines in the plane.
fn worst(character: &Character, flat: &[DVec2], triangle: usize, radius: f64) -> f64 {
    let corners = character.mesh.triangles[triangle].map(|vertex| flat[vertex as usize]);
    let start: DVec2 = corners.iter().zip(MIDDLE).map(|(at, part)| *at * f64::from(part)).sum();
    let found = measured(character, SurfacePoint { triangle, parts: MIDDLE }, radius);
    let mut worst: f64 = 0.0;
    for (found, at) in found.iter().zip(flat) {
        let expected = at.distance(start);
        match found {
            Some(found) => worst = worst.max((found - expected).abs()),
            None => assert!(expected > radius - 1e-5, "{expected} is within {radius}"),
        }
    }
    assert!(found.iter().flatten().count() > 50, "something is reached");
    worst
}

#[test]
fn on_a_flat_sheet_distances_are_straight_lines() {
    let (positions, triangles, flat) = sheet(30, 24, |x, y| Vec3::new(x as f32, 0.0, y as f32));
    let character = character(positions, triangles);
    for triangle in [0, 611, 700, 1439] {
        let worst = worst(&character, &flat, triangle, 9.0);
        assert!(worst < 1e-5, "{worst} from triangle {triangle}");
    }
}

#[test]
fn on_what_is_rolled_up_they_are_those_of_the_sheet() {
    // Half of a tube: what is flat stays as far apart along it. Straight in f32 steps of its length.
    let columns = 60;
    let radius = f64::from(columns) / std::f64::consts::PI;
    let rolled = |x: f64, y: f64| {
        let angle = x / radius;
        Vec3::new((radius * angle.cos()) as f32, (radius * angle.sin()) as f32, y as f32)
    };
    let (positions, triangles, flat) = sheet(columns, 24, rolled);
    let character = character(positions, triangles);
    // Edges are chords of the tube, a little shorter than its arcs.
    let worst = worst(&character, &flat, 1400, 10.0);
    assert!(worst < 0.02, "{worst}");
}

#[test]
fn nothing_leaps_from_one_side_of_a_thin_sheet_to_the_other() {
    // A sheet folded in the middle: both halves lie a hair apart.
    let folded = |x: f64, y: f64| match x {
        x if x <= 20.0 => Vec3::new(x as f32, 0.0, y as f32),
        x => Vec3::new((40.0 - x) as f32, 0.01, y as f32),
    };
    let (positions, triangles, flat) = sheet(40, 20, folded);
    let character = character(positions, triangles);
    let triangle = 2 * (10 * 40 + 12);
    let found = measured(&character, SurfacePoint { triangle, parts: MIDDLE }, 7.0);
    let far_side = |vertex: &usize| flat[*vertex].x > 20.0;
    assert!((0..found.len()).filter(far_side).all(|vertex| found[vertex].is_none()));
    let reached = measured(&character, SurfacePoint { triangle, parts: MIDDLE }, 12.0);
    assert!((0..found.len()).filter(far_side).any(|vertex| reached[vertex].is_some()), "around it");
}

#[test]
fn on_a_body_they_are_never_shorter_than_a_straight_line_and_no_longer_than_edges() {
    let cow = own::built_in("cow").unwrap();
    let (triangle, radius) = (777, 0.35 * cow.size());
    let found = measured(&cow, SurfacePoint { triangle, parts: [1.0, 0.0, 0.0] }, radius);
    let rest = &cow.rest().positions;
    let start = cow.mesh.triangles[triangle][0] as usize;
    // Along edges alone, by the book.
    let points = &cow.surface().points.point_of_vertex;
    let mut place = vec![Vec3::ZERO; cow.surface().points.point_count];
    points.iter().zip(rest).for_each(|(&point, at)| place[point as usize] = *at);
    let mut edges = vec![f64::INFINITY; place.len()];
    edges[points[start] as usize] = 0.0;
    let mut open = vec![points[start]];
    while let Some(point) = open.pop() {
        for &next in cow.surface().neighbours_of(point as usize) {
            let (a, b) = (place[point as usize].as_dvec3(), place[next as usize].as_dvec3());
            let far = edges[point as usize] + a.distance(b);
            if far < edges[next as usize] - 1e-12 && far < radius {
                edges[next as usize] = far;
                open.push(next);
            }
        }
    }
    let mut reached = 0;
    for (vertex, found) in found.iter().enumerate() {
        let along_edges = edges[points[vertex] as usize];
        match found {
            Some(found) => {
                let straight = f64::from(rest[vertex].distance(rest[start]));
                assert!(*found >= straight - 1e-6 && *found <= along_edges + 1e-9);
                reached += 1;
            }
            None => assert!(along_edges > radius),
        }
    }
    assert!(reached > 300, "{reached}");
}

#[test]
fn what_cannot_be_measured_has_no_distance() {
    let (positions, mut triangles, _) = sheet(4, 4, |x, y| Vec3::new(x as f32, 0.0, y as f32));
    // A triangle that is a line, and one that is a point.
    triangles.extend([[0, 1, 0], [3, 3, 3]]);
    let character = character(positions, triangles);
    for (triangle, radius) in [(99, 1.0), (0, 0.0), (0, -1.0), (0, f64::NAN)] {
        let found = measured(&character, SurfacePoint { triangle, parts: MIDDLE }, radius);
        assert!(found.iter().all(Option::is_none));
    }
    for triangle in [32, 33] {
        let found = measured(&character, SurfacePoint { triangle, parts: MIDDLE }, 2.0);
        assert!(found.iter().flatten().count() > 3, "it goes on from there");
    }
}
