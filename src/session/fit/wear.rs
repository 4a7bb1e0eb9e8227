//! What a style spoils: edges that look torn, and surface that looks the other way.

use super::parts::Part;
use glam::Vec3;

/// A triangle that looks further away than this (cosine) has turned over.
const TURNED_COSINE: f32 = -0.5;
/// An edge that is shorter, or longer, in parts of its length in plain skinning, looks torn.
const WHOLE_EDGES: std::ops::Range<f32> = 0.7..1.5;

/// By the part whose amounts move it; all parts together are the whole.
pub type ByPart = [f64; Part::ALL.len()];

#[derive(Clone, Copy, Debug, Default)]
pub struct Wear {
    pub torn_edges: ByPart,
    pub edges: f64,
    /// Area.
    pub turned: ByPart,
    pub area: f64,
}

/// Of one moment.
pub fn wear(
    triangles: &[[u32; 3]],
    moved_by: &[Part],
    plain: &[Vec3],
    moved: &[Vec3],
    size: f32,
) -> Wear {
    // Slivers look anywhere, and dots have any length.
    let (least_area, least_length) = ((size * 1e-4).powi(2), size * 1e-3);
    let mut wear = Wear::default();
    for triangle in triangles {
        let [i, j, k] = triangle.map(|corner| corner as usize);
        for (from, to) in [(i, j), (j, k), (k, i)] {
            let length = plain[from].distance(plain[to]);
            if length > least_length {
                wear.edges += 1.0;
                let ratio = moved[from].distance(moved[to]) / length;
                let is_torn = !WHOLE_EDGES.contains(&ratio);
                let part = looser(moved_by[from], moved_by[to]);
                wear.torn_edges[part as usize] += f64::from(u8::from(is_torn));
            }
        }
        let facing = |at: &[Vec3]| (at[j] - at[i]).cross(at[k] - at[i]);
        let (was, is) = (facing(plain), facing(moved));
        if was.length() < least_area {
            continue;
        }
        let area = f64::from(was.length()) / 2.0;
        wear.area += area;
        let cosine = was.dot(is) / (was.length() * is.length()).max(f32::MIN_POSITIVE);
        if cosine < TURNED_COSINE {
            let part = looser(looser(moved_by[i], moved_by[j]), moved_by[k]);
            wear.turned[part as usize] += area;
        }
    }
    wear
}

/// Where a part joins another, the looser one pulls.
fn looser(one: Part, other: Part) -> Part {
    if (one as usize) < other as usize { one } else { other }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tears_and_turns_is_counted_at_the_part_that_does_it() {
        for turned in [[1, 3, 2], [3, 2, 1], [2, 1, 3]] {
            head_through_trunk(&[[0, 1, 2], turned]);
        }
    }

    fn head_through_trunk(triangles: &[[u32; 3]]) {
        let plain = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
        let moved_by = [Part::Trunk, Part::Trunk, Part::Trunk, Part::Head];
        let whole = wear(triangles, &moved_by, &plain, &plain, 1.0);
        assert_eq!((whole.edges, whole.area), (6.0, 1.0));
        assert_eq!((whole.torn_edges, whole.turned), Default::default());
        // The head goes through the trunk to its other side.
        let mut moved = plain;
        moved[3] = Vec3::new(-0.5, -0.5, 0.0);
        let worn = wear(triangles, &moved_by, &plain, &moved, 1.0);
        assert_eq!(worn.torn_edges[Part::Head as usize], 2.0);
        assert_eq!(worn.torn_edges[Part::Trunk as usize], 0.0);
        assert_eq!(worn.turned[Part::Head as usize], 0.5);
        assert_eq!(worn.turned.iter().sum::<f64>(), 0.5);
    }
}
