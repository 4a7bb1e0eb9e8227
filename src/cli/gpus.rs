//! `jounce gpus`: the graphics adapters of this computer.

use super::{CliError, print};
use clap::Args;
use jounce_base::text::visible_json;
use jounce_gpu::{AdapterInfo, GpuError, adapters};

/// List the graphics adapters that can evaluate graphs and draw.
///
/// Other commands take one with `--gpu`, by its number or a part of its name; the default is the fastest.
#[derive(Args)]
pub struct GpusArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: GpusArgs) -> Result<(), CliError> {
    let found = adapters();
    if args.json {
        return print(&visible_json(&found)?);
    }
    if found.is_empty() {
        return Err(GpuError::NoAdapter.into());
    }
    let lines = found.iter().enumerate().map(|(number, adapter)| line(number, adapter));
    print(&lines.collect::<String>())
}

fn line(number: usize, adapter: &AdapterInfo) -> String {
    let AdapterInfo { name, backend, kind, driver, largest_buffer_bytes, .. } = adapter;
    let megabytes = largest_buffer_bytes / (1 << 20);
    let default = if adapter.is_default { ", the default" } else { "" };
    format!(
        "{number}  {name}: {kind}, {backend}, {driver}; buffers up to {megabytes} MiB{default}\n"
    )
}
