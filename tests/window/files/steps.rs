//! One step per action, also while work goes on beside the window.

use super::*;
use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use jounce::editor::jobs::said;

fn labels(window: &mut Window) -> Vec<String> {
    let mut labels = Vec::new();
    let history = |window: &Window| state(window).session.history().undo_label().map(str::to_owned);
    while let Some(label) = history(window) {
        labels.push(label);
        window.state_mut().state.session.undo();
    }
    labels.reverse();
    labels
}

fn slider(window: &Window) -> egui::Pos2 {
    window.get_by_role_and_label(Role::Slider, "floppy").rect().center()
}

/// Takes hold of the slider and moves it a little.
fn take_hold(window: &mut Window) {
    let at = slider(window);
    window.drag_at(at);
    window.run_steps(2);
    move_on(window, 1);
}

fn move_on(window: &mut Window, part: i32) {
    let at = slider(window);
    window.hover_at(at + vec2(6.0 * part as f32, 0.0));
    window.run_steps(2);
}

fn let_go(window: &mut Window) {
    let at = slider(window);
    window.drop_at(at + vec2(24.0, 0.0));
    window.run_steps(2);
}

#[test]
fn a_drag_while_a_drop_is_fitted_is_a_step_of_its_own() {
    let mut window = example("default");
    let ctx = window.ctx.clone();
    files::take_dropped(&mut window.state_mut().state, &ctx, &repo("examples/bird.glb"));
    let begun = Instant::now();
    while state(&window).session.cast().key != "bird" {
        window.step();
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(2));
    }
    window.state_mut().state.playhead.is_playing = false;
    take_hold(&mut window);
    // Whatever the fit takes: its result comes in the middle of the drag.
    std::thread::sleep(Duration::from_millis(300));
    for part in 2..=4 {
        move_on(&mut window, part);
    }
    let_go(&mut window);
    let dragged = floppy(state(&window).session.document());
    settle(&mut window);
    assert_eq!(floppy(state(&window).session.document()), dragged, "the user has the last word");
    assert_eq!(labels(&mut window), ["Drop bird.glb", "Set floppy"]);
}

#[test]
fn a_result_that_comes_in_the_middle_of_a_drag_waits_for_its_end() {
    let mut window = example("default");
    take_hold(&mut window);
    let ctx = window.ctx.clone();
    window.state_mut().state.jobs.start_reading(&ctx, "Work", |_| {
        Box::new(|state, _| {
            let command = Command::SetSize { character: "cow".to_owned(), size: Some(2.0) };
            state.session.perform("Work", command);
        })
    });
    std::thread::sleep(Duration::from_millis(50));
    for part in 2..=4 {
        move_on(&mut window, part);
    }
    assert!(!state(&window).jobs.is_idle());
    let_go(&mut window);
    settle(&mut window);
    assert_eq!(labels(&mut window), ["Set floppy", "Work"]);
}

#[test]
fn two_quick_drops_are_two_steps() {
    let mut window = example("default");
    let ctx = window.ctx.clone();
    for name in ["examples/bird.glb", "examples/giraffe.glb"] {
        files::take_dropped(&mut window.state_mut().state, &ctx, &repo(name));
    }
    settle(&mut window);
    let mut steps = labels(&mut window);
    steps.sort();
    assert_eq!(steps, ["Drop bird.glb", "Drop giraffe.glb"]);
}

#[test]
fn undo_in_the_middle_of_a_drag_leaves_one_step_for_the_rest() {
    let mut window = example("default");
    let before = floppy(state(&window).session.document());
    take_hold(&mut window);
    move_on(&mut window, 2);
    assert_ne!(floppy(state(&window).session.document()), before);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    for part in 3..=6 {
        move_on(&mut window, part);
    }
    let_go(&mut window);
    assert_eq!(labels(&mut window), ["Set floppy"]);
    assert_eq!(floppy(state(&window).session.document()), before);
}

#[test]
fn work_that_ends_by_a_fault_or_is_given_up_leaves_no_step_open() {
    for is_cancelled in [false, true] {
        let mut window = example("default");
        let session = &mut window.state_mut().state.session;
        let owner = session.begin_work("Drop");
        let size = Command::SetSize { character: "cow".to_owned(), size: Some(2.0) };
        assert!(session.update(owner, "Drop", size));
        let ctx = window.ctx.clone();
        let end = move |state: &mut State| state.session.commit(owner);
        let work = move |_: &jounce::session::Progress| match is_cancelled {
            true => said(Severity::Error, "it was not wanted"),
            false => std::panic::panic_any("a fault"),
        };
        window.state_mut().state.jobs.start_or(&ctx, "Fitting", work, end);
        if is_cancelled {
            window.state_mut().state.jobs.cancel_all();
        }
        settle(&mut window);
        assert_eq!(state(&window).session.history().owner(), None);
        let said = state(&window).session.messages().last().unwrap().text.clone();
        let expected = if is_cancelled { "Fitting was cancelled" } else { "Fitting stopped" };
        assert!(said.starts_with(expected), "{said}");
        assert_eq!(labels(&mut window), ["Drop"]);
    }
}

#[test]
fn the_same_message_again_is_counted() {
    let mut one = session(built_in_style("default").unwrap());
    for _ in 0..3 {
        one.say(Severity::Error, "no device");
    }
    one.say(Severity::Warning, "no device");
    let counts: Vec<usize> = one.messages().iter().map(|it| it.count).collect();
    assert_eq!(counts, [3, 1]);
}
