//! Nodes that remember: against formulas and golden data, and that what is scrubbed is what is played.

mod fed;
mod formulas;
mod live;
mod loops;
mod scrubbing;
