//! The parts of a body that a style is judged by, each as an area of its skin.

use jounce_base::Role;
use jounce_base::character_settings::CharacterSettings;
use jounce_eval::bind::corrected_roles;
use jounce_rig::Character;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The ends of tails, ears and wings, with or without bones in them.
    Tips,
    Hands,
    Head,
    Trunk,
}

impl Part {
    pub const ALL: [Part; 4] = [Part::Tips, Part::Hands, Part::Head, Part::Trunk];

    /// How far it should move in its liveliest moments, as a fraction of the character's size.
    pub fn goal(self) -> Range<f64> {
        match self {
            Part::Tips => 0.08..0.12,
            Part::Hands => 0.05..0.08,
            Part::Head => 0.03..0.05,
            // More would look drunk: what the trunk shows is its height, which squash changes.
            Part::Trunk => 0.01..0.03,
        }
    }

    /// The roles whose amounts move it more than they move other parts.
    pub fn roles(self) -> &'static [Role] {
        match self {
            Part::Tips => &[Role::Free],
            Part::Hands => &[Role::Arm, Role::Hand, Role::Finger],
            Part::Head => &[Role::Neck, Role::Head],
            Part::Trunk => &[Role::Trunk],
        }
    }

    /// In a sentence such as "the head moves 4 %".
    pub fn name(self) -> &'static str {
        match self {
            Part::Tips => "tips",
            Part::Hands => "hands",
            Part::Head => "head",
            Part::Trunk => "trunk",
        }
    }

    fn holds(self, vertex: &VertexOfPart) -> bool {
        let stands_out = vertex.protrusion > LOOSE_TIP;
        match self {
            Part::Tips => stands_out || (vertex.role == Role::Free && vertex.looseness > LOOSE_TIP),
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
/// A smaller share of the skin is nothing that anybody looks at.
const LEAST_SHARE: f64 = 5e-4;

struct VertexOfPart {
    role: Role,
    looseness: f32,
    protrusion: f32,
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

/// The parts that a character has.
pub fn parts(character: &Character, settings: &CharacterSettings) -> Vec<PartOfSkin> {
    let roles = corrected_roles(character, settings);
    let looseness = character.roles().looseness(character, &roles);
    let protrusion = character.roles().protrusion(character, &roles);
    let areas = vertex_areas(character);
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
    Part::ALL.into_iter().filter_map(part_of_skin).collect()
}

/// A third of each triangle at its corners.
pub fn vertex_areas(character: &Character) -> Vec<f32> {
    let mut areas = vec![0.0; character.vertex_count()];
    for (triangle, area) in character.mesh.triangles.iter().zip(&character.surface().triangle_areas)
    {
        for corner in triangle {
            areas[*corner as usize] += area / 3.0;
        }
    }
    areas
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
