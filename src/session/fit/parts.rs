//! The parts of a body that a style is judged by, each as an area of its skin.

use glam::Vec3;
use jounce_base::Role;
use jounce_base::character_settings::CharacterSettings;
use jounce_eval::bind::corrected_roles;
use jounce_rig::Character;
use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The ends of tails, wings and other free chains of bones.
    Tips,
    /// Ears and whatever else stands out without bones.
    Ears,
    Hands,
    Head,
    Trunk,
}

impl Part {
    pub const ALL: [Part; 5] = [Part::Tips, Part::Ears, Part::Hands, Part::Head, Part::Trunk];

    /// How far it should move in its liveliest moments, as a fraction of the character's size.
    pub fn goal(self) -> Range<f64> {
        match self {
            Part::Tips => 0.08..0.12,
            // How far they bend: the head takes them along anyway.
            Part::Ears => 0.02..0.06,
            Part::Hands => 0.05..0.08,
            Part::Head => 0.03..0.05,
            // More would look drunk, and less is no loss: what the trunk shows is its height, which squash changes.
            Part::Trunk => 0.0..0.03,
        }
    }

    /// What fitting aims at: nearer to the less of its goal, because too much is what people dislike.
    pub fn target(self) -> f64 {
        let Range { start, end } = self.goal();
        start + (end - start) * 0.25
    }

    /// The roles whose amounts move it more than they move other parts.
    pub fn roles(self) -> &'static [Role] {
        match self {
            Part::Tips => &[Role::Free],
            Part::Ears => &[],
            Part::Hands => &[Role::Arm, Role::Hand, Role::Finger],
            Part::Head => &[Role::Neck, Role::Head],
            Part::Trunk => &[Role::Trunk],
        }
    }

    /// In a sentence such as "the head moves 4 %".
    pub fn name(self) -> &'static str {
        match self {
            Part::Tips => "tips",
            Part::Ears => "ears",
            Part::Hands => "hands",
            Part::Head => "head",
            Part::Trunk => "trunk",
        }
    }

    fn holds(self, vertex: &VertexOfPart) -> bool {
        match self {
            Part::Tips => vertex.role == Role::Free && vertex.looseness > LOOSE_TIP,
            Part::Ears => vertex.protrusion > LOOSE_TIP && vertex.moved_by() == Part::Ears,
            Part::Hands => {
                let is_wrist = vertex.role == Role::Arm && vertex.looseness > LOOSE_TIP;
                is_wrist || matches!(vertex.role, Role::Hand | Role::Finger)
            }
            Part::Head => vertex.role == Role::Head && vertex.protrusion < 0.1,
            Part::Trunk => vertex.role == Role::Trunk && vertex.protrusion < 0.1,
        }
    }
}

/// From here on a chain is its tip.
const LOOSE_TIP: f32 = 0.8;
/// Up to here an ear is where it begins.
const EAR_ROOT: f32 = 0.25;
/// A smaller share of the skin is nothing that anybody looks at.
const LEAST_SHARE: f64 = 5e-4;

struct VertexOfPart {
    role: Role,
    looseness: f32,
    protrusion: f32,
}

impl VertexOfPart {
    /// The part whose amounts move it most.
    fn moved_by(&self) -> Part {
        if self.protrusion > 0.0 && self.role != Role::Free {
            return Part::Ears;
        }
        let moves = |part: &Part| part.roles().contains(&self.role);
        // Legs hang on the trunk and are squashed with it.
        Part::ALL.into_iter().find(moves).unwrap_or(Part::Trunk)
    }
}

/// A part, and how much of its area each of its vertices has.
pub struct PartOfSkin {
    pub part: Part,
    /// Sums to 1.
    pub shares: Vec<(u32, f32)>,
}

impl PartOfSkin {
    /// The mean over its area.
    pub fn mean(&self, of_vertex: impl Fn(usize) -> f32) -> f32 {
        self.shares.iter().map(|(vertex, share)| share * of_vertex(*vertex as usize)).sum()
    }
}

impl Ear {
    pub fn bend(&self, displacement: impl Fn(usize) -> Vec3) -> f32 {
        let mean = |shares: &[(u32, f32)]| {
            shares.iter().fold(Vec3::ZERO, |sum, &(vertex, share)| {
                sum + displacement(vertex as usize) * share
            })
        };
        mean(&self.tip).distance(mean(&self.root))
    }
}

