//! Curves of the selected bone over the motion: its velocity, before and after each filter of the graph.

use super::TimeScale;
use crate::{State, theme};
use egui::{Align2, Color32, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};
use egui_plot::{HoverPosition, Line, LineStyle, Plot, PlotBounds, PlotPoint, PlotPoints};
use egui_plot::{PlotTransform, VLine};
use jounce_eval::curves::{Side, kinds, magnitude};
use jounce_graph::document::Style;
use jounce_session::{BoneCurves, Changed, Curve, CurvesAsked, CurvesError, Progress, Severity};
use std::thread::JoinHandle;

#[derive(Default)]
pub struct CurvesView {
    pub is_open: bool,
    /// Which of [`kinds`] was chosen; None: the first that is not 0 throughout.
    pub kind: Option<usize>,
    /// What is shown; that of before, while it is computed again.
    pub latest: Option<BoneCurves>,
    /// What was drawn last.
    pub drawn: Option<DrawnPlot>,
    /// The scale of the ruler above.
    pub scale: Option<TimeScale>,
    is_outdated: bool,
    /// The bone that was last looked at, even if nothing came of it.
    answered: Option<usize>,
    titles: Vec<Option<String>>,
    /// The session's, when its titles were last looked at.
    revision: u64,
    worker: Option<Worker>,
}

/// Where the curves are in the window, from the first of their times to the last, and what is shown there.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnPlot {
    pub rect: Rect,
    pub times_secs: [f64; 2],
    pub playhead_secs: f64,
    /// What is written at the axis, from the top to the bottom.
    pub heights: Vec<String>,
    /// Labels and colours, in the order of the legend.
    pub legend: Vec<(String, Color32)>,
}

