//! Curves as a picture: a panel for each bone or flesh element and kind of value, one below the other on one time axis.
//!
//! ```text
//! title
//! bone: kind, unit     ── before   ── after     what the lines are
//! │  curves
//! └────────────────────────────────  seconds
//! ```

use super::{CliError, Curves, Subject};
use jounce_base::text::visible;
use jounce_eval::curves::{Line, Side, kinds, magnitude};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::borrow::Cow;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Plotters counts whole pixels. So that curves are smooth they are drawn this much larger, and the
/// picture says that it is smaller.
const SCALE: i32 = 8;

// In pixels of the picture.
const WIDTH: i32 = 960;
const TITLE: i32 = 40;
const PLOT: i32 = 230;
/// A panel in which nothing moves needs no more than its name.
const STILL: i32 = 30;
const LEGEND_ROW: i32 = 20;
const FOOT: i32 = 34;
const LEFT: i32 = 64;
const RIGHT: i32 = 24;
/// About, of a letter of a legend.
const LETTER: f64 = 5.6;
const SWATCH: i32 = 22;
/// Size of small letters.
const LABEL: i32 = 12;
const HEADING: i32 = 13;
const TICKS: [usize; 2] = [10, 5];

const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
const PALE_INK: RGBColor = RGBColor(0x77, 0x77, 0x77);
const GRID: RGBColor = RGBColor(0xe8, 0xe8, 0xe8);
const BEFORE: [RGBColor; 3] =
    [RGBColor(0x9a, 0x9a, 0x9a), RGBColor(0x55, 0x55, 0x55), RGBColor(0xb8, 0xa9, 0x8c)];
/// Okabe and Ito's, which colour-blind people tell apart too.
const AFTER: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

struct Panel<'a> {
    heading: String,
    curves: Vec<Curve<'a>>,
    low: f64,
    high: f64,
    /// Entries of the legend by row, each with where it begins.
    legend: Vec<Vec<(i32, usize)>>,
}

struct Curve<'a> {
    label: Cow<'a, str>,
    colour: RGBColor,
    heights: Vec<f64>,
}

pub fn svg(curves: &Curves) -> Result<String, CliError> {
    let panels = panels(curves);
    let height = TITLE + panels.iter().map(Panel::height).sum::<i32>() + FOOT;
    let mut text = String::new();
    let size = ((WIDTH * SCALE) as u32, (height * SCALE) as u32);
    draw(&SVGBackend::with_string(&mut text, size).into_drawing_area(), curves, &panels)
        .map_err(|error| CliError::Plot(error.to_string()))?;
    let large = format!("width=\"{}\" height=\"{}\"", size.0, size.1);
    Ok(text.replacen(&large, &format!("width=\"{WIDTH}\" height=\"{height}\""), 1))
}

fn panels<'a>(curves: &'a Curves) -> Vec<Panel<'a>> {
    let mut panels = Vec::new();
    for (Subject { name: subject, .. }, numbers) in curves.subjects.iter().zip(&curves.numbers) {
        for (kind, (name, unit)) in kinds().enumerate() {
            let drawn = curves.lines.iter().zip(numbers);
            let drawn = drawn.filter(|(line, _)| line.is_drawn && line.kind() == kind);
            let drawn: Vec<_> = drawn.filter(|(_, numbers)| !numbers.is_empty()).collect();
            if drawn.is_empty() {
                continue;
            }
            let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
            let heights = |numbers: &[_]| numbers.iter().map(|number| magnitude(*number)).collect();
            let drawn = drawn.into_iter().map(|(line, numbers)| (line, heights(numbers))).collect();
            panels.push(Panel::new(format!("{}: {name}{unit}", visible(subject)), drawn));
        }
    }
    panels
}