/// By where they begin.
fn ears(vertices: &[VertexOfPart], roots: &[Option<Vec3>], areas: &[f32]) -> Vec<Ear> {
    let mut of_roots: BTreeMap<[u32; 3], [Vec<(u32, f32)>; 2]> = BTreeMap::new();
    for (index, (vertex, root)) in vertices.iter().zip(roots).enumerate() {
        let Some(root) = root.filter(|_| vertex.moved_by() == Part::Ears) else { continue };
        let [tip, base] = of_roots.entry(root.to_array().map(f32::to_bits)).or_default();
        match vertex.protrusion {
            height if height > LOOSE_TIP => tip.push((index as u32, areas[index])),
            height if height < EAR_ROOT => base.push((index as u32, areas[index])),
            _ => {}
        }
    }
    let area = |shares: &[(u32, f32)]| shares.iter().map(|(_, area)| area).sum::<f32>();
    let has_both = |[tip, base]: &[Vec<(u32, f32)>; 2]| area(tip) > 0.0 && area(base) > 0.0;
    let found: Vec<_> = of_roots.into_values().filter(has_both).collect();
    let total: f32 = found.iter().map(|[tip, _]| area(tip)).sum();
    let shares = |of: Vec<(u32, f32)>| {
        let all = area(&of);
        of.into_iter().map(|(vertex, area)| (vertex, area / all)).collect()
    };
    let ear = |[tip, base]: [Vec<(u32, f32)>; 2]| {
        let share = area(&tip) / total;
        Ear { tip: shares(tip), root: shares(base), share }
    };
    found.into_iter().map(ear).collect()
}

/// An ear or another part without bones: what it does itself is how far its tip goes beside its root.
pub struct Ear {
    pub tip: Vec<(u32, f32)>,
    pub root: Vec<(u32, f32)>,
    /// Of all ears.
    pub share: f32,
}

/// The skin of a character by parts.
pub struct PartsOfSkin {
    pub ears: Vec<Ear>,
    /// Those that it has.
    pub parts: Vec<PartOfSkin>,
    /// Per vertex: the part whose amounts move it most.
    pub moved_by: Vec<Part>,
    /// Per vertex: a third of each triangle that it is a corner of.
    pub vertex_areas: Vec<f32>,
}

pub fn parts_of_skin(character: &Character, settings: &CharacterSettings) -> PartsOfSkin {
    let roles = corrected_roles(character, settings);
    let looseness = character.roles().looseness(character, &roles);
    let protrusion = character.roles().protrusion(character, &roles);
    let areas: Vec<f32> = character.areas().of_vertex.iter().map(|area| *area as f32).collect();
    let total: f64 = areas.iter().map(|area| f64::from(*area)).sum();
    let vertex = |index: usize| VertexOfPart {
        role: strongest_role(character, &roles, index),
        looseness: looseness[index],
        protrusion: protrusion[index],
    };
    let vertices: Vec<VertexOfPart> = (0..character.vertex_count()).map(vertex).collect();
    let part_of_skin = |part: Part| {
        let held = vertices.iter().enumerate().filter(|(_, vertex)| part.holds(vertex));
        let own: Vec<(u32, f32)> = held.map(|(index, _)| (index as u32, areas[index])).collect();
        let area: f64 = own.iter().map(|(_, area)| f64::from(*area)).sum();
        let share = |(index, of_vertex)| (index, (f64::from(of_vertex) / area) as f32);
        (area > LEAST_SHARE * total)
            .then(|| PartOfSkin { part, shares: own.into_iter().map(share).collect() })
    };
    let ears = ears(&vertices, character.roles().protrusion_roots(character), &areas);
    let has_part = |part: &Part| *part != Part::Ears || !ears.is_empty();
    let parts = Part::ALL.into_iter().filter(has_part).filter_map(part_of_skin).collect();
    let moved_by = vertices.iter().map(VertexOfPart::moved_by).collect();
    PartsOfSkin { ears, parts, moved_by, vertex_areas: areas }
}

fn strongest_role(character: &Character, roles: &[Role], vertex: usize) -> Role {
    let mut weights = [0.0_f32; Role::ALL.len()];
    for influence in character.skin.of(vertex) {
        let bone = character.bindings[influence.index as usize].bone;
        weights[roles[bone] as usize] += influence.weight;
    }
    let strongest =
        Role::ALL.into_iter().max_by(|a, b| weights[*a as usize].total_cmp(&weights[*b as usize]));
    strongest.unwrap_or_default()
}
