//! Nodes that remember: against formulas and golden data, and that what is scrubbed is what is played.

#[path = "time/fed.rs"]
mod fed;
#[path = "time/formulas.rs"]
mod formulas;
#[path = "time/live.rs"]
mod live;
#[path = "time/loops.rs"]
mod loops;
#[path = "time/scrubbing.rs"]
mod scrubbing;
mod support;
