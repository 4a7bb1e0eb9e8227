//! Dialogs for long work: what to write, and where.

use super::browser::{self, Purpose};
use super::pictures;
use crate::jobs::{Finish, said};
use crate::{State, theme};
use egui::{Button, Context, DragValue, Grid, Id, Modal, TextEdit, Ui};
use jounce_base::text::counted;
use jounce_export::BakeFormat;
use jounce_export::bakes::{FORMATS, endings_text};
use jounce_export::shader::{ShaderExport, Target, export_shader_while, key_warnings, write_files};
use jounce_graph::compile::{compile_for_export_with_keys, obstacles};
use jounce_rig::motion::FrameRange;
use jounce_session::bake::{BakeError, BakeOrder, bake};
use jounce_session::{Progress, Session, Severity};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    Bake(BakeForm),
    Shader(ShaderForm),
    /// `is_film`: all of the motion, else this moment.
    Picture(PictureForm),
}

#[derive(Clone, Debug, PartialEq)]
pub struct BakeForm {
    pub path: String,
    pub fps: f64,
    pub looped: bool,
    pub is_whole: bool,
    pub first: i64,
    pub last: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ShaderForm {
    pub folder: String,
    pub targets: Vec<Target>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PictureForm {
    pub path: String,
    pub width_px: u32,
    pub height_px: u32,
    pub fps: f64,
    pub is_film: bool,
}

/// The default path: beside the document, with another ending.
fn beside_document(state: &State, ending: &str) -> String {
    let stem = state.session.file().map(|file| file.with_extension(""));
    let stem = stem.or_else(|| Some(std::env::current_dir().ok()?.join("untitled")));
    let mut path = stem.unwrap_or_else(|| PathBuf::from("untitled")).into_os_string();
    path.push(ending);
    path.to_string_lossy().into_owned()
}

pub fn open_bake(state: &mut State) {
    let fps = state.playhead.fps;
    let motion = &state.session.document().motion;
    let duration_secs = state.show.duration_secs();
    let range = state.playhead.frame_range(duration_secs, fps);
    let last = (duration_secs * fps).round() as i64;
    let FrameRange { first, last } = range.unwrap_or(FrameRange { first: 0, last });
    state.files.order = Some(Order::Bake(BakeForm {
        path: beside_document(state, FORMATS[0].ending),
        fps,
        looped: motion.looped,
        is_whole: range.is_none(),
        first,
        last,
    }));
}

pub fn open_shader(state: &mut State) {
    let folder = beside_document(state, "-shader");
    let targets = vec![Target::WGSL];
    state.files.order = Some(Order::Shader(ShaderForm { folder, targets }));
}

pub fn open_picture(state: &mut State, is_film: bool) {
    let path = beside_document(state, if is_film { ".gif" } else { ".png" });
    let (width_px, height_px) = if is_film { (640, 480) } else { (1920, 1080) };
    let fps = state.playhead.fps.min(pictures::FASTEST_FILM_FPS);
    let form = PictureForm { path, width_px, height_px, fps, is_film };
    state.files.order = Some(Order::Picture(form));
}

pub fn wants_folder(order: &Order) -> bool {
    matches!(order, Order::Shader(_))
}

pub fn file_name(order: &Order) -> String {
    super::short_name(Path::new(path_of(order)))
}

fn path_of(order: &Order) -> &str {
    match order {
        Order::Bake(form) => &form.path,
        Order::Shader(form) => &form.folder,
        Order::Picture(form) => &form.path,
    }
}

pub fn set_path(order: &mut Order, path: &Path) {
    let path = path.display().to_string();
    match order {
        Order::Bake(form) => form.path = path,
        Order::Shader(form) => form.folder = path,
        Order::Picture(form) => form.path = path,
    }
}

enum Press {
    Go,
    Browse,
    Cancel,
}

pub fn show(ctx: &Context, state: &mut State) {
    let Some(mut order) = state.files.order.take() else { return };
    let obstacle = obstacle(&order);
    let modal = Modal::new(Id::new("order")).frame(theme::dialog()).show(ctx, |ui| {
        ui.set_width(460.0);
        ui.spacing_mut().item_spacing.y = 8.0;
        let (heading, go) = match &order {
            Order::Bake(_) => ("Bake the moving vertices", "Bake"),
            Order::Shader(_) => ("Export a shader", "Export"),
            Order::Picture(form) if form.is_film => ("Save a film", "Save Film"),
            Order::Picture(_) => ("Save a screenshot", "Save Picture"),
        };
        ui.heading(heading);
        let mut press = None;
        Grid::new("order fields").num_columns(2).spacing([16.0, 8.0]).show(
            ui,
            |ui| match &mut order {
                Order::Bake(form) => bake_fields(ui, form, &mut press),
                Order::Shader(form) => shader_fields(ui, form, &mut press),
                Order::Picture(form) => picture_fields(ui, form, &mut press),
            },
        );
        if let Some(obstacle) = &obstacle {
            ui.colored_label(theme::WARNING, obstacle);
        }
        ui.horizontal(|ui| {
            let size = egui::vec2(96.0, 28.0);
            let button = Button::new(go).fill(theme::ACCENT.gamma_multiply(0.55)).min_size(size);
            if ui.add_enabled(obstacle.is_none(), button).clicked() {
                press = Some(Press::Go);
            }
            if ui.add(Button::new("Cancel").min_size(size)).clicked() {
                press = Some(Press::Cancel);
            }
        });
        press
    });
    let dismissed = modal.should_close().then_some(Press::Cancel);
    match modal.inner.or(dismissed) {
        Some(Press::Go) => start(state, ctx, order),
        Some(Press::Browse) => {
            state.files.order = Some(order);
            browser::open(state, Purpose::Order);
        }
        Some(Press::Cancel) => {}
        None => state.files.order = Some(order),
    }
}

fn path_field(ui: &mut Ui, label: &str, path: &mut String, press: &mut Option<Press>) {
    let name = ui.label(label);
    ui.horizontal(|ui| {
        ui.add(TextEdit::singleline(path).desired_width(280.0)).labelled_by(name.id);
        if ui.button("Choose…").clicked() {
            *press = Some(Press::Browse);
        }
    });
    ui.end_row();
}

fn fps_field(ui: &mut Ui, fps: &mut f64, fastest: f64) {
    let name = ui.label("Frames per second");
    ui.add(DragValue::new(fps).range(1.0..=fastest).speed(0.1)).labelled_by(name.id);
    ui.end_row();
}

fn bake_fields(ui: &mut Ui, form: &mut BakeForm, press: &mut Option<Press>) {
    let endings = FORMATS.map(|format| format.ending).join(", ");
    path_field(ui, &format!("File ({endings})"), &mut form.path, press);
    fps_field(ui, &mut form.fps, 1000.0);
    ui.label("Frames");
    ui.vertical(|ui| {
        ui.checkbox(&mut form.is_whole, "The whole motion");
        if !form.is_whole {
            ui.horizontal(|ui| {
                let from = ui.label("from");
                ui.add(DragValue::new(&mut form.first)).labelled_by(from.id);
                let to = ui.label("to");
                ui.add(DragValue::new(&mut form.last)).labelled_by(to.id);
            });
        }
        ui.checkbox(&mut form.looped, "As a seamless loop");
    });
    ui.end_row();
}

fn shader_fields(ui: &mut Ui, form: &mut ShaderForm, press: &mut Option<Press>) {
    path_field(ui, "Folder", &mut form.folder, press);
    ui.label("Languages");
    ui.horizontal_wrapped(|ui| {
        for target in Target::ALL {
            let mut is_wanted = form.targets.contains(&target);
            if ui.checkbox(&mut is_wanted, target.name()).changed() {
                form.targets.retain(|other| *other != target);
                form.targets.extend(is_wanted.then_some(target));
            }
        }
    });
    ui.end_row();
}

fn picture_fields(ui: &mut Ui, form: &mut PictureForm, press: &mut Option<Press>) {
    let label = if form.is_film { "File (.gif)" } else { "File (.png)" };
    path_field(ui, label, &mut form.path, press);
    let size = ui.label("Size in pixels");
    ui.horizontal(|ui| {
        let width = ui.add(DragValue::new(&mut form.width_px).range(16..=8192));
        width.labelled_by(size.id);
        let by = ui.label("×");
        ui.add(DragValue::new(&mut form.height_px).range(16..=8192)).labelled_by(by.id);
    });
    ui.end_row();
    if form.is_film {
        fps_field(ui, &mut form.fps, pictures::FASTEST_FILM_FPS);
    }
}

/// Why it cannot start, shown before anyone presses the button.
fn obstacle(order: &Order) -> Option<String> {
    let path = Path::new(path_of(order));
    let ends_in = |ending: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(ending));
    let folder = jounce_files::folder_of(path);
    let no_folder = (!wants_folder(order) && !folder.is_dir())
        .then(|| format!("The folder {} does not exist; choose another.", folder.display()));
    let own = match order {
        Order::Bake(_) if BakeFormat::of_path(path).is_none() => {
            Some(format!("The name must end in {}.", endings_text(&FORMATS)))
        }
        Order::Bake(form) if !form.is_whole && form.last < form.first => {
            Some("The last frame comes before the first; choose a later one.".to_owned())
        }
        Order::Shader(form) if form.targets.is_empty() => Some("Choose a language.".to_owned()),
        Order::Picture(form) if form.is_film && !ends_in("gif") => {
            Some("The name must end in .gif.".to_owned())
        }
        Order::Picture(form) if !form.is_film && !ends_in("png") => {
            Some("The name must end in .png.".to_owned())
        }
        _ => None,
    };
    own.or(no_folder)
}

fn start(state: &mut State, ctx: &Context, order: Order) {
    match order {
        Order::Bake(form) => start_bake(state, ctx, form),
        Order::Shader(form) => {
            let session = state.session.snapshot();
            let title = "Exporting the shader";
            state.jobs.start(ctx, title, move |progress| {
                match write_shader(&session, &form, progress) {
                    Ok(Some(text)) => said(Severity::Note, text),
                    Ok(None) => said(Severity::Note, format!("{title} was cancelled")),
                    Err(text) => said(Severity::Error, text),
                }
            });
        }
        Order::Picture(form) => pictures::start(state, ctx, form),
    }
}

fn start_bake(state: &mut State, ctx: &Context, form: BakeForm) {
    let range = FrameRange { first: form.first, last: form.last };
    let order = BakeOrder {
        path: PathBuf::from(form.path),
        fps: form.fps,
        looped: form.looped,
        range: (!form.is_whole).then_some(range),
    };
    let session = state.session.snapshot();
    let name = super::short_name(&order.path);
    state.jobs.start(ctx, format!("Baking {name}"), move |progress| -> Finish {
        match bake(&session, &order, progress) {
            Ok(baked) => said(
                Severity::Note,
                format!("{name}: {} of {} points", counted(baked.frames, "frame"), baked.points),
            ),
            Err(BakeError::Cancelled(_)) => said(Severity::Note, format!("{name} was cancelled")),
            Err(error) => said(Severity::Error, format!("{name}: {error}")),
        }
    });
}

/// None if it was cancelled; then nothing was written.
fn write_shader(
    session: &Session,
    form: &ShaderForm,
    progress: &Progress,
) -> Result<Option<String>, String> {
    let (style, keys) = (&session.document().style, &session.document().motion.keys);
    let compiled = compile_for_export_with_keys(style, session.library(), keys);
    if let Some(problem) = obstacles(style, &compiled).first() {
        return Err(format!("nothing was exported: {problem}"));
    }
    // In the order in which they are listed everywhere, not that of the clicks.
    let mut targets = Target::ALL.to_vec();
    targets.retain(|target| form.targets.contains(target));
    let stem = session.file().and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
    let export = ShaderExport {
        name: stem.as_deref().unwrap_or("untitled"),
        program: &compiled.program,
        base: None,
        targets: &targets,
        keys,
    };
    let goes_on = |done: usize| {
        progress.set(done as f64 / targets.len().max(1) as f64);
        !progress.is_cancelled()
    };
    let files = export_shader_while(&export, &goes_on).map_err(|error| error.to_string())?;
    let Some(files) = files else { return Ok(None) };
    let written = write_files(Path::new(&form.folder), files).map_err(|error| error.to_string())?;
    let mut said = format!("{}: {}", form.folder, counted(written.files.len(), "file"));
    for (clip, warning) in key_warnings(&compiled.program, keys) {
        said += &format!("; clip \"{clip}\": {warning}");
    }
    let outdated = written.outdated.iter().filter_map(|path| path.file_name());
    let outdated: Vec<_> = outdated.map(|name| name.to_string_lossy()).collect();
    if !outdated.is_empty() {
        said += "; left over from an earlier export and no longer in manifest.json: ";
        said += &outdated.join(", ");
    }
    Ok(Some(said))
}
