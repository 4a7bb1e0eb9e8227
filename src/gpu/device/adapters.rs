//! Which graphics adapters there are, and opening one.

use super::{Gpu, GpuError};

/// What `jounce gpus` shows of an adapter.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct AdapterInfo {
    pub name: String,
    /// Vulkan, Metal, DirectX 12.
    pub backend: String,
    /// discrete, integrated, virtual, software.
    pub kind: String,
    pub driver: String,
    /// The largest buffer that shaders can read.
    pub largest_buffer_bytes: u64,
    pub storage_buffers_per_stage: u32,
    /// The default.
    pub is_default: bool,
}

/// In the order of their numbers for [`Gpu::named`].
pub fn adapters() -> Vec<AdapterInfo> {
    pollster::block_on(async {
        let default = fastest().await.map(|adapter| adapter.get_info());
        let all = all().await;
        let same = |info: &wgpu::AdapterInfo| {
            default.as_ref().is_some_and(|default| {
                (default.name.as_str(), default.backend) == (info.name.as_str(), info.backend)
            })
        };
        let mut was_default = false;
        let mut found = Vec::with_capacity(all.len());
        for adapter in &all {
            let info = adapter.get_info();
            let is_default = !was_default && same(&info);
            was_default |= is_default;
            found.push(describe(adapter, &info, is_default));
        }
        found
    })
}

fn describe(adapter: &wgpu::Adapter, info: &wgpu::AdapterInfo, is_default: bool) -> AdapterInfo {
    let limits = adapter.limits();
    AdapterInfo {
        name: info.name.clone(),
        backend: match info.backend {
            wgpu::Backend::Dx12 => "DirectX 12".to_owned(),
            other => format!("{other:?}"),
        },
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        }
        .to_owned(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        largest_buffer_bytes: limits.max_buffer_size.min(limits.max_storage_buffer_binding_size),
        storage_buffers_per_stage: limits.max_storage_buffers_per_shader_stage,
        is_default,
    }
}

/// Without OpenGL: its shading language cannot read depth textures as the renderer does.
fn backends() -> wgpu::Backends {
    let usable = wgpu::Backends::PRIMARY;
    wgpu::Backends::from_env().map_or(usable, |chosen| chosen & usable)
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends();
    wgpu::Instance::new(descriptor)
}

async fn all() -> Vec<wgpu::Adapter> {
    instance().enumerate_adapters(backends()).await
}

/// wgpu puts discrete before integrated before software adapters.
async fn fastest() -> Option<wgpu::Adapter> {
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    instance().request_adapter(&options).await.ok()
}

pub async fn open_fastest() -> Result<Gpu, GpuError> {
    open(fastest().await.ok_or(GpuError::NoAdapter)?).await
}

pub async fn open_named(wanted: &str) -> Result<Gpu, GpuError> {
    let mut all = all().await;
    if all.is_empty() {
        return Err(GpuError::NoAdapter);
    }
    let names: Vec<String> = all.iter().map(|adapter| adapter.get_info().name).collect();
    let contains = |name: &String| name.to_ascii_lowercase().contains(&wanted.to_ascii_lowercase());
    let numbered = wanted.parse().ok().filter(|&number: &usize| number < all.len());
    let named = || names.iter().position(contains).filter(|_| !wanted.is_empty());
    match numbered.or_else(named) {
        Some(place) => open(all.swap_remove(place)).await,
        None => {
            let known = names.iter().enumerate().map(|(place, name)| format!("{place} ({name})"));
            let known = known.collect::<Vec<_>>().join(", ");
            Err(GpuError::NoSuchAdapter { wanted: wanted.to_owned(), known })
        }
    }
}

async fn open(adapter: wgpu::Adapter) -> Result<Gpu, GpuError> {
    let info = adapter.get_info();
    let (name, is_software) = (info.name, info.device_type == wgpu::DeviceType::Cpu);
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("jounce"),
        // Large pictures and meshes need more than the portable minimum.
        required_limits: adapter.limits(),
        ..Default::default()
    };
    match adapter.request_device(&descriptor).await {
        Ok((device, queue)) => Ok(Gpu { is_software, ..Gpu::from_device(device, queue, name) }),
        Err(error) => Err(GpuError::NoDevice { adapter: name, reason: error.to_string() }),
    }
}
