//! One frame of the window.

use super::action::{Action, Menu, run_shortcuts};
use super::layout::{Layout, Panel};
use super::panels::{code, inspector};
use super::state::State;
use super::{Device, files, jobs, menu, palette, theme};
use egui::{Key, Modifiers};
use jounce_session::{Session, ShowError};

/// Ctrl on most systems, Command on a Mac.
const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = CTRL.plus(Modifiers::SHIFT);

pub const ACTIONS: &[Action] = &[
    Action::new("Undo", Menu::Edit, "Undoes the last change.", State::undo)
        .key(CTRL, Key::Z)
        .repeating()
        .of(|state| state.session.history().undo_label().map(str::to_owned))
        .enabled_if(|state| state.session.history().undo_label().is_some()),
    Action::new("Redo", Menu::Edit, "Redoes the last change that was undone.", State::redo)
        .key(CTRL_SHIFT, Key::Z)
        .repeating()
        .of(|state| state.session.history().redo_label().map(str::to_owned))
        .enabled_if(|state| state.session.history().redo_label().is_some()),
    Action::new("All Actions…", Menu::Help, "Search all actions.", |state, _| {
        state.palette.open();
    })
    .key(CTRL, Key::P)
    .while_typing(),
];

pub struct Editor {
    pub state: State,
    layout: Layout,
    title: String,
}

/// Under which the layout is kept between runs.
const LAYOUT_KEY: &str = "jounce layout";

impl Editor {
    pub fn new(cc: &eframe::CreationContext, session: Session) -> Result<Editor, ShowError> {
        theme::apply(&cc.egui_ctx);
        let device = cc.wgpu_render_state.as_ref().and_then(|it| Device::new(it).ok());
        let layout = cc.storage.and_then(|storage| eframe::get_value(storage, LAYOUT_KEY));
        let (layout, title) = (layout.unwrap_or_default(), String::new());
        Ok(Editor { state: State::new(session, device)?, layout, title })
    }

    pub fn show_panel(&mut self, panel: Panel) {
        self.layout.show(panel);
    }

    /// One panel alone in the window.
    pub fn show_only(&mut self, panel: Panel) {
        self.layout.show_only(panel);
    }

    pub fn close_panel(&mut self, panel: Panel) {
        self.layout.close(panel);
    }
}

impl eframe::App for Editor {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        jobs::poll(&mut self.state, ctx);
        inspector::finish_typing(ctx, &mut self.state.session);
        code::follow(ctx, &mut self.state);
        if !self.state.files.is_asking() && !self.state.code.is_asking() {
            run_shortcuts(&mut self.state, ctx);
        }
        files::logic(&mut self.state, ctx);
        let wall_secs = ctx.input(|input| f64::from(input.stable_dt));
        self.state.advance(wall_secs);
        if self.state.needs_repaint() {
            ctx.request_repaint();
        }
        let title = format!("{} — Jounce", self.state.session.title());
        // Each time it is said, the window is drawn again.
        if title != self.title {
            self.title.clone_from(&title);
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title));
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        // Behind the round corners of panels.
        ui.painter().rect_filled(ui.max_rect(), 0.0, theme::GROUND);
        egui::Panel::top("menu").show(ui, |ui| {
            menu::show(ui, &mut self.state, &mut self.layout);
        });
        if std::mem::take(&mut self.state.code.wants_panel) {
            self.layout.show(Panel::Code);
        }
        self.layout.make_room_for_curves(self.state.curves.is_open);
        self.layout.ui(ui, &mut self.state);
        palette::show(ui.ctx(), &mut self.state, &mut self.layout);
        code::show_dialog(ui.ctx(), &mut self.state);
        files::show(ui.ctx(), &mut self.state);
        jobs::show(ui.ctx(), &self.state);
        if !ui.input(|input| input.pointer.any_down()) {
            self.state.session.let_go();
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, LAYOUT_KEY, &self.layout);
    }
}
