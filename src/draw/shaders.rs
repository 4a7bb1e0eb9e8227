//! The shader texts. WGSL has no include: a module is several files, one after the other.

macro_rules! text {
    ($($file:literal),+) => { concat!($(include_str!(concat!("shaders/", $file)), "\n"),+) };
}

pub const SHADOW: &str = text!("draw_scene.wgsl", "draw_model.wgsl", "draw_shadow.wgsl");
pub const PREPARE: &str = text!("draw_scene.wgsl", "draw_prepare.wgsl");
pub const GROUND: &str = text!("draw_scene.wgsl", "draw_light.wgsl", "draw_ground.wgsl");
pub const BACKGROUND: &str = text!("draw_scene.wgsl", "draw_background.wgsl");
pub const SURFACE: &str =
    text!("draw_scene.wgsl", "draw_model.wgsl", "draw_light.wgsl", "draw_surface.wgsl");
pub const MATERIAL: &str = text!(
    "draw_scene.wgsl",
    "draw_model.wgsl",
    "draw_light.wgsl",
    "draw_shadow.wgsl",
    "draw_surface.wgsl",
    "draw_texture.wgsl",
    "draw_material.wgsl"
);
pub const WIRE: &str = text!("draw_scene.wgsl", "draw_model.wgsl", "draw_wire.wgsl");
pub const HERD: &str = text!(
    "draw_scene.wgsl",
    "draw_model.wgsl",
    "draw_light.wgsl",
    "draw_shadow.wgsl",
    "draw_surface.wgsl",
    "draw_texture.wgsl",
    "draw_material.wgsl",
    "draw_wire.wgsl",
    "draw_herd.wgsl"
);
pub const BONES: &str = text!("draw_scene.wgsl", "draw_bones.wgsl");

/// Every module as the GPU gets it, with a name for messages.
pub const MODULES: [(&str, &str); 9] = [
    ("shadow", SHADOW),
    ("prepare", PREPARE),
    ("ground", GROUND),
    ("background", BACKGROUND),
    ("surface", SURFACE),
    ("material", MATERIAL),
    ("wire", WIRE),
    ("herd", HERD),
    ("bones", BONES),
];
