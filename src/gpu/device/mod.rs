//! The graphics device that evaluates and draws: a real one if there is one, else a software one.

mod adapters;
mod error;
mod readback;

pub use adapters::{AdapterInfo, adapters};
pub use error::GpuError;

use std::sync::{Arc, Mutex, PoisonError};

/// A device and its queue. Cheap to clone: both are handles.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// Name of the adapter, for messages.
    pub adapter: String,
    /// It computes on the processor, not on a graphics card.
    pub is_software: bool,
    /// Why the device does not answer any more.
    lost: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Takes the fastest adapter; `WGPU_BACKEND` in the environment narrows the choice.
    pub fn new() -> Result<Gpu, GpuError> {
        pollster::block_on(adapters::open_fastest())
    }

    /// Takes the adapter with this number in [`adapters`], or the first whose name contains this.
    pub fn named(wanted: &str) -> Result<Gpu, GpuError> {
        pollster::block_on(adapters::open_named(wanted))
    }

    /// For a window that already owns a device.
    pub fn from_device(
        device: wgpu::Device,
        queue: wgpu::Queue,
        adapter: impl Into<String>,
    ) -> Gpu {
        let lost = Arc::new(Mutex::new(None));
        let note = lost.clone();
        device.set_device_lost_callback(move |reason, message| {
            let words = if message.is_empty() { format!("{reason:?}") } else { message };
            *note.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
        });
        Gpu { device, queue, adapter: adapter.into(), is_software: false, lost }
    }

    /// Runs work on the device. What the device cannot do, or has no memory for, becomes an error
    /// instead of wgpu's panic.
    pub fn guarded<T, E: From<GpuError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        self.check_alive()?;
        let filters = [
            wgpu::ErrorFilter::Validation,
            wgpu::ErrorFilter::Internal,
            wgpu::ErrorFilter::OutOfMemory,
        ];
        let mut scopes = filters.map(|filter| Some(self.device.push_error_scope(filter)));
        let done = work();
        // Scopes are a stack: the last one in is the first one out. Memory comes first: where it
        // is lacking, what else went wrong only follows from that.
        let mut caught = None;
        for scope in scopes.iter_mut().rev().filter_map(Option::take) {
            let error = pollster::block_on(scope.pop());
            caught = caught.or(error);
        }
        // A device that is lost refuses everything, for no other reason.
        self.check_alive()?;
        match caught {
            None => done,
            Some(wgpu::Error::OutOfMemory { .. }) => Err(GpuError::OutOfMemory.into()),
            Some(error) => Err(self.refused(&error.to_string()).into()),
        }
    }

    fn refused(&self, reason: &str) -> GpuError {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        GpuError::Refused { adapter: self.adapter.clone(), reason }
    }

    /// A driver that was updated or crashed takes the device away.
    pub fn check_alive(&self) -> Result<(), GpuError> {
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        match &*lost {
            Some(reason) => {
                Err(GpuError::Lost { adapter: self.adapter.clone(), reason: reason.clone() })
            }
            None => Ok(()),
        }
    }

    /// The longest side a picture may have, in pixels.
    pub fn largest_side_px(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// Can a buffer of so many bytes be read by shaders?
    pub fn check_buffer(&self, what: &'static str, needed: u64) -> Result<(), GpuError> {
        let limits = self.device.limits();
        let largest = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if needed > largest {
            return Err(GpuError::TooLarge { what, needed, largest });
        }
        Ok(())
    }
}
