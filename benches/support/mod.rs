//! What the bench is made of.

pub mod bars;
pub mod cases;
pub mod clock;
pub mod hand;
