//! The other side of each point of the surface.
//!
//! ```text
//!  image(p)   what of the surface lies where p comes to when it is mirrored: a point, or a place between some
//!  a'(p) = max(a(p), Σ part · a(point of the image))     an amount that is painted on both sides
//! ```
//! Where both sides have the same points, each has the other's amount to the bit; where they have not, it is
//! interpolated.

use super::sides::mirrored_bones;
use glam::{DQuat, DVec3};
use jounce_base::parallel::*;
use jounce_rig::Character;
use jounce_rig::geodesic::SurfaceMeter;
use std::collections::HashMap;

pub struct Mirroring {
    images: Vec<Option<Image>>,
    /// Per point those whose images it is part of.
    seen_by: Vec<Vec<u32>>,
    middle: f64,
}

/// How much of which points; what is not needed has no part.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Image {
    points: [u32; 3],
    parts: [f32; 3],
}

/// Where a point comes to.
#[derive(Clone, Copy)]
struct Target {
    place: DVec3,
    /// Only what hangs on this bone is its image.
    bone: Option<usize>,
}

/// In sizes of the character: what is so near to a mirrored place is the same point.
const SAME_SIZES: f64 = 1e-4;
/// Where nothing is so near, the other side has nothing there.
const FARTHEST_SIZES: f64 = 0.05;
/// To find out where the middle is, so many points are mirrored.
const SAMPLES: usize = 400;

impl Mirroring {
    /// Across the plane x = 0, or through the middle of the character where it stands elsewhere.
    pub fn across_x(character: &Character, meter: &SurfaceMeter) -> Mirroring {
        let places = Places::new(meter.positions().to_vec(), character.size());
        let middle = places.middle();
        let bones = vec![None; meter.point_count()];
        let target = |place: &DVec3| Target { place: across(middle, *place), bone: None };
        let targets: Vec<Target> = meter.positions().iter().map(target).collect();
        Mirroring::new(meter, &places, &targets, &bones, middle)
    }

    /// Among what hangs on the bone of the other side: where the file has its vertices before anything is posed, or else,
    /// if more points find their like so, where each bone carries them at rest. Points of bones that have no other side
    /// are mirrored as they are.
    pub fn by_bones(character: &Character, meter: &SurfaceMeter) -> Mirroring {
        let bones = strongest_bones(character, meter);
        let partners = mirrored_bones(character);
        let at_rest = Places::new(meter.positions().to_vec(), character.size());
        let middle = at_rest.middle();
        let partner = |bone: &Option<usize>| bone.and_then(|bone| partners[bone]);
        let as_drawn = {
            let vertex = |point: u32| meter.vertices_of(point).first().map_or(0, |it| *it as usize);
            let points = 0..meter.point_count() as u32;
            let positions = points.map(|point| character.mesh.positions[vertex(point)].as_dvec3());
            let places = Places::new(positions.collect(), character.size());
            let middle_drawn = places.middle();
            let both = places.positions.iter().zip(&bones);
            let targets: Vec<Target> = both
                .map(|(place, bone)| Target {
                    place: across(middle_drawn, *place),
                    bone: partner(bone),
                })
                .collect();
            Mirroring::new(meter, &places, &targets, &bones, middle)
        };
        let carried = {
            let frames = frames(character, meter, &bones);
            let target = |(place, bone): (&DVec3, &Option<usize>)| {
                let (Some(from), Some(to)) = (*bone, partner(bone)) else {
                    return Target { place: across(middle, *place), bone: None };
                };
                let (from, to, bone) = (frames[from], frames[to], Some(to));
                let turn = DQuat::from_rotation_arc(across(0.0, from.along), to.along);
                let place = to.joint + turn * across(0.0, *place - from.joint);
                Target { place, bone }
            };
            let targets: Vec<Target> = meter.positions().iter().zip(&bones).map(target).collect();
            Mirroring::new(meter, &at_rest, &targets, &bones, middle)
        };
        if carried.matched() > as_drawn.matched() { carried } else { as_drawn }
    }

    /// How many points have an image, those that are a point themselves first.
    fn matched(&self) -> (usize, usize) {
        let points = 0..self.images.len() as u32;
        let exact = points.filter(|point| self.partner(*point).is_some()).count();
        (exact, self.images.iter().flatten().count())
    }

