//! What `docs/shaders.md` shows of a tiny character is what the library makes of it.
//! `JOUNCE_BLESS=1` renews the table.

use glam::{DAffine3, DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::Bound;
use jounce::eval::character_data::CharacterData;
use jounce::graph::{CharacterSettings, built_in_style};
use jounce::rig::{
    Base, Binding, Character, CharacterParts, Influence, Influences, Mesh, Node, Skeleton, Trs,
};
use jounce::script::Library;
use std::fmt::Write;
use std::path::Path;

fn strip() -> Character {
    let influence = |index, weight| Influence { index, weight };
    let lists = [
        vec![influence(0, 1.0)],
        vec![influence(0, 0.8), influence(1, 0.2)],
        vec![influence(1, 1.0)],
        vec![influence(1, 1.0)],
    ];
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]];
    let mesh = Mesh {
        positions: corners.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        colors: vec![[1.0; 4]; 4],
        triangles: vec![[0, 1, 2], [1, 3, 2]],
        ..Mesh::default()
    };
    let nodes =
        vec![Node::new("root", None, Trs::IDENTITY), Node::new("tip", Some(0), Trs::at(DVec3::X))];
    let binding = |bone: usize| Binding {
        node: bone,
        bone,
        node_from_bind: DAffine3::from_translation(DVec3::NEG_X * bone as f64),
    };
    let mut skin = Influences::default();
    for list in &lists {
        skin.push(list.iter().copied());
    }
    Character::new(CharacterParts {
        name: "strip".to_owned(),
        skeleton: Skeleton::new(nodes, &[true, true]).unwrap(),
        bindings: vec![binding(0), binding(1)],
        mesh,
        skin,
        rest_morph_weights: Vec::new(),
        maps: Vec::new(),
        clips: Vec::new(),
        notes: Vec::new(),
    })
    .unwrap()
}

/// The words of the buffers, with what they are.
fn table() -> String {
    let style = built_in_style("floppy").unwrap().style;
    let program = compile(&style, &Library::built_in()).program;
    let bound = Bound::new(&program, &strip(), &CharacterSettings::default()).unwrap();
    let data = CharacterData::new(&program, &bound, Some(Base::Lbs));
    assert_eq!((data.groups, data.lanes, data.vertex_data.len()), (1, 32, 6 * 32));
    let mut text = format!(
        "jn_counts: lanes {}, vertex_count {}, bones {}, joints 2, skin_weight_bits {}, first_rest_row {},\n  first_map_row {}, first_vertex_of_lane {}, first_neighbour_list {}, kept_slots 0, writes_skinned 0,\n  instances 1, first_group 0, first_instance 0\n\njn_lists:\n",
        data.lanes,
        bound.vertex_count(),
        bound.bone_count(),
        data.skin_weight_bits,
        data.first_rest_row,
        data.first_map_row,
        data.first_vertex_of_lane,
        data.first_neighbour_list,
    );
    let what = [
        (0..8, "group 0: pairs at 10, two; joints at 8, two; weights at 0, rows of 32"),
        (8..10, "joints 0 and 1"),
        (10..12, "bone 0 feels joints 0 and 1"),
        (12..14, "bone 1 feels joint 1 alone"),
        (14..46, "the vertices of the lanes"),
    ];
    for (range, what) in what {
        line(&mut text, range.start, &data.lists[range], what);
    }
    assert_eq!(data.lists.len(), 46);
    text += "\njn_weights, two to a word:\n";
    line(&mut text, 0, &data.weights[..16], "joint 0: 1, 0.8, 0, 0");
    line(&mut text, 16, &data.weights[16..], "joint 1: 0, 0.2, 1, 1");
    text += "\njn_vertex_data:\n";
    for (row, name) in ["x", "y", "z", "normal x", "normal y", "normal z"].into_iter().enumerate() {
        let lanes = &data.vertex_data[32 * row..32 * (row + 1)];
        assert!(lanes[4..].iter().all(|number| *number == 0.0));
        let _ = writeln!(text, "{:>4}  {:?} and 28 times 0.0: {name}", 32 * row, &lanes[..4]);
    }
    text
}

/// Words that are repeated at the end are counted.
fn line(text: &mut String, place: usize, words: &[u32], what: &str) {
    let is_mask = |word: u32| word > 0xffff;
    let shown = |word: u32| match is_mask(word) {
        true => format!("{word:#010x}"),
        false => word.to_string(),
    };
    let last = words.last().copied().unwrap_or_default();
    let repeated = words.iter().rev().take_while(|word| **word == last).count();
    let (first, end) = match repeated {
        0..4 => (words, String::new()),
        count => (&words[..words.len() - count], format!(" and {count} times {}", shown(last))),
    };
    let first: Vec<String> = first.iter().map(|word| shown(*word)).collect();
    let _ = writeln!(text, "{place:>4}  {:<38} {what}", first.join(" ") + end.as_str());
}

#[test]
fn the_tiny_character_of_the_guide_is_what_the_library_makes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/shaders.md");
    let guide = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = guide.split_once("```text\n").unwrap();
    let (shown, after) = rest.split_once("```\n").unwrap();
    let table = table();
    if std::env::var_os("JOUNCE_BLESS").is_some() {
        std::fs::write(&path, format!("{before}```text\n{table}```\n{after}")).unwrap();
    } else {
        assert_eq!(shown, table, "JOUNCE_BLESS=1 renews it");
    }
}
