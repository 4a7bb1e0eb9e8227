//! Many of the character, each at its own time of the motion.

use glam::{Mat4, Vec2, Vec3};

pub const MOST_MEMBERS: usize = 4000;
/// Crowds larger than this stand as a herd, not on a grid.
pub const MOST_ON_GRID: usize = 100;
/// Between two on a grid, as a fraction of the room that one needs.
const GAP: f32 = 0.08;

/// How many, how far apart in time, and where they stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdLayout {
    pub count: usize,
    /// How far each is ahead of the one before, in seconds; None: all at different times, evenly spread
    /// over the motion, of a herd in no order.
    pub spacing_secs: Option<f64>,
}

/// The room that one of them takes over the whole motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    pub min: Vec3,
    pub max: Vec3,
}

impl CrowdLayout {
    pub fn count(&self) -> usize {
        self.count.clamp(1, MOST_MEMBERS)
    }

    pub fn is_herd(&self) -> bool {
        self.count() > MOST_ON_GRID
    }

    /// How far each is ahead of the first.
    pub fn offsets_secs(&self, duration_secs: f64) -> Vec<f64> {
        let even = duration_secs / self.count() as f64;
        match self.spacing_secs {
            Some(spacing_secs) => (0..self.count()).map(|it| it as f64 * spacing_secs).collect(),
            None => self.order().into_iter().map(|place| place as f64 * even).collect(),
        }
    }

    /// The place of each among all times. The first one is where the playhead is.
    fn order(&self) -> Vec<usize> {
        let mut members: Vec<usize> = (0..self.count()).collect();
        if self.is_herd() {
            members[1..].sort_by_key(|&member| hash(member as u64, 0));
        }
        let mut order = vec![0; members.len()];
        members.into_iter().enumerate().for_each(|(place, member)| order[member] = place);
        order
    }

    /// Where each stands: from the motion's own place to the scene.
    pub fn places(&self, room: &Room) -> Vec<Mat4> {
        match self.is_herd() {
            true => self.herd(room),
            false => self.grid(room),
        }
    }

    /// Around the middle of the grid, all looking the same way.
    fn grid(&self, room: &Room) -> Vec<Mat4> {
        let columns = (self.count() as f32).sqrt().ceil() as usize;
        let rows = self.count().div_ceil(columns);
        let pace = (room.max - room.min) * (1.0 + GAP);
        let place = |member: usize| {
            let column = (member % columns) as f32 - (columns - 1) as f32 * 0.5;
            let row = (member / columns) as f32 - (rows - 1) as f32 * 0.5;
            Mat4::from_translation(Vec3::new(column * pace.x, 0.0, -row * pace.z))
        };
        (0..self.count()).map(place).collect()
    }

    /// A field as wide as one sees it from its front, the nearest first: in lines, as cattle walk, but
    /// nobody quite in line, and nobody in anybody's room.
    fn herd(&self, room: &Room) -> Vec<Mat4> {
        let (middle, size) = ((room.min + room.max) * 0.5, room.max - room.min);
        let middle = middle.with_y(0.0);
        // However it is turned, one fits into this, and may stray in what is left.
        let (sine, cosine) = MOST_TURN_DEG.to_radians().sin_cos();
        let wide = size.x * cosine + size.z * sine;
        let long = size.z * cosine + size.x * sine;
        let pace = Vec2::new(wide, long) * (1.0 + STRAY);
        let field = SeenGround::of(self.count(), pace.x * pace.y);
        let reach = field.reach();
        let [columns, rows] = [pace.x, pace.y].map(|pace| (reach / pace).ceil() as i32);
        let lines = (-columns..=columns).flat_map(|x| (-rows..=rows).map(move |z| (x, z)));
        // Lines stand in each other's gaps.
        let spot = |(x, z): (i32, i32)| {
            let shift = if x % 2 == 0 { 0.0 } else { 0.5 };
            Vec2::new(x as f32, z as f32 + shift) * pace
        };
        let away = |at: Vec2| Some((field.away(at)?, at));
        let mut spots: Vec<(f32, Vec2)> = lines.map(spot).filter_map(away).collect();
        spots.sort_by(|a, b| a.0.total_cmp(&b.0));
        let place = |(member, (_, at)): (usize, &(f32, Vec2))| {
            let stray = |salt: u64| 0.5 * STRAY * spread(member, salt);
            let at = *at + Vec2::new(stray(1), stray(2)) * pace;
            let heading_rad = MOST_TURN_DEG.to_radians() * spread(member, 3);
            Mat4::from_translation(middle + Vec3::new(at.x, 0.0, at.y))
                * Mat4::from_rotation_y(heading_rad)
                * Mat4::from_translation(-middle)
        };
        spots.iter().take(self.count()).enumerate().map(place).collect()
    }
}

/// How far one of a herd may be off its place, as a fraction of the way to the next.
const STRAY: f32 = 0.1;
/// A herd looks one way, more or less.
const MOST_TURN_DEG: f32 = 14.0;

/// From where a herd is seen best, in degrees: around it, from above, and how much of it at once.
pub const HERD_VIEW_DEG: [f32; 2] = [32.0, 21.0];
pub const HERD_FOV_DEG: f32 = 34.0;
/// The aspect ratio of the picture that a herd fills.
const HERD_ASPECT: f32 = 1.5;

