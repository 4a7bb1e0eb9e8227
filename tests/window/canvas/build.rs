//! A whole graph, from an empty canvas.

use super::*;

#[test]
fn velocity_skinning_is_built_from_an_empty_canvas_by_hand() {
    let empty = empty_like("velocity-skinning");
    let mut hands = canvas(empty.clone());
    let corner = canvas_rect(&hands).min;
    let at = |x: f32, y: f32| corner + vec2(x, y);
    add(&mut hands, "velocity extr", at(30.0, 40.0));
    for y in [220.0, 400.0, 580.0] {
        add(&mut hands, "parameter", at(30.0, y));
    }
    add(&mut hands, "jiggle", at(380.0, 40.0));
    add(&mut hands, "squash", at(380.0, 340.0));
    add(&mut hands, "output", at(800.0, 40.0));
    let mut types: Vec<&str> =
        graph(&hands).nodes.values().map(|it| it.node_type.as_str()).collect();
    types.sort_unstable();
    let wanted =
        ["Floppy", "Output", "Parameter", "Parameter", "Parameter", "Squash", "Velocity Extract"];
    assert_eq!(types, wanted);
    for deformer in ["floppy", "squash"] {
        for port in ["linear", "angular"] {
            link(&mut hands, &format!("velocity_extract.{port}"), &format!("{deformer}.{port}"));
        }
        link(&mut hands, &format!("{deformer}.displacement"), "output.displacement");
    }
    link(&mut hands, "parameter.value", "floppy.floppiness");
    link(&mut hands, "parameter2.value", "floppy.max angle");
    link(&mut hands, "parameter3.value", "squash.squashiness");
    assert_eq!(graph(&hands).links.len(), 9);
    for (field, number) in [
        ("velocity_extract.smoothing", "0"),
        ("velocity_extract.root motion", "1"),
        ("squash.max stretch", "100"),
        ("parameter.min", "-1"),
        ("parameter.value", "0.2"),
        ("parameter2.max", "180"),
        ("parameter2.value", "45"),
        ("parameter3.max", "0.5"),
        ("parameter3.min", "-0.5"),
        ("parameter3.value", "0.1"),
    ] {
        set(&mut hands, field, number);
    }
    // As the paper has it: bones of all lengths alike.
    let alike = jounce::graph::Command::SetSetting {
        graph: GraphRef::Top,
        node: "squash".to_owned(),
        port: "short bones".to_owned(),
        value: Some(jounce::script::Setting::Text("stretch alike".to_owned())),
    };
    assert!(hands.state_mut().state.session.perform("Set short bones", alike));
    hands.run();
    picture(&mut hands, "canvas-by-hand");
    assert!(hands.state().state.show.compiled().problems.is_empty());
    let mut original = example("velocity-skinning");
    for time_secs in [0.1, 0.37, 0.8] {
        let (ours, theirs) = (baked(&mut hands, time_secs), baked(&mut original, time_secs));
        let plain = hands.state_mut().state.show.at(time_secs).unwrap().skinned.positions;
        assert!(farthest(&ours, &plain) > 1e-3, "it does something");
        assert!(farthest(&ours, &theirs) < 1e-6, "{}", farthest(&ours, &theirs));
    }
    let program = |hands: &Hands| hands.state().state.show.program().ops.len();
    assert_eq!(program(&hands), program(&original));

    let built = document(&hands);
    let mut steps = 0;
    while undo_label(&hands).is_some() {
        undo(&mut hands);
        steps += 1;
        assert!(steps < 100);
    }
    assert_eq!(steps, 7 + 9 + 11, "one step for each thing that was done");
    assert_eq!(document(&hands), empty);
    for _ in 0..steps {
        press(&mut hands, CTRL.plus(Modifiers::SHIFT), Key::Z);
    }
    assert_eq!(document(&hands), built);
}
