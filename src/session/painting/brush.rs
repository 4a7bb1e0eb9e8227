//! What a brush does, and how much of it at which distance.

/// What is done to the number of a vertex, by an amount a from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BrushTool {
    /// x + a · value.
    #[default]
    Add,
    /// x − a · value.
    Subtract,
    /// x + a · (value − x).
    Replace,
    /// x + a · (mean of the neighbours − x).
    Smooth,
    /// x + a · (0 − x).
    Erase,
    /// As replace, on all of the connected piece at once.
    Flood,
}

impl BrushTool {
    pub const ALL: [BrushTool; 6] = [
        BrushTool::Add,
        BrushTool::Subtract,
        BrushTool::Replace,
        BrushTool::Smooth,
        BrushTool::Erase,
        BrushTool::Flood,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            BrushTool::Add => "Add",
            BrushTool::Subtract => "Subtract",
            BrushTool::Replace => "Replace",
            BrushTool::Smooth => "Smooth",
            BrushTool::Erase => "Erase",
            BrushTool::Flood => "Flood",
        }
    }

    pub const fn help(self) -> &'static str {
        match self {
            BrushTool::Add => "Adds the value",
            BrushTool::Subtract => "Subtracts the value",
            BrushTool::Replace => "Brings the map to the value",
            BrushTool::Smooth => "Evens out what is beside each other",
            BrushTool::Erase => "Brings the map to 0",
            BrushTool::Flood => "A click brings the whole connected piece to the value",
        }
    }

    /// Does it use the brush's value?
    pub fn has_value(self) -> bool {
        !matches!(self, BrushTool::Smooth | BrushTool::Erase)
    }

    /// The number of a vertex after it, where `mean` is that of its neighbours.
    pub fn applied(self, x: f32, amount: f32, value: f32, mean: f32) -> f32 {
        match self {
            BrushTool::Add => x + amount * value,
            BrushTool::Subtract => x - amount * value,
            BrushTool::Replace | BrushTool::Flood => x + amount * (value - x),
            BrushTool::Smooth => x + amount * (mean - x),
            BrushTool::Erase => x - amount * x,
        }
    }
}

/// How the amount falls from 1 in the middle of a brush to its rim, by t = distance / radius.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Falloff {
    /// (1 − t²)²: flat in the middle and at the rim.
    #[default]
    Smooth,
    /// 1 − t.
    Linear,
    /// (1 − t)².
    Sharp,
    /// √(1 − t²).
    Round,
    /// 1 up to the rim.
    Flat,
}

impl Falloff {
    pub const ALL: [Falloff; 5] =
        [Falloff::Smooth, Falloff::Linear, Falloff::Sharp, Falloff::Round, Falloff::Flat];

    pub const fn name(self) -> &'static str {
        match self {
            Falloff::Smooth => "Smooth",
            Falloff::Linear => "Linear",
            Falloff::Sharp => "Sharp",
            Falloff::Round => "Round",
            Falloff::Flat => "Flat",
        }
    }

    /// 0 beyond the rim.
    pub fn at(self, t: f64) -> f64 {
        if !(t <= 1.0) {
            return 0.0;
        }
        let t = t.max(0.0);
        match self {
            Falloff::Smooth => (1.0 - t * t).powi(2),
            Falloff::Linear => 1.0 - t,
            Falloff::Sharp => (1.0 - t).powi(2),
            Falloff::Round => (1.0 - t * t).sqrt(),
            Falloff::Flat => 1.0,
        }
    }
}

/// What is painted on the other side at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    #[default]
    Off,
    /// What lies at the mirrored place of the rest pose.
    AcrossX,
    /// What lies at the mirrored place of the bone of the other side, by its name: also where the rest pose is not
    /// the same on both sides.
    ByBones,
}

impl Symmetry {
    pub const ALL: [Symmetry; 3] = [Symmetry::Off, Symmetry::AcrossX, Symmetry::ByBones];

    pub const fn name(self) -> &'static str {
        match self {
            Symmetry::Off => "Off",
            Symmetry::AcrossX => "Across X",
            Symmetry::ByBones => "By Bone Names",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Brush {
    pub tool: BrushTool,
    /// In sizes of the character.
    pub radius_sizes: f64,
    /// The amount in the middle, from 0 to 1.
    pub strength: f64,
    pub value: f32,
    pub falloff: Falloff,
    pub symmetry: Symmetry,
    /// Leaves alone what the eye does not see.
    pub only_visible: bool,
    /// Every stamp of a stroke counts, not only the strongest on each vertex.
    pub builds_up: bool,
    /// Where painting ends. What is beyond already stays.
    pub limits: Option<[f32; 2]>,
}

impl Brush {
    pub const RADIUS_SIZES: std::ops::RangeInclusive<f64> = 0.001..=1.0;

    /// What a limit makes of a number that was `before`.
    pub fn limited(&self, x: f32, before: f32) -> f32 {
        match self.limits {
            Some([least, most]) => x.clamp(least.min(before), most.max(before)),
            None => x,
        }
    }
}

impl Default for Brush {
    fn default() -> Brush {
        Brush {
            tool: BrushTool::Add,
            radius_sizes: 0.06,
            strength: 0.5,
            value: 1.0,
            falloff: Falloff::Smooth,
            symmetry: Symmetry::Off,
            only_visible: true,
            builds_up: false,
            limits: Some([-1.0, 1.0]),
        }
    }
}
