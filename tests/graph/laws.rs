//! What holds for every sequence of commands.

use crate::library::library;
use jounce::eval::keyed_value::{KeyInterpolation, KeyNumber, KeyedValue, ValueKey};
use jounce::graph::*;
use jounce::script::Setting;
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// Numbers from which a command is made, in view of the document: most of what comes out makes
/// sense, some does not.
type Dice = [u16; 5];

fn rounds() -> u32 {
    let given = std::env::var("JOUNCE_FUZZ_ROUNDS").ok();
    given.and_then(|rounds| rounds.parse().ok()).unwrap_or(60)
}

fn pick<T: Clone>(items: impl IntoIterator<Item = T>, die: u16, missing: T) -> T {
    let items: Vec<T> = items.into_iter().collect();
    // One in 32 is not there.
    if items.is_empty() || die.is_multiple_of(32) {
        return missing;
    }
    items[die as usize / 32 % items.len()].clone()
}

fn word(die: u16) -> String {
    ["a", "b", "max angle", "position", "displacement", "result", "ä", "…"][die as usize % 8]
        .to_owned()
}

fn setting(die: u16) -> Setting {
    match die % 9 {
        0 => Setting::Bool(die > 99),
        1 => Setting::Vec3([0.1, -0.0, f64::from(die)]),
        2 => Setting::Quat([0.0, 0.0, 0.0, 1.0]),
        3 => Setting::Text("smooth \"\n".to_owned()),
        4 => Setting::Other(json!({"z": [1.0, null], "a": {"b": f64::from(die) / 3.0}})),
        5 => Setting::Other(json!([1, 2, 3])),
        6 if die > 60_000 => Setting::Float(f64::NAN),
        _ => Setting::Float(f64::from(die) / 7.0),
    }
}