struct Worker {
    bone: usize,
    progress: Progress,
    thread: Option<JoinHandle<Result<BoneCurves, CurvesError>>>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

impl CurvesView {
    /// Is anything computed now?
    pub fn is_pending(&self) -> bool {
        self.worker.is_some()
    }
}

/// Something of the document has changed.
pub fn take_over(state: &mut State, changed: Changed) {
    state.curves.is_outdated |= changed != Changed::Nothing;
    // With another clip or character, the curves in progress are useless; with another slider value, they
    // are still worth showing on the way.
    if changed >= Changed::Motion {
        state.curves.worker = None;
    }
    if changed >= Changed::Character {
        (state.curves.latest, state.curves.answered) = (None, None);
    }
}

/// The time of the last point, where curves are shown; 0 where none are.
pub fn last_secs(state: &State) -> f64 {
    let is_shown = state.curves.is_open && !state.selection.bones.is_empty();
    let latest = state.curves.latest.as_ref().filter(|_| is_shown);
    latest.and_then(|latest| latest.times_secs.last().copied()).unwrap_or(0.0)
}

pub fn show(ui: &mut Ui, state: &mut State, scale: &TimeScale) {
    let bone = state.selection.bones.first().copied();
    if state.curves.is_open {
        take(state);
        ask(ui, state, bone);
    }
    if state.curves.is_open {
        ui.horizontal_wrapped(|ui| headline(ui, &mut state.curves, bone));
    }
    state.curves.drawn = None;
    if state.curves.is_open && bone.is_some() {
        plot(ui, state, scale);
    }
}

/// Among the controls: a row of its own would be lost where there is little room.
pub fn fold(ui: &mut Ui, is_open: &mut bool) {
    let text = if *is_open { "⏷ Curves" } else { "⏵ Curves" };
    let response = ui.add(egui::Button::new(text).frame(false));
    let response = response.on_hover_text("How fast the selected bone moves, over time");
    let kind = egui::WidgetType::CollapsingHeader;
    response.widget_info(|| egui::WidgetInfo::selected(kind, true, *is_open, "Curves"));
    if response.clicked() {
        *is_open ^= true;
    }
}

/// Takes over what the background has finished.
fn take(state: &mut State) {
    let is_finished =
        |worker: &mut Worker| worker.thread.as_ref().is_none_or(|thread| thread.is_finished());
    let Some(mut worker) = state.curves.worker.take_if(is_finished) else { return };
    state.curves.answered = Some(worker.bone);
    let said = match worker.thread.take().map(JoinHandle::join) {
        Some(Ok(Ok(curves))) => {
            state.curves.latest = Some(curves);
            return;
        }
        Some(Ok(Err(CurvesError::Cancelled(_)))) | None => return,
        Some(Ok(Err(error))) => format!("the curves cannot be computed: {error}"),
        Some(Err(_)) => {
            "the curves stopped because of a bug in Jounce; the document is untouched".into()
        }
    };
    state.curves.latest = None;
    state.session.say(Severity::Error, said);
}

/// Begins to compute, where what is shown is not of now. One computation at a time: while a slider is
/// dragged its lines follow as fast as they can be had.
fn ask(ui: &Ui, state: &mut State, bone: Option<usize>) {
    look_at_titles(state);
    let Some(bone) = bone else {
        state.curves.worker = None;
        return;
    };
    let view = &mut state.curves;
    let known = view.worker.as_ref().map(|worker| worker.bone).or(view.answered);
    let is_other = known != Some(bone);
    let is_due = view.is_outdated && view.worker.is_none();
    if !(is_other || is_due) {
        return;
    }
    view.is_outdated = false;
    let asked = CurvesAsked::of(&state.show, bone);
    let (progress, ctx) = (Progress::default(), ui.ctx().clone());
    let watch = progress.clone();
    let thread = std::thread::spawn(move || {
        let answer = asked.and_then(|asked| asked.answer(&watch));
        ctx.request_repaint();
        answer
    });
    state.curves.worker = Some(Worker { bone, progress, thread: Some(thread) });
}

/// Curves are named after nodes; renaming a node does not change their values.
fn look_at_titles(state: &mut State) {
    let revision = state.session.revision();
    if state.curves.revision == revision {
        return;
    }
    state.curves.revision = revision;
    let titles = titles(&state.session.document().style);
    if titles != state.curves.titles {
        state.curves.titles = titles;
        state.curves.is_outdated = true;
    }
}

fn titles(style: &Style) -> Vec<Option<String>> {
    let graphs = std::iter::once(&style.graph).chain(style.groups.values().map(|it| &it.graph));
    graphs.flat_map(|graph| graph.nodes.values().map(|node| node.title.clone())).collect()
}

/// Whose curves, of which kind, and what each line is.
fn headline(ui: &mut Ui, view: &mut CurvesView, bone: Option<usize>) {
    if bone.is_none() {
        ui.weak("Select a bone in the outliner or the viewport to see how fast it moves.");
        return;
    }
    let Some(latest) = &view.latest else {
        ui.weak("Computing curves…");
        return;
    };
    ui.strong(&latest.bone_name);
    let kind = shown_kind(latest, view.kind);
    for (place, (name, _)) in kinds().enumerate() {
        if !drawn_curves(latest, place).is_empty()
            && ui.add(egui::Button::selectable(kind == place, name)).clicked()
        {
            view.kind = Some(place);
        }
    }
    ui.separator();
    for (curve, color) in colored(drawn_curves(latest, kind)) {
        entry(ui, &curve.line.label, color);
    }
    if is_still(&drawn_curves(latest, kind)) {
        ui.weak("Always zero.");
    }
    if !latest.has_filters {
        ui.weak("No node in this graph filters motion, so this is the bone's own velocity.");
    }
}

/// An entry of the legend.
fn entry(ui: &mut Ui, label: &str, color: Color32) {
    let (rect, _) =
        ui.allocate_exact_size(vec2(16.0, ui.spacing().interact_size.y), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(2.5, color));
    ui.label(egui::RichText::new(label).small());
}

/// The one that was chosen, if there are lines of it; else the first that has something to show.
fn shown_kind(curves: &BoneCurves, chosen: Option<usize>) -> usize {
    let is_there = |kind: &usize| !drawn_curves(curves, *kind).is_empty();
    let moves = |kind: &usize| is_there(kind) && !is_still(&drawn_curves(curves, *kind));
    let all = || 0..kinds().count();
    let first = || all().find(moves).or_else(|| all().find(is_there));
    chosen.filter(is_there).or_else(first).unwrap_or_default()
}

/// 0 throughout.
fn is_still(curves: &[&Curve]) -> bool {
    let mut numbers = curves.iter().flat_map(|curve| &curve.numbers);
    numbers.all(|number| !(magnitude(*number).abs() > LEAST_RANGE))
}

fn drawn_curves(curves: &BoneCurves, kind: usize) -> Vec<&Curve> {
    let is_drawn = |curve: &&Curve| curve.line.is_drawn && curve.line.kind() == kind;
    curves.curves.iter().filter(is_drawn).collect()
}

/// One colour per line: quiet ones before filters, warm ones after.
fn colored(curves: Vec<&Curve>) -> Vec<(&Curve, Color32)> {
    let mut used = [0, 0];
    let color = |curve: &Curve| {
        let (colors, used) = match curve.line.side {
            Side::Before => (theme::CURVES_BEFORE.as_slice(), &mut used[0]),
            Side::After => (theme::CURVES_AFTER.as_slice(), &mut used[1]),
        };
        *used += 1;
        colors[(*used - 1) % colors.len()]
    };
    let mut color = color;
    curves.into_iter().map(|curve| (curve, color(curve))).collect()
}

/// A lower plot could not be read.
const LEAST_HEIGHT: f32 = 70.0;
/// What stays free above the highest point, as a fraction of the plot.
const HEADROOM: f64 = 0.08;
/// Smaller values are rounding errors.
const LEAST_RANGE: f64 = 1e-9;

fn plot(ui: &mut Ui, state: &mut State, scale: &TimeScale) {
    let duration_secs = state.show.duration_secs();
    let playhead_secs = state.playhead.time_secs;
    let Some(latest) = &state.curves.latest else { return };
    let (Some(&first), Some(&last)) = (latest.times_secs.first(), latest.times_secs.last()) else {
        return;
    };
    let kind = shown_kind(latest, state.curves.kind);
    let (name, unit) = kinds().nth(kind).unwrap_or_default();
    let curves = colored(drawn_curves(latest, kind));
    let legend = curves.iter().map(|(curve, color)| (curve.line.label.clone(), *color)).collect();
    let marked = heights(&curves);
    let (low, high) = with_room(marked);
    let width = ui.available_width();
    let shown = Plot::new("curves of the selected bone")
        .height(ui.available_height().max(LEAST_HEIGHT))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .sense(Sense::click_and_drag())
        // The ruler above is the axis of time, and heights are written inside: so both are equally wide.
        .show_axes(false)
        .show_grid(false)
        .label_formatter(move |hover| match hover {
            HoverPosition::NearDataPoint { plot_name, position, .. } => {
                Some(format!("{plot_name}\n{:.3} {unit} at {:.2} s", position.y, position.x))
            }
            HoverPosition::Elsewhere { .. } => None,
        })
        .show(ui, |plot| {
            let sides = plot.response().rect.x_range();
            let [from, to] = [sides.min, sides.max].map(|x| scale.secs_at(x));
            plot.set_plot_bounds(PlotBounds::from_min_max([from, low], [to, high]));
            if let Some(end_secs) = latest.end_secs {
                let dashes = LineStyle::Dashed { length: 5.0 };
                let end = VLine::new("the clip ends", end_secs).style(dashes).allow_hover(false);
                plot.vline(end.stroke(Stroke::new(1.0, theme::FAINT)));
            }
            // Quiet lines lie below.
            for side in [Side::Before, Side::After] {
                for (curve, color) in curves.iter().filter(|(curve, _)| curve.line.side == side) {
                    let points = thinned(&latest.times_secs, curve, width as usize);
                    let line = Line::new(curve.line.label.clone(), PlotPoints::from(points));
                    plot.line(line.stroke(Stroke::new(1.8, *color)));
                }
            }
            let playhead = VLine::new("playhead", playhead_secs).allow_hover(false);
            plot.vline(playhead.stroke(Stroke::new(2.0, theme::TEXT)));
        });
    let label = format!("Curves of {}: {name}, {unit}", latest.bone_name);
    let response = shown.response;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, &label));
    let column = |secs: f64| shown.transform.position_from_point(&PlotPoint::new(secs, 0.0)).x;
    let rows = shown.transform.frame().y_range();
    let rect = Rect::from_x_y_ranges(column(first)..=column(last), rows);
    let heights = write_heights(ui, &shown.transform, marked, unit);
    let times_secs = [first, last];
    state.curves.drawn = Some(DrawnPlot { rect, times_secs, playhead_secs, heights, legend });
    if let Some(pointer) = response.interact_pointer_pos()
        && (response.dragged() || response.clicked() || response.drag_started())
    {
        let time_secs = shown.transform.value_from_position(pointer).x;
        if time_secs.is_finite() {
            state.playhead.time_secs = time_secs.clamp(0.0, duration_secs.max(0.0));
            state.playhead.is_playing = false;
        }
    }
}

