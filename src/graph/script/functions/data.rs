//! Access to the character's data beyond the sources: motion over a window, maps, numbers per
//! bone, and sums over bones.

use super::Kind::{Any, Float, Known, Text};
use super::{Emitted, Function, function};
use crate::script::kernel::Val;
use jounce_ir::Value;
use jounce_ir::op::MotionPart;
use jounce_ir::{
    AnchorRequest, BoneSet, BoneTable, Builder, Column, MOST_ANCHORS, MapRequest, MapSource,
    Number, Op, Rate, Source, WeightKind,
};

#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    function("bone_linear_velocity", &[Float], "smoothing_secs", "The velocity of each bone relative to its parent, averaged over this many seconds.",
        |b, a| motion(b, MotionPart::LinearVelocity, a)),
    function("bone_angular_velocity", &[Float], "smoothing_secs", "The angular velocity of each bone relative to its parent, in radians per second, averaged over this many seconds.",
        |b, a| motion(b, MotionPart::AngularVelocity, a)),
    function("bone_linear_acceleration", &[Float], "window_secs", "The change of a bone's velocity over a window, per second; 0 stands for 0.1 s.",
        |b, a| motion(b, MotionPart::LinearAcceleration, a)),
    function("bone_angular_acceleration", &[Float], "window_secs", "The change of a bone's angular velocity over a window, per second; 0 stands for 0.1 s.",
        |b, a| motion(b, MotionPart::AngularAcceleration, a)),
    function("map", &[Text, Float], "name, otherwise", "A number per vertex: a painted map, or one in the character's file; `otherwise` where there is none.", |b, a| {
        let Val::Text(name) = &a[0] else { return Ok(None) };
        if name.trim().is_empty() {
            return Ok(Some(a[1].clone()));
        }
        map(b, MapSource::Named(name.trim().to_owned()), &a[1])
    }),
    function("softness", &[], "", "A number per vertex from 0 to 1: thin parts such as ears and tails are soft.", |b, _| {
        Ok(Some(Val::Float(b.source(Source::Softness))))
    }),
    function("looseness", &[], "", "A number per vertex: 0 where a body stands and carries, rising to 1 at the tips of arms, tails, ears and wings, found from the roles of bones.", |b, _| {
        Ok(Some(Val::Float(b.source(Source::Looseness))))
    }),
    function("protrusion", &[], "", "A number per vertex: of parts that stand out without bones of their own, such as ears, 0 where they begin and 1 at their tips.", |b, _| {
        Ok(Some(Val::Float(b.source(Source::Protrusion))))
    }),
    function("piece_offset", &[], "", "A vector per vertex: from it to the middle of its rigid piece (an eye, a helmet), in the frame of its bone; 0 outside of such pieces.", |b, _| {
        let parts = [Source::PieceOffsetX, Source::PieceOffsetY, Source::PieceOffsetZ];
        let [x, y, z] = parts.map(|part| b.source(part));
        Ok(Some(Val::Vec3(b.vec3(x, y, z))))
    }),
    function("protrusion_root", &[], "", "A vector per vertex: from it to where the part without bones that it belongs to (an ear) begins, in the frame of its bone; 0 on everything else.", |b, _| {
        let parts = [Source::ProtrusionRootX, Source::ProtrusionRootY, Source::ProtrusionRootZ];
        let [x, y, z] = parts.map(|part| b.source(part));
        Ok(Some(Val::Vec3(b.vec3(x, y, z))))
    }),
    function("own_bone_value", &[Float], "otherwise", "The number set for each bone, or for a branch of bones, in this node; `otherwise` where none is set.", |b, a| {
        let node = b.node().to_owned();
        let table = Builder::table_entry(&mut b.tables.bone_tables, BoneTable { node });
        let (value, is_set) = (b.leaf(Op::BoneTable(table)), b.leaf(Op::BoneTableIsSet(table)));
        Ok(a[0].float(b).map(|otherwise| Val::Float(b.select(is_set, value, otherwise))))
    }),
    function("is_bone", &[Text, Known], "names, with_branches", "1 for the named bones (separated by commas), and with `with_branches` for all bones below them; otherwise 0.", |b, a| {
        let (Val::Text(names), Some(branches)) = (&a[0], a[1].known_bool(b)) else {
            return Err("`is_bone` takes a text and `true` or `false` for the bones below".to_owned());
        };
        let names = names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        let names: Vec<String> = names.collect();
        let known = b.tables.bone_sets.iter().position(|set| set.names == names && set.branches == branches);
        let place = known.unwrap_or_else(|| {
            let node = b.node().to_owned();
            b.tables.bone_sets.push(BoneSet { node, names, branches });
            b.tables.bone_sets.len() - 1
        });
        Ok(Some(Val::Float(b.leaf(Op::BoneSet(place as u32)))))
    }),
    function("from_anchors", &[Any, Text, Known, Float], "velocity, names, whole_body, planted", "A velocity or acceleration per bone, counted from planted bones instead of from the root: those named (at most 4, separated by commas), or if none is named the feet that are found. What `.sum()` and `sum_upward` make of it is counted from them as much as `planted` says, a number per bone.", from_anchors),
    function("sum_upward", &[Any], "value", "Adds up a value over the bones of each vertex, weighted by the upward weights.",
        |b, a| sum(b, WeightKind::Upward, None, &a[0])),
    function("sum_upward", &[Any, Known], "value, most", "The same with only the `most` largest weights of each vertex.",
        |b, a| sum(b, WeightKind::Upward, Some(&a[1]), &a[0])),
    function("sum_downward", &[Any], "value", "The same with the downward weights.",
        |b, a| sum(b, WeightKind::Downward, None, &a[0])),
    function("sum_downward", &[Any, Known], "value, most", "The same with only the `most` largest weights of each vertex.",
        |b, a| sum(b, WeightKind::Downward, Some(&a[1]), &a[0])),
    function("sum_skin", &[Any], "value", "The same with the skin weights: the mean over a vertex's bones.",
        |b, a| sum(b, WeightKind::Skin, None, &a[0])),
    function("sum_skin", &[Any, Known], "value, most", "The same with only the `most` largest weights of each vertex.",
        |b, a| sum(b, WeightKind::Skin, Some(&a[1]), &a[0])),
    function("relax", &[Any, Float, Known], "value, amount, passes", "Smooths one value per vertex over the surface: in each pass, every vertex moves towards the mean of its neighbours by the amount, 0 to 1.", relax),
    function("upward_weight", &[], "", "How much a bone and all below it move the vertex.",
        |b, _| Ok(Some(weight(b, WeightKind::Upward)))),
    function("downward_weight", &[], "", "How much a bone and all above it move the vertex.",
        |b, _| Ok(Some(weight(b, WeightKind::Downward)))),
    function("skin_weight", &[], "", "How much a bone alone moves the vertex.",
        |b, _| Ok(Some(weight(b, WeightKind::Skin)))),
    function("flesh_weight", &[], "", "How much a flesh element moves the vertex.",
        |b, _| Ok(Some(weight(b, WeightKind::Flesh)))),
    function("exposed", &[Text, Float, Float, Float], "name, value, from, to", "Shows a slider with this name to users of the style.", expose),
];

