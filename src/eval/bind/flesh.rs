//! The flesh elements that are set for a character, made.

use super::{map_names, named_map};
use crate::bone_names::{BoneNames, Warnings};
use crate::warning::BindWarning;
use jounce_base::character_settings::{CharacterSettings, FleshCurve};
use jounce_rig::Character;
use jounce_rig::flesh::{Attenuation, Flesh};

/// The elements that can be made, with their names.
pub fn all_flesh(
    character: &Character,
    settings: &CharacterSettings,
    names: &BoneNames,
    size: f64,
    warnings: &mut Warnings,
) -> (Vec<String>, Vec<Flesh>) {
    let (mut made_names, mut made) = (Vec::new(), Vec::new());
    for (name, setting) in &settings.flesh {
        let node = format!("flesh \"{name}\"");
        let mut find = |bone: &String| names.find_or_warn(&node, bone, warnings);
        let driver = find(&setting.driver);
        let driven: Vec<usize> = setting.driven.iter().filter_map(&mut find).collect();
        let of_bones: Vec<usize> = match setting.bones.is_empty() {
            true => driver.into_iter().collect(),
            false => setting.bones.iter().filter_map(&mut find).collect(),
        };
        let Some(driver) = driver else { continue };
        let map = setting.map.as_ref().map(|map| {
            let values = named_map(map, character, settings);
            if values.is_none() {
                let nearest = warnings.nearest(map, map_names(character, settings));
                let (node, name) = (node.clone(), map.clone());
                warnings.push(BindWarning::NoMap { node, name, nearest });
            }
            values
        });
        let share = |vertex: usize| {
            let of = |binding: u32| character.bindings[binding as usize].bone;
            let list = character.skin.of(vertex).iter();
            let own = list.filter(|influence| of_bones.contains(&of(influence.index)));
            let weight: f64 = own.map(|influence| f64::from(influence.weight)).sum();
            let painted = match map {
                Some(Some(values)) => values.get(vertex).map_or(0.0, |&x| f64::from(x)),
                _ => 1.0,
            };
            weight * painted
        };
        if let FleshCurve::Points(points) = &setting.curve
            && points.iter().any(|[y, much]| y.abs() > 1.0 || !(0.0..=1.0).contains(much))
        {
            warnings.push(BindWarning::FleshCurve { name: name.clone() });
        }
        let attenuation = match &setting.curve {
            FleshCurve::Parabola => Attenuation::Parabola,
            FleshCurve::Wyvill => Attenuation::Wyvill,
            FleshCurve::Points(points) => Attenuation::Curve(points.clone()),
        };
        let thickness = setting.thickness * size;
        match Flesh::new(character, driver, driven, share, &attenuation, thickness) {
            Ok(flesh) => {
                made_names.push(name.clone());
                made.push(flesh);
            }
            Err(why) => warnings.push(BindWarning::Flesh { name: name.clone(), why }),
        }
    }
    (made_names, made)
}
