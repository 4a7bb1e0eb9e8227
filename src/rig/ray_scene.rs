//! Triangles in a tree of boxes that answers rays, with a limit for the work of each.
//!
//! ```text
//! nodes      root │ a b │ c d │ e f …     the two children of a node stand side by side
//! triangles  in the order of the leaves
//! ```
//! Built from the top down by the surface area heuristic in bins. Every split parts the triangles, whatever
//! they are, and a tree that gets too deep is halved from there on: n log n for any input. (Builders that
//! join neighbours from below need n² where all triangles lie at one place.)

use glam::{Vec3, Vec3A, Vec4};

pub struct RayScene {
    nodes: Vec<Node>,
    triangles: Vec<Triangle>,
}

/// A box; of a leaf the triangles in it, else its two children. 32 bytes, so that both children come with
/// one line of the cache, and in vectors of four, as processors like it: the fourth has the bits of a number.
#[derive(Clone, Copy)]
struct Node {
    /// And the first triangle of a leaf, or the first of the two children.
    lowest: Vec4,
    /// And how many triangles; 0: this is no leaf.
    highest: Vec4,
}

#[derive(Clone, Copy)]
struct Triangle {
    corner: Vec3A,
    edges: [Vec3A; 2],
}

/// What a ray met first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub length: f32,
    /// The ray came from the side that the triangle's normal points away from.
    pub from_behind: bool,
}

/// The answer to a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cast {
    /// None: nothing, or it was given up.
    pub hit: Option<Hit>,
    /// Boxes and triangles that were looked at.
    pub steps: u32,
    pub was_given_up: bool,
}

const LEAF: usize = 4;
const BINS: usize = 12;
/// Below this depth nodes are halved: the tree is never deeper than twice as much.
const DEEPEST_BY_AREA: usize = 40;
const STACK: usize = 2 * DEEPEST_BY_AREA;

/// A triangle while the tree is built.
#[derive(Clone, Copy)]
struct Item {
    lowest: Vec3,
    triangle: u32,
    highest: Vec3,
}

impl Item {
    /// Twice the centre of its box.
    fn centre(&self) -> Vec3 {
        self.lowest + self.highest
    }
}

#[derive(Clone, Copy)]
struct Bounds {
    lowest: Vec3,
    highest: Vec3,
}

impl Bounds {
    const NOTHING: Bounds = Bounds { lowest: Vec3::INFINITY, highest: Vec3::NEG_INFINITY };

    fn add(&mut self, lowest: Vec3, highest: Vec3) {
        self.lowest = self.lowest.min(lowest);
        self.highest = self.highest.max(highest);
    }

    /// Half of the surface of the box.
    fn area(&self) -> f32 {
        let sides = (self.highest - self.lowest).max(Vec3::ZERO);
        sides.x * sides.y + sides.y * sides.z + sides.z * sides.x
    }
}

impl RayScene {
    pub fn new(triangles: &[[u32; 3]], positions: &[Vec3]) -> RayScene {
        let corners =
            |triangle: usize| triangles[triangle].map(|corner| positions[corner as usize]);
        let mut items: Vec<Item> = (0..triangles.len())
            .map(|triangle| {
                let [a, b, c] = corners(triangle);
                let triangle = triangle as u32;
                Item { lowest: a.min(b).min(c), triangle, highest: a.max(b).max(c) }
            })
            .collect();
        let nodes = tree(&mut items);
        let in_order = items.iter().map(|item| {
            let [a, b, c] = corners(item.triangle as usize);
            Triangle { corner: a.into(), edges: [(b - a).into(), (c - a).into()] }
        });
        RayScene { nodes, triangles: in_order.collect() }
    }

    /// The nearest triangle on the way of a ray, unless more than so many steps are needed to find it.
    pub fn cast(&self, origin: Vec3, direction: Vec3, most_steps: u32) -> Cast {
        // A component of 0 would make a NaN where the ray runs along the side of a box.
        let inverse = Vec3A::from_array(direction.to_array().map(|x| match x.abs() < 1e-30 {
            true => 1e30_f32.copysign(x),
            false => 1.0 / x,
        }));
        let (origin, direction) = (Vec3A::from(origin), Vec3A::from(direction));
        let mut nearest = f32::INFINITY;
        let mut found = None;
        let mut steps = 0;
        let mut stack = [(0_u32, 0.0_f32); STACK];
        let mut waiting = usize::from(!self.nodes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let (mut node, entered) = stack[waiting];
            if entered >= nearest {
                continue;
            }
            loop {
                let (first, count) = self.nodes[node as usize].content();
                steps += 2 + count;
                if steps > most_steps {
                    return Cast { hit: None, steps, was_given_up: true };
                }
                if count > 0 {
                    for triangle in &self.triangles[first as usize..(first + count) as usize] {
                        if let Some(hit) = triangle.hit(origin, direction, nearest) {
                            nearest = hit.length;
                            found = Some(hit);
                        }
                    }
                    break;
                }
                let enters =
                    |child: u32| self.nodes[child as usize].enters(origin, inverse, nearest);
                let (left, right) = (enters(first), enters(first + 1));
                let is_left_first = left <= right;
                let (near, far) = if is_left_first { (left, right) } else { (right, left) };
                if near == f32::INFINITY {
                    break;
                }
                node = first + u32::from(!is_left_first);
                if far < f32::INFINITY {
                    stack[waiting] = (first + u32::from(is_left_first), far);
                    waiting += 1;
                }
            }
        }
        Cast { hit: found, steps, was_given_up: false }
    }
}