impl<'a> Panel<'a> {
    fn new(mut heading: String, drawn: Vec<(&'a Line, Vec<f64>)>) -> Panel<'a> {
        let mut used = [0, 0];
        let mut curves = Vec::new();
        for (line, heights) in drawn {
            let (colours, used) = match line.side {
                Side::Before => (BEFORE.as_slice(), &mut used[0]),
                Side::After => (AFTER.as_slice(), &mut used[1]),
            };
            let colour = colours[*used % colours.len()];
            *used += 1;
            curves.push(Curve { label: visible(&line.label), colour, heights });
        }
        let all = || curves.iter().flat_map(|curve| &curve.heights).copied();
        let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
        if !(high - low > LEAST_HEIGHT) {
            heading += ": 0 throughout";
            return Panel { heading, curves: Vec::new(), low, high, legend: Vec::new() };
        }
        let room = 0.06 * (high - low);
        let low = if low < 0.0 { low - room } else { 0.0 };
        let legend = legend(&curves);
        Panel { heading, curves, low, high: high + room, legend }
    }

    fn height(&self) -> i32 {
        match self.curves.is_empty() {
            true => STILL,
            false => LEGEND_ROW * (1 + self.legend.len() as i32) + PLOT,
        }
    }
}

/// Smaller values are rounding errors.
const LEAST_HEIGHT: f64 = 1e-9;

/// From left to right, and on in the next row where there is no more room.
fn legend(curves: &[Curve]) -> Vec<Vec<(i32, usize)>> {
    let mut rows = vec![Vec::new()];
    let mut x = LEFT;
    for (place, curve) in curves.iter().enumerate() {
        let width = SWATCH + 28 + (LETTER * curve.label.chars().count() as f64) as i32;
        if x + width > WIDTH && x > LEFT {
            rows.push(Vec::new());
            x = LEFT;
        }
        if let Some(row) = rows.last_mut() {
            row.push((x, place));
        }
        x += width;
    }
    rows
}

type Failure = DrawingAreaErrorKind<std::io::Error>;

fn draw(root: &Area, curves: &Curves, panels: &[Panel]) -> Result<(), Failure> {
    root.fill(&WHITE)?;
    write(root, &visible(&curves.title), LEFT, 24, 15, INK)?;
    let mut top = TITLE;
    let last = panels.iter().rposition(|panel| !panel.curves.is_empty());
    for (place, panel) in panels.iter().enumerate() {
        let size = (WIDTH * SCALE, panel.height() * SCALE);
        draw_panel(&root.clone().shrink((0, top * SCALE), size), curves, panel)?;
        top += panel.height();
        if Some(place) == last {
            write(root, "seconds", WIDTH - RIGHT - 46, top + 8, LABEL, PALE_INK)?;
        }
    }
    root.present()
}

/// `y` is the middle of the line. What is larger than a label is a heading.
fn write(
    area: &Area,
    text: &str,
    x: i32,
    y: i32,
    size: i32,
    colour: RGBColor,
) -> Result<(), Failure> {
    let middle = Pos::new(HPos::Left, VPos::Center);
    let font = ("sans-serif", size * SCALE).into_font();
    let font = if size > LABEL { font.style(FontStyle::Bold) } else { font };
    let style = font.color(&colour).pos(middle);
    area.draw(&Text::new(text.to_owned(), (x * SCALE, y * SCALE), style))
}

fn draw_panel(area: &Area, curves: &Curves, panel: &Panel) -> Result<(), Failure> {
    write(area, &panel.heading, LEFT, 12, HEADING, INK)?;
    if panel.curves.is_empty() {
        return Ok(());
    }
    for (row, entries) in panel.legend.iter().enumerate() {
        let y = LEGEND_ROW * (row as i32 + 1) + 12;
        for &(x, place) in entries {
            let Curve { label, colour, .. } = &panel.curves[place];
            let ends = vec![(x * SCALE, y * SCALE), ((x + SWATCH) * SCALE, y * SCALE)];
            area.draw(&PathElement::new(ends, stroke(*colour, 2.0)))?;
            write(area, label, x + SWATCH + 6, y, LABEL, INK)?;
        }
    }
    let plot_top = LEGEND_ROW * (1 + panel.legend.len() as i32) * SCALE;
    let plot = area.clone().shrink((0, plot_top), (WIDTH * SCALE, PLOT * SCALE));
    let times = &curves.times_secs;
    let (first, last) = (times[0], times[times.len() - 1]);
    let mut chart = ChartBuilder::on(&plot)
        .margin_top(8 * SCALE)
        .margin_right(RIGHT * SCALE)
        .set_label_area_size(LabelAreaPosition::Left, LEFT * SCALE)
        .set_label_area_size(LabelAreaPosition::Bottom, 24 * SCALE)
        .build_cartesian_2d(first..last, panel.low..panel.high)?;
    draw_grid(&mut chart, panel, last - first)?;
    if let Some(end_secs) = curves.end_secs.filter(|end| (first..last).contains(end)) {
        draw_end(&mut chart, panel, end_secs, last - first)?;
    }
    for curve in &panel.curves {
        let points = times.iter().copied().zip(curve.heights.iter().copied());
        chart.draw_series(LineSeries::new(points, stroke(curve.colour, 1.8)))?;
    }
    Ok(())
}

fn stroke(colour: RGBColor, width: f64) -> ShapeStyle {
    colour.stroke_width((width * f64::from(SCALE)) as u32)
}

fn draw_grid(chart: &mut Chart, panel: &Panel, length_secs: f64) -> Result<(), Failure> {
    let labels = ("sans-serif", LABEL * SCALE).into_font().color(&PALE_INK);
    let height = panel.high - panel.low;
    chart
        .configure_mesh()
        .bold_line_style(stroke(GRID, 1.0))
        .light_line_style(WHITE.mix(0.0))
        .axis_style(stroke(PALE_INK, 1.0))
        .x_labels(TICKS[0])
        .y_labels(TICKS[1])
        .x_label_formatter(&|x| rounded(*x, length_secs / TICKS[0] as f64))
        .y_label_formatter(&|y| rounded(*y, height / TICKS[1] as f64))
        .label_style(labels)
        .set_all_tick_mark_size(4 * SCALE)
        .draw()
}

/// Where the clip stands still: what comes after is what filters remember.
fn draw_end(
    chart: &mut Chart,
    panel: &Panel,
    end_secs: f64,
    shown_secs: f64,
) -> Result<(), Failure> {
    let ends = [(end_secs, panel.low), (end_secs, panel.high)];
    let dash = 4 * SCALE;
    chart.draw_series(DashedLineSeries::new(ends, dash, dash, stroke(PALE_INK, 1.0)))?;
    let corner = Pos::new(HPos::Left, VPos::Top);
    let style = ("sans-serif", LABEL * SCALE).into_font().color(&PALE_INK).pos(corner);
    let beside = end_secs + 0.006 * shown_secs;
    let text = Text::new("the clip ends", (beside, panel.high), style);
    chart.draw_series([text]).map(|_| ())
}

/// As many digits as tell marks apart that are about `step` from each other.
fn rounded(number: f64, step: f64) -> String {
    let digits = (-step.log10()).ceil();
    if !(-5.0..=5.0).contains(&digits) {
        return format!("{number:.1e}");
    }
    // No −0.
    let number = if number.abs() < 1e-6 * step { 0.0 } else { number };
    format!("{number:.*}", digits.max(0.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn marks_have_as_many_digits_as_they_need() {
        assert_eq!(rounded(0.2, 0.19), "0.2");
        assert_eq!(rounded(1.5, 0.28), "1.5");
        assert_eq!(rounded(-0.0, 0.05), "0.00");
        assert_eq!(rounded(20.0, 3.2), "20");
        assert_eq!(rounded(2e-9, 1e-9), "2.0e-9");
    }
}
