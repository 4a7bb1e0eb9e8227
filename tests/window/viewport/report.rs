//! What is said of a vertex.

use super::*;
use jounce::graph::{Command, GraphRef, built_in_style};
use jounce::script::Setting;
use jounce::session::{Asked, Session, Show, report};

fn displacement(session: &Session, vertex: usize, time_secs: f64) -> f64 {
    let shown = Show::new(session).unwrap().at(time_secs).unwrap();
    let moved = shown.deformed.positions[vertex] - shown.skinned.positions[vertex];
    f64::from(moved.length())
}

fn set(session: &mut Session, node: &str, port: &str, value: f64) {
    let (node, port) = (node.to_owned(), port.to_owned());
    let value = Some(Setting::Float(value));
    let command = Command::SetSetting { graph: GraphRef::Top, node, port, value };
    assert!(session.perform("Set", command));
}

/// The vertex that a style moves farthest, at that time.
fn farthest_vertex(session: &Session, time_secs: f64) -> usize {
    let shown = Show::new(session).unwrap().at(time_secs).unwrap();
    let far = |v: &usize| shown.deformed.positions[*v].distance(shown.skinned.positions[*v]);
    let all = 0..shown.deformed.positions.len();
    all.max_by(|a, b| far(a).total_cmp(&far(b))).unwrap()
}

#[test]
fn a_limit_takes_away_what_is_missing_from_the_free_displacement() {
    let mut session = support::session(built_in_style("floppy").unwrap());
    let floppy = |session: &Session| {
        let nodes = &session.document().style.graph.nodes;
        nodes.iter().find(|(_, node)| node.node_type == "Floppy").unwrap().0.clone()
    };
    let (id, time_secs) = (floppy(&session), Show::new(&session).unwrap().duration_secs() * 0.37);
    // A slider of the style feeds it; a limit of the node's own is one that is set on it.
    let links = session.document().style.graph.links_into(&id).cloned();
    let links: Vec<_> = links.filter(|link| link.to.port == "max angle").collect();
    for link in links {
        session.perform("Unlink", Command::Disconnect { graph: GraphRef::Top, link });
    }
    set(&mut session, &id, "max angle", 180.0);
    let vertex = farthest_vertex(&session, time_secs);
    let free = displacement(&session, vertex, time_secs);
    set(&mut session, &id, "max angle", 1.0);
    let held = displacement(&session, vertex, time_secs);
    assert!(held < 0.8 * free, "{held} of {free}");
    let show = Show::new(&session).unwrap();
    let found = report(&Asked::of(&show, vertex, time_secs).unwrap()).unwrap();
    let limit = found.limits.iter().find(|it| it.name.ends_with(": max angle"));
    let percent = limit.unwrap_or_else(|| panic!("{found:?}")).percent;
    let expected = 100.0 * (1.0 - held / free);
    println!("{percent} %, expected {expected} %");
    assert!((percent - expected).abs() < 0.01, "{percent} {expected}");
}

/// With one bone moving, all of the displacement is its doing, whoever's skin it is.
#[test]
fn the_bone_that_moves_a_vertex_is_not_the_one_whose_skin_it_is() {
    let mut document = built_in_style("floppy").unwrap();
    document.motion.character = Some("cow".to_owned());
    (document.motion.test, document.motion.looped) = (Some("nod:Neck".to_owned()), true);
    let session = support::session(document);
    let show = Show::new(&session).unwrap();
    let time_secs = show.duration_secs() * 0.1;
    let vertex = farthest_vertex(&session, time_secs);
    let found = report(&Asked::of(&show, vertex, time_secs).unwrap()).unwrap();
    let movers: Vec<&str> = found.movers.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(movers, ["Neck"], "{found:?}");
    assert!((found.movers[0].percent - 100.0).abs() < 1e-9);
    assert!(found.bones.iter().any(|it| it.name == "Head"), "its skin is the head's: {found:?}");
}

#[test]
fn a_question_that_nobody_waits_for_does_not_keep_the_window_busy() {
    let mut harness = in_motion("default");
    harness.state_mut().state.selection.vertex = Some(5);
    harness.step();
    assert!(state(&harness).viewport.report.is_pending());
    harness.state_mut().state.selection.vertex = None;
    for _ in 0..600 {
        harness.step();
        if !state(&harness).viewport.report.is_pending() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(!state(&harness).viewport.report.is_pending());
    assert!(!harness.state_mut().state.needs_repaint(), "it rests");
    assert!(state(&harness).viewport.report.latest.is_none());
}
