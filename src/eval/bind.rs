//! What a program reads of one character, looked up once.
//!
//! A style that meets a character without the maps or bones it names falls back to defaults, with
//! one [`BindWarning`] each.

use super::anchors::{AnchorReach, Anchors};
use super::bone_names::{BoneNames, Warnings};
use super::bone_numbers::{BoneNumbers, bone_numbers};
use super::hierarchy;
use super::neighbours::Neighbours;
use super::pairs::{AddedRows, Pairs, pairs_and_weights};
use super::skinning::Skin;
use super::validate::is_sane;
use super::vertex_tables::{VertexTable, vertex_table};
use super::warning::BindWarning;
use flesh::all_flesh;
use glam::{DVec3, Vec3};
use jounce_base::Role;
use jounce_base::character_settings::{BoneSetting, CharacterSettings};
use jounce_ir::{AnchorRequest, BoneSet, BoneTable, MapRequest, MapSource, Program, Source};
use jounce_rig::flesh::Flesh;
use jounce_rig::{Character, CharacterError, Skeleton};
use std::collections::BTreeMap;
use std::sync::Arc;

mod flesh;
mod repaint;

/// All lists are in the order of the program's tables, then of bones, vertices or pairs. Long ones are shared, so that
/// a binding whose maps differ ([`Bound::with_maps_of`]) is made in no time.
///
/// Lists of bones have a further entry for each flesh element, and then for each row of an anchor.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// For messages.
    pub bone_names: Vec<String>,
    pub bone_numbers: Vec<BoneNumbers>,
    /// None where no number is set.
    pub bone_tables: Vec<Vec<Option<f64>>>,
    pub bone_sets: Vec<Vec<f64>>,
    pub rest_positions: Arc<Vec<DVec3>>,
    pub rest_normals: Arc<Vec<DVec3>>,
    /// Empty where the program moves none.
    pub flesh: Vec<Flesh>,
    /// None where the program counts from the root.
    pub anchors: Anchors,
    /// None where the character has no such map.
    pub maps: Vec<Option<Arc<Vec<f64>>>>,
    pub pairs: Arc<Pairs>,
    /// Per column of the program one weight per pair.
    pub weights: Arc<Vec<Vec<f64>>>,
    /// Per bone, in its own frame; empty where none is set.
    pub centroid_offsets: Vec<DVec3>,
    /// ℓ > 0.
    pub size: f64,
    pub ground_height: f64,
    /// From the ground to the top of the rest pose.
    pub height: f64,
    /// What evaluators skin by themselves; None where skinned vertices are always given.
    pub skin: Option<Arc<Skin>>,
    /// Empty if the program does not smooth over the surface.
    pub neighbours: Arc<Neighbours>,
    pub warnings: Vec<BindWarning>,
}

