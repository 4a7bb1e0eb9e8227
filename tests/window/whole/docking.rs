//! Panels are found again where they were put.

use super::*;
use std::collections::BTreeMap;

/// What the system keeps between runs.
#[derive(Clone, Default)]
struct Kept(BTreeMap<String, String>);

impl eframe::Storage for Kept {
    fn get_string(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }

    fn set_string(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), value);
    }

    fn remove_string(&mut self, key: &str) {
        self.0.remove(key);
    }

    fn flush(&mut self) {}
}

/// A run that finds what the one before has left.
fn start(kept: &Kept) -> Harness<'static, Editor> {
    let session = editor::session(built_in_style("default").unwrap());
    let mut harness =
        Harness::builder().with_size([1500.0, 940.0]).with_max_steps(20).build_eframe(|cc| {
            let mut with_storage = eframe::CreationContext::_new_kittest(cc.egui_ctx.clone());
            with_storage.storage = Some(kept);
            let mut editor = Editor::new(&with_storage, session).unwrap();
            editor.state.playhead.is_playing = false;
            editor
        });
    harness.run();
    harness
}

fn end(mut harness: Harness<'static, Editor>) -> Kept {
    let mut kept = Kept::default();
    eframe::App::save(harness.state_mut(), &mut kept);
    kept
}

fn canvas_rect(harness: &Harness<'static, Editor>) -> egui::Rect {
    harness.get_by_label("Graph canvas").rect()
}

fn drag(harness: &mut Harness<'static, Editor>, from: egui::Pos2, to: egui::Pos2) {
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    for part in 1..=4 {
        harness.hover_at(from + (to - from) * (part as f32 / 4.0));
        harness.step();
    }
    harness.drop_at(to);
    harness.run();
}

fn tab(harness: &Harness<'static, Editor>, panel: Panel) -> egui::Rect {
    let mut tabs = harness.get_all_by_label(panel.name());
    tabs.find(|it| it.rect().height() < 40.0).expect("its tab").rect()
}

#[test]
fn panels_stay_where_they_were_put() {
    let mut first = start(&Kept::default());
    let before = canvas_rect(&first);
    // The line between the graph and what is set beside it.
    let line = egui::pos2(tab(&first, Panel::Inspector).left() - 1.0, before.center().y);
    drag(&mut first, line, line - egui::vec2(150.0, 0.0));
    let narrower = canvas_rect(&first);
    let by = before.width() - narrower.width();
    // The first pixels decide that it is a drag.
    assert!((100.0..=150.0).contains(&by), "the line was dragged by {by}");
    // A tab taken to another place: beside the other tab there.
    let (from, to) = (tab(&first, Panel::Messages), tab(&first, Panel::Inspector));
    drag(&mut first, from.center(), to.center());
    let moved = tab(&first, Panel::Messages);
    assert!((moved.top() - to.top()).abs() < 2.0, "{moved:?} is beside {to:?}");
    first.state_mut().close_panel(Panel::Timeline);
    first.run();
    let (canvas, messages) = (canvas_rect(&first), tab(&first, Panel::Messages));

    let second = start(&end(first));
    assert_eq!(canvas_rect(&second), canvas);
    assert_eq!(tab(&second, Panel::Messages), messages);
    assert!(second.query_by_label("Time").is_none(), "what was closed stays closed");

    // And back to where everything was.
    let mut second = second;
    second.get_by_label("View").click();
    second.run();
    second.get_by_label("Reset Layout").click();
    second.run();
    assert_eq!(canvas_rect(&second), before);
    assert_eq!(canvas_rect(&start(&end(second))), before);
}

#[test]
fn a_layout_that_cannot_be_read_is_forgotten() {
    let fresh = start(&Kept::default());
    let kept = end(start(&Kept::default()));
    let (key, text) = kept.0.first_key_value().unwrap();
    let unknown = text.replace("Outliner", "Crystal Ball");
    assert_ne!(*text, unknown);
    for text in ["", "(", "no layout", &text[..text.len() / 2], &unknown] {
        let harness = start(&Kept([(key.clone(), text.to_owned())].into()));
        assert_eq!(canvas_rect(&harness), canvas_rect(&fresh), "{text}");
    }
}

#[test]
fn all_panels_may_be_closed_and_come_back() {
    let mut harness = start(&Kept::default());
    for panel in Panel::ALL {
        harness.state_mut().close_panel(panel);
        harness.run();
    }
    assert!(harness.query_by_label("Graph canvas").is_none());
    let mut again = start(&end(harness));
    assert!(again.query_by_label("Graph canvas").is_none());
    for panel in Panel::ALL {
        again.state_mut().show_panel(panel);
        again.run();
        let _ = tab(&again, panel);
    }
    again.state_mut().show_panel(Panel::Graph);
    again.run();
    let _ = canvas_rect(&again);
}