/// The greatest and the least height at their lines, and 0 where both are far from it. Gives what it wrote.
fn write_heights(
    ui: &Ui,
    transform: &PlotTransform,
    (low, high): (f64, f64),
    unit: &str,
) -> Vec<String> {
    let frame = transform.frame();
    let painter = ui.painter_at(*frame);
    let middle = if low < 0.0 { 0.0 } else { 0.5 * high };
    let mut written = Vec::new();
    for (height, align) in
        [(high, Align2::LEFT_TOP), (middle, Align2::LEFT_BOTTOM), (low, Align2::LEFT_BOTTOM)]
    {
        let y = transform.position_from_point(&PlotPoint::new(0.0, height)).y;
        let stroke = Stroke::new(1.0, theme::LINE.gamma_multiply(0.7));
        painter.hline(frame.x_range(), y, stroke);
        let text = format!("{} {unit}", short(height, (high - low) / 100.0));
        let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(10.0), theme::FAINT);
        let place = align.anchor_size(pos2(frame.left() + 8.0, y), galley.size());
        painter.rect_filled(place.expand2(vec2(2.0, 0.0)), 2.0, theme::GROUND.gamma_multiply(0.7));
        painter.galley(place.min, galley, theme::FAINT);
        written.push(text);
    }
    written
}

