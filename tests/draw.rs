#![cfg(feature = "gpu")]
mod support;