/// What somebody sees of the ground who looks down at it: a wedge that gets wider with the distance.
struct SeenGround {
    /// The height of the eye above the ground.
    height: f32,
    /// From below the eye to the middle of the field, which is where the scene has its middle.
    middle: f32,
}

impl SeenGround {
    /// Distances on the ground, in heights of the eye.
    fn edges() -> [f32; 2] {
        let [_, pitch_deg] = HERD_VIEW_DEG;
        [0.5, -0.5].map(|part| 1.0 / (pitch_deg + part * HERD_FOV_DEG).to_radians().tan())
    }

    /// Half of what is seen across at a distance, both in heights of the eye.
    fn half_width(away: f32) -> f32 {
        let [_, pitch_deg] = HERD_VIEW_DEG;
        let (sine, cosine) = pitch_deg.to_radians().sin_cos();
        (away * cosine + sine) * (0.5 * HERD_FOV_DEG).to_radians().tan() * HERD_ASPECT
    }

    /// With room for so many.
    fn of(count: usize, area_of_one: f32) -> SeenGround {
        let [near, far] = SeenGround::edges();
        let area = (far - near) * (SeenGround::half_width(near) + SeenGround::half_width(far));
        let height = (count as f32 * area_of_one / area).sqrt();
        SeenGround { height, middle: height * (near + far) * 0.5 }
    }

    /// No part of it is farther from the middle.
    fn reach(&self) -> f32 {
        let [near, far] = SeenGround::edges();
        self.height * Vec2::new((far - near) * 0.75, SeenGround::half_width(far) * 1.3).length()
    }

    /// How far away something on the ground is; None where it is not in the field. It ends where all have
    /// their place.
    fn away(&self, at: Vec2) -> Option<f32> {
        let toward = Vec2::from_angle(HERD_VIEW_DEG[0].to_radians());
        // Looked at from +Z, turned by the view.
        let away = (self.middle - at.dot(Vec2::new(toward.y, toward.x))) / self.height;
        let aside = at.dot(Vec2::new(toward.x, -toward.y)) / self.height;
        let is_inside =
            away >= SeenGround::edges()[0] && aside.abs() <= SeenGround::half_width(away);
        is_inside.then_some(away)
    }
}

/// −1 to 1, the same for one member always.
fn spread(member: usize, salt: u64) -> f32 {
    (hash(member as u64, salt) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

/// Numbers that follow each other give numbers that do not.
fn hash(number: u64, salt: u64) -> u64 {
    let mut x = number.wrapping_add(salt << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for shift in [29, 32] {
        x = (x ^ (x >> shift)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Room = Room { min: Vec3::new(-0.5, 0.0, 2.0), max: Vec3::new(0.5, 2.0, 5.0) };

    /// On the ground, where it stands.
    fn corners(place: &Mat4) -> [Vec2; 4] {
        let Room { min, max } = ROOM;
        [(min.x, min.z), (max.x, min.z), (max.x, max.z), (min.x, max.z)].map(|(x, z)| {
            let at = place.transform_point3(Vec3::new(x, 0.0, z));
            Vec2::new(at.x, at.z)
        })
    }

    /// Two rectangles are apart if a side of one of them has all of the other beyond it.
    fn are_apart(a: &[Vec2; 4], b: &[Vec2; 4]) -> bool {
        let beyond = |a: &[Vec2; 4], b: &[Vec2; 4]| {
            (0..4).any(|i| {
                let (from, to) = (a[i], a[(i + 1) % 4]);
                let outside = (to - from).perp_dot(a[(i + 2) % 4] - from).signum();
                b.iter().all(|p| (to - from).perp_dot(*p - from) * outside < 0.0)
            })
        };
        beyond(a, b) || beyond(b, a)
    }

    #[test]
    fn nobody_stands_in_anybodys_room() {
        for count in [1, 2, 7, 20, 100, 101, 700, 4000] {
            let layout = CrowdLayout { count, spacing_secs: None };
            let all: Vec<[Vec2; 4]> = layout.places(&ROOM).iter().map(corners).collect();
            assert_eq!(all.len(), count);
            for (i, a) in all.iter().enumerate() {
                // Farther than this no two can touch.
                for b in all[i + 1..].iter().filter(|b| b[0].distance(a[0]) < 8.0) {
                    assert!(are_apart(a, b), "{count}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn all_are_at_different_times_of_the_motion_and_a_herd_in_no_order() {
        for count in [1, 9, 4000] {
            let layout = CrowdLayout { count, spacing_secs: None };
            let offsets = layout.offsets_secs(2.0);
            assert_eq!(offsets[0], 0.0);
            assert_eq!(offsets, layout.offsets_secs(2.0), "always the same");
            let mut sorted = offsets.clone();
            sorted.sort_by(f64::total_cmp);
            let even: Vec<f64> = (0..count).map(|i| i as f64 * (2.0 / count as f64)).collect();
            assert_eq!(sorted, even);
            let is_wave = |pair: &[f64]| (pair[1] - pair[0]).abs() < 0.1;
            let waves = offsets.windows(2).filter(|pair| is_wave(pair)).count();
            assert!(count < 100 || waves * 8 < count, "{waves} neighbours move as one");
        }
        let layout = CrowdLayout { count: 500, spacing_secs: Some(0.25) };
        assert_eq!(layout.offsets_secs(2.0)[..3], [0.0, 0.25, 0.5]);
    }
}
