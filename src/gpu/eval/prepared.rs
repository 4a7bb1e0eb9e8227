//! A program and a character on the device, ready for any number of frames.

use super::buffers::{Buffers, Counts};
use super::pipelines::{PipelineCache, Pipelines};
use super::skinning_kind;
use super::tables::{FrameData, TableLayouts};
use crate::{Gpu, GpuError};
use bytemuck::cast_slice;
use glam::Vec3;
use jounce_eval::character_data::CharacterData;
use jounce_eval::plan::Plan;
use jounce_eval::validate::{self, BoundSizes};
use jounce_eval::{Bound, Deformed, EvalError, Moment, Skinning};
use jounce_ir::Program;
use jounce_rig::{Base, Skinned};
use jounce_shader::wgsl::{ShaderSkinning, TableMemory};
use std::sync::{Arc, Mutex, PoisonError};

/// Positions, plain skinning's positions, its normals.
const SECTIONS: u64 = 3;

/// What the results of one run may take on the device, for many instances: 4 000 of 7 000 vertices.
const MOST_RESULT_BYTES: u64 = 1 << 30;

pub struct PreparedOnGpu {
    gpu: Gpu,
    program: Program,
    plan: Plan,
    layouts: TableLayouts,
    kind: ShaderSkinning,
    cache: Arc<Mutex<PipelineCache>>,
    pipelines: Arc<Pipelines>,
    data: CharacterData,
    /// As they are in the data.
    maps: Vec<Option<Arc<Vec<f64>>>>,
    buffers: Buffers,
    bind_group: Option<wgpu::BindGroup>,
    counts: Counts,
    /// Vertices in bind space are not those of the file at the moment.
    is_morphed: bool,
    staging: Option<wgpu::Buffer>,
    sizes: BoundSizes,
    /// The last run that succeeded.
    done: Option<Done>,
    /// The number of dispatches of the last run.
    dispatches: usize,
}

#[derive(Clone, Copy, Debug)]
struct Done {
    instances: usize,
    has_skinned: bool,
}

/// Results on the device: tightly packed positions, one instance after the other.
#[derive(Clone, Copy, Debug)]
pub struct OnGpu<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub vertices: u64,
    pub instances: u64,
    /// Are there sections of plain skinning behind the positions?
    pub has_skinned: bool,
}

impl OnGpu<'_> {
    /// Where a section begins: 0 positions, 1 plain skinning's, 2 plain skinning's normals.
    pub fn section_bytes(&self, section: u64) -> u64 {
        section * self.instances * self.vertices * size_of::<Vec3>() as u64
    }
}

impl PreparedOnGpu {
    pub(super) fn new(
        gpu: &Gpu,
        program: &Program,
        bound: &Bound,
        kind: ShaderSkinning,
        cache: Arc<Mutex<PipelineCache>>,
    ) -> Result<PreparedOnGpu, EvalError> {
        validate::check_bound(program, bound)?;
        let plan = Plan::new(program, &[])?;
        let layouts = TableLayouts::new(program, &plan);
        let bindings = bound.skin.as_ref().map_or(0, |skin| skin.binding_count);
        let memory = layouts.memory(bound.row_count(), bindings);
        let pipelines = pipelines(&cache, gpu, program, kind, memory)?;
        let base = (kind == ShaderSkinning::Dqs).then_some(Base::Dqs);
        let data = CharacterData::new(program, bound, base);
        let buffers = gpu.guarded(|| Buffers::new(gpu, &data))?;
        let counts = Counts {
            lanes: data.lanes as u32,
            vertices: bound.vertex_count() as u32,
            bones: bound.row_count() as u32,
            joints: bound.skin.as_ref().map_or(0, |skin| skin.binding_count) as u32,
            skin_weight_bits: data.skin_weight_bits,
            first_rest_row: data.first_rest_row as u32,
            first_map_row: data.first_map_row as u32,
            first_vertex_of_lane: data.first_vertex_of_lane as u32,
            first_neighbour_list: data.first_neighbour_list as u32,
            kept_slots: pipelines.kept_slots,
            writes_skinned: 1,
            ..Counts::default()
        };
        Ok(PreparedOnGpu {
            gpu: gpu.clone(),
            layouts,
            program: program.clone(),
            plan,
            kind,
            cache,
            pipelines,
            data,
            maps: bound.maps.clone(),
            buffers,
            bind_group: None,
            counts,
            is_morphed: false,
            staging: None,
            sizes: BoundSizes::of(bound),
            done: None,
            dispatches: 0,
        })
    }

