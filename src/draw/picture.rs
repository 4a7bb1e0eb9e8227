//! The description of one picture.

use super::{Bounds, Camera};
use glam::{Mat4, Vec3};

/// Everything that is needed for one picture, in scene space. `M` is what a model is: lists
/// ([`super::Mesh`]), or buffers on a device.
#[derive(Clone, Debug)]
pub struct PictureOf<'a, M> {
    pub camera: Camera,
    pub stage: Stage,
    pub look: Look,
    /// Solid models may stand in any order; translucent ones are drawn one over the other in order.
    pub models: &'a [PlacedOf<'a, M>],
    pub skeletons: &'a [Bones<'a>],
}

/// A model and how it stands in the picture.
#[derive(Clone, Copy, Debug)]
pub struct PlacedOf<'a, M> {
    pub model: &'a M,
    pub scene_from_model: Mat4,
    /// A linear colour, and how much of it (0 to 1) replaces the model's own.
    pub tint: [f32; 4],
    /// Below 1 the model is a ghost: seen as a whole, without its inside, without a shadow, and
    /// always behind what is solid.
    pub opacity: f32,
    /// How much of its colours is seen as it is, 0 to 1: lit as in a studio, or not lit at all, so that
    /// they can be told from each other.
    pub unlit: f32,
}

impl<'a, M> PlacedOf<'a, M> {
    pub fn at_origin(model: &'a M) -> PlacedOf<'a, M> {
        PlacedOf {
            model,
            scene_from_model: Mat4::IDENTITY,
            tint: [0.0; 4],
            opacity: 1.0,
            unlit: 0.0,
        }
    }

    pub fn is_solid(&self) -> bool {
        self.opacity >= 1.0
    }
}

/// A skeleton to be drawn over everything. Both lists have one entry per joint.
#[derive(Clone, Copy, Debug)]
pub struct Bones<'a> {
    pub joints: &'a [Vec3],
    pub parents: &'a [Option<usize>],
    pub scene_from_model: Mat4,
}

/// The room the subject moves in. Keep it the same for all pictures of one motion, or light and
/// shadow will swim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Around everything that casts a shadow, over the whole motion.
    pub bounds: Bounds,
    /// About the size of one subject: softness of light is measured by it.
    pub subject_size: f32,
    pub ground_height: Option<f32>,
}

impl Stage {
    /// A stage for one subject that stands on the lowest point of its bounds.
    pub fn around(bounds: Bounds) -> Stage {
        let bounds = bounds.made_visible();
        Stage { bounds, subject_size: bounds.longest_side(), ground_height: Some(bounds.min.y) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// Softly lit, as in a studio.
    #[default]
    Shaded,
    /// Flat black on white, without ground: is the pose readable from its outline alone?
    Silhouette,
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Background {
    /// A calm grey gradient.
    #[default]
    Studio,
    /// A gradient between two linear colours.
    Gradient { top: [f32; 3], bottom: [f32; 3] },
    /// Nothing but the subject and its shadow.
    Transparent,
}

/// The opacity of triangle edges: darker than the shading, but not a net of ink.
pub const WIREFRAME_OPACITY: f32 = 0.85;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub style: Style,
    pub background: Background,
    /// Whether the stage's ground is drawn.
    pub ground: bool,
    /// Opacity of the triangle edges; 0 draws none.
    pub wireframe: f32,
    pub line_width_px: f32,
    /// Opacity of skeletons.
    pub skeleton: f32,
}

impl Default for Look {
    fn default() -> Self {
        Look {
            style: Style::Shaded,
            background: Background::Studio,
            ground: true,
            wireframe: 0.0,
            line_width_px: 1.0,
            skeleton: 0.9,
        }
    }
}

impl Look {
    pub fn silhouette() -> Look {
        Look { style: Style::Silhouette, ..Look::default() }
    }
}