fn command(document: &Document, dice: Dice) -> Command {
    let [kind, a, b, c, d] = dice;
    let style = &document.style;
    let graph = match a % 3 {
        0 => GraphRef::Group(pick(style.groups.keys().cloned(), a, "gone".to_owned())),
        _ => GraphRef::Top,
    };
    let empty = Graph::default();
    let inside = style.graph(&graph).unwrap_or(&empty);
    let node = |die| pick(inside.nodes.keys().cloned(), die, "gone".to_owned());
    let port = |die: u16| PortRef::new(node(die), word(die / 7));
    let group = |die| pick(style.groups.keys().cloned(), die, "New".to_owned());
    let some = |die: u16| !die.is_multiple_of(4);
    let selection = || Selection {
        nodes: [node(b), node(c), node(d)].into_iter().filter(|id| id != "gone").collect(),
        frames: inside.frames.keys().take(usize::from(b % 2)).cloned().collect(),
        comments: inside.comments.keys().take(usize::from(c % 2)).cloned().collect(),
    };
    let (character, nothing) =
        (["cow", "snail"][usize::from(a % 2)].to_owned(), Command::Batch(vec![]));
    match kind % 27 {
        26 => {
            // Some are not in order, or before the start.
            let key = |die: u16| ValueKey {
                time_secs: f64::from(die) / 700.0 - 0.5,
                value: KeyNumber::Float(f64::from(die / 5)),
                interpolation: KeyInterpolation::ALL[usize::from(die % 3)],
            };
            let mut keys = vec![key(b), key(c), key(d)];
            if some(a) {
                keys.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
            }
            let parameter = match some(b) {
                true => format!("{}.{}", node(b), word(c)),
                false => "amount".to_owned(),
            };
            let keys = some(d).then_some(KeyedValue { keys });
            Command::SetKeys { clip: word(a % 3), parameter, keys }
        }
        0..=2 => {
            let types = ["Floppy", "Add", "Noise", "Output", "Unknown 7", "Expression"];
            let mut new = Node::new(types[usize::from(b) % 6]);
            if d.is_multiple_of(5) {
                new.node_type = format!("group:{}", group(c));
            }
            new.position = [f64::from(b), f64::from(c) / 3.0];
            new.code = (b % 6 == 5).then(|| "input(\"x\", FLOAT, 1.0);\r\n\n".to_owned());
            let id = if c.is_multiple_of(16) { node(c) } else { inside.fresh_id(&new.node_type) };
            Command::AddNode { graph, id, node: new }
        }
        3 => Command::RemoveNode { id: node(b), graph },
        4 => Command::SetSetting {
            node: node(b),
            graph,
            port: word(c),
            value: some(c).then(|| setting(d)),
        },
        5 => Command::SetTitle { node: node(b), graph, title: some(c).then(|| word(d)) },
        6 if some(d) => Command::SetMutedBySolo {
            node: node(b),
            graph,
            muted: some(c),
            before: d.is_multiple_of(3).then_some(some(b)),
        },
        6 => Command::SetMuted { node: node(b), graph, muted: some(c) },
        7 => Command::SetCollapsed { node: node(b), graph, collapsed: some(c) },
        8 => Command::SetCode { node: node(b), graph, code: some(c).then(|| word(d).repeat(30)) },
        9 => Command::SetType { node: node(b), graph, node_type: format!("group:{}", group(c)) },
        10 => {
            let positions = [(node(b), [f64::from(c), 0.0]), (node(c), [0.5, f64::from(d)])];
            Command::MoveNodes { graph, positions: BTreeMap::from(positions) }
        }
        11..=14 => {
            let link = Link::new(port(b), port(c));
            Command::Connect { graph, link, adds: d.is_multiple_of(2) }
        }
        15 => {
            let any = Link::new(port(b), port(c));
            Command::Disconnect { link: pick(inside.links.iter().cloned(), d, any), graph }
        }
        16 => {
            let members = [node(c), node(d)].into_iter().collect();
            let frame = NodeFrame { title: word(c), color: [1, 2, 255], members };
            Command::SetFrame {
                graph,
                id: format!("frame{}", b % 3),
                frame: some(d).then_some(frame),
            }
        }
        17 => {
            let (position, size) = ([f64::from(c), 0.1], [100.0, f64::from(d)]);
            let comment = Comment { text: word(c), position, size };
            let id = format!("comment{}", b % 3);
            Command::SetComment { graph, id, comment: some(d).then_some(comment) }
        }
        18 => Command::SetGroup { name: group(b), group: some(c).then(Group::default) },
        19 => {
            let name = group(b);
            let inner = style.groups.get(&name).map(|group| group.graph.nodes.keys().cloned());
            let ports = inner.into_iter().flatten().zip([c, d]).map(|(node, die)| Published {
                name: word(die),
                inner: PortRef::new(node, word(die / 9)),
            });
            let ports: Vec<Published> = ports.collect();
            let outputs = if some(b) { ports.clone() } else { Vec::new() };
            Command::SetPublished { group: name, inputs: ports, outputs }
        }
        20 => {
            let value = some(c).then(|| BoneSetting { value: f64::from(d) / 9.0, branch: some(d) });
            Command::SetBoneValue { character, node: node(b), bone: word(c / 5), value }
        }
        21 => {
            let values: Vec<f32> = (0..d % 50).map(|i| f32::from(i) / f32::from(b)).collect();
            Command::SetMap { character, map: word(c), values: some(c).then_some(values.into()) }
        }
        22 => match b % 7 {
            6 => {
                if b % 2 == 0 {
                    let role = some(c).then(|| Role::ALL[usize::from(d) % Role::ALL.len()]);
                    Command::SetRole { character, bone: word(d), role }
                } else {
                    let parent = some(c).then(|| some(d).then(|| word(b)));
                    Command::SetParent { character, bone: word(d), parent }
                }
            }
            4 => {
                let offset = some(c).then(|| [f64::from(c), f64::from(d) / f64::from(b), 0.0]);
                Command::SetCentroidOffset { character, bone: word(d), offset }
            }
            5 if some(c) => Command::SetStyle(Style::default()),
            5 => Command::SetStyle(style.clone()),
            3 => {
                let flesh = FleshSetting {
                    driver: word(d),
                    driven: vec![word(c)],
                    curve: FleshCurve::Points(vec![[f64::from(c) / f64::from(d), 0.5]]),
                    ..FleshSetting::default()
                };
                Command::SetFlesh { character, element: word(c), flesh: some(c).then_some(flesh) }
            }
            0 => Command::SetSize { character, size: some(c).then(|| f64::from(d)) },
            1 => Command::SetCharacter { character, settings: None },
            _ => Command::SetMotion(MotionSettings {
                clip: some(c).then(|| word(c)),
                looped: some(d),
                fps: some(b / 3).then(|| f64::from(d)),
                ..MotionSettings::default()
            }),
        },
        23 => {
            let name = style.fresh_group_name(&word(d));
            make_group(document, &graph, &selection(), &name).map_or(nothing, |edit| edit.command)
        }
        24 => match b % 4 {
            0 => ungroup(document, &graph, &node(c)).map_or(nothing, |edit| edit.command),
            1 => duplicate(document, &graph, &selection(), [20.0, 20.0]).command,
            2 => delete(document, &graph, &selection()),
            _ => delete_and_rewire(document, &library(), &graph, &node(c)).unwrap_or(nothing),
        },
        _ => {
            let halves = [[kind / 27, b, c, d, a], [kind / 31, c, d, a, b]];
            Command::Batch(halves.map(|dice| command(document, dice)).into())
        }
    }
}

