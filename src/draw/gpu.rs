//! The graphics device: a real one if there is one, else a software one.

use super::DrawError;

/// A device and its queue. Cheap to clone: both are handles.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// Name of the adapter, for messages.
    pub adapter: String,
}

impl Gpu {
    /// Takes the fastest adapter; `WGPU_BACKEND` in the environment narrows the choice.
    pub fn new() -> Result<Gpu, DrawError> {
        pollster::block_on(Gpu::request())
    }

    async fn request() -> Result<Gpu, DrawError> {
        // Without OpenGL: its shading language cannot read depth textures as ours does.
        let backends = wgpu::Backends::PRIMARY;
        let chosen = wgpu::Backends::from_env().map_or(backends, |chosen| chosen & backends);
        if let Some(adapter) = best_adapter(chosen).await {
            return open(adapter).await;
        }
        Err(DrawError::NoAdapter)
    }

    /// For a window that already owns a device.
    pub fn from_device(
        device: wgpu::Device,
        queue: wgpu::Queue,
        adapter: impl Into<String>,
    ) -> Gpu {
        Gpu { device, queue, adapter: adapter.into() }
    }

    /// Runs work on the device. What the device cannot do, or has no memory for, becomes an error
    /// instead of wgpu's panic.
    pub(super) fn guarded<T>(
        &self,
        work: impl FnOnce() -> Result<T, DrawError>,
    ) -> Result<T, DrawError> {
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
        match caught {
            None => done,
            Some(wgpu::Error::OutOfMemory { .. }) => Err(DrawError::OutOfMemory),
            Some(error) => Err(DrawError::Refused {
                adapter: self.adapter.clone(),
                reason: error.to_string().split_whitespace().collect::<Vec<_>>().join(" "),
            }),
        }
    }

    /// The longest side a picture may have, in pixels.
    pub fn largest_side_px(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    pub(super) fn check_resolution(&self, [width, height]: [u32; 2]) -> Result<(), DrawError> {
        let largest = self.largest_side_px();
        if width.min(height) == 0 || width.max(height) > largest {
            return Err(DrawError::Resolution { width, height, largest });
        }
        Ok(())
    }

    pub(super) fn check_buffer(&self, what: &'static str, needed: u64) -> Result<(), DrawError> {
        let limits = self.device.limits();
        // The wireframe reads meshes as storage, so both limits count.
        let largest = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if needed > largest {
            return Err(DrawError::MeshTooLarge { what, needed, largest });
        }
        Ok(())
    }
}

/// wgpu puts discrete before integrated before software adapters.
async fn best_adapter(backends: wgpu::Backends) -> Option<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends;
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    wgpu::Instance::new(descriptor).request_adapter(&options).await.ok()
}

async fn open(adapter: wgpu::Adapter) -> Result<Gpu, DrawError> {
    let name = adapter.get_info().name;
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("jounce"),
        // Large pictures and meshes need more than the portable minimum.
        required_limits: adapter.limits(),
        ..Default::default()
    };
    match adapter.request_device(&descriptor).await {
        Ok((device, queue)) => Ok(Gpu::from_device(device, queue, name)),
        Err(error) => Err(DrawError::NoDevice { adapter: name, reason: error.to_string() }),
    }
}