    /// How many instances can go through one run: what the device can hold and shaders can count, at least 1.
    pub fn most_instances(&self) -> usize {
        let limits = self.gpu.device.limits();
        let largest = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let Counts { vertices, bones, joints, kept_slots, .. } = self.counts;
        let [vertices, bones, joints, kept] = [vertices, bones, joints, kept_slots].map(u64::from);
        let result_bytes = SECTIONS * vertices * size_of::<Vec3>() as u64;
        let tables = self.layouts.bytes(bones as usize, joints as usize).map(|bytes| bytes as u64);
        let [frame, bone, joint] = tables;
        let kept_bytes = kept * self.data.lanes as u64 * 4;
        let most_of = |bytes: u64, room: u64| room / bytes.max(1);
        let most = [frame, bone, joint, kept_bytes, result_bytes].map(|it| most_of(it, largest));
        let most = most.into_iter().fold(most_of(result_bytes, MOST_RESULT_BYTES), u64::min);
        let at_once = u64::from(limits.max_compute_workgroups_per_dimension);
        most.clamp(1, at_once) as usize
    }

    /// How often the last run has started a shader: once for all instances, and once for each smoothing.
    pub fn dispatches(&self) -> usize {
        self.dispatches
    }

    /// Whether plain skinning is written too; normals need it.
    pub fn write_skinned(&mut self, writes: bool) {
        self.counts.writes_skinned = writes.into();
    }

    /// Other values for a map, by its place in the program's table; none: the character has no such map.
    pub fn set_map(&mut self, map: usize, values: Option<&[f64]>) -> Result<(), EvalError> {
        validate::check_map(&self.program, self.sizes.vertex_count(), map, values)?;
        self.data.fill_map(map, values);
        self.upload_rows(self.data.first_map_row + map, 1);
        self.maps[map] = values.map(|values| Arc::new(values.to_vec()));
        Ok(())
    }

    /// Takes over the maps of a binding that differs from its own in nothing else: those that are there already cost
    /// nothing.
    pub fn follow_maps(&mut self, bound: &Bound) -> Result<(), EvalError> {
        for (place, values) in bound.maps.iter().enumerate() {
            let is_same = match (self.maps.get(place), values) {
                (Some(Some(known)), Some(values)) => Arc::ptr_eq(known, values),
                (Some(None), None) => true,
                _ => false,
            };
            if !is_same {
                self.set_map(place, values.as_ref().map(|values| values.as_slice()))?;
                self.maps[place].clone_from(values);
            }
        }
        Ok(())
    }

    fn upload_rows(&self, first_row: usize, rows: usize) {
        let lanes = self.data.lanes;
        let numbers = &self.data.vertex_data[first_row * lanes..(first_row + rows) * lanes];
        let offset = (first_row * lanes * 4) as u64;
        self.gpu.queue.write_buffer(&self.buffers.vertex_data, offset, cast_slice(numbers));
    }