    fn new(
        meter: &SurfaceMeter,
        places: &Places,
        targets: &[Target],
        bones: &[Option<usize>],
        middle: f64,
    ) -> Mirroring {
        let image = |target: &Target| places.image(meter, target, bones);
        let images: Vec<Option<Image>> = targets.par_iter().with_min_len(256).map(image).collect();
        let mut seen_by = vec![Vec::new(); images.len()];
        for (point, image) in images.iter().enumerate() {
            let Some(Image { points, parts }) = image else { continue };
            for (&other, _) in points.iter().zip(parts).filter(|(_, part)| **part > 0.0) {
                seen_by[other as usize].push(point as u32);
            }
        }
        Mirroring { images, seen_by, middle }
    }

    /// Where the plane between both sides is.
    pub fn middle(&self) -> f64 {
        self.middle
    }

    /// Adds to amounts of points those of the other side; where there are both, the larger counts. `earlier` has what
    /// points got before, one entry each, or nothing.
    pub fn add_images(&self, amounts: &mut Vec<(u32, f32)>, earlier: &[f32]) {
        let direct: HashMap<u32, f32> = amounts.iter().copied().collect();
        let of = |point: u32| {
            let before = earlier.get(point as usize).copied().unwrap_or_default();
            direct.get(&point).copied().unwrap_or_default().max(before)
        };
        let mut reached: Vec<u32> =
            amounts.iter().flat_map(|&(point, _)| &self.seen_by[point as usize]).copied().collect();
        reached.sort_unstable();
        reached.dedup();
        let mut mirrored: HashMap<u32, f32> = reached
            .into_iter()
            .map(|point| (point, self.value(point, of).unwrap_or_default()))
            .collect();
        for (point, amount) in amounts.iter_mut() {
            *amount = amount.max(mirrored.remove(point).unwrap_or_default());
        }
        let mut beyond: Vec<(u32, f32)> =
            mirrored.into_iter().filter(|(_, amount)| *amount > 0.0).collect();
        beyond.sort_unstable_by_key(|(point, _)| *point);
        amounts.extend(beyond);
    }

    /// What is at the image of a point; None where the other side has nothing.
    pub fn value(&self, point: u32, of: impl Fn(u32) -> f32) -> Option<f32> {
        let Image { points, parts } = self.images.get(point as usize).copied().flatten()?;
        let both = points.iter().zip(parts).filter(|(_, part)| *part > 0.0);
        Some(both.map(|(&point, part)| of(point) * part).sum())
    }

    /// The one point that is the image of another; None where it lies between some.
    pub fn partner(&self, point: u32) -> Option<u32> {
        let image = self.images.get(point as usize).copied().flatten()?;
        (image.parts[0] == 1.0).then_some(image.points[0])
    }
}

fn across(middle: f64, v: DVec3) -> DVec3 {
    DVec3::new(2.0 * middle - v.x, v.y, v.z)
}

/// Per point the bone that moves it most.
fn strongest_bones(character: &Character, meter: &SurfaceMeter) -> Vec<Option<usize>> {
    let strongest = |point: u32| {
        let vertex = *meter.vertices_of(point).first()?;
        let skin = character.skin.of(vertex as usize).iter();
        let strongest = skin.max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        Some(character.bindings[strongest.index as usize].bone)
    };
    (0..meter.point_count() as u32).map(strongest).collect()
}

#[derive(Clone, Copy, Default)]
struct Frame {
    joint: DVec3,
    /// From there to the middle of what hangs on it, of unit length.
    along: DVec3,
}

fn frames(character: &Character, meter: &SurfaceMeter, bones: &[Option<usize>]) -> Vec<Frame> {
    let mut sums = vec![(DVec3::ZERO, 0.0); character.skeleton.bones.len()];
    for (position, bone) in meter.positions().iter().zip(bones) {
        if let Some(bone) = bone {
            sums[*bone] = (sums[*bone].0 + *position, sums[*bone].1 + 1.0);
        }
    }
    let frame = |(bone, (sum, count)): (usize, &(DVec3, f64))| {
        let joint = character.bone_origin(character.rest_pose(), bone);
        let middle = if *count > 0.0 { *sum / *count } else { joint };
        Frame { joint, along: (middle - joint).normalize_or(DVec3::Y) }
    };
    sums.iter().enumerate().map(frame).collect()
}

/// Points by the cell of space that they are in.
struct Places {
    positions: Vec<DVec3>,
    by_cell: HashMap<[i64; 3], Vec<u32>>,
    cell: f64,
    same: f64,
}