fn text(document: &Document) -> String {
    document.to_text().unwrap()
}

/// A document made by a sequence of commands.
fn grown(sequence: &[Dice]) -> Document {
    let mut document = Document::default();
    for dice in sequence {
        let _ = document.apply(command(&document, *dice));
    }
    document
}

fn sequences() -> impl Strategy<Value = Vec<Dice>> {
    prop::collection::vec(any::<Dice>(), 0..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_command_is_undone_exactly_or_changes_nothing(sequence in sequences()) {
        let mut document = Document::default();
        for dice in sequence {
            let before = document.clone();
            let command = command(&document, dice);
            match document.apply(command.clone()) {
                Ok(inverse) => {
                    prop_assert_eq!(document.validate_invariants(), Ok(()), "{:?}", command);
                    let mut undone = document.clone();
                    let again = undone.apply(inverse).unwrap();
                    prop_assert_eq!(&undone, &before);
                    prop_assert_eq!(text(&undone), text(&before));
                    undone.apply(again).unwrap();
                    prop_assert_eq!(&undone, &document);
                }
                Err(error) => {
                    prop_assert_eq!(&document, &before, "{}", error);
                    prop_assert!(!error.to_string().is_empty());
                }
            }
        }
    }

    #[test]
    fn a_history_leads_back_and_forth(sequence in sequences()) {
        let (mut document, mut history) = (Document::default(), History::default());
        for (index, dice) in sequence.iter().enumerate() {
            let command = command(&document, *dice);
            match dice[4] % 5 {
                0 => history.begin(Owner::Hand(index as u64), format!("drag {index}")),
                1 => history.cancel(&mut document).unwrap(),
                2 if index % 3 == 0 => drop(history.undo(&mut document).unwrap()),
                2 => drop(history.perform(&mut document, "step", command)),
                _ => drop(history.update(&mut document, command)),
            }
            prop_assert_eq!(document.validate_invariants(), Ok(()));
        }
        history.commit();
        let last = document.clone();
        let mut undone = 0;
        while history.undo(&mut document).unwrap().is_some() {
            undone += 1;
        }
        prop_assert_eq!(&document, &Document::default());
        for _ in 0..undone {
            history.redo(&mut document).unwrap();
        }
        prop_assert_eq!(&document, &last);
    }

    #[test]
    fn what_is_saved_is_loaded_again(sequence in sequences()) {
        let document = grown(&sequence);
        let saved = text(&document);
        let loaded = Document::from_bytes(saved.as_bytes()).unwrap();
        prop_assert_eq!(&loaded.document, &document);
        prop_assert_eq!(loaded.notes, []);
        prop_assert_eq!(text(&loaded.document), saved);
    }

    #[test]
    fn a_broken_file_is_an_error_or_a_sound_document(sequence in sequences(), cut in any::<(u16, u8, u8)>()) {
        let mut bytes = text(&grown(&sequence)).into_bytes();
        let at = usize::from(cut.0) % bytes.len();
        match cut.1 % 3 {
            0 => bytes[at] = cut.2,
            1 => drop(bytes.drain(at..(at + usize::from(cut.2)).min(bytes.len()))),
            _ => {
                let copied = bytes[at..(at + usize::from(cut.2)).min(bytes.len())].to_vec();
                bytes.splice(at..at, copied);
            }
        }
        if let Ok(loaded) = Document::from_bytes(&bytes) {
            prop_assert_eq!(loaded.document.validate_invariants(), Ok(()));
            let saved = text(&loaded.document);
            prop_assert_eq!(text(&Document::from_bytes(saved.as_bytes()).unwrap().document), saved);
        }
    }

    #[test]
    fn checking_never_fails(sequence in sequences()) {
        let document = grown(&sequence);
        for problem in check(&document, &library()) {
            prop_assert!(problem.to_string().len() > 20);
        }
    }

    #[test]
    fn a_copy_is_pasted_as_it_was(sequence in sequences()) {
        let mut document = grown(&sequence);
        let all = Selection {
            nodes: document.style.graph.nodes.keys().cloned().collect(),
            frames: document.style.graph.frames.keys().cloned().collect(),
            comments: document.style.graph.comments.keys().cloned().collect(),
        };
        let part = Fragment::copy(&document.style, &GraphRef::Top, &all);
        let read = Fragment::from_text(&part.to_text()).unwrap();
        prop_assert_eq!(&read, &part);
        // Into an empty document: the same. Into the same one: twice as much.
        let mut other = Document::default();
        other.apply(part.insert(&other.style, &GraphRef::Top, [0.0; 2]).command).unwrap();
        prop_assert_eq!(&other.style.graph, &document.style.graph);
        let before = document.style.clone();
        document.apply(part.insert(&document.style, &GraphRef::Top, [9.0; 2]).command).unwrap();
        prop_assert_eq!(document.validate_invariants(), Ok(()));
        prop_assert_eq!(document.style.graph.nodes.len(), 2 * before.graph.nodes.len());
        prop_assert_eq!(document.style.graph.links.len(), 2 * before.graph.links.len());
        prop_assert_eq!(document.style.groups, before.groups);
    }

    #[test]
    fn ungrouping_gives_back_what_was_grouped(sequence in sequences(), dice in any::<[u16; 3]>()) {
        let before = grown(&sequence);
        let mut document = before.clone();
        let nodes = &before.style.graph.nodes;
        let picked = dice.map(|die| pick(nodes.keys().cloned(), die, String::new()));
        let name = before.style.fresh_group_name("Made");
        let selection = Selection::nodes(picked);
        if let Ok(edit) = make_group(&before, &GraphRef::Top, &selection, &name) {
            document.apply(edit.command).unwrap();
            prop_assert_eq!(document.validate_invariants(), Ok(()));
            let id = edit.created.nodes.first().unwrap();
            let edit = ungroup(&document, &GraphRef::Top, id).unwrap();
            document.apply(edit.command).unwrap();
            for (id, frame) in &mut document.style.graph.frames {
                let members = &before.style.graph.frames[id].members;
                prop_assert!(frame.members.is_superset(members));
                frame.members.clone_from(members);
            }
            prop_assert_eq!(&document, &before);
        }
    }
}
