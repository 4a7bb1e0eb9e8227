//! Why a graphics device cannot be used.

use thiserror::Error;

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GpuError {
    #[error(
        "no graphics adapter was found: install a driver for your graphics card, or the software \
         renderer lavapipe (package `mesa-vulkan-drivers` on Debian, Ubuntu and Fedora, \
         `vulkan-swrast` on Arch)"
    )]
    NoAdapter,
    #[error("there is no graphics adapter \"{wanted}\"; there are {known}")]
    NoSuchAdapter { wanted: String, known: String },
    #[error("the graphics adapter {adapter} could not be opened ({reason}): update its driver")]
    NoDevice { adapter: String, reason: String },
    #[error("the graphics adapter {adapter} cannot do this ({reason}): update its driver")]
    Refused { adapter: String, reason: String },
    #[error("the graphics adapter {adapter} was lost ({reason}): start again, or use the CPU")]
    Lost { adapter: String, reason: String },
    #[error(
        "the graphics adapter has no memory left: ask for a smaller picture or use a smaller mesh"
    )]
    OutOfMemory,
    #[error(
        "the {what} need {needed} bytes, but this graphics adapter allows {largest}: use a \
         smaller mesh"
    )]
    TooLarge { what: &'static str, needed: u64, largest: u64 },
    #[error(
        "this needs {needed} {what}, but the graphics adapter allows {largest}: use a smaller \
         mesh, fewer instances, or the CPU"
    )]
    Limit { what: &'static str, needed: u64, largest: u64 },
    #[error(
        "there are {found} deformed vertices, but {expected} with plain skinning are needed: the \
         result belongs to another mesh, or was made without plain skinning"
    )]
    OtherMesh { found: u64, expected: u64 },
    #[error(
        "the graphics adapter could not return the result ({0}): use a smaller mesh or fewer instances"
    )]
    Readback(String),
}
