//! The theme: calm and dark, with one accent colour.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Vec2};
use jounce_graph::document::{color_of_category, color_of_type};
use jounce_graph::script::PortType;
use jounce_graph::script::editing::{CompletionKind, Highlight};

pub const ACCENT: Color32 = Color32::from_rgb(255, 158, 74);
/// Behind everything.
pub const GROUND: Color32 = Color32::from_rgb(24, 25, 28);
pub const PANEL: Color32 = Color32::from_rgb(32, 33, 37);
pub const RAISED: Color32 = Color32::from_rgb(44, 46, 51);
pub const LINE: Color32 = Color32::from_rgb(58, 60, 66);
pub const TEXT: Color32 = Color32::from_rgb(212, 214, 218);
pub const FAINT: Color32 = Color32::from_rgb(140, 144, 152);
pub const ERROR: Color32 = Color32::from_rgb(240, 98, 88);
pub const WARNING: Color32 = Color32::from_rgb(236, 190, 92);

/// What frames may be coloured with.
pub const FRAME_COLORS: [[u8; 3]; 6] = [
    [96, 125, 170],
    [92, 148, 118],
    [176, 122, 74],
    [160, 92, 104],
    [128, 104, 168],
    [120, 124, 132],
];

/// The colour of pins and wires, by what they carry.
pub fn port(ty: PortType) -> Color32 {
    let [r, g, b] = color_of_type(ty);
    Color32::from_rgb(r, g, b)
}

/// Behind the title of a node, by what it is for.
pub fn category(name: &str) -> Color32 {
    let [r, g, b] = color_of_category(name);
    Color32::from_rgb(r, g, b)
}

/// Words of code: calm, and as far apart as they need to be.
pub fn code(kind: Highlight) -> Color32 {
    match kind {
        Highlight::Comment => Color32::from_rgb(116, 122, 132),
        Highlight::Manual => Color32::from_rgb(142, 158, 136),
        Highlight::Text => Color32::from_rgb(170, 198, 132),
        Highlight::Number => Color32::from_rgb(222, 178, 124),
        Highlight::Keyword => Color32::from_rgb(202, 146, 208),
        Highlight::Declaration => ACCENT,
        Highlight::Type => Color32::from_rgb(116, 196, 186),
        Highlight::Source => Color32::from_rgb(132, 182, 232),
        Highlight::Function => Color32::from_rgb(226, 204, 136),
        Highlight::Port => Color32::from_rgb(240, 240, 244),
    }
}

/// The same in the list of what may be meant.
pub fn completion(kind: CompletionKind) -> Color32 {
    match kind {
        CompletionKind::Declaration | CompletionKind::Detail => code(Highlight::Declaration),
        CompletionKind::Type => code(Highlight::Type),
        CompletionKind::Source => code(Highlight::Source),
        CompletionKind::Function => code(Highlight::Function),
        CompletionKind::Port => code(Highlight::Port),
        CompletionKind::Variable => TEXT,
        CompletionKind::Keyword => code(Highlight::Keyword),
        CompletionKind::Library => code(Highlight::Text),
    }
}

/// Words on the picture, whose ground is a light grey.
pub const ON_PICTURE: Color32 = Color32::from_rgb(52, 54, 60);
/// Colours of curves that go into filters, and of those that come out.
pub const CURVES_BEFORE: [Color32; 3] = [
    Color32::from_rgb(128, 134, 146),
    Color32::from_rgb(168, 176, 188),
    Color32::from_rgb(128, 120, 104),
];
pub const CURVES_AFTER: [Color32; 6] = [
    ACCENT,
    Color32::from_rgb(250, 212, 110),
    Color32::from_rgb(236, 104, 92),
    Color32::from_rgb(222, 140, 190),
    Color32::from_rgb(190, 206, 104),
    Color32::from_rgb(198, 142, 104),
];

pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(egui::Theme::Dark);
    ctx.set_fonts(fonts());
    ctx.style_mut_of(egui::Theme::Dark, |style| {
        style.text_styles = [
            (TextStyle::Small, FontId::proportional(11.0)),
            (TextStyle::Body, FontId::proportional(13.0)),
            (TextStyle::Button, FontId::proportional(13.0)),
            (TextStyle::Heading, FontId::proportional(16.0)),
            (TextStyle::Monospace, FontId::monospace(12.0)),
        ]
        .into();
        // A zoomed graph lies between pixels; egui need not warn about it.
        #[cfg(debug_assertions)]
        {
            style.debug.show_unaligned = false;
        }
        let spacing = &mut style.spacing;
        spacing.item_spacing = Vec2::new(8.0, 5.0);
        spacing.button_padding = Vec2::new(8.0, 3.0);
        spacing.interact_size.y = 22.0;
        spacing.menu_margin = Margin::same(6);
        let visuals = &mut style.visuals;
        visuals.panel_fill = PANEL;
        visuals.window_fill = PANEL;
        visuals.extreme_bg_color = GROUND;
        visuals.faint_bg_color = Color32::from_rgb(37, 38, 42);
        visuals.window_stroke = Stroke::new(1.0, LINE);
        visuals.selection.bg_fill = ACCENT.gamma_multiply(0.45);
        visuals.selection.stroke = Stroke::new(1.0, ACCENT);
        visuals.hyperlink_color = ACCENT;
        visuals.error_fg_color = ERROR;
        visuals.warn_fg_color = WARNING;
        let radius = CornerRadius::same(4);
        let widgets = &mut visuals.widgets;
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
        widgets.noninteractive.fg_stroke = Stroke::new(1.0, TEXT);
        for (widget, fill) in [
            (&mut widgets.inactive, RAISED),
            (&mut widgets.hovered, Color32::from_rgb(56, 58, 64)),
            (&mut widgets.active, Color32::from_rgb(66, 68, 75)),
            (&mut widgets.open, Color32::from_rgb(50, 52, 58)),
        ] {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.corner_radius = radius;
            widget.expansion = 0.0;
        }
        widgets.inactive.fg_stroke = Stroke::new(1.0, TEXT);
        widgets.hovered.bg_stroke = Stroke::new(1.0, LINE);
        widgets.active.bg_stroke = Stroke::new(1.0, ACCENT);
    });
}

/// egui's own font; arrows, which it lacks, come from the code font.
fn fonts() -> egui::FontDefinitions {
    let mut fonts = egui::FontDefinitions::default();
    let of_code = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let of_text = fonts.families.entry(FontFamily::Proportional).or_default();
    of_text.extend(of_code.into_iter().filter(|font| font == "Hack"));
    fonts
}

/// Around dialogs.
pub fn dialog() -> egui::Frame {
    egui::Frame::NONE
        .fill(PANEL)
        .stroke(Stroke::new(1.0, LINE))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::same(18))
}

pub fn dock(style: &mut egui_dock::Style) {
    style.tab_bar.bg_fill = GROUND;
    style.tab_bar.hline_color = GROUND;
    style.tab_bar.corner_radius = CornerRadius::ZERO;
    style.separator.width = 2.0;
    // How near two lines may come: enough for the timeline, and no more.
    style.separator.extra = 60.0;
    style.separator.color_idle = GROUND;
    style.separator.color_hovered = ACCENT.gamma_multiply(0.6);
    style.separator.color_dragged = ACCENT;
    let tab = &mut style.tab;
    tab.tab_body.bg_fill = PANEL;
    tab.tab_body.stroke = Stroke::NONE;
    tab.tab_body.inner_margin = Margin::same(6);
    for (look, fill, text) in [
        (&mut tab.active, PANEL, TEXT),
        (&mut tab.focused, PANEL, TEXT),
        (&mut tab.inactive, GROUND, FAINT),
        (&mut tab.hovered, RAISED, TEXT),
    ] {
        look.bg_fill = fill;
        look.outline_color = Color32::TRANSPARENT;
        look.text_color = text;
        look.corner_radius = CornerRadius { nw: 4, ne: 4, sw: 0, se: 0 };
    }
}