/// From the least to the most, 0 included.
fn heights(curves: &[(&Curve, Color32)]) -> (f64, f64) {
    let all = || curves.iter().flat_map(|(curve, _)| curve.numbers.iter().copied().map(magnitude));
    let finite = || all().filter(|height| height.is_finite());
    let (low, high) = (finite().fold(0.0, f64::min), finite().fold(0.0, f64::max));
    if !(high - low > LEAST_RANGE) {
        return (0.0, 1.0);
    }
    (low, high)
}

/// With something above and, where lines go below 0, below.
fn with_room((low, high): (f64, f64)) -> (f64, f64) {
    let room = HEADROOM * (high - low);
    (if low < 0.0 { low - room } else { 0.0 }, high + room)
}

/// As many points as can be seen: of those in one pixel the lowest and the highest.
fn thinned(times_secs: &[f64], curve: &Curve, width: usize) -> Vec<[f64; 2]> {
    let heights = curve.numbers.iter().copied().map(magnitude);
    let points: Vec<[f64; 2]> = times_secs.iter().zip(heights).map(|(t, y)| [*t, y]).collect();
    let per_pixel = points.len() / width.max(1);
    if per_pixel < 3 {
        return points;
    }
    let ends = |bunch: &[[f64; 2]]| {
        let by_height = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        let low = bunch.iter().min_by(by_height).copied();
        let high = bunch.iter().max_by(by_height).copied();
        let mut ends: Vec<[f64; 2]> = low.into_iter().chain(high).collect();
        ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
        ends
    };
    points.chunks(per_pixel).flat_map(ends).collect()
}

/// As many digits as tell marks apart that are so far from each other.
fn short(value: f64, step: f64) -> String {
    let digits = (-step.log10()).ceil().clamp(0.0, 6.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_eval::curves::Readings;
    use jounce_ir::Number;

    #[test]
    fn a_thinned_line_keeps_its_peaks() {
        let line = Readings::of_velocities().lines.remove(0);
        let times: Vec<f64> = (0..100_000).map(|i| f64::from(i) / 60.0).collect();
        let number = |i: &f64| Number::Float(if *i == 500.0 { 7.0 } else { (i * 0.1).sin() });
        let curve = Curve { line, numbers: times.iter().map(number).collect() };
        let thin = thinned(&times, &curve, 800);
        assert!(thin.len() < 2000, "{}", thin.len());
        assert!(thin.contains(&[500.0, 7.0]), "the peak is seen");
        assert!(thin.windows(2).all(|pair| pair[0][0] <= pair[1][0]), "time goes on");
        assert_eq!(thinned(&times[..50], &curve, 800).len(), 50);
    }
}