impl Node {
    fn new(bounds: Bounds, first: usize, count: usize) -> Node {
        let number = |number: usize| f32::from_bits(number as u32);
        let (lowest, highest) =
            (bounds.lowest.extend(number(first)), bounds.highest.extend(number(count)));
        Node { lowest, highest }
    }

    /// The first triangle or child, and the number of triangles.
    fn content(&self) -> (u32, u32) {
        (self.lowest.w.to_bits(), self.highest.w.to_bits())
    }

    /// Where a ray enters the box; infinite if it does not, or only behind what was found.
    #[inline]
    fn enters(&self, origin: Vec3A, inverse: Vec3A, nearest: f32) -> f32 {
        let (lowest, highest) = (Vec3A::from_vec4(self.lowest), Vec3A::from_vec4(self.highest));
        let (a, b) = ((lowest - origin) * inverse, (highest - origin) * inverse);
        let enters = a.min(b).max_element().max(0.0);
        let leaves = a.max(b).min_element();
        if enters <= leaves && enters < nearest { enters } else { f32::INFINITY }
    }
}

impl Triangle {
    /// Möller and Trumbore 1997, from both sides.
    #[inline]
    fn hit(&self, origin: Vec3A, direction: Vec3A, nearest: f32) -> Option<Hit> {
        let [e1, e2] = self.edges;
        let across = direction.cross(e2);
        let determinant = e1.dot(across);
        let part = 1.0 / determinant;
        let from_corner = origin - self.corner;
        let u = from_corner.dot(across) * part;
        let over = from_corner.cross(e1);
        let v = direction.dot(over) * part;
        let length = e2.dot(over) * part;
        let is_hit = determinant != 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0;
        // The determinant is −direction · normal.
        (is_hit && length >= 0.0 && length < nearest)
            .then_some(Hit { length, from_behind: determinant < 0.0 })
    }
}

/// Sorts the items into leaves.
fn tree(items: &mut [Item]) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(items.len());
    if items.is_empty() {
        return nodes;
    }
    nodes.push(node_of(items, 0));
    let mut open = vec![(0, 0, items.len(), 0)];
    while let Some((node, start, end, depth)) = open.pop() {
        if end - start <= LEAF {
            continue;
        }
        let middle = start + split(&mut items[start..end], depth);
        let first = nodes.len();
        nodes.push(node_of(&items[start..middle], start));
        nodes.push(node_of(&items[middle..end], middle));
        let Node { lowest, highest } = nodes[node];
        let bounds = Bounds { lowest: lowest.truncate(), highest: highest.truncate() };
        nodes[node] = Node::new(bounds, first, 0);
        open.push((first, start, middle, depth + 1));
        open.push((first + 1, middle, end, depth + 1));
    }
    nodes
}

/// As a leaf, which it may stay.
fn node_of(items: &[Item], start: usize) -> Node {
    let mut bounds = Bounds::NOTHING;
    items.iter().for_each(|item| bounds.add(item.lowest, item.highest));
    Node::new(bounds, start, items.len())
}

/// Sorts the items to two sides, neither of them empty; says where the second begins.
fn split(items: &mut [Item], depth: usize) -> usize {
    let mut centres = Bounds::NOTHING;
    items.iter().for_each(|item| centres.add(item.centre(), item.centre()));
    let sides = centres.highest - centres.lowest;
    let axis = sides.max_position();
    let middle = items.len() / 2;
    // Infinite or none: at one place, or farther apart than numbers go.
    let bins_per_length = BINS as f32 / sides[axis];
    if !bins_per_length.is_finite() || depth >= DEEPEST_BY_AREA {
        if sides[axis] > 0.0 {
            let by_centre = |a: &Item, b: &Item| a.centre()[axis].total_cmp(&b.centre()[axis]);
            items.select_nth_unstable_by(middle, by_centre);
        }
        return middle;
    }
    let bin_of = |item: &Item| {
        let bin = ((item.centre()[axis] - centres.lowest[axis]) * bins_per_length) as usize;
        bin.min(BINS - 1)
    };
    let mut bins = [(Bounds::NOTHING, 0_usize); BINS];
    for item in items.iter() {
        let (bounds, count) = &mut bins[bin_of(item)];
        bounds.add(item.lowest, item.highest);
        *count += 1;
    }
    let last_left = cheapest(&bins);
    let mut left = 0;
    for place in 0..items.len() {
        if bin_of(&items[place]) <= last_left {
            items.swap(left, place);
            left += 1;
        }
    }
    if left == 0 || left == items.len() { middle } else { left }
}

