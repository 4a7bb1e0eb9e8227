//! Accessors → plain arrays: strides, integer formats, normalisation and sparse overrides undone.
//! Every index, offset and count is checked, because all of them come from the file.

use super::error::{LoadError, limit};
use glam::Vec3;
use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root, buffer};
use std::cell::Cell;

/// The document and its bytes, to read accessors from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub root: &'a Root,
    pub buffers: &'a [Vec<u8>],
    /// How many numbers have been read so far.
    pub numbers_read: &'a Cell<u64>,
}

/// The numbers of one accessor, `width` per element.
struct Elements {
    width: usize,
    values: Vec<f64>,
}

impl Source<'_> {
    pub fn scalars(&self, index: Index<Accessor>) -> Result<Vec<f32>, LoadError> {
        Ok(self.floats(index, &[1])?.0)
    }

    pub fn vec3s(&self, index: Index<Accessor>) -> Result<Vec<Vec3>, LoadError> {
        let (values, _) = self.floats(index, &[3])?;
        Ok(values.chunks_exact(3).map(Vec3::from_slice).collect())
    }

    /// Finite numbers and how many make one element, which must be one of `widths`.
    pub fn floats(
        &self,
        index: Index<Accessor>,
        widths: &[usize],
    ) -> Result<(Vec<f32>, usize), LoadError> {
        let Elements { width, values } = self.elements(index, true)?;
        if !widths.contains(&width) {
            return Err(LoadError::invalid(format!(
                "accessor {} has {width} numbers per element, but {widths:?} are expected",
                index.value()
            )));
        }
        let mut floats = Vec::with_capacity(values.len());
        for value in values {
            let value = value as f32;
            if !(value.abs() <= limit::MAGNITUDE) {
                return Err(LoadError::invalid(format!(
                    "accessor {} holds {value}, which is not a usable number",
                    index.value()
                )));
            }
            floats.push(value);
        }
        Ok((floats, width))
    }

    /// Whole numbers ≥ 0: vertex indices (`width` 1) and joint indices (`width` 4).
    pub fn indices(&self, index: Index<Accessor>, width: usize) -> Result<Vec<u32>, LoadError> {
        let accessor = self.get(index)?;
        let is_unsigned = matches!(
            component_type(accessor)?,
            ComponentType::U8 | ComponentType::U16 | ComponentType::U32
        );
        let elements = self.elements(index, false)?;
        if !is_unsigned || elements.width != width {
            return Err(LoadError::invalid(format!(
                "accessor {} should hold {width} unsigned integers per element",
                index.value()
            )));
        }
        Ok(elements.values.into_iter().map(|value| value as u32).collect())
    }

    fn get(&self, index: Index<Accessor>) -> Result<&Accessor, LoadError> {
        self.root
            .get(index)
            .ok_or_else(|| LoadError::invalid(format!("accessor {} does not exist", index.value())))
    }

    fn elements(&self, index: Index<Accessor>, normalise: bool) -> Result<Elements, LoadError> {
        let accessor = self.get(index)?;
        let component = component_type(accessor)?;
        let width = match accessor.type_ {
            Checked::Valid(Type::Mat2 | Type::Mat3) | Checked::Invalid => {
                return Err(LoadError::invalid(format!(
                    "accessor {} has an element type that nothing here uses",
                    index.value()
                )));
            }
            Checked::Valid(type_) => type_.multiplicity(),
        };
        let scale = normalisation(component, normalise && accessor.normalized);
        let count = accessor.count.0;
        let numbers = count.saturating_mul(width as u64);
        limit::check("numbers in one accessor", numbers, limit::ACCESSOR_NUMBERS)?;
        let total = self.numbers_read.get() + numbers;
        limit::check("numbers in all accessors", total, limit::NUMBERS_READ)?;
        self.numbers_read.set(total);
        let mut values = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                self.numbers(view, offset, component, width, count)?
            }
            None => {
                limit::check("elements without data", count, limit::VERTICES)?;
                vec![0.0; count as usize * width]
            }
        };
        if let Some(sparse) = &accessor.sparse {
            let Checked::Valid(index_type) = sparse.indices.component_type else {
                return Err(LoadError::invalid("a sparse accessor has unknown indices"));
            };
            let (places, n) = (&sparse.indices, sparse.count.0);
            if n > count {
                return Err(LoadError::invalid(format!(
                    "sparse accessor {} changes more elements than it has",
                    index.value()
                )));
            }
            let at = self.numbers(places.buffer_view, places.byte_offset.0, index_type.0, 1, n)?;
            let (news, offset) = (&sparse.values, sparse.values.byte_offset.0);
            let new = self.numbers(news.buffer_view, offset, component, width, n)?;
            for (place, value) in at.iter().zip(new.chunks_exact(width)) {
                let start = *place as usize * width;
                let Some(old) = values.get_mut(start..start + width) else {
                    return Err(LoadError::invalid(format!(
                        "sparse accessor {} changes element {place}, which does not exist",
                        index.value()
                    )));
                };
                old.copy_from_slice(value);
            }
        }
        if let Some((factor, lowest)) = scale {
            for value in &mut values {
                *value = (*value * factor).max(lowest);
            }
        }
        Ok(Elements { width, values })
    }

    /// `count` elements of `width` numbers from a buffer view, as they are stored.
    fn numbers(
        &self,
        view: Index<buffer::View>,
        offset: u64,
        component: ComponentType,
        width: usize,
        count: u64,
    ) -> Result<Vec<f64>, LoadError> {
        let outside = || LoadError::damaged("an accessor reaches past the end of its data");
        let bytes = self.view_bytes(view)?;
        let stride = self.root.get(view).and_then(|view| view.byte_stride);
        let size = component.size() * width;
        let stride = match stride {
            Some(stride) if stride.0 > 0 => stride.0,
            _ => size,
        };
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|offset| bytes.get(offset..))
            .ok_or_else(outside)?;
        let count = usize::try_from(count).map_err(|_| outside())?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let needed = (count - 1).checked_mul(stride).and_then(|n| n.checked_add(size));
        if needed.is_none_or(|needed| needed > bytes.len()) {
            return Err(outside());
        }
        Ok(match component {
            ComponentType::I8 => gather(bytes, stride, width, count, |b: [u8; 1]| b[0] as i8),
            ComponentType::U8 => gather(bytes, stride, width, count, |b: [u8; 1]| b[0]),
            ComponentType::I16 => gather(bytes, stride, width, count, i16::from_le_bytes),
            ComponentType::U16 => gather(bytes, stride, width, count, u16::from_le_bytes),
            ComponentType::U32 => gather(bytes, stride, width, count, u32::from_le_bytes),
            ComponentType::F32 => gather(bytes, stride, width, count, f32::from_le_bytes),
        })
    }

    pub fn view_bytes(&self, view: Index<buffer::View>) -> Result<&[u8], LoadError> {
        let missing = || {
            LoadError::damaged(format!(
                "buffer view {} reaches past the end of its buffer",
                view.value()
            ))
        };
        let view = self.root.get(view).ok_or_else(missing)?;
        let buffer = self.buffers.get(view.buffer.value()).ok_or_else(missing)?;
        let start = usize::try_from(view.byte_offset.map_or(0, |offset| offset.0)).ok();
        let length = usize::try_from(view.byte_length.0).ok();
        let (Some(start), Some(length)) = (start, length) else {
            return Err(missing());
        };
        let end = start.checked_add(length).ok_or_else(missing)?;
        buffer.get(start..end).ok_or_else(missing)
    }
}