impl Places {
    fn new(positions: Vec<DVec3>, size: f64) -> Places {
        // What is looked for is never further away than the neighbouring cells.
        let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        let cell = FARTHEST_SIZES * size;
        let (by_cell, same) = (HashMap::new(), SAME_SIZES * size);
        let mut places = Places { positions, by_cell, cell, same };
        for point in 0..places.positions.len() {
            let cell = places.cell_of(places.positions[point]);
            places.by_cell.entry(cell).or_default().push(point as u32);
        }
        places
    }

    /// Where the plane is: at 0, or in the middle of all if more points find their like there.
    fn middle(&self) -> f64 {
        let x = || self.positions.iter().map(|at| at.x);
        let (low, high) =
            (x().fold(f64::INFINITY, f64::min), x().fold(f64::NEG_INFINITY, f64::max));
        let of_all = 0.5 * (low + high);
        let stride = self.positions.len().div_ceil(SAMPLES).max(1);
        let matched = |middle: f64| {
            let mirrored = self.positions.iter().step_by(stride).map(|at| across(middle, *at));
            mirrored.filter(|at| self.nearest_within(*at, self.same, &|_| true).is_some()).count()
        };
        // Ties go to 0: a character that is even nowhere is mirrored where it was made.
        if of_all.is_finite() && matched(of_all) > matched(0.0) { of_all } else { 0.0 }
    }

    fn cell_of(&self, at: DVec3) -> [i64; 3] {
        (at / self.cell).to_array().map(|x| x.floor() as i64)
    }

    fn nearest_within(
        &self,
        at: DVec3,
        radius: f64,
        is_wanted: &dyn Fn(u32) -> bool,
    ) -> Option<u32> {
        let (low, high) = (self.cell_of(at - radius), self.cell_of(at + radius));
        let mut best: Option<(f64, u32)> = None;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    for &point in self.by_cell.get(&[x, y, z]).into_iter().flatten() {
                        let distance = self.positions[point as usize].distance_squared(at);
                        let is_nearer = best.is_none_or(|(least, _)| distance < least);
                        if is_nearer && distance <= radius * radius && is_wanted(point) {
                            best = Some((distance, point));
                        }
                    }
                }
            }
        }
        best.map(|(_, point)| point)
    }

    fn image(
        &self,
        meter: &SurfaceMeter,
        target: &Target,
        bones: &[Option<usize>],
    ) -> Option<Image> {
        if !target.place.is_finite() {
            return None;
        }
        let is_wanted = |point: u32| target.bone.is_none() || bones[point as usize] == target.bone;
        let whole = |point: u32| Image { points: [point; 3], parts: [1.0, 0.0, 0.0] };
        if let Some(same) = self.nearest_within(target.place, self.same, &is_wanted) {
            return Some(whole(same));
        }
        // Mostly something is near.
        let radii = [0.125, 0.5, 1.0].map(|part| part * self.cell);
        let near = |radius: f64| self.nearest_within(target.place, radius, &is_wanted);
        let nearest = radii.into_iter().find_map(near)?;
        let mut best: Option<(f64, Image)> = None;
        for &triangle in meter.triangles_of(nearest) {
            let points = meter.corners(triangle as usize);
            let corners = points.map(|point| self.positions[point as usize]);
            let (distance, parts) = nearest_on(target.place, corners);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, Image { points, parts }));
            }
        }
        Some(best.map_or(whole(nearest), |(_, image)| image))
    }
}

/// The place of a triangle that is nearest to a point: how far it is, and how much of each corner (Ericson 2005, 5.1.5).
fn nearest_on(p: DVec3, [a, b, c]: [DVec3; 3]) -> (f64, [f32; 3]) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let (d3, d4) = (ab.dot(p - b), ac.dot(p - b));
    let (d5, d6) = (ab.dot(p - c), ac.dot(p - c));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let parts = if d1 <= 0.0 && d2 <= 0.0 {
        [1.0, 0.0, 0.0]
    } else if d3 >= 0.0 && d4 <= d3 {
        [0.0, 1.0, 0.0]
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3);
        [1.0 - v, v, 0.0]
    } else if d6 >= 0.0 && d5 <= d6 {
        [0.0, 0.0, 1.0]
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6);
        [1.0 - w, 0.0, w]
    } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        [0.0, 1.0 - w, w]
    } else {
        let sum = va + vb + vc;
        [va / sum, vb / sum, vc / sum]
    };
    // A triangle that is no more than a line has no inside.
    let parts =
        if parts.iter().all(|part: &f64| part.is_finite()) { parts } else { [1.0, 0.0, 0.0] };
    let place = a * parts[0] + b * parts[1] + c * parts[2];
    (place.distance(p), parts.map(|part| part as f32))
}