/// Only a slider of the node itself: what is wired in belongs to another, which may have a name.
fn expose(b: &mut Builder, a: &[Val]) -> Emitted {
    let (Val::Text(name), Val::Float(value)) = (&a[0], &a[1]) else {
        return Ok(None);
    };
    let ends = (slider_setting(b, &a[2]), slider_setting(b, &a[3]));
    let node = b.node().to_owned();
    let own = match b.op(*value) {
        Op::Parameter(place, _) => b.tables.parameters.get_mut(place as usize),
        _ => None,
    };
    let Some(parameter) = own.filter(|parameter| parameter.node == node) else {
        return Err("this slider is wired; remove the wire, or remove the node".to_owned());
    };
    parameter.exposed = Some(name.clone()).filter(|name| !name.trim().is_empty());
    if let (Some(from), Some(to)) = ends
        && from < to
    {
        parameter.soft = Some((from, to));
    }
    Ok(Some(a[1].clone()))
}

fn motion(b: &mut Builder, part: MotionPart, a: &[Val]) -> Emitted {
    let Some(window) = a[0].float(b) else {
        return Ok(None);
    };
    match b.rate(window) {
        Rate::Frame => Ok(Some(Val::Vec3(b.motion(part, window)))),
        rate => Err(format!(
            "the seconds of smoothing must be the same for the whole character, but these differ {}",
            rate.label()
        )),
    }
}