fn component_type(accessor: &Accessor) -> Result<ComponentType, LoadError> {
    match accessor.component_type {
        Checked::Valid(component) => Ok(component.0),
        Checked::Invalid => Err(LoadError::invalid("an accessor has an unknown number format")),
    }
}

/// Factor and lower bound that turn normalised integers into [−1, 1] or [0, 1].
fn normalisation(component: ComponentType, normalised: bool) -> Option<(f64, f64)> {
    let largest = match component {
        _ if !normalised => return None,
        ComponentType::I8 => f64::from(i8::MAX),
        ComponentType::U8 => f64::from(u8::MAX),
        ComponentType::I16 => f64::from(i16::MAX),
        ComponentType::U16 => f64::from(u16::MAX),
        ComponentType::U32 | ComponentType::F32 => return None,
    };
    Some((1.0 / largest, -1.0))
}

fn gather<const N: usize, T: Into<f64>>(
    bytes: &[u8],
    stride: usize,
    width: usize,
    count: usize,
    number: impl Fn([u8; N]) -> T,
) -> Vec<f64> {
    let mut values = Vec::with_capacity(count * width);
    for element in 0..count {
        let start = element * stride;
        let element = &bytes[start..start + width * N];
        values.extend(element.chunks_exact(N).map(|chunk| {
            let mut raw = [0; N];
            raw.copy_from_slice(chunk);
            number(raw).into()
        }));
    }
    values
}