    /// Runs one instance per moment. The result stays on the device.
    pub fn run(&mut self, bound: &Bound, moments: &[Moment]) -> Result<OnGpu<'_>, EvalError> {
        self.sizes.check(bound)?;
        if moments.iter().any(|moment| skinning_kind(moment) != self.kind) {
            return Err(EvalError::OtherSkinning);
        }
        let (program, plan) = (&self.program, &self.plan);
        let frame = FrameData::new(program, plan, &self.layouts, bound, moments)?;
        // Until it has succeeded there is no result.
        self.counts.instances = 0;
        (self.done, self.dispatches) = (None, 0);
        if frame.memory() != self.pipelines.tables {
            self.pipelines =
                pipelines(&self.cache, &self.gpu, &self.program, self.kind, frame.memory())?;
            self.bind_group = None;
        }
        let gpu = self.gpu.clone();
        let done = gpu.guarded(|| self.upload_and_dispatch(bound, moments, &frame));
        if done.is_err() {
            // Buffers that could not grow are useless.
            self.bind_group = None;
            self.buffers.shrink(&self.gpu);
        }
        done?;
        self.done =
            Some(Done { instances: moments.len(), has_skinned: self.counts.writes_skinned == 1 });
        Ok(self.result())
    }

    /// What the last run left.
    pub fn result(&self) -> OnGpu<'_> {
        OnGpu {
            buffer: self.buffers.positions(),
            vertices: self.counts.vertices.into(),
            instances: self.done.map_or(0, |done| done.instances as u64),
            has_skinned: self.done.is_some_and(|done| done.has_skinned),
        }
    }

    fn upload_and_dispatch(
        &mut self,
        bound: &Bound,
        moments: &[Moment],
        frame: &FrameData,
    ) -> Result<(), EvalError> {
        self.counts.instances = moments.len() as u32;
        let sections = if self.counts.writes_skinned == 1 { SECTIONS } else { 1 };
        let per_section =
            moments.len() as u64 * u64::from(self.counts.vertices) * size_of::<Vec3>() as u64;
        let slots = moments.len() as u64 * u64::from(self.counts.kept_slots);
        let kept_bytes = slots * self.data.lanes as u64 * 4;
        // If growing fails half way, nothing may be bound to what was there before.
        let bind_group = self.bind_group.take();
        let grew = self.buffers.make_room(&self.gpu, frame, sections * per_section, kept_bytes)?;
        let kept = bind_group.filter(|_| !grew);
        let bind = || self.pipelines.bind(&self.gpu, &self.buffers);
        self.bind_group = Some(kept.unwrap_or_else(bind));
        self.buffers.upload(&self.gpu, frame);
        // Vertices in bind space are shared by all instances; where they differ, one goes at a time.
        let differ = moments.len() > 1 && moments.iter().any(has_own_bind);
        if differ {
            for (instance, moment) in moments.iter().enumerate() {
                self.upload_bind(bound, moment);
                self.dispatch(instance as u32, 1)?;
            }
        } else if let Some(first) = moments.first() {
            self.upload_bind(bound, first);
            self.dispatch(0, moments.len() as u32)?;
        }
        Ok(())
    }

    fn upload_bind(&mut self, bound: &Bound, moment: &Moment) {
        let own = own_bind(moment);
        match (&own, &bound.skin) {
            (Some(bind), _) => self.data.fill_bind(&bind.positions, &bind.normals),
            (None, Some(skin)) if self.is_morphed => {
                self.data.fill_bind(&skin.positions, &skin.normals);
            }
            _ => return,
        }
        self.is_morphed = own.is_some();
        self.upload_rows(0, 6);
    }

    /// In pieces that the device allows.
    fn dispatch(&mut self, first_instance: u32, instances: u32) -> Result<(), GpuError> {
        let most = self.gpu.device.limits().max_compute_workgroups_per_dimension;
        let groups = self.data.groups as u32;
        let (mut instance, end) = (first_instance, first_instance + instances);
        while instance < end {
            let some_instances = most.min(end - instance);
            let step = if groups > most { most } else { groups.max(1) };
            // With several passes over the surface all groups must come along together.
            if groups > most && self.pipelines.sees_neighbours() {
                let (needed, largest) = (groups.into(), most.into());
                return Err(GpuError::Limit { what: "groups of vertices", needed, largest });
            }
            for first_group in (0..groups).step_by(step as usize) {
                self.counts.first_group = first_group;
                self.counts.first_instance = instance;
                let some_groups = step.min(groups - first_group);
                self.submit(some_groups, some_instances);
            }
            instance += some_instances;
        }
        Ok(())
    }

    fn submit(&mut self, groups: u32, instances: u32) {
        let Some(bind_group) = &self.bind_group else { return };
        self.gpu.queue.write_buffer(&self.buffers.counts, 0, bytemuck::bytes_of(&self.counts));
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.dispatches += self.pipelines.encode(&mut encoder, bind_group, [groups, instances]);
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Waits, and gives back one result per instance of the last run.
    pub fn read(&mut self) -> Result<Vec<Deformed>, EvalError> {
        let sections = match self.done {
            Some(Done { has_skinned: true, .. }) => SECTIONS,
            _ => 1,
        };
        let deformed = |mut lists: Vec<Vec<Vec3>>| {
            lists.resize(SECTIONS as usize, Vec::new());
            let [positions, skinned, normals] = [0, 1, 2].map(|i| std::mem::take(&mut lists[i]));
            Deformed { positions, skinned: Skinned { positions: skinned, normals } }
        };
        Ok(self.read_sections(sections)?.into_iter().map(deformed).collect())
    }

    /// The same without plain skinning.
    pub fn read_positions(&mut self) -> Result<Vec<Vec<Vec3>>, EvalError> {
        Ok(self.read_sections(1)?.into_iter().flatten().collect())
    }

    /// Per instance a list of each of the first sections.
    fn read_sections(&mut self, sections: u64) -> Result<Vec<Vec<Vec<Vec3>>>, EvalError> {
        let Some(Done { instances, .. }) = self.done else {
            return Ok(Vec::new());
        };
        let list_bytes = self.counts.vertices as usize * size_of::<Vec3>();
        let bytes = sections * (list_bytes * instances) as u64;
        if bytes == 0 {
            return Ok(vec![vec![Vec::new(); sections as usize]; instances]);
        }
        let gpu = self.gpu.clone();
        let staging = match self.staging.take() {
            Some(staging) if staging.size() == bytes => staging,
            _ => gpu.guarded(|| Ok::<_, GpuError>(staging_buffer(&gpu, bytes)))?,
        };
        gpu.guarded(|| {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(self.buffers.positions(), 0, &staging, 0, bytes);
            gpu.queue.submit([encoder.finish()]);
            Ok::<_, GpuError>(())
        })?;
        let lists = gpu.read_mapped(&staging, |mapped| {
            let list = |section: usize, instance: usize| {
                let first = (section * instances + instance) * list_bytes;
                bytemuck::pod_collect_to_vec(&mapped[first..first + list_bytes])
            };
            let of_instance = |i| (0..sections as usize).map(|section| list(section, i)).collect();
            (0..instances).map(of_instance).collect()
        })?;
        self.staging = Some(staging);
        Ok(lists)
    }

    /// Memory of the device in bytes per vertex of one instance, without the result.
    pub fn bytes_per_vertex(&self) -> f64 {
        self.data.bytes_per_vertex(self.counts.vertices as usize)
    }
}

fn pipelines(
    cache: &Mutex<PipelineCache>,
    gpu: &Gpu,
    program: &Program,
    kind: ShaderSkinning,
    tables: TableMemory,
) -> Result<Arc<Pipelines>, EvalError> {
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    cache.get(gpu, program, kind, tables)
}

pub(super) fn staging_buffer(gpu: &Gpu, bytes: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size: bytes,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn has_own_bind(moment: &Moment) -> bool {
    match &moment.skinning {
        Skinning::Given { .. } => true,
        Skinning::Posed(posed) => posed.morphed.is_some(),
    }
}

/// Vertices that stand in place of the file's: morphed, or skinned already.
fn own_bind(moment: &Moment) -> Option<Arc<Skinned>> {
    match &moment.skinning {
        Skinning::Given { positions, normals } => Some(Arc::new(Skinned {
            positions: positions.iter().map(|p| p.as_vec3()).collect(),
            normals: normals.iter().map(|n| n.as_vec3()).collect(),
        })),
        Skinning::Posed(posed) => posed.morphed.clone(),
    }
}