/// The last bin of the left side: areas × triangles of both sides are least.
fn cheapest(bins: &[(Bounds, usize); BINS]) -> usize {
    let mut right_costs = [0.0; BINS];
    let (mut bounds, mut count) = (Bounds::NOTHING, 0);
    for bin in (1..BINS).rev() {
        bounds.add(bins[bin].0.lowest, bins[bin].0.highest);
        count += bins[bin].1;
        right_costs[bin] = if count == 0 { f32::INFINITY } else { bounds.area() * count as f32 };
    }
    let (mut bounds, mut count) = (Bounds::NOTHING, 0);
    let (mut best, mut least) = (0, f32::INFINITY);
    for bin in 0..BINS - 1 {
        bounds.add(bins[bin].0.lowest, bins[bin].0.highest);
        count += bins[bin].1;
        let cost = bounds.area() * count as f32 + right_costs[bin + 1];
        if count > 0 && cost < least {
            (best, least) = (bin, cost);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: u32 = 1_000_000;

    /// So many triangles, each by its own three corners.
    fn scene(count: u32, corner: impl Fn(u32, u32) -> Vec3) -> RayScene {
        let triangles: Vec<[u32; 3]> = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let positions: Vec<Vec3> = (0..3 * count).map(|i| corner(i / 3, i % 3)).collect();
        RayScene::new(&triangles, &positions)
    }

    fn flat(at: Vec3, half: f32, corner: u32) -> Vec3 {
        at + [Vec3::new(-half, -half, 0.0), Vec3::new(half, -half, 0.0), Vec3::new(0.0, half, 0.0)]
            [corner as usize]
    }

    #[test]
    fn the_nearest_of_many_is_found_as_by_looking_at_all() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let places: Vec<Vec3> =
            (0..3000).map(|_| Vec3::new(random(), random(), random())).collect();
        let scene = scene(1000, |triangle, corner| {
            places[triangle as usize] + 0.1 * places[(triangle + 1000 * corner) as usize % 3000]
        });
        let mut hits = 0;
        for _ in 0..2000 {
            let origin = 2.0 * Vec3::new(random(), random(), random());
            let direction = Vec3::new(random(), random(), random()).normalize_or(Vec3::X);
            let mut nearest: Option<Hit> = None;
            for triangle in &scene.triangles {
                let before = nearest.map_or(f32::INFINITY, |hit| hit.length);
                let found = triangle.hit(origin.into(), direction.into(), before);
                nearest = found.or(nearest);
            }
            let cast = scene.cast(origin, direction, FAR);
            assert_eq!(cast.hit.map(|hit| hit.length), nearest.map(|hit| hit.length));
            hits += usize::from(nearest.is_some());
        }
        assert!(hits > 100, "{hits}");
    }

    #[test]
    fn sides_are_told_apart() {
        let scene = scene(1, |_, corner| flat(Vec3::ZERO, 1.0, corner));
        let from = |z: f32| scene.cast(Vec3::Z * z, Vec3::Z * -z.signum(), FAR).hit.unwrap();
        assert_eq!(from(2.0), Hit { length: 2.0, from_behind: false });
        assert_eq!(from(-3.0), Hit { length: 3.0, from_behind: true });
        assert_eq!(scene.cast(Vec3::Z, Vec3::X, FAR).hit, None);
        assert_eq!(RayScene::new(&[], &[]).cast(Vec3::Z, Vec3::X, FAR).hit, None);
    }

    /// At one place, around one centre, and ever nearer to each other: trees of all of them are shallow.
    #[test]
    fn no_input_makes_a_deep_tree() {
        let depth = |scene: &RayScene| {
            let mut deepest = 0;
            let mut open = vec![(0_u32, 0)];
            while let Some((node, depth)) = open.pop() {
                deepest = deepest.max(depth);
                let (first, count) = scene.nodes[node as usize].content();
                if count == 0 {
                    open.extend([(first, depth + 1), (first + 1, depth + 1)]);
                }
            }
            deepest
        };
        let one_place = scene(50_000, |_, corner| flat(Vec3::ONE, 1.0, corner));
        assert!(depth(&one_place) < 20, "{}", depth(&one_place));
        let one_centre = scene(50_000, |i, corner| flat(Vec3::ONE, 1.0 + i as f32, corner));
        assert!(depth(&one_centre) < 20, "{}", depth(&one_centre));
        let nearer =
            scene(50_000, |i, corner| flat(Vec3::X * 0.999_f32.powi(i as i32), 1e-30, corner));
        assert!(depth(&nearer) < STACK, "{}", depth(&nearer));
    }

    #[test]
    fn a_ray_through_too_many_is_given_up() {
        // Tilted: every box is entered before its triangle is met.
        let tilted = |corner: u32| flat(Vec3::ZERO, 1.0, corner) + Vec3::Z * corner as f32;
        let scene = scene(5_000, |_, corner| tilted(corner));
        let cast = scene.cast(Vec3::Z * 9.0, -Vec3::Z, 100);
        assert!(cast.was_given_up && cast.hit.is_none() && cast.steps < 200, "{cast:?}");
    }
}