impl Bound {
    /// Of a character that hangs as the program wants it: see [`hierarchy::hung`].
    pub fn new(
        program: &Program,
        character: &Character,
        settings: &CharacterSettings,
    ) -> Result<Bound, CharacterError> {
        let tables = &program.tables;
        let skeleton = &character.skeleton;
        let mut names = BoneNames::new(skeleton);
        let (parents, parent_warnings) = hierarchy::parents(program, character, settings);
        if !skeleton.bones.iter().map(|bone| bone.parent).eq(parents.iter().copied()) {
            return Err(CharacterError::OtherParents);
        }
        let mut warnings = Warnings::default();
        parent_warnings.into_iter().for_each(|warning| warnings.push(warning));
        let size = size(character, settings, &mut warnings);
        let (flesh_names, flesh) = match program.has_flesh() {
            true => all_flesh(character, settings, &names, size, &mut warnings),
            false => (Vec::new(), Vec::new()),
        };
        names.elements = flesh_names;
        let (anchors, reach) = match &tables.anchors {
            Some(request) => all_anchors(request, character, &names, size, &mut warnings),
            None => Default::default(),
        };
        let added = AddedRows { flesh: &flesh, anchors: &anchors, reach: &reach };
        let (pairs, weights) = pairs_and_weights(character, &tables.columns, &added)?;
        let roles = roles_if_read(program, character, settings, &names, &mut warnings);
        let map = |request| map(request, character, settings, &roles, &mut warnings);
        let maps = tables.maps.iter().map(map).collect();
        let table = |table| bone_table(table, skeleton, &names, settings, &mut warnings);
        let mut bone_tables: Vec<_> = tables.bone_tables.iter().map(table).collect();
        let set = |set| bone_set(set, skeleton, &names, &mut warnings);
        let mut bone_sets: Vec<_> = tables.bone_sets.iter().map(set).collect();
        let centroid_offsets = centroid_offsets(settings, &names, &mut warnings);
        let bone_names = names.names.iter().map(|&name| name.to_owned());
        let bone_names = bone_names.chain(names.elements).collect();
        let rows = skeleton.bones.len() + flesh.len();
        let mut bone_numbers = with_rows(bone_numbers(program, character, &roles), rows);
        bone_tables.iter_mut().for_each(|table| add_anchor_rows(table, &anchors));
        bone_sets.iter_mut().for_each(|set| add_anchor_rows(set, &anchors));
        add_anchor_rows(&mut bone_numbers, &anchors);
        Ok(Bound {
            bone_names,
            bone_numbers,
            bone_tables,
            bone_sets,
            flesh,
            anchors,
            rest_positions: in_f64(&character.rest().positions).into(),
            rest_normals: in_f64(&character.rest().normals).into(),
            maps,
            pairs: pairs.into(),
            weights: weights.into(),
            centroid_offsets,
            size,
            ground_height: character.rest_bounds().0.y.into(),
            height: (character.rest_bounds().1.y - character.rest_bounds().0.y).into(),
            skin: Some(Arc::new(Skin {
                positions: character.mesh.positions.clone(),
                normals: character.mesh.normals.clone(),
                influences: character.skin.clone(),
                binding_count: character.bindings.len(),
                bone_of_binding: character.bindings.iter().map(|b| b.bone as u32).collect(),
                bone_parents: parents,
            })),
            neighbours: match program.has_relaxations() {
                true => Neighbours::new(character.surface()),
                false => Neighbours::default(),
            }
            .into(),
            warnings: warnings.0,
        })
    }

    /// What the settings of a character name and it does not have, for a program that need not read
    /// all of them: flesh is looked at even where nothing swings it.
    pub fn warnings(
        program: &Program,
        character: &Character,
        settings: &CharacterSettings,
    ) -> Result<Vec<BindWarning>, CharacterError> {
        let mut warnings = Warnings(Bound::new(program, character, settings)?.warnings);
        if !program.has_flesh() {
            let names = BoneNames::new(&character.skeleton);
            let size = size(character, settings, &mut Warnings::default());
            all_flesh(character, settings, &names, size, &mut warnings);
        }
        Ok(warnings.0)
    }

    pub fn vertex_count(&self) -> usize {
        self.rest_positions.len()
    }

    pub fn bone_count(&self) -> usize {
        self.row_count().saturating_sub(self.flesh.len() + self.anchors.rows.len())
    }

    /// Of the bone table: the bones, then the flesh elements, then what anchors add.
    pub fn row_count(&self) -> usize {
        self.bone_numbers.len()
    }
}

fn in_f64(vectors: &[Vec3]) -> Vec<DVec3> {
    vectors.iter().map(|v| v.as_dvec3()).collect()
}

/// What is said of a bone holds for the rows that anchors make of it.
fn add_anchor_rows<T: Copy>(list: &mut Vec<T>, anchors: &Anchors) {
    let of_anchors: Vec<T> = anchors.rows.iter().map(|row| list[row.bone]).collect();
    list.extend(of_anchors);
}

fn all_anchors(
    request: &AnchorRequest,
    character: &Character,
    names: &BoneNames,
    size: f64,
    warnings: &mut Warnings,
) -> (Anchors, AnchorReach) {
    let mut missing = Vec::new();
    let find = |name: &str| names.find_or_warn(&request.node, name, warnings);
    let made = Anchors::new(request, character, size, find, |warning| missing.push(warning));
    missing.into_iter().for_each(|warning| warnings.push(warning));
    made
}

/// Flesh elements have no place among bones.
fn with_rows<T: Clone + Default>(mut list: Vec<T>, rows: usize) -> Vec<T> {
    list.resize(rows, T::default());
    list
}

