//! How graphs are coloured, in the window and in pictures. Red, green, blue.

use crate::script::PortType;

/// The colour of pins and wires, by what they carry.
pub fn color_of_type(ty: PortType) -> [u8; 3] {
    match ty {
        PortType::Float => [150, 190, 235],
        PortType::Vec3 => [238, 176, 96],
        PortType::Quat => [190, 150, 235],
        PortType::Mat3 => [226, 134, 178],
        PortType::Any => [188, 192, 200],
        PortType::Bool | PortType::Int | PortType::Choice | PortType::Text => [132, 196, 150],
    }
}

/// Behind the title of a node, by what it is for.
pub fn color_of_category(name: &str) -> [u8; 3] {
    match name {
        "Input" => [46, 66, 60],
        "Motion" => [44, 62, 82],
        "Deformers" => [84, 60, 40],
        "Time" => [68, 52, 84],
        "Limits" => [80, 52, 58],
        "Output" => [96, 74, 38],
        "Groups" => [52, 58, 92],
        _ => [56, 59, 66],
    }
}