fn map(b: &mut Builder, source: MapSource, otherwise: &Val) -> Emitted {
    let node = b.node().to_owned();
    let same = |known: &MapRequest| known.source == source;
    let place = b.tables.maps.iter().position(same).unwrap_or_else(|| {
        b.tables.maps.push(MapRequest { node, source: source.clone() });
        b.tables.maps.len() - 1
    });
    let map = b.leaf(Op::Map(place as u32));
    let is_there = b.leaf(Op::MapIsThere(place as u32));
    Ok(otherwise.float(b).map(|otherwise| Val::Float(b.select(is_there, map, otherwise))))
}

fn from_anchors(b: &mut Builder, a: &[Val]) -> Emitted {
    let (Val::Text(names), Some(whole_body)) = (&a[1], a[2].known_bool(b)) else {
        return Err(
            "`from_anchors` takes a text, and `true` or `false` for the whole body".to_owned()
        );
    };
    let (Some(velocity), Some(planted)) = (a[0].single(b), a[3].float(b)) else {
        return Ok(None);
    };
    if !matches!(b.rate(planted), Rate::Frame | Rate::Bone) {
        let label = b.rate(planted).label();
        return Err(format!(
            "how much a bone is planted must be one number per bone, but this differs {label}"
        ));
    }
    // The same for all bones: there is nothing to count.
    if !b.rate(velocity).has_bone() {
        return Ok(Some(a[0].clone()));
    }
    let names = names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let names: Vec<String> = names.collect();
    if names.len() > MOST_ANCHORS {
        return Err(format!(
            "at most {MOST_ANCHORS} bones can be anchors, but {} are named; leave some out",
            names.len()
        ));
    }
    let request = AnchorRequest { node: b.node().to_owned(), names, whole_body };
    match b.counted_from_anchors(velocity, planted, request) {
        Some(counted) => Ok(Some(Val::of(b, counted))),
        None => Err("velocities are counted from other anchors already; a graph can have one Anchor node: wire all deformers to it".to_owned()),
    }
}

fn sum(b: &mut Builder, kind: WeightKind, most: Option<&Val>, value: &Val) -> Emitted {
    let keep = match most {
        None => None,
        Some(most) => match most.known_int(b) {
            Some(0) => None,
            Some(most) if most > 0 => Some(most.min(i64::from(u32::MAX)) as u32),
            _ => {
                return Err(
                    "the number of weights to keep must be a whole number; 0 keeps all".to_owned()
                );
            }
        },
    };
    let column = Column { kind, keep };
    let is_anchored = value.single(b).is_some_and(|value| b.is_anchored(value));
    if is_anchored && kind == WeightKind::Upward && keep.is_some() {
        return Err("what is counted from anchors is summed over all bones; set the number of weights to keep to 0, or leave out the Anchor node".to_owned());
    }
    Ok(value.single(b).map(|value| {
        let sum = b.sum(value, column);
        Val::of(b, sum)
    }))
}

/// More passes are not smoother, only slower.
const MOST_PASSES: i64 = 100;

fn relax(b: &mut Builder, a: &[Val]) -> Emitted {
    let Some(passes) = a[2].known_int(b).filter(|passes| (0..=MOST_PASSES).contains(passes)) else {
        return Err(format!("`relax` takes a whole number of passes, from 0 to {MOST_PASSES}"));
    };
    let (Some(value), Some(amount)) = (a[0].single(b), a[1].float(b)) else {
        return Ok(None);
    };
    for (what, part) in [("value", value), ("amount", amount)] {
        if b.rate(part).has_bone() {
            return Err(format!(
                "`relax` smooths one value per vertex, but this {what} differs {}; sum it over the bones first",
                b.rate(part).label()
            ));
        }
    }
    let relaxed = b.relax(value, amount, passes as u32);
    Ok(Some(Val::of(b, relaxed)))
}

fn weight(b: &mut Builder, kind: WeightKind) -> Val {
    let column = Builder::table_entry(&mut b.tables.columns, Column { kind, keep: None });
    Val::Float(b.leaf(Op::Weight(column)))
}

/// A constant, or what a slider stands at in the document.
fn slider_setting(b: &Builder, value: &Val) -> Option<f64> {
    let number = |value: Value| match b.op(value) {
        Op::Parameter(place, _) => Some(b.tables.parameters[place as usize].value),
        op => op.as_constant(),
    };
    match value {
        Val::Int(i) => Some(*i as f64),
        Val::Float(value) => match number(*value) {
            Some(Number::Float(x)) => Some(x),
            _ => None,
        },
        _ => None,
    }
}