fn from_bool(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

fn is_length(x: f64) -> bool {
    x > 0.0 && is_sane(x)
}

fn size(character: &Character, settings: &CharacterSettings, warnings: &mut Warnings) -> f64 {
    let own = character.size();
    let own = if is_length(own) { own } else { 1.0 };
    match settings.size {
        Some(set) if is_length(set) => set,
        Some(_) => {
            warnings.push(BindWarning::Size { used: own });
            own
        }
        None => own,
    }
}

/// Where warnings say that bones are named: no node does.
const CENTROID_OFFSETS: &str = "centroid offsets";

/// Empty where none is set, so that most characters pay nothing.
fn centroid_offsets(
    settings: &CharacterSettings,
    names: &BoneNames,
    warnings: &mut Warnings,
) -> Vec<DVec3> {
    if settings.centroid_offsets.is_empty() {
        return Vec::new();
    }
    let mut offsets = vec![DVec3::ZERO; names.names.len()];
    for (name, offset) in &settings.centroid_offsets {
        let (node, insane) = (CENTROID_OFFSETS, offset.iter().any(|&x| !is_sane(x)));
        if insane {
            let (node, name) = (node.to_owned(), name.clone());
            warnings.push(BindWarning::BoneNumber { node, name });
        } else if let Some(bone) = names.find_or_warn(node, name, warnings) {
            offsets[bone] = DVec3::from_array(*offset);
        }
    }
    offsets
}

/// Where warnings say that bones are named: no node does.
const ROLES: &str = "roles";

/// The roles of the bones, as the settings correct them. Names that no bone has change nothing.
pub fn corrected_roles(character: &Character, settings: &CharacterSettings) -> Vec<Role> {
    let names = BoneNames::new(&character.skeleton);
    let known = |(name, role): (&String, &Role)| Some((names.find(name)?, *role));
    let corrections: Vec<(usize, Role)> = settings.roles.iter().filter_map(known).collect();
    character.roles().corrected(&corrections)
}

/// Of the bones, as the settings correct them. Empty for a program that reads nothing of them, so that it pays
/// nothing.
fn roles_if_read(
    program: &Program,
    character: &Character,
    settings: &CharacterSettings,
    names: &BoneNames,
    warnings: &mut Warnings,
) -> Vec<Role> {
    let of_maps = [Source::Looseness, Source::Protrusion].map(MapSource::Derived);
    let is_read = program.reads(Source::BoneRole)
        || program.reads(Source::BoneLooseness)
        || program.tables.maps.iter().any(|map| of_maps.contains(&map.source));
    // What is misspelt is told all the same.
    for name in settings.roles.keys() {
        names.find_or_warn(ROLES, name, warnings);
    }
    if is_read { corrected_roles(character, settings) } else { Vec::new() }
}

fn map(
    request: &MapRequest,
    character: &Character,
    settings: &CharacterSettings,
    roles: &[Role],
    warnings: &mut Warnings,
) -> Option<Arc<Vec<f64>>> {
    let name = match &request.source {
        MapSource::Derived(source) => {
            let VertexTable { values, warning } =
                vertex_table(source.info().derived_map()?, &request.node, character, roles);
            warning.into_iter().for_each(|warning| warnings.push(warning));
            return Some(values.into());
        }
        MapSource::Named(name) => name,
    };
    let (node, name) = (request.node.clone(), name.clone());
    let Some(values) = named_map(&name, character, settings) else {
        let nearest = warnings.nearest(&name, map_names(character, settings));
        warnings.push(BindWarning::NoMap { node, name, nearest });
        return None;
    };
    let (found, expected) = (values.len(), character.vertex_count());
    if found != expected {
        warnings.push(BindWarning::MapLength { node, name, found, expected });
        return None;
    }
    if is_of_another_mesh(&name, character, settings) {
        let (node, name) = (node.clone(), name.clone());
        warnings.push(BindWarning::MapOfAnotherMesh { node, name });
    }
    let mut count = 0;
    let mut sane = |x: f64| {
        count += usize::from(!is_sane(x));
        if is_sane(x) { x } else { 0.0 }
    };
    let values: Vec<f64> = values.iter().map(|&x| sane(x.into())).collect();
    if count > 0 {
        warnings.push(BindWarning::MapNumbers { node, name, count });
    }
    Some(values.into())
}

/// Painted maps before those of the file; exactly that name, or else but for upper and lower case.
pub fn named_map<'a>(
    name: &str,
    character: &'a Character,
    settings: &'a CharacterSettings,
) -> Option<&'a [f32]> {
    let find = |same: &dyn Fn(&str) -> bool| {
        let painted = settings.maps.iter().find(|(painted, _)| same(painted));
        let painted = painted.map(|(_, values)| &**values);
        let in_file = || {
            let map = character.maps.iter().find(|map| same(&map.name) || same(&map.attribute))?;
            Some(map.values.as_slice())
        };
        painted.or_else(in_file)
    };
    find(&|known| known == name).or_else(|| find(&|known| known.eq_ignore_ascii_case(name)))
}

