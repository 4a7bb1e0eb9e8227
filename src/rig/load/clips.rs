//! Animations → clips.

use super::accessor::Source;
use super::error::{LoadError, limit};
use crate::{Clip, Interpolation, Keys, Node, Property, Track};
use gltf::json::animation::{self, Channel};
use gltf::json::validation::Checked;
use jounce_base::text::counted;
use std::collections::HashSet;

pub(super) fn read(
    source: Source,
    nodes: &[Node],
    notes: &mut Vec<String>,
) -> Result<Vec<Clip>, LoadError> {
    let mut clips = Vec::new();
    let mut key_values = 0;
    for (index, animation) in source.root.animations.iter().enumerate() {
        let name = match animation.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("clip {index}"),
        };
        let mut tracks = Vec::new();
        let channels = channels_that_count(animation);
        let others = animation.channels.len() - channels.len();
        if others > 0 {
            notes.push(format!(
                "clip \"{name}\" animates the same property of the same node more than once; the last one is used \
                 and {} ignored",
                counted(others, "other")
            ));
        }
        for channel in channels {
            let Some(track) = read_track(source, nodes, animation, channel, &name)? else {
                notes.push(format!(
                    "clip \"{name}\" animates morph weights of a node without morph targets; ignored"
                ));
                continue;
            };
            key_values += track.keys.values.len() as u64;
            limit::check("animation values", key_values, limit::KEY_VALUES)?;
            tracks.push(track);
        }
        if tracks.iter().any(|track| track.property == Property::Scale && is_moving(&track.keys)) {
            notes.push(format!(
                "clip \"{name}\" animates scale: the skin follows it, but it adds nothing to bone velocities"
            ));
        }
        clips.push(Clip { name, tracks });
    }
    Ok(clips)
}

/// The format allows one channel per property of a node. Of several the last one counts, as if each had
/// overwritten those before.
fn channels_that_count(animation: &animation::Animation) -> Vec<&Channel> {
    let mut known = HashSet::new();
    let mut counting: Vec<&Channel> = animation
        .channels
        .iter()
        .rev()
        .filter(|channel| known.insert((channel.target.node, property_of(channel))))
        .collect();
    counting.reverse();
    counting
}

/// 0 where it is unknown.
fn property_of(channel: &Channel) -> u8 {
    match channel.target.path {
        Checked::Valid(property) => property as u8 + 1,
        Checked::Invalid => 0,
    }
}

fn read_track(
    source: Source,
    nodes: &[Node],
    animation: &animation::Animation,
    channel: &Channel,
    clip: &str,
) -> Result<Option<Track>, LoadError> {
    let invalid = |what: &str| LoadError::invalid(format!("clip \"{clip}\" {what}"));
    let node = channel.target.node.value();
    let Some(target) = nodes.get(node) else {
        return Err(invalid(&format!("moves node {node}, which does not exist")));
    };
    let (property, width) = match channel.target.path {
        Checked::Valid(animation::Property::Translation) => (Property::Translation, 3),
        Checked::Valid(animation::Property::Rotation) => (Property::Rotation, 4),
        Checked::Valid(animation::Property::Scale) => (Property::Scale, 3),
        Checked::Valid(animation::Property::MorphTargetWeights) => {
            (Property::MorphWeights, target.morph_weight_count)
        }
        Checked::Invalid => return Err(invalid("animates an unknown property")),
    };
    if width == 0 {
        return Ok(None);
    }
    let Some(sampler) = animation.samplers.get(channel.sampler.value()) else {
        return Err(invalid("uses a sampler that does not exist"));
    };
    let interpolation = match sampler.interpolation {
        Checked::Valid(animation::Interpolation::Step) => Interpolation::Step,
        Checked::Valid(animation::Interpolation::Linear) => Interpolation::Linear,
        Checked::Valid(animation::Interpolation::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => return Err(invalid("has an unknown interpolation")),
    };
    let times_secs = source.scalars(sampler.input)?;
    let (values, _) = source.floats(sampler.output, &[1, 3, 4])?;
    let per_key = width * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    if times_secs.is_empty() || values.len() != times_secs.len() * per_key {
        return Err(invalid(&format!(
            "has {} values for {} keys of \"{}\"",
            values.len(),
            times_secs.len(),
            target.name
        )));
    }
    if times_secs.windows(2).any(|pair| pair[1] < pair[0]) {
        return Err(invalid(&format!("has keys of \"{}\" that go back in time", target.name)));
    }
    let keys = Keys { interpolation, width, times_secs, values };
    if property == Property::Rotation && has_zero_rotation(&keys) {
        return Err(invalid(&format!("turns \"{}\" by a quaternion of zeros", target.name)));
    }
    Ok(Some(Track { node, property, keys }))
}

fn is_moving(keys: &Keys) -> bool {
    let first = keys.value(0);
    (1..keys.times_secs.len()).any(|key| {
        let moved = |(a, b): (&f32, &f32)| (a - b).abs() > 1e-4 * a.abs().max(1e-4);
        keys.value(key).iter().zip(first).any(moved)
    })
}

fn has_zero_rotation(keys: &Keys) -> bool {
    (0..keys.times_secs.len()).any(|key| keys.value(key).iter().all(|x| x.abs() < 1e-6))
}