/// Was the painted map of this name made for other vertices than these?
fn is_of_another_mesh(name: &str, character: &Character, settings: &CharacterSettings) -> bool {
    let exact = settings.maps.get_key_value(name);
    let alike = || settings.maps.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let mesh = exact.or_else(alike).and_then(|(_, painted)| painted.mesh);
    mesh.is_some_and(|mesh| mesh != character.mesh_fingerprint())
}

pub(super) fn map_names<'a>(
    character: &'a Character,
    settings: &'a CharacterSettings,
) -> impl Iterator<Item = &'a str> {
    let painted = settings.maps.keys().map(String::as_str);
    painted.chain(character.maps.iter().map(|map| map.name.as_str()))
}

fn bone_table(
    table: &BoneTable,
    skeleton: &Skeleton,
    names: &BoneNames,
    settings: &CharacterSettings,
    warnings: &mut Warnings,
) -> Vec<Option<f64>> {
    let nothing = BTreeMap::new();
    let set = settings.bone_values.get(&table.node).unwrap_or(&nothing);
    set_values(&table.node, set, skeleton, names, warnings)
}

/// Per bone what is set for it, or else for the nearest branch that it is in; then per flesh element. A
/// name that a bone and an element share means both: no node looks at both.
fn set_values(
    node: &str,
    set: &BTreeMap<String, BoneSetting>,
    skeleton: &Skeleton,
    names: &BoneNames,
    warnings: &mut Warnings,
) -> Vec<Option<f64>> {
    let mut own: Vec<Option<BoneSetting>> = vec![None; skeleton.bones.len()];
    let mut of_elements = vec![None; names.elements.len()];
    for (name, setting) in set {
        if !is_sane(setting.value) {
            let (node, name) = (node.to_owned(), name.clone());
            warnings.push(BindWarning::BoneNumber { node, name });
            continue;
        }
        if let Some(row) = names.find_element(name) {
            of_elements[row - names.names.len()] = Some(setting.value);
        }
        if let Some(bone) = names.find_or_warn(node, name, warnings)
            // A name that fits exactly goes before one that fits but for its case.
            && (own[bone].is_none() || names.names[bone] == name)
        {
            own[bone] = Some(*setting);
        }
    }
    // Parents come before children, so what holds for a whole branch is known when it is reached.
    let mut of_branch: Vec<Option<f64>> = vec![None; own.len()];
    let mut values = vec![None; own.len()];
    for &bone in &skeleton.bones_parents_first {
        let above = skeleton.bones[bone].parent.and_then(|parent| of_branch[parent]);
        let for_branch = own[bone].filter(|setting| setting.branch);
        of_branch[bone] = for_branch.map(|setting| setting.value).or(above);
        values[bone] = own[bone].map(|setting| setting.value).or(above);
    }
    values.extend(of_elements);
    values
}

fn bone_set(
    set: &BoneSet,
    skeleton: &Skeleton,
    names: &BoneNames,
    warnings: &mut Warnings,
) -> Vec<f64> {
    let mut is_in = vec![false; names.row_count()];
    for name in &set.names {
        let bone = names.find_or_warn(&set.node, name, warnings);
        bone.into_iter().chain(names.find_element(name)).for_each(|row| is_in[row] = true);
    }
    if set.branches {
        for &bone in &skeleton.bones_parents_first {
            is_in[bone] |= skeleton.bones[bone].parent.is_some_and(|parent| is_in[parent]);
        }
    }
    is_in.into_iter().map(from_bool).collect()
}
